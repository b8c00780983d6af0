"""Private panels: a message in a reader's private chat, or in the table's place for them alone to see."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial

from bot.errors import PlatformError, reason
from bot.model.ids import PUBLIC, PersonId, ReaderId
from bot.model.panels import PanelRecord
from bot.model.people import Account
from bot.outbox.handovers import Handovers
from bot.outbox.posting.panel_messages import PanelMessages, page_of
from bot.outbox.posting.watchers import Watchers
from bot.outbox.private_chats import PrivateChats
from bot.outbox.records.records import PanelRecords
from bot.outbox.records.shown import Shown
from bot.outbox.turn_alerts import TurnAlerts, delete
from bot.pages.table_page import private_page
from bot.people import People
from bot.ports import EPHEMERAL, Departed, Page, Platform, Unreachable
from bot.tables.table import Table
from engines.values import replace

log = logging.getLogger(__name__)


class PrivatePanels:
    """Sends private panels; one in the table's place is edited even if the private chat is closed."""

    def __init__(
        self,
        people: People,
        records: PanelRecords,
        messages: PanelMessages,
        handovers: Handovers,
        alerts: TurnAlerts,
        watchers: Watchers,
        chats: PrivateChats,
        *,
        queue: Callable[[Table, ReaderId], None],
        link: Callable[[Table, ReaderId], Awaitable[str]],
    ) -> None:
        """``queue`` queues a panel; ``link`` returns the address of a panel's message."""
        self._people = people
        self._records = records
        self._messages = messages
        self._handovers = handovers
        self._alerts = alerts
        self._watchers = watchers
        self._queue = queue
        self._link = link
        self._chats = chats

    async def send(self, platform: Platform, table: Table, person: PersonId) -> int:
        """Sends the panel of a player or a watcher; returns how many messages were written or edited.

        Raises `Dropped` if news that the page needs is not in memory.
        """
        found = await self._records.stored(table.id, table.place, person)
        # Read after the panel: if the account becomes reachable later, a newer version of the panel is marked
        # dirty, which `give_up` with this one does not mark as sent.
        account = await self._people.account_of(person, platform.key)
        ephemeral = found.message if found and found.message.startswith(EPHEMERAL) else ""
        seat = table.seat_of(person)
        # The panels of a person who was forgotten are deleted, and must not be stored again.
        was_forgotten = found is None and seat is None
        if account is None or was_forgotten or not (account.reachable or ephemeral):
            self._messages.give_up(found, table.id, person)
            return 0
        panel = found or await self._records.read(table.id, table.place, person)
        has_no_reader = panel.watch == "ended" or not (panel.message or panel.is_watched)
        if seat is None and has_no_reader:
            self._messages.give_up(panel, table.id, person)
            return 0
        watches = seat is None and panel.is_watched
        if watches and await self._watchers.has_left(platform, await self._community(table), account):
            await self._watchers.remove(platform, table, person)
            return 0
        if ephemeral and account.reachable:
            # The private chat was opened meanwhile.
            panel = self._records.cache.lose_message(panel)
        if not ephemeral and await self._must_notify(platform, table, panel):
            await delete(platform, panel.message)
            panel = self._records.cache.lose_message(panel)

        async def post(page: Page, once: str) -> str:
            if not account.reachable:
                raise Unreachable("the private chat is closed")
            message = await platform.whisper(account, page, once=once)
            self._chats.post((table.id, person))
            return message

        try:
            messages = await self._show(platform, table, panel, account, post)
        except Unreachable as unreachable:
            log.info("table %s: a private panel was not sent: %s", table.id, reason(unreachable))
            if ephemeral:
                panel = self._records.cache.lose_message(panel)
                await _take_away(platform, ephemeral)
            self._messages.give_up(panel, table.id, person)
            await self._people.set_reachable(account, False)
            self._queue(table, PUBLIC)
            if seat is None:
                await self._watchers.remove(platform, table, person)
            elif isinstance(unreachable, Departed):
                await self._alerts.release_seat(table, person)
            return 0
        if account.reachable:
            await _take_away(platform, ephemeral)
        return messages

    async def _community(self, table: Table) -> str:
        """The server or group of a table."""
        return (await self._people.room(table.place)).community

    async def show_in(self, platform: Platform, table: Table, person: PersonId, message: str) -> bool:
        """Makes an ephemeral message in the table's place a player's panel; False if that fails.

        Raises `Dropped` if news that the page needs is not in memory.
        """

        async def fill(page: Page, once: str) -> str:
            await platform.edit(message, page)
            return message

        panel = await self._records.read(table.id, table.place, person)
        before, account = panel.message, await self._people.account_of(person, platform.key)
        try:
            await self._show(platform, table, replace(panel, message=""), account, fill)
        except PlatformError as error:
            log.info("table %s: a player's page was not shown in its place: %s", table.id, reason(error))
            return False
        await _take_away(platform, before)
        return True

    async def _show(
        self,
        platform: Platform,
        table: Table,
        panel: PanelRecord,
        account: Account | None,
        post: Callable[[Page, str], Awaitable[str]],
    ) -> int:
        """Shows a reader their page in their panel's message, or in a new one that ``post`` sends.

        If that writes or edits a message, tells the page listeners, unless the reader's ``account`` is None.
        """
        person = panel.reader
        room = await self._people.room(table.place)
        if self._records.cache.shown(table.id, person) is None:
            # The copy of the reader may be old: another process that stores their preferences takes the chat
            # by marking their panel dirty, but not if they had no panel yet.
            self._people.read_again(person)
        say = await self._people.say_to(person, table.place, table)
        limits, since = platform.limits, self._messages.since(platform, table, panel)
        make = partial(private_page, table, person, say, limits, panel.draft, alone=room.private, since=since)
        page = page_of(table, say, partial(make, watches=panel.is_watched))
        page = replace(page, link=await self._link(table, PUBLIC))
        if self._is_buried(platform, table, panel, page):
            await delete(platform, panel.message)
            panel = self._records.cache.lose_message(panel)
        messages = await self._messages.show(platform, table, panel, page, lambda once: post(page, once))
        if account:
            self._messages.tell(account, page, messages)
        return messages

    def _is_buried(self, platform: Platform, table: Table, panel: PanelRecord, page: Page) -> bool:
        """Whether a changed panel is scrolled up and its reader may move, so that it is posted again."""
        if page.kind != "turn" or not platform.limits.edits or not panel.message:
            return False
        if panel.message.startswith(EPHEMERAL) or self._handovers.wait_to_post(table.place):
            return False
        key = (panel.game, panel.reader)
        return self._chats.has_buried(key) and self._records.cache.shown(*key) != Shown.of(page)

    async def _must_notify(self, platform: Platform, table: Table, panel: PanelRecord) -> bool:
        """Whether a player's panel was posted before the deal, and is posted anew to notify its reader."""
        if table.seat_of(panel.reader) is None:
            return False
        is_older = table.status == "playing" and bool(panel.message) and panel.notified_at < table.dealt
        if not is_older or not platform.limits.edits or (await self._people.room(table.place)).private:
            return False
        # While a chat changes hands, the panel is edited; it is shown once more when that is over.
        return not self._handovers.wait_to_post(table.place)


async def _take_away(platform: Platform, message: str) -> None:
    """Deletes a message if it is ephemeral and the platform allows it."""
    if message.startswith(EPHEMERAL):
        with suppress(PlatformError):
            await platform.delete(message)
