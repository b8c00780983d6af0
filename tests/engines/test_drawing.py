"""Drawings: widths in cells, cutting, columns, and the choice of a form."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.i18n import Speech
from engines.cards import Card
from engines.drawing import (
    PHONE,
    PHONE_CHARACTERS,
    Lines,
    Part,
    Picture,
    beside,
    cells,
    columns,
    cut,
    face,
    faces,
    fit,
    heading,
    pad,
    pad_left,
    panel,
    panels_beside,
    row,
    rows,
    wrap_words,
)

SAY = Speech("en")
BOX = ["+--+", "|  |", "+--+"]
texts = st.text("aé李龍 ♥…", max_size=30)


@pytest.mark.parametrize(
    ("text", "width"),
    [("", 0), ("Ana", 3), ("é", 1), ("e\u0301", 1), ("李小龍", 6), ("10♥", 3), ("♠♥♦♣", 4), ("…", 1)],
)
def test_width_in_cells(text: str, width: int) -> None:
    assert cells(text) == width


def test_pad_counts_cells() -> None:
    assert pad("李", 4) + "|" == "李  |"


def test_pad_left_counts_cells() -> None:
    assert pad_left("李", 4) == "  李"


@pytest.mark.parametrize("padded", [pad, pad_left])
def test_padding_never_cuts(padded: object) -> None:
    assert callable(padded)
    assert padded("longer", 3) == "longer"


@pytest.mark.parametrize(
    ("text", "width", "expected"),
    [
        ("Sobremesa", 9, "Sobremesa"),
        ("Sobremesa", 8, "Sobreme…"),
        ("Sobremesa", 1, "…"),
        ("So bremesa", 4, "So…"),
        ("李小龍", 6, "李小龍"),
        ("李小龍", 5, "李小…"),
        ("李小龍", 4, "李…"),
        ("", 0, ""),
    ],
)
def test_cut(text: str, width: int, expected: str) -> None:
    assert cut(text, width) == expected


@settings(deadline=None)
@given(texts, st.integers(1, 40))
def test_a_cut_text_fits(text: str, width: int) -> None:
    assert cells(cut(text, width)) <= width


def test_a_heading_stands_in_the_middle() -> None:
    assert heading("table", 13) == "--- table ---"


def test_an_odd_dash_is_behind_the_heading() -> None:
    assert heading("table", 12) == "-- table ---"


@settings(deadline=None)
@given(texts, st.integers(6, 60))
def test_a_heading_has_the_width_given(title: str, width: int) -> None:
    assert cells(heading(title, width)) == width


def test_a_panel_is_lines_under_a_heading() -> None:
    assert panel("hand", ["10♥"], 12) == ["--- hand ---", "10♥"]


def test_a_closed_panel_has_a_rule_below() -> None:
    assert panel("hand", ["10♥"], 12, closed=True) == ["--- hand ---", "10♥", "------------"]


@pytest.mark.parametrize(
    ("card", "lines"),
    [
        ("10H", (".----.", "|10♥ |", "| 10 |", "'----'")),
        ("AS", (".----.", "| A♠ |", "|  A |", "'----'")),
        ("KSb", (".----.", "| K♠ |", "|b K |", "'----'")),
        ("10Dr", (".----.", "|10♦ |", "|r10 |", "'----'")),
    ],
)
def test_a_card_face_up(card: str, lines: Picture) -> None:
    assert face(Card(card), SAY) == lines


def test_a_card_face_up_in_letters() -> None:
    assert face(Card("10H"), Speech("en", letters=True)) == (".----.", "|10H |", "| 10 |", "'----'")


@pytest.mark.parametrize("letters", [False, True])
def test_cards_face_up_side_by_side(letters: bool) -> None:
    say, cards = Speech("en", letters=letters), [Card("10H"), Card("KSb")]
    assert faces(cards, say) == row([face(card, say) for card in cards])


def test_no_cards_face_up() -> None:
    assert faces([], SAY) == []


def test_pictures_stand_side_by_side() -> None:
    assert row([BOX, ["a"], BOX], 1) == ["+--+ a +--+", "|  |   |  |", "+--+   +--+"]


def test_a_shorter_picture_leaves_no_blanks_at_the_end() -> None:
    assert row([BOX, ["李"]]) == ["+--+  李", "|  |", "+--+"]


def test_a_row_of_nothing() -> None:
    assert row([]) == []


def test_rows_fill_the_width_exactly() -> None:
    assert rows([BOX] * 3, 10) == ["+--+  +--+", "|  |  |  |", "+--+  +--+", *BOX]


def test_rows_break_where_a_picture_is_too_wide() -> None:
    assert rows([BOX] * 2, 9) == [*BOX, *BOX]


def test_rows_end_with_the_one_that_exceeds_the_most() -> None:
    assert rows([BOX] * 4, 4, 4) == [*BOX, *BOX]


def test_a_picture_wider_than_all_stands_alone() -> None:
    assert rows([["a"], BOX], 2) == ["a", *BOX]


def test_words_fill_lines() -> None:
    assert wrap_words(["10♥", "2♠", "3♦", "A♣"], 9) == ["10♥ 2♠ 3♦", "A♣"]


def test_words_keep_their_gap() -> None:
    assert wrap_words(["4♥+6♣=10", "2♠+3♠=5"], 17, "  ") == ["4♥+6♣=10  2♠+3♠=5"]


def test_a_word_too_long_is_cut() -> None:
    assert wrap_words(["Sobremesa", "a"], 5) == ["Sobr…", "a"]


def test_drawings_stand_beside_each_other() -> None:
    assert beside(BOX, ["a", "b"]) == ["+--+   a", "|  |   b", "+--+"]


@pytest.mark.parametrize(("left", "right"), [(BOX, []), ([], BOX)], ids=["no right", "no left"])
def test_beside_nothing_stands_one_alone(left: Lines, right: Lines) -> None:
    assert beside(left, right) == BOX


@pytest.mark.parametrize(("left", "right"), [(["a"], ["b", "c"]), (["b", "c"], ["a"])])
def test_closed_panels_beside_each_other_end_in_one_line(left: Lines, right: Lines) -> None:
    panels = (panel("x", left, 9, closed=True), panel("y", right, 9, closed=True))
    assert panels_beside(*panels)[-1] == "---------   ---------"
    assert len(panels_beside(*panels)) == 4


def test_columns_are_flush_left_then_right() -> None:
    assert columns([["", "pts"], ["Ana", "7"], ["李小龍", "10"]], 28) == [
        "       pts",
        "Ana      7",
        "李小龍  10",
    ]


def test_the_first_column_is_cut_to_fit() -> None:
    assert columns([["Bartolomé", "7", "10"]], 11) == ["Barto… 7 10"]


@settings(deadline=None)
@given(st.lists(st.tuples(texts, st.just("12"), st.just("3")), min_size=1), st.integers(8, 60))
def test_columns_fit(table: list[tuple[str, str, str]], width: int) -> None:
    assert max(map(cells, columns(table, width))) <= width


@pytest.mark.parametrize(
    ("width", "height", "expected"),
    [
        (80, None, "wide"),
        (80, 3, "wide"),
        (80, 2, "low"),
        (59, None, "tall"),
        (59, 2, "low"),
        (30, None, "low"),
        (5, None, "low"),
        (80, 1, "low"),
    ],
)
def test_the_first_form_that_fits_is_taken(width: int, height: int | None, expected: str) -> None:
    forms: dict[str, list[Part]] = {
        "wide": [lambda: ["w" * 60], lambda: ["w" * 10] * 2],
        "tall": [lambda: ["t" * 10] * 4, lambda: ["t" * 40]],
        "low": [lambda: ["l" * 20] * 2],
    }
    drawn = [line for part in forms[expected] for line in part()]
    assert fit(list(forms.values()), width, height) == "\n".join(drawn)


def test_forms_that_are_not_needed_are_not_drawn() -> None:
    def never() -> Lines:
        raise AssertionError

    assert fit([[lambda: ["a"]], [never]], 10, None) == "a"


def test_a_form_that_does_not_fit_is_not_drawn_further() -> None:
    def never() -> Lines:
        raise AssertionError

    assert fit([[lambda: ["wide"], never], [lambda: ["low"]]], 3, None) == "low"


def test_the_last_form_is_drawn_whole() -> None:
    assert fit([[lambda: ["wide"], lambda: ["low"]]], 3, None) == "wide\nlow"


@pytest.mark.parametrize(
    ("width", "characters", "expected"),
    [
        (PHONE, PHONE_CHARACTERS, "long"),
        (PHONE, PHONE_CHARACTERS + 1, "short"),
        (PHONE + 1, PHONE_CHARACTERS + 1, "long"),
    ],
    ids=["as long as may be", "too long", "no phone"],
)
def test_a_drawing_for_a_phone_is_short(width: int, characters: int, expected: str) -> None:
    lines = characters // 2
    long = ["x"] * (lines if characters % 2 else lines - 1) + ["x" if characters % 2 else "xx"]
    forms = {"long": long, "short": ["s"]}
    assert len("\n".join(long)) == characters
    assert fit([[lambda: long], [lambda: forms["short"]]], width, None) == "\n".join(forms[expected])
