"""The computer players of Casino: a beginner, rules of thumb (`policy`), and search.

``hard`` judges moves by playouts in imagined deals. With two seats a playout stops at the second deal, and
`races` estimates the end. After that deal ``hard`` knows all cards: it searches a tree (`tree`), and the last
cards exactly (`endgame`).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from math import exp
from random import Random
from typing import NamedTuple

from engines.cards import Card
from engines.casino.brain.endgame import Endgame, OutOfNodes
from engines.casino.brain.imagined_deals import Deals, any_deal, step_of
from engines.casino.brain.policy import POLICY
from engines.casino.brain.races import expected_lead
from engines.casino.brain.simulation import Simulation, Step, points
from engines.casino.brain.tree import grow
from engines.casino.state import THREE_OF_HEARTS, View, scores_alone
from engines.game import Level, Move, Seat
from engines.playouts import Judgement, judge

_LAST_CARDS = 12
"""The most cards in both hands together with which the exact search is tried."""
_LEAD_WORTH = 0.05
"""The worth of a point of lead, in games won: a larger lead is less easily lost."""
_SPREAD = 1.6
"""The lead in points at the second deal that makes a win e times as likely as a loss."""
_FEW_VISITS, _MANY_VISITS = 10, 100
"""The least and the most visits by which `estimate` judges a move that the tree hardly visited."""
_NOTICES = {"capture": 0.85, "build": 0.3, "steal-build": 0.15}
"""By verb, the probability that a beginner notices a move; moves of other verbs are always noticed."""


class _Effort(NamedTuple):
    """How much work a search may do."""

    playouts: int
    """The playouts for all moves together, if cards are hidden."""
    visits: int
    """The visits to the tree, if all cards are known."""
    nodes: int
    """The positions that the exact search may look at, before the tree takes over."""
    each: bool
    """Whether the value of each move is wanted, or only the best move."""


_CHOICE = _Effort(playouts=480, visits=240, nodes=10_000, each=False)
_ESTIMATE = _Effort(playouts=960, visits=480, nodes=40_000, each=True)


def think(view: View, moves: Sequence[Move], rng: Random, level: Level = "normal") -> Move:
    """The move that a computer player of the level chooses; among moves that are equally good, by chance."""
    if view.phase == "exchange":
        return _answer(view, moves)
    if level == "easy":
        return _choose_as_beginner(view, moves, rng)
    by_step = _by_step(view, moves)
    weights = _weigh(view, by_step)
    if level == "normal" or len(by_step) == 1:
        worth: Mapping[Step, float] = weights
    else:
        worth = {step: found.worth for step, found in _search(view, [*weights], rng, _CHOICE).items()}
    best = max(worth.values())
    return rng.choice([move for step in by_step if worth[step] == best for move in by_step[step]])


def estimate(view: View, moves: Sequence[Move], rng: Random) -> Mapping[Move, float]:
    """The chance to win after each move."""
    if view.phase == "exchange":
        # No search: the time of an answer must not tell who holds the three of hearts (rule 3).
        even = 1 / len(view.hand_sizes)
        answer = _answer(view, moves)
        return {move: even if move == answer else even - 0.01 for move in moves}
    by_step = _by_step(view, moves)
    searched = _search(view, [*_weigh(view, by_step)], rng, _ESTIMATE)
    return {move: searched[step].chance for step in by_step for move in by_step[step]}


def _by_step(view: View, moves: Sequence[Move]) -> dict[Step, list[Move]]:
    """The moves by what they do; those of one step differ only in cards that no rule tells apart."""
    found = defaultdict[Step, list[Move]](list)
    for move in moves:
        found[step_of(view, move)].append(move)
    return found


def _weigh(view: View, steps: Collection[Step]) -> dict[Step, float]:
    """The weights of the moves by the rules of thumb, the best move first."""
    weights = {step: weight for weight, step in POLICY.weigh(any_deal(view)) if step in steps}
    return dict(sorted(weights.items(), key=lambda item: (-item[1], item[0])))


def _answer(view: View, moves: Sequence[Move]) -> Move:
    """The answer to the exchange: the starter card is taken if it is worth more than the three of hearts.

    If both are worth the same, only a player with another three and no card of the starter's rank accepts.
    """
    starter = view.loose[0]
    ranks = Counter(card.rank for card in view.hand)
    gain = _plain_worth(starter) - _plain_worth(THREE_OF_HEARTS)
    accepts = gain > 0 or (gain == 0 and ranks[THREE_OF_HEARTS.rank] > 1 > ranks[starter.rank])
    answer = Move("exchange", ("yes" if accepts else "no",))
    return answer if answer in moves else moves[0]


def _plain_worth(card: Card) -> float:
    """The worth of a card in points, whatever else lies on the table."""
    return scores_alone(card) + POLICY.weights.spade * (card.suit == "S")


def _choose_as_beginner(view: View, moves: Sequence[Move], rng: Random) -> Move:
    """The choice of a beginner, who overlooks moves, and of captures sees only how many cards they take.

    A beginner who sees nothing else throws a card, one that scores nothing by itself if there is any.
    """
    noticed = [move for move in moves if rng.random() < _NOTICES.get(move.verb, 1.0)]
    if captures := [move for move in noticed if move.verb == "capture"]:
        most = max(map(_captured_count, captures))
        return rng.choice([move for move in captures if _captured_count(move) == most])
    if builds := [move for move in noticed if move.verb != "throw"]:
        return rng.choice(builds)
    throws = [move for move in moves if move.verb == "throw"]
    plain = [move for move in throws if not scores_alone(Card(move.words[0]))]
    return rng.choice(plain or throws)


def _captured_count(move: Move) -> int:
    """The number of cards that a capture takes, as a beginner counts them: three for ``all``."""
    return 3 if move.words[1] == "all" else move.words[1].count("+") + 1


class _Verdict(NamedTuple):
    """The verdict of a search on a move."""

    worth: float
    """The score by which moves are compared."""
    chance: float
    """The chance to win, from 0 to 1."""


def _search(view: View, steps: Sequence[Step], rng: Random, effort: _Effort) -> dict[Step, _Verdict]:
    """The verdicts on moves; ``steps`` are in the order of the rules of thumb, the best first."""
    table = any_deal(view)
    if len(table.hands) == 2 and not table.undealt:
        if table.unplayed_count <= _LAST_CARDS:
            try:
                values = Endgame(effort.nodes).values(table, steps, exact=effort.each)
            except OutOfNodes:
                pass
            else:
                return {step: _of_value(value) for step, value in values.items()}
        return _search_known(table, steps, effort)
    seat, deals = table.turn, Deals(view)

    def play(deal: Simulation, step: Step, luck: Random) -> tuple[float, float]:
        after = deal.copy()
        after.play(step)
        return _play_out(after, seat)

    judged = judge(steps, deals.imagine, play, rng, effort.playouts, _rank)
    return _verdicts(judged)


def _verdicts(judged: Mapping[Step, Judgement]) -> dict[Step, _Verdict]:
    """The verdicts of playouts; a move that dropped out is worth less than each that stayed longer."""
    found: dict[Step, _Verdict] = {}
    by_playouts: dict[int, list[Step]] = defaultdict(list)
    for step, judgement in judged.items():
        by_playouts[judgement.playouts].append(step)
    limit = float("inf")
    for playouts in sorted(by_playouts, reverse=True):
        for step in by_playouts[playouts]:
            found[step] = _Verdict(min(limit, _rank(judged[step])), judged[step].wins)
        limit = min(found[step].worth for step in by_playouts[playouts]) - 0.001
    return _capped(found)


def _capped(found: Mapping[Step, _Verdict]) -> dict[Step, _Verdict]:
    """The verdicts with no chance above that of the best move, since most others were tried less."""
    best = max(found.values())
    return {
        step: verdict._replace(chance=min(verdict.chance, best.chance)) for step, verdict in found.items()
    }


def _rank(judgement: Judgement) -> float:
    """The score by which playouts compare moves."""
    return judgement.wins + _LEAD_WORTH * judgement.lead


def _play_out(table: Simulation, seat: Seat) -> tuple[float, float]:
    """Plays on by the rules of thumb to the end; with two seats and a stock, only until it is dealt.

    Returns the seat's lead and its share of the win, both estimated if the game is not over.
    """
    weigh, play = POLICY.weigh, table.play
    stock = table.stock if len(table.hands) == 2 else None
    while table.turn >= 0 and (stock is None or table.stock is stock):
        play(max(weigh(table))[1])
    if table.turn >= 0:
        lead = expected_lead(table, seat)
        return lead, _chance(lead, _SPREAD)
    ends = list(map(points, table.tallies))
    own, best = ends[seat], max(ends)
    best_other = max(score for other, score in enumerate(ends) if other != seat)
    return own - best_other, 1 / ends.count(best) if own == best else 0.0


def _search_known(table: Simulation, steps: Sequence[Step], effort: _Effort) -> dict[Step, _Verdict]:
    """Judges moves while all cards are known and the end is too far for an exact search.

    Moves are compared by their visits, and by their chances only if these are equal. If the value of each
    move is wanted, those with few visits are searched once more, each alone.
    """
    root = grow(table, effort.visits, _judge_by_playout, steps)
    found: dict[Step, _Verdict] = {}
    for step, child in zip(root.steps, root.children, strict=True):
        chance = child.chance(table.turn) if child else 0.0
        found[step] = _Verdict(child.visits + chance if child else 0.0, chance)
    if effort.each:
        vague = [step for step in steps if found[step].worth < _FEW_VISITS]
        for step in vague:
            after = table.copy()
            after.play(step)
            visits = max(_FEW_VISITS, min(_MANY_VISITS, effort.visits // len(vague)))
            chance = grow(after, visits, _judge_by_playout).chance(table.turn)
            found[step] = found[step]._replace(chance=chance)
    return _capped(found)


def _judge_by_playout(table: Simulation) -> float:
    """The chance of seat 0 to win, after one playout; the lead counts too, since the result may be luck."""
    lead, wins = _play_out(table, 0)
    return (wins + _chance(lead, spread=1.0)) / 2


def _of_value(value: int) -> _Verdict:
    """The verdict for a value that the exact search has found."""
    return _Verdict(value, 0.5 + (0.5 if value > 0 else -0.5 if value < 0 else 0.0))


def _chance(lead: float, spread: float) -> float:
    """The chance to win with a lead that may still change by about ``spread`` points."""
    return 1 / (1 + exp(-lead / spread))
