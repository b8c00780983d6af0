"""The setup of a game at the terminal, from the command line or the lobby."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from bot.model import Language, Level
from bot.tables.commitment import ChosenSeed
from bot.tables.table import Table


@dataclass(frozen=True, slots=True)
class Setup:
    """A game to play and the settings of the screen; without a ``key``, the defaults of games to come."""

    key: str
    players: int
    """The number of seats; 0 for the fewest that the game allows."""
    names: Sequence[str]
    """The people at this keyboard, who sit first; computers take the other seats."""
    locale: Language = "en"
    options: Mapping[str, str] = field(default_factory=dict)
    level: Level = "normal"
    seed: str | None = None
    """Words that the deal follows from; None for a committed random seed."""
    cut: str | None = None
    """Words with which the first person cuts the deck."""
    letters: bool = False
    """Suits as letters."""
    pace: float = 1.0
    """Seconds that a computer player takes over a move."""

    def of(self, table: Table) -> Setup:
        """The setup of a table, with these settings of the screen."""
        return replace(
            self,
            key=table.key,
            players=len(table.players),
            names=[player.name for player in table.players if not player.is_computer],
            options=table.options,
            level=table.level,
            seed=table.seed_source.words if isinstance(table.seed_source, ChosenSeed) else None,
            cut=None,
        )
