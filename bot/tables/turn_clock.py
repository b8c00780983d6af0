"""The arithmetic of clocks: how long a turn lasts, when its player gets alerts, when a table is idle."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from bot.model.leases import Outage
from bot.model.tables import Status
from engines.game import Seat
from engines.values import Value, replace

SHORTEST_TURN, LONGEST_TURN = 15, 300
"""The fewest and the most seconds of a turn with a live clock."""
DAY = 86_400
"""Seconds of a day, in which correspondence clocks are counted."""
MOST_DAYS = 7
"""The most days of a turn with a correspondence clock; the fewest is one."""
FIRST_TURN_FACTOR = 2
"""The first turn of each seat under a live clock lasts this many times as long as its others."""

ALERT_AFTER = 20.0
"""Seconds from the beginning of a turn until the first alert to its player; a third of the turn if less."""
LAST_ALERT_LEFT = 1 / 8
"""The part of a correspondence turn that is left when its player gets the last turn alert."""

GRACE = 150.0
"""Seconds for which a player with a live clock may be away before they lose their seat."""
CORRESPONDENCE_GRACE = float(DAY)
"""Seconds for which a player with a correspondence clock may be away before they lose their seat."""

OLDEST_LOBBY = 12
"""A lobby is closed this many times its idle time after it was opened, even if people keep coming to it."""

FORCED_AFTER = 2.0
"""Seconds after the last entry until a player's only possible move is played for them, if they want that."""

_MOST_UNFOLDED = 100
"""The most turns in a row that wait to be folded; if there are more, they are folded at once."""


def is_allowed(seconds: int) -> bool:
    """Whether a turn may have so many seconds; 0 is no clock."""
    days, remainder = divmod(seconds, DAY)
    return (
        not seconds or SHORTEST_TURN <= seconds <= LONGEST_TURN or (not remainder and 1 <= days <= MOST_DAYS)
    )


def is_correspondence(seconds: float) -> bool:
    """Whether a clock of so many seconds a turn is one of days."""
    return seconds >= DAY


def grace(seconds: float) -> float:
    """Seconds for which a player may be away, at a table with so many seconds a turn."""
    return CORRESPONDENCE_GRACE if is_correspondence(seconds) else GRACE


def alert_times(began: float, seconds: float) -> tuple[float, ...]:
    """The times of turn alerts in a turn of so many seconds (0: no clock) that began at a time."""
    if not seconds:
        return (began + ALERT_AFTER,)
    first = began + min(ALERT_AFTER, seconds / 3)
    if not is_correspondence(seconds):
        return (first,)
    return (first, began + seconds / 2, began + seconds * (1 - LAST_ALERT_LEFT))


def missed(outages: Iterable[Outage], since: float, until: float) -> float:
    """The seconds between two times in which no process ran."""
    return sum(max(min(outage.ended, until) - max(outage.began, since), 0.0) for outage in outages)


class Idle(Value):
    """Seconds without an entry after which a table is closed."""

    lobby: float = 1800.0
    """Before the deal."""
    live: float = 7200.0
    """In a game with a live clock."""
    unclocked: float = 3.0 * DAY
    """In a game without a clock."""
    correspondence: float = 8.0 * DAY
    """In a game with a correspondence clock."""

    def after(self, status: Status, seconds: float) -> float:
        """The seconds for a table of this status, with so many seconds a turn."""
        if status == "lobby":
            return self.lobby
        if not seconds:
            return self.unclocked
        return self.correspondence if is_correspondence(seconds) else self.live


class SeatClock(Value):
    """The clock of a seat that the game waits for."""

    began: float
    """Since when the game has waited for the seat, in seconds since 1970."""
    credit: float = 0.0
    """Seconds by which the deadline was put off."""
    held: float = 0.0
    """The part of the credit that was given for quiet hours."""
    counted: float = 0.0
    """Outages before this time have been credited, or need no credit."""

    @classmethod
    def at(cls, time: float) -> SeatClock:
        """A clock that begins at a time."""
        return cls(time, counted=time)


class Turn:
    """The clocks of the seats for which the game waits, as far as the public knows.

    Each entry that may start or stop a clock makes a new turn, which refers to the one before. Turns are
    folded into clocks only when these are asked for, so that a replay needs no public view of each state.
    """

    __slots__ = (
        "_at", "_before", "_clocks", "_credited", "_quiet", "_restarts", "_seconds", "_state", "depth",
    )  # fmt: skip

    def __init__(
        self,
        at: float,
        state: Any,
        before: Turn | None = None,
        *,
        restarts: Seat | None = None,
        seconds: float = 0.0,
        credited: Seat | None = None,
        quiet: bool = False,
    ) -> None:
        """The turn after an entry: ``at`` is the time of the entry, ``state`` the state after it.

        Without the turn ``before``, all clocks begin; the clock of the seat ``restarts`` begins in any case.
        ``seconds`` are credited to the seat ``credited``, or to all for None; ``quiet`` is whether they are
        for quiet hours.
        """
        self._at = at
        self._state = state
        self._before = before
        self._restarts = restarts
        self._seconds = seconds
        self._credited = credited
        self._quiet = quiet
        self._clocks: Mapping[Seat, SeatClock] | None = None
        self.depth: int = before.depth + 1 if before else 1
        """The number of turns, with this one, that are not folded yet."""

    def clocks(self, must: Callable[[Any], tuple[Seat, ...]]) -> Mapping[Seat, SeatClock]:
        """The clock of each seat for which the game waits; ``must`` gives these seats for a state."""
        unfolded: list[Turn] = []
        turn: Turn | None = self
        while turn and turn._clocks is None:
            unfolded.append(turn)
            turn = turn._before
        clocks: Mapping[Seat, SeatClock] = (turn._clocks or {}) if turn else {}
        for turn in reversed(unfolded):
            clocks = turn._clocks = turn._after(clocks, must(turn._state))
            turn._before = turn._state = None
            turn.depth = 0
        return clocks

    def _after(self, before: Mapping[Seat, SeatClock], must: tuple[Seat, ...]) -> Mapping[Seat, SeatClock]:
        """The clocks after the entry, from those before it and the seats that the game waits for now."""
        clocks = {seat: before.get(seat) or SeatClock.at(self._at) for seat in must}
        if self._restarts in clocks:
            clocks[self._restarts] = SeatClock.at(self._at)
        if self._seconds:
            for seat, clock in clocks.items():
                if self._credited in (None, seat):
                    held = clock.held + (self._seconds if self._quiet else 0.0)
                    credit = clock.credit + self._seconds
                    clocks[seat] = replace(clock, credit=credit, held=held, counted=self._at)
        return clocks

    @property
    def is_deep(self) -> bool:
        """Whether more than `_MOST_UNFOLDED` turns in a row wait to be folded."""
        return self.depth > _MOST_UNFOLDED
