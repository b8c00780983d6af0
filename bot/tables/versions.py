"""The versions of tables: this process closes tables of older rules, and refuses those of newer ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

from bot.model.tables import Entry, EntryKind, Listing, Refused
from bot.tables.table import DAMAGED, Table
from engines import games
from engines.game import Text

_KINDS = frozenset(get_args(EntryKind))


class NewerTable(Refused):
    """The table was changed by a newer version of the bot, whose rules or entries this one does not know."""

    def __init__(self) -> None:
        super().__init__(Text("A newer version of the bot looks after this table. Try again in a minute."))


class DamagedTable(Refused):
    """The table's log cannot be read or replayed, because of a fault in it or in its game."""

    def __init__(self) -> None:
        super().__init__(DAMAGED)


def check_known(entries: Sequence[Entry], listing: Listing | None = None) -> None:
    """Raises `NewerTable` for entries of unknown kinds, and for an unknown game or a newer revision of it."""
    if any(entry.kind not in _KINDS for entry in entries):
        raise NewerTable
    if listing and (listing.key not in games() or listing.revision > games()[listing.key].revision):
        raise NewerTable


def close_outdated(table: Table) -> Table:
    """Closes a table of an older revision: it cannot be played on, nor dealt as its commitment says."""
    if table.outdated and table.status != "over":
        return table.add("end", reason="updated")
    return table
