"""Throw-in, the tests' own game: several players may act at once, and one loses."""

from __future__ import annotations

from engines import games
from engines.game import Awaited, Game, Name, Result, Text
from tests.support.games.throw_in import State
from tests.support.games.throw_in.positions import load, position, reach
from tests.support.games.throw_in.rules import View


def test_it_is_found_during_a_test(throw_in: Game[State, View]) -> None:
    assert games()["throw_in"] is throw_in


def test_it_is_found_in_no_other_test() -> None:
    assert "throw_in" not in games()


def test_all_but_the_leader_must_act_at_once_and_the_leader_may(throw_in: Game[State, View]) -> None:
    state = load(position("7H 8H", "7S", "9S", "7D", table="7C"))
    assert throw_in.awaited(throw_in.view(state, None)) == Awaited((1, 2, 3), (0,))
    state = reach(state, (3, "throw 7D"), (0, "throw 7H"), (1, "throw 7S"), (2, "pass"))
    assert throw_in.awaited(throw_in.view(state, None)) == Awaited((2,))


def test_the_last_with_cards_loses(throw_in: Game[State, View]) -> None:
    state = reach(position("9S", "7S", "", table="7C"), (1, "throw 7S"))
    loses = Text("{who} is left with cards.", who=Name(0))
    assert throw_in.result(state) == Result((-1, 0, 0), (1, 2), loses)
