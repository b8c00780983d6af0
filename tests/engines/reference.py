"""A second implementation of the shuffle and of the drawing of a starter, from their description alone."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterator, Sequence

NUMBERS = [str(number) for number in range(2, 11)]
DECK = [rank + suit for suit in "SHDC" for rank in ["A", *NUMBERS, "J", "Q", "K"]]
SHORT_DECK = [rank + suit for suit in "SHDC" for rank in ["A", *NUMBERS]]


def hmac_sha256(key: bytes, message: bytes) -> bytes:
    """HMAC with SHA-256, as RFC 2104 defines it."""
    key = hashlib.sha256(key).digest() if len(key) > 64 else key
    key = key.ljust(64, b"\0")
    inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in key) + message).digest()
    return hashlib.sha256(bytes(byte ^ 0x5C for byte in key) + inner).digest()


def numbers(seed: bytes, label: str) -> Iterator[int]:
    """The 64-bit numbers of a seed and a label: four from the HMAC of each counter, big-endian."""
    counter = 0
    while True:
        yield from struct.unpack(">4Q", hmac_sha256(seed, f"{label}:{counter}".encode()))
        counter += 1


def draw(source: Iterator[int], n: int) -> int:
    """The next number below the last multiple of n that is at most 2^64, modulo n."""
    while (x := next(source)) >= 2**64 - 2**64 % n:
        pass
    return x % n


def shuffled(seed: bytes, label: str, cards: Sequence[str]) -> list[str]:
    """The cards after a Fisher–Yates shuffle from the last index down to 1."""
    source, order = numbers(seed, label), list(cards)
    for last in reversed(range(1, len(order))):
        other = draw(source, last + 1)
        order[last], order[other] = order[other], order[last]
    return order


def starter(seed: bytes, seats: int) -> int:
    """The seat drawn under the label ``start``."""
    return draw(numbers(seed, "start"), seats)
