"""How many lines a phone needs for a message, and the news for which it has room."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import ceil

from adapters.shared.rendering.wrapping import wrapped
from bot.ports import NewsLine
from engines.drawing import PHONE, cells

SENTENCE = 40
"""The cells at which a phone wraps a sentence."""
SCREEN = 24
"""The lines that a phone shows at once, rows of buttons included."""
_KEPT = 3
"""How many of the newest pieces of news are shown even without room; routine ones only if they are last."""


def sentence_lines(sentences: Iterable[str]) -> int:
    """The lines that a phone needs for sentences."""
    return sum(map(_sentence_height, sentences))


@lru_cache(1 << 12)
def _sentence_height(sentence: str) -> int:
    """The lines that a phone needs for one sentence; cached, since the next page repeats most sentences."""
    return len(wrapped(sentence, SENTENCE))


def drawing_lines(drawing: str) -> int:
    """The lines that a phone needs for a drawing."""
    if not drawing:
        return 0
    widths = [cells(line) for line in drawing.split("\n")]
    if max(widths) <= PHONE:
        return len(widths)
    return sum(max(1, ceil(width / PHONE)) for width in widths)


def fitting_news(news: Sequence[NewsLine], room: int) -> list[str]:
    """The news for which a phone has room; the first line is marked if any is left out.

    Routine news is left out first, then the oldest. The newest stay even without room (`_KEPT`).
    """
    height = sentence_lines([line.text for line in news])
    if height <= room:
        return [line.text for line in news]
    heights = {line: _sentence_height(line.text) for line in news}
    kept = list(news)
    candidates = [*(line for line in news[:-1] if line.routine), *news[:-_KEPT]]
    for line in candidates:
        if height <= room:
            break
        if line in kept:
            kept.remove(line)
            height -= heights[line]
    lines = [line.text for line in kept]
    if len(kept) < len(news):
        lines[0] = f"… {lines[0]}"
    return lines
