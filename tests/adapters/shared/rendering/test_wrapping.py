"""Text wrapped at a width, and Markdown without its syntax."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.shared.rendering.wrapping import plain_text, reflowed, wrapped

words = st.text("ab♠é日 ", max_size=40)
widths = st.integers(8, 40)


@given(words, widths)
def test_wrapping_loses_no_letter(text: str, width: int) -> None:
    assert "".join(wrapped(text, width)).replace(" ", "") == text.replace(" ", "")


def test_paragraphs_are_joined_and_list_items_are_indented() -> None:
    text = "One two\nthree four.\n\n- five six\n  seven\n- eight\n12. nine ten"
    assert reflowed(text, 10) == [
        "One two", "three", "four.", "",
        "- five six", "  seven", "- eight",
        "12. nine", "    ten",
    ]  # fmt: skip


@pytest.mark.parametrize("lines", ["# Rules\nOne two.", "# Rules\n\nOne two."])
def test_a_heading_is_set_off_from_the_text_below_it(lines: str) -> None:
    assert reflowed(lines, 40) == ["# Rules", "", "One two."]
    assert plain_text(lines) == "Rules\n\nOne two."
    assert reflowed(plain_text(lines), 40) == ["Rules", "", "One two."]


@pytest.mark.parametrize("lines", ["One two.\n## Rules\n- three", "One two.\n\n## Rules\n\n- three"])
def test_a_heading_is_set_off_from_the_text_above_it_and_from_a_list(lines: str) -> None:
    assert plain_text(lines) == "One two.\n\nRules\n\n- three"


def test_the_syntax_of_markdown_is_left_out() -> None:
    assert plain_text("**one** *two* `three_four` [five](https://example.org/) six_seven") == (
        "one two three_four five six_seven"
    )
