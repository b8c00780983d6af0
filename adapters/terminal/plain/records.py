"""Finished games line by line: a replay step by step, a leaderboard, a profile, the last games.

Imports what these need only when a player asks for one of them, so that the program starts faster.
"""

from __future__ import annotations

from collections.abc import Callable

from adapters.shared.rendering.wrapping import reflowed
from adapters.terminal.plain.printer import WIDTH, Printer
from adapters.terminal.saved_games.store import WriteBehindStore
from adapters.terminal.session import Session
from adapters.terminal.typed_lines import RecordsWord
from bot.model.tables import Refused


class PlainRecords:
    """Prints what the players of a session ask about finished games."""

    def __init__(
        self,
        session: Session,
        store: WriteBehindStore | None,
        printer: Printer,
        read: Callable[[], str],
    ) -> None:
        self._session = session
        self._store = store
        self._printer = printer
        self._read = read

    async def replay(self) -> None:
        """Shows again, step by step, the game that has just ended."""
        from adapters.terminal.plain.replay import replay_plainly
        from bot.replays.export import game_file
        from bot.replays.films import film

        file = game_file(await self._session.service.whole(self._session.table.id))
        replay_plainly(film(file), self._session.say, self._read)

    async def show(self, word: RecordsWord, argument: str) -> None:
        """Prints a leaderboard, a profile or the last games, or shows a finished game again step by step."""
        from adapters.terminal.plain.replay import replay_plainly
        from adapters.terminal.saved_games.records import film_of, record_lines

        say = self._session.say
        try:
            if word == "replay" and argument:
                replay_plainly(await film_of(self._store, argument), say, self._read)
            else:
                for line in await record_lines(self._store, word, argument, say, WIDTH):
                    print("\n".join(reflowed(line, WIDTH)))
        except Refused as refused:
            self._printer.texts(refused.reason)
        self._printer.forget_menu()
