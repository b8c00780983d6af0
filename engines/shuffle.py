"""The verifiable shuffle: all chance in a game follows from its seed, so players can recompute it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import count
from struct import Struct
from typing import TypeVar

T = TypeVar("T")

_NUMBERS = 2**64
_BLOCK = 64
"""The block size of SHA-256, in bytes."""
_INNER, _OUTER = (bytes(byte ^ pad for byte in range(256)) for pad in (0x36, 0x5C))
"""The inner and the outer mask of HMAC, as translation tables for the bytes of the key."""
_read_digest = Struct(">4Q").unpack
"""Reads a digest as four big-endian numbers of eight bytes each."""


class Seed(bytes):
    """The seed of a game; `repr` and `str` hide its bytes, so that logs do not reveal the cards."""

    def __repr__(self) -> str:
        return "Seed()"

    __str__ = __repr__


class SeededRandom:
    """The sequence of random draws that a seed gives under a label.

    HMAC-SHA256(seed, label + ":" + counter), with the counter 0, 1, … in decimal, is read eight bytes
    at a time as big-endian numbers. Rejection sampling skips numbers that would make some outcomes likelier.
    """

    def __init__(self, seed: bytes, label: str) -> None:
        self._numbers = _numbers(seed, label)

    def draw(self, n: int) -> int:
        """Draws a number from 0 to n - 1, all equally likely."""
        return next(x for x in self._numbers if x < _first_unfair(n)) % n

    def shuffle(self, cards: Sequence[T]) -> tuple[T, ...]:
        """Shuffles the cards by the Fisher-Yates method, from the last index down to 1."""
        shuffled, numbers = list(cards), self._numbers
        # `draw`, inlined for speed. Numbers below `doubtful` are fair for every n here, since fewer than n
        # numbers, the highest, are unfair.
        doubtful = _NUMBERS - len(shuffled)
        for n in range(len(shuffled), 1, -1):
            while (x := next(numbers)) >= doubtful and x >= _first_unfair(n):
                pass
            last, other = n - 1, x % n
            shuffled[last], shuffled[other] = shuffled[other], shuffled[last]
        return tuple(shuffled)


def shuffle(seed: bytes, cards: Sequence[T], nth: int = 1) -> tuple[T, ...]:
    """The nth shuffle of a game (label ``deck``, then ``deck:2`` …); ``cards`` come in canonical order."""
    return SeededRandom(seed, "deck" if nth == 1 else f"deck:{nth}").shuffle(cards)


def starter(seed: bytes, seats: int) -> int:
    """Draws a seat under the label ``start``: the starting player, or the dealer if the rule book says so."""
    return SeededRandom(seed, "start").draw(seats)


def _first_unfair(n: int) -> int:
    """The largest multiple of n up to 2**64; numbers from there on would make some outcomes likelier."""
    return _NUMBERS // n * n


def _numbers(seed: bytes, label: str) -> Iterator[int]:
    # HMAC by hand (RFC 2104): for every counter both hashes begin with the same bytes, hashed here only once.
    key = (sha256(seed).digest() if len(seed) > _BLOCK else seed).ljust(_BLOCK, b"\0")
    inner, outer = sha256(key.translate(_INNER) + f"{label}:".encode()), sha256(key.translate(_OUTER))
    for counter in count():
        hashed, mac = inner.copy(), outer.copy()
        hashed.update(b"%d" % counter)
        mac.update(hashed.digest())
        yield from _read_digest(mac.digest())
