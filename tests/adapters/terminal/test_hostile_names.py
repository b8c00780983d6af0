"""Hostile names and words at the terminal are shown as text, not as markup, and without control codes."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from textual.geometry import Size

from adapters.terminal.rendering import LogLine, handover, news_content, status_line
from adapters.terminal.session import Session
from adapters.terminal.setup import Setup
from adapters.terminal.widgets import colour_suits
from bot.i18n import safe_name
from engines.values import replace
from tests.adapters import hostile
from tests.adapters.terminal.screen import playing
from tests.adapters.terminal.test_plain import Printed, play

OPEN = Setup("casino", players=2, names=("Ana", "Beto"), seed="S", pace=0)
NAMES = ("[bold]A[/]", "[red]x", "<b>Bob</b>", "\x1b[31mRed", "[@click=app]", "\u202eana")

_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069]")

texts = st.one_of(hostile.names, hostile.cuts)


@settings(deadline=None)
@given(texts)
@example("[bold]A[/]")
def test_news_and_drawings_show_a_name_as_it_is(text: str) -> None:
    assert news_content([LogLine(text, True)], 1000).plain == f"› {text}"
    assert colour_suits(text).plain == text
    assert not _CONTROL.search(text)


@settings(deadline=None, max_examples=30)
@given(hostile.names)
@example("[bold]A[/]")
def test_turns_are_told_with_the_name_as_it_is(name: str) -> None:
    # With this seed the first player begins.
    session = Session(replace(OPEN, names=(name, "Beto"), seed="U"))
    assert name in handover(session, 0, Size(200, 9)).plain
    assert name in status_line(session, None, 200, mine=False, hidden=False).plain


@pytest.mark.parametrize("name", NAMES)
async def test_the_full_screen_shows_a_name_as_it_is(name: str) -> None:
    async with playing(replace(OPEN, names=(name, "Beto"))) as person:
        await person.press("enter")
        text = person.text()
    assert safe_name(name) in text
    assert not _CONTROL.search(text)


@pytest.mark.parametrize("name", NAMES)
def test_lines_show_a_name_and_the_words_of_a_cut_as_they_are(name: str, capsys: Printed) -> None:
    setup = replace(OPEN, names=(name, "Beto"), seed=None, cut=f"{name} words")
    _, printed = play(capsys, setup, [])
    text = "".join(printed)
    assert f"{safe_name(name)} cut the deck: " in text
    assert not _CONTROL.search(text)
