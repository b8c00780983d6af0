"""Referees a game over JSON lines: reads actions, writes the rule books' states, hands and refusals."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from bot.tables.table_state import AnyGame
from engines.actions import player_id
from engines.game import IllegalMove, Say, Seat, Text


class Referee:
    """Checks and applies the messages of a game's players, none of whom it trusts."""

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

    def hear(self, line: str) -> Iterator[dict[str, Any]]:
        """Applies the action in a line of JSON; yields the new state and the hands, or a refusal."""
        try:
            action = json.loads(line)
        except (ValueError, RecursionError):
            action = None
        player = action.get("playerId") if isinstance(action, Mapping) else None
        sender = player if isinstance(player, str) else None
        try:
            _, self._state, _ = self._game.act(self._state, self._seat(sender), _readable(action))
        except IllegalMove as illegal:
            reason = self._say(illegal.reason)
            yield {"type": "refused", "playerId": sender, "code": illegal.code, "reason": reason}
        else:
            yield from self.messages()

    def _seat(self, sender: str | None) -> Seat:
        """The seat of a message's sender; 0 for an unknown sender, whose message the game refuses anyway."""
        ids = [player_id(seat) for seat in range(self._seats)]
        name = str(sender).casefold()
        return ids.index(name) if name in ids else 0


def _readable(action: object) -> Mapping[str, Any]:
    """Returns an action that is a JSON object; refuses any other as ``unknown-action``, as rule books do."""
    if not isinstance(action, Mapping):
        raise IllegalMove("unknown-action", Text("That isn't a message. Send one JSON object per line."))
    return action
