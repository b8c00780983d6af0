"""What the parts of this folder ask of the client, so that none of them imports another for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from discord import Interaction

from bot.ports import Suggestion


class Front(Protocol):
    """Where interactions are taken to the dispatcher."""

    async def press(self, interaction: Interaction, data: str, words: str = "") -> None:
        """Somebody has pressed a button, and may have been asked for words then."""

    async def command(self, interaction: Interaction, name: str, given: Mapping[str, str]) -> None:
        """Somebody has given a command, under its English names."""

    async def complete(
        self, interaction: Interaction, name: str, parameter: str, begun: str
    ) -> Sequence[Suggestion]:
        """Somebody is typing a parameter of a command."""
