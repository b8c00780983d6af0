"""How many buttons stand beside each other, so that a phone shows all their labels in full."""

from __future__ import annotations

from collections.abc import Sequence

from bot.ports import Limits
from engines.drawing import cells

ROW_CELLS = 36
"""Cells of text in a row of buttons on a phone, the space around the labels included."""
PADDING = 2
"""Cells of space around a label: two labels of 16 cells stand beside each other."""


def rows_of(labels: Sequence[str], limits: Limits) -> list[int]:
    """The number of buttons in each row, in the order of their labels."""
    rows: list[list[int]] = []
    for width in (cells(label) + PADDING for label in labels):
        if rows and len(rows[-1]) < limits.row_keys and _cells([*rows[-1], width], limits) <= ROW_CELLS:
            rows[-1].append(width)
        else:
            rows.append([width])
    return list(map(len, rows))


def _cells(widths: Sequence[int], limits: Limits) -> int:
    """The cells that buttons of these widths need beside each other."""
    widest = max(widths)
    # A label of more than half a row stands alone on every platform, since phones differ.
    return widest * len(widths) if limits.even else max(sum(widths), 2 * widest)
