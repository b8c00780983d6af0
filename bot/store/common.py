"""Code that the stores in memory and in a database share."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from bot.model.batches import Batch
from bot.model.ids import PUBLIC, ReaderId
from bot.model.panels import PanelRecord
from bot.model.tables import EntryKind
from bot.tables.names.numbers import lowest_free

SEATING: Collection[EntryKind] = ("join", "take")
"""The kinds of entries by which a person takes a seat."""

FORGET_PROCESS = 3600.0
"""Seconds after its last beat for which a process that did not end cleanly is remembered."""

CLOCKS_DIFFER = 60.0
"""Seconds by which the clocks of two processes may differ.

If a gate (see `Store.pass_gate`) would stay closed for longer than the asked ``seconds`` and these together,
a process with a wrong clock has closed it: it is passed at once.
"""
SHORTEST_WAIT = 0.05
"""The fewest seconds to wait for a gate that is closed."""


def checked_start(batch: Batch) -> int:
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


def may_store_sent(
    stored: PanelRecord, sent: PanelRecord, replaces: str | None, *, compares: bool, holds: bool
) -> bool:
    """Whether a sent panel may be stored over the stored one, by the conditions of `Store.sent`.

    An edit ``compares`` the messages if a keeper sends it; ``holds`` is whether the keeper holds the chat's
    lease.
    """
    if replaces is not None:
        return stored.message in ("", replaces, sent.message)
    return not compares or (holds and (not sent.message or stored.message in ("", sent.message)))


def free(number: int, taken: Iterable[int]) -> int:
    """The number if it is free, else the lowest free one."""
    taken = set(taken)
    if number not in taken:
        return number
    return lowest_free(taken)
