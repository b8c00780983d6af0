"""Hostile names and words on Discord: they are read as they are, and nothing in them is live."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from adapters.discord.pages import content
from adapters.shared.rendering.message import Message
from tests.adapters import hostile

_TOKEN = re.compile(r"\\([^0-9A-Za-z\s])|(.)", re.DOTALL)
"""An escaped character, or any other, as Discord's clients read Markdown."""
_JOINER = "\u2060"
"""Word joiner, which the bot puts into what a client would make live in spite of escapes."""
_LIVE = re.compile(
    r"[*_~`\[\]<>()\\#]|\|\||@everyone|@here|://|:[^\s:\ue000]+:|\w\.\w+/|^ *(?:[-+*]|-#|>+|#{1,3}) ",
    re.IGNORECASE | re.MULTILINE,
)
"""What a client takes for markup, a mention, an emoji or a link; U+E000 stands for an escaped character."""
_LIVE_THOUGH_ESCAPED = re.compile(
    r"<@[!&]?\d+>|<#\d+>|<a?:\w+:\d+>|@everyone|@here|discord(?:app)?\.(?:gg|com/invite)/", re.IGNORECASE
)
"""What Discord finds in a content though it is escaped."""

texts = st.one_of(hostile.names, hostile.cuts)


def seen(markdown: str) -> str:
    """The text that a reader sees."""
    return _TOKEN.sub(lambda found: found[1] or found[2], markdown).replace(_JOINER, "")


def live(markdown: str) -> list[str]:
    """The parts of a content that are more than text."""
    unescaped = _TOKEN.sub(lambda found: "\ue000" if found[1] else found[2], markdown)
    return [
        found[0]
        for pattern, text in ((_LIVE, unescaped), (_LIVE_THOUGH_ESCAPED, markdown))
        for found in pattern.finditer(text)
    ]


@settings(deadline=None)
@given(texts)
@example("<b>Bob</b>")
@example("- - -")
@example("https://discord.gg/x")
@example("::a:b:")
@example("10.0.0.1/x")
def test_a_name_is_seen_as_it_is_and_nothing_in_it_is_live(text: str) -> None:
    for line in (text, f"{text} cut the deck: {text}", f"1. {text}"):
        markdown = content(Message(("Casino", line)))
        assert seen(markdown) == f"Casino\n{line}"
        assert live(markdown) == []


@settings(deadline=None)
@given(texts)
@example("```")
@example("a`````b``")
def test_in_a_drawing_a_name_is_seen_as_it_is_and_ends_no_block(text: str) -> None:
    block = content(Message((), f"{text}\n  {text}"))
    assert block.startswith("```\n")
    assert block.endswith("\n```")
    inside = block.removeprefix("```\n").removesuffix("\n```")
    assert "```" not in inside
    assert inside.replace(_JOINER, "") == f"{text}\n  {text}"


def test_a_long_page_of_escapes_keeps_its_drawing_and_its_end() -> None:
    markdown = content(Message(("Casino", *["*" * 80] * 40), "drawn", ("below",)))
    assert len(markdown) <= 2000
    assert markdown.startswith("Casino\n")
    assert markdown.endswith("```\ndrawn\n```\nbelow")


@pytest.mark.parametrize(
    "text", ["**a**", "@here", "a.co/x", "https://a.co", ":x:", "<@1>", "`a`", "- a", "||a||"]
)
def test_live_parts_of_a_text_are_found(text: str) -> None:
    assert live(text) != []
