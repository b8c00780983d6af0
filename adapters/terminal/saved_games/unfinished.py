"""The unfinished games of a terminal, and their captions in lists."""

from __future__ import annotations

from bot.i18n import Speech
from bot.model.tables import Listing
from bot.tables.names.titles import title_of
from bot.tables.table import Table
from engines.game import Name, Text
from engines.values import Value


class Unfinished(Value):
    """A saved game that can be resumed."""

    listing: Listing
    points: tuple[int, ...] = ()
    """The points of each seat so far; empty if there are none to tell."""

    def caption(self, say: Speech) -> str:
        """The game with its players and their points, such as "Casino, you (5), Lola (4)".

        Without points, "Casino with Lola" for an only person at the keyboard, else "Casino, Ana, Luis".
        """
        players = [seated.player for seated in self.listing.seats]
        say_names = Speech(say.locale, tuple(player.name for player in players), say.letters)
        title = title_of(self.listing.key, say)
        is_one_person = sum(not player.is_computer for player in players) == 1
        mine = [is_one_person and not player.is_computer for player in players]
        if self.points:
            scores = [
                Text("you ({n})", n=n) if mine[seat] else Text("{who} ({n})", who=Name(seat), n=n)
                for seat, n in enumerate(self.points)
            ]
            return ", ".join((title, *map(say_names, scores)))
        others = tuple(Name(seat) for seat in range(len(players)) if not mine[seat])
        if is_one_person and others:
            return say_names(Text("{game} with {others}", game=title, others=others))
        return ", ".join((title, *map(say_names.name, range(len(players)))))


def points_of(table: Table) -> tuple[int, ...]:
    """The public points of each seat of a table so far; empty if there are none, or outside of a game."""
    return table.game.points(table.view(None)) if table.is_playing else ()
