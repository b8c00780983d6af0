"""Counts the messages of private chats, to tell which panels are buried: scrolled up by later messages."""

from __future__ import annotations

from bot.model.ids import GameId, PersonId
from bot.recent import Recent

BURIED_IN_PRIVATE = 5
"""The messages below a private panel that bury it: once its player may move, it is posted at the bottom."""
_MOST_COUNTED = 20_000
"""The most private chats whose messages are counted, and the most panels that are remembered."""

Panel = tuple[GameId, PersonId]
"""A private panel: its table and its reader."""


class PrivateChats:
    """Counts of messages in private chats; a panel that is not remembered is not buried."""

    def __init__(self) -> None:
        self._messages: Recent[PersonId, int] = Recent(_MOST_COUNTED)
        """How many panels, lines and answers to lines were written in each person's private chat."""
        self._seen: Recent[Panel, int] = Recent(_MOST_COUNTED)
        """The count of its chat when each panel was posted or pressed last."""

    def count(self, person: PersonId) -> None:
        """Counts a message in a person's private chat."""
        self._messages.put(person, (self._messages.get(person) or 0) + 1)

    def post(self, panel: Panel) -> None:
        """Counts a panel that is posted."""
        self.count(panel[1])
        self.see(panel)

    def see(self, panel: Panel) -> None:
        """Notes that the reader of a panel has it in sight."""
        self._seen.put(panel, self._messages.get(panel[1]) or 0)

    def has_buried(self, panel: Panel) -> bool:
        """Whether a panel is scrolled up."""
        seen = self._seen.get(panel)
        return seen is not None and (self._messages.get(panel[1]) or 0) - seen >= BURIED_IN_PRIVATE
