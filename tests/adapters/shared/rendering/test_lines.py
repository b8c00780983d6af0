"""Pages as lines of text: what is new to a reader, each thing once, within the width."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.shared.rendering.lines import as_lines
from bot.ports import Deadline, Key, NewsLine, Page, PagePanel
from engines.drawing import cells
from engines.values import replace

PANEL = PagePanel("Casino, table 1", ("7♥  4♦", "Ana 2  Ben 3"), wraps=False)
TURN = Page(
    "turn",
    (NewsLine(4, "Ben draws."), NewsLine(5, "Ana plays 7♥.")),
    (PANEL,),
    ("Your turn, Ana.",),
    ((Key("Take", "move", "take"), Key("Play 4♦", "move", "play 4D")), (), (Key("Leave", "leave"),)),
)

words = st.text("ab♠é日 ", max_size=40)
sentences = st.lists(words, max_size=4).map(tuple)
widths = st.integers(8, 40)


@st.composite
def pages(draw: st.DrawFn) -> Page:
    news = tuple(NewsLine(n, text) for n, text in enumerate(draw(sentences), draw(st.integers(0, 9))))
    panels = st.builds(PagePanel, words, sentences)
    keys = st.lists(st.builds(Key, words, st.just("move")), max_size=4).map(tuple)
    return Page(
        "turn", news, draw(st.lists(panels, max_size=2).map(tuple)), draw(sentences),
        draw(st.lists(keys, max_size=3).map(tuple)),
    )  # fmt: skip


@st.composite
def deliveries(draw: st.DrawFn) -> list[Page]:
    """Pages of one reader, one after another; each begins at or before the end of the one before."""
    pages: list[Page] = []
    end = 0
    for _ in range(draw(st.integers(1, 8))):
        first = draw(st.integers(pages[-1].news[0].n if pages else 0, end))
        end = draw(st.integers(end + 1, end + 4))
        pages.append(Page("waiting", tuple(NewsLine(n, f"news {n}.") for n in range(first, end))))
    return pages


def test_a_first_page_is_shown_whole() -> None:
    assert as_lines(TURN, None, 40) == [
        "Ben draws.",
        "Ana plays 7♥.",
        "Casino, table 1",
        "7♥  4♦",
        "Ana 2  Ben 3",
        "Your turn, Ana.",
        "  1. Take",
        "  2. Play 4♦",
        "  3. Leave",
    ]


def test_of_a_later_page_only_what_is_new_is_shown() -> None:
    before = Page("waiting", TURN.news[:1], (PANEL, PagePanel("", ("sealed",))))
    assert as_lines(TURN, before, 40)[:2] == ["Ana plays 7♥.", "Your turn, Ana."]


def test_a_panel_that_differs_is_shown_whole() -> None:
    before = Page("waiting", TURN.news, (PagePanel(PANEL.title, ("7♥",), wraps=False),))
    assert as_lines(TURN, before, 40)[:3] == [PANEL.title, *PANEL.lines]


def test_a_page_with_nothing_new_is_shown_whole_but_for_its_news() -> None:
    assert as_lines(TURN, TURN, 40) == as_lines(TURN, None, 40)[2:]
    assert as_lines(Page.note("Ana, it is your turn."), Page.note("Ana, it is your turn."), 40)


def test_sentences_are_wrapped_and_drawings_are_not() -> None:
    drawn = PagePanel("Casino, table 1", ("7♥  4♦  K♠  10♣",), wraps=False)
    page = Page(panels=(drawn, PagePanel("", ("Ana takes two cards.\n  then",))))
    assert as_lines(page, None, 10) == [
        "Casino,", "table 1", "7♥  4♦  K♠  10♣", "Ana takes", "two cards.", "  then",
    ]  # fmt: skip


def test_a_long_label_goes_on_below_its_beginning() -> None:
    page = Page(keys=((Key("Capture 4♦+3♥ with 7♥", "move"),),))
    assert as_lines(page, None, 18) == ["  1. Capture 4♦+3♥", "     with 7♥"]


def test_an_address_stands_whole_on_a_line_of_its_own() -> None:
    page = Page(keys=((Key("Rules", url="https://example.org/long/address"),),))
    assert as_lines(page, None, 12) == ["  1. Rules", "     https://example.org/long/address"]


@given(deliveries(), widths)
def test_no_news_is_lost_or_told_twice(shown: list[Page], width: int) -> None:
    lines: list[str] = []
    for before, page in zip([None, *shown], shown, strict=False):
        lines += as_lines(page, before, width)
    assert "\n".join(lines).replace("\nnews", "|news").replace("\n", " ").split("|") == [
        f"news {n}." for n in range(shown[-1].news[-1].n + 1)
    ]


@given(pages(), st.none() | pages(), widths)
def test_sentences_and_labels_keep_to_the_width(page: Page, before: Page | None, width: int) -> None:
    assert [line for line in as_lines(page, before, width) if cells(line) > width] == []


@given(pages(), st.none() | pages())
def test_the_number_of_a_key_is_its_position(page: Page, before: Page | None) -> None:
    keys = page.numbered
    # No label is wider than 80 cells, so that each takes one line.
    lines = as_lines(page, before, 90)
    assert lines[len(lines) - len(keys) :] == [
        f"{n:>3}. {key.label}".rstrip() for n, key in enumerate(keys, 1)
    ]


@pytest.mark.parametrize("group", [(), ((),)])
def test_a_page_without_keys_numbers_nothing(group: tuple[tuple[Key, ...], ...]) -> None:
    assert Page(keys=group).numbered == ()


def test_a_deadline_is_a_sentence_between_the_status_and_the_keys() -> None:
    page = replace(TURN, news=(), panels=(), deadline=Deadline("Turn ends", 1000.0, "after 60 s"))
    lines = as_lines(page, None, 40)
    assert lines[:3] == ["Your turn, Ana.", "Turn ends after 60 s.", "  1. Take"]
