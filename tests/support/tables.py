"""Tables that have just been dealt."""

from __future__ import annotations

from bot.model import Player
from bot.tables.table import Table
from engines import games


def dealt(key: str, *names: str) -> Table:
    """A game without a clock of people with these names, as many as it seats; their names are their ids."""
    table = Table.open(key, clock=0)
    for name in names[: games()[key].seats[-1]]:
        table = table.sit(Player(name, person=name))
    return table.start()
