"""Turns pages into Discord messages: Markdown, a code block, and buttons with callback data as their ids."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from secrets import token_hex
from typing import Any

import discord
from discord import ButtonStyle, ComponentType
from discord.ui import View

from bot.pages.layout import fitted
from bot.ports import Chooser, Key, Limits, Page, Style

LIMITS = Limits(text=2000, rows=5, row_keys=5, keys=25, label=80, data=100, choices=25)

_MARKUP = re.compile(r"([\\*_~|`<>\[\]()#])")
_STYLES: Mapping[Style, int] = {"plain": ButtonStyle.secondary.value, "main": ButtonStyle.primary.value}
_BUTTON = {"type": ComponentType.button.value}
_SELECT = {"type": ComponentType.select.value}


def content(page: Page) -> str:
    """The text of a page as Markdown, with all markup escaped; a text that is too long is shortened."""
    text = _content(page)
    return text if len(text) <= LIMITS.text else _content(fitted(page, LIMITS))[: LIMITS.text]


class Buttons(View):
    """A view that holds the components of a message as Discord's API expects them.

    The library does not keep it: the id of a button is its callback data, and every press arrives at
    `TableClient.on_interaction`. Making the library's own button objects costs as much time as the rest
    of a message.
    """

    def __init__(self, components: list[dict[str, Any]]) -> None:
        super().__init__(timeout=None)
        self._components = components
        # The library stores every view of a sent message, unless it has stopped.
        self.stop()

    def to_components(self) -> list[dict[str, Any]]:
        """The rows of buttons, then the row with the select menu."""
        return self._components


def view(page: Page) -> Buttons | None:
    """The buttons and the select menu of a page; None if it has neither."""
    components = _components(page)
    return Buttons(components) if components else None


def payload(page: Page) -> dict[str, Any]:
    """A page as the body of a request that edits a message.

    The library's own methods also build a `Message` and its components from Discord's response, which
    nobody reads.
    """
    return {
        "content": content(page),
        "components": _components(page),
        "allowed_mentions": NOBODY.to_dict(),
    }


def _components(page: Page) -> list[dict[str, Any]]:
    components = [_row(map(_button, keys)) for keys in page.rows if keys]
    if page.chooser:
        components.append(_row([_select(page.chooser)]))
    return components


def _row(items: Iterable[dict[str, Any]]) -> dict[str, Any]:
    return {"type": ComponentType.action_row.value, "components": list(items)}


def _button(key: Key) -> dict[str, Any]:
    if key.url:
        return {**_BUTTON, "style": ButtonStyle.link.value, "label": key.label, "url": key.url}
    return {**_BUTTON, "style": _STYLES[key.style], "label": key.label, "custom_id": key.data}


def _select(chooser: Chooser) -> dict[str, Any]:
    """A chooser as a select menu; the value of each option is its callback data."""
    options = [{"label": key.label, "value": key.data} for key in chooser.keys]
    # The id is always new: with the same id a Discord client goes on showing the last chosen option.
    custom_id = f"choose:{token_hex(4)}"
    return {**_SELECT, "custom_id": custom_id, "placeholder": chooser.title, "options": options}


def noted(page: Page, notice: str) -> Page:
    """The page with the notice as its first line, unless it has that line already."""
    if not notice or notice in page.above:
        return page
    return replace(page, above=(notice, *page.above))


def _content(page: Page) -> str:
    lines = [_MARKUP.sub(r"\\\1", line) for line in page.above]
    if page.drawing:
        lines.append("```\n" + page.drawing.replace("`", "'") + "\n```")
    lines += [_MARKUP.sub(r"\\\1", line) for line in page.below]
    return "\n".join(lines)


NOBODY = discord.AllowedMentions.none()
"""The setting by which a message notifies no user, whatever mentions its text has."""
