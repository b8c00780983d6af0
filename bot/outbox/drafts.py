"""Drafts: where each player is in their menu, stored in their panel's row so that it survives restarts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from bot.model import Draft, PersonId
from bot.outbox.records import PanelRecords
from bot.tables.table import Table


class Drafts:
    """Reads and changes the drafts of all players; a draft's stamp may be older than its table's."""

    def __init__(self, records: PanelRecords) -> None:
        self._records = records

    async def read(self, table: Table, person: PersonId) -> Draft:
        """The draft of a player."""
        return (await self._records.read(table.id, person)).draft

    async def change(self, table: Table, person: PersonId, change: Callable[[Draft], Draft]) -> Draft:
        """Replaces a player's draft with ``change``, and returns the new one; raises what ``change`` raises.

        Nothing is awaited between reading the draft and caching the new one, so that two quick presses
        both count.
        """
        panel = await self._records.read(table.id, person)
        draft = change(panel.draft)
        if draft == panel.draft:
            return draft
        await self._records.mark_dirty(replace(panel, draft=draft))
        return draft
