"""Measures how the prospects of Cardlebones' columns foretell the end: ``python -m bench.forecasts``.

Computers at level hard play games. For each number of turns left, a regression line through the final leads
of all positions gives the share of the lead in prospects that stays, the points that the opponent gains by
moving next, and the standard deviation of final leads from the line: the table in
`engines.cardlebones.brain`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from random import Random
from statistics import correlation, linear_regression, pstdev
from typing import NamedTuple

from engines import games
from engines.cardlebones.brain import cell_of, lead_in_prospects, turns_left
from engines.cardlebones.state import State, View
from engines.game import Game

GAMES = 4000
"""Games that are played."""


class MeasuredPlacement(NamedTuple):
    """One placement: the turns left after it, its player's lead in prospects and final lead."""

    turns: int
    lead: float
    final: int


def main() -> None:
    """Prints a line for each number of turns left: share, tempo, spread."""
    leads: dict[int, list[MeasuredPlacement]] = defaultdict(list)
    for number in range(GAMES):
        for seen in play(number):
            leads[seen.turns].append(seen)
    for turns, several in sorted(leads.items()):
        before, after = [seen.lead for seen in several], [seen.final for seen in several]
        share, intercept = linear_regression(before, after)
        spread = pstdev(after) * (1 - correlation(before, after) ** 2) ** 0.5
        print(f"{turns} turns: share {share:.2f} tempo {-intercept:.1f} spread {spread:.1f}")


def play(number: int) -> Iterator[MeasuredPlacement]:
    """The placements of one game that are followed by more than the opponent's last card."""
    game: Game[State, View] = games()["cardlebones"]
    rng = Random(number)
    state = game.new(2, rng.randbytes(32), {})
    seen: list[tuple[int, int, float]] = []
    while (result := game.result(state)) is None:
        view = game.view(state, state.turn)
        move = game.think(view, tuple(game.moves(state, state.turn)), rng, "hard")
        if turns := turns_left(view, cell_of(move)):
            seen.append((state.turn, turns, lead_in_prospects(view, cell_of(move), turns)))
        state, _ = game.apply(state, state.turn, move)
    for seat, turns, lead in seen:
        yield MeasuredPlacement(turns, lead, result.scores[seat] - result.scores[1 - seat])


if __name__ == "__main__":
    main()
