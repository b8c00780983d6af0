"""Drawings: widths in cells, cutting, columns, and the choice of a form."""

from __future__ import annotations

from collections.abc import Callable
from string import ascii_uppercase

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.i18n import Speech
from engines.cards import Card, cards
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
    group_lines,
    hand_lines,
    heading,
    is_compact,
    pad,
    pad_left,
    panel,
    panels_beside,
    row,
    rows,
    strip,
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
def test_padding_never_cuts(padded: Callable[[str, int], str]) -> None:
    assert padded("longer", 3) == "longer"


@pytest.mark.parametrize(
    ("text", "width", "expected"),
    [
        ("Casino: Ana Ma…", 12, "Casino: Ana…"),
        ("Ana…, Beto", 5, "Ana…"),
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
def test_a_text_is_cut_to_its_width(text: str, width: int, expected: str) -> None:
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
def test_a_card_is_drawn_face_up(card: str, lines: Picture) -> None:
    assert face(Card(card), SAY) == lines


def test_a_card_is_drawn_in_letters() -> None:
    assert face(Card("10H"), Speech("en", letters=True)) == (".----.", "|10H |", "| 10 |", "'----'")


@pytest.mark.parametrize("letters", [False, True])
def test_cards_face_up_side_by_side(letters: bool) -> None:
    say, cards = Speech("en", letters=letters), [Card("10H"), Card("KSb")]
    assert faces(cards, say) == row([face(card, say) for card in cards])


def test_no_cards_make_no_pictures() -> None:
    assert faces([], SAY) == []


def test_pictures_stand_side_by_side() -> None:
    assert row([BOX, ["a"], BOX], 1) == ["+--+ a +--+", "|  |   |  |", "+--+   +--+"]


def test_a_shorter_picture_leaves_no_blanks_at_the_end() -> None:
    assert row([BOX, ["李"]]) == ["+--+  李", "|  |", "+--+"]


def test_a_row_of_nothing_has_no_lines() -> None:
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


LINES = Speech("en", pictures="lines")
BOXES = Speech("en", pictures="boxes")


def test_low_boxes_share_their_borders() -> None:
    assert strip(cards("5H 10S"), SAY) == (".---.---.", "|5♥ |10♠|", "'---'---'")


def test_backs_stand_below_low_boxes() -> None:
    assert strip(cards("5Hr 10Sb"), SAY) == (".---.---.", "|5♥ |10♠|", "'-r-'-b-'")


def test_low_boxes_have_a_letter_above_and_a_value_below() -> None:
    assert strip(cards("6H 4S"), SAY, "A", "10") == (".-A-.---.", "|6♥ |4♠ |", "'-- 10 -'")


def test_no_cards_are_no_boxes() -> None:
    assert strip((), SAY) == ()


def test_few_cards_of_a_hand_are_boxes_and_more_are_lines() -> None:
    few, many = cards("AH 2H 3H 4H 5H 6H"), cards("AH 2H 3H 4H 5H 6H 7H")
    assert len(hand_lines(few, SAY, PHONE)) == 3
    assert max(map(cells, hand_lines(few, SAY, PHONE))) <= PHONE
    assert hand_lines(many, SAY, PHONE) == ["A♥ 2♥ 3♥ 4♥ 5♥ 6♥ 7♥"]
    assert hand_lines(few, LINES, PHONE) == ["A♥ 2♥ 3♥ 4♥ 5♥ 6♥"]
    assert hand_lines((), SAY, PHONE) == []


def grouped(*spelled: str) -> list[tuple[str, tuple[Card, ...]]]:
    return [(ascii_uppercase[n], cards(group)) for n, group in enumerate(spelled)]


def test_few_groups_are_boxes_behind_their_letters() -> None:
    assert group_lines(grouped("5H 6H 7H", "AS AD AC"), SAY, PHONE) == [
        ".-A-.---.---.  .-B-.---.---.",
        "|5♥ |6♥ |7♥ |  |A♠ |A♦ |A♣ |",
        "'---'---'---'  '---'---'---'",
    ]


def test_some_groups_have_a_line_each() -> None:
    assert group_lines(grouped("5Hr 6Hb 7Hr 8Hr", "ASb ADr ACr"), SAY, PHONE) == [
        "A  5♥r 6♥b 7♥r 8♥r",
        "B  A♠b A♦r A♣r",
    ]
    assert group_lines(grouped("5H 6H 7H", "2S 2D 2C"), LINES, PHONE) == ["A  5♥ 6♥ 7♥", "B  2♠ 2♦ 2♣"]


def test_a_long_run_stays_in_its_line() -> None:
    run = "AHr 2Hb 3Hb 4Hb 5Hb 6Hb 7Hb"
    assert group_lines(grouped(run), SAY, PHONE) == ["A  A♥ 2♥ 3♥ 4♥ 5♥ 6♥ 7♥"]
    assert group_lines(grouped(f"{run} 8Hb 9Hb"), SAY, PHONE) == ["A  A–9♥"]


def test_many_groups_share_lines() -> None:
    lines = group_lines(grouped(*["5H 6H 7H 8H"] * 8), SAY, PHONE)
    assert lines[0] == "A 5♥ 6♥ 7♥ 8♥  B 5♥ 6♥ 7♥ 8♥"
    lines = group_lines(grouped(*["5Hr 6Hb 7Hb 8Hr", "ASb ADr ACr"] * 5), SAY, PHONE)
    assert lines[0] == "A 5♥ 6♥ 7♥ 8♥  B A♠ A♦ A♣"
    lines = group_lines(grouped(*["5H 6H 7H 8H", "QS QH QD QC", "QH KH AH"] * 6), SAY, PHONE)
    assert lines[0] == "A 5–8♥  B Q♠♥♦♣  C Q–A♥"


def test_a_group_too_long_for_a_line_goes_on_in_the_next() -> None:
    lines = group_lines(grouped("AHr 3Hb 5Hb 7Hr 9Hr JHr KHr 2Sb 4Sb"), SAY, PHONE)
    assert lines == ["A  A♥ 3♥ 5♥ 7♥ 9♥ J♥ K♥ 2♠", "4♠"]


@given(
    st.lists(st.lists(st.sampled_from(cards("2Sr 3Sr 4Sr 9Hb KDb AC")), min_size=1, max_size=9), max_size=10)
)
def test_groups_fit_a_phone_and_lose_no_letter(groups: list[list[Card]]) -> None:
    named = [(ascii_uppercase[n], tuple(group)) for n, group in enumerate(groups)]
    lines = group_lines(named, SAY, PHONE)
    assert all(cells(line) <= PHONE for line in lines)
    assert all(letter in "".join(lines) for letter, _ in named)
    assert "…" not in "".join(lines)


def test_a_drawing_for_a_phone_is_compact_unless_its_reader_wants_boxes() -> None:
    assert [is_compact(say, PHONE) for say in (SAY, LINES, BOXES)] == [True, True, False]
    assert not is_compact(SAY, PHONE + 1)
