"""Remembers which senders were asked to confirm a command that cannot be undone."""

from __future__ import annotations

from bot.model.ids import GameId, PersonId
from bot.recent import Recent
from engines.values import Value

_REQUESTS_KEPT = 1000
"""The most requests that are remembered."""


class Confirmation(Value):
    """A request to confirm a command: "Close the game?"."""

    delivery: str
    """The delivery that it answered."""
    time: str
    """When it was sent, in whole seconds since 1970, as in the words of its button."""


class PendingConfirmations:
    """The last request to each sender about each command at a table; another process does not know it."""

    def __init__(self) -> None:
        self._pending: Recent[tuple[str, GameId, PersonId], Confirmation] = Recent(_REQUESTS_KEPT)

    def take(self, command: str, game: GameId, person: PersonId) -> Confirmation | None:
        """Removes and returns the request to a sender about a command; None if there is none."""
        return self._pending.pop((command, game, person))

    def put(self, command: str, game: GameId, person: PersonId, confirmation: Confirmation) -> None:
        """Remembers a request."""
        self._pending.put((command, game, person), confirmation)
