"""Processes that compete for the leases of one database, and what a lease costs there."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy
from alembic import command
from sqlalchemy import Connection, event, text

from adapters.shared.clock import AsyncioClock
from bot.measures import Measures
from bot.model.batches import Batch, Full, Taken
from bot.model.ids import PUBLIC
from bot.model.leases import Lease
from bot.model.panels import PanelRecord
from bot.model.places import Place
from bot.storage import ALIVE, StoreError
from bot.store import sql
from bot.store.connections.database import alembic, engines_at, upgrade
from bot.store.connections.database import revision as current
from bot.store.connections.prepared import DirectConnection
from bot.store.files.backup import backup, restore
from bot.store.schema import LEASES, PROCESSES
from bot.store.sql import SqlStore
from bot.store.writing import append, leases
from engines.values import replace
from tests import luck
from tests.bot.store.tables import Tale, told
from tests.support.stores import live_tables

NOW = 1000.0
PLATFORMS = ("telegram",)
PUBLIC_PANELS = 30

on_postgres, on_bare_postgres = (
    pytest.mark.parametrize(name, [pytest.param("postgres", marks=pytest.mark.real)], indirect=True)
    for name in ("database", "bare_database")
)


@asynccontextmanager
async def opened(url: str, count: int = 1) -> AsyncIterator[list[SqlStore]]:
    """Opens a database in ``count`` stores, each of which stands for a process."""
    stores = [await sql.opened(url) for _ in range(count)]
    try:
        yield stores
    finally:
        for store in stores:
            await store.close()


def by(keeper: str, batch: Batch) -> Batch:
    return replace(batch, keeper=keeper)


async def public_panels(store: SqlStore, chats: int = PUBLIC_PANELS) -> None:
    """Opens a table in each of so many chats; their public panels are unsent."""
    tales = [Tale(f"g{i:02}", Place("telegram", f"c{i:02}"), at=NOW + i) for i in range(chats)]
    await asyncio.gather(*(told(store, tale, tale.opened()) for tale in tales))


async def claims(store: SqlStore, process: str, now: float = NOW, limit: int = 99) -> list[str]:
    await store.beat(process, now)
    return [claim.game for claim in await store.claim(process, PLATFORMS, now, limit)]


async def test_two_that_start_on_thirty_unsent_panels_claim_each_once(database: str) -> None:
    async with opened(database, 2) as (one, other):
        await public_panels(one)
        both = await asyncio.gather(claims(one, "p"), claims(other, "q"))
        assert Counter(both[0] + both[1]) == Counter(f"g{i:02}" for i in range(PUBLIC_PANELS))


@pytest.mark.parametrize("limit", [1, 4])
async def test_claimers_in_turns_claim_each_table_once(database: str, limit: int) -> None:
    async with opened(database, 3) as stores:
        await public_panels(stores[0])
        got: list[str] = []
        while any(
            found := await asyncio.gather(
                *(claims(store, f"p{i}", limit=limit) for i, store in enumerate(stores))
            )
        ):
            got += [game for games in found for game in games]
        assert Counter(got) == Counter(f"g{i:02}" for i in range(PUBLIC_PANELS))
        assert {fence for _, _, fence in await kept(stores[0])} == {1}


async def kept(store: SqlStore) -> list[tuple[str, str, int]]:
    """Chat, process and fence of each lease."""

    def read(connection: Connection) -> list[tuple[str, str, int]]:
        rows = sqlalchemy.select(LEASES.c.chat, LEASES.c.process, LEASES.c.fence).order_by(LEASES.c.chat)
        return [(chat, process, fence) for chat, process, fence in connection.execute(rows)]

    return await store._engines.writes.transact(read)


async def test_of_two_that_take_over_from_a_dead_process_one_wins_each_chat(database: str) -> None:
    async with opened(database, 3) as (dead, one, other):
        await public_panels(dead)
        assert len(await claims(dead, "dead")) == PUBLIC_PANELS
        later = NOW + ALIVE
        both = await asyncio.gather(claims(one, "p", later), claims(other, "q", later))
        assert Counter(both[0] + both[1]) == Counter(f"g{i:02}" for i in range(PUBLIC_PANELS))
        assert {fence for _, _, fence in await kept(one)} == {2}


@pytest.mark.parametrize("most", [1, 3])
async def test_at_two_processes_at_once_a_person_sits_at_no_table_too_many(database: str, most: int) -> None:
    async with opened(database, 2) as stores:
        people = ("ana", "beto") * 6
        tales = [Tale(f"g{i:02}", Place("telegram", f"c{i}"), at=NOW) for i in range(len(people))]
        await asyncio.gather(*(told(stores[0], tale, tale.opened()) for tale in tales))
        joins = [tale.next("join", person=one) for tale, one in zip(tales, people, strict=True)]
        verdicts = await asyncio.gather(
            *(
                stores[n // 2 % 2].append(replace(join, seated=(one,), most_seats=most))
                for n, (join, one) in enumerate(zip(joins, people, strict=True))
            )
        )
        expected = Counter({Taken(): 2 * most, Full("ana"): 6 - most, Full("beto"): 6 - most})
        assert Counter(verdicts) == expected


@on_postgres
async def test_a_lease_that_another_is_taking_is_passed_over_without_waiting(database: str) -> None:
    async with opened(database, 2) as (one, other):
        await public_panels(one, 3)
        assert len(await claims(one, "dead")) == 3
        held, go = asyncio.Event(), asyncio.Event()

        async def hold() -> None:
            async with one._engines.reads.connect() as connection:
                await connection.execute(LEASES.select().where(LEASES.c.chat == "c01").with_for_update())
                held.set()
                await go.wait()

        holding = asyncio.create_task(hold())
        await held.wait()
        assert await claims(other, "q", NOW + ALIVE) == ["g00", "g02"]
        go.set()
        await holding
        assert await claims(other, "q", NOW + ALIVE) == ["g01"]


async def test_presses_at_two_processes_leave_no_gap_and_each_change_of_hands_is_told_to_one(
    database: str,
) -> None:
    async with opened(database, 2) as stores:
        tales = [Tale(f"g{i}", Place("telegram", f"c{i % 3}"), i, at=NOW) for i in range(6)]
        for tale in tales:
            await told(stores[0], tale, tale.opened())
        new: dict[tuple[str, int], set[str]] = {}

        def note(lease: Lease) -> None:
            if lease.is_new:
                new.setdefault((lease.chat, lease.fence), set()).add(lease.process)

        async def press(tale: Tale) -> None:
            rng = luck.rng(tale.game)
            for _ in range(15):
                i = rng.randrange(2)
                batch = by(f"p{i}", tale.next("move"))
                verdict = await stores[i].append(batch)
                assert isinstance(verdict, Taken)
                assert verdict.lease is not None
                assert verdict.lease.process == f"p{i}"
                note(verdict.lease)
                tale.follow([batch])

        async def serve(i: int) -> None:
            for n in range(10):
                await stores[i].beat(f"p{i}", NOW + n)
                for claim in await stores[i].claim(f"p{i}", PLATFORMS, NOW + n, 9):
                    note(claim.lease)

        await asyncio.gather(*map(press, tales), serve(0), serve(1))
        for tale in tales:
            stored = await stores[0].load(tale.game)
            assert stored is not None
            assert stored.entries == tale.entries
            assert [entry.n for entry in stored.entries] == list(range(16))
        if stores[0].shared:
            fences = {(chat, n) for chat, _, last in await kept(stores[0]) for n in range(1, last + 1)}
            assert new.keys() == fences
            assert {len(processes) for processes in new.values()} == {1}
            assert len(fences) > 6


@on_postgres
async def test_a_lost_sender_is_refused_by_the_database(database: str) -> None:
    async with opened(database, 2) as (one, other):
        tale = Tale()
        await one.append(by("p", tale.opened()))
        tale.follow([tale.opened()])
        there = await one.sent(PanelRecord("a0", PUBLIC, "m", wanted=1, sent=1), keeper="p")
        verdict = await other.append(by("q", tale.next("move")))
        assert isinstance(verdict, Taken)
        lost = await one.sent(replace(there, message="orphan", sent=2), keeper="p")
        assert lost == replace(there, wanted=2)


@on_postgres
async def test_of_two_drafts_of_one_panel_the_second_is_refused(database: str) -> None:
    async with opened(database, 2) as (one, other):
        await told(one, tale := Tale(), tale.opened())
        panel = PanelRecord("a0", "bo")
        both = await asyncio.gather(
            one.mark_dirty(panel, expected=0, keeper="p"), other.mark_dirty(panel, expected=0, keeper="q")
        )
        assert sorted(marked.taken for marked in both) == [False, True]
        assert [marked.panel.wanted for marked in both] == [1, 1]


@contextmanager
def statements(store: SqlStore) -> Iterator[list[str]]:
    """The statements about leases that the writer sends to its PostgreSQL server."""
    seen: list[str] = []
    connection: Any = store._engines.writes

    def note(_: object, __: object, statement: str, *rest: object) -> None:
        if "lease" in statement:
            seen.append(statement)

    engine = connection._engine.sync_engine
    event.listen(engine, "before_cursor_execute", note)
    yield seen
    event.remove(engine, "before_cursor_execute", note)


@on_postgres
async def test_a_lease_that_is_kept_costs_one_statement(database: str) -> None:
    async with opened(database) as (store,):
        tale = Tale()
        await store.append(by("p", tale.opened()))
        tale.follow([tale.opened()])
        with statements(store) as seen:
            for _ in range(3):
                batch = by("p", tale.next("move"))
                await store.append(batch)
                tale.follow([batch])
        assert len(seen) == 3


async def test_a_lease_that_is_kept_in_a_file_costs_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(str(tmp_path / "tables.db")) as (store,):
        tale, asked, take = Tale(), [], leases.take

        def counted(connection: Connection, keepers: dict[str, str]) -> object:
            asked.append(keepers)
            return take(connection, keepers)

        monkeypatch.setattr(leases, "take", counted)
        for batch in (tale.opened(), *(tale.next("move") for _ in range(3))):
            now = by("p", replace(batch, entries=(replace(batch.entries[0], n=len(tale.entries)),)))
            now = replace(now, listing=replace(now.listing, entries=len(tale.entries) + 1))
            verdict = await store.append(now)
            assert isinstance(verdict, Taken)
            tale.follow([now])
        assert asked == [{"a0": "p"}]


async def test_claiming_reads_only_what_owes_something(tmp_path: Path) -> None:
    async with opened(str(tmp_path / "tables.db")) as (store,):
        await public_panels(store, 2)
        plans: list[str] = []

        def claim(connection: Connection) -> None:
            assert isinstance(connection, DirectConnection)
            driver = connection.driver
            driver.set_trace_callback(asked.append)
            leases.claim(connection, "p", ("telegram", "discord"), NOW, 9, leases.Walk())
            driver.set_trace_callback(None)
            for statement in asked:
                if statement.startswith("SELECT"):
                    plan = driver.execute(f"EXPLAIN QUERY PLAN {statement}")
                    plans.append(" / ".join(row[3] for row in plan))

        asked: list[str] = []
        await store._engines.writes.transact(claim)
        assert len(plans) == 7
        assert "game_due_idx" in plans[0]
        assert "panel_unsent_idx (game>?)" in plans[1]
        assert [plan for plan in plans if "SCAN game" in plan or "SCAN panel" in plan] == []
        assert [plan for plan in plans if "SCAN lease" in plan or "(platform=?)" in plan] == []


async def test_dirty_panels_are_looked_at_a_few_at_a_time(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leases, "_SLICE", 4)
    async with opened(database) as (store,):
        await public_panels(store, 12)
        assert len(await claims(store, "p", limit=6)) == 6
        assert len(await claims(store, "q")) == 6
        assert await claims(store, "r") == []


async def test_a_claim_walks_on_where_the_last_one_has_stopped(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leases, "_SLICE", 4)
    monkeypatch.setattr(leases, "_MOST_SLICES", 2)
    async with opened(database, 3) as (keeping, *claiming):
        await public_panels(keeping, 20)
        await keeping.beat("p", NOW)
        assert len([game for _ in range(4) for game in await claims(keeping, "p", limit=20)]) == 20
        last = Tale("h", Place("telegram", "h"), at=NOW)
        await told(keeping, last, last.opened())
        found = []
        for looked_at in ("g07", "g15", "", "g07"):
            for n, store in enumerate(claiming):
                found += await claims(store, f"q{n}")
                assert store._walk.after == looked_at
        # Both have looked at all panels, and one has claimed.
        assert found == ["h"]
        first = Tale("a", Place("telegram", "a"), at=NOW)
        await told(keeping, first, first.opened())
        assert [game for _ in range(3) for game in await claims(claiming[0], "q0")] == ["a"]


OLD_TABLES = {
    "a": ("playing", "easy"),
    "b": ("playing", None),
    "c": ("lobby", "easy"),
    "d": ("over", "easy"),
}
"""The status of each table, and the level of its computer if it has one."""


def _old_tables(connection: Connection) -> None:
    """Makes the schema of the program before leases, with a table for each case."""
    upgrade(connection, "0003")
    columns = "id, platform, chat, thread, number, key, revision, status, owner, entries, opened, changed"
    values = ":game, 'telegram', :game, '', 1, 'casino', 3, :status, '', 1, 1, 1"
    for game, (status, level) in OLD_TABLES.items():
        table = text(f"INSERT INTO game ({columns}) VALUES ({values})")
        connection.execute(table, {"game": game, "status": status})
        connection.execute(
            text(
                "INSERT INTO seat (game, seat, name, level, person, kicked, won)"
                " VALUES (:game, 0, 'Lola', :level, '', false, false)"
            ),
            {"game": game, "level": level},
        )


async def test_live_tables_of_an_older_program_are_due(bare_database: str) -> None:
    both = engines_at(bare_database)
    await both.writes.transact(_old_tables)
    await both.close()
    async with opened(bare_database) as (store,):
        assert await claims(store, "p") == ["a", "b", "c"]


@on_bare_postgres
async def test_an_update_after_which_older_processes_could_not_go_on_waits_until_they_are_stopped(
    bare_database: str,
) -> None:
    both = engines_at(bare_database)
    seen = {"alive": AsyncioClock().now(), "dead": AsyncioClock().now() - ALIVE - 60.0}

    def older(connection: Connection) -> None:
        upgrade(connection, "0006")
        for process, at in seen.items():
            row = text("INSERT INTO process (id, started, seen) VALUES (:process, 0, :at)")
            connection.execute(row, {"process": process, "at": at})

    await both.writes.transact(older)
    with pytest.raises(StoreError, match=r"^1 older process serves from this store.* Stop it first"):
        await sql.opened(bare_database)
    assert await both.writes.transact(current) == "0006"
    await both.writes.transact(lambda connection: leases.retire(connection, "alive"))
    await both.close()
    async with opened(bare_database):
        pass


@on_bare_postgres
async def test_an_update_that_only_adds_waits_for_nobody(bare_database: str) -> None:
    both = engines_at(bare_database)

    def older(connection: Connection) -> None:
        upgrade(connection, "0008")
        row = text("INSERT INTO process (id, started, seen) VALUES ('alive', 0, :at)")
        connection.execute(row, {"at": AsyncioClock().now()})

    await both.writes.transact(older)
    await both.close()
    async with opened(bare_database) as (store,):
        assert list(await store.beat("new", AsyncioClock().now())) == ["alive", "new"]


async def test_a_database_goes_back_to_the_program_before_leases(bare_database: str) -> None:
    both = engines_at(bare_database)

    def there_and_back(connection: Connection) -> tuple[set[str], set[str], int]:
        _old_tables(connection)
        before = _columns(connection)
        upgrade(connection)
        command.downgrade(alembic(connection), "0003")
        games = connection.execute(text("SELECT count(*) FROM game")).scalar_one()
        return before, _columns(connection), games

    before, after, games = await both.writes.transact(there_and_back)
    await both.close()
    assert before == after
    assert games == 4


def _columns(connection: Connection) -> set[str]:
    """The names of all columns and indexes."""
    found = sqlalchemy.inspect(connection)
    tables = found.get_table_names()
    columns = {f"{table}.{column['name']}" for table in tables for column in found.get_columns(table)}
    return columns | {f"{index['name']}" for table in tables for index in found.get_indexes(table)}


async def test_a_backup_holds_no_process_and_no_lease(database: str, tmp_path: Path) -> None:
    file = tmp_path / "all.gz"
    async with opened(database) as (store,):
        await store.append(by("p", Tale().opened()))
        await store.beat("p", NOW)
    await backup(database, file)
    new = str(tmp_path / "other.db")
    async with opened(new) as (store,):
        await store.beat("q", NOW)
    await restore(new, file)
    async with opened(new) as (store,):
        look = await store.look("a0", 1)
        assert look is not None
        assert look.keeper is None
        assert list(await store.beat("r", NOW)) == ["r"]
        assert await claims(store, "r") == ["a0"]


async def test_many_tables_with_older_rules_are_made_due_a_few_at_a_time(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leases, "_MOST_OUTDATED", 4)
    async with opened(database) as (store,):
        await public_panels(store, 8)
        await store.outdate({"casino": 4})
        due = [stored.listing.due for game in await live_tables(store) if (stored := await store.load(game))]
        assert due == [0.0] * 8


async def test_processes_that_died_long_ago_are_forgotten(database: str) -> None:
    async with opened(database) as (store,):
        for i in range(5):
            await store.beat(f"p{i}", NOW + 1000 * i)
        rows = sqlalchemy.select(sqlalchemy.func.count()).select_from(PROCESSES)
        count = await store._engines.writes.transact(lambda to: to.execute(rows).scalar_one())
        assert count == 4


async def test_of_tables_whose_listings_are_remembered_the_least_recent_is_dropped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(append, "REMEMBERED", 2)
    async with opened(str(tmp_path / "tables.db")) as (store,):
        tales = [Tale(game, number=n) for n, game in enumerate("abc", 1)]
        for tale in tales[:2]:
            await told(store, tale, tale.opened())
        await told(store, tales[0], tales[0].next("move"))
        await told(store, tales[2], tales[2].opened())
        assert list(store._writer._appending._written) == ["a", "c"]


@on_postgres
async def test_processes_that_take_chats_from_each_other_do_not_wait_in_a_circle(database: str) -> None:
    measures = {process: Measures() for process in "pq"}
    p, q = [await sql.opened(database, measures=measures[process]) for process in "pq"]
    try:
        # Tables in the order in which a transaction saves their panels.
        chats = {"a": "one", "b": "other", "c": "one", "d": "other"}
        panels = {game: PanelRecord(game, PUBLIC, "m") for game in chats}
        for number, (game, chat) in enumerate(chats.items(), 1):
            tale = Tale(game, Place("telegram", chat), number)
            await told(p, tale, tale.opened())
        for _ in range(10):
            await p.mark_dirty(panels["b"], keeper="p")
            await q.mark_dirty(panels["c"], keeper="q")
            await asyncio.gather(
                p.mark_dirty(panels["a"], keeper="p"), p.sent(panels["b"], keeper="p"),
                q.sent(panels["c"], keeper="q"), q.mark_dirty(panels["d"], keeper="q"),
            )  # fmt: skip
        assert [one.store_retries for one in measures.values()] == [0, 0]
    finally:
        await p.close()
        await q.close()
