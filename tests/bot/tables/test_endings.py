"""What the end of a game says of each person, and which games are rated: one rule per test."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bot.model.ids import PersonId
from bot.model.results import Ending, Finish, Unrated
from bot.model.tables import Refused
from bot.store.memory.store import MemoryStore
from bot.table_service.settler import Settler
from bot.table_service.stored import batch
from bot.tables import lobby
from bot.tables.endings import ending_of
from bot.tables.log.commitment import ChosenSeed
from bot.tables.seating import seat_of
from bot.tables.table import Table
from engines.game import Level, Result
from engines.values import replace
from tests.bot.tables.test_lobby import ANA, BETO, DORA, EVA, NAMES
from tests.bot.tables.test_table import older, play_on
from tests.support.clock import VirtualClock


def dealt(*people: str, key: str = "casino", seats: int = 0, at: float = 1000.0, n: int = 1) -> Table:
    """A game that has just begun; computers fill it up to ``seats``, or to the fewest that the game needs."""
    table = Table.open(key, owner=people[0], number=n, planned_seats=seats, clock=0).dated(0, at).at(at)
    for person in people:
        table = lobby.join(table, person, NAMES[person])
    return lobby.start(table, people[0])


def won(table: Table, *scores: int) -> Table:
    """The table after a game with these scores."""
    return replace(table, result=Result.of(scores))


def ending(table: Table) -> Ending:
    found = ending_of(table)
    assert found is not None
    return found


def finishes(table: Table) -> dict[PersonId, Finish]:
    return {finish.person: finish for finish in ending(table).finishes}


def take(table: Table, seat: int, person: PersonId) -> Table:
    """The table after a person has taken a seat that a computer held."""
    return table.add("take", seat, person=person, name=NAMES[person])


def unrated(table: Table) -> Unrated | None:
    return ending(table).unrated


def test_people_are_placed_by_points_and_equal_points_share_a_place() -> None:
    over = ending(won(dealt(ANA, BETO, EVA), 3, 7, 3))
    finishes = [(finish.person, finish.seat, finish.place, finish.score) for finish in over.finishes]
    assert finishes == [(ANA, 0, 2, 3), (BETO, 1, 1, 7), (EVA, 2, 2, 3)]
    assert [finish.won for finish in over.finishes] == [False, True, False]
    assert (over.key, over.unrated) == ("casino", None)
    assert all(
        finish.starter and finish.counts and not finish.left and not finish.alone for finish in over.finishes
    )


def test_after_a_draw_all_are_first_and_nobody_has_won() -> None:
    drawn = finishes(won(dealt(ANA, BETO), 7, 7))
    assert [(one.place, one.won) for one in drawn.values()] == [(1, False), (1, False)]


def test_a_draw_with_a_player_who_has_left_is_one_in_lists_too() -> None:
    """A listing tells of a draw by a win of all seats."""
    table = won(lobby.leave(dealt(ANA, BETO), BETO), 7, 7)
    assert [seated.won for seated in table.listing.seats] == [True, True]
    assert not any(one.won for one in finishes(table).values())


def test_a_player_who_has_left_has_won_in_no_list() -> None:
    table = won(lobby.leave(dealt(ANA, BETO), BETO), 3, 7)
    assert [seated.won for seated in table.listing.seats] == [False, False]


def test_a_win_that_some_share_is_one_for_each_of_them() -> None:
    shared = finishes(won(dealt(ANA, BETO, EVA), 7, 3, 7))
    assert [one.won for one in shared.values()] == [True, False, True]


def test_a_player_whose_seat_a_computer_holds_is_last() -> None:
    left = finishes(won(lobby.leave(dealt(ANA, BETO, EVA), BETO), 3, 7, 5))
    assert {person: (one.place, one.won, one.left) for person, one in left.items()} == {
        ANA: (2, False, False), EVA: (1, False, False), BETO: (3, False, True),
    }  # fmt: skip


def test_a_player_who_came_back_is_placed_by_points() -> None:
    back = finishes(won(lobby.come_back(lobby.leave(dealt(ANA, BETO), BETO), BETO), 3, 7))
    assert (back[BETO].place, back[BETO].won, back[BETO].left) == (1, True, False)


def test_a_substitute_plays_for_themselves_and_the_player_who_left_is_last() -> None:
    table = finishes(won(take(lobby.leave(dealt(ANA, BETO), BETO), 1, EVA), 3, 7))
    assert (table[EVA].place, table[EVA].won, table[EVA].starter) == (1, True, False)
    assert (table[ANA].place, table[ANA].starter) == (2, True)
    assert (table[BETO].place, table[BETO].won, table[BETO].left) == (2, False, True)
    assert unrated(won(take(lobby.leave(dealt(ANA, BETO), BETO), 1, EVA), 3, 7)) is None


def test_a_player_who_left_their_seat_for_another_is_last_all_the_same() -> None:
    table = lobby.leave(lobby.leave(dealt(ANA, BETO, EVA), BETO), EVA)
    over = finishes(won(take(take(table, 2, BETO), 1, DORA), 3, 5, 7))
    assert (over[BETO].seat, over[BETO].place, over[BETO].left) == (1, 3, True)
    assert (over[EVA].seat, over[EVA].left) == (2, True)


def test_a_forfeit_puts_its_player_behind_all_others() -> None:
    table = replace(dealt(ANA, BETO, EVA), vanish="forfeit")
    over = finishes(lobby.leave(table, BETO))
    assert {person: (one.place, one.won) for person, one in over.items()} == {
        ANA: (1, True), BETO: (3, False), EVA: (1, True),
    }  # fmt: skip


def test_a_game_between_people_alone_is_rated() -> None:
    assert unrated(won(dealt(ANA, BETO), 1, 2)) is None


def test_a_game_in_which_a_computer_was_dealt_cards_is_not_rated() -> None:
    assert unrated(won(dealt(ANA, BETO, seats=3), 1, 2, 3)) == "computers"
    assert unrated(won(take(dealt(ANA, BETO, seats=3), 2, EVA), 1, 2, 3)) == "computers"


def test_a_game_with_a_player_without_an_account_is_not_rated() -> None:
    table = dealt(ANA, BETO)
    guest = replace(table.players[1], person=None)
    assert unrated(won(replace(table, players=(table.players[0], guest), starters=(guest, guest)), 1, 2)) == (
        "guests"
    )


def test_a_game_from_a_chosen_deal_is_not_rated() -> None:
    assert unrated(won(replace(dealt(ANA, BETO), seed_source=ChosenSeed("S")), 1, 2)) == "chosen"


def test_a_game_in_which_a_player_was_kicked_is_not_rated() -> None:
    kicked = lobby.kick(dealt(ANA, BETO, EVA), 1, ANA, moderator=False)
    assert unrated(won(kicked, 1, 2, 3)) == "kicked"
    assert unrated(won(take(kicked, 1, DORA), 1, 2, 3)) == "kicked"


def test_a_player_who_was_kicked_before_the_start_does_not_matter() -> None:
    table = Table.open("casino", owner=ANA, clock=0)
    for person in (ANA, BETO, EVA):
        table = lobby.join(table, person, NAMES[person])
    table = lobby.start(lobby.kick(table, 1, ANA, moderator=False), ANA)
    assert unrated(won(table, 1, 2)) is None


def test_a_game_with_moves_taken_back_is_neither_rated_nor_counted() -> None:
    over = ending(won(replace(dealt(ANA, BETO), taken_back=True), 1, 2))
    assert over.unrated == "taken_back"
    assert [(finish.counts, finish.won) for finish in over.finishes] == [(False, False), (False, True)]


@pytest.mark.parametrize(("level", "counts"), [("easy", False), ("normal", True)])
def test_a_game_with_easy_computers_alone_does_not_count(level: Level, counts: bool) -> None:
    table = Table.open("casino", owner=ANA, level=level, planned_seats=2, clock=0)
    one = finishes(won(lobby.start(lobby.join(table, ANA, "Ana"), ANA), 2, 1))[ANA]
    assert (one.alone, one.counts, one.won) == (True, counts, True)


STEPS: Mapping[str, Callable[[Table], Table]] = {
    "easy": lambda table: lobby.set_level(table, ANA, "easy"),
    "hard": lambda table: lobby.set_level(table, ANA, "hard"),
    "add": lambda table: lobby.add_computer(table, ANA),
    "join": lambda table: lobby.join(table, BETO, NAMES[BETO]),
    "start": lambda table: lobby.start(table, ANA),
    "leave": lambda table: lobby.leave(table, BETO),
    "kick": lambda table: lobby.kick(table, seat_of(table, BETO), ANA, moderator=False),
    "back": lambda table: lobby.come_back(table, BETO),
}


@example(["join", "hard", "add", "easy", "start", "leave", "kick"])
@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(sorted(STEPS)), max_size=9))
def test_all_computers_at_a_table_are_of_its_level(steps: list[str]) -> None:
    """So games count against all computers of a table or against none."""
    table = lobby.join(Table.open("casino", owner=ANA, clock=0), ANA, NAMES[ANA])
    for step in steps:
        with suppress(Refused):
            table = STEPS[step](table)
        assert {player.level for player in table.players if player.is_computer} <= {table.level}


def test_a_player_who_kicked_all_others_played_alone() -> None:
    kicked = lobby.kick(dealt(ANA, BETO), 1, ANA, moderator=False)
    assert finishes(won(kicked, 2, 1))[ANA].alone
    assert not finishes(won(lobby.leave(dealt(ANA, BETO), BETO), 2, 1))[ANA].alone


def test_a_table_that_was_closed_has_no_ending() -> None:
    assert ending_of(lobby.end(dealt(ANA, BETO), ANA, moderator=False)) is None
    assert ending_of(dealt(ANA, BETO)) is None


def test_a_rematch_or_a_person_who_is_forgotten_does_not_change_the_time_of_the_end() -> None:
    over = play_on(dealt(ANA, BETO, key="cardlebones").at(2000.0)).at(9000.0)
    after, _ = lobby.rematch(over, ANA, 2)
    assert after.entries[-1].at == 9000.0
    assert (after.changed, ending(after).ended, ending(after)) == (2000.0, 2000.0, ending(over))
    assert ending(after.add("forget")) == ending(over)


def test_a_table_of_older_rules_has_the_result_of_its_listing() -> None:
    over = play_on(lobby.leave(dealt(ANA, BETO, EVA), BETO))
    listing = over.listing
    replayed = Table.replay(older(over).entries, over.seed_source)
    assert replayed.result is None
    assert ending_of(replayed) is None
    assert ending_of(replayed, listing) == ending(over)


def test_a_damaged_table_has_the_result_of_its_listing_and_is_not_rated() -> None:
    over = play_on(dealt(ANA, BETO, key="cardlebones"))
    damaged = ending_of(Table.unread(over.listing, over.seed_source), over.listing)
    assert damaged == replace(ending(over), unrated="log")


@dataclass(frozen=True)
class Story:
    """What happens in a game."""

    people: tuple[PersonId, ...]
    events: tuple[str, ...] = ()
    """Of these, all but ``undo`` befall the last seat."""
    later: float = 60.0
    """Seconds since the end of the game before."""
    times: int = 1
    """How many such games are played one after the other."""


def told(story: Story, at: float, n: int) -> Table:
    """The finished table of a story."""
    key = "cardlebones" if len(story.people) == 2 else "casino"
    table = dealt(*story.people, key=key, at=at, n=n)
    last = len(story.people) - 1
    for event in story.events:
        player, starter = table.players[last], story.people[last]
        assert player.person is not None
        stranger = next((one for one in NAMES if table.seat_of(one) is None), None)
        if event == "leave" and not player.is_held:
            table = lobby.leave(table, player.person)
        elif event == "back" and player.is_held and player.person == starter:
            table = table.add("back", last, person=starter)
        elif event == "take" and player.is_held and stranger:
            table = take(table, last, stranger)
        elif event == "kick" and not player.kicked:
            table = lobby.kick(table, last, "moderator", moderator=True)
        elif event == "undo" and not table.players[seat := table.active()[0]].is_computer:
            to, who = len(table.entries), table.players[seat].person
            table = table.play(seat, str(next(iter(table.game.moves(table.state, seat)))))
            table = table.add("undo", seat, person=who, to=to)
        elif event == "forfeit":
            return table.add("forfeit", last, person=player.person)
    return play_on(table)


STORIES = st.builds(
    Story,
    people=st.lists(st.sampled_from(sorted(NAMES)), min_size=2, max_size=3, unique=True).map(tuple),
    events=st.lists(
        st.sampled_from(["leave", "back", "take", "kick", "undo", "forfeit"]), max_size=4, unique=True
    ).map(tuple),
    later=st.sampled_from([0.0, 1.0, 3600.0, 86_400.0, 700_000.0]),
)
MANY = Story((ANA, BETO), ("forfeit",), times=12)
"""More games than are rated in a day between the same people."""


async def snapshot(store: MemoryStore, games: list[str]) -> object:
    """All rows that follow from the ends of games."""
    results = [await store.results(game) for game in games]
    return results, dict(store._endings.ratings), dict(store._endings.tallies)


async def compare(stories: list[Story]) -> None:
    """Asserts that ratings worked out anew are those that grew game by game."""
    store, at, games = MemoryStore(), 1_795_000_000.0, list[str]()
    for story in stories:
        for _ in range(story.times):
            at += story.later
            over = told(story, at, len(games) + 1)
            new = replace(batch(over, 0), ending=ending_of(over))
            await store.append(new)
            games.append(over.id)
    before = await snapshot(store, games)
    assert await store.unsettle() == len(games)
    assert await Settler(store, VirtualClock(), idle=0).settle_all() == len(games)
    assert await snapshot(store, games) == before


@example([MANY, Story((BETO, ANA, EVA), ("leave", "take")), Story((EVA, ANA), ("undo",))])
@settings(max_examples=30, deadline=None)
@given(st.lists(STORIES, max_size=4))
def test_ratings_worked_out_anew_are_those_that_grew_game_by_game(stories: list[Story]) -> None:
    asyncio.run(compare(stories))
