"""Deals a game at the terminal: seats its players and starts the table."""

from __future__ import annotations

from adapters.terminal.rivals import PastGames
from adapters.terminal.setup import Setup
from bot.i18n import visible
from bot.model.tables import Player
from bot.tables.log.commitment import CUT_LENGTH, SeedSource
from bot.tables.names.computer_names import computers
from bot.tables.table import Table


def dealt(setup: Setup, seed_source: SeedSource, past: PastGames, before: Table | None = None) -> Table:
    """A table with all players seated and the cards dealt; a rematch of the table ``before``, if given."""
    players = [Player(name) for name in setup.names]
    players += computers(setup.players - len(setup.names), setup.level, setup.names)
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
        match=past.match(setup.key, players, setup.first_to),
    )
    for player in players:
        table = table.sit(player)
    if setup.names and (words := visible(setup.cut or "")[:CUT_LENGTH].rstrip()):
        table = table.add("cut", 0, words=words)
    return table.start()
