"""Questions before an action that cannot be undone: the key of an old question asks again."""

from __future__ import annotations

from math import ceil

from bot.inbox.asked import Question
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


def confirms(context: Context, table: Table) -> bool:
    """Whether the sender's command follows a question about a table that still holds; if not, they are asked.

    A delivery that comes twice confirms nothing.
    """
    person = context.person.id
    question = context.asked.take(table.id, person)
    is_repeated = question and context.delivery and question.delivery == context.delivery
    if question and not is_repeated and still_holds(context, table, question.time):
        return True
    context.asked.put(table.id, person, Question(context.delivery, asked_now(context)))
    return False


def _time(asked: str) -> int:
    """The time in the words of a key, in seconds; 0 if they are forged."""
    return int(asked) if asked.isdecimal() and len(asked) <= _DIGITS else 0
