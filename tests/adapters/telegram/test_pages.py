"""Pages as Telegram messages: all text is escaped and cut to length; only the bot's markup remains."""

from __future__ import annotations

import json

import pytest
from telegram import Chat, Message, MessageEntity, User

from adapters.shared.rendering.message import Button, as_message
from adapters.shared.rendering.message import Message as Rendered
from adapters.telegram.pages import (
    LIMITS,
    asked_in,
    content,
    keyboard,
    length,
    link_of,
    question,
    short,
)
from bot.model.people import Account
from bot.ports import Deadline, Key, Page, PagePanel
from engines.game import MoveStyle

NASTY = "<b> & </pre>"
SAFE = "&lt;b&gt; &amp; &lt;/pre&gt;"


@pytest.mark.parametrize(
    ("page", "shown"),
    [
        (Rendered((NASTY,)), SAFE),
        (Rendered((NASTY, "x")), f"<b>{SAFE}</b>\nx"),
        (Rendered((), NASTY), f"<pre>{SAFE}</pre>"),
        (Rendered(("x",), "", (NASTY,)), f"x\n{SAFE}"),
        (Rendered(("head\nrest", "x")), "<b>head</b>\nrest\nx"),
    ],
)
def test_everything_is_escaped(page: Rendered, shown: str) -> None:
    assert content(page) == shown


def test_an_alert_is_a_mention() -> None:
    account = Account("telegram", "42", "p")
    assert content(Rendered((NASTY, "x")), account) == f'<a href="tg://user?id=42">{SAFE}</a>\nx'


def test_a_page_that_is_too_long_is_cut_to_fit() -> None:
    html = content(Rendered(("head", *("&" * 60 for _ in range(60))), "drawing"))
    assert length(html) <= LIMITS.text
    assert "<pre>drawing</pre>" in html


def test_a_character_that_needs_two_utf_16_units_counts_twice() -> None:
    assert length("a🂡") == 3


@pytest.mark.parametrize(
    ("text", "most", "shown"),
    [("abcd", 4, "abcd"), ("abcde", 4, "abc…"), ("ab cde", 4, "ab…"), ("🂡🂡🂡", 4, "🂡…")],
)
def test_a_shortened_text_ends_with_an_ellipsis(text: str, most: int, shown: str) -> None:
    assert short(text, most) == shown


def test_a_keyboard_has_no_button_without_words() -> None:
    row = (Button("", "d"), Button("Go", url="https://t.me/x"), Button("No", "n", style="main"))
    page = Rendered(rows=(row,))
    assert json.loads(keyboard(page)["reply_markup"]) == {
        "inline_keyboard": [
            [
                {"text": "–", "callback_data": "d"},
                {"text": "Go", "url": "https://t.me/x"},
                {"text": "No", "callback_data": "n", "style": "primary"},
            ]
        ]
    }


@pytest.mark.parametrize(
    ("style", "named"), [("plain", None), ("main", "primary"), ("finish", "success"), ("danger", "danger")]
)
def test_each_style_is_one_of_telegrams(style: MoveStyle, named: str | None) -> None:
    rows = json.loads(keyboard(Rendered(rows=((Button("Go", "d", style=style),),)))["reply_markup"])
    assert rows["inline_keyboard"][0][0].get("style") == named


def test_a_plain_keyboard_has_no_styles_and_no_button_that_copies() -> None:
    page = Rendered(rows=((Button("Copy", copy="seed"),), (Button("No", "n", style="main"),)))
    assert json.loads(keyboard(page)["reply_markup"])["inline_keyboard"] == [
        [{"text": "Copy", "copy_text": {"text": "seed"}}],
        [{"text": "No", "callback_data": "n", "style": "primary"}],
    ]
    assert json.loads(keyboard(page, rich=False)["reply_markup"])["inline_keyboard"] == [
        [{"text": "No", "callback_data": "n"}]
    ]


PANELS = (PagePanel("", ("above",)), PagePanel("", ("<a>", "b"), folds=True))


@pytest.mark.parametrize(
    ("rich", "shown"),
    [(True, "<blockquote expandable>&lt;a&gt;\nb</blockquote>"), (False, "&lt;a&gt;\nb")],
)
def test_a_folded_text_is_below_all_others(rich: bool, shown: str) -> None:
    page = Page(panels=PANELS, status=("below",))
    assert content(as_message(page, LIMITS), rich=rich) == f"above\nbelow\n{shown}"


def test_a_page_without_buttons_has_no_keyboard() -> None:
    assert keyboard(Rendered(("x",))) == {}


def test_the_link_of_a_page_is_its_first() -> None:
    assert link_of(Page(keys=((Key("a", "top"),), (Key("b", url="b"), Key("c", url="c"))))) == "b"


def asking(author: int, *urls: str) -> Message:
    """A message by the bot with this id, with these links in it."""
    links = [MessageEntity("text_link", 0, 1, url=url) for url in urls]
    user = User(author, "x", is_bot=True)
    return Message(1, None, Chat(5, "private"), from_user=user, text="x", entities=links)  # type: ignore[arg-type]


def test_a_question_carries_the_callback_data_of_its_button() -> None:
    html = question("Words & <more>", "https://t.me/b?start=hello", "ab:0:cut")
    assert html == '<a href="https://t.me/b?start=hello&amp;ask=ab%3A0%3Acut">Words &amp; &lt;more&gt;</a>'
    assert asked_in(asking(7, "https://t.me/b?start=hello&ask=ab%3A0%3Acut"), 7) == "ab:0:cut"


@pytest.mark.parametrize(
    "message",
    [
        None,
        asking(8, "https://t.me/b?start=hello&ask=ab"),
        asking(7, "https://t.me/b?start=hello"),
        asking(7),
    ],
)
def test_nothing_else_is_a_question(message: Message | None) -> None:
    assert asked_in(message, 7) == ""


DEADLINE = Deadline("Turn <ends>", 1000.2, "after 60 s")


@pytest.mark.parametrize(
    ("rich", "shown"),
    [
        (True, 'Turn &lt;ends&gt; <tg-time unix="1001" format="r">after 60 s</tg-time>.'),
        (False, "Turn &lt;ends&gt; after 60 s."),
    ],
)
def test_a_deadline_is_the_last_line(rich: bool, shown: str) -> None:
    page = Rendered(("above",), "drawn", ("below",), deadline=DEADLINE)
    assert content(page, rich=rich) == f"<b>above</b>\n<pre>drawn</pre>\nbelow\n{shown}"


def test_a_page_that_is_too_long_keeps_its_deadline() -> None:
    html = content(Rendered(("head", *("&" * 60 for _ in range(60))), "drawing", deadline=DEADLINE))
    assert length(html) <= LIMITS.text
    assert html.endswith("after 60 s</tg-time>.")
