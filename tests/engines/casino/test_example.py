"""The example game in the rules: a whole game from its deal to its count."""

from __future__ import annotations

import pytest

from bot.settings.choices import LANGUAGES, Language
from engines.cards import RANKS, deck
from engines.casino.state import points_by_item
from tests.engines.casino.positions import CASINO, load, position
from tests.engines.example import assert_tells
from tests.engines.rulebook import code_of, example, play, spelled, told_events, typed_moves

ANA, LUIS = "AS 2D 3C 4H 6C 7H 8S 9D 9C 10C", "AH 2S 3D 4C 5S 5D 6D 7C 9H 10S"
STOCK = "9S 7S 3S 5H 10D AC 4D 6S AD 7D 3H 10H 6H 8D 5C 8H 8C 2C 4S 2H"
DEAL = position(hands=[ANA, LUIS], stock=STOCK)
MOVES = (
    *("throw 6C", "throw 5D", "build 4H 6C", "capture 5S 5D", "steal-build 3C 5D", "capture 10S 4H+6C"),
    *("capture 8S 3C+5D", "throw 3D", "build 7H 3D", "steal-build 4C 5D", "capture 9D 4C+5D"),
    *("steal-build AH 5D", "capture 10C 7H+3D", "capture 6D AH+5D", "throw 9C", "capture 9H 9C", "throw 2D"),
    *("capture 2S 2D", "throw AS", "throw 7C", "capture AC AS", "throw 2C", "capture 7S 7C", "build 6H 2C"),
    *("steal-build 7D 2D", "capture 8H 6H+2C", "capture 9S 7D+2D", "throw 8C", "steal-build 4D 2C"),
    *("steal-build 2H 2D", "capture 6S 4D+2C", "capture 4S 2H+2D", "throw 5H", "build 3H 5H"),
    *(
        "steal-build AD 2D",
        "capture 8D 3H+5H",
        "capture 3S AD+2D",
        "throw 5C",
        "throw 10D",
        "capture 10H 10D",
    ),
)

every_language = pytest.mark.parametrize("locale", LANGUAGES)


def test_all_cards_are_dealt() -> None:
    assert sorted([*ANA.split(), *LUIS.split(), *STOCK.split()]) == sorted(deck(RANKS[:10]))


@every_language
def test_the_first_seven_turns_and_the_end_are_as_the_example_says(locale: Language) -> None:
    _, sentences = play(CASINO, load(DEAL), MOVES, locale)
    assert told_events(CASINO, locale) == [*sentences[:7], *sentences[-2:]]
    # The example counts the turns that it leaves out.
    assert len(MOVES) - 7 - 1 == 32
    assert "32" in example(CASINO, locale)


@every_language
def test_the_hands_are_named(locale: Language) -> None:
    assert spelled(ANA.split()) in example(CASINO, locale)
    assert spelled(LUIS.split()) in example(CASINO, locale)


def test_piles_are_as_the_example_says() -> None:
    state, _ = play(CASINO, load(DEAL), MOVES[:4], "en")
    assert list(map(spelled, state.piles)) == ["", "5♠ 5♦"]
    state, _ = play(CASINO, load(DEAL), MOVES[:7], "en")
    assert list(map(spelled, state.piles)) == ["8♠ 3♣ 5♦", "5♠ 10♠ 4♥ 6♣"]
    assert (state.loose, state.builds) == ((), ())
    assert_tells(CASINO, "5♠", "8♠ 3♣ 5♦")


def test_the_count_is_as_the_example_says() -> None:
    state, _ = play(CASINO, load(DEAL), MOVES, "en")
    assert list(map(points_by_item, state.piles)) == [(3, 0, 0, 2, 0), (1, 1, 1, 0, 1)]
    assert list(map(len, state.piles)) == [19, 21]
    assert [sum(card.suit == "S" for card in pile) for pile in state.piles] == [6, 4]
    result = CASINO.result(state)
    assert result is not None
    assert result.scores == (5, 4)
    assert_tells(CASINO, "19", "21", "19", ": 5", "21", ": 4")


@every_language
def test_the_moves_can_be_typed_as_the_rules_say(locale: Language) -> None:
    hand = "10S 4H 3C 7D 10C 8C"
    table = position(hands=[hand, "AS"], loose="10D 6C", builds=["6D+4C"], piles=["", "5S 5D"])
    asked = position(hands=["3H", "4H", "5H"], loose="9D", phase="exchange")
    moves = typed_moves(CASINO, locale)
    states = [asked if move.startswith(("exchange", "cambiar")) else table for move in moves]
    codes = [
        code_of(CASINO, load(state, multi_capture="on" if state is table else "off"), move, locale)
        for state, move in zip(states, moves, strict=True)
    ]
    assert codes == [""] * 9
