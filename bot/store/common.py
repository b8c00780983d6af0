"""What every store must do alike, whatever it is made of."""

from __future__ import annotations

from collections.abc import Iterable

from bot.model import Batch, Standing
from bot.tables.numbers import lowest_free


def first(batch: Batch) -> int:
    """How many entries there must be before those of a batch, which are consecutive."""
    start = batch.entries[0].n
    assert [entry.n for entry in batch.entries] == list(range(start, start + len(batch.entries)))
    assert batch.listing.entries == start + len(batch.entries)
    return start


def free(number: int, taken: Iterable[int]) -> int:
    """The number of a table if it is free, else the lowest one that is."""
    taken = set(taken)
    if number not in taken:
        return number
    return lowest_free(taken)


def ranked(standings: Iterable[Standing]) -> list[Standing]:
    """The most wins first, then the fewest games."""
    return sorted(standings, key=lambda one: (-one.wins, one.games, one.name, one.person, one.key))
