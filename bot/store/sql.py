"""The store in a database: reads of few rows are prepared statements, lists of tables are read in sessions.

All changes go through one `Writer`.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Any, cast

import sqlalchemy
from sqlalchemy import ColumnElement, Select, func, or_
from sqlalchemy.exc import DBAPIError
from sqlmodel import col, exists, select
from sqlmodel.ext.asyncio.session import AsyncSession

from bot.measures import Measures
from bot.model.batches import Batch, Behind, Clash, Full, Known, Look, Rewriting, Stored, Taken
from bot.model.ids import GameId, PersonId, ProcessId, ReaderId
from bot.model.leaderboards import Leaderboard, LeaderboardPage, Profile
from bot.model.leases import Claim, Outage
from bot.model.panels import Marked, PanelRecord
from bot.model.people import Account, Person
from bot.model.places import Place, Room
from bot.model.results import Ending, PlayerResult, Unsettled
from bot.model.tables import Listing
from bot.ratings import Rating
from bot.storage import StoreError, Uncertain
from bot.store.connections.connection import primary_code
from bot.store.connections.database import FAILURES, Engines, engines_at, upgrade
from bot.store.reading import leaderboards, profiles, queries
from bot.store.reading.finished_games import at, finished_ids
from bot.store.reading.reader import Reader
from bot.store.rows import (
    LISTING_COLUMNS,
    SEAT_COLUMNS,
    account_of,
    entries_of,
    forget_ids,
    listing_of,
    panel_of,
    person_of,
    place_row,
    result_of,
    room_of,
)
from bot.store.schema import GAMES, OVER, SEATS, GameRow, RoomRow, SeatRow
from bot.store.writing import forgetting, upserts
from bot.store.writing.endings import BETWEEN, FIRST_AND_LAST, LACKING
from bot.store.writing.leases import Walk
from bot.store.writing.writer import PATIENCE, Writer, described

OPENING_TIMEOUT = 10.0
"""Seconds that the opening of a store waits for another process that writes into its file."""

_IS_LIVE = col(GameRow.status) != OVER
"""The condition that a table is not over."""
_LISTINGS = sqlalchemy.select(*(GAMES.c[name] for name in LISTING_COLUMNS))
"""Selects the rows of tables for `listing_of`."""
_SEATS = sqlalchemy.select(SEATS.c.game, *(SEATS.c[name] for name in SEAT_COLUMNS)).order_by(SEATS.c.seat)
"""Selects the rows of seats for `listing_of`; the first column, the id of the table, comes before them."""


class SqlStore:
    """A store in SQLite or PostgreSQL."""

    def __init__(self, engines: Engines, writer: Writer) -> None:
        self._engines = engines
        self._writer = writer
        self._walk = Walk()
        self._shared = is_shared(engines)
        reader = Reader(engines)
        self._read, self._rows, self._run = reader.read, reader.rows, reader.run

    @property
    def shared(self) -> bool:
        return self._shared

    async def append(self, batch: Batch) -> Taken | Behind | Known | Clash | Full:
        return await self._writer.append(batch)

    async def has_delivery(self, delivery: str) -> bool:
        return bool(delivery and await self._rows(queries.DELIVERY, delivery=delivery))

    async def missed(self, game: GameId, n: int, delivery: str) -> Known | Behind | None:
        missed = await self._writer.save(upserts.missed(game, n, delivery))
        assert missed is None or isinstance(missed, (Known, Behind))
        return missed

    async def load(self, game: GameId) -> Stored | None:
        return await self.tail(game, 0)

    async def tail(self, game: GameId, n: int) -> Stored | None:
        if not (rows := await self._rows(queries.TABLE, game=game)):
            return None
        *listed, server_seed, seed_words = rows[0][: queries.LISTED + 2]
        seats = [row[queries.LISTED + 2 :] for row in rows]
        # A table without seats has one row, without a seat.
        listing = listing_of(listed, seats if seats[0][0] is not None else ())
        # No entry is ever deleted: this is the log up to the length that it had when the table was read.
        entries = await self._rows(queries.TAIL, game=game, first=n, last=listing.entries - 1)
        return Stored(listing, entries_of(game, entries), server_seed, seed_words)

    async def tables(self, place: Place) -> Sequence[Listing]:
        return await self._listings(_LISTINGS.where(_IS_LIVE, at(place)).order_by(GAMES.c.number))

    async def tables_inside(self, place: Place) -> Sequence[Listing]:
        return await self._listings(_LISTINGS.where(_IS_LIVE, _is_inside(place)).order_by(GAMES.c.id))

    async def tables_of(self, person: PersonId) -> Sequence[Listing]:
        if not person:
            # An empty string in these columns means that there is no person.
            return []
        # With an OR, a database would read all tables that are not over.
        owned = select(GameRow.id).where(_IS_LIVE, col(GameRow.owner) == person)
        sits = select(SeatRow.game).where(col(SeatRow.person) == person)
        tables = _LISTINGS.where(_IS_LIVE, col(GameRow.id).in_(sqlalchemy.union(owned, sits)))
        return await self._listings(tables.order_by(col(GameRow.changed).desc(), col(GameRow.id).desc()))

    async def last_over(self, place: Place) -> Listing | None:
        over = _LISTINGS.where(col(GameRow.status) == OVER, at(place))
        latest = over.order_by(col(GameRow.changed).desc(), col(GameRow.id).desc()).limit(1)
        return next(iter(await self._listings(latest)), None)

    async def games_naming(self, person: PersonId, after: GameId, limit: int) -> Sequence[GameId]:
        rows = await self._rows(forgetting.GAMES_NAMING, of_person=person, after=after, most=limit)
        return [game for (game,) in rows]

    async def rewrite(self, rewriting: Rewriting) -> bool:
        return bool(await self._writer.save(forgetting.rewrite(rewriting)))

    async def forget(self, person: PersonId, alias: PersonId, chat: Place | None = None) -> None:
        await self._writer.save(forgetting.forget(person, alias, chat))
        forget_ids()

    async def finished(
        self,
        *,
        place: Place | None = None,
        person: PersonId | None = None,
        key: str | None = None,
        start: int = 0,
        count: int = 1,
    ) -> Sequence[Listing]:
        finished = _LISTINGS.where(finished_ids(place, person, key, start + count))
        latest = finished.order_by(col(GameRow.changed).desc(), col(GameRow.id).desc())
        return await self._listings(latest.limit(count).offset(start))

    async def analysis(self, game: GameId) -> str | None:
        rows = await self._rows(queries.ANALYSIS, game=game)
        return str(rows[0][1]) if rows else None

    async def save_analysis(self, game: GameId, body: str) -> None:
        await self._writer.save(upserts.save_analysis(game, body))

    async def results(self, game: GameId) -> Sequence[PlayerResult]:
        rows = await self._rows(queries.RESULTS_OF, game=game)
        return sorted(map(result_of, rows), key=lambda result: (result.seat, result.person))

    async def ratings(self, person: PersonId) -> Mapping[str, Rating]:
        rows = await self._rows(queries.RATINGS_OF, person=person)
        return {key: Rating(*values) for key, *values in rows}

    async def unsettled(self, limit: int) -> Unsettled:
        ((first, last),) = await self._rows(FIRST_AND_LAST)
        if first is None:
            return Unsettled((), 0)
        games = await self._rows(BETWEEN, first=first, last=first + limit - 1)
        return Unsettled(tuple((number, game) for number, game in games), last - first + 1)

    async def settle(self, endings: Sequence[tuple[int, Ending | None]]) -> int:
        return cast("int", await self._writer.save(upserts.settle(endings)))

    async def adopt(self) -> int:
        if not await self._rows(LACKING):
            return 0
        return cast("int", await self._writer.save(upserts.adopt()))

    async def unsettle(self) -> int:
        return cast("int", await self._writer.save(upserts.unsettle()))

    async def purge_tallies(self, month: str, week: str, most: int) -> int:
        return cast("int", await self._writer.save(upserts.purge_tallies(month, week, most)))

    async def ended_threads(self, since: float) -> Sequence[tuple[Place, float]]:
        # Starts from the threads, far fewer than finished games: an index finds the games of each.
        same = (getattr(GameRow, name) == getattr(RoomRow, name) for name in ("platform", "chat", "thread"))
        last = select(func.max(col(GameRow.changed))).where(*same, col(GameRow.status) == OVER)
        ended = last.correlate(RoomRow).scalar_subquery()
        place = (col(RoomRow.platform), col(RoomRow.chat), col(RoomRow.thread))
        own = (col(RoomRow.channel) != "", col(RoomRow.threads).is_(True))
        threads = select(*place, ended.label("ended")).where(*own, ended >= since).order_by("ended")

        async def read(session: AsyncSession) -> Sequence[tuple[Place, float]]:
            rows = await (await session.connection()).execute(threads)
            return [(Place(platform, chat, thread), changed) for platform, chat, thread, changed in rows]

        return await self._read(read)

    async def panels(self, game: GameId) -> Sequence[PanelRecord]:
        # All records get the same string as the table's id, to save memory: each row has brought a copy.
        panels = [panel_of((game, *row[1:])) for row in await self._rows(queries.PANELS_OF, game=game)]
        return sorted(panels, key=lambda panel: panel.reader)

    async def panel(self, game: GameId, reader: ReaderId) -> PanelRecord | None:
        rows = await self._rows(queries.PANEL, game=game, reader=reader)
        return panel_of(rows[0]) if rows else None

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

    async def save_alert(self, panel: PanelRecord, *, replaces: str) -> PanelRecord:
        stored = await self._writer.save(upserts.save_alert(panel, replaces))
        assert isinstance(stored, PanelRecord)
        return stored

    async def beat(
        self, process: ProcessId, now: float, platforms: Collection[str] = ()
    ) -> Mapping[ProcessId, Collection[str]]:
        alive = await self._writer.save(upserts.beat(process, now, platforms))
        return cast("Mapping[ProcessId, Collection[str]]", alive)

    async def outages(self) -> Sequence[Outage]:
        return [Outage(*row) for row in await self._rows(queries.OUTAGES)]

    async def retire(self, process: ProcessId) -> None:
        await self._writer.save(upserts.retire(process))

    async def release(self, process: ProcessId, platform: str, chat: str) -> None:
        await self._writer.save(upserts.release(process, platform, chat))

    async def claim(
        self, process: ProcessId, platforms: Sequence[str], now: float, limit: int
    ) -> Sequence[Claim]:
        claims = await self._writer.save(upserts.claim(process, platforms, now, limit, self._walk))
        if claims is None:
            raise Uncertain("what was claimed is not known")
        return cast("Sequence[Claim]", claims)

    async def pending_tables(self, platform: str, chat: str, until: float) -> Sequence[GameId]:
        rows = await self._rows(queries.PENDING_TABLES, platform=platform, chat=chat, until=until)
        return sorted([game for (game,) in rows])

    async def look(self, game: GameId, n: int) -> Look | None:
        if not (rows := await self._rows(queries.LOOK, game=game, first=n)):
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

    async def earliest_due(self) -> float | None:
        ((due,),) = await self._rows(queries.EARLIEST_DUE)
        return cast("float | None", due)

    async def pass_gate(self, gate: str, now: float, seconds: float) -> float:
        return cast("float", await self._writer.save(upserts.pass_gate(gate, now, seconds)))

    async def room(self, place: Place) -> Room | None:
        rows = await self._rows(queries.ROOM, **place_row(place))
        return room_of(rows[0]) if rows else None

    async def save_room(self, room: Room) -> None:
        await self._writer.save(upserts.save_room(room))

    async def end_wishes(self, person: PersonId, platform: str, chat: str) -> None:
        await self._writer.save(forgetting.end_wishes(person, platform, chat))

    async def move_chat(self, platform: str, chat: str, new: str) -> None:
        await self._writer.save(upserts.move_chat(platform, chat, new))

    async def account(self, platform: str, user: str) -> Account | None:
        rows = await self._rows(queries.ACCOUNT, platform=platform, user=user)
        return account_of(rows[0]) if rows else None

    async def accounts(self, person: PersonId) -> Sequence[Account]:
        rows = await self._rows(queries.ACCOUNTS_OF, person=person)
        return sorted(map(account_of, rows), key=lambda account: (account.platform, account.user))

    async def save_account(self, account: Account) -> None:
        await self._writer.save(upserts.save_account(account))

    async def add_account(self, account: Account) -> Account:
        await self._writer.save(upserts.add_account(account))
        return await self.account(account.platform, account.user) or account

    async def person(self, person: PersonId) -> Person | None:
        rows = await self._rows(queries.PERSON, id=person)
        return person_of(rows[0]) if rows else None

    async def save_person(self, person: Person) -> None:
        await self._writer.save(upserts.save_person(person))

    async def leaderboard(
        self, leaderboard: Leaderboard, reader: PersonId, first: int, count: int
    ) -> LeaderboardPage:
        return await self._run(leaderboards.leaderboard_rows(leaderboard, reader, first, count))

    async def game_with_most_wins(self, scope: str, keys: Sequence[str]) -> str:
        return await self._run(lambda connection: leaderboards.game_with_most_wins(connection, scope, keys))

    async def profile(self, person: PersonId, reader: PersonId, keys: Sequence[str]) -> Profile:
        return await self._run(lambda connection: profiles.profile(connection, person, reader, keys))

    async def close(self) -> None:
        await self._writer.close()
        await self._engines.close()

    async def _listings(self, tables: Select[Any]) -> Sequence[Listing]:
        """The listings of these tables, in the same order."""

        async def listings(session: AsyncSession) -> Sequence[Listing]:
            connection = await session.connection()
            rows = (await connection.execute(tables)).all()
            seats = defaultdict[GameId, list[Sequence[Any]]](list)
            their_seats = _SEATS.where(SEATS.c.game.in_([row.id for row in rows]))
            for game, *seat in await connection.execute(their_seats):
                seats[game].append(seat)
            return [listing_of(row, seats[row.id]) for row in rows]

        return await self._read(listings)


async def opened(
    url: str,
    patience: Sequence[float] = PATIENCE,
    measures: Measures | None = None,
    *,
    serving: bool = False,
) -> SqlStore:
    """Opens the store at an address, and migrates its schema; ``patience`` is as in `PATIENCE`.

    Raises `StoreError` if that fails; with ``serving``, also if another process serves from the same file.
    """
    engines = engines_at(url)
    try:
        if serving and engines.file:
            engines.file.serve()
        await _upgrade(engines)
    except FAILURES as error:
        await engines.close()
        raise StoreError(f"the store cannot be opened: {described(error)}") from None
    except BaseException:
        await engines.close()
        raise
    return SqlStore(engines, Writer(engines.writes, patience, measures, shared=is_shared(engines)))


async def _upgrade(engines: Engines) -> None:
    """Migrates the schema; waits up to `OPENING_TIMEOUT` while another process writes into the same file."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + OPENING_TIMEOUT
    while True:
        try:
            return await engines.writes.transact(upgrade)
        except DBAPIError as error:
            if primary_code(error) != sqlite3.SQLITE_BUSY or loop.time() > deadline:
                raise
        await asyncio.sleep(PATIENCE[0])


def is_shared(engines: Engines) -> bool:
    """Whether several processes may serve from a database."""
    return engines.reads.dialect.name == "postgresql"


def _is_inside(place: Place) -> ColumnElement[bool]:
    """The condition that a table is in a place inside this one; looks up the room of each live table."""
    same = (getattr(RoomRow, name) == getattr(GameRow, name) for name in ("platform", "chat", "thread"))
    around = or_(col(RoomRow.channel) == place.chat, col(RoomRow.server) == place.chat)
    return exists().where(*same, col(RoomRow.platform) == place.platform, around)
