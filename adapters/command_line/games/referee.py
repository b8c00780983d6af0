"""Referees a game between programs: takes actions as JSON, yields states, hands and refusals as JSON objects.

Each game's ``PROTOCOL.md`` states their fields.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from bot.tables.log.table_state import AnyGame
from engines.actions import seat_of
from engines.game import IllegalMove, Say, Seat, Text


class Referee:
    """Keeps the state of one game, and has its rules check every action.

    An action's ``playerId`` is believed, since the programs share one input.
    """

    def __init__(self, game: AnyGame, seats: int, seed: bytes, options: Mapping[str, str], say: Say) -> None:
        self._game = game
        self._seats = seats
        self._say = say
        self._state = game.new(seats, seed, options)

    def messages(self) -> Iterator[dict[str, Any]]:
        """The public state, then each hand for its owner."""
        for reader in (None, *range(self._seats)):
            if message := self._game.message(self._game.view(self._state, reader)):
                yield message

    def apply(self, line: str) -> Iterator[dict[str, Any]]:
        """Yields the state and the hands after the action in a line of JSON, or a refusal.

        The action is applied once the first message is asked for.
        """
        try:
            action = json.loads(line)
        except (ValueError, RecursionError):
            action = None
        player = action.get("playerId") if isinstance(action, Mapping) else None
        sender = player if isinstance(player, str) else None
        try:
            _, self._state, _ = self._game.act(self._state, self._seat(sender), _checked_object(action))
        except IllegalMove as illegal:
            reason = self._say(illegal.reason)
            yield {"type": "refused", "playerId": sender, "code": illegal.code, "reason": reason}
        else:
            yield from self.messages()

    def _seat(self, sender: str | None) -> Seat:
        """The seat of an action's sender; 0 for an unknown sender, whom the game refuses in any seat."""
        return seat_of(sender or "", self._seats) or 0


def _checked_object(action: object) -> Mapping[str, Any]:
    """Returns an action that is a JSON object; refuses any other as ``unknown-action``."""
    if not isinstance(action, Mapping):
        raise IllegalMove("unknown-action", Text("That isn't a message. Send one JSON object per line."))
    return action
