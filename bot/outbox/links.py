"""Links to the messages of panels, where messages have addresses."""

from __future__ import annotations

from bot.model.ids import PUBLIC, ReaderId
from bot.outbox.records.records import PanelRecords
from bot.people import People
from bot.ports import EPHEMERAL, Platforms
from bot.tables.table import Table


class PanelLinks:
    """Knows the messages of the panels of open tables, and their addresses."""

    def __init__(self, people: People, platforms: Platforms, records: PanelRecords) -> None:
        self._people = people
        self._platforms = platforms
        self._records = records

    async def link(self, table: Table, reader: ReaderId) -> str:
        """The address of an open table's panel; empty if its message has none, or if there is no message."""
        message = await self.message(table, reader)
        if not message or message.startswith(EPHEMERAL):
            return ""
        community = (await self._people.room(table.place)).community if reader == PUBLIC else ""
        return self._platforms[table.place.platform].message_link(message, community)

    async def message(self, table: Table, reader: ReaderId) -> str:
        """The id of the message of an open table's panel; empty if there is none."""
        if table.status == "over":
            return ""
        panel = await self._records.stored(table.id, table.place, reader)
        return panel.message if panel else ""
