"""Panels: a table's public message and the private ones of its players and watchers, edited as it changes.

Each panel's page is built from its reader's view alone. Turn alerts and invitations go the same way.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress

from bot.locks import Locks
from bot.model.ids import PUBLIC, GameId, PersonId, ReaderId
from bot.model.leases import Lease
from bot.model.panels import WATCHING, Draft, Invitation, Notification, PanelRecord
from bot.model.places import Place
from bot.model.tables import Refused
from bot.outbox.handovers import SETTLED, Handovers
from bot.outbox.invitations import Invitations
from bot.outbox.lanes import LaneKey, Lanes, Outgoing
from bot.outbox.panel_messages import PageListener, PanelMessages
from bot.outbox.private_panels import PrivatePanels
from bot.outbox.public_panels import PublicPanels
from bot.outbox.records import PanelRecords
from bot.outbox.resending import Resending
from bot.outbox.threads import TableThreads
from bot.outbox.turn_alerts import TurnAlerts, delete
from bot.outbox.watchers import WATCHED_EVERY, Watchers
from bot.people import People
from bot.ports import EPHEMERAL, Platform, Platforms
from bot.storage import Store, StoreError
from bot.table_service.service import TableService
from bot.tables.history import Dropped
from bot.tables.table import Table


class Panels:
    """All panels of all tables, on all platforms."""

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
        self._people = people
        self._platforms = platforms
        self._records = records
        self._lanes = Lanes(service.clock, self._deliver, service.measures, self._drop)
        self._handovers = Handovers(service.clock, self._show_again)
        records.wait_to_post = self._handovers.wait_to_post
        records.is_changing = service.is_changing
        self._invitations = Invitations(people, store, service.clock)
        self._alerts = TurnAlerts(service, people, records, self._handovers, self.queue)
        self._messages = PanelMessages(service.clock, records, self._handovers, self.queue)
        self._public = PublicPanels(people, records, self._messages)
        self.threads = TableThreads(people, platforms, store, service.clock)
        self._watchers = Watchers(store, records, self._messages, service.clock)
        self._private = PrivatePanels(
            people,
            records,
            self._messages,
            self._handovers,
            self._alerts,
            self._watchers,
            queue=self.queue,
            link=self.link,
        )
        self.resending = Resending(store, service, platforms, records, self.queue)
        self._locks: Locks[Outgoing] = Locks()
        service.listen(self._on_change)
        people.when_reachable(self.resending.when_reachable)
        service.leases.listen(self)

    def listen(self, listener: PageListener) -> None:
        """Adds a listener, called with each page that is sent."""
        self._messages.listen(listener)

    async def take_up(self, table: Table) -> float | None:
        """Queues the dirty panels of a table that this process keeps, and the turn alerts that are due.

        Returns when the next alert may be due; None if none may.
        """
        if table.place.platform not in self._platforms:
            return None
        if table.damaged:
            # Its page is new, though no change has made the panel dirty.
            await self._take_chat(table, PUBLIC)
            self.queue(table, PUBLIC)
        for reader in await self._records.load_again(table.id, table.place):
            self.queue(table, reader)
        if table.damaged:
            return None
        self._alerts.tidy(table)
        return await self._alerts.queue_due(table)

    def note_action(self, table: Table, person: PersonId) -> None:
        """Notes that a player has acted at a table: their turn alert is deleted, or is not sent."""
        self._alerts.note_action(table, person)

    def gained(self, lease: Lease) -> None:
        """Keeps to the pace of a chat's former keeper; if that process lives, expects its last messages."""
        if platform := self._platforms.get(lease.platform):
            self._lanes.rest(
                LaneKey(lease.platform, "public", lease.chat), lease.free_at, platform.limits.gap
            )
        if lease.taken_from:
            self._handovers.begin((lease.platform, lease.chat))

    def lost(self, platform: str, chat: str) -> None:
        """Empties the public lane of a chat that is lost; `_deliver` drops what its private lanes hold."""
        for game, reader in self._lanes.empty(LaneKey(platform, "public", chat)):
            if not isinstance(reader, Notification):
                self._messages.asked.discard((game, reader))

    @property
    def waiting(self) -> int:
        """The number of panels, alerts and invitations that are queued."""
        return self._lanes.waiting

    async def idle(self) -> None:
        """Waits until nothing is queued."""
        await self._lanes.idle()

    async def flush(self) -> None:
        """Stores at once which panels and alerts were sent, without waiting for the next regular write."""
        await self._records.late.flush()

    async def close(self) -> None:
        """Stops sending; unsent panels stay dirty in the store."""
        await self.threads.close()
        await self._handovers.close()
        await self._lanes.close()
        await self._records.late.close()

    def queue(self, table: Table, reader: ReaderId | Notification) -> None:
        """Queues a panel, a turn alert or an invitation in its lane; an unchanged panel is not sent.

        Does nothing if another process keeps the table's chat.
        """
        if not self._service.leases.keeps(table.place):
            return
        place, limits = table.place, self._platforms[table.place.platform].limits
        if reader == PUBLIC or (isinstance(reader, Notification) and reader.aloud):
            self._lanes.put(LaneKey(place.platform, "public", place.chat), (table.id, reader), limits.gap)
        elif isinstance(reader, Notification):
            self._lanes.put(LaneKey(place.platform, "player", reader.person), (table.id, reader))
        elif table.seat_of(reader) is None and self._records.draft(table.id, reader) == WATCHING:
            # A lane of its own: its pauses must not delay the person's panels as a player.
            self._lanes.put(LaneKey(place.platform, "watcher", reader), (table.id, reader), WATCHED_EVERY)
        else:
            self._lanes.put(LaneKey(place.platform, "player", reader), (table.id, reader))

    def invite(self, table: Table, people: Iterable[PersonId], place_name: str) -> None:
        """Tells people of a new table in a place of this name, by private message."""
        for person in people:
            self.queue(table, Invitation(person, place_name=place_name))

    def queue_if_unknown(self, table: Table, reader: ReaderId) -> None:
        """Queues a panel if this process has not sent it, and so does not know which page it shows."""
        if self._records.shown(table.id, reader) is None:
            self.queue(table, reader)

    async def resend(self, table: Table, reader: ReaderId) -> None:
        """Queues a panel, to be sent even if its page has not changed."""
        await self._take_chat(table, reader)
        self._records.forget_shown(table.id, reader)
        self._messages.asked.add((table.id, reader))
        self.queue(table, reader)

    async def reach(self, table: Table, person: PersonId, *, anew: bool = False) -> bool:
        """Sends a player their panel at once; returns whether they can be reached by private message.

        A platform without edits sends an unchanged panel again only ``anew``, or to a player who could not be
        reached.
        """
        platform = self._platforms[table.place.platform]
        account = await self._people.account_of(person, platform.key)
        if account is None:
            return False
        await self._take_chat(table, person)
        if anew or not account.reachable:
            self._messages.asked.add((table.id, person))
        await self._people.set_reachable(account, True)
        # The public panel links to the private chat as long as a player cannot be reached.
        self.queue(table, PUBLIC)
        try:
            await self._deliver((table.id, person))
        except Exception:
            # The lane tries again, and logs the error if that fails too.
            self.queue(table, person)
        account = await self._people.account_of(person, platform.key)
        return account is not None and account.reachable

    async def repost(self, table: Table, reader: ReaderId) -> None:
        """Posts a panel again at the bottom of its chat, and deletes the old message if the platform can.

        A public panel is replaced only when its lane sends it, because platforms limit the rate of
        messages in a public chat.
        """
        if reader == PUBLIC:
            self._public.bury(table.place)
            await self.resend(table, reader)
            return
        await self._take_chat(table, reader)
        panel = await self._records.read(table.id, table.place, reader)
        platform = self._platforms[table.place.platform]
        if panel.message and platform.limits.edits:
            await delete(platform, panel.message)
            self._records.lose_message(panel)
        await self.resend(table, reader)

    async def show_ephemeral(self, table: Table, person: PersonId, message: str) -> bool:
        """Makes an ephemeral message in the table's place a player's panel; False if that fails.

        It is edited like a private message, even if the player's private chat is closed.
        """
        platform = self._platforms[table.place.platform]
        async with self._locks.of((table.id, person)):
            await self._take_chat(table, person)
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

    async def link(self, table: Table, reader: ReaderId) -> str:
        """The address of an open table's panel; empty if its message has none, or if there is no message."""
        message = await self._message(table, reader)
        if not message or message.startswith(EPHEMERAL):
            return ""
        community = (await self._people.room(table.place)).community if reader == PUBLIC else ""
        return self._platforms[table.place.platform].message_link(message, community)

    async def _message(self, table: Table, reader: ReaderId) -> str:
        """The id of the message of an open table's panel; empty if there is none."""
        if table.status == "over":
            return ""
        panel = await self._records.stored(table.id, table.place, reader)
        return panel.message if panel else ""

    def count_private_message(self, person: PersonId) -> None:
        """Counts a message that stays in a person's private chat, besides panels."""
        self._private.chats.count(person)

    def see(self, game: GameId, person: PersonId) -> None:
        """Notes that a person has their panel of a table in sight, since they have pressed it."""
        self._private.chats.see((game, person))

    def count_message(self, place: Place) -> None:
        """Counts a message that a person has written in a place."""
        self._public.count_message(place)

    async def admit(self, place: Place) -> None:
        """Sends the public panels of a place again, if the bot was not allowed to post there until now."""
        if self._public.admitted(place):
            await self.resending.at_tables(await self._store.tables(place), PUBLIC)

    def _on_change(self, table: Table, before: Table | None) -> None:
        """Queues the panels of a table that has changed; one that was only resumed is its own ``before``."""
        if before is table or table.place.platform not in self._platforms:
            return
        if before and before.place != table.place:
            # The table has moved to another chat; its public message stays behind in the old one.
            self._records.forget_shown(table.id, PUBLIC)
            self._records.leave_message(table.id, PUBLIC)
            self._records.leave_alerts(table.id)
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
        self._alerts.tidy(table)

    async def _take_chat(self, table: Table, reader: ReaderId) -> None:
        """Makes this process the keeper of a table's chat, if it is not, by marking a panel dirty."""
        if not self._service.leases.keeps(table.place):
            panel = await self._records.read(table.id, table.place, reader)
            await self._records.mark_dirty(panel)

    async def _show_again(self, table: Table, panel: PanelRecord) -> int:
        """Sends a panel once more, since a former keeper of its chat may have changed its message meanwhile.

        Takes the chat back if another process keeps it now, unless the panel has changed: then the other
        process shows it. Returns the panel's ``wanted``, as far as this process has changed it.
        """
        wanted = panel.wanted
        if not self._service.leases.keeps(table.place):
            if not await self._records.change(panel):
                return wanted
            wanted += 1
        self._records.forget_shown(table.id, panel.reader)
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
                    self._messages.asked.discard((game, reader))
                return 0
            for other in await self._records.load(game, table.place):
                self.queue(table, other)
            platform = self._platforms[table.place.platform]
            if isinstance(reader, Invitation):
                return await self._invitations.send(platform, table, reader)
            if isinstance(reader, Notification):
                return 0 if table.damaged else await self._alerts.deliver(platform, table, reader)
            self._alerts.tidy(table)
            try:
                messages = await self._deliver_panel(platform, table, reader)
            except Dropped:
                # The reader is so far behind that only the store has their news.
                table = await self._service.whole(game)
                messages = await self._deliver_panel(platform, table, reader)
            if table.status == "over":
                self._records.forget(game, reader)
                self._messages.asked.discard((game, reader))
            return messages

    async def _deliver_panel(self, platform: Platform, table: Table, reader: ReaderId) -> int:
        """Sends a panel, and again if it has changed during a long request.

        Raises `Dropped` if its page needs news that is not in memory.
        """
        began, draft = self._service.clock.now(), self._records.draft(table.id, reader)
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
        before = await self._message(table, PUBLIC)
        messages = await self._public.send(platform, table)
        await self.threads.follow(platform, table)
        if await self._message(table, PUBLIC) != before:
            # The private panels link to the public message.
            for panel in self._records.known(table.id):
                if panel.reader != PUBLIC and panel.message:
                    self.queue(table, panel.reader)
        return messages

    def _drop(self, outgoing: Outgoing) -> None:
        """Gives up a message that has failed too often; its table's next change queues a panel again."""
        game, reader = outgoing
        if not isinstance(reader, Notification):
            self._messages.asked.discard((game, reader))
            self._records.give_up(game, reader)


def _has_grown(table: Table, before: Table) -> bool:
    """Whether a table has only got new entries; not if it has moved, or if a person was forgotten."""
    new = table.entries[len(before.entries) :]
    return table.place == before.place and all(entry.kind != "forget" for entry in new)


def _people(table: Table) -> list[PersonId]:
    """The people with a seat, also with one that a computer holds for them."""
    return [player.person for player in table.players if player.person]
