"""An exact search of the end of a game of Casino for two: once the stock is empty, all cards are known."""

from __future__ import annotations

from collections.abc import Sequence

from engines.casino.brain.policy import POLICY, Policy
from engines.casino.brain.simulation import NO_STEALS, ON_HAND_CARD, Simulation, Step, points

WIN = 100
"""The value of a win; the lead in points is added, so that the larger of two wins is better."""
_LIMIT = 1_000
"""More than any value."""

_Key = tuple[object, ...]


class OutOfNodes(Exception):
    """The search would have to look at more positions than it may."""


def end_value(table: Simulation, seat: int) -> int:
    """The value of a finished game for a seat: above 0 for a win, 0 for a draw, below 0 for a loss."""
    lead = points(table.tallies[seat]) - points(table.tallies[1 - seat])
    return lead + WIN * ((lead > 0) - (lead < 0))


class Endgame:
    """An alpha-beta search to the end of the game, with a transposition table."""

    def __init__(self, nodes: int, policy: Policy = POLICY) -> None:
        self.nodes = nodes
        """The positions that the search may still look at."""
        self._policy = policy
        self._bounds: dict[_Key, tuple[int, int]] = {}
        """The transposition table: between which bounds the value of a position lies."""

    def values(self, table: Simulation, steps: Sequence[Step], *, exact: bool = False) -> dict[Step, int]:
        """The value of each move for the seat whose turn it is. Raises `OutOfNodes`.

        Unless ``exact``, a move no better than the best one before it gets the value of that one less 1.
        """
        seat, best = table.turn, -_LIMIT
        found: dict[Step, int] = {}
        for step in steps:
            after = table.copy()
            after.play(step)
            value = self._after(after, seat, -_LIMIT if exact else best, _LIMIT)
            found[step] = value if exact or value > best else best - 1
            best = max(best, value)
        return found

    def _after(self, table: Simulation, seat: int, alpha: int, beta: int) -> int:
        """The value of a position for the seat that has just moved."""
        if table.turn == seat:
            return self._search(table, alpha, beta)
        if table.turn >= 0:
            return -self._search(table, -beta, -alpha)
        return end_value(table, seat)

    def _search(self, table: Simulation, alpha: int, beta: int) -> int:
        """The value for the seat whose turn it is, if between alpha and beta; else a bound beyond them.

        Raises `OutOfNodes`.
        """
        key = _key(table)
        low, high = self._bounds.get(key, (-_LIMIT, _LIMIT))
        if low >= beta or low == high:
            return low
        if high <= alpha:
            return high
        self.nodes -= 1
        if self.nodes < 0:
            raise OutOfNodes
        seat, best, floor = table.turn, -_LIMIT, alpha
        for _, step in sorted(self._policy.weigh(table), reverse=True):
            after = table.copy()
            after.play(step)
            found = self._after(after, seat, floor, beta)
            if found > best:
                best = found
                floor = max(floor, found)
                if found >= beta:
                    break
        if best >= beta:
            low = best
        elif best <= alpha:
            high = best
        else:
            low = high = best
        self._bounds[key] = low, high
        return best


def _key(table: Simulation) -> _Key:
    """A position's key in the transposition table; it leaves out pile cards that can no longer be stolen."""
    hand_0, hand_1 = table.hands
    pile_0, pile_1 = table.piles
    if table.steals == ON_HAND_CARD:
        # Each steal costs a hand card, so a seat steals at most as many cards as it holds.
        pile_0 = pile_0[max(0, len(pile_0) - len(hand_1)) :]
        pile_1 = pile_1[max(0, len(pile_1) - len(hand_0)) :]
    elif table.steals == NO_STEALS:
        pile_0 = pile_1 = []
    loose, builds = table.loose, table.builds
    if not table.at_once:
        # Only a capture of everything depends on the order on the table: it decides the top of the pile.
        loose, builds = sorted(loose), sorted(builds)
    return (
        tuple(hand_0), tuple(hand_1), tuple(loose), tuple(builds), tuple(pile_0), tuple(pile_1),
        *table.tallies, table.last, table.turn,
    )  # fmt: skip
