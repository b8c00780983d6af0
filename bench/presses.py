"""Chooses the presses that the benchmarks of the platforms measure, and checks that each makes its move."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from unittest import mock

from bot.inbox.moves.typed_moves import is_final
from bot.model.ids import PersonId
from bot.pages.callback_data import CallbackData
from bot.table_service.service import TableService
from bot.tables.log.commitment import CommittedSeed
from bot.tables.table import Table


@contextmanager
def comparable_deals() -> Iterator[None]:
    """In the block deals follow from the server seed alone, not from the id and the house rules of a table.

    So two versions of the program deal the same cards, even if a game has another revision in one of them.
    """
    with mock.patch.object(CommittedSeed, "seed", lambda source, _: source.server_seed):
        yield


@dataclass(slots=True)
class Presses:
    """Random moves at one table after another, each as the button that makes it."""

    service: TableService
    begin: Callable[[], Awaitable[Table]]
    """Begins a game; called again when it is over."""
    rng: Random
    """The luck of the deals and of the moves: what is pressed follows from it."""
    _table: Table | None = field(default=None, init=False)
    """The table as it was when the last press was chosen."""
    _pressed: str = field(default="", init=False)
    """The words of the last move chosen."""

    async def choose(self) -> tuple[PersonId, CallbackData]:
        """A player whose turn it is, and a button with a move of theirs. Raises what `check` raises."""
        table = await self.check()
        if table is None or table.status == "over":
            luck = Random(self.rng.getrandbits(64))
            # `secrets` draws ids and server seeds from this function.
            with mock.patch("random._urandom", luck.randbytes):
                table = await self.begin()
        seat = table.active()[0]
        person = table.players[seat].person
        assert person
        words = self.rng.choice(sorted(map(str, table.game.moves(table.state, seat))))
        # A player who presses a move that cannot be undone would only be asked to confirm it.
        sure = is_final(table, person, words.split())
        self._table, self._pressed = table, words
        return person, CallbackData(table.id, table.stamp, "sure" if sure else "move", words)

    async def check(self) -> Table | None:
        """The table, None before the first game. Raises `RuntimeError` if the last press has made no move."""
        before = self._table
        if before is None:
            return None
        table = await self.service.table(before.id)
        if table.stamp == before.stamp:
            raise RuntimeError(f"the press of {self._pressed} has made no move")
        return table
