"""The store in a database: ORM sessions read, one connection writes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar, cast

import sqlalchemy
from sqlalchemy import ColumnElement, Select, bindparam, case, func
from sqlmodel import SQLModel, and_, col, exists, select
from sqlmodel.ext.asyncio.session import AsyncSession
from sqlmodel.sql.expression import SelectOfScalar

from bot.measures import Measures
from bot.model import (
    Account,
    Batch,
    Behind,
    Claim,
    Clash,
    GameId,
    Known,
    Listing,
    Look,
    Marked,
    PanelRecord,
    Person,
    PersonId,
    Place,
    ProcessId,
    ReaderId,
    Room,
    Standing,
    Stored,
    Taken,
)
from bot.ports import StoreError, Uncertain
from bot.store import upserts
from bot.store.common import ranked
from bot.store.database import FAILURES, Engines, engines, upgrade
from bot.store.reader import Reader
from bot.store.rows import ENTRY_COLUMNS, account_of, entries_of, listing_of, panel_of, person_of, room_of
from bot.store.schema import (
    ENTRIES,
    GAMES,
    LEASES,
    OVER,
    AccountRow,
    EntryRow,
    GameRow,
    PanelRow,
    PersonRow,
    RoomRow,
    SeatRow,
)
from bot.store.writer import PATIENCE, Writer, described

R = TypeVar("R", bound=SQLModel)
V = TypeVar("V")

_live = col(GameRow.status) != OVER
_TAIL = (
    sqlalchemy.select(*(ENTRIES.c[name] for name in ENTRY_COLUMNS))
    .where(ENTRIES.c.game == bindparam("of_game"), ENTRIES.c.n >= bindparam("first"))
    .order_by(ENTRIES.c.n)
)

_LOOK = (
    sqlalchemy.select(
        GAMES.c.platform, GAMES.c.chat, GAMES.c.thread, GAMES.c.number, LEASES.c.process,
        *(ENTRIES.c[name] for name in ENTRY_COLUMNS),
    )
    .select_from(GAMES)
    .outerjoin(LEASES, and_(LEASES.c.platform == GAMES.c.platform, LEASES.c.chat == GAMES.c.chat))
    .outerjoin(ENTRIES, and_(ENTRIES.c.game == GAMES.c.id, ENTRIES.c.n >= bindparam("first")))
    .where(GAMES.c.id == bindparam("of_game"))
    .order_by(ENTRIES.c.n)
)  # fmt: skip


class SqlStore:
    """A store in SQLite or PostgreSQL."""

    def __init__(self, engines: Engines, writer: Writer) -> None:
        self._engines = engines
        self._writer = writer
        self._read = Reader(engines).read
        looks = (
            engines.reads.execution_options(isolation_level="AUTOCOMMIT") if self.shared else engines.reads
        )
        # A look is one statement, which needs no transaction around it.
        self._read_once = Reader(replace(engines, reads=looks)).read

    @property
    def shared(self) -> bool:
        return is_shared(self._engines)

    async def append(self, batch: Batch) -> Taken | Behind | Known | Clash:
        return await self._writer.append(batch)

    async def has_delivery(self, delivery: str) -> bool:
        found = select(EntryRow.n).where(EntryRow.delivery == delivery).limit(1)

        async def find(session: AsyncSession) -> bool:
            return (await session.exec(found)).first() is not None

        return bool(delivery) and await self._read(find)

    async def missed(self, game: GameId, n: int, delivery: str) -> Known | Behind | None:
        missed = await self._writer.save(upserts.missed(game, n, delivery))
        assert missed is None or isinstance(missed, (Known, Behind))
        return missed

    async def load(self, game: GameId) -> Stored | None:
        return await self.tail(game, 0)

    async def tail(self, game: GameId, n: int) -> Stored | None:
        async def stored(session: AsyncSession) -> Stored | None:
            if (row := await session.get(GameRow, game)) is None:
                return None
            (listing,) = await self._with_seats(session, [row])
            # Plain rows, since those of the ORM take several times as long.
            rows = await (await session.connection()).execute(_TAIL, {"of_game": game, "first": n})
            return Stored(listing, entries_of(game, rows), row.server_seed, row.seed_words)

        return await self._read(stored)

    async def tables(self, place: Place) -> Sequence[Listing]:
        return await self._listings(select(GameRow).where(_live, _at(place)).order_by(col(GameRow.number)))

    async def tables_of(self, person: PersonId) -> Sequence[Listing]:
        if not person:
            # An empty string in these columns means that there is no person.
            return []
        # An OR of both would look at all tables that are not over.
        owned = select(GameRow.id).where(_live, col(GameRow.owner) == person)
        sits = select(SeatRow.game).where(col(SeatRow.person) == person)
        theirs = select(GameRow).where(_live, col(GameRow.id).in_(sqlalchemy.union(owned, sits)))
        return await self._listings(theirs.order_by(col(GameRow.changed).desc(), col(GameRow.id).desc()))

    async def last_over(self, place: Place) -> Listing | None:
        over = select(GameRow).where(col(GameRow.status) == OVER, _at(place))
        latest = over.order_by(col(GameRow.changed).desc(), col(GameRow.id).desc()).limit(1)
        return next(iter(await self._listings(latest)), None)

    async def panels(self, game: GameId) -> Sequence[PanelRecord]:
        rows = await self._all(select(PanelRow).where(col(PanelRow.game) == game))
        return sorted(map(panel_of, rows), key=lambda panel: panel.reader)

    async def panel(self, game: GameId, reader: ReaderId) -> PanelRecord | None:
        row = await self._get(PanelRow, (game, reader))
        return panel_of(row) if row else None

    async def mark_dirty(
        self, panel: PanelRecord, *, expected: int | None = None, keeper: ProcessId = ""
    ) -> Marked:
        marked = await self._writer.save(upserts.mark_dirty(panel, expected, keeper))
        assert isinstance(marked, Marked)
        return marked

    async def sent(
        self,
        panel: PanelRecord,
        *,
        keeper: ProcessId = "",
        replaces: str | None = None,
        free_at: float | None = None,
    ) -> PanelRecord:
        stored = await self._writer.save(upserts.sent(panel, keeper, replaces, free_at))
        assert isinstance(stored, PanelRecord)
        return stored

    async def beat(self, process: ProcessId, now: float) -> Sequence[ProcessId]:
        return cast("Sequence[ProcessId]", await self._writer.save(upserts.beat(process, now)))

    async def retire(self, process: ProcessId) -> None:
        await self._writer.save(upserts.retire(process))

    async def release(self, process: ProcessId, platform: str, chat: str) -> None:
        await self._writer.save(upserts.release(process, platform, chat))

    async def claim(
        self, process: ProcessId, platforms: Sequence[str], now: float, limit: int
    ) -> Sequence[Claim]:
        claims = await self._writer.save(upserts.claim(process, platforms, now, limit))
        if claims is None:
            raise Uncertain("what was claimed is not known")
        return cast("Sequence[Claim]", claims)

    async def owed(self, platform: str, chat: str) -> Sequence[GameId]:
        here = (col(GameRow.platform) == platform, col(GameRow.chat) == chat)
        dirty = select(GameRow.id).join(PanelRow, col(PanelRow.game) == col(GameRow.id))
        dirty = dirty.where(*here, col(PanelRow.wanted) != col(PanelRow.sent))
        due = select(GameRow.id).where(*here, _live, col(GameRow.due).is_not(None))

        async def games(session: AsyncSession) -> set[GameId]:
            return {*(await session.exec(dirty)).all(), *(await session.exec(due)).all()}

        return sorted(await self._read(games))

    async def look(self, game: GameId, n: int) -> Look | None:
        async def find(session: AsyncSession) -> Sequence[Sequence[Any]]:
            connection = await session.connection()
            return (await connection.execute(_LOOK, {"of_game": game, "first": n})).all()

        if not (rows := await self._read_once(find)):
            return None
        platform, chat, thread, number, keeper = rows[0][:5]
        # A table without later entries has one row, without an entry.
        tail = entries_of(game, [row[5:] for row in rows if row[5] is not None])
        return Look(tail, Place(platform, chat, thread), number, keeper)

    async def postpone(self, game: GameId, n: int | None, due: float | None) -> None:
        await self._writer.save(upserts.postpone(game, n, due))

    async def outdate(self, revisions: Mapping[str, int]) -> None:
        after: GameId | None = ""
        while after is not None:
            after = await self._writer.save(upserts.outdate(revisions, after))

    async def longest_due(self) -> float | None:
        due = select(func.min(GameRow.due)).where(col(GameRow.due).is_not(None))
        return (await self._all(due))[0]

    async def pass_gate(self, gate: str, now: float, seconds: float) -> float:
        return cast("float", await self._writer.save(upserts.pass_gate(gate, now, seconds)))

    async def room(self, place: Place) -> Room | None:
        row = await self._get(RoomRow, (place.platform, place.chat, place.thread))
        return room_of(row) if row else None

    async def save_room(self, room: Room) -> None:
        await self._writer.save(upserts.save_room(room))

    async def move_chat(self, platform: str, chat: str, new: str) -> None:
        await self._writer.save(upserts.move_chat(platform, chat, new))

    async def account(self, platform: str, user: str) -> Account | None:
        row = await self._get(AccountRow, (platform, user))
        return account_of(row) if row else None

    async def accounts(self, person: PersonId) -> Sequence[Account]:
        rows = await self._all(select(AccountRow).where(AccountRow.person == person))
        return sorted(map(account_of, rows), key=lambda account: (account.platform, account.user))

    async def save_account(self, account: Account) -> None:
        await self._writer.save(upserts.save_account(account))

    async def person(self, person: PersonId) -> Person | None:
        row = await self._get(PersonRow, person)
        return person_of(row) if row else None

    async def save_person(self, person: Person) -> None:
        await self._writer.save(upserts.save_person(person))

    async def standings(
        self, *, key: str | None = None, place: Place | None = None, platform: str = "", community: str = ""
    ) -> Sequence[Standing]:
        which: list[ColumnElement[bool]] = []
        if key is not None:
            which.append(col(GameRow.key) == key)
        if place is not None:
            which.append(_at(place))
        if community:
            which.append(_in_community(platform, community))

        async def tally(session: AsyncSession) -> Sequence[Standing]:
            rows = await (await session.connection()).execute(_tally(*which))
            return ranked(Standing(*row) for row in rows)

        return await self._read(tally)

    async def close(self) -> None:
        await self._writer.close()
        await self._engines.close()

    async def _get(self, table: type[R], key: Any) -> R | None:
        return await self._read(lambda session: session.get(table, key))

    async def _all(self, rows: SelectOfScalar[V]) -> Sequence[V]:
        async def found(session: AsyncSession) -> Sequence[V]:
            return (await session.exec(rows)).all()

        return await self._read(found)

    async def _listings(self, rows: SelectOfScalar[GameRow]) -> Sequence[Listing]:
        async def listings(session: AsyncSession) -> Sequence[Listing]:
            return await self._with_seats(session, (await session.exec(rows)).all())

        return await self._read(listings)

    async def _with_seats(self, session: AsyncSession, rows: Sequence[GameRow]) -> Sequence[Listing]:
        """The listings of these rows, in the same order."""
        seats = defaultdict[GameId, list[SeatRow]](list)
        theirs = select(SeatRow).where(col(SeatRow.game).in_([row.id for row in rows]))
        for seat in await session.exec(theirs.order_by(col(SeatRow.seat))):
            seats[seat.game].append(seat)
        return [listing_of(row, seats[row.id]) for row in rows]


async def opened(
    url: str,
    patience: Sequence[float] = PATIENCE,
    measures: Measures | None = None,
    *,
    serving: bool = False,
) -> SqlStore:
    """Opens the store at an address, and migrates its schema. Raises `StoreError`.

    With ``serving``, also if another process serves from the same file.
    """
    both = engines(url)
    try:
        if serving and both.file:
            both.file.serve()
        await both.writes.transact(upgrade)
    except FAILURES as error:
        await both.close()
        raise StoreError(f"the store cannot be opened: {described(error)}") from None
    except BaseException:
        await both.close()
        raise
    return SqlStore(both, Writer(both.writes, patience, measures, shared=is_shared(both)))


def is_shared(engines: Engines) -> bool:
    """Whether several processes may serve from a database."""
    return engines.reads.dialect.name == "postgresql"


def _tally(*which: ColumnElement[bool]) -> Select[str, str, str, int, int]:
    """Counts finished games: selects person, name, game, number of games and number of wins."""
    own = and_(col(SeatRow.won), col(SeatRow.level).is_(None))
    name = func.coalesce(func.max(col(PersonRow.name)), func.max(col(SeatRow.name)))
    columns = (col(SeatRow.person), name, col(GameRow.key), func.count(), func.sum(case((own, 1), else_=0)))
    return (
        sqlalchemy.select(*columns)
        .join(GameRow, col(GameRow.id) == col(SeatRow.game))
        .outerjoin(PersonRow, col(PersonRow.id) == col(SeatRow.person))
        .where(col(GameRow.status) == OVER, col(SeatRow.person) != "", col(SeatRow.score).is_not(None))
        .where(*which)
        .group_by(col(SeatRow.person), col(GameRow.key))
    )


def _at(place: Place) -> ColumnElement[bool]:
    return and_(
        col(GameRow.platform) == place.platform,
        col(GameRow.chat) == place.chat,
        col(GameRow.thread) == place.thread,
    )


def _in_community(platform: str, community: str) -> ColumnElement[bool]:
    """Whether a table is in a place of a community."""
    same = (getattr(RoomRow, name) == getattr(GameRow, name) for name in ("platform", "chat", "thread"))
    here = (col(RoomRow.platform) == platform, col(RoomRow.community) == community)
    return exists().where(*same, *here)
