"""The store in a database: ORM sessions read, one connection writes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, TypeVar

import sqlalchemy
from sqlalchemy import ColumnElement, Select, case, func
from sqlmodel import SQLModel, and_, col, exists, or_, select
from sqlmodel.ext.asyncio.session import AsyncSession
from sqlmodel.sql.expression import SelectOfScalar

from bot.measures import Measures
from bot.model import (
    Account,
    Batch,
    Behind,
    Clash,
    GameId,
    Known,
    Listing,
    PanelRecord,
    Person,
    PersonId,
    Place,
    ReaderId,
    Room,
    Standing,
    Stored,
    Taken,
)
from bot.ports import StoreError
from bot.store import upserts
from bot.store.common import ranked
from bot.store.database import FAILURES, Engines, engines, upgrade
from bot.store.rows import account_of, entry_of, listing_of, panel_of, person_of, room_of
from bot.store.schema import AccountRow, EntryRow, GameRow, PanelRow, PersonRow, RoomRow, SeatRow
from bot.store.writer import PATIENCE, Writer, described

R = TypeVar("R", bound=SQLModel)

_live = col(GameRow.status) != "over"


class SqlStore:
    """A store in SQLite or PostgreSQL."""

    def __init__(self, engines: Engines, writer: Writer) -> None:
        self._engines = engines
        self._writer = writer

    async def append(self, batch: Batch) -> Taken | Behind | Known | Clash:
        return await self._writer.append(batch)

    async def has_delivery(self, delivery: str) -> bool:
        async with self._reading() as session:
            found = select(EntryRow.n).where(EntryRow.delivery == delivery).limit(1)
            return bool(delivery) and (await session.exec(found)).first() is not None

    async def missed(self, game: GameId, n: int, delivery: str) -> Known | Behind | None:
        missed = await self._writer.save(upserts.missed(game, n, delivery))
        assert missed is None or isinstance(missed, (Known, Behind))
        return missed

    async def load(self, game: GameId) -> Stored | None:
        return await self.tail(game, 0)

    async def tail(self, game: GameId, n: int) -> Stored | None:
        async with self._reading() as session:
            if (row := await session.get(GameRow, game)) is None:
                return None
            (listing,) = await self._with_seats(session, [row])
            tail = select(EntryRow).where(EntryRow.game == game, EntryRow.n >= n)
            entries = (await session.exec(tail.order_by(col(EntryRow.n)))).all()
            return Stored(listing, tuple(map(entry_of, entries)), row.server_seed, row.seed_words)

    async def live(self) -> Sequence[GameId]:
        async with self._reading() as session:
            live = select(GameRow.id).where(_live).order_by(col(GameRow.changed), col(GameRow.id))
            return (await session.exec(live)).all()

    async def tables(self, place: Place) -> Sequence[Listing]:
        return await self._listings(select(GameRow).where(_live, _at(place)).order_by(col(GameRow.number)))

    async def tables_of(self, person: PersonId) -> Sequence[Listing]:
        if not person:
            # An empty string in these columns means that there is no person.
            return []
        sits = exists().where(col(SeatRow.game) == col(GameRow.id), col(SeatRow.person) == person)
        theirs = select(GameRow).where(_live, or_(col(GameRow.owner) == person, sits))
        return await self._listings(theirs.order_by(col(GameRow.changed).desc(), col(GameRow.id).desc()))

    async def last_over(self, place: Place) -> Listing | None:
        over = select(GameRow).where(col(GameRow.status) == "over", _at(place))
        latest = over.order_by(col(GameRow.changed).desc(), col(GameRow.id).desc()).limit(1)
        return next(iter(await self._listings(latest)), None)

    async def unsent(self) -> Sequence[PanelRecord]:
        return await self._panels(col(PanelRow.wanted) != col(PanelRow.sent))

    async def panels(self, game: GameId) -> Sequence[PanelRecord]:
        return await self._panels(col(PanelRow.game) == game)

    async def panel(self, game: GameId, reader: ReaderId) -> PanelRecord | None:
        row = await self._get(PanelRow, (game, reader))
        return panel_of(row) if row else None

    async def mark_dirty(self, panel: PanelRecord) -> PanelRecord:
        wanted = await self._writer.save(upserts.mark_dirty(panel))
        assert isinstance(wanted, PanelRecord)
        return wanted

    async def sent(self, panel: PanelRecord) -> None:
        await self._writer.save(upserts.sent(panel))

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
        async with self._reading() as session:
            rows = (await session.exec(select(AccountRow).where(AccountRow.person == person))).all()
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
        async with self._reading() as session:
            rows = await (await session.connection()).execute(_tally(*which))
            return ranked(Standing(*row) for row in rows)

    async def close(self) -> None:
        await self._writer.close()
        await self._engines.close()

    async def _get(self, table: type[R], key: Any) -> R | None:
        async with self._reading() as session:
            return await session.get(table, key)

    async def _panels(self, which: ColumnElement[bool]) -> Sequence[PanelRecord]:
        async with self._reading() as session:
            rows = (await session.exec(select(PanelRow).where(which))).all()
        return sorted(map(panel_of, rows), key=lambda panel: (panel.game, panel.reader))

    async def _listings(self, rows: SelectOfScalar[GameRow]) -> Sequence[Listing]:
        async with self._reading() as session:
            return await self._with_seats(session, (await session.exec(rows)).all())

    async def _with_seats(self, session: AsyncSession, rows: Sequence[GameRow]) -> Sequence[Listing]:
        """The listings of these rows, in the same order."""
        seats = defaultdict[GameId, list[SeatRow]](list)
        theirs = select(SeatRow).where(col(SeatRow.game).in_([row.id for row in rows]))
        for seat in await session.exec(theirs.order_by(col(SeatRow.seat))):
            seats[seat.game].append(seat)
        return [listing_of(row, seats[row.id]) for row in rows]

    @asynccontextmanager
    async def _reading(self) -> AsyncIterator[AsyncSession]:
        """A session that reads a snapshot; raises `StoreError` if the database fails."""
        try:
            async with AsyncSession(self._engines.reads) as session:
                yield session
        except FAILURES as error:
            raise StoreError(described(error)) from None


async def opened(
    url: str, patience: Sequence[float] = PATIENCE, measures: Measures | None = None
) -> SqlStore:
    """Opens the store at an address, and migrates its schema. Raises `StoreError`."""
    both = engines(url)
    try:
        await both.writes.transact(upgrade)
    except FAILURES as error:
        await both.close()
        raise StoreError(f"the store cannot be opened: {described(error)}") from None
    except BaseException:
        await both.close()
        raise
    return SqlStore(both, Writer(both.writes, patience, measures))


def _tally(*which: ColumnElement[bool]) -> Select[str, str, str, int, int]:
    """Counts finished games: selects person, name, game, number of games and number of wins."""
    own = and_(col(SeatRow.won), col(SeatRow.level).is_(None))
    name = func.coalesce(func.max(col(PersonRow.name)), func.max(col(SeatRow.name)))
    columns = (col(SeatRow.person), name, col(GameRow.key), func.count(), func.sum(case((own, 1), else_=0)))
    return (
        sqlalchemy.select(*columns)
        .join(GameRow, col(GameRow.id) == col(SeatRow.game))
        .outerjoin(PersonRow, col(PersonRow.id) == col(SeatRow.person))
        .where(col(GameRow.status) == "over", col(SeatRow.person) != "", col(SeatRow.score).is_not(None))
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
