"""The shards that a process serves: the connections among which Discord divides a bot's servers."""

from __future__ import annotations

import re

from adapters.shared.platform_settings import InvalidSetting
from engines.game import Text
from engines.values import Value

_SHARDS = re.compile(r"(\d{1,5})(?:-(\d{1,5}))?/(\d{1,5})")
"""Matches shards as the setting writes them: the first, perhaps the last, and how many the bot has."""


class Shards(Value):
    """The shards of a process, from ``first`` to ``last``; the bot has ``count``, numbered from 0."""

    first: int
    last: int
    count: int

    @classmethod
    def parse(cls, words: str) -> Shards:
        """Parses words such as ``0-3/8`` or ``4/8``; raises `InvalidSetting`."""
        if not (found := _SHARDS.fullmatch(words.strip())):
            raise InvalidSetting(Text("shards are written like 0-3/8"))
        first, last, count = (int(number) for number in (found[1], found[2] or found[1], found[3]))
        if not first <= last < count:
            raise InvalidSetting(Text("of 8 shards the first is 0 and the last is 7"))
        return cls(first, last, count)

    @property
    def ids(self) -> list[int]:
        return list(range(self.first, self.last + 1))
