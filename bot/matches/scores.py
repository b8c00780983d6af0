"""Scores a match: how good its contenders are, and how sure that is.

The unit of all intervals is the deal, not the game: the games of one deal are not independent of each other.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from bot.matches.playing import GameRecord
from engines.values import Value

Interval: TypeAlias = tuple[float, float]

_Z = 1.96
"""The standard deviations on each side of the mean that hold 95 % of a normal distribution."""
_FEWEST_DEALS = 30
"""The fewest deals from which the variance of shares is estimated."""


class Standing(Value):
    """The score of a match so far; the tuples have one entry for each contender."""

    games: int
    wins: tuple[float, ...]
    """Games won; a win shared by n contenders counts 1/n for each."""
    draws: int
    """Games without a single winner, cut games included."""
    cut: int
    """Games that were cut after too many moves."""
    points: tuple[float, ...]
    """Mean points a game."""
    margins: tuple[float, ...]
    """Mean points a game, less the mean of the other contenders."""
    intervals: tuple[Interval, ...]
    """The 95 % interval of the share of the games that each contender wins, from 0 to 1."""
    margin_errors: tuple[float, ...]
    """Half the width of the 95 % interval of each margin."""
    median_ms: tuple[float, ...]
    """The median CPU time of a decision in milliseconds; 0 without decisions."""
    worst_ms: tuple[float, ...]
    """The longest CPU time of a decision in milliseconds; 0 without decisions."""
    moves: int


def standing(played: Sequence[GameRecord], games_of_a_deal: int) -> Standing | None:
    """The score after these games, of which only whole deals count; None without a whole deal."""
    by_deal: dict[int, list[GameRecord]] = {}
    for record in played:
        by_deal.setdefault(record.number // games_of_a_deal, []).append(record)
    deals = [games for games in by_deal.values() if len(games) == games_of_a_deal]
    if not deals:
        return None
    records = [record for games in deals for record in games]
    contenders = range(len(records[0].scores))
    times = [sorted(ms for record in records for ms in record.ms[contender]) for contender in contenders]
    shares = [
        [_mean(_share(game, contender) for game in games) for games in deals] for contender in contenders
    ]
    margins = [
        [_mean(_margin(game, contender) for game in games) for games in deals] for contender in contenders
    ]
    return Standing(
        games=len(records),
        wins=tuple(math.fsum(_share(record, contender) for record in records) for contender in contenders),
        draws=sum(len(record.winners) > 1 for record in records),
        cut=sum(record.cut for record in records),
        points=tuple(_mean(record.scores[contender] for record in records) for contender in contenders),
        margins=tuple(_mean(_margin(record, contender) for record in records) for contender in contenders),
        intervals=tuple(share_interval(each) for each in shares),
        margin_errors=tuple(half_width(each) for each in margins),
        median_ms=tuple(statistics.median(each) if each else 0.0 for each in times),
        worst_ms=tuple(each[-1] if each else 0.0 for each in times),
        moves=sum(record.moves for record in records),
    )


def share_interval(shares: Sequence[float]) -> Interval:
    """The 95 % interval of a mean share, given one share from 0 to 1 for each deal.

    By the normal approximation. With fewer than `_FEWEST_DEALS`, or if all deals ended alike, it is Wilson's
    score interval with each deal as one trial: no shares vary more than mere wins and losses.
    """
    mean, n = _mean(shares), len(shares)
    if n < _FEWEST_DEALS or min(shares) == max(shares):
        middle = (mean + _Z**2 / (2 * n)) / (1 + _Z**2 / n)
        half = _Z * math.sqrt(mean * (1 - mean) / n + _Z**2 / (4 * n**2)) / (1 + _Z**2 / n)
    else:
        middle, half = mean, half_width(shares)
    return max(0.0, middle - half), min(1.0, middle + half)


def half_width(values: Sequence[float]) -> float:
    """Half the width of the 95 % interval of a mean, by the normal approximation; 0 for a single value."""
    return _Z * statistics.stdev(values) / math.sqrt(len(values)) if len(values) > 1 else 0.0


def _share(record: GameRecord, contender: int) -> float:
    return (contender in record.winners) / len(record.winners)


def _margin(record: GameRecord, contender: int) -> float:
    own = record.scores[contender]
    return own - (sum(record.scores) - own) / (len(record.scores) - 1)


def _mean(values: Iterable[float]) -> float:
    return statistics.fmean(values)
