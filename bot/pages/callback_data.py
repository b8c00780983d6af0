"""Callback data: the table, the stamp and the action of a button.

Buttons survive restarts, since no process keeps their meaning.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from bot.model import GameId

Action = Literal[
    "move", "sure", "done", "pick", "add", "drop", "page", "top",
    "join", "leave", "back", "fill", "thin", "start", "cut", "hand", "help", "watch", "rematch",
    "house", "rule", "check", "log",
    "rules", "set",
]  # fmt: skip
"""The actions of a player's menu, of a table, and of pages without a table."""

_ACTIONS: Mapping[str, Action] = {action: action for action in get_args(Action)}
_GAME = re.compile(r"[0-9a-f]{10}")
_FORM = re.compile(rf"({_GAME.pattern}):([0-9]{{1,6}}):([a-z]{{1,8}})(?::(.*))?", re.DOTALL)
_HASHED = "#"
_DIGITS = 6
_DIGEST = 10
"""Characters of a hash that stands for words too long for a button."""


@dataclass(frozen=True, slots=True)
class CallbackData:
    """The meaning of a button."""

    game: GameId
    stamp: int
    """The number of moves made when the button was offered."""
    action: Action
    words: str = ""

    def spelled(self, room: int) -> str:
        """The data of the button in at most ``room`` bytes; words that are too long become a hash."""
        head = f"{self.game}:{self.stamp}:{self.action}"
        if not self.words:
            return head
        whole = f"{head}:{self.words}"
        return whole if len(whole.encode()) <= room else f"{head}:{_HASHED}{digest(self.words)}"

    @classmethod
    def parse(cls, data: str) -> CallbackData | None:
        """The meaning of data that may be forged; None for nonsense."""
        form = _FORM.fullmatch(data)
        if form is None or (action := _ACTIONS.get(form[3])) is None:
            return None
        return cls(form[1], int(form[2]), action, form[4] or "")

    def meant(self, known: Iterable[str]) -> str | None:
        """The words of the button; a hash is looked up among known words."""
        if not self.words.startswith(_HASHED):
            return self.words
        return next((words for words in known if digest(words) == self.words[1:]), None)


def is_game(word: str) -> bool:
    """Whether a word may be the id of a table."""
    return bool(_GAME.fullmatch(word))


def parse_number(words: str) -> int | None:
    """The number in a text that may be forged; None for nonsense and for too many digits."""
    return int(words) if words.isdecimal() and len(words) <= _DIGITS else None


def digest(words: str) -> str:
    """The hash of words that are too long for a button."""
    whole = base64.urlsafe_b64encode(hashlib.sha256(words.encode()).digest())
    return whole[:_DIGEST].decode()
