"""Renders messages for Telegram: HTML with the markup in sentences escaped, and an inline keyboard."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from math import ceil
from urllib.parse import parse_qs, quote, urlsplit

import orjson
import telegram

from adapters.shared.rendering.message import Button, Message, as_message, fitted
from adapters.telegram.escaping import escaped, in_block
from bot.model.people import Account
from bot.ports import Deadline, Limits, Page
from engines.game import MoveStyle
from engines.values import replace

KEY = "telegram"
"""The `Place.platform` of all places on Telegram."""

LIMITS = Limits(
    text=4096,
    rows=12,
    row_keys=8,
    keys=96,
    label=40,
    data=64,
    brief=200,
    gap=3.5,
    pages=False,
    typed=False,
    copies=True,
    folds=True,
)
"""What Telegram can show, and how fast.

A group accepts 20 messages and edits a minute: an update every ``gap`` seconds leaves some for answers.
"""

NO_PREVIEW = {"link_preview_options": '{"is_disabled": true}'}
"""The parameter of the Bot API by which Telegram shows no preview of a linked page."""
_ASK = "ask"
"""The query parameter of a question's link; its value is the callback data of the button that asks."""

_STYLES: Mapping[MoveStyle, dict[str, str]] = {
    "plain": {},
    "main": {"style": "primary"},
    "finish": {"style": "success"},
    "danger": {"style": "danger"},
}


Content = Page | Message
"""A page, or a message that is rendered already: a page with a notice above it, or a notice alone."""


def message_of(shown: Content) -> Message:
    """The content as a message, rendered if it is a page."""
    return as_message(shown, LIMITS) if isinstance(shown, Page) else shown


def content(message: Message, mention: Account | None = None, *, rich: bool = True) -> str:
    """The text of a message as HTML, shortened if it is too long.

    The first line mentions the user of ``mention``, whom Telegram then notifies. A ``rich`` text may have
    tags that older servers do not know: by them, clients count down to a deadline and fold a long text.
    """
    text = _content(message, mention, rich)
    return text if length(text) <= LIMITS.text else _content(fitted(message, LIMITS), mention, rich)


def has_rich_text(message: Message) -> bool:
    """Whether the rich text of a message has tags that older servers do not know."""
    return bool(message.deadline or message.folded)


def has_rich_buttons(message: Message) -> bool:
    """Whether a message has buttons that older servers do not know."""
    return any(button.copy or _STYLES[button.style] for row in message.rows for button in row)


def shortened(message: Message, limits: Limits) -> Message:
    """A message cut to a smaller limit; a drawing that is too long for the limit loses its last lines."""
    lines = message.drawing.split("\n")
    room = limits.text - limits.markup - length("\n".join((*message.above[:1], *message.below)))
    while len(lines) > 1 and length("\n".join(lines)) > room:
        lines.pop()
    return fitted(replace(message, drawing="\n".join(lines)), limits)


def keyboard(message: Message, *, rich: bool = True) -> dict[str, str]:
    """The buttons of a message as the API parameter ``reply_markup``; empty if it has none.

    Unless they may be ``rich``, no button has a style, and those that copy a text are left out.
    """
    rows = [[_button(button, rich) for button in row if rich or not button.copy] for row in message.rows]
    rows = [row for row in rows if row]
    return {"reply_markup": orjson.dumps({"inline_keyboard": rows}).decode()} if rows else {}


def link_of(page: Page) -> str:
    """The address that the first link among a page's keys opens; empty if no key is a link."""
    return next((key.url for group in page.keys for key in group if key.url), "")


def question(words: str, link: str, data: str) -> str:
    """A question as HTML: a link to the private chat that carries the button's callback data.

    Telegram sends the question, link included, along with the user's reply, so the bot stores nothing
    about open questions and they survive a restart.
    """
    return f'<a href="{escape(f"{link}&{_ASK}={quote(data)}")}">{escaped(words)}</a>'


def asked_in(message: telegram.Message | None, bot: int) -> str:
    """The callback data in a question of the bot, whose id is ``bot``; empty if the message asks nothing."""
    if message is None or message.from_user is None or message.from_user.id != bot:
        return ""
    links = (entity.url for entity in message.entities if entity.url)
    return next((data for link in links for data in parse_qs(urlsplit(link).query).get(_ASK, ())), "")


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


def _content(message: Message, mention: Account | None, rich: bool) -> str:
    """The HTML of a message at its full length.

    The first line mentions the user of ``mention``. Without a mention, and if the drawing or another line of
    ``above`` follows, it is bold, and opens the message's link if it is the title of that.
    """
    lines = list(map(escaped, message.above))
    if mention and lines:
        lines[0] = f'<a href="tg://user?id={int(mention.user)}">{lines[0]}</a>'
    elif lines and (len(lines) > 1 or message.drawing):
        head, *rest = lines[0].split("\n")
        bold = f"<b>{head}</b>" if head else ""
        if message.link and head == escaped(message.link[0]):
            bold = f'<a href="{escape(message.link[1])}">{bold}</a>'
        lines[0] = "\n".join((bold, *rest))
    if message.drawing:
        lines.append(f"<pre>{in_block(message.drawing)}</pre>")
    lines += map(escaped, message.below)
    if folded := "\n".join(map(escaped, message.folded)):
        lines.append(f"<blockquote expandable>{folded}</blockquote>" if rich else folded)
    if message.deadline:
        lines.append(_counted_down(message.deadline) if rich else escaped(message.deadline.sentence))
    return "\n".join(lines)


def _counted_down(deadline: Deadline) -> str:
    """A deadline as a sentence with a relative time; clients without such times show the plain words."""
    time = f'<tg-time unix="{ceil(deadline.at)}" format="r">{escaped(deadline.plain)}</tg-time>'
    return f"{escaped(deadline.text)} {time}."


def _button(button: Button, rich: bool) -> dict[str, object]:
    # Telegram refuses a button without a text.
    label = {"text": button.label or "–"}
    if button.copy:
        return {**label, "copy_text": {"text": button.copy}}
    if button.url:
        return {**label, "url": button.url}
    return {**label, "callback_data": button.data, **(_STYLES[button.style] if rich else {})}
