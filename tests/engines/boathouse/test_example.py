"""The example of the rules: a deal that occurs, and a hand that can be played as it is told."""

from __future__ import annotations

from collections import Counter

import pytest

from bot.settings.choices import LANGUAGES, Language
from engines import games
from tests.engines.boathouse.positions import load, position
from tests.engines.example import assert_tells, played, spelled
from tests.engines.rulebook import code_of, typed_moves

GAME = games()["boathouse"]
SEED = b"1890"
YOURS, ANAS, HIS = "K♥ A♥ 2♥ 4♥ 10♥ 9♣ 10♦", "A♦ 2♣ 5♠ 10♠ J♠ J♥ Q♥", "2♠ 6♠ 8♠ K♠ 3♥ 3♦ 8♣"
ANAS_LEFT, HIS_LEFT = "10♠ J♠ 2♣ A♦ 9♣ A♣", "2♠ 6♠ 8♠ K♠ 3♦ 8♣ Q♣ Q♠"
YOU, ANA, LUIS = 0, 1, 2
STEPS = (
    (LUIS, "draw stock"),
    (LUIS, "discard A♣"),
    (YOU, "draw stock"),
    (YOU, "meld K♥ A♥ 2♥"),
    (YOU, "discard 9♣"),
    (ANA, "draw pile"),
    (ANA, "layoff A J♥ Q♥"),
    (ANA, "discard 5♠"),
    (LUIS, "draw stock"),
    (LUIS, "layoff A 3♥"),
    (LUIS, "discard 5♣"),
    (YOU, "draw pile"),
    (YOU, "meld 5♠ 5♥ 5♦ 5♣"),
    (YOU, "layoff A 4♥ 10♥"),
    (YOU, "discard 10♦"),
)


def test_the_deal_of_the_example_occurs() -> None:
    state = GAME.new(3, SEED, {})
    dealt = [Counter(spelled(hand).split()) for hand in state.hands]
    assert dealt == [Counter(hand.split()) for hand in (YOURS, ANAS, HIS)]
    assert (spelled(state.pile), state.dealer, state.turn) == ("K♦", ANA, LUIS)


def test_the_hand_of_the_example_can_be_played() -> None:
    state = GAME.new(3, SEED, {})
    drawn = []
    for step in STEPS:
        state = played(GAME, state, (step,))
        if step[1].startswith("draw"):
            drawn.append(spelled(state.drawn))
    assert drawn == ["5♣ A♣", "5♦ 5♥", "9♣ A♣", "Q♣ Q♠", "5♣ 5♠"]
    assert [(state.letter(meld.name), spelled(meld.cards)) for meld in state.melds] == [
        ("A", "10♥ J♥ Q♥ K♥ A♥ 2♥ 3♥ 4♥"),
        ("B", "5♠ 5♥ 5♦ 5♣"),
    ]
    result = GAME.result(state)
    assert result is not None
    assert result.scores == (110, -53, -57)
    assert not state.settled.doubled
    left = [Counter(spelled(division.unmatched).split()) for division in state.settled.divisions]
    assert left == [Counter(cards.split()) for cards in ("", ANAS_LEFT, HIS_LEFT)]


def test_the_text_names_every_card_and_move() -> None:
    assert_tells(GAME, YOURS, ANAS, HIS, "K♦", "5♣ A♣", "A♣", "5♦ 5♥", "K♥ A♥ 2♥", "9♣")
    assert_tells(GAME, HIS, "9♣ A♣", "J♥ Q♥", "J♥ Q♥ K♥ A♥ 2♥", "5♠", "Q♣ Q♠", "3♥", "5♣")
    assert_tells(GAME, "Q♣ Q♠", "5♣ 5♠", "5♠ 5♥ 5♦ 5♣", "4♥ 10♥", "10♦", ANAS_LEFT, "53")
    assert_tells(GAME, HIS_LEFT, "57", "110", "−53", "−57")


@pytest.mark.parametrize("locale", LANGUAGES)
def test_the_moves_can_be_typed_as_the_rules_say(locale: Language) -> None:
    to_draw = load(position(hands=["9D", "9C"], pile="4C 5D", phase="draw"))
    used_up = load(position(hands=["9D", "9C"], stock="", pile="4C 5D", phase="draw"))
    to_lay = load(position(hands=["5H 6H 7H 8H KC 2D", "9C"], melds=["9H 10H JH"]))
    at_once = load(position(hands=["5H 6H 7H KC", "9C"]), going_out="closed")
    states = [to_draw, to_draw, used_up, to_lay, to_lay, to_lay, at_once, to_lay]
    moves = typed_moves(GAME, locale)
    codes = [code_of(GAME, state, move, locale) for state, move in zip(states, moves, strict=True)]
    assert codes == [""] * 8
