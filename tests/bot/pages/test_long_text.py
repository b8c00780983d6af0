"""Long texts are divided into pages that a message has room for, and no word of them is lost."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bot.pages.long_text import cost, text_page
from bot.ports import Limits

_LIMITS = Limits(text=300, markup=100)
_ROOM = _LIMITS.text - _LIMITS.markup
_paragraphs = st.text("a*<&\n", max_size=500) | st.text("<&", min_size=50, max_size=500)
_texts = st.lists(_paragraphs, min_size=1, max_size=6).map("\n\n".join)


@given(_texts)
def test_every_page_of_a_long_text_fits_and_nothing_but_line_ends_is_lost(text: str) -> None:
    pages = list[str]()
    while True:
        page = text_page(text, len(pages), "log", "", _LIMITS)
        pages.append("\n".join(page.panels[0].lines))
        if not any("›" in key.label for row in page.keys for key in row):
            break
    assert all(cost(part) <= _ROOM for part in pages)
    assert "".join(pages).replace("\n", "") == text.replace("\n", "")
