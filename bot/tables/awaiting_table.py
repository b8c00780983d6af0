"""The players whom a table waits for, their deadlines, and when a process must attend to the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Self

from bot.model.leases import Outage
from bot.tables.log.table_log import TableLog
from bot.tables.turn_clock import (
    DAY,
    FIRST_TURN_FACTOR,
    FORCED_AFTER,
    OLDEST_LOBBY,
    SeatClock,
    alert_times,
    grace,
    is_correspondence,
    missed,
)
from engines.game import Awaited, Move, Seat, only_move

FROZEN_FOR = float(DAY)
"""The fewest seconds that a game stays open after all its players have gone, unless its idle time is less."""

COMPUTER_OVERDUE = 5.0
"""Seconds after the last entry from which another process plays for a computer whose process has died."""


@dataclass(slots=True)
class _Answers:
    """Values computed from a table's state, kept for many pages; a missing key is still unknown."""

    views: dict[Seat | None, Any] = field(default_factory=dict)
    awaited: dict[Seat | None, Awaited] = field(default_factory=dict)
    active: tuple[Seat, ...] | None = None
    """None while it is unknown."""
    moves: dict[Seat, tuple[Move, ...]] = field(default_factory=dict)
    only_moves: dict[Seat, Move | None] = field(default_factory=dict)
    """The answers of `AwaitingTable.only_move`, which depend on the state alone, not on who plays."""


@dataclass(frozen=True)
class AwaitingTable(TableLog):
    """A table that tells for whom it waits, and until when."""

    _answers: _Answers = field(default_factory=_Answers, init=False, repr=False, compare=False)

    def view(self, reader: Seat | None) -> Any:
        """The engine's view of a seat, or of the public for None; cached, since many pages need it."""
        views = self._answers.views
        if reader not in views:
            views[reader] = self.game.view(self.state, reader)
        return views[reader]

    def awaited(self, reader: Seat | None) -> Awaited:
        """The seats that must or may move, as far as a reader may know them; None is the public."""
        if not self.is_playing:
            return Awaited(())
        awaited = self._answers.awaited
        if reader not in awaited:
            awaited[reader] = self.game.awaited(self.view(reader))
        return awaited[reader]

    def active(self) -> tuple[Seat, ...]:
        """The seats that must or may move now; secret in some games, so pages must not list them."""
        if not self.is_playing:
            return ()
        answers = self._answers
        if answers.active is None:
            # A seat's own view shows whether it may move, and costs less than a list of its moves.
            own = enumerate(map(self.awaited, range(len(self.players))))
            answers.active = tuple(seat for seat, wanted in own if seat in wanted.must or seat in wanted.may)
        return answers.active

    def required(self) -> tuple[Seat, ...]:
        """The active seats that the game waits for; secret in some games, so pages must not list them."""
        return tuple(seat for seat in self.active() if seat in self.awaited(seat).must)

    def awaited_computers(self) -> tuple[Seat, ...]:
        """The seats of computer players that the game waits for; none while the table `is_frozen`."""
        computers = [seat for seat, player in enumerate(self.players) if player.is_computer]
        required = self.required() if computers and not self.is_frozen else ()
        return tuple(seat for seat in computers if seat in required)

    @property
    def forced(self) -> Mapping[Seat, Move]:
        """For each person who holds their seat and must move: the only move, where there is just one.

        Empty where it is secret who must move, and while the table `is_frozen` or a question is open.
        """
        if self.is_frozen or self.question:
            return {}
        held = {seat for seat, player in enumerate(self.players) if player.person and not player.is_computer}
        if not held or self.awaited(None).secret:
            return {}
        awaited = [seat for seat in self.required() if seat in held]
        return {seat: move for seat in awaited if (move := self.only_move(seat))}

    def only_move(self, seat: Seat) -> Move | None:
        """The only legal move of a seat; None if it has none or several."""
        known = self._answers.only_moves
        if seat not in known:
            known[seat] = only_move(self.game, self.state, seat, self.moves(seat))
        return known[seat]

    def moves(self, seat: Seat) -> tuple[Move, ...]:
        """The engine's moves of a seat; cached, since the listing and the seat's page need them."""
        moves = self._answers.moves
        if seat not in moves:
            moves[seat] = tuple(self.game.moves(self.state, seat))
        return moves[seat]

    def publicly_awaited(self, state: Any) -> tuple[Seat, ...]:
        """As in `TableSeats`; for the current state from the cache."""
        return self.awaited(None).must if state is self.state else super().publicly_awaited(state)

    def _is_secret(self) -> bool:
        return self.awaited(None).secret

    @cached_property
    def clocks(self) -> Mapping[Seat, SeatClock]:
        """The clocks of the people who hold the seats for which the game waits, as far as the public knows.

        A table without a clock has them too: they tell since when the game has waited. None run while it
        `is_frozen`.
        """
        if self.turn is None or not self.is_playing or self.is_frozen:
            return {}
        clocks = self.turn.clocks(self.publicly_awaited)
        return {seat: clock for seat, clock in clocks.items() if not self.players[seat].is_computer}

    @property
    def turn_began(self) -> Mapping[Seat, float]:
        """Since when the public knows that the game waits for each person who holds their seat."""
        return {seat: clock.began for seat, clock in self.clocks.items()}

    def seconds_of(self, seat: Seat) -> int:
        """The seconds of a seat's current turn without credits, or of its next one; 0 without a clock.

        While it is secret who must move, all seats have the same.
        """
        if not self.turn_seconds or is_correspondence(self.turn_seconds):
            return self.turn_seconds
        first, turns = self.first_turns, self.game.turns(self.state)
        # A seat that has not moved yet under the clock is in its first turn.
        known = first.values() if self.awaited(None).secret else (first.get(seat, turns),)
        return self.turn_seconds * (FIRST_TURN_FACTOR if all(number == turns for number in known) else 1)

    @cached_property
    def public_deadlines(self) -> Mapping[Seat, float]:
        """The deadlines of the people whom the public knows to be awaited; empty without a clock."""
        if not self.turn_seconds:
            return {}
        clocks = self.clocks
        return {seat: clock.began + self.seconds_of(seat) + clock.credit for seat, clock in clocks.items()}

    @property
    def deadlines(self) -> Mapping[Seat, float]:
        """The deadlines of the people for whom the game waits; secret in some games, so not for pages.

        Only a seat that must move can run out of time: the clock has moves for no other.
        """
        return {seat: at for seat, at in self.public_deadlines.items() if seat in self.awaited(seat).must}

    def deadline(self, reader: Seat | None) -> float | None:
        """The deadline that a page shows to its reader (None: the public); None if there is none.

        That is the reader's own if the game waits for them, else the earliest.
        """
        deadlines = self.public_deadlines
        if reader in deadlines and reader in self.awaited(reader).must:
            return deadlines[reader]
        return min(deadlines.values(), default=None)

    @cached_property
    def alert_times(self) -> Mapping[Seat, tuple[float, ...]]:
        """The times at which each player whose turn it is gets a turn alert.

        Empty where it is secret whose turn it is, and, without a clock, for a person among computers only.
        A credit changes nothing, so that no alert is due twice.
        """
        if not (clocks := self.clocks) or self.awaited(None).secret:
            return {}
        people = sum(bool(player.person) and not player.is_computer for player in self.players)
        if people < 2 and not self.turn_seconds:
            return {}
        return {seat: alert_times(clock.began, self.seconds_of(seat)) for seat, clock in clocks.items()}

    @property
    def grace_ends(self) -> Mapping[Seat, float]:
        """When each player who is away loses their seat if no outage delays it; none while `is_frozen`."""
        if not self.is_playing or self.is_frozen:
            return {}
        return {seat: since + grace(self.turn_seconds) for seat, since in self.away.items()}

    @property
    def due(self) -> float | None:
        """The time from which a process must attend to the table without a press; None if it is over."""
        if self.status == "over":
            return None
        # Without a clock, and on turns of days, a player's preferences may have put off an alert, to a time
        # not known here.
        is_slow = not self.turn_seconds or is_correspondence(self.turn_seconds)
        is_put_off = is_slow and any(alerts[0] <= self.changed for alerts in self.alert_times.values())
        times = self._due_times() + self._alert_times_after(self.changed)
        times += [self.changed + FORCED_AFTER] if self.forced else []
        return min([*times, self.changed] if is_put_off else times)

    def next_due(self, soon: float, outages: Sequence[Outage] = ()) -> float | None:
        """The time from which a table that was just attended to is due again; None if it is over.

        Only a turn alert and a player's only move may be due before ``soon``. Sent alerts are not due again,
        nor is an only move that was not played for its player.
        """
        if self.status == "over":
            return None
        not_sooner = (max(at, soon) for at in self._due_times(outages))
        forced_at = self.changed + FORCED_AFTER
        times = [*not_sooner, *self._alert_times_after(self.now)]
        if forced_at > self.now and self.forced:
            times.append(forced_at)
        return min(times)

    @property
    def idle_end(self) -> float:
        """The time at which the table is closed if nobody does anything and no outage delays it.

        A frozen game is idle since its players' last action, but see `FROZEN_FOR`; a lobby is closed at most
        `OLDEST_LOBBY` idle times after its opening, even if players come and go.
        """
        after = self.idle.after(self.status, self.turn_seconds)
        if self.status == "lobby":
            return min(self.changed + after, self.opened + OLDEST_LOBBY * after)
        if not self.is_frozen:
            return self.changed + after
        return max(
            max(self.acted_at.values(), default=self.dealt) + after, self.changed + min(after, FROZEN_FOR)
        )

    def _due_times(self, outages: Sequence[Outage] = ()) -> list[float]:
        """The times from which something is due at an open table, besides turn alerts and only moves."""
        times = [self.idle_end + missed(outages, self.changed, self.now)]
        if self.is_playing and not self.is_frozen:
            if self.awaited_computers():
                times.append(self.changed + COMPUTER_OVERDUE)
            times += self.deadlines.values()
            for seat, end in self.grace_ends.items():
                times.append(end + missed(outages, self.away[seat], self.now))
        if self.question:
            times.append(self.question.lapses)
        return times

    def _alert_times_after(self, time: float) -> list[float]:
        """The times of turn alerts after a time."""
        return [at for alerts in self.alert_times.values() for at in alerts if at > time]

    def without_answers(self) -> Self:
        """The table without the answers that it can compute again."""
        table = super()._with()
        table.__dict__["_answers"] = _Answers()
        return table

    def _with(self, **changes: Any) -> Self:
        """As in `TableState`; drops the cached answers if the changes can affect them."""
        table = super()._with(**changes)
        if "state" in changes or "started" in changes or "ended" in changes:
            table.__dict__["_answers"] = _Answers()
        return table
