"""The keeper: claims pending work at the start and after another process's death, and takes it up once."""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise

import pytest

from bot.model.batches import Batch, Behind, Clash, Full, Known, Look, Stored, Taken
from bot.model.ids import GameId
from bot.model.leases import Claim, Lease
from bot.model.places import Place
from bot.model.tables import Entry
from bot.storage import StoreError, Uncertain, Unreadable
from bot.store.memory.store import MemoryStore
from bot.table_service.bounds import Bounds
from bot.table_service.cache import UNUSED
from bot.table_service.computers import ComputerPlayers, Manner
from bot.table_service.keeper import (
    BACKOFF,
    BEAT_ALONE,
    CHUNK,
    CLAIM_EVERY,
    LONGEST_BACKOFF,
    LONGEST_HOLD,
    Keeper,
)
from bot.table_service.leases import Leases
from bot.table_service.service import TableService
from bot.tables import lobby
from bot.tables.table import Table
from bot.tables.versions import NewerTable
from engines.values import replace
from tests import luck
from tests.bot.table_service.test_service import ANA, BETO, SQUARE, RecordingListener, opening
from tests.bot.tables.test_table import older
from tests.support.clock import VirtualClock
from tests.support.platform import FakePlatform

DEATH = 12.0
"""Seconds within which a dead process is noticed."""


@dataclass
class Process:
    """A process that stores panels as sent, but sends none: service, keeper, and the tables taken up."""

    store: MemoryStore
    clock: VirtualClock
    name: str = "a"
    platform: FakePlatform = field(default_factory=FakePlatform)
    taken_up: list[GameId] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.leases = Leases(self.name, shared=self.store.shared)
        self.service = TableService(self.store, self.clock, leases=self.leases)
        self.ear = RecordingListener(self.service)
        self.keeper = Keeper(self.store, self.service, {self.platform.key: self.platform}, self.take_up)

    async def take_up(self, table: Table) -> None:
        self.taken_up.append(table.id)
        for panel in await self.store.panels(table.id):
            await self.store.sent(replace(panel, message="m", sent=panel.wanted))

    async def start(self) -> Process:
        await self.keeper.start()
        await self.clock.settle()
        return self

    async def die(self) -> None:
        """Stops without a word, as a killed process does."""
        await self.keeper.stop()


@pytest.fixture
def clock() -> VirtualClock:
    return VirtualClock(stopped=True)


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore(shared=True)


async def opened(store: MemoryStore, clock: VirtualClock, n: int = 1, *, shown: bool = True) -> list[Table]:
    """Tables in chats of their own that no process keeps; their panels are sent, or are all unsent."""
    # One player sits at all of them.
    service = TableService(store, clock, Bounds(seats=999))
    tables = []
    for number in range(n):
        place, owner = Place("wall", f"chat-{number}"), f"p-{number}"
        tables.append(await service.open(place, partial(opening, owner=owner, place=place, seats=BETO)))
        for panel in await store.panels(tables[-1].id) if shown else ():
            await store.sent(replace(panel, message="m", sent=panel.wanted))
    return tables


async def test_a_table_that_owes_nothing_is_left_asleep(store: MemoryStore, clock: VirtualClock) -> None:
    await opened(store, clock, 3)
    process = await Process(store, clock).start()
    await clock.advance(60)
    assert (process.taken_up, process.ear.heard) == ([], [])


async def test_tables_with_unsent_panels_are_taken_up_once(store: MemoryStore, clock: VirtualClock) -> None:
    tables = await opened(store, clock, 3, shown=False)
    process = await Process(store, clock).start()
    await clock.advance(60)
    assert sorted(process.taken_up) == sorted(table.id for table in tables)
    assert all(process.leases.keeps(table.place) for table in tables)


async def test_two_processes_share_out_what_is_owed(store: MemoryStore, clock: VirtualClock) -> None:
    tables = await opened(store, clock, 30, shown=False)
    first, second = Process(store, clock, "a"), Process(store, clock, "b")
    await first.keeper.start()
    await second.keeper.start()
    await clock.advance(5)
    assert first.taken_up
    assert second.taken_up
    assert sorted(first.taken_up + second.taken_up) == sorted(table.id for table in tables)


async def test_the_processes_that_serve_a_platform_are_counted(
    store: MemoryStore, clock: VirtualClock
) -> None:
    await store.beat("elsewhere", clock.now(), ("discord",))
    await store.beat("older", clock.now())
    process = await Process(store, clock).start()
    serving = process.service.measures.serving
    assert (process.service.measures.processes, dict(serving)) == (3, {"wall": 2, "discord": 1})


async def test_where_no_process_shares_the_store_a_killed_one_is_not_counted(clock: VirtualClock) -> None:
    store = MemoryStore()
    await store.beat("killed", clock.now(), ("wall",))
    process = await Process(store, clock).start()
    assert (process.service.measures.processes, dict(process.service.measures.serving)) == (1, {"wall": 1})


async def test_many_tables_are_taken_up_little_by_little(store: MemoryStore, clock: VirtualClock) -> None:
    await opened(store, clock, 5 * CHUNK, shown=False)
    process = await Process(store, clock).start()
    assert len(process.taken_up) == CHUNK
    await clock.advance(CLAIM_EVERY)
    assert len(process.taken_up) == 5 * CHUNK


async def test_tables_that_nobody_uses_are_put_to_rest(store: MemoryStore, clock: VirtualClock) -> None:
    process = await Process(store, clock).start()
    used, unused = await opened(store, clock, 2)
    for table in (used, unused):
        await process.service.table(table.id)
    await clock.advance(UNUSED - 1)
    await process.service.table(used.id)
    await clock.advance(CLAIM_EVERY)
    cache = process.service._commits.cache
    assert {game: bool(slot.example) for game, slot in cache.items()} == {used.id: False, unused.id: True}


async def test_tables_are_claimed_though_none_can_be_put_to_rest(
    store: MemoryStore,
    clock: VirtualClock,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    process = Process(store, clock)

    def fail() -> int:
        raise RuntimeError

    monkeypatch.setattr(process.service, "rest_unused", fail)
    await process.start()
    await opened(store, clock, shown=False)
    await clock.advance(CLAIM_EVERY)
    assert len(process.taken_up) == 1
    [line] = caplog.messages
    assert line.startswith("unused tables could not be put to rest: RuntimeError, ")


async def test_a_platform_without_a_login_is_left_to_others(store: MemoryStore, clock: VirtualClock) -> None:
    await opened(store, clock, shown=False)
    process = Process(store, clock)
    process.platform.reached = False
    await process.start()
    assert process.taken_up == []
    process.platform.reached = True
    await clock.advance(CLAIM_EVERY)
    assert len(process.taken_up) == 1


@pytest.mark.parametrize("shared", [False, True])
async def test_what_a_dead_process_owed_is_taken_up(shared: bool, clock: VirtualClock) -> None:
    store = MemoryStore(shared=shared)
    dead = await Process(store, clock, "dead").start()
    table = await dead.service.open(SQUARE, partial(opening, seats=BETO))
    await dead.die()
    process = await Process(store, clock, "a").start()
    assert process.taken_up == ([] if shared else [table.id])
    await clock.advance(DEATH)
    assert process.taken_up == [table.id]


async def test_that_a_process_was_killed_is_a_line_in_the_log_of_each_other(
    store: MemoryStore, clock: VirtualClock, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "bot.table_service.keeper")
    dead = await Process(store, clock, "dead").start()
    await Process(store, clock, "a").start()
    await dead.die()
    await clock.advance(60)
    line = "processes that stopped or were killed: 1; their pending work is done by the others: 1"
    assert [record.getMessage() for record in caplog.records] == [line]


@pytest.mark.parametrize("error", [StoreError("the disk is full"), ValueError("a fault")])
async def test_beats_go_on_while_none_can_be_stored_and_the_first_failure_is_a_line_in_the_log(
    error: Exception, clock: VirtualClock, caplog: pytest.LogCaptureFixture
) -> None:
    class Failing(MemoryStore):
        failing = False
        beats = 0

        async def beat(
            self, process: str, now: float, platforms: Collection[str] = ()
        ) -> Mapping[str, Collection[str]]:
            self.beats += 1
            if self.failing:
                raise error
            return await super().beat(process, now, platforms)

    store = Failing()
    await Process(store, clock, "a").start()
    for store.failing in (True, False, True):
        await clock.advance(20)
    assert store.beats == 1 + 3 * 20 / BEAT_ALONE
    lines = [record.getMessage().partition(":")[0] for record in caplog.records]
    assert lines == ["the beat of this process could not be stored"] * 2


async def test_what_a_living_process_owes_is_left_to_it(store: MemoryStore, clock: VirtualClock) -> None:
    living = await Process(store, clock, "living").start()
    await living.service.open(SQUARE, partial(opening, seats=BETO))
    process = await Process(store, clock, "a").start()
    await clock.advance(60)
    assert process.taken_up == []


async def test_the_leases_of_a_process_that_ends_are_free_at_once(
    store: MemoryStore, clock: VirtualClock
) -> None:
    ending = await Process(store, clock, "ending").start()
    table = await ending.service.open(SQUARE, partial(opening, seats=BETO))
    process = await Process(store, clock, "a").start()
    await ending.keeper.close()
    await clock.advance(CLAIM_EVERY)
    assert process.taken_up == [table.id]


async def test_a_computer_of_a_dead_process_moves_once(store: MemoryStore, clock: VirtualClock) -> None:
    dead, process = Process(store, clock, "dead"), Process(store, clock, "a")
    moving = ComputerPlayers(dead.service, Manner(luck.rng("dead"), 100.0))
    await dead.start()
    await process.start()
    table = await waiting_for_computer(dead.service)
    await dead.die()
    await moving.close()
    computers = ComputerPlayers(process.service, Manner(luck.rng("a"), 1.5))
    await clock.advance(15)
    after = await process.service.table(table.id)
    assert after.stamp == 1
    await clock.advance(60)
    assert await process.service.table(table.id) == after
    await computers.close()


async def waiting_for_computer(service: TableService) -> Table:
    """A game of Ana and a computer, whose turn it is."""
    for seed in range(50):
        place = Place("wall", f"seed-{seed}")

        def opening(number: int, place: Place = place) -> Table:
            table = Table.open("casino", place=place, number=number, owner=ANA)
            return lobby.join(table, ANA, "Ana").add("computer", 1, name="Lola", level="normal")

        table = await service.open(place, opening)
        table = await service.change(table.id, partial(lobby.start, person=ANA))
        if table.awaited_computers():
            return table
        await service.change(table.id, lambda table: table.add("end", reason="stopped"))
    raise AssertionError("the computer never begins")


async def test_a_chat_that_a_press_takes_is_looked_after_whole(
    store: MemoryStore, clock: VirtualClock
) -> None:
    other = await Process(store, clock, "other").start()
    first, second = [await other.service.open(SQUARE, partial(opening, seats=BETO)) for _ in range(2)]
    process = await Process(store, clock, "a").start()
    await process.service.change(first.id, partial(lobby.start, person=ANA))
    await clock.advance(CLAIM_EVERY)
    assert sorted(process.taken_up) == sorted([first.id, second.id])
    await other.service.table(first.id)
    assert (other.leases.keeps(SQUARE), process.leases.keeps(SQUARE)) == (False, True)


async def test_a_chat_that_a_press_takes_is_looked_after_whole_even_if_a_table_there_is_due(
    store: MemoryStore, clock: VirtualClock
) -> None:
    other = await Process(store, clock, "other").start()
    first, second = [await other.service.open(SQUARE, partial(opening, seats=BETO)) for _ in range(2)]
    process = await Process(store, clock, "a").start()
    await process.service.change(first.id, partial(lobby.start, person=ANA))
    await store.postpone(first.id, None, 0.0)
    await clock.advance(CLAIM_EVERY)
    assert sorted(process.taken_up) == sorted([first.id, second.id])


async def test_of_three_tables_the_outdated_one_is_closed(store: MemoryStore, clock: VirtualClock) -> None:
    await opened(store, clock, 2)
    service = TableService(store, clock)
    old = await service.open(SQUARE, lambda number: older(opening(number, seats=BETO)))
    for panel in await store.panels(old.id):
        await store.sent(replace(panel, message="m", sent=panel.wanted))
    process = await Process(store, clock).start()
    await clock.advance(5)
    assert (await process.service.table(old.id)).ended == "updated"
    assert [table.id for table, _ in process.ear.heard] == [old.id]


async def test_a_garbled_log_costs_its_own_table_and_one_line(
    store: MemoryStore, clock: VirtualClock, caplog: pytest.LogCaptureFixture
) -> None:
    service = TableService(store, clock)
    broken = await service.open(SQUARE, partial(opening, seats=BETO))
    broken = await service.change(broken.id, partial(lobby.start, person=ANA))
    wrong = Entry(len(broken.entries), "move", 0, "", {"move": "place z9 10H"})
    await store.append(Batch((wrong,), replace(broken.listing, entries=wrong.n + 1, due=0.0)))
    (fine,) = await opened(store, clock, shown=False)
    loads: list[GameId] = []
    load = store.load

    async def counted(game: GameId) -> Stored | None:
        loads.append(game)
        return await load(game)

    store.load = counted  # type: ignore[method-assign]
    process = await Process(store, clock).start()
    await clock.advance(10 * BACKOFF)
    assert sorted(process.taken_up) == sorted([broken.id, fine.id])
    assert caplog.text.count(broken.id) == 1
    assert "10H" not in caplog.text
    assert loads.count(broken.id) == 1
    kept = store._tables.by_id[broken.id].listing
    assert kept.due == kept.changed + service.bounds.idle.unclocked


async def test_rows_that_cannot_be_read_cost_their_own_table(
    store: MemoryStore, clock: VirtualClock, caplog: pytest.LogCaptureFixture
) -> None:
    broken, fine = await opened(store, clock, 2, shown=False)
    load = store.load

    async def fail(game: GameId) -> Stored | None:
        if game == broken.id:
            raise Unreadable("a row is garbled")
        return await load(game)

    store.load = fail  # type: ignore[method-assign]
    process = await Process(store, clock).start()
    await clock.advance(5)
    assert sorted(process.taken_up) == sorted([broken.id, fine.id])
    assert caplog.text.count(broken.id) == 1


async def test_a_table_of_which_nothing_can_be_read_or_written_holds_no_other_up(
    store: MemoryStore, clock: VirtualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = await opened(store, clock, 3, shown=False)
    broken, tail, postpone = min(table.id for table in tables), store.tail, store.postpone

    async def fail(game: GameId, n: int) -> Stored | None:
        if game == broken:
            raise Unreadable("a page of the file is damaged")
        return await tail(game, n)

    async def refuse(game: GameId, n: int | None, due: float | None) -> None:
        if game == broken:
            raise StoreError("a page of the file is damaged")
        await postpone(game, n, due)

    monkeypatch.setattr(store, "tail", fail)
    monkeypatch.setattr(store, "load", partial(fail, n=0))
    monkeypatch.setattr(store, "postpone", refuse)
    process = await Process(store, clock).start()
    await clock.advance(5)
    assert sorted(process.taken_up) == sorted(table.id for table in tables if table.id != broken)


async def test_rows_that_are_garbled_while_a_table_is_in_memory_cost_that_table_only(
    store: MemoryStore, clock: VirtualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = await opened(store, clock, 3, shown=False)
    broken, look = min(table.id for table in tables), store.look

    async def fail(game: GameId, n: int) -> Look | None:
        if game == broken:
            raise Unreadable("a row is garbled")
        return await look(game, n)

    monkeypatch.setattr(store, "look", fail)
    process = await Process(store, clock).start()
    await clock.advance(5)
    assert sorted(process.taken_up) == sorted(table.id for table in tables if table.id != broken)


async def test_a_table_that_is_over_is_due_no_more(store: MemoryStore, clock: VirtualClock) -> None:
    (table,) = await opened(store, clock)
    await TableService(store, clock).change(table.id, lambda table: table.add("end", reason="stopped"))
    await store.postpone(table.id, None, 0.0)
    process = await Process(store, clock).start()
    await clock.advance(5)
    assert (process.taken_up, await store.earliest_due()) == ([table.id], None)


async def test_a_newer_table_is_left_to_the_newer_process(store: MemoryStore, clock: VirtualClock) -> None:
    newer, fine = await opened(store, clock, 2, shown=False)
    kept = store._tables.by_id[newer.id]
    kept.listing = replace(kept.listing, revision=kept.listing.revision + 1)
    process = await Process(store, clock).start()
    assert process.taken_up == [fine.id]
    assert not process.leases.keeps(newer.place)
    look = await store.look(newer.id, 0)
    assert look
    assert look.keeper != "a"


class Older(Process):
    """A process of an older version, which cannot read some tables."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.newer: set[GameId] = set()
        loader = self.service._commits.loader
        load = loader.load

        async def read(game: GameId) -> Table:
            if game in self.newer:
                raise NewerTable
            return await load(game)

        loader.load = read  # type: ignore[method-assign]


async def older_and_newer(store: MemoryStore, clock: VirtualClock) -> tuple[Older, Process, Table]:
    """Two running processes, and a table of the newer one that the older one cannot read."""
    older, newer = Older(store, clock, "older"), Process(store, clock, "newer")
    await older.start()
    await newer.start()
    table = await newer.service.open(SQUARE, partial(opening, seats=BETO))
    older.newer.add(table.id)
    return older, newer, table


async def test_a_newer_process_plays_a_computer_though_an_older_one_has_waited_long_for_it(
    store: MemoryStore, clock: VirtualClock
) -> None:
    killed = Process(store, clock, "killed")
    table = await waiting_for_computer(killed.service)
    older = Older(store, clock, "older")
    older.newer.add(table.id)
    await older.start()
    await clock.advance(10 * LONGEST_HOLD)
    newer = await Process(store, clock, "newer").start()
    computers = ComputerPlayers(newer.service, Manner(luck.rng("newer"), 1.5))
    await clock.advance(LONGEST_HOLD + DEATH)
    assert (newer.leases.keeps(table.place), older.leases.keeps(table.place)) == (True, False)
    assert (await newer.service.table(table.id)).stamp == 1
    await computers.close()


async def test_a_newer_process_gets_a_chat_back_however_often_an_older_one_takes_it(
    store: MemoryStore, clock: VirtualClock
) -> None:
    older, newer, table = await older_and_newer(store, clock)
    for _ in range(8):
        other = await older.service.open(SQUARE, partial(opening, seats=BETO))
        await older.service.change(other.id, lambda table: table.add("end", reason="stopped"))
        await store.postpone(table.id, None, 0.0)
        newer.taken_up.clear()
        await clock.advance(LONGEST_HOLD + 2 * CLAIM_EVERY)
        look = await store.look(table.id, 0)
        assert look
        assert look.keeper == "newer"
        assert table.id in newer.taken_up


async def test_newer_tables_that_nobody_resumes_hold_up_no_other_table_of_their_chat(
    store: MemoryStore, clock: VirtualClock, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    older, releases, release = Older(store, clock, "older"), list[float](), store.release

    async def counted(*given: str) -> None:
        releases.append(clock.now())
        await release(*given)

    monkeypatch.setattr(store, "release", counted)
    service = TableService(store, clock, Bounds(seats=999))
    fine, *newer = [await service.open(SQUARE, partial(opening, seats=BETO)) for _ in range(4)]
    older.newer |= {table.id for table in newer}
    await older.start()
    for n in range(30):
        if n in (10, 20):
            # One of them becomes due: first just as the chat was given back, then while it is held.
            await clock.advance(CLAIM_EVERY * n)
            await store.postpone(newer[n // 10].id, None, 0.0)
        older.taken_up.clear()
        await store.postpone(fine.id, None, 0.0)
        await clock.advance(3 * CLAIM_EVERY)
        assert fine.id in older.taken_up
        await clock.advance(LONGEST_HOLD - 3 * CLAIM_EVERY)
    assert all(later - former >= BACKOFF for former, later in pairwise(releases))
    assert 25 <= len(releases) <= 40
    assert all(caplog.text.count(table.id) == 1 for table in newer)


async def test_a_clock_that_is_set_back_keeps_no_chat_from_a_newer_process(
    store: MemoryStore, clock: VirtualClock
) -> None:
    older, newer, _ = await older_and_newer(store, clock)
    older.keeper._given_back.put(("wall", "square"), (clock.now() + 86_400, LONGEST_HOLD))
    await older.service.open(SQUARE, partial(opening, seats=BETO))
    await clock.advance(2 * CLAIM_EVERY)
    assert (newer.leases.keeps(SQUARE), older.leases.keeps(SQUARE)) == (True, False)


async def test_a_table_may_fail_for_months(store: MemoryStore, clock: VirtualClock) -> None:
    failing, fine = await opened(store, clock, 2, shown=False)
    process = Process(store, clock)

    async def fail(table: Table) -> None:
        if table.id == failing.id:
            raise ValueError("no page")
        await process.take_up(table)

    process.keeper = Keeper(store, process.service, {"wall": process.platform}, fail)
    process.keeper._failures.put(failing.id, 5000)
    await process.start()
    assert process.taken_up == [fine.id]
    assert store._tables.by_id[failing.id].listing.due == clock.now() + LONGEST_BACKOFF


async def test_a_newer_table_whose_chat_another_process_keeps_is_not_postponed(
    store: MemoryStore, clock: VirtualClock
) -> None:
    older, newer, table = await older_and_newer(store, clock)
    due = store._tables.by_id[table.id].listing.due
    for _ in range(10):
        older.keeper._to_resume[table.id] = None
        await clock.advance(CLAIM_EVERY)
    assert store._tables.by_id[table.id].listing.due == due
    assert newer.leases.keeps(SQUARE)


async def test_a_newer_table_in_a_store_of_one_process_is_tried_seldom(clock: VirtualClock) -> None:
    store = MemoryStore()
    (table,) = await opened(store, clock, shown=False)
    older, tries = Older(store, clock), list[float]()
    read = older.service._commits.loader.load

    async def counted(game: GameId) -> Table:
        tries.append(clock.now())
        return await read(game)

    older.service._commits.loader.load = counted  # type: ignore[method-assign]
    older.newer.add(table.id)
    await older.start()
    await clock.advance(3600)
    assert 8 <= len(tries) <= 10


async def test_a_claim_that_is_uncertain_is_made_again(clock: VirtualClock) -> None:
    class Cut(MemoryStore):
        """A store whose line is cut after a claim is committed."""

        cut = True

        async def claim(self, *given: object) -> object:  # type: ignore[override]
            claims = await super().claim(*given)  # type: ignore[arg-type]
            if self.cut:
                self.cut = False
                raise Uncertain("the line is dead")
            return claims

    store = Cut(shared=True)
    (table,) = await opened(store, clock, shown=False)
    process = await Process(store, clock).start()
    await clock.advance(5)
    assert process.taken_up == [table.id]


async def test_a_claim_that_the_store_refuses_costs_no_lease(
    store: MemoryStore, clock: VirtualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    process = await Process(store, clock).start()
    table = await process.service.open(SQUARE, partial(opening, seats=BETO))

    async def fail(*_: object) -> list[Claim]:
        raise StoreError("no space left")

    monkeypatch.setattr(store, "claim", fail)
    await clock.advance(5)
    assert (process.leases.process, process.leases.keeps(table.place)) == ("a", True)


async def test_where_the_store_fails_while_a_table_is_taken_up_it_is_tried_again(
    store: MemoryStore, clock: VirtualClock
) -> None:
    tables = await opened(store, clock, 3, shown=False)
    process, failures = Process(store, clock), [StoreError("the line is dead")]

    async def cut(table: Table) -> None:
        if failures:
            raise failures.pop()
        await process.take_up(table)

    process.keeper = Keeper(store, process.service, {"wall": process.platform}, cut)
    await process.start()
    await clock.advance(5)
    assert sorted(process.taken_up) == sorted(table.id for table in tables)


@pytest.mark.parametrize(
    "error", [StoreError("the line is dead"), Unreadable("a row is garbled"), ValueError("no page")]
)
async def test_the_damage_of_all_tables_is_shown_though_one_fails(
    error: Exception, store: MemoryStore, clock: VirtualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables, process, failures = await opened(store, clock, 3), Process(store, clock), [error]

    async def unreadable(_: GameId) -> Stored | None:
        raise Unreadable("a row is garbled")

    async def cut(table: Table) -> None:
        if failures:
            raise failures.pop()
        await process.take_up(table)

    monkeypatch.setattr(store, "load", unreadable)
    process.keeper = Keeper(store, process.service, {"wall": process.platform}, cut)
    await process.start()
    for table in tables:
        assert (await process.service.shown(table.id)).damaged
    await clock.advance(5)
    shown = tables if type(error) is StoreError else tables[1:]
    assert sorted(process.taken_up) == sorted(table.id for table in shown)


@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize("committed", [False, True])
async def test_a_table_whose_commit_is_uncertain_is_loaded_again_and_taken_up(
    shared: bool, committed: bool, clock: VirtualClock
) -> None:
    class Cut(MemoryStore):
        """A store whose line is cut during a commit."""

        cut = False

        async def append(self, batch: Batch) -> Taken | Behind | Known | Clash | Full:
            if not self.cut:
                return await super().append(batch)
            if committed:
                await super().append(batch)
            raise Uncertain("the line is dead")

    store = Cut(shared=shared)
    process = await Process(store, clock).start()
    table = await process.service.open(SQUARE, partial(opening, seats=BETO))
    await clock.advance(CLAIM_EVERY)
    process.taken_up.clear()
    store.cut = True
    with pytest.raises(Uncertain):
        await process.service.change(table.id, partial(lobby.start, person=ANA))
    store.cut = False
    assert (await process.service.table(table.id)).started is committed
    await clock.advance(CLAIM_EVERY)
    assert process.taken_up == ([table.id] if committed else [])


class Recorder:
    """Records the chats gained and lost."""

    def __init__(self) -> None:
        self.heard: list[tuple[str, str, str]] = []

    def gained(self, lease: Lease) -> None:
        self.heard.append(("gained", lease.chat, lease.taken_from))

    def lost(self, platform: str, chat: str) -> None:
        self.heard.append(("lost", chat, ""))


def test_leases_tell_what_is_gained_and_lost_once() -> None:
    leases, recorder = Leases("a", shared=True), Recorder()
    leases.listen(recorder)
    leases.note(Lease("wall", "square", "a", 1))
    leases.note(Lease("wall", "square", "a", 1))
    assert leases.keeps(SQUARE)
    leases.lose("wall", "square")
    leases.lose("wall", "square")
    assert not leases.keeps(SQUARE)
    leases.note(Lease("wall", "square", "a", 3, taken_from="b"))
    leases.note(Lease("wall", "square", "a", 5))
    assert recorder.heard == [
        ("gained", "square", ""),
        ("lost", "square", ""),
        ("gained", "square", "b"),
        ("gained", "square", ""),
    ]


def test_the_least_recently_used_lease_is_dropped_as_if_it_were_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.table_service.leases.LEASES_KEPT", 2)
    leases, recorder = Leases("a", shared=True), Recorder()
    leases.listen(recorder)
    for chat in ("x", "y", "x", "z"):
        leases.note(Lease("wall", chat, "a", 1))
    assert recorder.heard[-1] == ("lost", "y", "")


def test_where_the_store_is_not_shared_every_chat_is_ours_and_none_is_checked() -> None:
    alone, shared = Leases("a"), Leases("a", shared=True)
    assert (alone.keeps(SQUARE), shared.keeps(SQUARE)) == (True, False)
    assert (alone.checked_keeper, shared.checked_keeper) == ("", "a")
