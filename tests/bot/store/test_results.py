"""What the end of a game writes in the same transaction, in every store: results, ratings and tallies."""

from __future__ import annotations

import asyncio

import pytest
from sqlalchemy import select

from bot.model.batches import Taken
from bot.model.ids import PersonId
from bot.model.places import HOME, Place, Room
from bot.model.results import Ending, Finish, PlayerResult, Tally
from bot.ratings import MOST_A_DAY, NEWCOMER, Rating, rated
from bot.storage import Store
from bot.store.connections.prepared import Prepared
from bot.store.memory.store import MemoryStore
from bot.store.schema import TALLIES
from bot.store.sql import SqlStore
from bot.table_service.service import TableService
from bot.table_service.settler import CHUNK, Settler
from bot.table_service.stored import batch
from bot.tables.endings import ending_of
from engines.values import replace
from tests.bot.store.tables import CHAT, Tale, played, told
from tests.bot.tables.test_table import dealt
from tests.support.clock import VirtualClock
from tests.support.judging import finish as finish_game
from tests.support.services import service_with

ENDED = 1_795_000_000.0
"""Wednesday, 18 November 2026, 11:06:40 UTC."""
_TALLIES = Prepared(select(TALLIES))


async def tallies(store: Store) -> set[Tally]:
    if isinstance(store, MemoryStore):
        return set(store._endings.tallies.values())
    assert isinstance(store, SqlStore)
    return {
        Tally(scope, period, key, person, bool(alone), games, wins, gained)
        for scope, period, key, person, alone, games, wins, gained in await store._rows(_TALLIES)
    }


def finish(
    person: PersonId, place: int, seat: int = 0, *, starter: bool = True, left: bool = False
) -> Finish:
    return Finish(person, seat, place, 5 - place, place == 1, starter=starter, left=left)


def between(game: str, *people: PersonId, ended: float = ENDED) -> Ending:
    """A rated game in which people finish in this order."""
    finishes = [finish(person, place, place - 1) for place, person in enumerate(people, 1)]
    return Ending(game, "casino", ended, tuple(finishes))


async def end(store: Store, ending: Ending, place: Place = CHAT, number: int = 1) -> None:
    tale = Tale(ending.game, place, number)
    await told(store, tale, tale.opened())
    assert await store.append(replace(tale.next("end"), ending=ending)) == Taken()


def gains(results: list[PlayerResult]) -> list[int]:
    return [result.gained for result in results]


async def test_a_game_that_ends_has_results_ratings_and_tallies(store: Store) -> None:
    await store.save_room(Room(CHAT, community="server", channel="above"))
    await end(store, between("a0", "bo", "ana"))
    bo, ana = rated([NEWCOMER, NEWCOMER], [1, 2], ENDED)
    shared = (1, ENDED, "telegram/above", "telegram/server")
    assert list(await store.results("a0")) == [
        PlayerResult(
            "a0", "bo", 0, "casino", *shared, 1, 4, True, False, True, None, NEWCOMER, Rating(bo.mu, bo.sigma)
        ),
        PlayerResult(
            "a0", "ana", 1, "casino", *shared, 2, 3, False, False, True, None, NEWCOMER,
            Rating(ana.mu, ana.sigma),
        ),
    ]  # fmt: skip
    assert await store.ratings("bo") == {"casino": bo}
    assert await store.ratings("ana") == {"casino": ana}
    assert await store.ratings("cy") == {}
    assert await tallies(store) == {
        Tally(scope, period, key, person, False, 1, won, one.shown - 1000)
        for scope in ("", "c:telegram/above", "s:telegram/server")
        for period in ("", "2026-11", "2026-W47")
        for key in ("", "casino")
        for person, won, one in (("bo", 1, bo), ("ana", 0, ana))
    }


async def test_a_finished_game_of_older_rules_keeps_its_result_when_it_is_read(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = await service_with(dealt("cardlebones"), store=store)
    (listing,) = await store.tables(HOME)
    await finish_game(service, await service.table(listing.game))
    over, before = await service.table(listing.game), await store.load(listing.game)
    assert before is not None
    monkeypatch.setattr(type(over.game), "revision", over.revision + 1)
    table = await TableService(store, VirtualClock()).table(over.id)
    assert (table.outdated, table.status, table.ended, table.result) == (True, "over", "", over.result)
    assert await store.load(over.id) == before


async def test_tallies_add_up_and_ratings_follow_one_another(store: Store) -> None:
    await end(store, between("a0", "bo", "ana"))
    await end(store, between("a1", "bo", "ana", ended=ENDED + 1))
    results = [*await store.results("a0"), *await store.results("a1")]
    assert [result.number for result in results] == [1, 1, 2, 2]
    bo = await store.ratings("bo")
    assert bo["casino"].games == 2
    assert results[2].before == results[0].after
    total = Tally("", "", "", "bo", False, 2, 2, bo["casino"].shown - 1000)
    assert total in await tallies(store)


async def test_a_game_that_is_not_rated_changes_no_rating(store: Store) -> None:
    await end(store, replace(between("a0", "bo", "ana"), unrated="kicked"))
    results = list(await store.results("a0"))
    assert [result.unrated for result in results] == ["kicked", "kicked"]
    assert gains(results) == [0, 0]
    assert await store.ratings("bo") == {}
    assert Tally("", "", "", "bo", False, 1, 1, 0) in await tallies(store)


async def test_a_game_that_does_not_count_is_in_no_tally(store: Store) -> None:
    ending = between("a0", "bo", "ana")
    finishes = tuple(replace(finish, counts=False) for finish in ending.finishes)
    await end(store, replace(ending, finishes=finishes, unrated="taken_back"))
    assert [result.counts for result in await store.results("a0")] == [False, False]
    assert await tallies(store) == set()


async def test_a_leaver_is_rated_behind_all_and_a_substitute_is_not_rated(store: Store) -> None:
    ending = Ending(
        "a0", "casino", ENDED, (finish("ana", 3, left=True), finish("bo", 2), finish("cy", 3),
        finish("dee", 1, starter=False)),
    )  # fmt: skip
    await end(store, ending)
    results = {result.person: result for result in await store.results("a0")}
    bo, cy, ana = rated([NEWCOMER] * 3, [1, 2, 3], ENDED)
    found = {person: (await store.ratings(person)).get("casino") for person in ("ana", "bo", "cy", "dee")}
    mus = {person: rating.mu for person, rating in found.items() if rating}
    assert mus == {"ana": ana.mu, "bo": bo.mu, "cy": cy.mu}
    assert (results["dee"].unrated, results["dee"].after) == ("substitute", None)
    assert results["ana"].unrated is None


async def test_more_games_than_ten_a_day_between_the_same_people_are_not_rated(store: Store) -> None:
    for n in range(MOST_A_DAY):
        await end(store, between(f"a{n}", "bo", "ana", ended=ENDED + n))
        await end(store, between(f"b{n}", "bo", "ana", "cy", ended=ENDED + n))
    await end(store, between("often", "ana", "bo", ended=ENDED + 100))
    await end(store, between("others", "ana", "cy", ended=ENDED + 100))
    await end(store, between("tomorrow", "ana", "bo", ended=ENDED + 86_400))
    assert {result.unrated for result in await store.results("often")} == {"often"}
    assert {result.unrated for result in await store.results("others")} == {None}
    assert {result.unrated for result in await store.results("tomorrow")} == {None}


async def test_games_wait_while_earlier_ones_are_unsettled(store: Store) -> None:
    first, second = between("a0", "bo", "ana"), between("a1", "ana", "bo", ended=ENDED + 1)
    await end(store, first)
    assert await store.unsettle() == 1
    assert list(await store.results("a0")) == []
    assert await store.ratings("bo") == {}
    assert await tallies(store) == set()
    await end(store, second)
    assert list(await store.results("a1")) == []
    unsettled = await store.unsettled(1)
    assert (unsettled.games, unsettled.left) == (((1, "a0"),), 2)
    # Only the next game is settled: no later one, and none after a gap.
    assert await store.settle([(2, second)]) == 0
    assert await store.settle([(1, first), (3, second)]) == 1
    assert await store.settle([(1, first)]) == 0
    assert await store.settle([(2, second)]) == 1
    assert (await store.unsettled(9)).left == 0
    await end(store, between("a2", "bo", "ana", ended=ENDED + 2))
    assert (await store.ratings("bo"))["casino"].games == 3


async def test_a_game_without_a_result_is_settled_without_rows(store: Store) -> None:
    await end(store, between("a0", "bo", "ana"))
    await store.unsettle()
    assert await store.settle([(1, None)]) == 1
    assert list(await store.results("a0")) == []
    assert (await store.unsettled(9)).left == 0


async def test_a_game_that_an_older_process_has_ended_is_taken_in(store: Store) -> None:
    await end(store, between("a0", "bo", "ana"))
    tale = Tale("a1", CHAT, 2)
    await told(store, tale, tale.opened())
    await told(store, tale, tale.next("end"))
    # A store in memory has been used by no older process.
    lacking = () if isinstance(store, MemoryStore) else ((2, "a1"),)
    assert await store.adopt() == len(lacking)
    assert await store.adopt() == 0
    assert (await store.unsettled(9)).games == lacking


async def test_two_processes_settle_each_game_once_and_in_order(store: Store) -> None:
    games = [played(ENDED + n, n + 1) for n in range(2 * CHUNK + 3)]
    for game in games:
        assert await store.append(replace(batch(game, 0), ending=ending_of(game))) == Taken()
    before = [await store.results(game.id) for game in games], await tallies(store)
    await store.unsettle()
    clock = VirtualClock(eager=True)
    counts = await asyncio.gather(*(Settler(store, clock, idle=0).settle_all() for _ in range(2)))
    assert sum(counts) == len(games)
    assert ([await store.results(game.id) for game in games], await tallies(store)) == before
    assert before[0][-1][0].number == len(games)


async def test_results_and_tallies_move_with_their_chat(store: Store) -> None:
    old, new = Place("telegram", "-1"), Place("telegram", "-100")
    await store.save_room(Room(old, community="-1"))
    await store.save_room(Room(new, community="-100"))
    await end(store, between("a0", "bo", "ana"), old)
    await end(store, between("a1", "bo", "ana", ended=ENDED + 1), new)
    await store.move_chat("telegram", "-1", "-100")
    results = [*await store.results("a0"), *await store.results("a1")]
    assert {(result.channel, result.server) for result in results} == {("telegram/-100", "telegram/-100")}
    counted = {(tally.scope, tally.games) for tally in await tallies(store)}
    assert counted == {("", 2), ("c:telegram/-100", 2), ("s:telegram/-100", 2)}
