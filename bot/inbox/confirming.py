"""Asks senders to confirm an action that cannot be undone; the button of an old request asks again."""

from __future__ import annotations

from math import ceil

from bot.inbox.context import Context
from bot.inbox.pending_confirmations import Confirmation
from bot.tables.table import Table
from engines.game import Text

HOLDS = 300.0
"""Seconds for which a request to confirm holds."""
OLD_QUESTION = Text("That question is old, so I'm asking again.")
"""Stands before a request that is sent again."""
_MOST_DIGITS = 12
"""The most digits of a time in a button's words."""


def asked_now(context: Context) -> str:
    """The time of a request that is sent now, for the words of its button, in seconds.

    It is rounded up, since it would otherwise be before an action of the same second.
    """
    return str(ceil(context.service.clock.now()))


def is_recent(context: Context, asked_at: str) -> bool:
    """Whether a time of a request, which may be forged, is at most `HOLDS` seconds from now."""
    now, time = context.service.clock.now(), _time(asked_at)
    return now - HOLDS <= time <= now + HOLDS


def still_holds(context: Context, table: Table, asked_at: str) -> bool:
    """Whether a request to the sender with this time, which may be forged, still holds.

    It holds for at most `HOLDS` seconds, and only until the cards are dealt or the sender does something else
    at the table.
    """
    now, time = context.service.clock.now(), _time(asked_at)
    since = max(table.dealt, table.acted(context.person.id) or 0.0, now - HOLDS)
    return since <= time <= now + HOLDS


def confirms(context: Context, command: str, table: Table) -> bool:
    """Whether the sender's command, sent again, confirms a request about a table that still holds.

    If not, a new request is remembered. A delivery that comes twice confirms nothing.
    """
    person = context.person.id
    pending = context.confirmations.take(command, table.id, person)
    is_repeated = pending and context.delivery and pending.delivery == context.delivery
    if pending and not is_repeated and still_holds(context, table, pending.time):
        return True
    context.confirmations.put(command, table.id, person, Confirmation(context.delivery, asked_now(context)))
    return False


def _time(asked_at: str) -> int:
    """The time in the words of a button, in seconds; 0 for words that are no number, or too long a one."""
    return int(asked_at) if asked_at.isdecimal() and len(asked_at) <= _MOST_DIGITS else 0
