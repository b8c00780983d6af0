"""The deadline of the turn that a page or a turn alert is about."""

from __future__ import annotations

from bot.i18n import Speech
from bot.ports import Deadline
from bot.tables.table import Table
from bot.tables.turn_clock import is_correspondence
from bot.times.local_time import day_and_time
from engines.game import Seat, Text


def deadline_of(table: Table, reader: Seat | None, say: Speech, now: float | None = None) -> Deadline | None:
    """The deadline that a page shows to its reader (None: the public); None if no clock runs.

    `Deadline.plain` names a day and a time for a correspondence clock. For a live clock it counts seconds:
    from the beginning of the turn, or from ``now``, if given, for a message that is never edited.
    """
    if (at := table.deadline(reader)) is None:
        return None
    ends = say(Text("Turn ends"))
    if is_correspondence(table.turn_seconds):
        return Deadline(ends, at, say(Text("on {when}", when=day_and_time(at, say.zone, say.locale))))
    if now is not None:
        return Deadline(ends, at, say(Text("in {n} s", n=max(0, round(at - now)))))
    deadlines = table.public_deadlines
    began = max([clock.began for seat, clock in table.clocks.items() if deadlines[seat] == at])
    return Deadline(ends, at, say(Text("after {n} s", n=round(at - began))))
