"""A Monte-Carlo tree search for Casino while all cards are known and the end is too far for an exact search.

Each visit goes down the tree, by moves that did well so far or that the rules of thumb prefer (PUCT), and
plays on from the first new position by the rules of thumb.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from math import exp, sqrt

from engines.casino.brain.policy import POLICY
from engines.casino.brain.simulation import Simulation, Step
from engines.game import Seat

_EXPLORATION = 0.6
"""The weight of the rules of thumb, beside the results so far, in the choice of the move to visit."""
_TEMPERATURE = 0.4
"""The points by which a move must weigh more than another to get e times its probability."""


class Node:
    """A position, with the sums of its visits; values are chances to win, from 0 to 1."""

    __slots__ = ("children", "priors", "steps", "table", "total", "visits")

    def __init__(self, table: Simulation) -> None:
        self.table = table
        self.visits = 0
        self.total = 0.0
        """The sum of the values of all visits, for seat 0."""
        self.steps: list[Step] = []
        """The moves; none before the first visit and after the end."""
        self.priors: list[float] = []
        """The probability that the rules of thumb give each move."""
        self.children: list[Node | None] = []
        """The position after each move; None before the first visit."""

    def expand(self, among: Collection[Step] | None = None) -> None:
        """Lists the moves, with the probabilities that the rules of thumb give them.

        ``among`` are the moves to list; None for all.
        """
        weighed = [each for each in POLICY.weigh(self.table) if among is None or each[1] in among]
        best = max(weighed)[0]
        likely = [exp((weight - best) / _TEMPERATURE) for weight, _ in weighed]
        total = sum(likely)
        self.priors = [weight / total for weight in likely]
        self.steps = [step for _, step in weighed]
        self.children = [None] * len(weighed)

    def chance(self, seat: Seat) -> float:
        """The mean value of the visits for one of the two seats; there was at least one visit."""
        value = self.total / self.visits
        return 1.0 - value if seat else value

    def choose(self) -> int:
        """The index of the move to visit next, for the seat whose turn it is."""
        is_seat_0 = self.table.turn == 0
        exploration = _EXPLORATION * sqrt(self.visits)
        mean = self.total / self.visits
        unvisited = mean if is_seat_0 else 1.0 - mean
        best, chosen = -1.0, 0
        for index, child in enumerate(self.children):
            if child is None:
                score = unvisited + exploration * self.priors[index]
            else:
                won = child.total / child.visits
                score = won if is_seat_0 else 1.0 - won
                score += exploration * self.priors[index] / (1 + child.visits)
            if score > best:
                best, chosen = score, index
        return chosen


def grow(
    table: Simulation,
    visits: int,
    judge: Callable[[Simulation], float],
    steps: Collection[Step] | None = None,
) -> Node:
    """Grows a tree from a position by ``visits`` visits, and returns its root.

    ``judge`` returns the value of a position for seat 0, and may change the copy that it is given. ``steps``
    are the moves to look at at the root; None for all.
    """
    root = Node(table.copy())
    for _ in range(visits):
        path = _descend(root)
        leaf = path[-1]
        if leaf.table.turn >= 0:
            leaf.expand(steps if leaf is root else None)
        value = judge(leaf.table.copy())
        for node in path:
            node.visits += 1
            node.total += value
    return root


def _descend(root: Node) -> list[Node]:
    """The positions from the root to the first whose moves are not listed: it is new, or the game is over."""
    path = [root]
    while (node := path[-1]).steps:
        index = node.choose()
        child = node.children[index]
        if child is None:
            after = node.table.copy()
            after.play(node.steps[index])
            child = node.children[index] = Node(after)
        path.append(child)
    return path
