"""Turns pages into Telegram messages: HTML with all markup escaped, and an inline keyboard."""

from __future__ import annotations

import json
from collections.abc import Mapping
from html import escape
from urllib.parse import parse_qs, quote, urlsplit

from telegram import Message

from bot.model import Account
from bot.pages.layout import fitted
from bot.ports import Key, Limits, Page, Style

KEY = "telegram"
"""The `Place.platform` of all places on Telegram."""

LIMITS = Limits(text=4096, rows=12, row_keys=8, keys=96, label=40, data=64, brief=200, gap=3.5, pages=False)
"""A group accepts 20 messages and edits a minute; an update every 3.5 seconds leaves some for answers."""

_ASK = "ask"
"""The query parameter of a question's link; its value is the callback data of the button that asks."""

_STYLES: Mapping[Style, dict[str, str]] = {"plain": {}, "main": {"style": "primary"}}


def content(page: Page, call: Account | None = None) -> str:
    """The text of a page as HTML, shortened if it is too long.

    The first line mentions the user of ``call``, whom Telegram then notifies.
    """
    text = _content(page, call)
    return text if length(text) <= LIMITS.text else _content(fitted(page, LIMITS), call)


def keyboard(page: Page) -> dict[str, str]:
    """The buttons of a page as the API parameter ``reply_markup``; empty if the page has none."""
    rows = [[_button(key) for key in row] for row in page.rows if row]
    return {"reply_markup": json.dumps({"inline_keyboard": rows})} if rows else {}


def link_of(page: Page) -> str:
    """The address of a page's first link button; empty if it has none."""
    return next((key.url for row in page.rows for key in row if key.url), "")


def question(words: str, link: str, data: str) -> str:
    """A question as HTML: a link to the private chat that carries the button's callback data.

    Telegram sends the question, link included, along with the user's reply, so the bot stores nothing
    about open questions and they survive a restart.
    """
    return f'<a href="{escape(f"{link}&{_ASK}={quote(data)}")}">{escape(words, quote=False)}</a>'


def asked_in(message: Message | None, bot: int) -> str:
    """The callback data in a question of the bot, whose id is ``bot``; empty if the message is none."""
    if message is None or message.from_user is None or message.from_user.id != bot:
        return ""
    links = (entity.url for entity in message.entities if entity.url)
    return next((said for link in links for said in parse_qs(urlsplit(link).query).get(_ASK, ())), "")


def noted(page: Page | None, notice: str) -> Page | None:
    """The page with the notice above it, unless it has its lines already; None if there is neither."""
    if page is None:
        return Page((notice,)) if notice else None
    if not notice or set(notice.splitlines()) <= set(page.above):
        return page
    return Page((notice, *page.above), page.drawing, page.below, page.rows)


def short(text: str, most: int) -> str:
    """The text cut to at most ``most`` UTF-16 units, with an ellipsis where it was cut."""
    if length(text) <= most:
        return text
    while length(text) >= most:
        text = text[:-1]
    return text.rstrip() + "…"


def length(text: str) -> int:
    """The length of a text in UTF-16 units, as Telegram counts it."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _content(page: Page, call: Account | None) -> str:
    lines = [escape(line, quote=False) for line in page.above]
    if call and lines:
        lines[0] = f'<a href="tg://user?id={int(call.user)}">{lines[0]}</a>'
    elif lines and (len(lines) > 1 or page.drawing):
        head, *rest = lines[0].split("\n")
        lines[0] = "\n".join((f"<b>{head}</b>" if head else "", *rest))
    if page.drawing:
        lines.append(f"<pre>{escape(page.drawing, quote=False)}</pre>")
    lines += [escape(line, quote=False) for line in page.below]
    return "\n".join(lines)


def _button(key: Key) -> dict[str, str]:
    label = {"text": key.label or "–"}
    if key.url:
        return {**label, "url": key.url}
    return {**label, "callback_data": key.data, **_STYLES[key.style]}
