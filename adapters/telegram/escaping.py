"""Makes text harmless on Telegram: readers see it as it is, without markup, mentions or links in it.

Telegram makes links of names, tags, commands and addresses by itself, in HTML too, but not in ``<pre>``.
"""

from __future__ import annotations

import re
from functools import lru_cache
from html import escape

from adapters.telegram.commands import START
from bot.inbox.arguments.commands import COMMANDS
from bot.settings.choices import LANGUAGES

_OUR_COMMANDS = "|".join(
    sorted({START, *(command.called(language) for command in COMMANDS for language in LANGUAGES)})
)
_LINK_START = re.compile(
    rf"""
    [@\#](?=\w)                     # a user, a tag
    | \$(?=[A-Z])                   # a stock's symbol, such as $ABC
    | :(?=//)                       # an address
    | (?<=\w)\.(?=[^\W\d]{{2,}}|\d+\.\d+\.\d)   # a host, which is linked without https:// too
    | (?<![\w/<>])/(?=\w)(?!(?:{_OUR_COMMANDS})\b)      # a command of another bot; ours are meant to be links
    """,
    re.VERBOSE,
)
"""Matches the sign by which Telegram recognises what it links."""
_JOINER = "\u2060"
"""A word joiner: invisible, without width, and no part of a name or an address, so no link goes over it."""


@lru_cache(1 << 10)
def escaped(text: str) -> str:
    """Text as HTML that shows it; cached, since the panels of a table repeat sentences."""
    return escape(_LINK_START.sub(rf"\g<0>{_JOINER}", text), quote=False)


def in_block(drawing: str) -> str:
    """A drawing as HTML for ``<pre>``."""
    return escape(drawing, quote=False)
