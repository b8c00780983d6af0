"""Watchers: people without a seat whose private panel follows a table, as far as the public knows it."""

from __future__ import annotations

import logging

from bot.errors import PlatformError, reason
from bot.model.ids import PUBLIC, PersonId
from bot.model.people import Account
from bot.model.tables import Refused
from bot.outbox.posting.panel_messages import PanelMessages
from bot.outbox.records.records import PanelRecords
from bot.outbox.turn_alerts import delete
from bot.ports import Clock, Members, Platform
from bot.recent import Recent
from bot.storage import Store
from bot.tables.table import Table
from engines.game import Text
from engines.values import replace

log = logging.getLogger(__name__)

WATCHERS = 10
"""The most people who watch a table on panels of their own."""
FORMER_WATCHERS = 50
"""The most people without a seat, former watchers included, who may have had a panel of a table."""
MEMBERS_EVERY = 600.0
"""Seconds for which a watcher counts as a member of the server or group once the platform has said so."""
_MEMBERS_KEPT = 5000
"""The most watchers whose membership is remembered."""
WATCHED_EVERY = 3.0
"""The fewest seconds between two messages or edits for a watcher, so that no player waits for them."""


class Watchers:
    """Makes and removes watchers; stores which panels are theirs, for a process that goes on with them."""

    def __init__(self, store: Store, records: PanelRecords, messages: PanelMessages, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._members: Recent[tuple[str, PersonId], float] = Recent(_MEMBERS_KEPT)
        """When the platform last said that a person is in a server or group."""
        self._records = records
        self._messages = messages

    async def add(self, table: Table, person: PersonId) -> bool:
        """Makes a person without a seat a watcher; returns whether their panel names a message already.

        That may be a deleted one, since `remove` keeps its id. Raises `Refused` if the table has too many
        watchers, or has had too many before.
        """
        panels = [
            panel for panel in await self._store.panels(table.id) if panel.reader not in (PUBLIC, person)
        ]
        others = [panel for panel in panels if table.seat_of(panel.reader) is None]
        if sum(panel.is_watched for panel in others) >= WATCHERS or len(others) >= FORMER_WATCHERS:
            raise Refused(Text("Too many people are watching this table."))
        panel = await self._records.read(table.id, table.place, person)
        await self._records.mark_dirty(replace(panel, watch="on"))
        return bool(panel.message)

    async def has_left(self, platform: Platform, community: str, account: Account) -> bool:
        """Whether a watcher has left the server or group of a table, as far as the platform can be asked."""
        if not community or not isinstance(platform, Members):
            return False
        now, known = self._clock.now(), self._members.get((community, account.person))
        if known is not None and 0 <= now - known < MEMBERS_EVERY:
            return False
        try:
            is_member = await platform.is_member(community, account)
        except PlatformError as error:
            log.info("a platform does not tell whether a watcher is still a member: %s", reason(error))
            return False
        if is_member:
            self._members.put((community, account.person), now)
        return not is_member

    async def remove(self, platform: Platform, table: Table, person: PersonId) -> None:
        """Deletes a watcher's message and marks their panel as a former watcher's.

        Does nothing for a person who does not watch the table.
        """
        panel = await self._records.stored(table.id, table.place, person)
        if panel is None or not panel.is_watched or table.seat_of(person) is not None:
            return
        panel = await self._records.mark_dirty(replace(panel, watch="ended"))
        if panel.message:
            # The message's id is kept: the panel's next message is named after the one that it replaces.
            await delete(platform, panel.message)
            self._records.cache.forget_shown(table.id, person)
        self._messages.give_up(panel, table.id, person)
