"""Measures how the prospects of Cardlebones' columns foretell the end: ``python -m bench.forecasts``.

Computers at level hard play games. For each number of turns left after a placement, a regression line
foretells the final lead by the lead in prospects. The figures of a line are those of `_FORECASTS` in
`engines.cardlebones.brain`: the share of the lead that stays, the points that the opponent gains by moving
next, and the standard deviation of final leads from the line.
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
    """One placement, and how the game ended for its player."""

    turns: int
    """About how many turns the player has left after it."""
    lead: float
    """The player's lead in prospects after it."""
    final: int
    """The player's lead in points at the end."""


def main() -> None:
    """Prints a line for each number of turns left: share, tempo, spread."""
    by_turns: dict[int, list[MeasuredPlacement]] = defaultdict(list)
    for number in range(GAMES):
        for placement in play(number):
            by_turns[placement.turns].append(placement)
    for turns, placements in sorted(by_turns.items()):
        leads, finals = [each.lead for each in placements], [each.final for each in placements]
        share, intercept = linear_regression(leads, finals)
        spread = pstdev(finals) * (1 - correlation(leads, finals) ** 2) ** 0.5
        print(f"{turns} turns: share {share:.2f} tempo {-intercept:.1f} spread {spread:.1f}")


def play(number: int) -> Iterator[MeasuredPlacement]:
    """The placements of one game, without those after which the player has no more turn (`turns_left`)."""
    game: Game[State, View] = games()["cardlebones"]
    rng = Random(number)
    state = game.new(2, rng.randbytes(32), {})
    placed: list[tuple[int, int, float]] = []
    while (result := game.result(state)) is None:
        view = game.view(state, state.turn)
        move = game.think(view, tuple(game.moves(state, state.turn)), rng, "hard")
        if turns := turns_left(view, cell_of(move)):
            placed.append((state.turn, turns, lead_in_prospects(view, cell_of(move), turns)))
        state, _ = game.apply(state, state.turn, move)
    for seat, turns, lead in placed:
        yield MeasuredPlacement(turns, lead, result.scores[seat] - result.scores[1 - seat])


if __name__ == "__main__":
    main()
