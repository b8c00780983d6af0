"""Deals a game at the terminal: seats its players and starts the table."""

from __future__ import annotations

from adapters.terminal.setup import Setup
from bot.i18n import visible
from bot.model import Player
from bot.tables.commitment import CUT_LENGTH, SeedSource
from bot.tables.computers import computers
from bot.tables.table import Table


def dealt(setup: Setup, seed_source: SeedSource, before: Table | None = None) -> Table:
    """A table with all players seated and the cards dealt; a rematch of ``before`` if that is given."""
    table = Table.open(
        setup.key,
        setup.options,
        level=setup.level,
        pace=setup.computers_pace,
        clock=0,
        seed_source=seed_source,
        carry=before.game.carry(before.state) if before else None,
        carried_by=len(before.players) if before else 0,
        follows=before.id if before else "",
    )
    for name in setup.names:
        table = table.sit(Player(name))
    for player in computers(setup.players - len(setup.names), setup.level, setup.names):
        table = table.sit(player)
    if setup.names and (words := visible(setup.cut or "")[:CUT_LENGTH].rstrip()):
        table = table.add("cut", 0, words=words)
    return table.start()
