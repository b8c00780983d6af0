"""Hostile names and words on Telegram: they are read as they are, and nothing in them is live."""

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
_OURS = {START, *(command.called(language) for command in COMMANDS for language in LANGUAGES)}
_LINKED = re.compile(
    r"(?<!\w)@\w+|(?<!\w)#\w+|(?<!\w)\$[A-Z]{1,8}|\w+://|\w\.[^\W\d]{2,}|\d+\.\d+\.\d+\.\d+|(?<![\w/<>])/(?P<name>\w+)"
)
"""What Telegram makes a link of by itself."""

texts = st.one_of(hostile.names, hostile.cuts)


def seen(html: str) -> str:
    """The text that a reader sees; the emulator checks that all but the bot's own HTML is escaped."""
    emulator = Emulator()
    plain = emulator._plain({"text": html, "parse_mode": "HTML"})
    assert emulator.book.broken == []
    return plain


def live(html: str) -> list[str]:
    """The links that Telegram adds to a text, other than the bot's own commands."""
    outside = re.sub("<pre>.*?</pre>", "", html, flags=re.DOTALL)
    return [found[0] for found in _LINKED.finditer(seen(outside)) if found["name"] not in _OURS]


@settings(deadline=None)
@given(texts)
@example("<b>Bob</b>")
@example("/weather")
@example("a.co/new")
def test_a_name_is_seen_as_it_is_and_nothing_in_it_is_live(text: str) -> None:
    for line in (text, f"{text} cut the deck: {text}"):
        html = content(Message(("Casino", line)))
        assert seen(html).replace(_JOINER, "") == f"Casino\n{line}"
        assert live(html) == []


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
def test_live_parts_of_a_text_are_found(text: str) -> None:
    assert live(text) != []
