"""Tables as they are stored: the batch that stores new entries, and the table that a stored log makes."""

from __future__ import annotations

from bot.model.batches import Batch, Stored
from bot.model.ids import ProcessId
from bot.tables.log.commitment import ChosenSeed, CommittedSeed, seed_source_of
from bot.tables.table import Table
from bot.tables.versions import check_known
from engines.values import replace


def table_of(stored: Stored) -> Table:
    """The table that a stored log makes. Raises `NewerTable`, and any error for a log that is damaged."""
    check_known(stored.entries, stored.listing)
    listing = stored.listing
    table = Table.replay(stored.entries, seed_source_of(stored.server_seed, stored.seed_words))
    if table.outdated and table.status != "over":
        # The log of a finished game can't be replayed by newer rules: the listing has its result.
        table = replace(table, result=listing.result)
    # The log has the place of the opening; the chat may have got another id since.
    return replace(table, place=listing.place, number=listing.number)


def unread(stored: Stored) -> Table:
    """A damaged table, of which only the stored listing is known. Raises `NewerTable`."""
    check_known((), stored.listing)
    return Table.unread(stored.listing, seed_source_of(stored.server_seed, stored.seed_words))


def batch(table: Table, since: int, delivery: str = "", keeper: ProcessId = "") -> Batch:
    """The batch that stores a table's entries from ``since`` on."""
    seed_source = table.seed_source
    return Batch(
        table.entries[since:],
        table.listing,
        delivery,
        seed_source.server_seed if not since and isinstance(seed_source, CommittedSeed) else None,
        seed_source.words if not since and isinstance(seed_source, ChosenSeed) else None,
        keeper,
    )
