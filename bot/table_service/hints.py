"""Hints: the move that a hard computer would make in a player's place, and how often a player may ask.

A hint is built from the view of its seat alone. It is told only to its player, and is no entry of the log.
"""

from __future__ import annotations

from bot.model.ids import GameId
from bot.model.tables import Refused
from bot.recent import Recent
from bot.tables.table import Table
from bot.thinking.query import Query
from bot.thinking.thinker import Thinker
from engines.game import NOT_YOUR_TURN, Move, Seat, Text
from engines.values import Value

_HINTS_KEPT = 5000
"""The most seats whose last hints are kept in memory."""


class Hint(Value):
    """A move for a player, and why it is good."""

    stamp: int
    """The table's stamp when the hint was asked for."""
    move: Move
    reason: Text


class _LastHint(Value):
    """The last hint of a seat, and when it was asked for."""

    turn: int
    """The number of the turn, as `Game.turns` counts."""
    stamp: int
    hint: Hint | None = None
    """None until its move is chosen."""


class Hints:
    """Gives hints; where several people play, a seat gets a hint in only one position of each turn.

    Only the memory of this process keeps hints: after a restart, or from another process, a seat may get a
    second one in its turn.
    """

    def __init__(self, thinker: Thinker) -> None:
        self._thinker = thinker
        self._last_hints: Recent[tuple[GameId, Seat], _LastHint] = Recent(_HINTS_KEPT)

    async def hint(self, table: Table, seat: Seat) -> Hint:
        """The hint for a seat; the same again until a move is made or taken back. Raises `Refused`."""
        if not table.hints:
            raise Refused(Text("There are no hints at this table."))
        if seat not in table.active():
            raise Refused(NOT_YOUR_TURN)
        game, stamp, turn = table.game, table.stamp, table.game.turns(table.state)
        last = self._record_of(table, seat)
        if last.hint:
            return last.hint
        move = await self._choose(table, seat)
        hint = Hint(stamp, move, game.reason(table.view(seat), move))
        if self._last_hints.get((table.id, seat)) is last:
            # If not, another request has replaced the record meanwhile, or the record was dropped.
            self._last_hints.put((table.id, seat), _LastHint(turn, stamp, hint))
        return hint

    async def recall(self, table: Table, seat: Seat) -> Move:
        """The move of this position's hint, chosen anew if none is kept; does not use up the turn's hint."""
        last = self._last_hints.get((table.id, seat))
        if last and last.hint and last.stamp == table.stamp:
            return last.hint.move
        return await self._choose(table, seat)

    async def _choose(self, table: Table, seat: Seat) -> Move:
        """The move that a hard computer would make; in one position always the same."""
        game, luck = table.game, f"hint:{table.id}:{table.stamp}:{seat}"
        view, moves = table.view(seat), tuple(game.moves(table.state, seat))
        return await self._thinker.choose(Query(game.key, view, moves, "hard", luck))

    def _record_of(self, table: Table, seat: Seat) -> _LastHint:
        """The record of the hint for this position, made if there is none.

        Raises `Refused` if others play, and this turn has had a hint in another position.
        """
        turn, last = table.game.turns(table.state), self._last_hints.get((table.id, seat))
        if last and last.stamp == table.stamp:
            return last
        if last and last.turn == turn and _others_play(table, seat):
            raise Refused(Text("You've had your hint for this turn."))
        record = _LastHint(turn, table.stamp)
        self._last_hints.put((table.id, seat), record)
        return record


def _others_play(table: Table, seat: Seat) -> bool:
    """Whether other people play at the table, also those whose seats computers hold."""
    return any(
        not player.is_computer or (player.person is not None and not player.kicked)
        for other, player in enumerate(table.players)
        if other != seat
    )
