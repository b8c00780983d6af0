"""Casino's drawings as they stand in the files of ``golden``, and what its buttons say."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import get_args

import pytest

from bot.i18n import Speech
from bot.settings.choices import LANGUAGES, Language
from engines.drawing import cells
from engines.game import Seat
from engines.sentences import Pictures
from tests.engines.casino.positions import CASINO, load, position
from tests.golden import assert_golden
from tests.support.positions import Position

GOLDEN = Path(__file__).parent / "golden"
NAMES = ("Ana", "Bartolomé", "李小龍")
STOCK = "AS 2S 3S 4S 5S 6S 7S 8S 9S 10S AH 2H 3H 4H 5H 6H 7H 8H 9H 10H"

START = position(
    hands=["10C 7D 5C 9D 4D AC 8C 2C 6D 3C", "AD 2D 3D 5D 6C 7C 8D 9C 10D 4C"], stock=STOCK, turn=1
)
MIDDLE = position(
    hands=["10C 4H 2S 9D", "3D AC 8C", "7C 10H 5D"],
    loose="6C 10D AS",
    builds=["4D+6D", "3S+5S"],
    piles=["9H 9S 5C 5H", "", "8H 8D"],
    last_capturer=2,
)
EXCHANGE = position(
    hands=["AS 5C 7D 8D 10H", "9S 3H 2D 2C 7C", "4D 6C 6H 9C 10C"], loose="9D", phase="exchange"
)
FINISHED = position(
    hands=["", ""],
    piles=["AS 2S 3S 4S 5S AH AD 10D 2C 3C 4C 5C 6C 7C 8C 9C 2H 3H 4H 5H 6H", "6S 7S 8S 9S 10S AC 7H"],
    last_capturer=0,
)
LAST_CARDS = position(hands=["", "8C"], piles=["9H 9S", "AC AD"], turn=1)

POSITIONS = {"start": START, "middle": MIDDLE, "exchange": EXCHANGE, "finished": FINISHED}


@pytest.mark.parametrize("name", POSITIONS)
def test_the_screen_is_as_in_the_golden_files(name: str) -> None:
    view = CASINO.view(load(POSITIONS[name]), 0)
    for locale, width in product(LANGUAGES, (28, 40, 80, 109)):
        drawing = CASINO.draw(view, Speech(locale, NAMES), width)
        assert_golden(GOLDEN / f"{name}-{width}.{locale}.txt", drawing)


@pytest.mark.parametrize("name", ["middle", "exchange"])
def test_the_public_screen_is_as_in_the_golden_files(name: str) -> None:
    view = CASINO.view(load(POSITIONS[name]), None)
    for locale, width in product(LANGUAGES, (28, 109)):
        drawing = CASINO.draw(view, Speech(locale, NAMES), width)
        assert_golden(GOLDEN / f"{name}-everybody-{width}.{locale}.txt", drawing)


def test_an_empty_hand_and_table_are_as_in_their_golden_file() -> None:
    drawing = CASINO.draw(CASINO.view(load(LAST_CARDS), 0), Speech("en", NAMES), 40)
    assert_golden(GOLDEN / "last-cards-40.en.txt", drawing)


def test_the_screen_in_letters_is_as_in_its_golden_file() -> None:
    drawing = CASINO.draw(CASINO.view(load(MIDDLE), 0), Speech("en", NAMES, letters=True), 40)
    assert_golden(GOLDEN / "middle-letters-40.en.txt", drawing)


@pytest.mark.parametrize("height", [24, 16, 1])
def test_the_screen_of_a_low_window_is_as_in_its_golden_file(height: int) -> None:
    drawing = CASINO.draw(CASINO.view(load(MIDDLE), 0), Speech("en", NAMES), 80, height)
    assert_golden(GOLDEN / f"middle-80x{height}.en.txt", drawing)


@pytest.mark.parametrize("reader", [None, 0])
def test_the_size_of_the_stock_is_told_once_in_every_form(reader: Seat | None) -> None:
    view = CASINO.view(load(START), reader)
    forms = product((80, 109), (None, 24, 16, 12), get_args(Pictures))
    drawings = (CASINO.draw(view, Speech("en", NAMES, pictures=p), w, h) for w, h, p in forms)
    assert {drawing.count("20 cards to deal") for drawing in drawings} == {1}


@pytest.mark.parametrize("name", ["start", "middle", "exchange"])
def test_the_whole_hand_is_shown_on_a_phone(name: str) -> None:
    say = Speech("en", NAMES)
    view = CASINO.view(load(POSITIONS[name]), 0)
    drawing = CASINO.draw(view, say, 28)
    assert [card for card in view.hand if say.card(card) not in drawing] == []


@pytest.mark.parametrize("reader", [None, 1])
def test_no_hand_of_others_is_drawn(reader: Seat | None) -> None:
    """Only p1, whose view is not drawn, holds nines; there are none on the table."""
    start = position(hands=["9H 9S", "2C 3C"], loose="4D", piles=["", "5D"])
    drawing = CASINO.draw(CASINO.view(load(start), reader), Speech("en"), 80)
    assert "9♥" not in drawing
    assert "9♠" not in drawing


def label(start: Position, words: str, locale: Language = "en") -> str:
    return CASINO.label(CASINO.view(load(start), 0), tuple(words.split()), Speech(locale, NAMES))


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("capture", "Capture"),
        ("capture 10C", "Capture with 10♣"),
        ("capture 10C 10D", "10♣ takes 10♦★"),
        ("capture 10C 4D+6D", "10♣ takes 4♦+6♦"),
        ("capture 10C all", "10♣ takes all"),
        ("build", "Build"),
        ("build 4H", "Build with 4♥"),
        ("build 4H 6C", "Build 10: 4♥+6♣"),
        ("steal-build", "Steal and build"),
        ("steal-build 2S", "Steal and build with 2♠★"),
        ("steal-build 2S 8D", "2♠★ steals 8♦: 10"),
        ("throw", "Throw"),
        ("throw 9D", "Throw 9♦"),
        ("10D", "10♦★"),
        ("4D+6D", "4♦+6♦"),
        ("all", "everything"),
    ],
)
def test_words_have_labels(words: str, expected: str) -> None:
    assert label(MIDDLE, words) == expected


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("exchange", "Exchange"),
        ("exchange yes", "Exchange the 3♥ for 9♦"),
        ("exchange no", "Keep the 3♥"),
    ],
)
def test_the_answers_to_the_exchange_have_labels(words: str, expected: str) -> None:
    assert label(EXCHANGE, words) == expected


@pytest.mark.parametrize("name", ["李小龍李小龍", "MMMMMMMMMMMM"], ids=["wide", "long"])
def test_the_count_of_three_with_wide_names_fits_a_phone(name: str) -> None:
    start = position(hands=["", "", ""], piles=["AS", "AD", "10D"])
    drawing = CASINO.draw(CASINO.view(load(start), 0), Speech("es", (name,) * 3), 28)
    assert max(map(cells, drawing.splitlines())) <= 28


def test_moves_are_listed_as_a_hand_is_sorted() -> None:
    state = load(position(hands=["10D AH 3C AS", "2D"], loose="3H 3S"))
    spelled = [str(move) for move in CASINO.moves(state, 0)]
    assert spelled == [
        "capture 3C 3H", "capture 3C 3S", "throw AS", "throw AH", "throw 3C", "throw 10D",
    ]  # fmt: skip
