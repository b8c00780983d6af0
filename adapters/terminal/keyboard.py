"""The keyboard that players share: who sits at it next.

It judges by what everybody at the table may know, so that passing the keyboard tells no secret.
"""

from __future__ import annotations

from bot.tables.table import Table
from engines.game import Seat


def people_at(table: Table) -> tuple[Seat, ...]:
    """The seats of the players at this keyboard, which are all but the computers'."""
    return tuple(seat for seat, player in enumerate(table.players) if not player.is_computer)


class Keyboard:
    """Passes the keyboard of one table from player to player.

    Where it is public who is awaited, a player keeps the keyboard until they have acted, and then
    the others come first. Where it is secret, each player is asked once in turn, with something to
    decide or not.
    """

    def __init__(self) -> None:
        self._acted: list[Seat] = []
        """The seats that have acted, the latest last; those that never have come before them."""
        self._sitting: Seat | None = None
        self._called: Seat | None = None
        """A player who has asked for the keyboard, though the game does not wait for them."""
        self._asked: set[tuple[int, Seat]] = set()
        """The stamp of the table and the seat, for each player asked because of a secret."""
        self._declined: set[tuple[int, Seat]] = set()
        """The stamp of the table and the seat, for each player who could have acted and did not."""

    def player(self, table: Table) -> Seat | None:
        """The seat to be at the keyboard now; None while computers play."""
        if self.is_secret(table):
            return next(iter(self.unasked(table)), None)
        if self._called in self.optional(table):
            return self._called
        people = people_at(table)
        awaited = [seat for seat in table.awaited(None).must if seat in people]
        if self._sitting in awaited:
            return self._sitting
        return min(awaited, key=self._turn, default=None)

    def is_secret(self, table: Table) -> bool:
        """Whether the players must not learn from the asking which of them the game waits for."""
        return len(people_at(table)) > 1 and table.awaited(None).secret

    def unasked(self, table: Table) -> tuple[Seat, ...]:
        """The players still to be asked because of a secret."""
        people, stamp = people_at(table), table.stamp
        awaited = table.awaited(None).must
        return tuple(seat for seat in awaited if seat in people and (stamp, seat) not in self._asked)

    def optional(self, table: Table) -> tuple[Seat, ...]:
        """The players who may act though the game does not wait for them."""
        people, awaited = people_at(table), table.awaited(None)
        return () if awaited.secret else tuple(seat for seat in awaited.may if seat in people)

    def undecided(self, table: Table) -> tuple[Seat, ...]:
        """The players who may act, and have not declined to since the last move."""
        return tuple(seat for seat in self.optional(table) if (table.stamp, seat) not in self._declined)

    def sit_down(self, seat: Seat) -> None:
        """A player is at the keyboard, and keeps it until they have acted."""
        self._sitting = seat

    def call(self, seat: Seat) -> None:
        """Lets a player who may act have the keyboard."""
        self._called = seat

    def decline(self, table: Table, seat: Seat) -> None:
        """A player who may act lets the game go on."""
        self._declined.add((table.stamp, seat))
        self._called = None

    def ask(self, table: Table, seat: Seat) -> None:
        """A player was asked because of a secret."""
        self._asked.add((table.stamp, seat))

    def act(self, seat: Seat) -> None:
        """A player has made a move: the others come first now."""
        self._acted = [other for other in self._acted if other != seat] + [seat]
        self._sitting = None
        if self._called == seat:
            self._called = None

    def _turn(self, seat: Seat) -> int:
        return self._acted.index(seat) if seat in self._acted else -1
