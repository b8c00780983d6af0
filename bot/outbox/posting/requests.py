"""Requests of people about panels: to show one again, at once or at the bottom, or to watch a table."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from bot.locks import Locks
from bot.model.ids import PUBLIC, PersonId, ReaderId
from bot.outbox.lanes import Outgoing
from bot.outbox.posting.panel_messages import PanelMessages
from bot.outbox.posting.private_panels import PrivatePanels
from bot.outbox.posting.public_panels import PublicPanels
from bot.outbox.posting.watchers import Watchers
from bot.outbox.records.records import PanelRecords
from bot.outbox.turn_alerts import delete
from bot.people import People
from bot.ports import Platforms
from bot.table_service.service import TableService
from bot.tables.log.history import Dropped
from bot.tables.table import Table


class PanelRequests:
    """Carries out the requests; takes over the chat of the table if another process keeps it."""

    def __init__(
        self,
        service: TableService,
        people: People,
        platforms: Platforms,
        records: PanelRecords,
        messages: PanelMessages,
        public: PublicPanels,
        private: PrivatePanels,
        watchers: Watchers,
        locks: Locks[Outgoing],
        *,
        queue: Callable[[Table, ReaderId], None],
        deliver: Callable[[Outgoing], Awaitable[int]],
    ) -> None:
        """``queue`` queues a panel; ``deliver`` sends it at once, and holds its lock meanwhile."""
        self._service = service
        self._people = people
        self._platforms = platforms
        self._records = records
        self._messages = messages
        self._public = public
        self._private = private
        self._watchers = watchers
        self._locks = locks
        self._queue = queue
        self._deliver = deliver

    async def resend(self, table: Table, reader: ReaderId) -> None:
        """Queues a panel, to be sent even if its page has not changed."""
        await self.take_chat(table, reader)
        self._records.cache.forget_shown(table.id, reader)
        self._messages.asked.add((table.id, reader))
        self._queue(table, reader)

    async def reach(self, table: Table, person: PersonId, *, anew: bool = False) -> bool:
        """Sends a player or watcher their panel at once; returns whether private messages reach them.

        On a platform without edits, an unchanged panel is sent again only if ``anew`` is set, or if messages
        did not reach the person before.
        """
        platform = self._platforms[table.place.platform]
        account = await self._people.account_of(person, platform.key)
        if account is None:
            return False
        await self.take_chat(table, person)
        if anew or not account.reachable:
            self._messages.asked.add((table.id, person))
        await self._people.set_reachable(account, True)
        # The public panel links to the private chat as long as a player cannot be reached.
        self._queue(table, PUBLIC)
        try:
            await self._deliver((table.id, person))
        except Exception:
            # The lane tries again, and logs the error if that fails too.
            self._queue(table, person)
        account = await self._people.account_of(person, platform.key)
        return account is not None and account.reachable

    async def repost(self, table: Table, reader: ReaderId) -> None:
        """Has a panel posted again at the bottom of its chat; deletes the old message if the platform can.

        That of a private panel is deleted at once, that of a public one only when its lane posts the new one:
        a lane may wait, because platforms limit the rate of messages in a public chat.
        """
        if reader == PUBLIC:
            self._public.bury(table)
            await self.resend(table, reader)
            return
        await self.take_chat(table, reader)
        panel = await self._records.read(table.id, table.place, reader)
        platform = self._platforms[table.place.platform]
        if panel.message and platform.limits.edits:
            await delete(platform, panel.message)
            self._records.cache.lose_message(panel)
        await self.resend(table, reader)

    async def show_ephemeral(self, table: Table, person: PersonId, message: str) -> bool:
        """Makes an ephemeral message in the table's place a player's panel; False if that fails.

        From then on the message is edited like a private one, even if the player's private chat is closed.
        """
        platform = self._platforms[table.place.platform]
        async with self._locks.of((table.id, person)):
            await self.take_chat(table, person)
            try:
                return await self._private.show_in(platform, table, person, message)
            except Dropped:
                table = await self._service.whole(table.id)
                return await self._private.show_in(platform, table, person, message)

    async def watch(self, table: Table, person: PersonId) -> bool:
        """Shows a person without a seat a panel that follows the table; False if no message reaches them.

        Raises `Refused` if the table has, or has had, too many watchers. An existing panel is posted again.
        """
        if await self._watchers.add(table, person):
            await self.repost(table, person)
        return await self.reach(table, person)

    async def unwatch(self, table: Table, person: PersonId) -> None:
        """Deletes the message of a watcher, whose panel follows the table no longer."""
        async with self._locks.of((table.id, person)):
            await self._watchers.remove(self._platforms[table.place.platform], table, person)

    async def take_chat(self, table: Table, reader: ReaderId) -> None:
        """Makes this process the keeper of a table's chat, if it is not, by marking a panel dirty."""
        if not self._service.leases.keeps(table.place):
            await self._records.mark_dirty(await self._records.read(table.id, table.place, reader))
