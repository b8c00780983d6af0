"""Interactions: the part of an event that is read, and the interface by which commands call the client."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from discord import Interaction

from bot.ports import Suggestion


class InteractionHandler(Protocol):
    """Passes interactions to the dispatcher; it avoids a circular import."""

    async def command(self, interaction: Interaction, name: str, given: Mapping[str, str]) -> None:
        """Handles a command; the names of the command and of its parameters are the English ones."""

    async def complete(
        self, interaction: Interaction, name: str, parameter: str, begun: str, given: Mapping[str, str]
    ) -> Sequence[Suggestion]:
        """Suggestions for a parameter that the user is typing; ``begun`` is the text so far.

        ``given`` holds the parameters that are filled in already.
        """


def trimmed(event: dict[str, Any]) -> dict[str, Any]:
    """The gateway's event of an interaction, without the buttons of the pressed message.

    The library makes an object of each of them, and nobody reads these.
    """
    message = event.get("message")
    return {**event, "message": {**message, "components": []}} if message else event
