"""The verifiable shuffle: all luck of a game follows from its seed, and anybody can recompute it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import count
from struct import Struct
from typing import TypeVar

T = TypeVar("T")

_NUMBERS = 2**64
_BLOCK = 64
"""Bytes that SHA-256 takes at a time."""
_INNER, _OUTER = (bytes(byte ^ pad for byte in range(256)) for pad in (0x36, 0x5C))
"""HMAC's two masks, as tables that translate the bytes of the key."""
_read_digest = Struct(">4Q").unpack
"""Four big-endian numbers of eight bytes each."""


class Seed(bytes):
    """The seed of a game, from which all its luck follows; its `repr` hides it."""

    def __repr__(self) -> str:
        return "Seed()"

    __str__ = __repr__


class Lots:
    """The draws that a seed gives under a label, in their order.

    HMAC-SHA256(seed, label + ":" + counter), counter 0, 1, … in decimal, is read eight bytes at a
    time as big-endian numbers; those that would favour some outcomes are skipped.
    """

    def __init__(self, seed: bytes, label: str) -> None:
        self._numbers = _numbers(seed, label)

    def draw(self, n: int) -> int:
        """A number from 0 to n - 1, each as likely as the others."""
        return next(x for x in self._numbers if x < _first_unfair(n)) % n

    def shuffle(self, cards: Sequence[T]) -> tuple[T, ...]:
        """The cards by Fisher and Yates, from the last index down to 1."""
        shuffled, numbers = list(cards), self._numbers
        # Each swap is a `draw`. Fewer than n numbers are unfair, all at the top: only those are compared.
        doubtful = _NUMBERS - len(shuffled)
        for n in range(len(shuffled), 1, -1):
            while (x := next(numbers)) >= doubtful and x >= _first_unfair(n):
                pass
            last, other = n - 1, x % n
            shuffled[last], shuffled[other] = shuffled[other], shuffled[last]
        return tuple(shuffled)


def shuffle(seed: bytes, cards: Sequence[T], nth: int = 1) -> tuple[T, ...]:
    """The game's nth shuffle (label ``deck``, then ``deck:2`` …) of cards in canonical order."""
    return Lots(seed, "deck" if nth == 1 else f"deck:{nth}").shuffle(cards)


def starter(seed: bytes, seats: int) -> int:
    """The seat drawn under the label ``start``: the starter, or the dealer where the rule book says so."""
    return Lots(seed, "start").draw(seats)


def _first_unfair(n: int) -> int:
    """The largest multiple of n in reach; numbers from there on would favour some outcomes."""
    return _NUMBERS // n * n


def _numbers(seed: bytes, label: str) -> Iterator[int]:
    # HMAC by hand (RFC 2104): both hashes begin alike for every counter, so those beginnings are hashed once.
    key = (sha256(seed).digest() if len(seed) > _BLOCK else seed).ljust(_BLOCK, b"\0")
    inner, outer = sha256(key.translate(_INNER) + f"{label}:".encode()), sha256(key.translate(_OUTER))
    for counter in count():
        hashed, mac = inner.copy(), outer.copy()
        hashed.update(b"%d" % counter)
        mac.update(hashed.digest())
        yield from _read_digest(mac.digest())
