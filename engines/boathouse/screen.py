from __future__ import annotations

from engines.boathouse.state import View
from engines.game import Say


def draw(view: View, say: Say, width: int, height: int | None = None) -> str:
    return "x"


def label(view: View, words: tuple[str, ...], say: Say) -> str:
    return " ".join(words)
