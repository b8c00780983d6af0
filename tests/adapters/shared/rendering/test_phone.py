"""The news for which a phone has room, and the lines that sentences and drawings take there."""

from __future__ import annotations

import pytest

from adapters.shared.rendering.message import as_message
from adapters.shared.rendering.phone import SCREEN, drawing_lines, fitting_news, sentence_lines
from bot.ports import Key, Limits, NewsLine, Page, PageKind, PagePanel

LIMITS = Limits(text=4000, rows=5, row_keys=5, keys=25)
NEWS = [NewsLine(n, text, routine) for n, (text, routine) in enumerate([
    ("Ana draws.", True), ("Ana lays A.", False), ("Luis draws.", True), ("Luis lays B.", False),
    ("Eva lays C.", False), ("Eva ends.", True),
])]  # fmt: skip


def test_sentences_wrap_at_forty_cells_and_drawings_at_twenty_eight() -> None:
    assert sentence_lines(["a" * 40, "b" * 41, ""]) == 1 + 2 + 1
    assert drawing_lines("a" * 28 + "\n\n" + "b" * 29) == 1 + 1 + 2
    assert drawing_lines("") == 0


@pytest.mark.parametrize(
    ("room", "kept"),
    [
        (6, [line.text for line in NEWS]),
        (5, ["… Ana lays A.", "Luis draws.", "Luis lays B.", "Eva lays C.", "Eva ends."]),
        (4, ["… Ana lays A.", "Luis lays B.", "Eva lays C.", "Eva ends."]),
        (3, ["… Luis lays B.", "Eva lays C.", "Eva ends."]),
        (-9, ["… Luis lays B.", "Eva lays C.", "Eva ends."]),
    ],
)
def test_routine_news_is_left_out_first_then_the_oldest_but_three_stay(room: int, kept: list[str]) -> None:
    assert fitting_news(NEWS, room) == kept


def test_the_newest_piece_of_news_stays_though_it_is_routine() -> None:
    news = [NewsLine(n, f"Ana draws {n}.", routine=True) for n in range(9)]
    assert fitting_news(news, 0) == ["… Ana draws 8."]
    assert fitting_news([], 0) == []


@pytest.mark.parametrize("kind", ["turn", "waiting", "over"])
def test_a_page_of_a_game_has_the_news_that_fits_a_phone(kind: PageKind) -> None:
    news = tuple(NewsLine(n, f"Ana lays {n}.") for n in range(30))
    panel = PagePanel("Casino", tuple("drawn" for _ in range(10)), wraps=False)
    keys = tuple((Key(f"Throw {n}", "move", f"throw {n}"),) for n in range(2))
    above = as_message(Page(kind, news, (panel,), ("Your turn, Ana.",), keys), LIMITS).above
    assert above[0] == "Casino"
    assert above[-1] == "Ana lays 29."
    assert len(above) + 10 + 1 + 2 == SCREEN


def test_of_two_pieces_of_news_a_full_screen_has_the_last() -> None:
    news = (NewsLine(0, "Ana draws.", routine=True), NewsLine(1, "Ana lays A."))
    panel = PagePanel("Casino", tuple("drawn" for _ in range(SCREEN)), wraps=False)
    assert as_message(Page("turn", news, (panel,)), LIMITS).above == ("Casino", "… Ana lays A.")


def test_other_pages_have_all_their_news() -> None:
    news = tuple(NewsLine(n, f"Ana lays {n}.") for n in range(30))
    assert len(as_message(Page("note", news, (PagePanel("Casino", ()),)), LIMITS).above) == 31
