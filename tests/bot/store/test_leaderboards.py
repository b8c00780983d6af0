"""The reads of leaderboards and profiles: the same from every store."""

from __future__ import annotations

import pytest

from bot.model.ids import PersonId
from bot.model.leaderboards import ORDERS, Leaderboard, LeaderboardPage
from bot.model.people import Person
from bot.model.places import Place, Room
from bot.model.results import Ending, Finish
from bot.storage import Store
from bot.store.memory.store import MemoryStore
from bot.store.reading import leaderboards
from engines.values import replace
from tests import luck
from tests.bot.store.tables import CHAT
from tests.bot.store.test_results import ENDED, between, end

THERE = Place("telegram", "-200")
PEOPLE = ("ana", "bo", "cy", "di")


async def furnished(store: Store, games: int = 40) -> None:
    """Stores games of four people in two places; Di is hidden."""
    rng = luck.rng("leaderboards")
    await store.save_room(Room(CHAT, community="server", channel="above"))
    for person in PEOPLE:
        await store.save_person(Person(person, person.title(), hidden=person == "di"))
    for n in range(games):
        await end(store, drawn(n, rng.sample(PEOPLE, rng.choice((1, 2, 2, 3)))), (CHAT, THERE)[n % 2], n + 1)


def drawn(n: int, people: list[PersonId]) -> Ending:
    """The n-th game, fifty hours after the one before; a single person plays against computers."""
    ending = between(f"{n:010x}", *people, ended=ENDED - 7_000_000 + n * 180_000)
    ending = replace(ending, key=("casino", "svoi", "casino")[n % 3])
    if len(people) == 1:
        alone = Finish(people[0], 0, 1, 3, won=n % 4 > 0, alone=True)
        return replace(ending, finishes=(alone,), unrated="computers")
    return ending


def all_leaderboards() -> list[Leaderboard]:
    scopes = ("", "c:telegram/above", "c:telegram/-200", "s:telegram/server", "s:telegram/nowhere")
    periods = ("", "2026-11", "2026-W47")
    return [
        Leaderboard(scope, period, key, order, alone)
        for scope in scopes
        for period in periods
        for key in ("", "casino")
        for order in ORDERS
        for alone in (False, True)
    ]


@pytest.mark.parametrize(("part", "reader"), list(enumerate(["", "ana", "di"])))
async def test_every_store_ranks_alike(store: Store, part: int, reader: PersonId) -> None:
    model = MemoryStore()
    for each in (store, model):
        await furnished(each)
    assert len(all_leaderboards()) == 180
    for n, leaderboard in enumerate(all_leaderboards()[part::3]):
        first, count = ((0, 9), (1, 1), (0, 1))[n % 3]
        expected = await model.leaderboard(leaderboard, reader, first, count)
        assert await store.leaderboard(leaderboard, reader, first, count) == expected, leaderboard
    for person in PEOPLE:
        keys = ("casino", "svoi")
        expected_profile = await model.profile(person, reader or person, keys)
        found = await store.profile(person, reader or person, keys)
        assert replace(found, tallies=()) == replace(expected_profile, tallies=())
        assert set(found.tallies) == set(expected_profile.tallies)
    for scope in ("", "c:telegram/above", "s:telegram/nowhere"):
        most = await model.game_with_most_wins(scope, ("casino", "svoi"))
        assert await store.game_with_most_wins(scope, ("casino", "svoi")) == most


async def ranked(
    store: Store, leaderboard: Leaderboard, reader: PersonId = "", first: int = 0
) -> list[tuple[int, str]]:
    return [
        (line.rank, line.person) for line in (await store.leaderboard(leaderboard, reader, first, 9)).lines
    ]


async def test_wins_rank_and_fewer_games_break_ties(store: Store) -> None:
    await end(store, between("a0", "bo", "ana"), number=1)
    await end(store, between("a1", "bo", "cy"), number=2)
    await end(store, between("a2", "cy", "ana"), number=3)
    await end(store, between("a3", "ana", "di"), number=4)
    assert await ranked(store, Leaderboard()) == [(1, "bo"), (2, "cy"), (3, "ana"), (4, "di")]
    assert (await ranked(store, Leaderboard(order="games")))[:1] == [(1, "ana")]
    [line] = (await store.leaderboard(Leaderboard(), "", 0, 1)).lines
    assert (line.games, line.wins, line.form) == (2, 2, (True, True))


async def test_the_readers_line_stands_apart(store: Store) -> None:
    await furnished(store)
    page = await store.leaderboard(Leaderboard(), "ana", 0, 1)
    whole = (await store.leaderboard(Leaderboard(), "ana", 0, 9)).lines
    assert page.more
    assert page.own == next(line for line in whole if line.person == "ana")


async def test_hidden_people_are_on_no_leaderboard_and_have_no_line(store: Store) -> None:
    await furnished(store)
    for leaderboard in all_leaderboards()[::5]:
        page = await store.leaderboard(leaderboard, "di", 0, 9)
        assert "di" not in [line.person for line in page.lines]
        assert page.own is None


async def test_who_is_hidden_is_nobodys_rival(store: Store) -> None:
    await furnished(store)
    rivals = (await store.profile("ana", "ana", ("casino",))).rivals
    assert [rival.person for rival in rivals if rival.person == "di"] == []
    assert rivals


async def test_two_are_compared_by_who_was_ahead(store: Store) -> None:
    await end(store, between("a0", "bo", "ana", "cy"), number=1)
    await end(store, between("a1", "cy", "bo", "ana"), number=2)
    await end(store, between("a2", "ana", "bo"), number=3)
    await end(store, between("a3", "cy", "bo"), number=4)
    [rival] = (await store.profile("bo", "ana", ("casino",))).rivals
    assert (rival.person, rival.games, rival.ahead, rival.behind) == ("bo", 3, 1, 2)


async def test_a_rating_is_gained_within_a_period(store: Store) -> None:
    await end(store, between("a0", "bo", "ana"), number=1)
    leaderboard = Leaderboard(period="2026-11", order="rating")
    lines = {line.person: line.gained for line in (await store.leaderboard(leaderboard, "", 0, 9)).lines}
    [ana, bo] = sorted(await store.results("a0"), key=lambda result: result.person)
    assert lines == {"ana": ana.gained, "bo": bo.gained}
    assert await store.leaderboard(replace(leaderboard, period="2026-10"), "", 0, 9) == LeaderboardPage(
        (), None, False
    )


async def test_a_forgotten_person_is_on_no_leaderboard_and_others_keep_their_results(store: Store) -> None:
    await furnished(store)
    before = await store.leaderboard(Leaderboard(key="casino", order="rating"), "bo", 0, 9)
    await store.forget("ana", "x")
    after = await store.leaderboard(Leaderboard(key="casino", order="rating"), "bo", 0, 9)
    kept = [replace(line, rank=0) for line in before.lines if line.person != "ana"]
    assert [replace(line, rank=0) for line in after.lines] == kept
    for leaderboard in all_leaderboards():
        lines = (await store.leaderboard(leaderboard, "bo", 0, 9)).lines
        assert not {"ana", "x"}.intersection(line.person for line in lines), leaderboard
    assert (await store.profile("ana", "ana", ("casino",))).tallies == ()
    assert (await store.profile("x", "x", ("casino",))).tallies != ()


async def test_the_games_that_an_alias_has_already_are_added_to_those_of_the_forgotten_person(
    store: Store,
) -> None:
    await end(store, between("a0", "ana", "bo"), number=1)
    # Its log names the alias already, though the results of the person have not moved yet.
    await end(store, between("a1", "x", "bo", ended=ENDED + 60.0), number=2)
    before = (await store.ratings("ana"))["casino"]
    await store.forget("ana", "x")
    assert await store.ratings("x") == {"casino": before}
    profile = await store.profile("x", "x", ("casino",))
    [whole] = [tally for tally in profile.tallies if not tally.key]
    assert (whole.games, whole.wins) == (2, 2)
    assert [result.game for result in profile.recent] == ["a0", "a1"]


async def test_old_months_and_weeks_are_purged_some_at_a_time(store: Store) -> None:
    await furnished(store)
    kept = [Leaderboard(period=period, order="games") for period in ("", "2026-11", "2026-W47")]
    before = [await store.leaderboard(leaderboard, "", 0, 9) for leaderboard in kept]
    assert (await store.leaderboard(Leaderboard(period="2026-10"), "", 0, 9)).lines
    purged = [await store.purge_tallies("2026-11", "2026-W47", 100)]
    while purged[-1]:
        purged.append(await store.purge_tallies("2026-11", "2026-W47", 100))
    assert len(purged) > 3
    assert set(purged[:-2]) == {100}
    for period in ("2026-09", "2026-10", "2026-W44", "2026-W46"):
        assert not (await store.leaderboard(Leaderboard(period=period, order="games"), "", 0, 9)).lines
    assert [await store.leaderboard(leaderboard, "", 0, 9) for leaderboard in kept] == before


async def test_a_large_server_is_ranked_alike(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    await furnished(store)
    leaderboard = Leaderboard("s:telegram/server", key="casino", order="rating")
    expected = [await store.leaderboard(leaderboard, "ana", first, 2) for first in (0, 2)]
    assert len(expected[0].lines) == 2
    monkeypatch.setattr(leaderboards, "LARGE", 1)
    assert [await store.leaderboard(leaderboard, "ana", first, 2) for first in (0, 2)] == expected
