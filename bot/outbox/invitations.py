"""Invitations: private messages about a new table to the people who wish to be told."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable

from bot.errors import reason
from bot.i18n import PLACE_WIDTH, safe_name
from bot.model.ids import GameId, PersonId
from bot.model.panels import Invitation
from bot.outbox.once import once
from bot.pages.composer import Composer
from bot.people import People
from bot.ports import Clock, Page, Platform, Unreachable
from bot.recent import Recent
from bot.storage import Store
from bot.tables.table import Table
from bot.times.local_time import quiet_until
from engines.game import Text

log = logging.getLogger(__name__)

EVERY = 600.0
"""The fewest seconds between two invitations of a person to tables in one channel."""
_KEPT = 10_000
"""The most invitations that are remembered as allowed."""


class Invitations:
    """Sends invitations while their tables are lobbies."""

    def __init__(
        self, people: People, store: Store, clock: Clock, queue: Callable[[Table, Invitation], None]
    ) -> None:
        """``queue`` puts an invitation into the lane of its person, which calls `send`."""
        self._queue = queue
        self._people = people
        self._store = store
        self._clock = clock
        self._allowed: Recent[tuple[PersonId, GameId], bool] = Recent(_KEPT)
        """The allowed invitations: one that the platform puts off need not pass its gate again."""

    def invite(self, table: Table, people: Iterable[PersonId], place_name: str) -> None:
        """Tells people of a new table in a place of this name, by private message."""
        for person in people:
            self._queue(table, Invitation(person, place_name=place_name))

    async def send(self, platform: Platform, table: Table, to: Invitation) -> int:
        """Invites a person to a table; returns how many messages were written."""
        person, now = to.person, self._clock.now()
        settings = await self._people.settings(table.place)
        if table.status != "lobby" or table.seat_of(person) is not None or person in settings.barred:
            return 0
        if quiet_until(await self._people.person(person), now):
            return 0
        account = await self._people.account_of(person, platform.key)
        if account is None or not account.reachable or not await self._may(person, table):
            return 0
        composer = Composer(table, await self._people.say_to(person, table.place, table), platform.limits)
        sentence = _sentence(composer, to.place_name)
        page = Page.note(sentence, keys=(composer.keys((Text("Join"), "join", "main")),))
        try:
            await platform.whisper(account, page, once=once(table.id, person, "invitation"))
        except Unreachable as unreachable:
            log.info("table %s: an invitation was not sent: %s", table.id, reason(unreachable))
            await self._people.set_reachable(account, False)
            return 0
        return 1

    async def _may(self, person: PersonId, table: Table) -> bool:
        """Whether a person may be invited: no process has invited them to the channel for `EVERY` seconds."""
        key = (person, table.id)
        if self._allowed.get(key):
            return True
        # Each table may have a thread of its own.
        channel = (await self._people.room(table.place)).channel_place
        gate = once("invitation", person, channel.platform, channel.chat, channel.thread)
        if await self._store.pass_gate(gate, self._clock.now(), EVERY):
            return False
        self._allowed.put(key, True)
        return True


def _sentence(composer: Composer, place_name: str) -> str:
    """The sentence of an invitation to a table in a place whose name its members chose."""
    table, place = composer.title, safe_name(place_name, PLACE_WIDTH)
    if not place:
        return composer.say(Text("A table has opened: {table}. Will you play?", table=table))
    return composer.say(
        Text("A table has opened in {place}: {table}. Will you play?", place=place, table=table)
    )
