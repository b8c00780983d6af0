"""Panels: a table's public message and the private ones of its players and watchers, edited as it changes.

Each panel's page is built from its reader's view alone. Turn alerts and invitations wait in the same lanes.
"""

from __future__ import annotations

from contextlib import suppress

from bot.locks import Locks
from bot.model.ids import PUBLIC, PersonId, ReaderId
from bot.model.leases import Lease
from bot.model.panels import Draft, Invitation, Notification, PanelRecord
from bot.model.places import Place
from bot.model.tables import Refused
from bot.outbox.handovers import SETTLED, Handovers
from bot.outbox.invitations import Invitations
from bot.outbox.lanes import LaneKey, Lanes, Outgoing
from bot.outbox.links import PanelLinks
from bot.outbox.posting.panel_messages import PanelMessages
from bot.outbox.posting.private_panels import PrivatePanels
from bot.outbox.posting.public_panels import PublicPanels
from bot.outbox.posting.requests import PanelRequests
from bot.outbox.posting.watchers import WATCHED_EVERY, Watchers
from bot.outbox.private_chats import PrivateChats
from bot.outbox.records.records import PanelRecords
from bot.outbox.resending import Resending
from bot.outbox.threads import TableThreads
from bot.outbox.turn_alerts import TurnAlerts
from bot.people import People
from bot.ports import Platform, Platforms
from bot.storage import Store, StoreError
from bot.table_service.service import TableService
from bot.tables.log.history import Dropped
from bot.tables.table import Table


class Panels:
    """All panels of all tables, on all platforms: sends them as their tables change."""

    def __init__(
        self,
        store: Store,
        service: TableService,
        people: People,
        platforms: Platforms,
        records: PanelRecords,
    ) -> None:
        self._store = store
        self._service = service
        self._platforms = platforms
        self._records = records
        self.lanes = Lanes(service.clock, self._deliver, service.measures, self._drop)
        """The queues of the panels, alerts and invitations to send."""
        self._handovers = Handovers(service.clock, self._show_again)
        records.wait_to_post = self._handovers.wait_to_post
        records.is_changing = service.is_changing
        self.invitations = Invitations(people, store, service.clock, self.queue)
        self.alerts = TurnAlerts(service, people, records, self._handovers, self.queue)
        self.messages = PanelMessages(service.clock, records, self._handovers, self.queue)
        self.public = PublicPanels(people, records, self.messages)
        self.threads = TableThreads(people, platforms, store, service.clock)
        self._watchers = Watchers(store, records, self.messages, service.clock)
        self.private_chats, self.links = PrivateChats(), PanelLinks(people, platforms, records)
        self._private = PrivatePanels(
            people,
            records,
            self.messages,
            self._handovers,
            self.alerts,
            self._watchers,
            self.private_chats,
            queue=self.queue,
            link=self.links.link,
        )
        self.resending = Resending(store, service, platforms, records, self.queue)
        self._locks: Locks[Outgoing] = Locks()
        self.requests = PanelRequests(
            service,
            people,
            platforms,
            records,
            self.messages,
            self.public,
            self._private,
            self._watchers,
            self._locks,
            queue=self.queue,
            deliver=self._deliver,
        )
        service.listen(self._on_change)
        people.when_reachable(self.resending.when_reachable)
        service.leases.listen(self)

    async def take_up(self, table: Table) -> float | None:
        """Queues the dirty panels of a table that this process keeps, and the turn alerts that are due.

        Returns when the next alert may be due; None if none may.
        """
        if table.place.platform not in self._platforms:
            return None
        if table.damaged:
            # The page says that the table is damaged, but no change has marked the panel dirty.
            await self.requests.take_chat(table, PUBLIC)
            self.queue(table, PUBLIC)
        for reader in await self._records.load_again(table.id, table.place):
            self.queue(table, reader)
        if table.damaged:
            return None
        self.alerts.tidy(table)
        return await self.alerts.queue_due(table)

    def gained(self, lease: Lease) -> None:
        """Keeps to the pace of a chat's former keeper; if that process lives, expects its last messages."""
        if platform := self._platforms.get(lease.platform):
            self.lanes.rest(LaneKey(lease.platform, "public", lease.chat), lease.free_at, platform.limits.gap)
        if lease.taken_from:
            self._handovers.begin((lease.platform, lease.chat))

    def lost(self, platform: str, chat: str) -> None:
        """Empties the public lane of a chat that is lost; `_deliver` drops what its private lanes hold."""
        for game, reader in self.lanes.empty(LaneKey(platform, "public", chat)):
            if not isinstance(reader, Notification):
                self.messages.asked.discard((game, reader))

    def forget(self, person: PersonId) -> None:
        """Drops the panels of a person whom the store has forgotten from memory."""
        self._records.forget_person(person)

    async def flush(self) -> None:
        """Stores at once which panels and alerts were sent, without waiting for the next regular write."""
        await self._records.late.flush()

    async def close(self) -> None:
        """Stops sending; unsent panels stay dirty in the store."""
        await self.threads.close()
        await self._handovers.close()
        await self.lanes.close()
        await self._records.late.close()

    def queue(self, table: Table, reader: ReaderId | Notification) -> None:
        """Queues a panel, a turn alert or an invitation in its lane; an unchanged panel is not sent.

        Does nothing if another process keeps the table's chat.
        """
        if not self._service.leases.keeps(table.place):
            return
        place, limits = table.place, self._platforms[table.place.platform].limits
        if reader == PUBLIC or (isinstance(reader, Notification) and reader.aloud):
            self.lanes.put(LaneKey(place.platform, "public", place.chat), (table.id, reader), limits.gap)
        elif isinstance(reader, Notification):
            self.lanes.put(LaneKey(place.platform, "player", reader.person), (table.id, reader))
        elif table.seat_of(reader) is None and self._records.cache.is_watched(table.id, reader):
            # A lane of its own: its pauses must not delay the person's panels as a player.
            self.lanes.put(LaneKey(place.platform, "watcher", reader), (table.id, reader), WATCHED_EVERY)
        else:
            self.lanes.put(LaneKey(place.platform, "player", reader), (table.id, reader))

    def queue_if_unknown(self, table: Table, reader: ReaderId) -> None:
        """Queues a panel if this process has not sent it, and so does not know which page it shows."""
        if self._records.cache.shown(table.id, reader) is None:
            self.queue(table, reader)

    async def admit(self, place: Place) -> None:
        """Sends the public panels of a place again, if the bot was not allowed to post there until now."""
        if self.public.admitted(place):
            await self.resending.at_tables(await self._store.tables(place), PUBLIC)

    def _on_change(self, table: Table, before: Table | None) -> None:
        """Queues the panels of a table that has changed; one that was only resumed is its own ``before``."""
        if before is table or table.place.platform not in self._platforms:
            return
        if before and before.place != table.place:
            # The table has moved to another chat; its public message stays behind in the old one.
            self._records.sent.leave_chat(table.id)
            if table.status == "over":
                return
        if not self._service.leases.keeps(table.place):
            return
        readers: list[ReaderId] = [PUBLIC, *_people(table)]
        if before:
            mark = self._records.mark_all_dirty if _has_grown(table, before) else self._records.drop
            readers += [*_people(before), *mark(table.id)]
        for reader in dict.fromkeys(readers):
            self.queue(table, reader)
        self.alerts.tidy(table)

    async def _show_again(self, table: Table, panel: PanelRecord) -> int:
        """Sends a panel once more, since a former keeper of its chat may have changed its message meanwhile.

        Takes the chat back if another process keeps it now, unless the panel has changed: then the other
        process shows it. Returns the panel's ``wanted``, which has grown by 1 if the chat was taken back.
        """
        wanted = panel.wanted
        if not self._service.leases.keeps(table.place):
            if not await self._records.change(panel):
                return wanted
            wanted += 1
        self._records.cache.forget_shown(table.id, panel.reader)
        self.queue(table, panel.reader)
        return wanted

    async def _deliver(self, outgoing: Outgoing) -> int:
        """Sends a panel, alert or invitation; returns how many messages were written, edited or deleted."""
        game, reader = outgoing
        async with self._locks.of(outgoing):
            try:
                table = await self._service.shown(game)
            except Refused:
                # The table is unknown, or of a newer version: the chat's other tables do not wait for it.
                return 0
            if not self._service.leases.keeps(table.place):
                if not isinstance(reader, Notification):
                    self.messages.asked.discard((game, reader))
                return 0
            for other in await self._records.load(game, table.place):
                self.queue(table, other)
            platform = self._platforms[table.place.platform]
            if isinstance(reader, Invitation):
                return await self.invitations.send(platform, table, reader)
            if isinstance(reader, Notification):
                return 0 if table.damaged else await self.alerts.deliver(platform, table, reader)
            self.alerts.tidy(table)
            try:
                messages = await self._deliver_panel(platform, table, reader)
            except Dropped:
                # The reader is so far behind that only the store has their news.
                table = await self._service.whole(game)
                messages = await self._deliver_panel(platform, table, reader)
            if table.status == "over":
                self._records.cache.forget(game, reader)
                self.messages.asked.discard((game, reader))
            return messages

    async def _deliver_panel(self, platform: Platform, table: Table, reader: ReaderId) -> int:
        """Sends a panel, and again if it has changed during a long request.

        Raises `Dropped` if its page needs news that is not in memory.
        """
        began, draft = self._service.clock.now(), self._records.cache.draft(table.id, reader)
        try:
            messages = await self._send_panel(platform, table, reader)
        except Exception:
            await self._repeat_if_late(began, table, reader, draft)
            raise
        await self._repeat_if_late(began, table, reader, draft)
        return messages

    async def _repeat_if_late(self, began: float, sent: Table, reader: ReaderId, draft: Draft | None) -> None:
        """Shows a panel again if its sending took longer than `SETTLED`, and the panel has changed meanwhile.

        The chat's next keeper may have shown the new page before the old one arrived.
        """
        if self._service.clock.now() - began <= SETTLED:
            return
        # If the store fails now, the next change of the table shows the panel.
        with suppress(Refused, StoreError):
            table = await self._service.shown(sent.id)
            panel = await self._records.stored(table.id, table.place, reader)
            if panel is None or (len(table.entries), panel.draft) == (len(sent.entries), draft):
                return
            if self._service.leases.keeps(table.place):
                self.queue(table, reader)
            else:
                await self._show_again(table, panel)

    async def _send_panel(self, platform: Platform, table: Table, reader: ReaderId) -> int:
        """Sends a panel. Raises `Dropped` if news that its page needs is not in memory."""
        if reader != PUBLIC:
            return await self._private.send(platform, table, reader)
        before = await self.links.message(table, PUBLIC)
        messages = await self.public.send(platform, table)
        await self.threads.follow(platform, table)
        if await self.links.message(table, PUBLIC) != before:
            # The private panels link to the public message.
            for panel in self._records.cache.panels(table.id):
                if panel.reader != PUBLIC and panel.message:
                    self.queue(table, panel.reader)
        return messages

    def _drop(self, outgoing: Outgoing) -> None:
        """Gives up a message that has failed too often; its table's next change queues a panel again."""
        game, reader = outgoing
        if not isinstance(reader, Notification):
            self.messages.asked.discard((game, reader))
            self._records.sent.give_up(game, reader)


def _has_grown(table: Table, before: Table) -> bool:
    """Whether a table has only got new entries: it is readable, has not moved, and nobody was forgotten."""
    if table.damaged:
        return False
    new = table.entries[len(before.entries) :]
    return table.place == before.place and all(entry.kind != "forget" for entry in new)


def _people(table: Table) -> list[PersonId]:
    """The people with a seat, also with one that a computer holds for them."""
    return [player.person for player in table.players if player.person]
