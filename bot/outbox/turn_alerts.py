"""Turn alerts: short messages to players who seem not to notice that it is their turn.

The ids of the messages are kept in memory only: an alert from before a restart is not deleted.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable
from contextlib import suppress

from bot.errors import reason
from bot.model import Alert, GameId, PersonId, Refused
from bot.outbox.once import once
from bot.people import People
from bot.ports import Departed, Forbidden, Gone, Page, Platform, Unreachable
from bot.recent import Recent
from bot.tables.lobby import leave
from bot.tables.service import TableService
from bot.tables.table import Table
from engines.game import Name, Seat, Text

log = logging.getLogger(__name__)

IDLE_AFTER = 60.0
"""Seconds without an action after which a player is idle, and is reminded when their turn begins.

If an idle player has left the platform, a computer takes the seat.
"""

_KEPT = 10_000
"""The most alerts whose messages are known, to be deleted when another replaces them."""


class TurnAlerts:
    """Sends turn alerts; a new alert to a player at a table replaces the previous one."""

    def __init__(self, service: TableService, people: People) -> None:
        self._service = service
        self._people = people
        self._messages: Recent[tuple[GameId, PersonId], str] = Recent(_KEPT)

    def people_due(self, table: Table, before: Table | None) -> list[PersonId]:
        """The idle players to remind: this change made it their turn, and whose turn it is is public."""
        known = _publicly_awaited(before) if before else ()
        players = [table.players[seat] for seat in _publicly_awaited(table) if seat not in known]
        people = [player.person for player in players if player.person and not player.is_computer]
        return [person for person in people if self._is_idle(table, person)]

    async def send(self, platform: Platform, table: Table, alert: Alert) -> int | None:
        """Reminds a player if it is still their turn, by private message or by name in the table's chat.

        Returns how many messages were written or deleted; None if no private message reaches the player.
        """
        person, seat = alert.person, table.seat_of(alert.person)
        name = once(table.id, alert, table.stamp)
        if seat is None or seat not in _publicly_awaited(table):
            return 0
        known = await self._people.person(person)
        account = await self._people.account_of(person, platform.key)
        if known.calls == "never" or account is None or table.players[seat].is_computer:
            return 0
        if alert.by_name:
            if (await self._people.room(table.place)).private:
                # The table is in the player's private chat, which could not be reached.
                return 0
            say = await self._people.say_in(table.place, table)
            page = Page.note(say(Text("{who}, it's your turn.", who=Name(seat))))
            sent = platform.post(table.place, page, account, once=name)
            return await self._replace(platform, table, person, sent)
        if not account.reachable:
            return None
        say = await self._people.say_to(person, table.place, table)
        page = Page.note(say(Text("Your turn: {game}, table {n}.", game=table.game.title, n=table.number)))
        try:
            return await self._replace(platform, table, person, platform.whisper(account, page, once=name))
        except Departed:
            await self.release_seat(table, person)
            return 0
        except Unreachable as unreachable:
            log.info("table %s: a turn alert was not sent: %s", table.id, reason(unreachable))
            await self._people.set_reachable(account, False)
            return None

    async def release_seat(self, table: Table, person: PersonId) -> None:
        """Gives the seat of an idle player who has left the platform to a computer; they can take it back."""
        room = await self._people.room(table.place)
        if room.private or not self._is_idle(table, person):
            return
        with suppress(Refused):
            await self._service.change(table.id, lambda table: leave(table, person))
            log.info("table %s: a player has left the platform; a computer takes the seat", table.id)

    def forget(self, game: GameId, person: PersonId) -> None:
        """Forgets the id of a player's last alert at a table, which no later alert will replace."""
        self._messages.pop((game, person))

    def _is_idle(self, table: Table, person: PersonId) -> bool:
        acted = table.acted(person)
        return acted is None or self._service.clock.now() - acted >= IDLE_AFTER

    async def _replace(self, platform: Platform, table: Table, person: PersonId, sent: Awaitable[str]) -> int:
        key = (table.id, person)
        message, before = await sent, self._messages.get(key)
        self._messages.put(key, message)
        if before:
            await delete(platform, before)
        return 2 if before else 1


def _publicly_awaited(table: Table) -> tuple[Seat, ...]:
    """The seats that the game waits for; empty if these are secret."""
    awaited = table.awaited(None)
    return () if awaited.secret else awaited.must


async def delete(platform: Platform, message: str) -> None:
    """Deletes a message if it still exists and the platform allows it."""
    with suppress(Gone, Forbidden, Unreachable):
        await platform.delete(message)
