"""The labels of a menu's buttons, and the typed lines that name them."""

from __future__ import annotations

from functools import lru_cache

from bot.i18n import folded
from engines.cards import SYMBOLS


def leading_on(label: str) -> str:
    """The label of a button that leads to another menu."""
    return f"{label} …"


def is_named(line: str, label: str, word: str = "") -> bool:
    """Whether a typed line names a choice by its label.

    The symbol of a suit before its name may be left out: ``hearts`` for ``♥ hearts``. A choice that adds a
    ``word`` to a move is also named by this word, and by the letter of its group.
    """
    meant = _bare(line)
    names = (label, _without_symbol(label), word, short_name(label))
    return bool(meant) and meant in map(_bare, names if word else names[:2])


def is_begun(line: str, label: str) -> bool:
    """Whether a typed line is the first words of a label, and not the whole label."""
    meant, whole = _bare(line), _bare(label)
    return bool(meant) and whole.startswith(meant) and meant != whole and not whole[len(meant)].isalnum()


@lru_cache(maxsize=16)
def _bare(label: str) -> str:
    """A label without case, accents, the marks around it, and the stars of cards that score."""
    # Cached, since a typed line is compared with the labels of all legal moves.
    return " ".join(folded(label).replace("−", "-").replace("★", "").strip("…▶✓ ").split())


def _without_symbol(label: str) -> str:
    """A label without its first word if this is the symbol or the letter of a suit, and more words follow."""
    symbol, _, rest = label.partition(" ")
    return rest if rest and (symbol in SYMBOLS or symbol in SYMBOLS.values()) else label


def short_name(label: str) -> str:
    """The part of a word's label before a colon: the letter in ``C: 7♠ 8♠ 9♠``; empty without a colon."""
    name, colon, _ = label.partition(": ")
    return name if colon else ""
