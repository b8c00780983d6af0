"""Batches (changes of a table that are stored together), the verdicts on them, and tables as stored."""

from __future__ import annotations

from dataclasses import dataclass, field

from bot.model.ids import PersonId, ProcessId
from bot.model.leases import Lease
from bot.model.places import Place
from bot.model.results import Ending
from bot.model.tables import Entry, Listing
from engines.values import Value


@dataclass(frozen=True, slots=True)
class Batch:
    """Entries that are stored together or not at all, with the listing after them."""

    entries: tuple[Entry, ...]
    """Consecutive entries; ``n`` of the first is the length of the log before it."""
    listing: Listing
    """The table after the entries."""
    delivery: str = ""
    """The platform's id of the delivery that caused the entries, which is handled only once; or empty."""
    server_seed: bytes | None = field(default=None, repr=False)
    """The secret server seed; only in the first batch of a table with a `CommittedSeed`."""
    seed_words: str | None = field(default=None, repr=False)
    """The words of the seed; only in the first batch of a table with a `ChosenSeed`."""
    keeper: ProcessId = ""
    """The process that takes the lease of the table's chat with the batch; if empty, no lease is touched."""
    seated: tuple[PersonId, ...] = ()
    """The people who take a seat in the batch, or get back a seat that a computer has held for them."""
    most_seats: int = 0
    """The most tables that are not over at which each of the ``seated`` may sit after the batch."""
    ending: Ending | None = None
    """The end of the game, if the batch ends it and it has a result."""


class Rewriting(Value):
    """The changes that take a person out of a stored log."""

    entries: tuple[Entry, ...]
    """The entries that have changed, and a new one of the kind ``forget`` at the end."""
    listing: Listing
    """The table after the changes."""
    reader: PersonId
    """The person taken out, whose panel is deleted."""
    was_private: bool = False
    """Whether the table was in the person's private chat.

    All its panels are deleted then, and the room of the chat if it has no other table.
    """


class Taken(Value):
    """The verdict on a batch that is stored."""

    lease: Lease | None = None
    """The lease of the table's chat, which the batch's keeper now holds; None without a keeper."""


class Behind(Value):
    """The verdict on a batch that is not stored because the log has later entries.

    For the first entries of a table it means that another table has its id.
    """

    tail: tuple[Entry, ...]
    """The stored entries, from the ``n`` of the batch's first entry on."""


class Known(Value):
    """The verdict on a batch that is not stored because its delivery is stored already."""


class Full(Value):
    """The verdict on a batch that is not stored because a person would sit at too many tables."""

    person: PersonId


class Clash(Value):
    """The verdict on a new table that is not stored because another one of its place has its number."""


BatchVerdict = Taken | Behind | Known | Clash | Full
"""Whether a batch is stored, and why not."""


@dataclass(frozen=True, slots=True)
class Stored:
    """A table in a store."""

    listing: Listing
    entries: tuple[Entry, ...]
    server_seed: bytes | None = field(repr=False)
    seed_words: str | None = field(repr=False)


class Look(Value):
    """A short reading of a stored table, by which a process brings its copy up to date."""

    tail: tuple[Entry, ...]
    """The entries from the requested number on."""
    place: Place
    number: int
    keeper: ProcessId | None
    """The process that holds the lease of the table's chat, dead or alive; empty if it was released, None if
    none ever held it.
    """
