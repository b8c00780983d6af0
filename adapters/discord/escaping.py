"""Makes text harmless on Discord: readers see it as it is, without markup, mentions, links or emoji in it."""

from __future__ import annotations

import re
from functools import lru_cache

_MARKUP = re.compile(
    r"""
    [\\*_~|`<>\[\]()\#]             # emphasis, code, quotes, headings; with < also mentions and times
    | ^(?=[-+]\ )                   # a list
    | :(?=//|[^\s:]+:)              # an address, or the short name of an emoji
    | \.(?=\w+/)                    # an invitation, which needs no https://
    """,
    re.VERBOSE | re.MULTILINE,
)
"""Matches the places before which a backslash makes markup harmless."""
_EVERYBODY = re.compile(r"@(?=everyone|here)", re.IGNORECASE)
"""Matches the sign of a mention of all members."""
_FENCE = re.compile(r"`(?=``)")
"""Matches the first backtick of a code block's end."""
_JOINER = "\u2060"
"""A word joiner: invisible, without width, and no part of a name or an address."""


@lru_cache(1 << 10)
def escaped(text: str) -> str:
    """Text as Markdown that shows it; cached, since the panels of a table repeat sentences."""
    return _MARKUP.sub(r"\\\g<0>", _EVERYBODY.sub(f"@{_JOINER}", text))


def in_block(drawing: str) -> str:
    """A drawing as a code block; there only three backticks in a row have a meaning."""
    return "```\n" + _FENCE.sub(f"`{_JOINER}", drawing) + "\n```"
