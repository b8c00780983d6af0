"""Finds the word that a user meant by a mistyped one."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from bot.i18n import folded


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word that a mistyped one resembles most; None if it resembles none."""
    spelled = {folded(one): one for one in known}
    found = get_close_matches(folded(word), spelled, n=1)
    return spelled[found[0]] if found else None
