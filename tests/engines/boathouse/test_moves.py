"""The listed melds and lay-offs, against a trial of every choice of cards."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, combinations, count

import pytest

from engines.boathouse.rules import game
from engines.boathouse.state import State, in_canonical_order
from engines.game import IllegalMove, Move
from tests import luck
from tests.engines.playing import Setup, states

MOST_CARDS = 9
"""The most cards of a hand that is tried: greater ones have too many choices."""
STATES = 8
"""The number of states that are tried for each number of seats."""


def small_hands(seats: int) -> list[State]:
    """Some states after the draw in which the hand is small enough to try, from as many games as it takes."""
    fitting: list[State] = []
    for number in count():
        if len(fitting) >= STATES:
            break
        played = states(Setup(game, seats, {}, b"moves %d %d" % (seats, number)), luck.rng(number))
        fitting += [state for state in played if game.result(state) is None and is_small(state)]
    return luck.rng().sample(fitting, STATES)


def is_small(state: State) -> bool:
    return state.phase == "play" and len(state.hands[state.turn]) <= MOST_CARDS


def is_accepted(state: State, move: Move) -> bool:
    try:
        game.apply(state, state.turn, move)
    except IllegalMove:
        return False
    return True


def every_choice(state: State) -> Iterator[Move]:
    """A meld of every choice of cards, and every choice added to every meld of the table."""
    hand = in_canonical_order(state.hands[state.turn])
    for cards in chain.from_iterable(combinations(hand, n) for n in range(1, len(hand) + 1)):
        yield Move("meld", cards)
        yield from (Move("layoff", (meld.name, *cards)) for meld in state.melds)


@pytest.mark.parametrize("seats", game.seats)
def test_every_meld_and_lay_off_is_listed(seats: int) -> None:
    for state in small_hands(seats):
        listed = [move for move in game.moves(state, state.turn) if move.verb in ("meld", "layoff")]
        expected = [move for move in every_choice(state) if is_accepted(state, move)]
        assert sorted(map(str, listed)) == sorted(map(str, expected))
