"""Leases, which say which process sends to a chat, and outages, in which no process ran."""

from __future__ import annotations

from bot.model.ids import GameId, ProcessId
from engines.values import Value

ChatKey = tuple[str, str]
"""A platform and the id of a chat on it."""


class Lease(Value):
    """The right of one process, the keeper, to send to a chat and to play the computers at its tables.

    A lease holds while its process is alive. Another process takes it with a change that it stores, such as
    an append, or claims it once the keeper is dead or has released it.
    """

    platform: str
    chat: str
    process: ProcessId
    fence: int
    """The number of times that the lease has changed hands, from 1."""
    free_at: float = 0.0
    """The time until which the chat rests, as its last sender noted, in seconds since 1970."""
    is_new: bool = False
    """Whether the lease has just changed hands: the new keeper then looks for pending work in the chat."""
    taken_from: ProcessId = ""
    """The living process that held a new lease until now, and may still be sending; empty if none did."""


class Claim(Value):
    """A table with pending work, and the lease of its chat, which the claiming process now holds.

    Pending work is dirty panels, and what is due at the table (`Listing.due`), such as a clock that has run
    out.
    """

    game: GameId
    lease: Lease


class Outage(Value):
    """A time in which no process ran, in seconds since 1970."""

    began: float
    ended: float
