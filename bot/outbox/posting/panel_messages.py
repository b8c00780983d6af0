"""The messages of panels: edits the one that a panel has, or posts a new one."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable

from bot.errors import origin
from bot.i18n import Speech
from bot.model.ids import PUBLIC, GameId, ReaderId
from bot.model.panels import PanelKey, PanelRecord
from bot.model.people import Account
from bot.model.places import Place
from bot.outbox.handovers import Handovers
from bot.outbox.once import once
from bot.outbox.records.records import PanelRecords
from bot.outbox.records.shown import Shown
from bot.outbox.turn_alerts import delete
from bot.pages.table_page import broken_page
from bot.ports import Clock, Gone, Later, Page, Platform
from bot.tables.log.history import Dropped
from bot.tables.table import Table

log = logging.getLogger(__name__)

PageListener = Callable[[Account | Place, Page], None]
"""Called with each page that was sent, and with the account or the place it was sent to."""


class PanelMessages:
    """Shows pages in the messages of panels, and records what they show."""

    def __init__(
        self,
        clock: Clock,
        records: PanelRecords,
        handovers: Handovers,
        queue: Callable[[Table, ReaderId], None],
    ) -> None:
        self._clock = clock
        self._records = records
        self._handovers = handovers
        self._queue = queue
        self.asked: set[PanelKey] = set()
        """The queued panels that were asked for: without edits, they are sent even if they are unchanged."""
        self._listeners: list[PageListener] = []

    def listen(self, listener: PageListener) -> None:
        """Adds a listener."""
        self._listeners.append(listener)

    def tell(self, to: Account | Place, page: Page, messages: int) -> None:
        """Calls the listeners, if any message was written or edited to show a page."""
        for listener in self._listeners if messages else ():
            listener(to, page)

    def give_up(self, panel: PanelRecord | None, game: GameId, reader: ReaderId) -> None:
        """Marks a panel that cannot be delivered as sent, so that no process tries to send it in vain.

        It is dirty again with the next change of its table, or when its reader can be reached.
        """
        self.asked.discard((game, reader))
        if panel:
            self._records.sent.mark_undeliverable(panel)

    def since(self, platform: Platform, table: Table, panel: PanelRecord) -> int | None:
        """The ``since`` of `Composer.news` for a panel's page.

        None, where messages are edited, if the panel has neither delivered news nor a message.
        """
        if not platform.limits.edits:
            return panel.told
        shown = self._records.cache.shown(panel.game, panel.reader)
        if shown and shown.since is not None and panel.told == len(table.news):
            # Nothing new: the page keeps its news, so that it does not count as changed.
            return shown.since
        return panel.told if panel.told or panel.message else None

    async def show(
        self,
        platform: Platform,
        table: Table,
        panel: PanelRecord,
        page: Page,
        post: Callable[[str], Awaitable[str]],
    ) -> int:
        """Edits a panel's message if its page has changed, or posts one if there is none or it is gone.

        Without edits, a changed page is a new message. ``post`` is given the name of the message for `once`.
        Returns how many messages were written or edited.
        """
        key, message, messages = (panel.game, panel.reader), panel.message, 0
        to_show, new, replaced = Shown.of(page), False, None
        if not platform.limits.edits:
            new = self._is_new(table, panel, page, to_show)
        elif not message:
            new = True
        elif self._records.cache.shown(*key) != to_show:
            messages += 1
            try:
                await platform.edit(message, page)
            except Gone:
                new = True
        if new:
            self._must_be_settled(table, panel)
            messages += 1
            replaced = self._records.cache.replaced(panel)
            message = await post(once(*key, replaced))
        self.asked.discard(key)
        now, is_public = self._clock.now(), panel.reader == PUBLIC
        free_at = now + messages * platform.limits.gap if is_public and messages else None
        # A new private message notifies its reader, as a turn alert does.
        notified_at = max(now, table.dealt) if new and table.started and not is_public else 0.0
        kept = await self._records.sent.record_message(
            panel,
            message,
            len(table.news),
            to_show,
            replaces=replaced,
            free_at=free_at,
            notified_at=notified_at,
        )
        if kept != message:
            # Another process has posted this panel too; its message is the one that stays.
            await delete(platform, message)
            self._queue(table, panel.reader)
        elif messages:
            self._handovers.note(table, panel)
        return messages

    def _must_be_settled(self, table: Table, panel: PanelRecord) -> None:
        """Raises `Later` if a panel has no message, but the chat's former keeper may have just posted one."""
        wait = 0.0 if panel.message else self._handovers.wait_to_post(table.place)
        if wait > 0:
            self._records.cache.forget_table(table.id)
            raise Later(wait, "the chat was taken over")

    def _is_new(self, table: Table, panel: PanelRecord, page: Page, to_show: Shown) -> bool:
        """Whether a page must be sent to a platform without edits."""
        key = (panel.game, panel.reader)
        if page.news or key in self.asked:
            return True
        if table.followed:
            # A rematch only takes a key from the page, and its readers have gone on to the next table.
            return False
        if shown := self._records.cache.shown(*key):
            return shown.bare != to_show.bare
        return panel.sent != panel.wanted


def page_of(table: Table, say: Speech, make: Callable[[], Page]) -> Page:
    """A page of a table, or one that says that its game cannot be shown, so that no other table waits.

    Raises `Dropped`.
    """
    try:
        return make()
    except Dropped:
        raise
    except Exception as error:
        log.error("table %s cannot be shown: %s", table.id, origin(error))
        return broken_page(table, say)
