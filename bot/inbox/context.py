"""Somebody at the front door: who they are, where they stand, how they are spoken to."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.i18n import Speech
from bot.model import Person, Refused
from bot.outbox.panels import Panels
from bot.pages.table_page import private
from bot.people import People, names
from bot.ports import Caller, Platform, Reply
from bot.tables.service import TableService, Transition
from bot.tables.table import Table
from engines.game import IllegalMove


class Refusal(Exception):
    """Something cannot be done, and its sender is told why in these words."""

    def __init__(self, words: str, *, open: bool) -> None:
        super().__init__("refused")
        self.words = words
        self.open = open


@dataclass(frozen=True, slots=True)
class Context:
    """What is needed to answer one thing that somebody has sent."""

    service: TableService
    people: People
    panels: Panels
    platform: Platform
    caller: Caller
    person: Person
    say: Speech
    delivery: str
    own: bool
    """Whether a button was pressed on a page that only its presser sees."""

    def at(self, table: Table) -> Context:
        """The visit to a table, whose players have names."""
        return replace(self, say=replace(self.say, names=names(table)))

    async def change(self, table: Table, transition: Transition) -> Table:
        """Changes a table as the sender asks; what is refused is told with the players' names."""
        try:
            return await self.service.change(table.id, transition, self.delivery)
        except (Refused, IllegalMove) as refused:
            # Why a move is illegal may tell of cards.
            is_open = isinstance(refused, Refused)
            raise Refusal(self.at(table).say(refused.reason), open=is_open) from None

    async def shown(self, table: Table, notice: str = "") -> Reply:
        """An answer with the sender's page in it, where it is that page they pressed on.

        Elsewhere their panel shows the same.
        """
        if not self.own or table.seat_of(self.person.id) is None:
            return Reply(notice)
        draft = await self.panels.draft_of(table, self.person.id)
        page = private(table, self.person.id, self.at(table).say, self.platform.limits, draft)
        return Reply(notice, page)
