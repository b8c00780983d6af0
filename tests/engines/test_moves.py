"""The games' lists of legal moves, compared with a trial of many short phrases."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

import pytest

from engines import games
from engines.cards import is_card
from engines.game import IllegalMove, Move, Seat
from tests import luck
from tests.engines.playing import Setup, cards_in, declared, label, setups, states, steps
from tests.support.games.throw_in import rules as throw_in

every_table = pytest.mark.parametrize(
    "table", [table for game in (*games().values(), throw_in.game) for table in setups(game)], ids=label
)

STATES = 3
"""The most states of each table that are checked besides the first."""


def words_without_cards(table: Setup) -> list[str]:
    """The words of moves that are no cards: those played at this table and those in ``facts.py``."""
    played = {word for step in steps(table, luck.rng()) for word in step.move.words}
    return sorted(word for word in played | declared(table.game.key, "WORDS") if not is_card(word))


def phrases(table: Setup, state: Any, seat: Seat) -> Iterator[Move]:
    """Phrases of a seat for each verb that is not wide: the verb, then no word, one, or a card and a word."""
    cards, words = sorted(cards_in(table.game.view(state, seat))), words_without_cards(table)
    pairs = ["+".join(pair) for pair in lists_of_two(table.game.dump(state))]
    for verb in table.game.verbs:
        if verb not in table.game.wide:
            yield Move(verb)
            yield from (Move(verb, (word,)) for word in chain(cards, words))
            # Few verbs take two words at all.
            if any(
                refusal(table, state, seat, Move(verb, (card, card))) != "unknown-action"
                for card in cards[:1]
            ):
                yield from (Move(verb, (card, word)) for card in cards for word in (*cards, *pairs, "all"))


def lists_of_two(position: Any) -> Iterator[list[str]]:
    """The lists of exactly two strings, such as a build of two cards, anywhere in a position."""
    if isinstance(position, dict):
        yield from lists_of_two(list(position.values()))
    elif isinstance(position, list):
        if len(position) == 2 and all(isinstance(item, str) for item in position):
            yield position
        for item in position:
            yield from lists_of_two(item)


def refusal(table: Setup, state: Any, seat: Seat, move: Move) -> str | None:
    try:
        table.game.apply(state, seat, move)
    except IllegalMove as illegal:
        return illegal.code
    return None


@every_table
def test_the_moves_are_the_phrases_that_are_accepted(table: Setup) -> None:
    first, *others = states(table, luck.rng(31))
    for state in (first, *luck.rng(32).sample(others, min(STATES, len(others)))):
        for seat in range(table.seats):
            listed = [move for move in table.game.moves(state, seat) if move.verb not in table.game.wide]
            tried = phrases(table, state, seat) if table.game.choices(state, seat).words else ()
            expected = [move for move in tried if not refusal(table, state, seat, move)]
            assert sorted(map(str, listed)) == sorted(map(str, expected))
