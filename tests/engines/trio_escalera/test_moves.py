"""The movements of hand cards alone that are suggested, against every choice of cards, tried."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import chain, combinations

import pytest

from engines.cards import Card
from engines.game import IllegalMove, Move
from engines.trio_escalera import game
from engines.trio_escalera.groups import illegal
from engines.trio_escalera.state import State
from tests.engines.playing import Table, states

MOST = 9
"""Of a greater hand there would be too many choices."""
RULES: tuple[dict[str, str], ...] = ({}, {"ace": "low"}, {"ace": "wrap"}, {"table_moves": "off"})
TABLES = [
    Table(game, 2 + number, options, f"moves {number}".encode()) for number, options in enumerate(RULES)
]


def whole_tables(table: Table) -> list[State]:
    """Some states with no broken group, in which a hand that is not too great may be used."""
    fitting = [
        state
        for state in states(table, random.Random(1))
        if game.result(state) is None
        and state.movements_left
        and len(state.hands[state.turn]) <= MOST
        and not illegal(state.groups, state.ace)
    ]
    return random.Random(34).sample(fitting, min(8, len(fitting)))


def is_accepted(state: State, move: Move) -> bool:
    try:
        game.apply(state, state.turn, move)
    except IllegalMove:
        return False
    return True


def said(state: State) -> Iterator[Move]:
    """Every choice of hand cards laid, and added to every group."""
    hand = state.hands[state.turn]
    for cards in chain.from_iterable(combinations(hand, n) for n in range(1, len(hand) + 1)):
        yield Move("lay", cards)
        yield from (Move("add", (group.name, *cards)) for group in state.groups)


def look(move: Move) -> tuple[str, ...]:
    """A movement but for the backs of its cards: of two equal cards only one is suggested for a run."""
    group = move.words[: move.verb == "add"]
    return (*group, *sorted(Card(word).rank + Card(word).suit for word in move.words[len(group) :]))


@pytest.mark.parametrize("table", TABLES, ids=lambda table: ",".join(table.options.values()) or "default")
def test_every_movement_of_hand_cards_is_suggested(table: Table) -> None:
    some = whole_tables(table)
    assert some
    for state in some:
        hand = set(state.hands[state.turn])
        listed = [move for move in game.moves(state, state.turn) if move.verb in game.wide]
        from_hand = {look(move) for move in listed if hand.issuperset(move.words[move.verb == "add" :])}
        assert from_hand == {look(move) for move in said(state) if is_accepted(state, move)}
