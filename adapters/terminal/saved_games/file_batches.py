"""Batches of entries that are written to the file of games."""

from __future__ import annotations

from bot.model.batches import Batch
from bot.model.tables import Entry
from engines.values import replace

_MOVE_KINDS = ("move", "timeout")
"""The kinds of entries that count as moves."""


def has_move(batch: Batch) -> bool:
    """Whether a move is among the entries of a batch."""
    return any(entry.kind in _MOVE_KINDS for entry in batch.entries)


def joined(first: Batch | None, second: Batch | None) -> Batch:
    """Joins the entries of two successive batches of a game; all but the listing is the first's.

    One of them may be None.
    """
    if first is None or second is None:
        batch = first or second
        assert batch
        return batch
    return replace(first, entries=first.entries + second.entries, listing=second.listing)


def begins_with(mine: tuple[Entry, ...], theirs: tuple[Entry, ...]) -> bool:
    """Whether the file's entries ``theirs`` equal the first entries of ``mine``, by kind, seat and time."""
    return [(entry.kind, entry.seat, entry.at) for entry in theirs] == [
        (entry.kind, entry.seat, entry.at) for entry in mine[: len(theirs)]
    ]
