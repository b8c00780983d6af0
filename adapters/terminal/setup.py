"""The choices for a game at the terminal, made on the command line or in the lobby."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bot.settings.choices import ForcedMoves, Language, Pace, SuggestedMoves
from bot.settings.local_settings import USUAL_PACE
from engines.levels import Level
from engines.values import replace

if TYPE_CHECKING:
    from bot.tables.table import Table


@dataclass(frozen=True, slots=True)
class Setup:
    """A game to deal, and how the screen shows it.

    Without a game (``key`` is empty) it holds the defaults for the games that are chosen later.
    """

    key: str
    players: int
    """The number of seats; 0 if no game is chosen yet and no number was given.

    The game that is chosen then gets the fewest seats that it allows and the people need.
    """
    names: Sequence[str]
    """The names of the players at this keyboard, who have the first seats; computers take the others.

    A player whose name is empty is called by the number of the seat, in the language of the screen.
    """
    locale: Language = "en"
    options: Mapping[str, str] = field(default_factory=dict)
    level: Level = "normal"
    seed: str | None = None
    """The words that determine the deal; None for a committed random seed."""
    cut: str | None = None
    """The words with which the first player cuts the deck; None for no cut."""
    letters: bool = False
    """Whether suits are shown as letters instead of symbols."""
    computers_pace: Pace = "natural"
    """The pace that the table stores; one faster than natural shortens the seconds of ``pace``."""
    first_to: int = 0
    """The wins that decide a match of the same players; 0 for single games."""
    suggestions: SuggestedMoves = "full"
    """How many whole moves menus suggest."""
    forced: ForcedMoves = "open"
    """When a player's only possible move is played for them."""
    guided: bool = False
    """Whether the game begins with the guide of its first hand."""
    pace: float = USUAL_PACE
    """Approximate seconds that a computer player takes for a move at the natural pace."""

    def of(self, table: Table) -> Setup:
        """This setup for an existing table: what the table stores is taken from it, but for its cut."""
        from bot.tables.log.commitment import ChosenSeed

        return replace(
            self,
            key=table.key,
            players=len(table.players),
            names=[player.name for player in table.players if not player.is_computer],
            options=table.options,
            level=table.level,
            computers_pace=table.pace,
            seed=table.seed_source.words if isinstance(table.seed_source, ChosenSeed) else None,
            cut=None,
            first_to=table.match.first_to if table.match else 0,
        )
