"""Fair deals: a seed that is committed to before the first cut, and shown when the game is over.

Claimed: the deal follows from the seed committed to and from the players' cuts, and nobody changed
it afterwards. Not claimed: that the host of the program cannot see the cards.
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
"""Characters that a cut may have at most."""


def canonical(value: Json) -> str:
    """The JSON that is hashed: keys sorted, no blanks, characters unescaped; encoded as UTF-8."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def seed_of(words: str) -> bytes:
    """The game seed that ``--seed WORDS`` means everywhere: SHA-256 of the words in UTF-8."""
    return hashlib.sha256(words.encode()).digest()


class SeedSource(Protocol):
    """The source of a game's seed."""

    @property
    def commitment(self) -> str | None:
        """The hash shown before the deal; None for a seed that is no secret."""

    def seed(self, table: Json) -> bytes:
        """The game seed, from what the deal depends on besides."""

    def opened(self) -> str:
        """The secret as it is shown at the end, for players to check the deal."""


@dataclass(frozen=True, slots=True)
class CommittedSeed:
    """A server seed that is committed to, and secret until the game is over."""

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
    """A seed in words that a player chose, so that the same game can be dealt again."""

    words: str

    commitment: None = None

    def seed(self, table: Json) -> bytes:
        return seed_of(self.words)

    def opened(self) -> str:
        return self.words
