"""Questions before an action that cannot be undone: the key of an old question asks again."""

from __future__ import annotations

from math import ceil

from bot.inbox.context import Context
from bot.tables.table import Table
from engines.game import Text

HOLDS = 300.0
"""Seconds after a question in which its key counts."""
OLD = Text("That question is old, so I'm asking again.")
"""Stands before a question that is asked again."""
_DIGITS = 12


def asked_now(context: Context) -> str:
    """The time of a question, for the words of its key: in seconds, rounded up."""
    return str(ceil(context.service.clock.now()))


def is_recent(context: Context, asked: str) -> bool:
    """Whether a question of a time, which may be forged, was asked in the last minutes."""
    now, time = context.service.clock.now(), _time(asked)
    return now - HOLDS <= time <= now + HOLDS


def still_holds(context: Context, table: Table, asked: str) -> bool:
    """Whether a question that the sender was asked at a time, which may be forged, still holds.

    It holds for some minutes, until the cards are dealt or the sender does something else at the table.
    """
    now, time = context.service.clock.now(), _time(asked)
    since = max(table.dealt, table.acted(context.person.id) or 0.0, now - HOLDS)
    return since <= time <= now + HOLDS


def _time(asked: str) -> int:
    """The time in the words of a key, in seconds; 0 if they are forged."""
    return int(asked) if asked.isdecimal() and len(asked) <= _DIGITS else 0
