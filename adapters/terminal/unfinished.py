"""The unfinished games of a terminal, as its lists name them."""

from __future__ import annotations

from bot.i18n import Speech
from bot.model.tables import Listing
from bot.tables.parsing import title_of
from bot.tables.table import Table
from engines.game import Name, Text
from engines.values import Value


class Unfinished(Value):
    """A saved game that can be resumed."""

    listing: Listing
    points: tuple[int, ...] = ()
    """The points of each seat so far; empty if there are none to tell."""

    def caption(self, say: Speech) -> str:
        """The game with its players and their points, such as "Casino, you 5, Lola 4"."""
        players = [seated.player for seated in self.listing.seats]
        called = Speech(say.locale, tuple(player.name for player in players), say.letters)
        title = title_of(self.listing.key, say)
        alone = sum(not player.is_computer for player in players) == 1
        mine = [alone and not player.is_computer for player in players]
        if self.points:
            scores = [
                Text("you {n}", n=n) if mine[seat] else Text("{who} {n}", who=Name(seat), n=n)
                for seat, n in enumerate(self.points)
            ]
            return ", ".join((title, *map(called, scores)))
        others = tuple(Name(seat) for seat in range(len(players)) if not mine[seat])
        if alone and others:
            return called(Text("{game} with {others}", game=title, others=others))
        return ", ".join((title, *(called.name(seat) for seat in range(len(players)))))


def points_of(table: Table) -> tuple[int, ...]:
    """The public points of each seat of a table so far; empty if there are none, or unless the game is on."""
    return table.game.points(table.view(None)) if table.is_playing else ()
