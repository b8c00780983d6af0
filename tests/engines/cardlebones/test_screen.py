"""Cardlebones's drawings as they stand in the files of ``golden``, and what its buttons say."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from bot.i18n import Speech
from bot.settings.choices import LANGUAGES, Language
from engines.drawing import cells
from engines.game import Seat
from tests.engines.cardlebones.positions import CARDLEBONES, load, position, reach
from tests.golden import assert_golden
from tests.support.positions import Position

GOLDEN = Path(__file__).parent / "golden"
NAMES = ("Ana", "李小龍")

START = position(drawn="10H", stock="KD 2S")
ATTACKED = position(
    ". . . / 3C . . / . . .", "8S 5D . / QD . . / 8C 2H JC", drawn="8H", stock="10D 4S", discard="KC"
)
"""p1 is about to strike two cards."""
FINISHED = position("QH KH JH / 4S 4C 9S / 2D 7D 10D", "AC AS . / . . . / 6H 6C .", stock="3C", discard="JS")
LAST_CARD = position("QH KH . / . . . / . . .", drawn="10C")

POSITIONS = {"start": START, "attacked": ATTACKED, "finished": FINISHED, "last-card": LAST_CARD}


def draw(name: str, locale: Language, width: int, height: int | None = None, *, letters: bool = False) -> str:
    """The drawing of a position for p2; of ``attacked``, after p1 has struck."""
    state = load(POSITIONS[name])
    if name == "attacked":
        state = reach(state, (0, "place b2"))
    return CARDLEBONES.draw(CARDLEBONES.view(state, 1), Speech(locale, NAMES, letters=letters), width, height)


@pytest.mark.parametrize("name", POSITIONS)
def test_the_screen_is_as_in_the_golden_files(name: str) -> None:
    for locale, width in product(LANGUAGES, (28, 55, 80, 120)):
        assert_golden(GOLDEN / f"{name}-{width}.{locale}.txt", draw(name, locale, width))


def test_the_screen_in_letters_is_as_in_its_golden_file() -> None:
    assert_golden(GOLDEN / "attacked-letters-28.en.txt", draw("attacked", "en", 28, letters=True))


def test_the_screen_of_a_low_window_is_as_in_its_golden_file() -> None:
    assert_golden(GOLDEN / "attacked-80x10.en.txt", draw("attacked", "en", 80, 10))


def test_a_reader_of_lines_sees_no_boxes_however_wide_the_screen() -> None:
    view = CARDLEBONES.view(load(START), 1)
    assert "'---" not in CARDLEBONES.draw(view, Speech("en", NAMES, pictures="lines"), 120)


@pytest.mark.parametrize("reader", [None, 0, 1])
def test_everybody_sees_the_same(reader: Seat | None) -> None:
    state = load(ATTACKED)
    say = Speech("en", NAMES)
    drawn = CARDLEBONES.draw(CARDLEBONES.view(state, reader), say, 80)
    assert drawn == CARDLEBONES.draw(CARDLEBONES.view(state, None), say, 80)


@pytest.mark.parametrize("width", [28, 80])
def test_the_stock_is_not_drawn(width: int) -> None:
    before, after = (
        CARDLEBONES.draw(CARDLEBONES.view(load({**START, "stock": stock}), 0), Speech("en", NAMES), width)
        for stock in (["KD", "2S"], ["4C", "5C"])
    )
    assert before == after


def label(start: Position, words: str) -> str:
    return CARDLEBONES.label(CARDLEBONES.view(load(start), 0), tuple(words.split()), Speech("en", NAMES))


@pytest.mark.parametrize(
    ("words", "expected"),
    [("place", "Place"), ("place b3", "10♥ to b3"), ("b3", "b3")],
    ids=["verb", "move", "cell"],
)
def test_words_have_labels(words: str, expected: str) -> None:
    assert label(START, words) == expected


@pytest.mark.parametrize("name", ["李小龍李小龍", "MMMMMMMMMMMM"], ids=["wide", "long"])
def test_wide_names_and_high_scores_fit_a_phone(name: str) -> None:
    start = position("AS AH AD / KS KH KD / QS QH QD", "2S 2H 2D / 3S 3H 3C / 4S 4H .")
    drawing = CARDLEBONES.draw(CARDLEBONES.view(load(start), 0), Speech("es", (name,) * 2), 28)
    assert max(map(cells, drawing.splitlines())) <= 28


@pytest.mark.parametrize("width", [28, 55, 80])
def test_points_stand_in_brackets_after_a_name_that_ends_in_a_number(width: int) -> None:
    start = position("AS . . / . . . / . . .", "2S . . / . . . / . . .")
    drawing = CARDLEBONES.draw(CARDLEBONES.view(load(start), 0), Speech("es", ("Ana 1", "Luis 2")), width)
    assert [named in drawing.splitlines()[0] for named in ("Ana 1 (14)", "Luis 2 (2)")] == [True, True]


def test_a_title_gives_its_dashes_for_the_name() -> None:
    start = position("AS . . / . . . / . . .", "2S . . / . . . / . . .")
    drawing = CARDLEBONES.draw(CARDLEBONES.view(load(start), 0), Speech("es", ("Jugador 1", "Jugador 2")), 28)
    assert drawing.splitlines()[0] == "Jugador… (14) Jugador 2 (2)"
