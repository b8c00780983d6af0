"""What the end page says of ratings: how they have changed, or why they have not."""

from __future__ import annotations

import pytest

from bot.i18n import Speech
from bot.model.people import Person
from bot.model.results import Unrated
from bot.pages.results.rating_captions import rating_captions
from bot.ratings import MOST_A_DAY
from bot.settings.choices import Language
from bot.store.memory.store import MemoryStore
from bot.table_service.service import TableService
from bot.tables import lobby
from bot.tables.log.commitment import ChosenSeed
from bot.tables.table import Table
from engines.game import Result, Seat
from engines.values import replace
from tests.bot.tables.test_endings import dealt, take, won
from tests.bot.tables.test_lobby import ANA, BETO, EVA
from tests.support.clock import VirtualClock


def sentences(table: Table, seat: Seat | None = None, language: Language = "en") -> list[str]:
    speech = Speech(language, tuple(player.name for player in table.players))
    return list(map(speech, rating_captions(table, seat)))


async def finished(table: Table, *, hides: str = "", reload: bool = False) -> Table:
    """The table after its second player has given it up, as the service holds it.

    With ``reload``, as another service reads it from the store.
    """
    store = MemoryStore()
    for person in (ANA, BETO, EVA):
        await store.save_person(Person(person, person, hidden=person == hides))
    service = TableService(store, VirtualClock())
    await service.open(table.place, lambda n: replace(table, number=n))
    over = await service.change(table.id, lambda table: table.add("forfeit", 1))
    return await TableService(store, VirtualClock()).table(table.id) if reload else over


@pytest.mark.parametrize("reload", [False, True])
async def test_the_public_reads_all_ratings_and_a_player_their_own(reload: bool) -> None:
    over = await finished(dealt(ANA, BETO), reload=reload)
    assert sentences(over) == ["Ratings: Ana (1137?, +137) and Beto (927?, −73)."]
    assert sentences(over, 0) == ["Your rating: 1137 (+137), still provisional."]
    assert sentences(over, 1, "es") == ["Tu puntuación: 927 (−73), todavía provisional."]
    assert sentences(over, None, "es") == ["Puntuaciones: Ana (1137?, +137) y Beto (927?, −73)."]


async def test_a_rating_that_is_settled_has_no_question_mark() -> None:
    over = await finished(dealt(ANA, BETO))
    results = tuple(
        replace(result, after=replace(result.after, sigma=2.0) if result.after else None)
        for result in over.results
    )
    settled = replace(over, results=results)
    assert sentences(settled)[0].startswith("Ratings: Ana (1865, +865)")
    assert sentences(settled, 0) == ["Your rating: 1865 (+865)."]


async def test_the_rating_of_a_person_who_is_hidden_is_told_to_them_alone() -> None:
    over = await finished(dealt(ANA, BETO), hides=ANA)
    assert sentences(over) == ["Ratings: Beto (927?, −73)."]
    assert sentences(over, 0) == ["Your rating: 1137 (+137), still provisional."]


async def test_a_substitute_is_told_why_their_rating_stays_and_the_one_who_left_is_named() -> None:
    table = take(lobby.leave(dealt(ANA, BETO), BETO), 1, EVA)
    over = await finished(table)
    assert sentences(over, 1) == ["You came in during the game, so your rating stays as it was."]
    assert sentences(over) == ["Ratings: Ana (1137?, +137) and Beto (927?, −73)."]


@pytest.mark.parametrize(
    ("table", "why"),
    [
        (dealt(ANA, BETO, seats=3), "A computer played from the start, so this game isn't rated."),
        (
            replace(dealt(ANA, BETO), seed_source=ChosenSeed("S")),
            "The deal was chosen, so this game isn't rated.",
        ),
        (
            lobby.kick(dealt(ANA, BETO), 1, ANA, moderator=False),
            "A player was removed, so this game isn't rated.",
        ),
        (
            replace(dealt(ANA, BETO), taken_back=True),
            "Moves were taken back, so this game isn't rated and doesn't count on the leaderboard.",
        ),
    ],
)
async def test_a_game_that_is_not_rated_says_why(table: Table, why: str) -> None:
    over = won(table, *range(len(table.players)))
    assert sentences(over) == sentences(over, 0) == [why]


async def test_a_game_of_people_who_have_played_often_that_day_says_so() -> None:
    over = await finished(dealt(ANA, BETO))
    often: Unrated = "often"
    results = tuple(replace(result, before=None, after=None, unrated=often) for result in over.results)
    expected = "These players have had ten rated games today, so this one isn't rated."
    assert sentences(replace(over, results=results)) == [expected]
    assert MOST_A_DAY == 10


def test_a_player_among_computers_is_told_nothing_of_ratings() -> None:
    alone = dealt(ANA, seats=2)
    assert sentences(won(alone, 1, 2)) == []
    expected = "Moves were taken back, so this game doesn't count on the leaderboard."
    assert sentences(won(replace(alone, taken_back=True), 1, 2)) == [expected]


def test_while_the_results_are_unknown_nothing_is_said() -> None:
    assert sentences(replace(dealt(ANA, BETO), result=Result.of((1, 2)))) == []
