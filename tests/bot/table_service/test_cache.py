"""Tables in memory: those in use, those at rest, packed small, and the bounds of both."""

from __future__ import annotations

import gc

import pytest

from bot.model.ids import GameId
from bot.model.tables import Player
from bot.table_service.cache import UNUSED, Packed, Slot, TableCache
from bot.tables.log.history import Dropped
from bot.tables.table import SHOWN_NEWS, Table
from engines import games
from engines.values import replace
from tests import luck
from tests.bot.table_service.test_service import ONE_TABLE
from tests.bot.tables.test_table import dealt, play_on
from tests.support.clock import VirtualClock
from tests.support.games import every_game


def of_people(key: str, moves: int, who: str = "p") -> Table:
    """A table of people, whose ids begin with ``who``, after some moves."""
    table = Table.open(key)
    for n in range(games()[key].seats[0]):
        table = table.sit(Player(f"P{n}", person=f"{who}{n}"))
    return play_on(table.start(), moves, luck.rng())


@every_game
def test_a_table_at_rest_goes_on_as_before(key: str) -> None:
    other, table, examples = of_people(key, 3), of_people(key, 9), dict[str, bytes]()
    packed = [Packed.of(one.at_rest(), examples) for one in (other, table)]
    rested = packed[1].table()
    assert (packed[0].table(), rested) == (other, table)
    assert play_on(rested, 12, luck.rng()) == play_on(table, 12, luck.rng())


@every_game
def test_a_table_at_rest_has_the_news_of_its_next_pages(key: str) -> None:
    table = of_people(key, 12)
    rested = Packed.of(table.at_rest(), {}).table()
    assert rested.news[-SHOWN_NEWS:] == table.news[-SHOWN_NEWS:]
    # After the end of a game, which these moves may have reached, a page shows the latest news alone.
    for seat in range(len(table.players) if table.is_playing else 0):
        since = table.news_since_move(seat)
        assert rested.news_since_move(seat) == since
        assert rested.news[since:] == table.news[since:]
        assert [rested.acted_since(seat, n) for n in range(13)] == [
            table.acted_since(seat, n) for n in range(13)
        ]
    assert rested.move_at(table.stamp - 1) == table.move_at(table.stamp - 1)
    assert (rested.move_at(0), rested.listing) == (None, table.listing)


def test_reading_a_dropped_entry_or_news_of_a_table_at_rest_raises_dropped() -> None:
    rested = of_people("casino", 12).at_rest()
    for wanted in (lambda: rested.entries[0], lambda: rested.news[0], lambda: list(rested.entries)):
        with pytest.raises(Dropped):
            wanted()
    assert not rested.is_whole


def test_a_table_with_very_many_entries_keeps_the_last_ones() -> None:
    table = dealt("casino")
    for n in range(1200):
        table = table.add("hold" if n % 2 else "back", 0, level="normal")
    short = table.shortened()
    assert (len(short.entries), len(short.entries[short.entries.first :])) == (len(table.entries), 512)
    assert short == table
    assert short.shortened() is short


def test_the_least_recently_used_table_is_put_to_rest() -> None:
    cache, table = TableCache(VirtualClock(), in_use=60_000), of_people("casino", 12)
    for game in ("a", "b", "a", "c"):
        cache.slot(game).update(table)
    whole = {game: slot.table.is_whole for game, slot in cache.items() if slot.table}
    assert whole == {"a": True, "b": False, "c": True}


def test_a_table_with_a_long_log_takes_the_room_of_several() -> None:
    cache, table = TableCache(VirtualClock(), in_use=90_000), of_people("casino", 12)
    for game in "abcd":
        cache.slot(game).update(table)
    assert packed_tables(cache) == []
    cache.slot("d").update(replace(table, entries=table.entries.plus(*table.entries[:] * 4)))
    cache.slot("d")
    assert packed_tables(cache) == ["a", "b", "c"]


def test_a_table_that_nobody_has_used_for_a_while_is_put_to_rest() -> None:
    clock, table = VirtualClock(), of_people("casino", 12)
    cache = TableCache(clock)
    for game in ("a", "b", "c"):
        cache.slot(game).update(table)
        clock.time += 1
    assert packed_tables(cache) == []
    cache.slot("a")
    clock.time += UNUSED - 1
    assert (cache.rest_unused(), packed_tables(cache)) == (2, ["b", "c"])
    clock.time += 1
    assert (cache.rest_unused(), packed_tables(cache)) == (1, ["a", "b", "c"])
    assert cache.slot("a").table == table
    assert (cache.rest_unused(), packed_tables(cache)) == (0, ["b", "c"])


def test_tables_are_put_to_rest_though_the_clock_was_set_back() -> None:
    clock, table = VirtualClock(), of_people("casino", 12)
    cache = TableCache(clock)
    cache.slot("a").update(table)
    clock.time -= 7200
    cache.slot("b").update(table)
    assert (cache.rest_unused(), packed_tables(cache)) == (1, ["a"])
    clock.time += UNUSED
    assert (cache.rest_unused(), packed_tables(cache)) == (1, ["a", "b"])


def test_many_unused_tables_are_put_to_rest_a_few_at_a_time() -> None:
    clock, table = VirtualClock(), of_people("casino", 12)
    cache = TableCache(clock)
    for n in range(120):
        cache.slot(f"{n:03}").update(table)
    clock.time += UNUSED
    first = cache.rest_unused()
    assert (first, packed_tables(cache)) == (50, [f"{n:03}" for n in range(50)])
    assert [cache.rest_unused() for _ in range(3)] == [50, 20, 0]


def packed_tables(cache: TableCache) -> list[GameId]:
    """The ids of the tables that are packed."""
    return sorted(game for game, slot in cache.items() if slot.example)


def test_a_table_at_rest_is_unpacked_once_its_table_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    cache, table = TableCache(VirtualClock(), in_use=ONE_TABLE), of_people("casino", 12)
    unpacked: list[Packed] = []
    unpack = Packed.table

    def counted(packed: Packed) -> Table:
        unpacked.append(packed)
        return unpack(packed)

    monkeypatch.setattr(Packed, "table", counted)
    for game in ("a", "b"):
        cache.slot(game).update(table)
    rested = cache.slot("a")
    assert (rested.place, unpacked) == (table.place, [])
    assert [rested.table, rested.table] == [table, table]
    assert len(unpacked) == 1


@every_game
def test_a_table_at_rest_takes_few_bytes(key: str) -> None:
    examples: dict[str, bytes] = {}
    Packed.of(of_people(key, 3).at_rest(), examples)
    packed = Packed.of(of_people(key, 12).at_rest(), examples)
    assert len(packed.example) < 5_000
    assert len(packed.compressed) < 1_200


def test_a_table_that_cannot_be_packed_rests_unpacked() -> None:
    cache, table = TableCache(VirtualClock(), in_use=ONE_TABLE), of_people("casino", 12)
    faulty = replace(table, state=lambda: None)
    cache.slot("a").update(faulty)
    cache.slot("b").update(table)
    slot = cache.slot("a")
    assert slot.table == faulty
    assert not slot.table.is_whole


def test_tables_at_rest_beyond_the_memory_are_dropped_the_least_recently_used_first() -> None:
    table = of_people("casino", 12)
    slot = Slot()
    slot.update(table)
    size = slot.rest({})
    cache = TableCache(VirtualClock(), in_use=ONE_TABLE, at_rest=2 * size)
    for game in ("a", "b", "c", "a", "d", "e"):
        cache.slot(game).update(table)
    gc.collect()
    assert sorted(game for game, _ in cache.items()) == ["a", "d", "e"]


def test_no_table_at_rest_is_packed_with_one_that_names_a_forgotten_person() -> None:
    cache = TableCache(VirtualClock(), in_use=ONE_TABLE)
    for game, key in (("a", "casino"), ("b", "casino"), ("c", "svoi"), ("d", "svoi")):
        cache.slot(game).update(of_people(key, 3, "p" if game == "a" else "q"))
    cache.forget("p0")
    gc.collect()
    assert sorted(game for game, _ in cache.items()) == ["c", "d"]
    # Nor does the next example of the game name the person.
    for game in ("e", "f"):
        cache.slot(game).update(of_people("casino", 3, "q"))
    example = cache.slot("e").example
    assert (b"q0" in example, b"p0" in example) == (True, False)


def test_a_table_that_a_task_uses_stays_in_memory() -> None:
    cache, table = TableCache(VirtualClock(), in_use=ONE_TABLE, at_rest=0), of_people("casino", 1)
    held = cache.slot("a")
    held.update(table)
    cache.slot("b").update(table)
    assert cache.get("a") is held
    assert held.table == table


def test_slots_of_tables_that_do_not_exist_have_a_bound_too() -> None:
    slot = Slot()
    cache = TableCache(VirtualClock(), in_use=10 * slot.size_in_use, at_rest=10 * slot.rest({}))
    for n in range(100):
        cache.slot(str(n))
    gc.collect()
    assert len(cache) == 20


def test_a_rested_table_keeps_all_news_that_a_slow_player_has_not_seen() -> None:
    table = of_people("cardlebones", 10)
    # The player of seat 0 has not moved since the deal.
    table = replace(table, moved_in={1: len(table.entries) - 1})
    assert table.at_rest().news.first == 0
