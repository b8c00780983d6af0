"""Decides which of the players who share a keyboard has it next.

The decision follows from public information only, so that passing the keyboard reveals no secret.
"""

from __future__ import annotations

from bot.settings.choices import ForcedMoves
from bot.tables.clocks import is_played_for
from bot.tables.table import Table
from engines.game import Move, Seat


def people_at(table: Table) -> tuple[Seat, ...]:
    """The seats of the human players, who all share this keyboard."""
    return tuple(seat for seat, player in enumerate(table.players) if not player.is_computer)


def forced_move(table: Table, chosen: ForcedMoves) -> tuple[Seat, Move] | None:
    """The only possible move of a player at this keyboard, if it is played for them; else None.

    While it is secret whom the game waits for, no move is played for anybody.
    """
    if table.status != "playing" or table.awaited(None).secret:
        return None
    if not is_played_for(chosen, table.game.forced_is_public):
        return None
    only = ((seat, table.only_move(seat)) for seat in table.required() if seat in people_at(table))
    return next(((seat, move) for seat, move in only if move), None)


class Keyboard:
    """Passes the keyboard of one table from player to player.

    If it is public whom the game waits for, a player keeps the keyboard until they have acted; then it goes
    to the awaited player whose last move is the oldest. While it is secret, all awaited players are asked,
    one after the other, even those with nothing to decide.
    """

    def __init__(self) -> None:
        self._acted: list[Seat] = []
        """The seats that have acted, the latest last; seats that have not acted get the keyboard first."""
        self._sitting: Seat | None = None
        """The player who has sat down at the keyboard and not acted yet."""
        self._passed_to: Seat | None = None
        """The player who asked for the keyboard to make an optional move."""
        self._asked: set[tuple[int, Seat]] = set()
        """The table's stamp when a player was asked, and the seat; only while it is secret who is awaited."""
        self._declined: set[tuple[int, Seat]] = set()
        """The table's stamp when a player declined an optional move, and the seat."""

    def player(self, table: Table) -> Seat | None:
        """The seat whose player should be at the keyboard now; None while computers play."""
        if self.is_secret(table):
            return next(iter(self.unasked(table)), None)
        if self._passed_to in self.optional(table):
            return self._passed_to
        people = people_at(table)
        awaited = [seat for seat in table.awaited(None).must if seat in people]
        if self._sitting in awaited:
            return self._sitting
        return min(awaited, key=self._last_act, default=None)

    def is_secret(self, table: Table) -> bool:
        """Whether several players share the keyboard and must not learn which of them has a decision."""
        return len(people_at(table)) > 1 and table.awaited(None).secret

    def unasked(self, table: Table) -> tuple[Seat, ...]:
        """The awaited players not asked at the present stamp, while it is secret who is awaited."""
        people, stamp = people_at(table), table.stamp
        awaited = table.awaited(None).must
        return tuple(seat for seat in awaited if seat in people and (stamp, seat) not in self._asked)

    def optional(self, table: Table) -> tuple[Seat, ...]:
        """The players who may act though the game does not wait for them."""
        people, awaited = people_at(table), table.awaited(None)
        return () if awaited.secret else tuple(seat for seat in awaited.may if seat in people)

    def undecided(self, table: Table) -> tuple[Seat, ...]:
        """The players who may make an optional move and have not declined it at the present stamp."""
        return tuple(seat for seat in self.optional(table) if (table.stamp, seat) not in self._declined)

    def sit_down(self, seat: Seat) -> None:
        """Gives the keyboard to a player, who keeps it until they have acted."""
        self._sitting = seat

    def pass_to(self, seat: Seat) -> None:
        """Gives the keyboard to a player who asked for it to make an optional move."""
        self._passed_to = seat

    def decline(self, table: Table, seat: Seat) -> None:
        """Notes that a player makes no optional move until another move or a take-back."""
        self._declined.add((table.stamp, seat))
        self._passed_to = None

    def ask(self, table: Table, seat: Seat) -> None:
        """Notes that a player was asked since the last move, while it is secret who is awaited."""
        self._asked.add((table.stamp, seat))

    def act(self, seat: Seat) -> None:
        """Notes a player's move; the other awaited players get the keyboard before this player."""
        self._acted = [other for other in self._acted if other != seat] + [seat]
        self._sitting = None
        if self._passed_to == seat:
            self._passed_to = None

    def _last_act(self, seat: Seat) -> int:
        return self._acted.index(seat) if seat in self._acted else -1
