"""The SQL store's own duties: schema, writer, two processes on one database, no secret in logs or errors."""

from __future__ import annotations

import asyncio
import logging
import os
import sqlite3
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import asyncpg
import pytest
import sqlalchemy
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, text
from sqlalchemy.exc import IntegrityError, OperationalError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.model.batches import Behind, Clash, Known, Stored, Taken
from bot.model.ids import PUBLIC
from bot.model.panels import Draft, PanelRecord
from bot.model.people import Account, Person
from bot.model.places import Place
from bot.storage import StoreError
from bot.store import open_store, sql
from bot.store.connections.connection import LoopConnection, Then, ThreadConnection, nothing
from bot.store.connections.database import alembic, engines_at, upgrade
from bot.store.connections.prepared import Prepared
from bot.store.rows import _first_of_equals, panel_row
from bot.store.schema import PANELS, Base, GameRow
from bot.store.sql import SqlStore
from bot.store.writing import upserts, writer
from bot.store.writing.upserts import Saving
from bot.table_service.settler import Settler
from bot.table_service.stored import batch
from bot.tables.endings import ending_of
from bot.tables.table import Table
from engines.values import replace
from tests.bot.store.tables import Tale, played, told
from tests.bot.store.test_crowd import check, crowded
from tests.support.clock import VirtualClock
from tests.support.stores import live_tables

T = TypeVar("T")

ELSEWHERE = Place("discord", "9")


_ADD = Prepared(sqlalchemy.insert(PANELS))
_COUNT = Prepared(sqlalchemy.select(sqlalchemy.func.count()).select_from(PANELS))


@asynccontextmanager
async def opened(url: str, patience: tuple[float, ...] = (0, 0)) -> AsyncIterator[SqlStore]:
    store = await sql.opened(url, patience)
    try:
        yield store
    finally:
        await store.close()


@pytest.fixture
async def store(database: str) -> AsyncIterator[SqlStore]:
    async with opened(database) as store:
        yield store


class Trouble:
    """Makes the writer's next `times` transactions fail, before they run or after they have committed.

    With 0 it only counts transactions, down from 0.
    """

    def __init__(self, store: SqlStore, times: int, *, after: bool = False) -> None:
        self.times, self.after = times, after
        """``times`` is counted down by every transaction, below 0 too."""
        self.in_doubt = False
        """As in `WriteConnection`."""
        self._connection = store._writer._connection
        store._writer._connection = self

    def transact(self, work: Callable[[Connection], T], then: Then[T] = nothing) -> asyncio.Future[T]:
        return asyncio.ensure_future(self._transact(work, then))

    async def _transact(self, work: Callable[[Connection], T], then: Then[T]) -> T:
        error = OperationalError("", {}, Exception("database is locked"))
        self.times -= 1
        self.in_doubt = self.times >= 0 and self.after
        if self.times >= 0 and not self.after:
            raise error
        if self.times < 0:
            return await self._connection.transact(work, then)
        await self._connection.transact(work)
        raise error

    async def close(self) -> None:
        await self._connection.close()


def added(connection: Connection, readers: Sequence[str]) -> None:
    """Inserts a panel for each reader, all in one statement."""
    _ADD.run(connection, *(panel_row(PanelRecord("g", reader, "hush")) for reader in readers))


def counted(connection: Connection) -> Sequence[tuple[int, ...]]:
    """The number of panels, as the only column of the only row."""
    return _COUNT.run(connection, {})


async def test_a_prepared_statement_runs_for_one_row_and_for_many(database: str) -> None:
    await (await open_store(database)).close()
    both = engines_at(database)
    await both.writes.transact(partial(added, readers=["ana"]))
    await both.writes.transact(partial(added, readers=["bob", "eva"]))
    assert await both.writes.transact(counted) == [(3,)]
    await both.close()


async def test_a_prepared_statement_raises_errors_that_hold_no_row(database: str) -> None:
    await (await open_store(database)).close()
    both = engines_at(database)
    await both.writes.transact(partial(added, readers=["ana"]))
    for again in (("ana",), ("eva", "ana")):
        with pytest.raises(IntegrityError) as refused:
            await both.writes.transact(partial(added, readers=again))
        assert writer.described(refused.value).startswith("IntegrityError")
        assert "eva" not in str(refused.value)
        assert "hush" not in str(refused.value)
    assert await both.writes.transact(counted) == [(1,)]
    await both.close()


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (TimeoutError(), "TimeoutError"),
        (OSError(28, "No space left"), "OSError: No space left"),
        (ConnectionError("gone"), "ConnectionError: gone"),
        (ValueError("7H"), "ValueError"),
    ],
    ids=str,
)
def test_an_error_is_described_by_its_type_and_what_the_system_says(error: Exception, said: str) -> None:
    assert writer.described(error) == said


def without_id(connection: Connection) -> None:
    connection.execute(text("INSERT INTO person (id, name) VALUES (NULL, 'Bo')"))


@pytest.mark.parametrize(
    "impossible",
    [
        pytest.param(upserts.save_analysis("zz", "{}"), id="of a table that is not stored"),
        pytest.param(Saving(("person", ""), without_id), id="without an id"),
    ],
)
@pytest.mark.parametrize("others", [0, 3])
async def test_a_row_that_can_never_be_stored_is_refused_at_once(
    store: SqlStore, impossible: Saving, others: int
) -> None:
    refused, *stored = await asyncio.gather(
        store._writer.save(impossible),
        *(store.save_person(Person(str(n), "Bo")) for n in range(others)),
        return_exceptions=True,
    )
    assert isinstance(refused, StoreError)
    assert stored == [None] * others
    assert store._writer._measures.store_retries == 0


def downgrade(connection: Connection, revision: str) -> None:
    """Gives a database the schema of an older revision."""
    if not connection.in_transaction():
        # Otherwise alembic would commit.
        connection.begin()
    command.downgrade(alembic(connection), revision)


async def test_migrations_make_what_the_schema_says(bare_database: str) -> None:
    await (await open_store(bare_database)).close()
    both = engines_at(bare_database)

    def differences(connection: Connection) -> list[Any]:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        return list(compare_metadata(context, Base.metadata))

    async with both.reads.connect() as connection:
        found = await connection.run_sync(differences)
    await both.close()
    assert found == []


async def test_games_that_ended_before_results_were_stored_are_settled_later(database: str) -> None:
    games = [played(1000.0 - n, n + 1) for n in range(3)]
    # Its last entry is long after its end.
    rematch = games[2].at(5000.0).add("rematch", game="none")
    async with opened(database) as store:
        for game in [*games[:2], rematch]:
            await store.append(replace(batch(game, 0), ending=ending_of(game)))
        await store.append(batch(Table.open("casino", number=4), 0))
        older = partial(downgrade, revision="0016")
        await store._engines.writes.transact(older)
    async with opened(database) as store:
        waiting = await store.unsettled(9)
        assert [game for _, game in waiting.games] == [game.id for game in reversed(games)]
        assert await Settler(store, VirtualClock(), idle=0).settle_all() == 3
        again = [await store.results(game.id) for game in reversed(games)]
    # They had ended in the order of these numbers, and were stored in another.
    assert [result.number for results in again for result in results] == [1, 1, 2, 2, 3, 3]


async def test_a_store_is_there_again_when_it_is_opened_again(database: str) -> None:
    tale = Tale()
    async with opened(database) as store:
        await told(store, tale, tale.opened("d", b"s" * 32))
    async with opened(database) as store:
        assert await store.load("a0") == Stored(tale.listing, tale.entries, b"s" * 32, None)
        assert await store.append(tale.next("join", delivery="d")) == Known()


async def test_rows_share_the_id_of_a_person_until_somebody_is_forgotten(store: SqlStore) -> None:
    ana = "0123456789abcdef"
    await store.save_person(Person(ana, "Ana"))
    await store.save_account(Account("wall", "user-ana", ana))
    person, (account,) = await store.person(ana), await store.accounts(ana)
    assert person is not None
    assert account.person is person.id
    assert _first_of_equals.cache_info().currsize > 0
    await store.forget(ana, "alias")
    assert _first_of_equals.cache_info().currsize == 0


async def test_stores_opened_at_once_make_the_tables_once(bare_database: str) -> None:
    stores = await asyncio.gather(*(sql.opened(bare_database) for _ in range(4)))
    tale = Tale()
    await told(stores[0], tale, tale.opened())
    assert [list(await live_tables(store)) for store in stores] == [["a0"]] * 4
    for store in stores:
        await store.close()


@pytest.mark.real
@pytest.mark.parametrize("patience", [10.0, 0.0])
async def test_an_opening_waits_while_another_program_writes_but_not_for_ever(
    patience: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "tables.db"
    async with opened(str(file)):
        pass
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    tried = 0

    async def transact(self: ThreadConnection, *args: Any) -> Any:
        nonlocal tried
        tried += 1
        if tried == 3:
            other.execute("ROLLBACK")
        return await plainly(self, *args)

    plainly = ThreadConnection.transact
    monkeypatch.setattr(ThreadConnection, "transact", transact)
    monkeypatch.setattr("bot.store.connections.database.BUSY_TIMEOUT", 0.0)
    monkeypatch.setattr(sql, "OPENING_TIMEOUT", patience)
    try:
        if patience:
            await (await sql.opened(str(file))).close()
            assert tried == 3
        else:
            with pytest.raises(StoreError, match="locked"):
                await sql.opened(str(file))
    finally:
        other.close()


async def test_a_store_of_a_newer_program_is_refused(database: str) -> None:
    newer = text("UPDATE alembic_version SET version_num = '9999'")
    async with opened(database) as store:
        await store._engines.writes.transact(lambda connection: connection.execute(newer))
    with pytest.raises(StoreError, match="newer"):
        await open_store(database)


async def test_a_file_is_written_and_read_without_an_eventfd_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(os, "eventfd")
    tale = Tale()
    async with opened(str(tmp_path / "tables.db")) as store:
        await told(store, tale, tale.opened())
        assert await store.load("a0") == Stored(tale.listing, tale.entries, None, None)


async def test_a_store_closes_the_eventfds_that_it_has_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, closed = list[int](), list[int]()
    make, close = os.eventfd, os.close

    def eventfd(*options: int) -> int:
        made.append(make(*options))
        return made[-1]

    def noted(descriptor: int) -> None:
        closed.append(descriptor)
        close(descriptor)

    monkeypatch.setattr(os, "eventfd", eventfd)
    monkeypatch.setattr(os, "close", noted)
    async with opened(str(tmp_path / "tables.db")) as store:
        await store.load("a0")
    # Of the connection that writes, and of the one that reads.
    assert len(made) == 2
    assert [descriptor for descriptor in made if descriptor not in closed] == []


async def test_what_waits_together_is_committed_together(store: SqlStore) -> None:
    tales = [Tale(f"g{i}", number=i) for i in range(20)]
    counter = Trouble(store, 0)
    await asyncio.gather(*(store.append(tale.opened()) for tale in tales))
    assert counter.times == -1, "not in one transaction"
    assert len(await live_tables(store)) == 20


async def test_in_a_group_the_second_is_judged_after_the_first(store: SqlStore) -> None:
    tale = Tale()
    await told(store, tale, tale.opened())
    first, second = tale.next("join", delivery="d1"), tale.next("option", delivery="d2")
    third = tale.next("cut", delivery="d1")
    outcomes = await asyncio.gather(*map(store.append, (first, second, third)))
    assert outcomes == [Taken(), Behind(first.entries), Known()]


async def test_one_group_may_open_a_table_and_go_on_with_it(store: SqlStore) -> None:
    tale = Tale()
    batches = [tale.opened()]
    tale.follow(batches)
    batches.append(tale.next("join", person="bo", name="Bo"))
    tale.follow(batches)
    outcomes = await asyncio.gather(*map(store.append, batches))
    assert outcomes == [Taken(), Taken()]
    assert await store.load("a0") == Stored(tale.listing, tale.entries, None, None)


async def test_in_a_group_a_number_is_given_once(store: SqlStore) -> None:
    counter = Trouble(store, 0)
    outcomes = await asyncio.gather(*(store.append(Tale(game).opened()) for game in ("a", "b")))
    assert (outcomes, counter.times) == ([Taken(), Clash()], -1)


async def test_in_a_group_every_batch_marks_the_public_panel_dirty(store: SqlStore) -> None:
    tale = Tale()
    await told(store, tale, tale.opened())
    batches = [tale.next("join")]
    tale.follow(batches)
    await asyncio.gather(*map(store.append, (*batches, tale.next("start"))))
    assert await store.panel("a0", PUBLIC) == PanelRecord("a0", PUBLIC, wanted=3)


async def test_a_write_that_is_cancelled_leaves_the_others_of_its_group(store: SqlStore) -> None:
    tales = [Tale(f"g{i}", number=i) for i in range(3)]
    tasks = [asyncio.create_task(store.append(tale.opened())) for tale in tales]
    await asyncio.sleep(0)
    tasks[1].cancel()
    outcomes = await asyncio.gather(*tasks, return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [Taken, asyncio.CancelledError, Taken]


async def test_a_database_away_for_a_moment_is_waited_for(store: SqlStore) -> None:
    Trouble(store, 2)
    assert await store.append(Tale().opened()) == Taken()


async def test_a_database_that_stays_away_fails_everybody_who_waits(store: SqlStore) -> None:
    Trouble(store, 3)
    works = (store.append(Tale().opened()), store.save_person(Person("bo", "Bo")))
    outcomes = await asyncio.gather(*works, return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [StoreError, StoreError]
    assert (await store.load("a0"), await store.person("bo")) == (None, None)


async def test_after_trouble_everything_works_again(store: SqlStore) -> None:
    Trouble(store, 3)
    with pytest.raises(StoreError):
        await store.append(Tale().opened())
    assert await store.append(Tale().opened()) == Taken()


async def test_a_batch_that_was_committed_before_the_error_is_taken(store: SqlStore) -> None:
    tale = Tale()
    await told(store, tale, tale.opened())
    panel = (await store.mark_dirty(PanelRecord("a0", PUBLIC))).panel
    Trouble(store, 1, after=True)
    batch = tale.next("join", "start", delivery="d")
    outcomes = await asyncio.gather(*map(store.append, (batch, batch)))
    assert outcomes == [Taken(), Known()]
    stored = await store.load("a0")
    assert stored is not None
    assert len(stored.entries) == 3
    assert await store.panel("a0", PUBLIC) == PanelRecord("a0", PUBLIC, wanted=panel.wanted + 1)


async def test_in_a_group_a_value_that_cannot_be_stored_fails_alone(store: SqlStore) -> None:
    works = (
        store.append(Tale("a0").opened()),
        store.save_person(Person("bo", "half of a surrogate pair: \ud800")),
        store.append(Tale("b0", number=2).opened()),
    )
    outcomes = await asyncio.gather(*works, return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [Taken, StoreError, Taken]


async def test_closing_writes_what_waits(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "MOST_IN_GROUP", 1)
    async with opened(database) as store:
        tales = [Tale(f"g{i}", number=i) for i in range(5)]
        tasks = [asyncio.create_task(store.append(tale.opened())) for tale in tales]
        await asyncio.sleep(0)
    assert [task.done() and task.result() for task in tasks] == [Taken()] * 5


on_postgres = pytest.mark.parametrize(
    "database", [pytest.param("postgres", marks=pytest.mark.real)], indirect=True
)


@on_postgres
async def test_a_connection_that_is_lost_is_made_again(database: str) -> None:
    cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
    async with opened(database) as store:
        tale = Tale()
        await told(store, tale, tale.opened())
        connection = await asyncpg.connect(database)
        await connection.execute(f"{cut} AND pid <> pg_backend_pid()")
        await connection.close()
        await told(store, tale, tale.next("join"))
        assert len(await store.tables(tale.place)) == 1


FATAL = b"SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0"
"""The error fields that a PostgreSQL server sends before it closes a connection."""


async def cut(connection: AsyncConnection) -> None:
    """Feeds the server's closing error to a connection's driver, without the end of the stream."""
    driver: Any = (await connection.get_raw_connection()).driver_connection
    driver._protocol.data_received(b"E" + (len(FATAL) + 4).to_bytes(4, "big") + FATAL)


@on_postgres
async def test_a_connection_whose_server_announces_its_end_is_made_again(database: str) -> None:
    async with opened(database) as store:
        tale = Tale()
        await told(store, tale, tale.opened())
        writes = store._engines.writes
        assert isinstance(writes, LoopConnection)
        assert writes._connection is not None
        await cut(writes._connection)
        async with store._engines.reads.connect() as connection:
            await cut(connection)
        await told(store, tale, tale.next("join"))
        assert len(await store.tables(tale.place)) == 1


async def test_a_closed_store_says_so(database: str) -> None:
    async with opened(database) as store:
        pass
    with pytest.raises(StoreError, match="closed"):
        await store.append(Tale().opened())


async def test_of_two_processes_one_is_behind(database: str) -> None:
    async with opened(database) as one, opened(database) as other:
        tale = Tale()
        await told(one, tale, tale.opened())
        batches = tale.next("join", person="bo"), tale.next("join", person="cy")
        outcomes = await asyncio.gather(one.append(batches[0]), other.append(batches[1]))
        won = outcomes.index(Taken())
        assert outcomes[1 - won] == Behind(batches[won].entries)


async def test_of_two_processes_one_gets_the_number(database: str) -> None:
    async with opened(database) as one, opened(database) as other:
        outcomes = await asyncio.gather(one.append(Tale("a").opened()), other.append(Tale("b").opened()))
        assert sorted(map(repr, outcomes)) == [repr(Clash()), repr(Taken())]


async def test_of_two_processes_one_does_what_was_sent_to_both(database: str) -> None:
    async with opened(database) as one, opened(database) as other:
        opening = [Tale("a").opened("d"), Tale("b", ELSEWHERE).opened("d")]
        outcomes = await asyncio.gather(one.append(opening[0]), other.append(opening[1]))
        assert sorted(map(repr, outcomes)) == [repr(Known()), repr(Taken())]


async def test_seats_that_another_process_has_changed_are_written_again(database: str) -> None:
    async with opened(database) as one, opened(database) as other:
        tale = Tale()
        await told(one, tale, tale.opened())
        for store, kind in ((one, "join"), (other, "leave"), (one, "join"), (one, "move")):
            await told(store, tale, tale.next(kind, person="bo", name="Bo"))
        stored = await other.load("a0")
        assert stored is not None
        assert stored.listing == tale.listing


async def test_a_crowd_in_two_processes_leaves_logs_without_gaps(database: str) -> None:
    async with opened(database, (0,) * 99) as one, opened(database, (0,) * 99) as other:
        await check(one, await crowded([one, other], 7))


async def test_no_seed_is_told_whatever_happens(database: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    seed, failed = b"hush" * 8, Tale("b0", number=2)
    async with opened(database) as store:
        await store.append(Tale().opened("d", seed, "hush"))
        await store.load("a0")
        with pytest.raises(StoreError) as failure:
            await store.append(failed.opened("e", seed, "hush \ud800"))
    assert caplog.text
    for said in (caplog.text, repr(failure.value), str(failure.value.__context__)):
        assert "hush" not in said
        assert seed.hex() not in said


def test_no_seed_is_in_the_repr_of_a_row() -> None:
    assert "hush" not in repr(GameRow.model_construct(id="a0", server_seed=b"hush", seed_words="hush"))


@pytest.mark.parametrize("url", ["mysql://me:hush@host/db", "sqlite://", ":memory:", ""])
async def test_an_address_of_another_kind_of_database_is_refused_and_not_shown(url: str) -> None:
    with pytest.raises(StoreError) as failure:
        await open_store(url)
    assert "hush" not in str(failure.value)


async def test_a_server_that_is_not_there_is_an_error_that_shows_no_password() -> None:
    with pytest.raises(StoreError) as failure:
        await open_store("postgres://me:hush@127.0.0.1:1/db")
    assert "hush" not in str(failure.value)


@pytest.mark.parametrize("form", ["{}", "sqlite:///{}", "sqlite+aiosqlite:///{}"])
async def test_a_file_that_only_its_owner_may_read_is_made_by_a_path_or_a_url(
    form: str, tmp_path: Path
) -> None:
    path = tmp_path / "deep" / "tables.db"
    async with opened(form.format(path)):
        assert path.is_file()
    assert path.stat().st_mode & 0o077 == 0


async def test_a_file_that_cannot_be_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="can't be opened: it is a folder"):
        await open_store(str(tmp_path))


async def test_a_file_that_is_no_store_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("remember the milk\n" * 100)
    with pytest.raises(StoreError, match="not a database"):
        await open_store(str(tmp_path / "notes.txt"))


OLD_PANELS = {
    PUBLIC: ("[0,[],3]", Draft(), 3),
    "ana": ('[7,["?","lay","7S"],0]', Draft(7, ("lay", "7S"), 0, asked=True), 0),
    "bo": ('[7,["lay","7S"],2]', Draft(7, ("lay", "7S"), 2), 0),
}
"""By reader, a draft as revision 0001 of the schema has it, the draft, and the number of announcements."""


def _old_panels(connection: Connection) -> None:
    upgrade(connection, "0001")
    for reader, (draft, _, _) in OLD_PANELS.items():
        values = {"game": "a0", "reader": reader, "message": "", "draft": draft, "wanted": 1, "sent": 1}
        row = text("INSERT INTO panel VALUES (:game, :reader, :message, :draft, :wanted, :sent)")
        connection.execute(row, values)


async def test_panels_of_an_older_program_keep_their_drafts_and_what_was_announced(
    bare_database: str,
) -> None:
    both = engines_at(bare_database)
    await both.writes.transact(_old_panels)
    await both.close()
    async with opened(bare_database) as store:
        panels = {panel.reader: panel for panel in await store.panels("a0")}
        assert {reader: (one.draft, one.announced) for reader, one in panels.items()} == {
            reader: (draft, announced) for reader, (_, draft, announced) in OLD_PANELS.items()
        }


async def _gone_back(url: str, fill: Callable[[Connection], None], older: str, query: str) -> dict[str, Any]:
    """The first two columns of a query, after a store was filled, migrated and taken back to a revision."""
    both = engines_at(url)

    def round_trip(connection: Connection) -> dict[str, Any]:
        fill(connection)
        upgrade(connection)
        command.downgrade(alembic(connection), older)
        return {row[0]: row[1] for row in connection.execute(text(query))}

    found = await both.writes.transact(round_trip)
    await both.close()
    return found


async def test_panels_go_back_to_an_older_program_as_they_came(bare_database: str) -> None:
    drafts = await _gone_back(bare_database, _old_panels, "0001", "SELECT reader, draft FROM panel")
    assert drafts == {reader: draft for reader, (draft, _, _) in OLD_PANELS.items()}


OLD_WATCHERS = {
    "ana": ('[-1,["?watching"],0,false]', "on"),
    "bo": ('[-1,["?watched"],0,false]', "ended"),
    "cy": ('[7,["lay","7S"],2,true]', "none"),
}
"""By reader, a draft as revision 0023 of the schema has it, and whether its reader watches."""


def _old_watchers(connection: Connection) -> None:
    upgrade(connection, "0023")
    columns = "(game, reader, message, draft, wanted, sent, announced, told, called, alert, aloud)"
    row = text(f"INSERT INTO panel {columns} VALUES ('a0', :reader, 'm', :draft, 1, 1, 0, 0, 0, '', false)")
    for reader, (draft, _) in OLD_WATCHERS.items():
        connection.execute(row, {"reader": reader, "draft": draft})


async def test_watchers_of_an_older_program_watch_on(bare_database: str) -> None:
    both = engines_at(bare_database)
    await both.writes.transact(_old_watchers)
    await both.close()
    async with opened(bare_database) as store:
        panels = {panel.reader: panel for panel in await store.panels("a0")}
        assert {reader: one.watch for reader, one in panels.items()} == {
            reader: watch for reader, (_, watch) in OLD_WATCHERS.items()
        }
        drafts = [panels[reader].draft for reader in OLD_WATCHERS]
        assert drafts == [Draft(), Draft(), Draft(7, ("lay", "7S"), 2, asked=True)]


async def test_watchers_go_back_to_an_older_program_as_they_came(bare_database: str) -> None:
    drafts = await _gone_back(bare_database, _old_watchers, "0023", "SELECT reader, draft FROM panel")
    assert drafts == {reader: draft for reader, (draft, _) in OLD_WATCHERS.items()}


def _old_people(connection: Connection) -> None:
    upgrade(connection, "0006")
    for person, calls in (("ana", True), ("bo", False)):
        values = {"person": person, "calls": calls}
        columns = '(id, name, "order", letters, careful, calls)'
        row = text(f"INSERT INTO person {columns} VALUES (:person, :person, 'rank', false, false, :calls)")
        connection.execute(row, values)


async def test_people_of_an_older_program_get_turn_alerts_as_before(bare_database: str) -> None:
    both = engines_at(bare_database)
    await both.writes.transact(_old_people)
    await both.close()
    async with opened(bare_database) as store:
        people = [await store.person(one) for one in ("ana", "bo")]
        assert people == [Person("ana", "ana"), Person("bo", "bo", turn_alerts="never")]


async def test_people_go_back_to_an_older_program_as_they_came(bare_database: str) -> None:
    calls = await _gone_back(bare_database, _old_people, "0006", "SELECT id, calls FROM person")
    assert calls == {"ana": True, "bo": False}


class SlowEngine:
    """An engine whose connections open when the test lets them."""

    def __init__(self) -> None:
        self.opens = asyncio.Event()
        self.closed = 0

    def connect(self) -> SlowEngine:
        return self

    async def start(self) -> Any:
        await self.opens.wait()
        return SlowConnection(self)

    async def dispose(self) -> None: ...


class SlowConnection:
    """A connection that counts its closing."""

    closed = True
    """So that it is closed at once, without a look for its driver."""

    def __init__(self, engine: SlowEngine) -> None:
        self._engine = engine

    async def close(self) -> None:
        await asyncio.sleep(0)
        self._engine.closed += 1


async def test_closing_closes_the_connections_that_open_after_their_transactions_were_cancelled() -> None:
    engine: Any = SlowEngine()
    connection = LoopConnection(engine)
    for _ in range(3):
        attempt = asyncio.ensure_future(connection.transact(counted))
        await asyncio.sleep(0)
        attempt.cancel()
        await asyncio.gather(attempt, return_exceptions=True)
    asyncio.get_running_loop().call_soon(engine.opens.set)
    await connection.close()
    assert engine.closed == 3
