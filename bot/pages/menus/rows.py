"""How many buttons stand beside each other, so that a phone shows all their labels in full."""

from __future__ import annotations

from collections.abc import Sequence

from bot.ports import Limits
from engines.drawing import cells

ROW_CELLS = 36
"""Cells of text in a row of buttons on a phone, the space around the labels included."""
PADDING = 2
"""Cells of space around a label: two labels of 16 cells stand beside each other."""


def setting_label(name: str, value: str, limits: Limits) -> tuple[str, str]:
    """The label of a setting's key, and the line above it that tells name and value.

    The line is empty if the label has room for both; a phone would cut a longer label.
    """
    whole = f"{name}: {value}"
    is_short = not limits.buttons or cells(whole) + PADDING <= ROW_CELLS
    return (whole, "") if is_short else (name, whole)


def rows_of(labels: Sequence[str], limits: Limits) -> list[int]:
    """The number of buttons in each row, in the order of their labels."""
    counts: list[int] = []
    most, even = limits.row_keys, limits.even
    # As if a full row came before the first label, so that this label begins a row.
    count, total, widest = most, 0, 0
    for label in labels:
        width = cells(label) + PADDING
        count, total = count + 1, total + width
        if width > widest:
            widest = width
        # A label of more than half a row stands alone on every platform, since phones differ.
        needs = widest * count if even else total
        if count > most or needs > ROW_CELLS or 2 * widest > ROW_CELLS:
            counts.append(1)
            count, total, widest = 1, width, width
        else:
            counts[-1] = count
    return counts
