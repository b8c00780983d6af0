"""Hostile names and words on Telegram: people see them unchanged, and Telegram links nothing in them."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from adapters.shared.rendering.message import Message
from adapters.telegram.commands import START
from adapters.telegram.pages import content
from bot.inbox.arguments.commands import COMMANDS
from bot.settings.choices import LANGUAGES
from tests.adapters import hostile
from tests.adapters.telegram.emulator import Emulator

_JOINER = "\u2060"
"""The invisible character with which the adapter breaks links."""
_OURS = {START, *(command.called(language) for command in COMMANDS for language in LANGUAGES)}
_LINKED = re.compile(
    r"(?<!\w)@\w+|(?<!\w)#\w+|(?<!\w)\$[A-Z]{1,8}|\w+://|\w\.[^\W\d]{2,}|\d+\.\d+\.\d+\.\d+|(?<![\w/<>])/(?P<name>\w+)"
)
"""Links that Telegram makes by itself: users, tags, stocks, addresses, commands; not telephone numbers."""

texts = st.one_of(hostile.names, hostile.cuts)


def seen(html: str) -> str:
    """The text that a reader sees; fails if a tag is unknown or unbalanced, or a sign is not escaped."""
    emulator = Emulator()
    plain = emulator._plain({"text": html, "parse_mode": "HTML"})
    assert emulator.book.broken == []
    return plain


def links(html: str) -> list[str]:
    """The links that Telegram adds to a text, other than the bot's own commands."""
    outside = re.sub("<pre>.*?</pre>", "", html, flags=re.DOTALL)
    return [found[0] for found in _LINKED.finditer(seen(outside)) if found["name"] not in _OURS]


@settings(deadline=None)
@given(texts)
@example("<b>Bob</b>")
@example("/weather")
@example("a.co/new")
def test_a_name_is_seen_as_it_is_and_nothing_in_it_is_a_link(text: str) -> None:
    for line in (text, f"{text} cut the deck: {text}"):
        html = content(Message(("Casino", line)))
        assert seen(html).replace(_JOINER, "") == f"Casino\n{line}"
        assert links(html) == []


@settings(deadline=None)
@given(texts)
@example("</pre>")
def test_in_a_drawing_a_name_is_seen_as_it_is(text: str) -> None:
    html = content(Message((), f"{text}\n  {text}"))
    assert html.startswith("<pre>")
    assert seen(html) == f"{text}\n  {text}"


def test_the_bots_own_commands_are_links() -> None:
    assert content(Message(("Open a table with /new.",))) == "Open a table with /new."


@pytest.mark.parametrize("text", ["@ana", "#tag", "$USD", "a.co", "10.0.0.1", "https://x", "/weather"])
def test_links_in_a_text_are_found(text: str) -> None:
    assert links(text) != []
