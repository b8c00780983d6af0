"""The interface through which slash commands call the client; it avoids a circular import."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from discord import Interaction

from bot.ports import Suggestion


class InteractionHandler(Protocol):
    """Passes interactions to the dispatcher."""

    async def command(self, interaction: Interaction, name: str, given: Mapping[str, str]) -> None:
        """Handles a command; the names of the command and of its parameters are the English ones.

        For a command that no longer exists, or has other options now, ``name`` is the command as typed, with
        a slash and the names of its options, and ``given`` is empty.
        """

    async def complete(
        self, interaction: Interaction, name: str, parameter: str, begun: str, given: Mapping[str, str]
    ) -> Sequence[Suggestion]:
        """Suggestions for a parameter that the user is typing; ``begun`` is the text so far.

        ``given`` holds the parameters that are filled in already.
        """
