"""Pages as Discord messages: Markdown, a code block, and buttons that mean the same after a restart."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from secrets import token_hex
from typing import Any, Self, cast

import discord
from discord import ButtonStyle, Interaction, SelectOption
from discord.ui import Button, DynamicItem, Item, Select, View

from adapters.discord.interactions import InteractionHandler
from bot.pages.layout import fitted
from bot.ports import Chooser, Key, Limits, Page, Style

LIMITS = Limits(text=2000, rows=5, row=5, keys=25, label=80, data=100, choices=25)

_MARKUP = re.compile(r"([\\*_~|`<>\[\]()#])")
_STYLES: Mapping[Style, ButtonStyle] = {
    "plain": ButtonStyle.secondary,
    "main": ButtonStyle.primary,
    "danger": ButtonStyle.danger,
}


class PressButton(DynamicItem[Button[View]], template=re.compile("[0-9a-f]{10}:.+", re.DOTALL)):
    """A button whose id is its callback data, so that it works after a restart."""

    def __init__(self, key: Key, row: int | None = None) -> None:
        super().__init__(
            Button(label=key.label, custom_id=key.data, style=_STYLES[key.style], row=row), row=row
        )

    @classmethod
    async def from_custom_id(
        cls, interaction: Interaction, item: Item[View], match: re.Match[str], /
    ) -> Self:
        """The button for the id of a press."""
        return cls(Key("–", match.string))

    async def callback(self, interaction: Interaction) -> None:
        """Passes the press to the client."""
        await cast(InteractionHandler, interaction.client).press(interaction, self.custom_id)


class PressList(DynamicItem[Select[View]], template=re.compile("choose:[0-9a-f]{8}")):
    """A select menu of keys that could be buttons; each value is callback data."""

    def __init__(self, title: str, options: list[SelectOption]) -> None:
        # A new id every time: under an old one a client would go on showing the last choice.
        chooser: Select[View] = Select(custom_id=f"choose:{token_hex(4)}", placeholder=title, options=options)
        super().__init__(chooser)

    @classmethod
    def of(cls, chooser: Chooser) -> Self:
        """The list for these keys."""
        return cls(chooser.title, [SelectOption(label=key.label, value=key.data) for key in chooser.keys])

    @classmethod
    async def from_custom_id(
        cls, interaction: Interaction, item: Item[View], match: re.Match[str], /
    ) -> Self:
        """The list for the id of a press."""
        return cls("", [])

    async def callback(self, interaction: Interaction) -> None:
        """Passes the choice to the client, as if it were a button."""
        chosen = self.item.values
        await cast(InteractionHandler, interaction.client).press(interaction, chosen[0] if chosen else "")


def is_offered(interaction: Interaction) -> bool:
    """Whether the library finds the pressed component on its message and calls one of these classes."""
    data: Any = interaction.data
    rows = interaction.message.components if interaction.message else ()
    known = {getattr(one, "custom_id", None) for row in rows for one in getattr(row, "children", ())}
    forms = (kind.__discord_ui_compiled_template__ for kind in (PressButton, PressList))
    return data["custom_id"] in known and any(form.fullmatch(data["custom_id"]) for form in forms)


def content(page: Page) -> str:
    """The text of a page as Markdown, every character escaped."""
    text = _content(page)
    return text if len(text) <= LIMITS.text else _content(fitted(page, LIMITS))[: LIMITS.text]


def view(page: Page) -> View | None:
    """The buttons and the list of a page; None where it has neither."""
    if not page.rows and not page.chooser:
        return None
    shown: View = View(timeout=None)
    for row, keys in enumerate(page.rows):
        for key in keys:
            shown.add_item(
                Button(label=key.label, url=key.url, row=row) if key.url else PressButton(key, row)
            )
    if page.chooser:
        shown.add_item(PressList.of(page.chooser))
    return shown


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
