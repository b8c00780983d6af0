"""Invitations: private messages about a new table to the people who wish to be told."""

from __future__ import annotations

import logging

from bot.errors import reason
from bot.i18n import PLACE_WIDTH, safe_name
from bot.local_time import quiet_until
from bot.model import Invitation, PersonId, Place
from bot.outbox.once import once
from bot.pages.composer import Composer
from bot.people import People
from bot.ports import Clock, Page, Platform, Unreachable
from bot.recent import Recent
from bot.storage import Store
from bot.tables.table import Table
from engines.game import Text

log = logging.getLogger(__name__)

EVERY = 600.0
"""The fewest seconds between two invitations of a person to one place, whoever opens tables there."""
_KEPT = 10_000
"""The most people of whose last invitation the time is known."""


class Invitations:
    """Sends invitations while their tables are lobbies."""

    def __init__(self, people: People, store: Store, clock: Clock) -> None:
        self._people = people
        self._store = store
        self._clock = clock
        self._began = clock.now()
        self._sent: Recent[tuple[PersonId, Place], float] = Recent(_KEPT)

    async def send(self, platform: Platform, table: Table, to: Invitation) -> int:
        """Invites a person to a table; returns how many messages were written."""
        person, now = to.person, self._clock.now()
        settings = await self._people.settings(table.place)
        if table.status != "lobby" or table.seat_of(person) is not None or person in settings.barred:
            return 0
        if quiet_until(await self._people.person(person), now) or await self._is_recent(person, table):
            return 0
        account = await self._people.account_of(person, platform.key)
        if account is None or not account.reachable:
            return 0
        composer = Composer(table, await self._people.say_to(person, table.place, table), platform.limits)
        told = _told(composer, to.place_name)
        page = Page.note(told, keys=(composer.keys((Text("Join"), "join", "main")),))
        self._sent.put((person, table.place), now)
        try:
            await platform.whisper(account, page, once=once(table.id, person, "invitation"))
        except Unreachable as unreachable:
            log.info("table %s: an invitation was not sent: %s", table.id, reason(unreachable))
            await self._people.set_reachable(account, False)
            return 0
        return 1

    async def _is_recent(self, person: PersonId, table: Table) -> bool:
        """Whether a person was invited to the table's place in the last minutes.

        Of the time before this process only the store tells: that another table was opened there.
        """
        now, last = self._clock.now(), self._sent.get((person, table.place))
        if last is not None:
            return now - last < EVERY
        if now - self._began >= EVERY:
            return False
        over = await self._store.last_over(table.place)
        known = [*await self._store.tables(table.place), *((over,) if over else ())]
        return any(one.game != table.id and now - EVERY < one.opened < self._began for one in known)


def _told(composer: Composer, place_name: str) -> str:
    """The sentence of an invitation to a table in a place of this name, which its members chose."""
    table, place = composer.title, safe_name(place_name, PLACE_WIDTH)
    if not place:
        return composer.say(Text("A table has opened: {table}. Will you play?", table=table))
    return composer.say(
        Text("A table has opened in {place}: {table}. Will you play?", place=place, table=table)
    )
