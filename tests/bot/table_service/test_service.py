"""The table service: one change of a table at a time, stored before listeners are called."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from typing import cast

import pytest

from bot.i18n import Speech
from bot.model.batches import Batch, Behind, Clash, Full, Known, Look, Stored, Taken
from bot.model.ids import GameId, PersonId
from bot.model.places import HOME, Place, Room
from bot.model.tables import Entry, EntryKind, Listing, Refused
from bot.storage import StoreError, Unreadable
from bot.store.memory.store import MemoryStore
from bot.table_service.bounds import Bounds, TooManyTables
from bot.table_service.cache import UNUSED, TableCache
from bot.table_service.commits import NotKept, Repeated
from bot.table_service.leases import Leases
from bot.table_service.loading import UnknownTable
from bot.table_service.service import TableService
from bot.tables import lobby
from bot.tables.log.commitment import ChosenSeed, CommittedSeed
from bot.tables.seating import WAS_KICKED
from bot.tables.table import Table
from bot.tables.turn_clock import DAY
from bot.tables.versions import NewerTable
from engines.game import IllegalMove
from engines.values import replace
from tests.bot.tables.test_table import dealt, older, play_on
from tests.support.clock import VirtualClock, settle
from tests.support.games import every_game
from tests.support.services import FaultyStore, service_with
from tests.support.stores import live_tables

ANA, BETO = "p-ana", "p-beto"
SQUARE = Place("wall", "square")
ONE_TABLE = 40_000
"""Estimated bytes that are enough for one table in use, but not for two."""


class RecordingListener:
    """Records each call of a table service's listener: the table after and before."""

    def __init__(self, service: TableService) -> None:
        self.heard: list[tuple[Table, Table | None]] = []
        service.listen(lambda table, before: self.heard.append((table, before)))

    @property
    def kinds(self) -> list[str]:
        """The kind of the last entry at each call."""
        return [table.entries[-1].kind for table, _ in self.heard]


def opening(
    number: int,
    *,
    owner: str = ANA,
    place: Place = SQUARE,
    key: str = "cardlebones",
    seats: str = "",
    clock: int | None = None,
) -> Table:
    """A new table at which its owner and the people named in `seats` sit."""
    table = Table.open(key, place=place, number=number, owner=owner, seed_source=ChosenSeed("S"), clock=clock)
    for person in (owner, *seats.split()):
        table = lobby.join(table, person, person)
    return table


def lay(table: Table) -> Table:
    """The table after the first legal move of an awaited seat."""
    seat = table.active()[0]
    return table.play(seat, str(next(iter(table.game.moves(table.state, seat)))))


async def stored(service: TableService, table: Table) -> Table:
    """The table as another process would load it from the store."""
    return await TableService(service._store, VirtualClock()).table(table.id)


async def test_what_is_done_is_stored_and_told_with_what_was_before() -> None:
    table = dealt("cardlebones")
    service = await service_with(table)
    before, ear = await service.table(table.id), RecordingListener(service)
    after = await service.change(table.id, lay)
    assert after.entries[:-1] == before.entries
    assert ear.heard == [(after, before)]
    assert await service.table(table.id) == await stored(service, table) == after


async def test_what_is_done_bears_the_time_at_which_it_was_stored() -> None:
    clock = VirtualClock()
    begun = clock.now()
    table = dealt("cardlebones")
    service = await service_with(table, clock)
    await clock.sleep(12.5)
    after = await service.change(table.id, lay)
    assert [entry.at for entry in after.entries] == [begun] * 4 + [begun + 12.5]


async def test_it_is_stored_before_anybody_hears_of_it() -> None:
    store, table = FaultyStore(), dealt("cardlebones")
    service = await service_with(table, store=store)
    lengths: list[int] = []
    service.listen(lambda table, before: lengths.append(store.batches[-1].listing.entries))
    after = await service.change(table.id, lay)
    assert lengths == [len(after.entries)]


async def test_a_refusal_changes_nothing_stores_nothing_and_tells_nobody() -> None:
    store, table = FaultyStore(), dealt("casino")
    service = await service_with(table, store=store)
    before, ear, batches = await service.table(table.id), RecordingListener(service), len(store.batches)
    with pytest.raises(IllegalMove):
        await service.change(table.id, lambda table: table.play(table.active()[0], "fly"))
    with pytest.raises(Refused):
        await service.change(table.id, lambda table: lobby.leave(table, "p-nobody"))
    assert (await service.table(table.id), ear.heard, len(store.batches)) == (before, [], batches)
    assert await stored(service, table) == before


async def test_a_deed_that_does_nothing_is_not_stored_or_told() -> None:
    store, table = FaultyStore(), dealt("cardlebones")
    service = await service_with(table, store=store)
    ear = RecordingListener(service)
    assert await service.change(table.id, lambda table: table, "d1") == await service.table(table.id)
    assert (len(store.batches), ear.heard) == (1, [])


async def test_where_the_store_fails_nothing_has_changed_and_nobody_was_told() -> None:
    store, table = FaultyStore(), dealt("cardlebones")
    service = await service_with(table, store=store)
    before, ear = await service.table(table.id), RecordingListener(service)
    store.fails = "before"
    with pytest.raises(StoreError):
        await service.change(table.id, lay)
    assert (await service.table(table.id), ear.heard) == (before, [])
    store.fails = ""
    assert (await service.change(table.id, lay)).stamp == 1


async def test_where_the_store_failed_after_storing_the_table_is_read_again() -> None:
    store, table = FaultyStore(), dealt("cardlebones")
    service = await service_with(table, store=store)
    ear = RecordingListener(service)
    store.fails = "after"
    with pytest.raises(StoreError):
        await service.change(table.id, lay)
    store.fails = ""
    assert (await service.table(table.id) == await stored(service, table), ear.heard) == (True, [])
    after = await service.change(table.id, lay)
    assert (after.stamp, [table.stamp for table, _ in ear.heard]) == (2, [2])
    assert await stored(service, table) == after


async def test_where_the_store_fails_no_table_is_opened() -> None:
    store = FaultyStore()
    service = TableService(store, VirtualClock())
    ear = RecordingListener(service)
    store.fails = "before"
    with pytest.raises(StoreError):
        await service.open(SQUARE, opening)
    assert ear.heard == []
    store.fails = ""
    assert (await service.open(SQUARE, opening)).number == 1


async def test_what_another_process_did_is_taken_over_and_the_deed_judged_anew() -> None:
    store, table = MemoryStore(), dealt("cardlebones")
    ours, theirs = await service_with(table, store=store), TableService(store, VirtualClock())
    ear, judged = RecordingListener(ours), []
    between = await theirs.change(table.id, lay)

    def transition(table: Table) -> Table:
        judged.append(table)
        return lay(table)

    before = await ours.table(table.id)
    after = await ours.change(table.id, transition)
    assert judged == [before, between]
    assert ear.heard == [(between, before), (after, between)]
    assert await stored(ours, table) == after


async def test_what_another_process_did_may_make_a_deed_impossible() -> None:
    store, table = MemoryStore(), dealt("cardlebones")
    ours, theirs = await service_with(table, store=store), TableService(store, VirtualClock())
    await ours.table(table.id)
    await theirs.change(table.id, lambda table: table.add("end", reason="stopped"))
    with pytest.raises(Refused, match="closed"):
        await ours.change(table.id, lambda table: table.play(table.state.turn, "place a1"))
    assert (await ours.table(table.id)).status == "over"


async def test_a_delivery_is_heard_once() -> None:
    table = dealt("cardlebones")
    service = await service_with(table)
    first, ear = await service.change(table.id, lay, "d1"), RecordingListener(service)
    with pytest.raises(Repeated):
        await service.change(table.id, lay, "d1")
    assert (await service.table(table.id), ear.heard) == (first, [])
    assert (await service.change(table.id, lay, "d2")).stamp == 2


async def test_a_delivery_that_was_refused_may_come_again() -> None:
    table = dealt("cardlebones")
    service = await service_with(table)
    with pytest.raises(IllegalMove):
        await service.change(table.id, lambda table: table.play(0, "fly"), "d1")
    assert (await service.change(table.id, lay, "d1")).stamp == 1


async def test_a_delivery_opens_one_table() -> None:
    service = TableService(MemoryStore(), VirtualClock())
    await service.open(SQUARE, opening, "d1")
    ear = RecordingListener(service)
    with pytest.raises(Repeated):
        await service.open(SQUARE, opening, "d1")
    assert ([listing.number for listing in await service._store.tables(SQUARE)], ear.heard) == ([1], [])


@every_game
async def test_of_two_plays_at_once_one_is_made_and_the_other_refused(key: str) -> None:
    table = dealt(key)
    service = await service_with(table)
    seat, before = table.active()[0], len(table.entries)
    first, second = [str(move) for move in (*table.game.moves(table.state, seat),) * 2][:2]

    def played(table: Table, move: str) -> Table:
        if table.stamp:
            raise Refused(WAS_KICKED)
        return table.play(seat, move)

    outcomes = await asyncio.gather(
        *(service.change(table.id, partial(played, move=move)) for move in (first, second)),
        return_exceptions=True,
    )
    assert isinstance(outcomes[1], Refused)
    assert [entry.body for entry in (await service.table(table.id)).entries[before:]] == [{"move": first}]


async def test_a_play_and_a_timeout_at_once_take_their_turns() -> None:
    store, table = FaultyStore(), dealt("cardlebones")
    service = await service_with(table, store=store)
    seat = table.active()[0]
    store.gate.clear()
    both = asyncio.gather(
        service.change(table.id, lambda table: table.play(seat, "place a1")),
        service.change(table.id, lambda table: table.time_out(1 - seat)),
    )
    await settle()
    store.gate.set()
    await both
    assert [entry.kind for entry in (await service.table(table.id)).entries[-2:]] == ["move", "timeout"]


async def test_different_tables_do_not_wait_for_each_other() -> None:
    store = FaultyStore()
    service = TableService(store, VirtualClock())
    first, second = [await service.open(SQUARE, opening) for _ in range(2)]
    store.gate.clear()
    slow = asyncio.create_task(service.change(first.id, lambda table: lobby.add_computer(table, ANA)))
    await settle()
    # Reading would take no lock, but a change does, even one that does nothing.
    other = asyncio.create_task(service.change(second.id, lambda table: table))
    await settle()
    assert (other.done(), slow.done()) == (True, False)
    store.gate.set()
    await slow


async def test_a_deed_whose_caller_is_gone_is_done_and_told() -> None:
    store, table = FaultyStore(), dealt("cardlebones")
    service = await service_with(table, store=store)
    ear = RecordingListener(service)
    store.gate.clear()
    caller = asyncio.create_task(service.change(table.id, lay))
    await settle()
    caller.cancel()
    await asyncio.gather(caller, return_exceptions=True)
    assert ear.heard == []
    store.gate.set()
    await service.close()
    assert (await service.table(table.id)).stamp == 1
    assert ear.kinds == ["move"]
    assert await stored(service, table) == await service.table(table.id)


async def test_a_deed_whose_caller_is_gone_and_whose_store_fails_is_not_done() -> None:
    store, table = FaultyStore(), dealt("cardlebones")
    service = await service_with(table, store=store)
    before, ear = await service.table(table.id), RecordingListener(service)
    store.gate.clear()
    caller = asyncio.create_task(service.change(table.id, lay))
    await settle()
    caller.cancel()
    store.fails = "before"
    store.gate.set()
    await asyncio.gather(caller, return_exceptions=True)
    await service.close()
    assert (await service.table(table.id), ear.heard) == (before, [])
    store.fails = ""
    assert await stored(service, table) == before


async def test_a_table_whose_opener_is_gone_is_opened_whole() -> None:
    store = FaultyStore()
    service = TableService(store, VirtualClock())
    ear = RecordingListener(service)
    store.gate.clear()
    caller = asyncio.create_task(service.open(SQUARE, opening))
    await settle()
    caller.cancel()
    store.gate.set()
    await asyncio.gather(caller, return_exceptions=True)
    await service.close()
    assert [listing.number for listing in await store.tables(SQUARE)] == [1]
    assert ear.kinds == ["join"]


async def test_a_listener_that_fails_undoes_nothing_and_the_others_hear(
    caplog: pytest.LogCaptureFixture,
) -> None:
    table = dealt("cardlebones")
    service = await service_with(table)

    def fail(table: Table, before: Table | None) -> None:
        raise RuntimeError("5S 10H")

    service.listen(fail)
    ear = RecordingListener(service)
    after = await service.change(table.id, lay)
    assert (await service.table(table.id), ear.kinds) == (after, ["move"])
    assert await stored(service, table) == after
    assert f"a listener failed at table {table.id}" in caplog.text
    assert "10H" not in caplog.text


async def test_a_new_table_has_no_before() -> None:
    service = TableService(MemoryStore(), VirtualClock())
    ear = RecordingListener(service)
    table = await service.open(SQUARE, opening)
    assert ear.heard == [(table, None)]
    assert await stored(service, table) == table


async def test_a_table_unknown_is_refused() -> None:
    service = TableService(MemoryStore(), VirtualClock())
    with pytest.raises(UnknownTable):
        await service.table("f00d")
    with pytest.raises(UnknownTable):
        await service.change("f00d", lay)


async def test_tables_have_the_lowest_number_that_is_free_in_their_place() -> None:
    service = TableService(MemoryStore(), VirtualClock())
    first, second = [await service.open(SQUARE, opening) for _ in range(2)]
    elsewhere = await service.open(HOME, partial(opening, place=HOME))
    await service.change(first.id, partial(lobby.end, person=ANA, moderator=False))
    third, fourth = [await service.open(SQUARE, opening) for _ in range(2)]
    assert [table.number for table in (first, second, elsewhere, third, fourth)] == [1, 2, 1, 1, 3]


async def test_tables_opened_in_the_same_instant_have_numbers_of_their_own() -> None:
    service = TableService(MemoryStore(), VirtualClock())
    tables = await asyncio.gather(*(service.open(SQUARE, opening) for _ in range(3)))
    assert sorted(table.number for table in tables) == [1, 2, 3]


class Racing(MemoryStore):
    """A store in which a rival process opens a table just before each of the first `races` openings."""

    def __init__(self, races: int) -> None:
        super().__init__()
        self.races = races

    async def append(self, batch: Batch) -> Taken | Behind | Known | Clash | Full:
        if self.races and not batch.entries[0].n:
            self.races -= 1
            await TableService(self, VirtualClock()).open(SQUARE, partial(opening, owner=f"p-{self.races}"))
        return await super().append(batch)


async def test_a_number_that_another_process_gave_away_is_not_given_again() -> None:
    # The first rival's opening meets the second rival, so two tables come first.
    service = TableService(Racing(2), VirtualClock())
    ear = RecordingListener(service)
    assert (await service.open(SQUARE, opening)).number == 3
    assert len(ear.heard) == 1


def draw_ids(monkeypatch: pytest.MonkeyPatch, *ids: str) -> None:
    """Lets new tables draw these ids, in order."""
    drawn = iter(ids)
    monkeypatch.setattr("bot.tables.table.secrets.token_hex", lambda _: next(drawn))


@pytest.mark.parametrize("known", [True, False])
async def test_an_id_that_another_table_has_is_drawn_again(
    known: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = TableService(store := MemoryStore(), VirtualClock())
    first = await service.open(SQUARE, opening)
    if not known:
        service = TableService(store, VirtualClock())
    # The first is drawn for the count of the owner's tables.
    draw_ids(monkeypatch, "a" * 10, first.id, first.id, "b" * 10)
    second = await service.open(SQUARE, partial(opening, owner=BETO))
    assert (second.id, second.number) == ("b" * 10, 2)
    assert await stored(service, first) == await service.table(first.id) == first


async def test_a_rematch_that_draws_the_id_of_its_table_draws_again(monkeypatch: pytest.MonkeyPatch) -> None:
    service = TableService(MemoryStore(), VirtualClock())
    old = await service.open(SQUARE, partial(opening, seats=BETO))
    await service.change(old.id, partial(lobby.start, person=ANA))
    await service.change(old.id, play_on)
    draw_ids(monkeypatch, "a" * 10, old.id, "b" * 10)
    new = await service.follow(old.id, lambda table, number: lobby.rematch(table, BETO, number))
    assert (new.id, new.follows) == ("b" * 10, old.id)


async def test_a_person_has_so_many_tables_open_at_a_time() -> None:
    service = TableService(MemoryStore(), VirtualClock(), Bounds(person=2, place=9))
    first, _ = [await service.open(SQUARE, opening) for _ in range(2)]
    with pytest.raises(Refused) as refusal:
        await service.open(HOME, partial(opening, place=HOME))
    said = "You already have 2 tables open. Close one of them first."
    assert Speech("en")(refusal.value.reason) == said
    assert (await service.open(SQUARE, partial(opening, owner=BETO))).number == 3
    await service.change(first.id, partial(lobby.end, person=ANA, moderator=False))
    assert (await service.open(HOME, partial(opening, place=HOME))).number == 1


async def test_a_seat_at_somebody_elses_table_is_no_table_of_ones_own() -> None:
    service = TableService(MemoryStore(), VirtualClock(), Bounds(person=1, place=9))
    await service.open(SQUARE, partial(opening, owner=BETO, seats=ANA))
    assert (await service.open(SQUARE, opening)).number == 2


async def test_at_two_processes_at_once_a_person_sits_at_no_table_too_many() -> None:
    store, clock = MemoryStore(shared=True), VirtualClock()
    both = [TableService(store, clock, Bounds(seats=1)) for _ in range(2)]
    games = [
        (await both[0].open(place, partial(opening, owner=owner, place=place))).id
        for place, owner in ((SQUARE, BETO), (HOME, "p-eva"))
    ]

    async def sit(service: TableService, game: GameId) -> Table:
        async with service.seats.one_more(ANA, game):
            return await service.change(game, partial(lobby.join, person=ANA, name="Ana"))

    got = await asyncio.gather(*map(sit, both, games), return_exceptions=True)
    (sits,) = (one for one in got if isinstance(one, Table))
    (refusal,) = (one for one in got if isinstance(one, TooManyTables))
    assert [listing.game for listing in refusal.tables] == [sits.id]
    assert Speech("en")(refusal.reason) == "You're already at 1 table. Leave it first."


async def test_tables_that_are_nobodys_are_not_counted_for_anybody() -> None:
    service = TableService(MemoryStore(), VirtualClock(), Bounds(person=1, place=9))
    for _ in range(3):
        table = await service.open(HOME, lambda number: Table.open("casino", number=number))
    assert table.number == 3


async def test_a_place_has_so_many_tables_open_at_a_time() -> None:
    service = TableService(MemoryStore(), VirtualClock(), Bounds(person=9, place=2))
    for owner in (ANA, BETO):
        await service.open(SQUARE, partial(opening, owner=owner))
    with pytest.raises(Refused) as refusal:
        await service.open(SQUARE, partial(opening, owner="p-eva"))
    said = "There are already 2 tables open here. Close one of them first."
    assert Speech("en")(refusal.value.reason) == said
    assert (await service.open(HOME, partial(opening, place=HOME))).number == 1


@pytest.mark.parametrize("bound", [Bounds(person=9, place=2), Bounds(person=9, place=9, days=2)])
async def test_the_tables_of_a_channel_and_its_threads_count_together(bound: Bounds) -> None:
    store = MemoryStore()
    service = TableService(store, VirtualClock(), bound)
    first, second = (Place(SQUARE.platform, SQUARE.chat, thread) for thread in ("7", "8"))
    for thread in (first, second):
        await store.save_room(Room(thread, channel=SQUARE.chat))
    slow = partial(opening, clock=DAY)
    assert (await service.open(first, partial(slow, place=first))).number == 1
    assert (await service.open(SQUARE, slow)).number == 1
    for place in (SQUARE, first, second):
        with pytest.raises(TooManyTables) as refusal:
            await service.open(place, partial(slow, place=place))
        assert len(refusal.value.tables) == 2


async def test_clocks_of_days_never_fill_a_place() -> None:
    service = TableService(MemoryStore(), VirtualClock(), Bounds(person=9, place=9, days=2))
    slow = partial(opening, clock=7 * DAY)
    first = await service.open(SQUARE, slow)
    lobbies = await service.open(SQUARE, partial(opening, clock=60))
    await service.open(SQUARE, slow)
    with pytest.raises(TooManyTables) as refusal:
        await service.open(SQUARE, partial(opening, clock=DAY))
    said = "There are already 2 tables here where a turn lasts days. Choose a shorter clock."
    assert Speech("en")(refusal.value.reason) == said
    assert len(refusal.value.tables) == 2
    with pytest.raises(TooManyTables):
        await service.check_clock(SQUARE, DAY, but=lobbies.id)
    await service.check_clock(SQUARE, 2 * DAY, but=first.id)
    await service.open(SQUARE, opening)
    await service.open(HOME, partial(opening, place=HOME, clock=DAY))
    await service.change(first.id, partial(lobby.end, person=ANA, moderator=False))
    await service.open(SQUARE, slow)


async def test_no_rematch_with_a_clock_of_days_fills_a_place() -> None:
    service = TableService(MemoryStore(), VirtualClock(), Bounds(person=9, place=9, days=1))
    old = await service.open(SQUARE, partial(opening, clock=DAY))
    await service.change(old.id, partial(lobby.end, person=ANA, moderator=False))
    await service.open(SQUARE, partial(opening, clock=DAY))
    with pytest.raises(TooManyTables):
        await service.follow(old.id, lambda table, number: lobby.rematch(table, ANA, number))


async def test_bounds_hold_in_the_same_instant_too() -> None:
    store = FaultyStore()
    service = TableService(store, VirtualClock(), Bounds(place=1))
    store.gate.clear()
    both = asyncio.gather(*(service.open(SQUARE, opening) for _ in range(2)), return_exceptions=True)
    await settle()
    store.gate.set()
    assert [type(outcome) for outcome in await both] == [Table, TooManyTables]


async def test_bounds_refuse_before_anything_is_stored() -> None:
    store = FaultyStore()
    service = TableService(store, VirtualClock(), Bounds(person=0))
    ear = RecordingListener(service)
    with pytest.raises(Refused):
        await service.open(SQUARE, opening)
    assert (store.batches, ear.heard) == ([], [])


async def test_a_rematch_is_a_new_table_and_the_old_one_says_so() -> None:
    store = FaultyStore()
    service = TableService(store, VirtualClock())
    old = await service.open(SQUARE, partial(opening, seats=BETO))
    await service.change(old.id, partial(lobby.start, person=ANA))
    await service.change(old.id, play_on)
    ear = RecordingListener(service)
    new = await service.follow(old.id, lambda table, number: lobby.rematch(table, BETO, number), "d1")
    assert (new.follows, new.number, (await service.table(old.id)).followed) == (old.id, 1, new.id)
    assert ear.kinds == ["join", "rematch"]
    assert await stored(service, new) == new
    with pytest.raises(Repeated):
        await service.follow(old.id, lambda table, number: (table, opening(number)), "d1")
    with pytest.raises(Refused):
        await service.follow(old.id, lambda table, number: lobby.rematch(table, ANA, number), "d2")


async def test_a_rematch_counts_like_any_table() -> None:
    service = TableService(MemoryStore(), VirtualClock(), Bounds(person=1))
    old = await service.open(SQUARE, opening)
    await service.change(old.id, partial(lobby.end, person=ANA, moderator=False))
    await service.open(SQUARE, opening)
    with pytest.raises(Refused):
        await service.follow(old.id, lambda table, number: lobby.rematch(table, ANA, number))
    assert (await service.table(old.id)).followed == ""


async def test_of_two_rematches_in_two_processes_one_is_closed_again() -> None:
    store = MemoryStore()
    ours, theirs = TableService(store, VirtualClock()), TableService(store, VirtualClock())
    old = await ours.open(SQUARE, partial(opening, seats=BETO))
    await ours.change(old.id, partial(lobby.end, person=ANA, moderator=False))
    first = await theirs.follow(old.id, lambda table, number: lobby.rematch(table, BETO, number))
    with pytest.raises(Refused) as refusal:
        await ours.follow(old.id, lambda table, number: lobby.rematch(table, ANA, number))
    assert refusal.value.reason.message == "There's already a table for the rematch."
    assert [listing.game for listing in await store.tables(SQUARE)] == [first.id]
    assert (await ours.table(old.id)).followed == first.id


class Suspending(MemoryStore):
    """A store that lets other tasks run before it tells the tables of a person."""

    async def tables_of(self, person: PersonId) -> Sequence[Listing]:
        await asyncio.sleep(0)
        return await super().tables_of(person)


async def test_a_rematch_pressed_at_an_open_table_holds_up_no_rematch_of_another_one() -> None:
    service = TableService(Suspending(shared=True), VirtualClock())
    old = await service.open(SQUARE, partial(opening, clock=DAY))
    await service.change(old.id, partial(lobby.end, person=ANA, moderator=False))
    running = await service.open(SQUARE, opening)

    async def follow(game: GameId) -> Table | Refused:
        try:
            return await service.follow(game, lambda table, number: lobby.rematch(table, ANA, number))
        except Refused as refused:
            return refused

    tasks = [asyncio.create_task(follow(game)) for game in (old.id, running.id)]
    await settle()
    assert [type(task.result()) for task in tasks if task.done()] == [Table, Refused]


async def test_a_table_is_resumed_for_the_listeners_as_it_is() -> None:
    store = MemoryStore()
    opened = await TableService(store, VirtualClock()).open(SQUARE, opening)
    service = TableService(store, VirtualClock())
    ear = RecordingListener(service)
    resumed = await service.resume(opened.id)
    assert resumed == opened
    assert ear.heard == [(resumed, resumed)]


@pytest.mark.parametrize("started", [False, True])
async def test_resuming_closes_a_table_of_older_rules_politely(started: bool) -> None:
    store, table = MemoryStore(), opening(1, seats=BETO)
    old = older(lobby.start(table, ANA) if started else table)
    await service_with(old, store=store)
    service = TableService(store, VirtualClock())
    ear = RecordingListener(service)
    closed = await service.resume(old.id)
    assert (closed.status, closed.ended, closed.may_show_seed) == ("over", "updated", True)
    assert ([seat.score for seat in closed.listing.seats], ear.kinds) == ([None, None], ["end"])
    assert await live_tables(store) == []


async def test_a_game_that_a_process_of_older_rules_finishes_keeps_its_result(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table, store = dealt("cardlebones"), MemoryStore(shared=True)
    older_process = await service_with(table, store=store)
    newer_process = TableService(store, VirtualClock())
    with monkeypatch.context() as update:
        update.setattr(type(table.game), "revision", table.revision + 1)
        with pytest.raises(Refused):
            await newer_process.change(table.id, Table.must_be_playing)  # type: ignore[arg-type]
    over = await older_process.change(table.id, play_on)
    with monkeypatch.context() as update:
        update.setattr(type(table.game), "revision", table.revision + 1)
        read = await newer_process.table(table.id)
    assert (read.ended, read.result) == ("", over.result)


@pytest.mark.parametrize("what", ["revision", "game", "entry", "tail"])
async def test_a_table_of_a_newer_version_is_refused_in_words_and_stays_open(what: str) -> None:
    store = MemoryStore(shared=True)
    service = await service_with(opening(1, seats=BETO), store=store)
    ((game, kept),) = store._tables.by_id.items()
    match what:
        case "revision":
            kept.listing = replace(kept.listing, revision=kept.listing.revision + 1)
        case "game":
            kept.listing = replace(kept.listing, key="whist")
        case _:
            kept.entries.append(Entry(len(kept.entries), cast(EntryKind, "castle")))
    if what != "tail":
        service = TableService(store, VirtualClock())
    for deed in (service.table(game), service.change(game, partial(lobby.join, person=BETO, name="B"))):
        with pytest.raises(NewerTable) as refusal:
            await deed
        assert refusal.value.reason.message.startswith("A newer version of the bot")
    with pytest.raises(NewerTable):
        await service.resume(game)
    assert await live_tables(store) == [game]
    assert (await service.open(SQUARE, partial(opening, owner="p-carla"))).number == 2


async def test_an_id_that_is_taken_is_drawn_again() -> None:
    service = TableService(MemoryStore(), VirtualClock())
    taken = await service.open(SQUARE, opening)
    drawn = [replace(opening(2), id=taken.id), opening(2)]
    made: list[Table] = []

    def make(number: int) -> Table:
        table = drawn[0] if len(made) < 2 else drawn[1]
        made.append(table)
        return table

    opened = await service.open(SQUARE, make)
    assert (opened.id, len(made)) == (drawn[1].id, 3)
    assert await service.table(taken.id) == taken


async def shared_services(table: Table) -> tuple[TableService, TableService]:
    """The services of two processes that have this table in memory."""
    store, clock = MemoryStore(shared=True), VirtualClock()
    ours, theirs = [TableService(store, clock, leases=Leases(name, shared=True)) for name in ("a", "b")]
    for process in ("a", "b"):
        await store.beat(process, clock.now())
    await ours.open(table.place, lambda number: table)
    await theirs.table(table.id)
    return ours, theirs


async def test_a_table_is_read_as_another_process_has_left_it() -> None:
    ours, theirs = await shared_services(dealt("cardlebones"))
    game = (await live_tables(ours._store))[0]
    ear = RecordingListener(ours)
    before, after = await ours.table(game), await theirs.change(game, lay)
    assert await ours.table(game) == after
    assert ear.heard == [(after, before)]


async def test_a_press_that_changes_nothing_is_judged_by_the_newest_table() -> None:
    ours, theirs = await shared_services(dealt("cardlebones"))
    game = (await live_tables(ours._store))[0]
    after, judged = await theirs.change(game, lay), []

    def look(table: Table) -> Table:
        judged.append(table.stamp)
        return table

    assert await ours.change(game, look) == after
    assert judged == [0, 1]


async def test_a_change_takes_the_lease_before_the_listeners_are_called() -> None:
    ours, theirs = await shared_services(dealt("cardlebones"))
    game = (await live_tables(ours._store))[0]
    kept: list[bool] = []
    theirs.listen(lambda table, before: kept.append(theirs.leases.keeps(table.place)))
    assert [one.leases.keeps(HOME) for one in (ours, theirs)] == [True, False]
    await theirs.change(game, lay)
    await ours.table(game)
    assert [one.leases.keeps(HOME) for one in (ours, theirs)] == [False, True]
    assert kept == [True]


async def test_only_the_keeper_of_a_chat_does_what_nobody_presses_for() -> None:
    ours, theirs = await shared_services(dealt("cardlebones"))
    game = (await live_tables(ours._store))[0]
    with pytest.raises(NotKept):
        await theirs.keep(game, lay)
    assert (await ours.keep(game, lay)).stamp == 1
    await theirs.change(game, lay)
    with pytest.raises(NotKept):
        await ours.keep(game, lay)


async def test_a_look_that_a_commit_has_overtaken_costs_no_lease() -> None:
    gate = asyncio.Event()

    class Slow(MemoryStore):
        """A store whose looks are answered late."""

        async def look(self, game: GameId, n: int) -> Look | None:
            seen = await super().look(game, n)
            await gate.wait()
            return seen

    store, clock = Slow(shared=True), VirtualClock()
    ours, theirs = [TableService(store, clock, leases=Leases(name, shared=True)) for name in ("a", "b")]
    first, second = [await theirs.open(SQUARE, partial(opening, seats=BETO)) for _ in range(2)]
    looking = asyncio.create_task(ours.table(first.id))
    await settle()
    await ours.change(second.id, partial(lobby.start, person=ANA))
    gate.set()
    await looking
    assert ours.leases.keeps(SQUARE)


@pytest.mark.parametrize("seed_source", [ChosenSeed("S"), ChosenSeed(""), CommittedSeed(b"x" * 32)], ids=str)
async def test_tables_that_were_put_out_of_memory_come_back_equal(
    seed_source: ChosenSeed | CommittedSeed,
) -> None:
    clock = VirtualClock()
    service = TableService(MemoryStore(), clock, cache=TableCache(clock, in_use=ONE_TABLE, at_rest=0))
    table = await service.open(HOME, lambda number: replayed(seed_source))
    table = await service.change(table.id, lay)
    await service.open(SQUARE, opening)
    assert service.loaded == 1
    again = await service.table(table.id)
    assert again == table
    assert again is not table
    assert (await service.change(table.id, lay)).stamp == 2


def replayed(seed_source: ChosenSeed | CommittedSeed) -> Table:
    """A table just dealt, replayed with this seed source."""
    return Table.replay(dealt("cardlebones").entries, seed_source)


async def test_a_table_in_use_is_not_put_out_of_memory() -> None:
    table = dealt("cardlebones")
    clock = VirtualClock()
    service = TableService(MemoryStore(), clock, cache=TableCache(clock, in_use=ONE_TABLE, at_rest=0))
    await service.open(HOME, lambda number: table)
    waiting = asyncio.create_task(service.changed(table.id, len(table.entries)))
    await settle()
    await service.open(SQUARE, opening)
    after = await service.change(table.id, lay)
    assert await waiting == after


async def test_a_chat_that_goes_on_under_another_name_has_its_tables() -> None:
    store = MemoryStore()
    table = await TableService(store, VirtualClock()).open(SQUARE, opening)
    await store.move_chat("wall", "square", "plaza")
    service = TableService(store, VirtualClock())
    assert (await service.table(table.id)).place == Place("wall", "plaza")
    assert (await service.open(Place("wall", "plaza"), opening)).number == 2


async def test_a_table_at_rest_that_moves_with_its_chat_rests_again_later() -> None:
    clock = VirtualClock()
    cache = TableCache(clock)
    service = TableService(MemoryStore(), clock, cache=cache)
    await service.open(SQUARE, opening)
    for _ in range(2):
        await clock.advance(UNUSED)
        assert cache.rest_unused() == 1
        await service.move_chat("wall", "square", "plaza")
        await service.move_chat("wall", "plaza", "square")


async def test_a_table_that_cannot_be_read_keeps_no_other_from_moving_with_its_chat(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store, plaza = MemoryStore(), Place("wall", "plaza")
    service = TableService(store, VirtualClock())
    broken, fine = [await service.open(SQUARE, opening) for _ in range(2)]
    tail = store.tail

    async def unreadable(game: GameId, n: int) -> Stored | None:
        if game == broken.id:
            raise Unreadable("a page of the file is damaged")
        return await tail(game, n)

    with monkeypatch.context() as damage:
        damage.setattr(store, "tail", unreadable)
        await service.move_chat("wall", "square", "plaza")
    assert (await service.table(fine.id)).place == plaza
    # The page can be read again.
    assert (await service.table(broken.id)).place == plaza


@pytest.mark.parametrize("method", ["tables", "tables_of"])
async def test_a_table_is_not_called_damaged_if_another_cannot_be_read_for_its_rematch(
    method: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    store = MemoryStore()
    service = TableService(store, VirtualClock())
    table = await service.open(SQUARE, opening)
    await service.change(table.id, lambda table: table.add("end", reason="stopped"))

    async def unreadable(_: object) -> Sequence[Listing]:
        raise Unreadable("a page of the file is damaged")

    monkeypatch.setattr(store, method, unreadable)
    with pytest.raises(StoreError):
        await service.follow(table.id, lambda table, number: lobby.rematch(table, ANA, number))
    assert (table.id in caplog.text, list(service.damaged())) == (False, [])


@pytest.mark.parametrize("transition", [lay, lambda table: table.time_out(table.active()[0])])
async def test_changed_wakes_when_something_happens(transition: Callable[[Table], Table]) -> None:
    table = dealt("cardlebones")
    service = await service_with(table)
    waiting = [asyncio.create_task(service.changed(table.id, len(table.entries))) for _ in range(3)]
    await settle()
    assert not any(task.done() for task in waiting)
    after = await service.change(table.id, transition)
    assert await asyncio.gather(*waiting) == [after] * 3


async def test_changed_returns_at_once_where_something_has_happened_since() -> None:
    table = dealt("cardlebones")
    service = await service_with(table)
    assert (await service.changed(table.id, len(table.entries) - 1)).stamp == 0


async def test_a_refused_play_wakes_nobody() -> None:
    table = dealt("cardlebones")
    service = await service_with(table)
    waiting = asyncio.create_task(service.changed(table.id, len(table.entries)))
    await settle()
    with pytest.raises(IllegalMove):
        await service.change(table.id, lambda table: table.play(table.active()[0], "place z9"))
    await settle()
    assert not waiting.done()
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)


async def test_what_another_process_has_done_is_known_before_anything_is_refused() -> None:
    store, clock = MemoryStore(), VirtualClock()
    service, other = TableService(store, clock), TableService(store, clock)
    table = await service.open(SQUARE, lambda number: opening(number, seats=BETO))
    await other.table(table.id)
    await service.change(table.id, lambda table: lobby.start(table, ANA))
    await service.change(table.id, lambda table: lobby.leave(table, BETO))
    ear = RecordingListener(other)
    await other.change(table.id, lambda table: lobby.come_back(table, BETO))
    assert ear.kinds == ["hold", "back"]


async def test_what_is_refused_for_good_is_refused_though_another_process_went_on() -> None:
    store, clock = MemoryStore(), VirtualClock()
    service, other = TableService(store, clock), TableService(store, clock)
    table = await service.open(SQUARE, lambda number: opening(number, seats=BETO))
    await other.table(table.id)
    await service.change(table.id, lambda table: lobby.start(table, ANA))
    with pytest.raises(Refused, match="The game has already begun"):
        await other.change(table.id, lambda table: lobby.start(table, ANA))
