"""Draws numbers, games won and lost, or chances as a row of one character each: bars, or signs instead."""

from __future__ import annotations

from collections.abc import Sequence

from bot.i18n import Speech

_BARS = "▁▂▃▄▅▆▇█"
_DIGITS = "0123456789"
_WON, _LOST = _BARS[-1], _BARS[0]


def form(games: Sequence[bool], say: Speech) -> str:
    """The last games of a person: a high bar for each that was won, a low one for each other."""
    won, lost = ("+", "-") if say.letters else (_WON, _LOST)
    return "".join(won if is_won else lost for is_won in games)


def sparkline(values: Sequence[int], width: int, say: Speech) -> str:
    """Numbers as bars; of more than ``width`` numbers the first, the last, and some evenly between them.

    The least of those shown is the lowest bar, the greatest the highest; if all are equal, each is a bar of
    middle height. Empty where bars cannot be shown, and for fewer than two numbers.
    """
    if say.letters or len(values) < 2:
        return ""
    shown = values
    if len(values) > width:
        last = len(values) - 1
        shown = [values[round(n * last / (width - 1))] for n in range(width)]
    low, high = min(shown), max(shown)
    if low == high:
        return _BARS[3] * len(shown)
    top = len(_BARS) - 1
    return "".join(_BARS[round((value - low) * top / (high - low))] for value in shown)


def chances_line(chances: Sequence[float], width: int, *, letters: bool = False) -> str:
    """Chances as a line of at most ``width`` characters: bars, or digits for tenths.

    If there are more chances than characters, neighbours are averaged.
    """
    steps = _DIGITS if letters else _BARS
    cells = min(width, len(chances))
    line = ""
    for n in range(cells):
        part = chances[n * len(chances) // cells : (n + 1) * len(chances) // cells]
        line += steps[min(int(sum(part) / len(part) * len(steps)), len(steps) - 1)]
    return line
