"""The client as buttons and commands see it, so that they need not import it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from discord import Interaction

from bot.ports import Suggestion


class InteractionHandler(Protocol):
    """Passes interactions to the dispatcher."""

    async def command(self, interaction: Interaction, name: str, given: Mapping[str, str]) -> None:
        """Handles a command, under its English names."""

    async def complete(
        self, interaction: Interaction, name: str, parameter: str, begun: str
    ) -> Sequence[Suggestion]:
        """Suggestions for a parameter that is being typed."""
