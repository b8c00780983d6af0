"""Fair deals: a seed that is committed to before the first cut, and shown when the game is over.

Players can check that the deal follows from the committed seed and from their cuts, and that it was
not changed afterwards. They cannot check that the host of the program did not look at the cards.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from dataclasses import dataclass, field
from typing import Protocol

from bot.model.tables import Json
from engines.values import Value

SEED_BYTES = 32
"""The length of a server seed."""
CUT_LENGTH = 64
"""The most characters that a cut may have."""

_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def canonical(value: Json) -> str:
    """The JSON that is hashed, as UTF-8: keys sorted, no blanks between tokens, no needless escapes."""
    return _ENCODER.encode(value)


def seed_of(words: str) -> bytes:
    """The game seed that ``--seed WORDS`` means everywhere: SHA-256 of the words in UTF-8."""
    return hashlib.sha256(words.encode()).digest()


class SeedSource(Protocol):
    """The source of a game's seed."""

    @property
    def commitment(self) -> str | None:
        """The hash shown before the deal; None for a seed that is no secret."""

    def seed(self, statement: Json) -> bytes:
        """The game seed; ``statement`` is everything else that the deal depends on."""

    def opened(self) -> str:
        """The seed as text, shown when the game is over so that players can check the deal."""


@dataclass(frozen=True, slots=True)
class CommittedSeed:
    """A random server seed that is secret until the game is over; its hash is the commitment."""

    server_seed: bytes = field(default_factory=lambda: secrets.token_bytes(SEED_BYTES), repr=False)

    @property
    def commitment(self) -> str:
        return hashlib.sha256(self.server_seed).hexdigest()

    def seed(self, statement: Json) -> bytes:
        return hmac.digest(self.server_seed, canonical(statement).encode(), "sha256")

    def opened(self) -> str:
        return self.server_seed.hex()


class ChosenSeed(Value):
    """A seed in words that a player chose, so that the same game can be dealt again."""

    words: str

    commitment: None = None

    def seed(self, statement: Json) -> bytes:
        return seed_of(self.words)

    def opened(self) -> str:
        return self.words


def seed_source_of(server_seed: bytes | None, seed_words: str | None) -> SeedSource:
    """The seed source of a stored table."""
    if server_seed is not None:
        return CommittedSeed(server_seed)
    return ChosenSeed(seed_words or "")
