"""Sets clocks, and carries out what is due: ends turns, gives up seats, closes idle tables.

The keeper of a table's chat applies `attend` to the table; no timer is kept in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from bot.model.ids import PersonId
from bot.model.leases import Outage
from bot.model.tables import Refused, Vanish
from bot.settings.choices import ForcedMoves
from bot.tables.lobby import give_up_seat, must_be_lobby, must_own
from bot.tables.names.parsing import CLOCK_LIMITS
from bot.tables.questions import lapse
from bot.tables.table import Table
from bot.tables.turn_clock import DAY, FORCED_AFTER, is_allowed, missed
from bot.tables.versions import close_outdated
from bot.times.local_time import QuietUntil
from engines.game import Seat


def no_quiet_hours(person: PersonId, at: float) -> float | None:
    """A `QuietUntil` for people without quiet hours."""
    return None


PlaysForced = Callable[[PersonId, bool], bool]
"""Called as (person, public): whether the person's only possible move is played for them, as `is_played_for`
tells.
"""


def is_played_for(chosen: ForcedMoves, public: bool) -> bool:
    """Whether the only possible move of a player with the preference ``chosen`` is played for them.

    ``public`` is whether all players can tell that the move is the only one.
    """
    return chosen == "always" or (chosen == "open" and public)


def no_forced_moves(person: PersonId, public: bool) -> bool:
    """The choice of people who press their only possible moves themselves."""
    return False


def attend(
    table: Table,
    outages: Iterable[Outage] = (),
    quiet_until: QuietUntil = no_quiet_hours,
    plays_forced: PlaysForced = no_forced_moves,
) -> Table:
    """The table after everything that is due at `Table.now`; closed if its rules are outdated."""
    outages = tuple(outages)
    table = close_outdated(table)
    if table.status == "over":
        return table
    if table.now >= table.idle_end + missed(outages, table.changed, table.now):
        return table.add("end", reason="forgotten")
    table = lapse(table)
    while late := [seat for seat, at in table.deadlines.items() if at <= table.now]:
        table = _run_out(table, late[0], outages, quiet_until)
    return play_forced(_without_the_gone(table, outages), plays_forced)


def play_forced(table: Table, plays_forced: PlaysForced) -> Table:
    """The table after one player's only possible move, if they want it played and `FORCED_AFTER` is over."""
    if table.now < table.changed + FORCED_AFTER:
        return table
    for seat, move in table.forced.items():
        if plays_forced(table.players[seat].person or "", table.game.forced_is_public):
            return table.play_forced(seat, move)
    return table


def show_presence(table: Table, person: PersonId) -> Table:
    """The table after a player who was away has shown presence; unchanged for a person who was not away."""
    seat = table.seat_of(person)
    is_away = seat in table.away and table.is_playing
    return table.add("back", seat, person=person) if is_away else table


def set_clock(table: Table, person: PersonId, seconds: int | None, vanish: Vanish) -> Table:
    """The lobby with the clock and the `Vanish` that its owner has chosen.

    For None seconds, `Table.start` chooses the clock. Raises `Refused`.
    """
    must_be_lobby(table)
    must_own(table, person)
    if seconds is not None and not is_allowed(seconds):
        raise Refused(CLOCK_LIMITS)
    if (seconds, vanish) == (table.clock, table.vanish):
        return table
    return table.add("option", person=person, clock=seconds, vanish=vanish)


def _run_out(table: Table, seat: Seat, outages: Iterable[Outage], quiet_until: QuietUntil) -> Table:
    """The table after a seat's clock has run out: put off by a credit, or else with the seat's time-out.

    A credit is owed for outages, and for the quiet hours in which the deadline falls. While it is
    secret who must move, a credit is for all seats, so that it tells nothing.
    """
    clock, deadline = table.clocks[seat], table.deadlines[seat]
    secret = table.awaited(None).secret
    credited = None if secret else seat
    if missed_seconds := missed(outages, clock.counted, table.now):
        return table.add("credit", credited, seconds=missed_seconds)
    # A player who changes their quiet hours again and again must not put the deadline off for ever.
    if clock.held < DAY:
        sleepers = [table.players[awaited].person for awaited in (table.clocks if secret else (seat,))]
        ends = [end for person in sleepers if person and (end := quiet_until(person, deadline)) is not None]
        if (end := max(ends, default=deadline)) > deadline:
            return table.add("credit", credited, seconds=end - deadline, quiet=True)
    return table.time_out(seat, late=True)


def _without_the_gone(table: Table, outages: Iterable[Outage]) -> Table:
    """The table after the seats of players who have been away for too long are given up."""
    for seat, since in sorted(table.away.items()):
        end = table.grace_ends.get(seat)
        if end is not None and table.now >= end + missed(outages, since, table.now):
            table = give_up_seat(table, seat)
    return table
