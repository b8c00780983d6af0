"""Pages as Telegram messages: HTML with everything escaped, and a keyboard below."""

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
"""What `Place.platform` says."""

LIMITS = Limits(text=4096, rows=12, row=8, keys=96, label=40, data=64, brief=200, gap=3.5, pages=False)
"""A group takes 20 messages a minute, edits counted: every 3.5 seconds leaves some for answers."""

_ASK = "ask"
"""The query parameter of a link that holds the callback data of the button that asks for words."""

_STYLES: Mapping[Style, dict[str, str]] = {"plain": {}, "main": {"style": "primary"}}


def content(page: Page, call: Account | None = None) -> str:
    """The text of a page as HTML; the first line mentions ``call``, so that it rings."""
    text = _content(page, call)
    return text if length(text) <= LIMITS.text else _content(fitted(page, LIMITS), call)


def keyboard(page: Page) -> dict[str, str]:
    """The buttons of a page as the API parameter; empty where there are none."""
    rows = [[_button(key) for key in row] for row in page.rows if row]
    return {"reply_markup": json.dumps({"inline_keyboard": rows})} if rows else {}


def link_of(page: Page) -> str:
    """The address of the first button of a page that is a link; empty where there is none."""
    return next((key.url for row in page.rows for key in row if key.url), "")


def question(words: str, link: str, data: str) -> str:
    """A question as HTML, in a link that holds the callback data and comes back with the reply.

    So the question survives a restart; the link itself opens the private chat.
    """
    return f'<a href="{escape(f"{link}&{_ASK}={quote(data)}")}">{escape(words, quote=False)}</a>'


def asked_in(message: Message | None, bot: int) -> str:
    """The callback data of the button for which a message of the bot asks; empty where it asks for none."""
    if message is None or message.from_user is None or message.from_user.id != bot:
        return ""
    links = (entity.url for entity in message.entities if entity.url)
    return next((said for link in links for said in parse_qs(urlsplit(link).query).get(_ASK, ())), "")


def noted(page: Page | None, notice: str) -> Page | None:
    """A page that begins with a notice, unless it says the same already."""
    if page is None:
        return Page((notice,)) if notice else None
    if not notice or set(notice.splitlines()) <= set(page.above):
        return page
    return Page((notice, *page.above), page.drawing, page.below, page.rows)


def short(text: str, most: int) -> str:
    """A text cut to so many UTF-16 units."""
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
