"""Pages as Discord messages: Markdown, a code block, and buttons that mean the same after a restart."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Self, cast

import discord
from discord import ButtonStyle, Interaction
from discord.ui import Button, DynamicItem, Item, View

from adapters.discord.front import Front
from bot.layout import fitted
from bot.ports import Key, Limits, Page, Style

LIMITS = Limits(text=2000, rows=5, row=5, keys=25, label=80, data=100)

_MARKUP = re.compile(r"([\\*_~|`<>\[\]()#])")
_STYLES: Mapping[Style, ButtonStyle] = {
    "plain": ButtonStyle.secondary,
    "main": ButtonStyle.primary,
    "danger": ButtonStyle.danger,
}


class PressButton(DynamicItem[Button[View]], template=re.compile("[0-9a-f]{10}:.+", re.DOTALL)):
    """A button whose meaning is in its id, so that no process needs to remember it."""

    def __init__(self, key: Key, row: int | None = None) -> None:
        super().__init__(
            Button(label=key.label, custom_id=key.data, style=_STYLES[key.style], row=row), row=row
        )

    @classmethod
    async def from_custom_id(
        cls, interaction: Interaction, item: Item[View], match: re.Match[str], /
    ) -> Self:
        """The button that somebody has pressed."""
        return cls(Key("–", match.string))

    async def callback(self, interaction: Interaction) -> None:
        """Takes the press to the desk."""
        await cast(Front, interaction.client).press(interaction, self.custom_id)


def content(page: Page) -> str:
    """What a page says, as Markdown that shows every character of it."""
    text = _content(page)
    return text if len(text) <= LIMITS.text else _content(fitted(page, LIMITS))[: LIMITS.text]


def view(page: Page) -> View | None:
    """The buttons of a page; None where it has none."""
    if not page.rows:
        return None
    shown: View = View(timeout=None)
    for row, keys in enumerate(page.rows):
        for key in keys:
            shown.add_item(
                Button(label=key.label, url=key.url, row=row) if key.url else PressButton(key, row)
            )
    return shown


def noted(page: Page, notice: str) -> Page:
    """A page that begins with a notice, unless it says the same already."""
    if not notice or notice in page.above:
        return page
    return Page((notice, *page.above), page.drawing, page.below, page.rows)


def _content(page: Page) -> str:
    lines = [_MARKUP.sub(r"\\\1", line) for line in page.above]
    if page.drawing:
        lines.append("```\n" + page.drawing.replace("`", "'") + "\n```")
    lines += [_MARKUP.sub(r"\\\1", line) for line in page.below]
    return "\n".join(lines)


NOBODY = discord.AllowedMentions.none()
"""What we write calls nobody by itself."""
