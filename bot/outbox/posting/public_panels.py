"""Public panels: each table's message in its chat, edited, or posted again once people have buried it."""

from __future__ import annotations

import logging
from functools import partial

from bot.errors import reason
from bot.i18n import Speech
from bot.model.ids import PUBLIC, GameId
from bot.model.places import Place
from bot.outbox.once import once
from bot.outbox.posting.panel_messages import PanelMessages, page_of
from bot.outbox.records.records import PanelRecords
from bot.outbox.records.shown import Shown
from bot.outbox.turn_alerts import delete
from bot.pages.table_page import public_page
from bot.people import People
from bot.ports import Forbidden, Page, Platform
from bot.recent import Recent
from bot.tables.table import Table
from engines.game import Text
from engines.values import replace

log = logging.getLogger(__name__)

BURIED_IN_PUBLIC = 12
"""The messages of people below a public panel that bury it: when it changes next, it is not edited, but
posted again at the bottom.
"""
PLACES_KEPT = 20_000
"""The most places with a table whose messages are counted, the most of the other places, and the most that
are known to forbid posting; also the most tables whose panels are known to be buried or not.
"""


class PublicPanels:
    """Sends public panels, and knows the places where they are buried or forbidden."""

    def __init__(self, people: People, records: PanelRecords, messages: PanelMessages) -> None:
        self._people = people
        self._records = records
        self._messages = messages
        self._written: Recent[Place, int] = Recent(PLACES_KEPT)
        """For each place to which this process has sent a panel, the messages that people have written there
        since the process began to count them.
        """
        self._written_elsewhere: Recent[Place, int] = Recent(PLACES_KEPT)
        """The messages in other places, counted apart since most have no table: they must not push out the
        places that have one.
        """
        self._written_above: Recent[GameId, int] = Recent(PLACES_KEPT)
        """For each table, how many of the messages counted in its place stand above its panel: those written
        before the panel was posted. `bury` sets it so low that the panel counts as buried.
        """
        self._forbidden: Recent[Place, None] = Recent(PLACES_KEPT)
        """Places where the bot could not post a public panel, until `admitted` is asked about them."""

    def bury(self, table: Table) -> None:
        """Has a table's panel posted again at the bottom when it is sent next."""
        self._written_above.put(table.id, self._count(table.place) - BURIED_IN_PUBLIC)

    def count_message(self, place: Place) -> None:
        """Counts a message that a person has written in a place, whether there is a table or not."""
        counts = self._written if place in self._written else self._written_elsewhere
        counts.put(place, (counts.get(place) or 0) + 1)

    def admitted(self, place: Place) -> bool:
        """Whether a place where the bot could not post admits it again, as a delivery from there shows.

        Forgets that it could not.
        """
        if place not in self._forbidden:
            return False
        self._forbidden.pop(place)
        return True

    async def send(self, platform: Platform, table: Table) -> int:
        """Sends a table's public panel, and the announcements before it; in a private chat, nothing.

        Returns how many messages were written, edited or deleted. Raises `Dropped` if news that the page
        needs is not in memory.
        """
        room = await self._people.room(table.place)
        if room.private:
            stored = await self._records.stored(table.id, table.place, PUBLIC)
            self._messages.give_up(stored, table.id, PUBLIC)
            return 0
        say = await self._people.say_in(table.place, table)
        panel, messages = await self._records.read(table.id, table.place, PUBLIC), 0

        async def post(name: str) -> str:
            message = await platform.post(table.place, page, once=name)
            self._written_above.put(table.id, self._count(table.place))
            return message

        try:
            edits = platform.limits.edits
            # Without edits, every piece of news stays in sight.
            announcements = table.announcements[panel.announced :] if edits else ()
            for n, event in enumerate(announcements, panel.announced + 1):
                note = page_of(table, say, partial(_note, say, event.text))
                await platform.post(table.place, note, once=once(table.id, "announced", n))
                messages += 1
                # Counted one by one: the next post may fail, and no event is announced twice.
                panel = await self._records.mark_dirty(replace(panel, announced=n))
            link, since = await self._link(platform, table), self._messages.since(platform, table, panel)
            page = page_of(
                table,
                say,
                lambda: public_page(table, say, platform.limits, link, since=since, announced=edits),
            )
            buried = edits and (messages or self._count_below(table) >= BURIED_IN_PUBLIC)
            if buried and panel.message and Shown.of(page) != self._records.cache.shown(table.id, PUBLIC):
                await delete(platform, panel.message)
                panel = self._records.cache.lose_message(panel)
                messages += 1
            shown = await self._messages.show(platform, table, panel, page, post)
            self._messages.tell(table.place, page, shown)
            messages += shown
        except Forbidden as forbidden:
            why = reason(forbidden)
            log.warning(
                "table %s: the public panel was not sent, the bot may not post in its chat: %s", table.id, why
            )
            self._forbidden.put(table.place, None)
            self._messages.give_up(panel, table.id, PUBLIC)
            return messages
        return messages

    def _count(self, place: Place) -> int:
        """The messages that people have written in a place, which counts as one with a table from now on."""
        if (written := self._written.get(place)) is None:
            written = self._written_elsewhere.pop(place) or 0
            self._written.put(place, written)
        return written

    def _count_below(self, table: Table) -> int:
        """The messages below a table's panel, as far as this process has counted them."""
        written, above = self._count(table.place), self._written_above.get(table.id) or 0
        # Fewer than above the panel: the place was forgotten, and its count began anew.
        return written if above > written else written - above

    async def _link(self, platform: Platform, table: Table) -> str:
        """The address of the private chat while a player of the table cannot be reached there; else empty."""
        for player in table.players:
            if player.person and not player.is_held:
                account = await self._people.account_of(player.person, platform.key)
                if account and not account.reachable:
                    return platform.link()
        return ""


def _note(say: Speech, text: Text) -> Page:
    return Page.note(say(text))
