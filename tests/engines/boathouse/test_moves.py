"""The listed melds and lay-offs, against a trial of every choice of cards."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, combinations

import pytest

from engines.boathouse import game
from engines.boathouse.state import State, in_canonical_order
from engines.game import IllegalMove, Move
from tests import luck
from tests.engines.playing import Table, states

MOST = 9
"""The most cards of a hand that is tried: greater ones have too many choices."""
TABLES = [Table(game, seats, {}, f"moves {seats}".encode()) for seats in game.seats]


def small_hands(table: Table) -> list[State]:
    """Some states after the draw in which the hand is small enough to try."""
    fitting = [
        state
        for number in range(4)
        for state in states(table, luck.rng(number))
        if game.result(state) is None and state.phase == "play" and len(state.hands[state.turn]) <= MOST
    ]
    return luck.rng().sample(fitting, min(8, len(fitting)))


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


@pytest.mark.parametrize("table", TABLES, ids=lambda table: str(table.seats))
def test_every_meld_and_lay_off_is_listed(table: Table) -> None:
    some = small_hands(table)
    assert some
    for state in some:
        listed = [move for move in game.moves(state, state.turn) if move.verb in ("meld", "layoff")]
        expected = [move for move in every_choice(state) if is_accepted(state, move)]
        assert sorted(map(str, listed)) == sorted(map(str, expected))
