"""Pages as Discord messages."""

from __future__ import annotations

import pytest

from adapters.discord.pages import LIMITS, content, view
from adapters.shared.rendering.message import Button, Message, Select
from bot.model.people import Account
from bot.ports import Deadline


@pytest.mark.parametrize("mark", list("\\*_~|`<>[]()#"))
def test_no_character_is_taken_for_markup(mark: str) -> None:
    assert content(Message((f"a{mark}b",))) == f"a\\{mark}b"


def test_a_drawing_stands_between_the_sentences_in_a_block_of_its_own() -> None:
    assert content(Message(("above",), "drawn", ("below",))) == "above\n```\ndrawn\n```\nbelow"


def test_no_drawing_ends_its_block() -> None:
    assert "```" not in content(Message((), "a```b")).removeprefix("```").removesuffix("```")


def test_a_page_that_is_too_long_loses_its_oldest_sentences() -> None:
    page = Message(("title", *(f"{n} " + "x" * 80 for n in range(60))), "drawn", ("below",))
    assert len(content(page)) <= LIMITS.text
    assert content(page).endswith("below")


def test_a_mention_counts_toward_the_limit_of_a_text() -> None:
    page = Message(below=("x" * 3 * LIMITS.text,))
    mentioned = content(page, Account("discord", "9" * 19, "ana"))
    assert mentioned.startswith(f"<@{'9' * 19}> x")
    assert len(mentioned) == LIMITS.text


async def test_buttons_stand_in_the_rows_of_the_page() -> None:
    buttons = [Button(str(n), f"{n:010}:0:top") for n in range(3)]
    shown = view(Message(rows=((buttons[0], buttons[1]), (buttons[2],))))
    assert shown
    rows = [[component["label"] for component in row["components"]] for row in shown.to_components()]
    assert rows == [["0", "1"], ["2"]]


async def test_a_button_that_leads_elsewhere_is_a_link() -> None:
    shown = view(Message(rows=((Button("there", url="https://example.org"),),)))
    assert shown
    assert shown.to_components()[0]["components"][0]["url"] == "https://example.org"


async def test_a_list_stands_below_the_buttons() -> None:
    buttons = tuple(Button(str(n), f"{n:010}:0:top") for n in range(3))
    shown = view(Message(rows=((buttons[0],),), select=Select("2 more to choose from", buttons[1:])))
    assert shown
    keyboard, selects = (row["components"] for row in shown.to_components())
    assert [one["label"] for one in keyboard] == ["0"]
    assert selects[0]["placeholder"] == "2 more to choose from"
    assert [one["value"] for one in selects[0]["options"]] == [button.data for button in buttons[1:]]


async def test_no_list_has_the_id_of_another_lest_a_client_shows_what_was_chosen_before() -> None:
    page = Message(select=Select("2 more", (Button("0", "a"), Button("1", "b"))))
    shown = [view(page), view(page)]
    ids = {message.to_components()[0]["components"][0]["custom_id"] for message in shown if message}
    assert len(ids) == 2


async def test_views_are_not_kept() -> None:
    shown = view(Message(rows=((Button("0", "0000000000:0:top"),),)))
    assert shown
    assert shown.timeout is None
    # The library keeps no view that is finished.
    assert shown.is_finished()


def test_a_deadline_is_counted_down_in_the_last_line() -> None:
    page = Message(("above",), "drawn", ("below",), deadline=Deadline("*Turn* ends", 1000.2, "after 60 s"))
    assert content(page) == "above\n```\ndrawn\n```\nbelow\n\\*Turn\\* ends <t:1001:R>."


def test_a_page_that_is_too_long_keeps_its_deadline() -> None:
    above = ("title", *(f"{n} " + "x" * 80 for n in range(60)))
    page = Message(above, "drawn", ("below",), deadline=Deadline("Turn ends", 1000.0, "after 60 s"))
    assert len(content(page)) <= LIMITS.text
    assert content(page).endswith("below\nTurn ends <t:1000:R>.")


def test_the_title_opens_a_link() -> None:
    page = Message(("notice", "*Casino*", "*Casino*"), link=("*Casino*", "https://example.org/1"))
    assert content(page) == "notice\n[\\*Casino\\*](https://example.org/1)\n\\*Casino\\*"


def test_a_page_that_is_too_long_keeps_its_link() -> None:
    above = ("title", *(f"{n} " + "x" * 80 for n in range(60)))
    page = Message(above, "drawn", ("below",), link=("title", "https://example.org/" + "1" * 70))
    assert len(content(page)) <= LIMITS.text
    assert content(page).startswith("[title](https://example.org/111")
