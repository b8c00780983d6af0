"""The labels of a menu's buttons, and the typed lines that name them."""

from __future__ import annotations

from functools import lru_cache

from bot.i18n import folded
from engines.cards import SYMBOLS

_MARKS = str.maketrans({"−": "-", "★": None})
"""What a bare label has in place of a minus sign and of the star of a card that scores."""


def leading_on(label: str) -> str:
    """The label of a button that leads to another menu."""
    return f"{label} …"


def is_named(line: str, label: str, word: str = "") -> bool:
    """Whether a typed line names a choice by its label.

    The symbol of a suit before its name may be left out: ``hearts`` for ``♥ hearts``. A choice that adds a
    ``word`` to a move is also named by this word, and by the letter of its group.
    """
    meant = bare(line)
    names = (label, word, short_name(label)) if word else (label,)
    return bool(meant) and any(names_bare(meant, bare(name)) for name in names)


def is_begun(line: str, label: str) -> bool:
    """Whether a typed line is the first words of a label, and not the whole label."""
    return begins_bare(bare(line), bare(label))


@lru_cache(maxsize=16)
def bare(label: str) -> str:
    """A label without case, accents, the marks around it, and the stars of cards that score.

    A typed line is compared with labels in this form.
    """
    return " ".join(folded(label).translate(_MARKS).strip("…▶✓ ").split())


def names_bare(meant: str, whole: str) -> bool:
    """As `is_named`, of a line and a label that are bare; the line isn't empty."""
    return meant in (whole, _without_symbol(whole))


def begins_bare(meant: str, whole: str) -> bool:
    """As `is_begun`, of a line and a label that are bare."""
    return whole.startswith(meant) and "" != meant != whole and not whole[len(meant)].isalnum()


def _without_symbol(whole: str) -> str:
    """A bare label without its first word if this is the letter of a suit, as symbols are when folded."""
    symbol, _, rest = whole.partition(" ")
    return rest if rest and symbol.upper() in SYMBOLS else whole


def short_name(label: str) -> str:
    """The part of a word's label before a colon: the letter in ``C: 7♠ 8♠ 9♠``; empty without a colon."""
    name, colon, _ = label.partition(": ")
    return name if colon else ""
