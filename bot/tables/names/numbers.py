"""The numbers by which players name the tables of a place."""

from __future__ import annotations

from collections.abc import Iterable


def lowest_free(taken: Iterable[int]) -> int:
    """The lowest number, from 1 on, that is not taken."""
    taken = set(taken)
    return next(number for number in range(1, len(taken) + 2) if number not in taken)
