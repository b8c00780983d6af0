"""Calls somebody whose turn it is, with a short message of its own; the one before is taken away.

The messages are kept in memory alone: after a restart a call stands a little longer.
"""

from __future__ import annotations

from collections.abc import Awaitable
from contextlib import suppress

from bot.model import GameId, PersonId
from bot.people import People
from bot.ports import Departed, Forbidden, Gone, Page, Platform, Unreachable
from bot.tables.table import Table
from engines.game import Name, Text


class TurnAlerts:
    """The calls of a house."""

    def __init__(self, people: People) -> None:
        self._people = people
        self._messages: dict[tuple[GameId, PersonId], str] = {}

    async def call(self, platform: Platform, table: Table, person: PersonId, *, by_name: bool) -> int | None:
        """Calls somebody if it is still their turn, alone or by name at the table's place.

        Returns how often it wrote to do so; None where they cannot be written to alone. Raises `Departed`.
        """
        waiting = table.waiting()
        mine = len(waiting) == 1 and table.players[waiting[0]].person == person
        known = await self._people.person(person)
        account = await self._people.account_of(person, platform.key)
        if not mine or not known.calls or account is None or table.players[waiting[0]].is_computer:
            return 0
        if by_name and (await self._people.room(table.place)).private:
            # Nobody else is there.
            return 0
        if by_name:
            say = await self._people.say_in(table.place, table)
            page = Page((say(Text("{who}, it is your turn.", who=Name(waiting[0]))),))
            return await self._anew(platform, table, person, platform.post(table.place, page, account))
        if not account.reachable:
            return None
        say = await self._people.say_to(person, table.place, table)
        page = Page((say(Text("Your turn: {game}, table {n}.", game=table.game.title, n=table.number)),))
        try:
            return await self._anew(platform, table, person, platform.whisper(account, page))
        except Departed:
            raise
        except Unreachable:
            await self._people.reached(account, False)
            return None

    def forget(self, game: GameId, person: PersonId) -> None:
        """Lets go of a call that nothing will replace."""
        self._messages.pop((game, person), None)

    async def _anew(self, platform: Platform, table: Table, person: PersonId, sending: Awaitable[str]) -> int:
        reader = (table.id, person)
        before, self._messages[reader] = self._messages.get(reader, ""), await sending
        if before:
            await take_away(platform, before)
        return 2 if before else 1


async def take_away(platform: Platform, message: str) -> None:
    """Deletes a message, if it is there and we may."""
    with suppress(Gone, Forbidden, Unreachable):
        await platform.delete(message)
