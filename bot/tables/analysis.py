"""Analysis of a finished game: the chance to win before and after its moves, in a hard computer's eyes.

Each decision is judged by a `Thinker` from the view of its player, as it was then.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from heapq import nlargest
from itertools import islice
from operator import attrgetter
from statistics import fmean
from typing import Any, TypeVar

from bot.model.tables import STEP_KINDS, Entry, Refused
from bot.tables.log.snapshots import target
from bot.tables.log.table_state import AnyGame
from bot.tables.table import Table
from bot.thinking.query import Query
from bot.thinking.thinker import Thinker
from engines.game import Move, Seat, Text
from engines.values import Value, replace

FORMAT = 2
"""The version of the computation and of `to_json`; an analysis of another version is made anew."""
MOST_DECISIONS = 80
"""The most decisions of one game that are judged; of a game with more, so many are drawn evenly."""
_MOST_MOVES = 12
"""The most moves that the played one is compared with: the first of `Game.moves`, roughly the best ones."""

_MOST_DOUBTFUL = 6
"""The most decisions of each seat whose chances are estimated again, since they seem to have cost most."""
_CONFIRMATIONS = 4
"""How often the chances of a doubtful decision are estimated again."""

_GOLDEN = (5**0.5 - 1) / 2
"""The fraction of the golden ratio: the fractions of its first n multiples lie evenly, for every n."""

T = TypeVar("T")


class PlayedMove(Value):
    """A move of a game, with the state before it."""

    number: int
    """The number of its step in the replay, from 1: a take-back is a step too."""
    n: int
    """The number of its entry."""
    seat: Seat
    move: Move
    state: Any
    is_chosen: bool
    """Whether a player made it, and not the clock."""


class Decision(Value):
    """A choice that a player had, as they saw it."""

    number: int
    """As `PlayedMove.number`."""
    n: int
    """The number of the entry of the played move."""
    seat: Seat
    played: Move
    view: Any
    moves: tuple[Move, ...]
    """The moves to compare, the played one among them."""


class Judged(Value):
    """A judged decision; chances are between 0 and 1."""

    n: int
    """As `Decision.n`."""
    seat: Seat
    before: float
    """The chance of its player with the best move."""
    after: float
    """The chance after the played move."""
    best: str
    """The best move."""

    @property
    def loss(self) -> float:
        """The chance of winning that the played move has cost."""
        return self.before - self.after


class Analysis(Value):
    """The result of analysing a game."""

    decisions: int
    """The number of decisions of the game."""
    judged: tuple[Judged, ...]
    """The decisions that were judged, in the order of the game."""

    def to_json(self) -> str:
        """The analysis as a text for the store."""
        rows = [[judged.n, judged.seat, judged.before, judged.after, judged.best] for judged in self.judged]
        return json.dumps({"format": FORMAT, "decisions": self.decisions, "judged": rows})

    @classmethod
    def from_json(cls, text: str) -> Analysis | None:
        """Reads a stored analysis; None for one of another version, or a damaged one."""
        try:
            whole = json.loads(text)
            if whole["format"] != FORMAT:
                return None
            rows = tuple(
                Judged(int(n), int(seat), float(before), float(after), str(best))
                for n, seat, before, after, best in whole["judged"]
            )
            return cls(int(whole["decisions"]), rows)
        except (ValueError, TypeError, KeyError):
            return None

    def of(self, seat: Seat) -> tuple[Judged, ...]:
        """The judged decisions of a seat."""
        return tuple(judged for judged in self.judged if judged.seat == seat)


def must_be_analysable(table: Table) -> None:
    """Raises `Refused` unless the table is over, cards were dealt at it, and its game can be replayed."""
    table.must_be_over()
    if table.outdated:
        raise Refused(Text("An update has changed the rules, so I can't look back at this game."))
    if table.state is None:
        raise Refused(Text("No cards were dealt at that table."))


def played_moves(table: Table) -> Iterator[PlayedMove]:
    """The moves of a whole table that were not taken back, in order."""
    entries = table.entries[:]
    start = next((entry.n for entry in entries if entry.kind == "start"), None)
    if start is None:
        return
    moves, steps = list[Entry](), dict[int, int]()
    for entry in entries[start + 1 :]:
        if entry.seat is not None and entry.kind in STEP_KINDS:
            steps[entry.n] = len(steps) + 1
        if entry.kind == "undo":
            moves = [move for move in moves if move.n < target(entry)]
        elif entry.kind in ("move", "timeout"):
            moves.append(entry)
    state = Table.replay(entries[: start + 1], table.seed_source).state
    for entry in moves:
        assert entry.seat is not None
        move = Move.parse(str(entry.body["move"]))
        yield PlayedMove(steps[entry.n], entry.n, entry.seat, move, state, entry.kind == "move")
        state, _ = table.game.apply(state, entry.seat, move)


def decision_of(game: AnyGame, played: PlayedMove) -> Decision | None:
    """The choice that a player had; None if `Game.moves` lists no other, or if the clock made it."""
    if not played.is_chosen:
        return None
    moves = tuple(islice(game.moves(played.state, played.seat), _MOST_MOVES))
    moves = moves if played.move in moves else (*moves, played.move)
    if len(moves) < 2:
        return None
    view = game.view(played.state, played.seat)
    return Decision(played.number, played.n, played.seat, played.move, view, moves)


def sample(decisions: Sequence[Decision], most: int = MOST_DECISIONS) -> Sequence[Decision]:
    """At most ``most`` decisions, drawn evenly from the whole game."""
    if len(decisions) <= most:
        return decisions
    return [decisions[n * len(decisions) // most] for n in range(most)]


def scattered(items: Sequence[T]) -> Sequence[T]:
    """The items in an order in which the first n, for every n, are spread over the whole."""
    order = sorted(range(len(items)), key=lambda n: n * _GOLDEN % 1)
    return [items[n] for n in order]


async def judge(game: AnyGame, decision: Decision, luck: str, thinker: Thinker) -> Judged | None:
    """Judges a decision; None if its chances cannot be estimated. The estimates follow from ``luck``."""
    chances = await _chances(game, decision, decision.moves, luck, thinker)
    if not chances:
        return None
    best = max(chances, key=lambda move: chances[move])
    after = chances.get(decision.played)
    if after is None:
        # The estimate has left out the played move as plainly worse than another: it is judged alone.
        alone = await _chances(game, decision, (decision.played,), luck, thinker) or {}
        after = min(alone.get(decision.played, 1.0), *chances.values())
    before, after = round(chances[best], 3), round(after, 3)
    if after >= before:
        best = decision.played
    return Judged(decision.n, decision.seat, before, min(before, after), str(best))


def doubtful(judged: Sequence[Judged]) -> Sequence[Judged]:
    """The decisions of each seat that seem to have cost most, at most `_MOST_DOUBTFUL`, in game order."""
    seats = {each.seat for each in judged}
    costly = [
        nlargest(_MOST_DOUBTFUL, (each for each in judged if each.seat == seat), attrgetter("loss"))
        for seat in seats
    ]
    return sorted((each for some in costly for each in some if each.loss > 0), key=attrgetter("n"))


def most_doubtful(decisions: Sequence[Decision]) -> int:
    """The most of these decisions that `doubtful` can find."""
    return sum(min(_MOST_DOUBTFUL, n) for n in Counter(each.seat for each in decisions).values())


async def confirm(game: AnyGame, decision: Decision, judged: Judged, luck: str, thinker: Thinker) -> Judged:
    """Judges a decision again, by the mean of new estimates of its best and its played move.

    The first estimates count only where a new one leaves out the played move: of many estimates the most
    striking are the least accurate. Returns the first verdict if there are no new estimates.
    """
    best, before, after = Move.parse(judged.best), list[float](), list[float]()
    for n in range(_CONFIRMATIONS):
        chances = await _chances(game, decision, (best, decision.played), f"{luck}:{n}", thinker)
        if chances and best in chances:
            before.append(chances[best])
            after.append(chances.get(decision.played, min(judged.after, chances[best])))
    if not before:
        return judged
    chance, played = round(fmean(before), 3), round(fmean(after), 3)
    if played >= chance:
        return replace(judged, before=played, after=played, best=str(decision.played))
    return replace(judged, before=chance, after=played)


async def _chances(
    game: AnyGame, decision: Decision, moves: Sequence[Move], luck: str, thinker: Thinker
) -> Mapping[Move, float] | None:
    """The chances to win after moves, as `Game.estimate` gives them; None if there is no answer."""
    return await thinker.estimate(Query(game.key, decision.view, moves, "hard", luck))
