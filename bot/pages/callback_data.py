"""Callback data: the table, the stamp, the action and the words of a button.

Buttons work after a restart, since their meaning is in their data and not in memory.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable, Mapping
from typing import get_args

from bot.model.ids import GameId
from bot.ports import Action, Key
from engines.values import Value

_ACTIONS: Mapping[str, Action] = {action: action for action in get_args(Action)}
_MOST_DIGITS = 6
"""The most digits of a number in callback data."""
_GAME = re.compile(r"[0-9a-f]{10}")
_FORM = re.compile(rf"({_GAME.pattern}):([0-9]{{1,{_MOST_DIGITS}}}):([a-z_]{{1,16}})(?::(.*))?", re.DOTALL)
"""Matches callback data: the table's id, the stamp, the action and perhaps words, with colons between."""
_HASHED = "#"
"""The sign before the hash that stands for words too long for a button."""
_DIGEST_LENGTH = 10
"""Characters of the hash after `_HASHED`."""


class CallbackData(Value):
    """The meaning of a button."""

    game: GameId
    stamp: int
    """The table's stamp when the button was sent."""
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
        """Parses data that may be forged; None if it is malformed."""
        form = _FORM.fullmatch(data)
        if form is None or (action := _ACTIONS.get(form[3])) is None:
            return None
        return cls(form[1], int(form[2]), action, form[4] or "")

    @property
    def is_hashed(self) -> bool:
        """Whether the words were too long for the button, which has their hash instead."""
        return self.words.startswith(_HASHED)

    def meant(self, known: Iterable[str]) -> str | None:
        """The words of the button; a hash is looked up among known words, and is None if it matches none."""
        if not self.is_hashed:
            return self.words
        return next((words for words in known if digest(words) == self.words[1:]), None)


def data_of(key: Key, room: int) -> str:
    """The callback data of a key in at most ``room`` bytes; empty for a key without an action."""
    return CallbackData(key.game, key.stamp, key.action, key.words).spelled(room) if key.action else ""


def is_game(word: str) -> bool:
    """Whether a word may be the id of a table."""
    return bool(_GAME.fullmatch(word))


def parse_number(words: str) -> int | None:
    """Parses a number that may be forged; None if it is malformed or has more than `_MOST_DIGITS` digits."""
    return int(words) if words.isdecimal() and len(words) <= _MOST_DIGITS else None


def digest(words: str) -> str:
    """The hash of words that are too long for a button."""
    whole = base64.urlsafe_b64encode(hashlib.sha256(words.encode()).digest())
    return whole[:_DIGEST_LENGTH].decode()
