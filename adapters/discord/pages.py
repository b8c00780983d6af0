"""Renders messages for Discord: Markdown, a code block, buttons with callback data as their ids."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import ceil
from secrets import token_hex
from typing import Any

import discord
from discord import ButtonStyle, ComponentType
from discord.ui import View

from adapters.discord.escaping import escaped, in_block
from adapters.shared.rendering.message import Button, Message, Select, fitted
from bot.model.people import Account
from bot.ports import Deadline, Limits
from engines.game import MoveStyle
from engines.values import replace

LIMITS = Limits(
    text=2000,
    rows=5,
    row_keys=5,
    even=False,
    keys=25,
    label=80,
    data=100,
    choices=25,
    typed=False,
    threads=True,
)

_STYLES: Mapping[MoveStyle, int] = {
    "plain": ButtonStyle.secondary.value,
    "main": ButtonStyle.primary.value,
    "finish": ButtonStyle.success.value,
    "danger": ButtonStyle.danger.value,
}
_BUTTON = {"type": ComponentType.button.value}
_SELECT = {"type": ComponentType.select.value}


def content(message: Message, mention: Account | None = None) -> str:
    """The text of a message as Markdown, with the markup in its sentences escaped; shortened if too long.

    It begins with a mention of the account ``mention``.
    """
    if mention is None:
        return _content(message, LIMITS)
    mentioned = f"<@{mention.user}> "
    return mentioned + _content(message, replace(LIMITS, text=LIMITS.text - len(mentioned)))


def shows(sent: discord.Message, message: Message, mention: Account | None = None) -> bool:
    """Whether the message ``sent`` has the text, callback data and addresses of ``message``.

    Labels are not compared, nor is the id of a select menu, which is always new.
    """
    buttons = [button.data or button.url for row in message.rows for button in row]
    options = [option.data for option in message.select.options] if message.select else []
    rows = [row.children for row in sent.components if isinstance(row, discord.ActionRow)]
    children = [child for row in rows for child in row]
    return (sent.content.strip(), buttons, options) == (
        content(message, mention).strip(),
        [
            component.custom_id or component.url
            for component in children
            if isinstance(component, discord.Button)
        ],
        [
            option.value
            for component in children
            if isinstance(component, discord.SelectMenu)
            for option in component.options
        ],
    )


def _content(message: Message, limits: Limits) -> str:
    above, below = (tuple(map(escaped, lines)) for lines in (message.above, message.below))
    if message.link and message.link[0] in message.above:
        n = message.above.index(message.link[0])
        above = (*above[:n], f"[{above[n]}]({message.link[1]})", *above[n + 1 :])
    if message.deadline:
        below = (*below, _counted_down(message.deadline))
    safe = Message(above, in_block(message.drawing) if message.drawing else "", below)
    text = _joined(safe)
    # Discord counts escapes too, so the text is cut once it is escaped.
    return text if len(text) <= limits.text else _joined(fitted(safe, limits))[: limits.text]


def _counted_down(deadline: Deadline) -> str:
    """A deadline as a sentence with Discord's relative time, such as “in 40 seconds”."""
    return f"{escaped(deadline.text)} <t:{ceil(deadline.at)}:R>."


class Buttons(View):
    """A view that holds the components of a message as Discord's API expects them.

    The library does not keep it: the id of a button is its callback data, and every press arrives at
    `TableClient.on_interaction`. Making the library's own button objects costs as much time as the rest
    of a message.
    """

    def __init__(self, components: list[dict[str, Any]]) -> None:
        super().__init__(timeout=None)
        self._components = components
        # The library stores the view of a first response to an interaction, unless the view has stopped.
        self.stop()

    def to_components(self) -> list[dict[str, Any]]:
        """The rows of buttons, then the row with the select menu."""
        return self._components


def view(message: Message) -> Buttons | None:
    """The buttons and the select menu of a message; None if it has neither."""
    components = _components(message)
    return Buttons(components) if components else None


def payload(message: Message) -> dict[str, Any]:
    """A message as the body of a request that edits a message.

    The library's own methods also build a `Message` and its components from Discord's response, which
    nobody reads.
    """
    return {
        "content": content(message),
        "components": _components(message),
        "allowed_mentions": _NOBODY,
    }


def _components(message: Message) -> list[dict[str, Any]]:
    components = [_row(map(_button, buttons)) for buttons in message.rows]
    if message.select:
        components.append(_row([_select(message.select)]))
    return components


def _row(items: Iterable[dict[str, Any]]) -> dict[str, Any]:
    return {"type": ComponentType.action_row.value, "components": list(items)}


def _button(button: Button) -> dict[str, Any]:
    if button.url:
        return {**_BUTTON, "style": ButtonStyle.link.value, "label": button.label, "url": button.url}
    return {**_BUTTON, "style": _STYLES[button.style], "label": button.label, "custom_id": button.data}


def _select(select: Select) -> dict[str, Any]:
    """A select menu; the value of each option is its callback data."""
    options = [{"label": option.label, "value": option.data} for option in select.options]
    # The id is always new: with the same id a Discord client goes on showing the last chosen option.
    custom_id = f"choose:{token_hex(4)}"
    return {**_SELECT, "custom_id": custom_id, "placeholder": select.title, "options": options}


def _joined(message: Message) -> str:
    drawing = (message.drawing,) if message.drawing else ()
    return "\n".join((*message.above, *drawing, *message.below))


NOBODY = discord.AllowedMentions.none()
"""The setting by which a message notifies no user, whatever mentions its text has."""
_NOBODY = NOBODY.to_dict()
"""The same setting as the API expects it."""
