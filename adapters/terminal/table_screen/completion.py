"""Completion on the command line of a table."""

from __future__ import annotations

from collections.abc import Callable

from textual.suggester import Suggester

from adapters.terminal.session import Session
from bot.pages.menus.move_reading import completions
from engines.game import Seat


class Completion(Suggester):
    """Suggests how the typed beginning of a line could go on, from the legal moves of the ``reader``."""

    def __init__(self, session: Session, reader: Callable[[], Seat | None]) -> None:
        super().__init__(use_cache=False, case_sensitive=True)
        self._session = session
        self._reader = reader

    async def get_suggestion(self, value: str) -> str | None:
        session, seat = self._session, self._reader()
        if seat is None or session.table.result:
            return None
        for line in completions(session.game, session.table.state, seat, value, session.say):
            if line.casefold().startswith(value.casefold()):
                return value + line[len(value) :]
        return None
