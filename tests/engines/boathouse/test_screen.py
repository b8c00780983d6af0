"""The drawings of Boathouse Rum, against the files in ``golden``, and the labels of its buttons."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from bot.i18n import Speech
from bot.settings.choices import LANGUAGES
from engines.boathouse.state import State
from engines.cards import deck
from engines.drawing import PHONE, PHONE_CHARACTERS
from engines.values import replace
from tests.engines.boathouse.positions import BOATHOUSE, load, position, reach
from tests.golden import assert_golden

GOLDEN = Path(__file__).parent / "golden"
NAMES = ("Ana", "Bartolomé", "李小龍")

START = position(
    hands=["KC 5H 9D 2S 5S 6H 7H", "AS 2C 3D 4D 5D 6C 7C", "8S 8H QD 10C 10D JS 3C"],
    phase="draw",
    pile="9S 4C",
)
MIDDLE = position(
    hands=["10H 5H 6H 7H 2S KC 4D", "QS 9H", "AS KD 2D 8C JS"],
    pile="7S 3D QC",
    melds=["8D 9D 10D", "3S 3H 3C", "JH QH KH AH 2H"],
    barred="4D KC",
    laid_before=[1],
    laid_now=True,
)
MANY = position(
    hands=[" ".join(deck()[3:30]), "QC", "KC 5D"], stock="", pile="JC", thin_turns=4, phase="draw"
)
END = position(hands=["9S 9H 9D KC", "JS JH JD QD AC", "3C 3S 3H KD"], stock="2C 10S 6D")


def states() -> dict[str, State]:
    drawn = reach(position(hands=["KC 5H", "9D", "2S"], phase="draw"), (0, "draw stock"))
    return {
        "start": load(START),
        "middle": load(MIDDLE),
        "drawn": drawn,
        "many": load(MANY),
        "end": reach(END, (0, "meld 9S 9H 9D"), (0, "discard KC")),
        "series": reach(END, (0, "meld 9S 9H 9D"), (0, "discard KC"), hands="3"),
    }


@pytest.mark.parametrize("place", list(states()))
def test_the_drawing_is_as_in_the_golden_files(place: str) -> None:
    view = BOATHOUSE.view(states()[place], 0)
    for locale, width in product(LANGUAGES, (28, 60, 109)):
        drawing = BOATHOUSE.draw(view, Speech(locale, NAMES), width)
        assert_golden(GOLDEN / f"{place}-{width}.{locale}.txt", drawing)


@pytest.mark.parametrize("width", [28, 109])
def test_the_public_drawing_is_as_in_the_golden_files(width: int) -> None:
    drawing = BOATHOUSE.draw(BOATHOUSE.view(load(MIDDLE), None), Speech("en", NAMES), width)
    assert_golden(GOLDEN / f"everybody-{width}.en.txt", drawing)


def test_a_big_hand_fits_a_phone() -> None:
    drawing = BOATHOUSE.draw(BOATHOUSE.view(load(MANY), 0), Speech("es", NAMES), PHONE)
    assert len(drawing) <= PHONE_CHARACTERS
    assert all(card in drawing for card in ("4♠", "K♥", "4♦"))


@pytest.mark.parametrize(
    ("words", "en", "es"),
    [
        ("draw", "Draw", "Robar"),
        ("draw stock", "Draw 2 cards", "Robar 2 cartas"),
        ("draw pile", "Take Q♣ 3♦", "Tomar Q♣ 3♦"),
        ("flip", "Turn over", "Dar la vuelta"),
        ("meld", "Meld", "Bajar"),
        ("meld 5H 6H 7H", "Meld 5♥ 6♥ 7♥", "Bajar 5♥ 6♥ 7♥"),
        ("meld AH 2H 10H JH QH KH", "Meld 10♥–2♥", "Bajar 10♥–2♥"),
        ("meld 5H 6H", "Meld 5♥ 6♥", "Bajar 5♥ 6♥"),
        ("layoff", "Add", "Añadir"),
        ("layoff meld_2", "Add to C", "Añadir a C"),
        ("layoff meld_0 7D", "Add 7♦ to A", "Añadir 7♦ a A"),
        ("discard", "Discard", "Descartar"),
        ("discard KC", "Discard K♣", "Descartar K♣"),
        ("out", "Go out", "Cerrar"),
        ("out 5H+6H+7H 8D", "Go out: 5♥ 6♥ 7♥, 8♦", "Cerrar: 5♥ 6♥ 7♥, 8♦"),
        ("KC", "K♣", "K♣"),
        ("meld_1", "B: 3♠ 3♥ 3♣", "B: 3♠ 3♥ 3♣"),
    ],
)
def test_words_have_labels(words: str, en: str, es: str) -> None:
    view = BOATHOUSE.view(load(MIDDLE), 0)
    labels = [BOATHOUSE.label(view, tuple(words.split()), Speech(locale, NAMES)) for locale in ("en", "es")]
    assert labels == [en, es]


@pytest.mark.parametrize(("moves", "left"), [((), 2), (("flip",), 2), (("flip", "discard KC"), 1)])
def test_a_phone_counts_the_turns_that_are_left_before_the_block(moves: tuple[str, ...], left: int) -> None:
    before = position(hands=["KC", "8H"], stock="", pile="6S", phase="draw", thin_turns=4)
    view = BOATHOUSE.view(reach(before, *((0, move) for move in moves)), None)
    said = "turn" if left == 1 else "turns"
    assert f"Hand is blocked in {left} {said}\n" in BOATHOUSE.draw(view, Speech("en", NAMES), PHONE)


@pytest.mark.parametrize("turns", [1, 9], ids=["first round", "later"])
@pytest.mark.parametrize("phase", ["draw", "play"])
@pytest.mark.parametrize("width", [PHONE, 80])
def test_a_finished_game_says_nothing_of_turns_and_melds_to_come(width: int, phase: str, turns: int) -> None:
    where = position(hands=["", "KC 8H"], stock="", pile="6S", thin_turns=2, turn=1, phase=phase)
    finished = replace(load(where), turns=turns)
    drawing = BOATHOUSE.draw(BOATHOUSE.view(finished, 1), Speech("en", NAMES), width).lower()
    assert "pile: 1" in drawing
    assert not [word for word in ("blocked", "yet", "draw first", "discard", ">") if word in drawing]


@pytest.mark.parametrize(
    ("going_out", "phase", "tells"),
    [("open", "draw", True), ("open", "play", False), ("closed", "draw", True), ("closed", "play", True)],
)
def test_a_phone_tells_the_melds_in_hand_unless_buttons_can_lay_them(
    going_out: str, phase: str, tells: bool
) -> None:
    held = load(position(hands=["9S 9H 9D KC 2D", "2C"], phase=phase), going_out=going_out)
    drawing = BOATHOUSE.draw(BOATHOUSE.view(held, 0), Speech("en", NAMES), PHONE)
    assert ("Melds: 9♠ 9♥ 9♦\n" in drawing) is tells


def shown(where: State, seat: int | None = 0) -> str:
    return BOATHOUSE.draw(BOATHOUSE.view(where, seat), Speech("en", NAMES), 80)


def test_a_player_whose_turn_it_is_reads_that_it_begins_with_a_draw() -> None:
    begins = ["Your turn: draw first." in shown(load(START), seat) for seat in (0, 1, None)]
    assert begins == [True, False, False]


def test_a_player_who_has_drawn_reads_that_a_discard_ends_the_turn() -> None:
    assert "Lay what you like, then discard one card." in shown(load(MIDDLE))


def test_a_player_of_a_closed_game_reads_that_the_whole_hand_goes_at_once() -> None:
    closed = load(position(hands=["9S 9H 9D KC 2D", "2C"]), going_out="closed")
    assert "Discard one card, or go out with your whole hand at once." in shown(closed)


def test_before_the_first_meld_the_table_says_what_one_is() -> None:
    assert "three or four of one rank" in shown(load(START))


def test_the_payments_of_the_last_hand_are_shown_however_little_room_there_is() -> None:
    state = reach(END, (0, "meld 9S 9H 9D"), (0, "discard KC"))
    drawing = BOATHOUSE.draw(BOATHOUSE.view(state, 0), Speech("en", NAMES), 80, 1)
    assert "end of hand 1" in drawing


def low(seat: int | None, height: int, width: int = 80) -> list[str]:
    view = BOATHOUSE.view(load(MIDDLE), seat)
    return BOATHOUSE.draw(view, Speech("en", NAMES), width, height).splitlines()


def test_spelled_melds_share_lines_where_there_is_room() -> None:
    assert "A  8♦ 9♦ 10♦   B  3♠ 3♥ 3♣   C  J♥ Q♥ K♥ A♥ 2♥" in low(0, 15)


def test_on_a_low_screen_the_table_alone_is_scrolled() -> None:
    lines = low(0, 8, 32)
    assert len(lines) > 8
    standing = next(n for n, line in enumerate(lines) if line.startswith("> Ana"))
    assert standing < next(n for n, line in enumerate(lines) if "table" in line)


def test_on_a_low_screen_the_last_hand_of_a_series_is_told_in_a_sentence() -> None:
    state = reach(END, (0, "meld 9S 9H 9D"), (0, "discard KC"), hands="3")
    top = BOATHOUSE.draw(BOATHOUSE.view(state, 1), Speech("en", NAMES), 80, 15).splitlines()[:2]
    end = "Hand 1: Ana is out in a single turn. Rummy: everybody pays double."
    assert " ".join(top) == f"{end} Ana +62, Bartolomé -42, and 李小龍 -20."
