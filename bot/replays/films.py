"""Finished games as films: every position of a game, kept in memory while people step through it."""

from __future__ import annotations

import asyncio
from collections.abc import Collection

from bot.model.ids import GameId, PersonId
from bot.recent import Recent
from bot.replays.export import game_file
from bot.replays.frames import Frame, NotPlayable, frames
from bot.replays.game_file import GameFile
from bot.table_service.service import TableService
from engines.values import Value

_KEPT = 32
"""The most films in memory; one of 150 moves takes about 100 kB."""
_AT_ONCE = 16
"""The steps that are played before other tasks may run."""


class Film(Value):
    """A finished game, with its position after each step."""

    file: GameFile
    frames: tuple[Frame, ...]
    """Empty if the game was never dealt, or cannot be played by today's rules."""

    @property
    def last(self) -> int:
        """The number of the last frame; -1 without frames."""
        return len(self.frames) - 1


def film(file: GameFile) -> Film:
    """The film of a file; without frames if its cards cannot be dealt, as after a change of the rules.

    Raises `NotPlayable` for a forged file with a step that the rules do not allow.
    """
    try:
        return Film(file, tuple(frames(file)))
    except NotPlayable as refused:
        if refused.n:
            raise
        return Film(file, ())


class Films:
    """The films of finished tables."""

    def __init__(self, service: TableService) -> None:
        self._service = service
        self._films: Recent[tuple[GameId, frozenset[PersonId], int], Film] = Recent(_KEPT)

    async def film(self, game: GameId, hidden: Collection[PersonId]) -> Film:
        """The film of a finished table, in which ``hidden`` people have no names.

        Raises `Refused` for a table that is not over, whose cards are secret, or that cannot be read.
        """
        table = await self._service.table(game)
        table.must_be_over()
        # Forgetting a person adds an entry, so that a film with their name is not found again.
        key = (game, frozenset(hidden), len(table.entries))
        if (known := self._films.get(key)) is None:
            known = await self._made(game, hidden)
            self._films.put(key, known)
        return known

    async def _made(self, game: GameId, hidden: Collection[PersonId]) -> Film:
        file = game_file(await self._service.whole(game), hidden)
        shown = list[Frame]()
        try:
            for frame in frames(file):
                shown.append(frame)
                if not frame.n % _AT_ONCE:
                    await asyncio.sleep(0)
        except NotPlayable:
            # An update has changed the rules, since the bot's own files are not forged.
            return Film(file, ())
        return Film(file, tuple(shown))
