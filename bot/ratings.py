"""Ratings: Plackett–Luce over the places of a game's players. `docs/ratings.md` explains the arithmetic.

A player's strength in a game is believed to be about ``mu``, give or take ``sigma``.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from engines.values import Value

if TYPE_CHECKING:
    from openskill.models import PlackettLuce

MU = 25.0
"""The strength of a newcomer."""
SIGMA = MU / 3
"""The doubt about a newcomer."""
BETA = SIGMA / 2
"""The luck in one game: of two players who are this far apart, the better wins two games of three."""
TAU = 0.15
"""The doubt that each game adds, so that the rating of a veteran still moves."""
KAPPA = 0.0001
"""The smallest fraction of the squared doubt that one game can leave."""

SHOWN_AT_FIRST = 1000
"""The number that a newcomer is shown with."""
SHOWN_UNIT = 40
"""The worth of a point of strength in the number that is shown."""
CAUTION = 3.0
"""How many times the doubt is subtracted from the strength in the number that is shown."""
PROVISIONAL = 6.0
"""A rating is provisional while its doubt is larger."""
MOST_A_DAY = 10
"""The most games of one day (UTC) that are rated between the same people."""


class Rating(Value):
    """The rating of a person, who has one for each of `engines.games`."""

    mu: float = MU
    sigma: float = SIGMA
    games: int = 0
    """The number of rated games."""
    changed: float = 0.0
    """The end of the last rated game, in seconds since 1970."""

    @property
    def shown(self) -> int:
        """The number that players see."""
        return shown(self.mu, self.sigma)

    @property
    def is_provisional(self) -> bool:
        """Whether too few games were rated for the rating to tell much."""
        return self.sigma > PROVISIONAL


NEWCOMER = Rating()
"""The rating before the first game."""


def shown(mu: float, sigma: float) -> int:
    """The number that players see; the player's strength is all but certainly as high or higher."""
    return round(SHOWN_UNIT * (mu - CAUTION * sigma)) + SHOWN_AT_FIRST


def rated(before: Sequence[Rating], ranks: Sequence[int], ended: float) -> tuple[Rating, ...]:
    """The ratings of players after a game; equal ranks are a tie, and the lowest is the best."""
    model = _model()
    teams = [[model.create_rating([rating.mu, rating.sigma])] for rating in before]
    after = model.rate(teams, ranks=[float(rank) for rank in ranks])
    return tuple(
        Rating(new.mu, new.sigma, old.games + 1, ended) for old, (new,) in zip(before, after, strict=True)
    )


@cache
def _model() -> PlackettLuce:
    # It takes 20 ms to load, which a process that rates nothing is spared.
    from openskill.models import PlackettLuce

    return PlackettLuce(mu=MU, sigma=SIGMA, beta=BETA, kappa=KAPPA, tau=TAU)
