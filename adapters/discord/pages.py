"""Pages as Discord messages: Markdown, a code block, and buttons whose ids say what they do."""

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

LIMITS = Limits(text=2000, rows=5, row=5, keys=25, label=80, data=100, choices=25)

_MARKUP = re.compile(r"([\\*_~|`<>\[\]()#])")
_STYLES: Mapping[Style, int] = {"plain": ButtonStyle.secondary.value, "main": ButtonStyle.primary.value}
_BUTTON = {"type": ComponentType.button.value}
_SELECT = {"type": ComponentType.select.value}


def content(page: Page) -> str:
    """The text of a page as Markdown, every character escaped."""
    text = _content(page)
    return text if len(text) <= LIMITS.text else _content(fitted(page, LIMITS))[: LIMITS.text]


class Buttons(View):
    """The components of a message as Discord takes them.

    Nothing of them is kept: a press names its meaning, and comes to `TableClient.on_interaction`. The
    library's own items cost as much as the rest of a message.
    """

    def __init__(self, components: list[dict[str, Any]]) -> None:
        super().__init__(timeout=None)
        self._components = components
        # The library keeps no view that has stopped.
        self.stop()

    def to_components(self) -> list[dict[str, Any]]:
        """Rows of buttons, and a row with a select."""
        return self._components


def view(page: Page) -> Buttons | None:
    """The buttons and the list of a page; None where it has neither."""
    components = [_row(map(_button, keys)) for keys in page.rows if keys]
    if page.chooser:
        components.append(_row([_select(page.chooser)]))
    return Buttons(components) if components else None


def _row(items: Iterable[dict[str, Any]]) -> dict[str, Any]:
    return {"type": ComponentType.action_row.value, "components": list(items)}


def _button(key: Key) -> dict[str, Any]:
    if key.url:
        return {**_BUTTON, "style": ButtonStyle.link.value, "label": key.label, "url": key.url}
    return {**_BUTTON, "style": _STYLES[key.style], "label": key.label, "custom_id": key.data}


def _select(chooser: Chooser) -> dict[str, Any]:
    """A list of what could be buttons; the value of each option says what it does."""
    options = [{"label": key.label, "value": key.data} for key in chooser.keys]
    # A new id every time: under an old one a client would go on showing what was chosen.
    custom_id = f"choose:{token_hex(4)}"
    return {**_SELECT, "custom_id": custom_id, "placeholder": chooser.title, "options": options}


def noted(page: Page, notice: str) -> Page:
    """A page that begins with a notice, unless it says the same already."""
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
"""No message mentions a user unless it says so."""
