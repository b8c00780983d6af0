"""The verifiable shuffle: all luck of a game follows from its seed, and anybody can recompute it."""

from __future__ import annotations

import hmac
from collections.abc import Iterator, Sequence
from itertools import count
from struct import Struct
from typing import TypeVar

T = TypeVar("T")

_NUMBERS = 2**64
_read_digest = Struct(">4Q").unpack
"""Four big-endian numbers of eight bytes each."""


class Lots:
    """The row of draws that a seed gives under a label.

    HMAC-SHA256(seed, label + ":" + counter), counter 0, 1, … in decimal, is read eight bytes at a
    time as big-endian numbers; those that would favour some outcomes are passed over.
    """

    def __init__(self, seed: bytes, label: str) -> None:
        self._numbers = _numbers(seed, label)

    def draw(self, n: int) -> int:
        """A number from 0 to n - 1, each as likely as the others."""
        x = next(self._numbers)
        # Fewer than n numbers are unfair, the last ones; the first test spares most draws a division.
        while x >= _NUMBERS - n and x >= _NUMBERS // n * n:
            x = next(self._numbers)
        return x % n

    def shuffle(self, cards: Sequence[T]) -> tuple[T, ...]:
        """The cards by Fisher and Yates, from the last index down to 1."""
        shuffled = list(cards)
        for i in range(len(shuffled) - 1, 0, -1):
            j = self.draw(i + 1)
            shuffled[i], shuffled[j] = shuffled[j], shuffled[i]
        return tuple(shuffled)


def shuffle(seed: bytes, cards: Sequence[T], nth: int = 1) -> tuple[T, ...]:
    """The game's nth shuffle (label ``deck``, then ``deck:2`` …) of cards in canonical order."""
    return Lots(seed, "deck" if nth == 1 else f"deck:{nth}").shuffle(cards)


def starter(seed: bytes, seats: int) -> int:
    """The seat that the lot under the label ``start`` falls on."""
    return Lots(seed, "start").draw(seats)


def _numbers(seed: bytes, label: str) -> Iterator[int]:
    keyed = hmac.new(seed, f"{label}:".encode(), "sha256")
    for counter in count():
        mac = keyed.copy()
        mac.update(b"%d" % counter)
        yield from _read_digest(mac.digest())
