"""The example of the rules: a deal that occurs, and a game that can be played as it is told."""

from __future__ import annotations

from collections import Counter

import pytest

from bot.settings.choices import LANGUAGES, Language
from engines.trio_escalera.groups import count_broken_pieces
from engines.trio_escalera.rules import game
from tests.engines.example import assert_tells, played, spelled
from tests.engines.rulebook import code_of, typed_moves
from tests.engines.trio_escalera.positions import position

SEED = b"192580"
FIRST_HAND, SECOND_HAND = "5♥ 5♦ 5♣ 6♥ 6♦ A♣ 2♣ 3♣", "3♠ 4♠ 5♠ 6♠ 6♠ 5♦ 6♦ K♣"
STEPS = (
    (0, "lay 5♥ 5♦ 5♣"),
    (0, "lay A♣ 2♣ 3♣"),
    (0, "end"),
    (1, "lay 3♠ 4♠ 5♠ 6♠b"),
    (1, "add A 5♦"),
    (1, "end"),
    (0, "lay 6♠ 6♥ 6♦"),
    (0, "end"),
)


def test_the_deal_of_the_example_occurs() -> None:
    state = game.new(2, SEED, {})
    assert [Counter(spelled(hand).split()) for hand in state.hands] == [
        Counter(FIRST_HAND.split()),
        Counter(SECOND_HAND.split()),
    ]
    assert (state.rounds, state.turn) == (((3, 3), (2, 2), (2, 1)), 0)


def test_the_game_of_the_example_can_be_played() -> None:
    half = played(game, game.new(2, SEED, {}), STEPS[:6])
    assert (spelled(half.hands[0]), spelled(half.hands[1])) == ("6♥ 6♦", "6♠ 6♦ K♣")
    over = played(game, half, STEPS[6:])
    assert {over.letter(group.name): spelled(group.cards) for group in over.groups} == {
        "A": "5♥ 5♦ 5♦ 5♣",
        "B": "A♣ 2♣ 3♣",
        "C": "3♠ 4♠ 5♠",
        "D": "6♠ 6♥ 6♦",
    }
    result = game.result(over)
    assert result is not None
    assert result.scores == (22, -22)


def test_the_text_names_every_card_and_move() -> None:
    moves = [line.split(" ", 1)[1].replace("♠b", "♠").removeprefix("A ") for _, line in STEPS if " " in line]
    assert_tells(
        game,
        FIRST_HAND,
        SECOND_HAND,
        *moves[:2],
        "6♥ 6♦",
        *moves[2:4],
        "6♠ 6♦ K♣",
        *moves[4:],
        "3♠ 4♠ 5♠",
        "22",
    )


def test_the_last_question_of_the_text_has_its_answer() -> None:
    """Without its 5♠, group C falls into two pieces, both too short."""
    half = played(game, game.new(2, SEED, {}), STEPS[:6])
    assert [group.name for group in half.groups][2] == "escalera_1"
    assert spelled(half.groups[2].cards) == "3♠ 4♠ 5♠ 6♠"
    five = frozenset(card for card in half.groups[2].cards if card.rank == "5")
    assert count_broken_pieces(half.groups[2].cards, five, half.ace) == 2


@pytest.mark.parametrize("locale", LANGUAGES)
def test_the_moves_can_be_typed_as_the_rules_say(locale: Language) -> None:
    table = {"trio_0": "6Hr 6Dr 6Cr", "trio_1": "9Hr 9Dr 9Cr", "escalera_0": "4Sr 5Sr 6Sr"}
    to_lay = position("5Hr 5Dr 5Cr 7Sr 8Sr 6Sb", table)
    placed = played(game, to_lay, [(0, "lay 5♥ 5♦ 5♣")])
    lay, add, draw, undo, end, lay_again, *backs = typed_moves(game, locale)
    asked = ((to_lay, lay), (to_lay, add), (to_lay, draw), (placed, undo), (placed, end), (to_lay, lay_again))
    assert [code_of(game, state, move, locale) for state, move in asked] == [""] * 6
    assert [code_of(game, to_lay, move, locale) for move in backs] == [""]
