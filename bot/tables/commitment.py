"""Fair deals: a seed committed to before anybody cuts, and opened when the game is over.

What is claimed: the deal follows from a seed committed to beforehand and from what the players put
in, and nobody changed it afterwards. Not claimed: that whoever runs the program cannot look.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from dataclasses import dataclass, field
from typing import Protocol

from bot.model import Json

SEED_BYTES = 32
CUT_LENGTH = 64
"""The most characters a cut may have."""


def canonical(value: Json) -> str:
    """JSON in the one form that is hashed: keys sorted, no blanks, characters as they are, UTF-8."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def seed_of(words: str) -> bytes:
    """The game seed that ``--seed WORDS`` stands for everywhere: SHA-256 of the words in UTF-8."""
    return hashlib.sha256(words.encode()).digest()


class SeedSource(Protocol):
    """Where a game's seed comes from."""

    @property
    def commitment(self) -> str | None:
        """What can be shown before the deal without giving the seed away; None where nothing is sealed."""

    def seed(self, table: Json) -> bytes:
        """The game seed, for a table as it is when the game starts."""

    def opened(self) -> str:
        """What is shown at the end, for anybody to check."""


@dataclass(frozen=True, slots=True)
class CommittedSeed:
    """A server seed that is committed to and kept until the game is over."""

    server_seed: bytes = field(default_factory=lambda: secrets.token_bytes(SEED_BYTES), repr=False)

    @property
    def commitment(self) -> str:
        return hashlib.sha256(self.server_seed).hexdigest()

    def seed(self, table: Json) -> bytes:
        return hmac.digest(self.server_seed, canonical(table).encode(), "sha256")

    def opened(self) -> str:
        return self.server_seed.hex()


@dataclass(frozen=True, slots=True)
class ChosenSeed:
    """A seed in words that somebody chose, so that a game can be played again."""

    words: str

    commitment: None = None

    def seed(self, table: Json) -> bytes:
        return seed_of(self.words)

    def opened(self) -> str:
        return self.words
