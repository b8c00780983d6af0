"""What the stores in memory and in a database share; and `Watchdog`, for the store in a database."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterable
from math import inf

from bot.model.batches import Batch
from bot.model.ids import PUBLIC, PersonId, ReaderId
from bot.model.tables import Entry, EntryKind, Listing
from bot.tables.numbers import lowest_free

SEATING: Collection[EntryKind] = ("join", "take")
"""The kinds of entries by which a person takes a seat."""

FORGET_PROCESS = 3600.0
"""Seconds after its last beat for which a process that did not end cleanly is remembered."""

CLOCKS_DIFFER = 60.0
"""Seconds by which the clocks of two processes may differ.

A gate (see `Store.pass_gate`) that stays closed for more than these seconds beyond its pause was closed by a
wrong clock: it is passed.
"""
SHORTEST_WAIT = 0.05
"""The fewest seconds to wait for a gate that is closed."""

STALLED = 0.1
"""Seconds by which a timer must be late for the event loop to count as having been blocked."""
GRACE = 0.3
"""Seconds by which a `Watchdog` extends the deadline after a blocked loop, to read an answer that came."""


class Watchdog:
    """Calls a function if an operation has not ended by its deadline, a time of the event loop.

    One timer serves for one operation after another: a timer for each would take more CPU time than the rest
    of a small transaction. If the loop itself was blocked past the deadline, the operation's answer may have
    come meanwhile: there are `GRACE` seconds to read it before the function is called.
    """

    def __init__(self, late: Callable[[], object]) -> None:
        self._late = late
        self._when: float | None = None
        """The deadline of the present operation; None if none is watched."""
        self._timer: asyncio.TimerHandle | None = None
        self._due = inf
        """The time of the timer; infinite without one."""

    def begin(self, when: float) -> None:
        """Watches an operation that must end by a time."""
        self._when = when
        if when < self._due:
            self._set(when)

    def end(self) -> None:
        """Ends the watch; the timer is left for the next one."""
        self._when = None

    def close(self) -> None:
        """Ends the watch and its timer."""
        self._when = None
        if self._timer:
            self._timer.cancel()
            self._timer, self._due = None, inf

    def _set(self, when: float) -> None:
        if self._timer:
            self._timer.cancel()
        self._timer, self._due = asyncio.get_running_loop().call_at(when, self._expire), when

    def _expire(self) -> None:
        assert self._timer is not None
        now = asyncio.get_running_loop().time()
        was_blocked = now - self._due > STALLED
        self._timer, self._due = None, inf
        if self._when is None:
            return
        if now >= self._when and not was_blocked:
            self._when = None
            self._late()
            return
        if now >= self._when:
            self._when = now + GRACE
        self._set(self._when)


def first(batch: Batch) -> int:
    """The number of a batch's first entry, which is the length of the log before it.

    Asserts that the entries are consecutive and that the listing counts them.
    """
    start = n = batch.entries[0].n
    for entry in batch.entries:
        assert entry.n == n
        n += 1
    assert batch.listing.entries == n
    return start


def new_readers(batch: Batch) -> tuple[ReaderId, ...]:
    """The readers whose panels begin with a batch: the public of a new table, and people who take a seat."""
    seated = [entry.person for entry in batch.entries if entry.kind in SEATING and entry.person]
    return tuple(seated) if batch.entries[0].n else (PUBLIC, *seated)


def takes_part(listing: Listing, entries: Iterable[Entry], person: PersonId) -> bool:
    """Whether a person has opened or joined a table, has sat there or has asked for a seat."""
    return any(seated.player.person == person for seated in listing.seats) or any(
        entry.person == person and entry.kind in ("open", "join", "take", "ask") for entry in entries
    )


def free(number: int, taken: Iterable[int]) -> int:
    """The number if it is free, else the lowest free one."""
    taken = set(taken)
    if number not in taken:
        return number
    return lowest_free(taken)
