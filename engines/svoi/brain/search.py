"""Searches the tree of positions of Svoi Kozyri: Monte-Carlo tree search that also proves values."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from heapq import nlargest
from math import sqrt
from typing import NamedTuple

from engines.svoi.brain.bits import BitPosition, Laid, Ruling, after, saves_draw
from engines.svoi.brain.policy import Luck, legal, play_out, promising

_CURIOSITY = 0.7
"""How much the weight of a move and the rarity of its visits count, compared with its successes."""
_UNTRIED = 0.4
"""The value, to the player to act, that a move is given before its first visit."""
_MOST_MOVES = 14
"""The most moves looked at in a position of the tree, unless all of them are proven not to win."""
_MOST_ROOT_MOVES = 40
"""The same at the root; of these moves, only those to judge are looked at."""
_CHECKED_EVERY = 100
"""How often, in visits, the search asks whether its most visited unproven move can still change."""


class SearchedMove(NamedTuple):
    """The search's verdict on one move."""

    laid: Laid
    visits: int
    value: float
    """The value to the player to act, from 0 (a loss) to 1; 0 if the move was never visited."""
    proven: bool
    """Whether the value is proven, not just the mean of the visits."""


class _Node:
    """A position of the tree. Values are those to the player to act there, from 0 (a loss) to 1."""

    __slots__ = (
        "best",
        "children",
        "counts",
        "moves",
        "open",
        "position",
        "proven",
        "sums",
        "visits",
        "weights",
    )

    def __init__(self, position: BitPosition, proven: float | None = None) -> None:
        self.position = position
        self.proven = proven
        """The value once it is proven; None before."""
        self.visits = 0
        self.best = -1.0
        """The best proven value of a move; negative if none is proven."""
        self.open = 0
        """The number of moves looked at whose value is not proven."""
        self.moves: list[Laid] = []
        """The moves looked at; the lists below have an entry for each."""
        self.weights: list[float] = []
        self.counts: list[int] = []
        """The visits of each move."""
        self.sums: list[float] = []
        """The sum of the values of these visits."""
        self.children: list[_Node | None] = []

    def add(self, weighed: Sequence[tuple[float, Laid]]) -> None:
        """Adds moves to look at, with their weights, which are scaled so that those added sum up to 1."""
        whole = sum([weight for weight, _ in weighed])
        for weight, laid in weighed:
            self.moves.append(laid)
            self.weights.append(weight / whole)
            self.counts.append(0)
            self.sums.append(0.0)
            self.children.append(None)
        self.open += len(weighed)

    def choose(self) -> int:
        """The index of the move to visit next: one with successes, or a promising one with few visits."""
        curiosity = _CURIOSITY * sqrt(self.visits)
        chosen, most = -1, -1.0
        children = self.children
        for i, (weight, count, total) in enumerate(zip(self.weights, self.counts, self.sums, strict=True)):
            worth = (total / count if count else _UNTRIED) + curiosity * weight / (1 + count)
            if worth > most and ((child := children[i]) is None or child.proven is None):
                chosen, most = i, worth
        return chosen

    def is_decided(self, visits: int) -> bool:
        """Whether ``visits`` further visits that prove nothing leave the same unproven move ahead."""
        tried = zip(self.counts, self.children, strict=True)
        counts = (count for count, child in tried if child is None or child.proven is None)
        first, second = nlargest(2, (*counts, 0, 0))
        return first - second > visits


class Search:
    """The tree below one position, which grows by at most one position a visit."""

    def __init__(
        self,
        rules: Ruling,
        root: BitPosition,
        moves: Sequence[Laid],
        drawn: Collection[BitPosition],
        actions: int,
    ) -> None:
        """Begins the tree at ``root``; ``moves`` are the moves to judge.

        ``drawn`` are the positions that make the game a draw if they come up again; after ``actions`` more
        actions it is a draw too.
        """
        self._rules = rules
        self._moves = moves
        self._drawn = drawn
        self._actions = actions
        self._root = _Node(root)
        wanted = set(moves)
        self._root.add(
            [(weight, laid) for weight, laid in promising(rules, root, _MOST_ROOT_MOVES) if laid in wanted]
        )
        self._settle(self._root)

    def run(self, visits: int, luck: Luck) -> tuple[SearchedMove, ...]:
        """Judges the moves by at most ``visits`` visits.

        Stops early if the value of the root is proven, or if the visits left are too few to change which of
        the unproven moves has the most.
        """
        root = self._root
        for left in range(visits, 0, -1):
            if root.proven is not None or (left % _CHECKED_EVERY == 0 and root.is_decided(left)):
                break
            self._visit(luck)
        return tuple(_searched_moves(self._root))

    def _visit(self, luck: Luck) -> None:
        """Goes down to a leaf, judges it, if need be by a playout, and counts its value on the path."""
        path: list[tuple[_Node, int]] = []
        node = self._root
        while node.moves and node.proven is None and len(path) < self._actions:
            i = node.choose()
            path.append((node, i))
            node = node.children[i] or self._grow(node, i)
        if node.proven is not None:
            value = 1 - node.proven if node.position.seat else node.proven
        elif len(path) >= self._actions:
            value = 0.5
        else:
            value = play_out(self._rules, node.position, luck)
            node.visits += 1
            # Moves are listed at the second visit: many positions never have one.
            if node.visits > 1:
                node.add(promising(self._rules, node.position, _MOST_MOVES))
        self._count(path, value)

    def _grow(self, node: _Node, i: int) -> _Node:
        """Adds the position after a move to the tree."""
        position = after(self._rules, node.position, node.moves[i])
        proven = None
        if not position.other:
            proven = 0.5 if saves_draw(self._rules, position) else 0.0
        elif position in self._drawn:
            proven = 0.5
        child = node.children[i] = _Node(position, proven)
        return child

    def _count(self, path: Sequence[tuple[_Node, int]], value: float) -> None:
        """Counts a visit of this value to seat 0 at each position of a path, from the last to the root."""
        for node, i in reversed(path):
            own = 1 - value if node.position.seat else value
            node.visits += 1
            node.counts[i] += 1
            node.sums[i] += own
            mean = node.sums[i] / node.counts[i]
            if (child := node.children[i]) and child.proven is not None:
                mean = 1 - child.proven
                node.open -= 1
                node.best = max(node.best, mean)
                self._settle(node)
            # The player to act makes the best proven move in place of one that is worth less on average.
            if mean < node.best:
                value = 1 - node.best if node.position.seat else node.best

    def _settle(self, node: _Node) -> None:
        """Proves the value of a position that is won, or of which all moves are proven.

        In the second case moves left out so far (at the root, of those to judge) are added first, with equal
        weights; while there are any, nothing is proven.
        """
        if node.best == 1:
            node.proven = 1.0
        elif not node.open:
            moves = self._moves if node is self._root else legal(self._rules, node.position)
            looked_at = set(node.moves)
            if rest := [(1.0, laid) for laid in moves if laid not in looked_at]:
                node.add(rest)
            else:
                node.proven = node.best


def _searched_moves(root: _Node) -> Iterator[SearchedMove]:
    for laid, count, total, child in zip(root.moves, root.counts, root.sums, root.children, strict=True):
        if child is not None and child.proven is not None:
            yield SearchedMove(laid, count, 1 - child.proven, proven=True)
        else:
            yield SearchedMove(laid, count, total / count if count else 0.0, proven=False)
