"""The example game in the rules, from the deal on; the scores and columns that the rules name."""

from __future__ import annotations

import re

import pytest

from bot.i18n import Speech
from bot.settings.choices import LANGUAGES, Language
from engines.cardlebones.scoring import board_score, column_score
from engines.cardlebones.state import DECK, State
from tests.engines.cardlebones.positions import CARDLEBONES, load, position
from tests.engines.example import assert_tells
from tests.engines.rulebook import code_of, example, play, spelled, told_events, typed_moves

TURNS = (
    *(("7H", "a1"), ("QH", "a1"), ("7D", "a2"), ("5S", "b1"), ("9S", "b1"), ("JH", "a3")),
    *(("2H", "a3"), ("4C", "c1"), ("10D", "c1"), ("KH", "a2"), ("8C", "c2"), ("QD", "c3")),
    *(("QS", "b2"), ("7C", "a1")),
)
"""The cards in the order in which they are drawn, each with the cell in which it is placed."""
MOVES = [f"place {cell}" for _, cell in TURNS]

every_language = pytest.mark.parametrize("locale", LANGUAGES)


def deal() -> State:
    drawn, *stock = [card for card, _ in TURNS]
    return load(
        position(drawn=drawn, stock=" ".join([*stock, *(c for c in DECK if c not in (drawn, *stock))]))
    )


def totals(state: State) -> list[int]:
    return [board_score(board, state.options) for board in state.boards]


@every_language
def test_the_turns_can_be_played_as_they_are_told(locale: Language) -> None:
    state, _ = play(CARDLEBONES, deal(), MOVES[:-3], locale)
    _, sentences = play(CARDLEBONES, state, MOVES[-3:], locale)
    # The first event is Luis's placement, the last is Ana's next card.
    assert told_events(CARDLEBONES, locale) == sentences[1:-1]


@every_language
def test_the_boards_are_as_the_example_says(locale: Language) -> None:
    state, _ = play(CARDLEBONES, deal(), MOVES[:12], locale)
    text = example(CARDLEBONES, locale)
    for board in state.boards:
        for column in board:
            cards = [card for card in column if card]
            assert all(spelled([card]) in text for card in cards)
            assert (len(cards) == 2 and column[1] is None) or spelled(cards) in text
            assert f": {column_score(column, state.options)}." in text
    assert totals(state) == [62, 82]


def test_the_totals_are_as_the_example_says() -> None:
    state, _ = play(CARDLEBONES, deal(), MOVES[:13], "en")
    assert totals(state) == [74, 33]
    state, _ = play(CARDLEBONES, deal(), MOVES, "en")
    assert totals(state) == [41, 40]
    assert_tells(CARDLEBONES, "62", "82", "82", "33", "74", "41", "40")


@every_language
def test_the_columns_are_worth_what_the_rules_say(locale: Language) -> None:
    found = re.findall(r"^- ((?:\w+[♠♥♦♣] ?)+): (\d+)\.", CARDLEBONES.help(Speech(locale)), re.MULTILINE)
    assert [column_score(cards.split(), {}) for cards, _ in found] == [int(points) for _, points in found]
    assert len(found) == 10


@every_language
def test_the_moves_can_be_typed_as_the_rules_say(locale: Language) -> None:
    moves = typed_moves(CARDLEBONES, locale)
    assert [code_of(CARDLEBONES, deal(), move, locale) for move in moves] == ["", ""]
