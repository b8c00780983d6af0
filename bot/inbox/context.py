"""The context of one delivery: its sender, their language, and the services that answer it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractContextManager, asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import partial

from bot.i18n import Speech
from bot.inbox.allowances import Rates, counted
from bot.inbox.arguments.commands import command_named
from bot.inbox.pending_confirmations import PendingConfirmations
from bot.model.ids import GameId, PersonId
from bot.model.people import Person
from bot.model.places import Place
from bot.model.tables import Refused
from bot.outbox.followed import Followed
from bot.outbox.panels import Panels
from bot.outbox.records.drafts import Drafts
from bot.pages.table_page import private_page
from bot.pages.wording import either
from bot.people import People, names
from bot.ports import Caller, Page, Platform, Reply
from bot.recent import Recent
from bot.replays.films import Films
from bot.storage import Store, StoreError, Uncertain
from bot.table_service.analysis_jobs import Analyses
from bot.table_service.commits import Transition
from bot.table_service.forgetting import Forgetter
from bot.table_service.hints import Hints
from bot.table_service.seat_limit import SeatsFull
from bot.table_service.service import TableService
from bot.tables.clocks import show_presence
from bot.tables.table import Table
from bot.times.delivery_deadline import DeliveryDeadline
from engines.game import IllegalMove, Text, plural
from engines.values import Value, replace

OUTDATED = Text("That no longer works.")
"""The refusal of a press on a button that means nothing any more."""


class Refusal(Exception):
    """A change to a table or a draft is refused; the reason is in the sender's language.

    It is not raised for a delivery that was carried out before: then the table service raises `Repeated`. If
    ``public``, others may read the reason, which says nothing of cards.
    """

    def __init__(self, words: str, *, public: bool) -> None:
        super().__init__("refused")
        self.words = words
        self.public = public


class Stale(Refused):
    """A pressed button is out of date, or stands for nothing that the menu offers now.

    A button is out of date if it was shown before the presser's last move or before a take-back, or if
    another process showed it after moves that this one does not know yet.
    """

    def __init__(self) -> None:
        super().__init__(Text("That menu was out of date. Here is the current one."))


@dataclass(slots=True)
class Progress:
    """How far the handling of a delivery has come, for the reply if the store fails later."""

    deadline: DeliveryDeadline = field(default_factory=DeliveryDeadline.begun)
    committed: bool = False
    """Whether the change to a table that the delivery asks for is stored."""
    found: bool | None = None
    """Whether the delivery was found in the store; None before it was looked up."""

    async def is_stored(self, store: Store, delivery: str) -> bool:
        """Whether a delivery has been carried out; False if the store does not tell in time.

        Looks it up only once.
        """
        if self.found is None:
            self.deadline.extend()
            self.found = False
            with suppress(StoreError, TimeoutError):
                async with asyncio.timeout_at(self.deadline.reply):
                    self.found = bool(delivery) and await store.has_delivery(delivery)
        return self.found


class Context(Value):
    """The sender of a delivery, and the services that its handler asks."""

    store: Store
    service: TableService
    people: People
    panels: Panels
    drafts: Drafts
    hints: Hints
    analyses: Analyses
    forgetter: Forgetter
    films: Films
    followed: Followed
    platform: Platform
    caller: Caller
    person: Person
    """The sender."""
    say: Speech
    delivery: str
    replaceable: bool
    """Whether the reply may replace the page of the pressed button, which only the sender sees."""
    rates: Rates
    progress: Progress
    confirmations: PendingConfirmations
    """Requests to confirm a command, not yet answered."""
    leaderboard_places: Recent[PersonId, Place]
    """The public place in which each person last asked for a leaderboard.

    A press on the leaderboard's keys in the private chat is taken as made in that place; a new command for a
    leaderboard in the private chat forgets it. Other processes don't know it.
    """

    def at(self, table: Table) -> Context:
        """The same context, whose sentences name the players of a table."""
        return replace(self, say=replace(self.say, names=names(table)))

    def command(self, name: str) -> str:
        """A command as the sender types it: with the platform's sign, in the sender's language."""
        declared = command_named(name)
        assert declared is not None
        return self.platform.limits.sign + declared.called(self.say.locale)

    def worded(self, pressed: Text, typed: Text) -> str:
        """The sentence for the sender's platform, where people press buttons or type."""
        return self.say(either(self.platform.limits, pressed, typed))

    async def change(self, table: Table, transition: Transition) -> Table:
        """Applies a transition and returns the table after it.

        Raises `Refusal`, whose words name the table's players, `SeatsFull` for the sender, `Repeated` and
        `StoreError`.
        """
        try:
            after = await self.service.change(table.id, transition, self.delivery)
        except (Refused, IllegalMove) as refused:
            if isinstance(refused, SeatsFull) and refused.person == self.person.id:
                # `Seats.one_more` tells the sender at which tables they sit.
                raise
            # The reason why a move is illegal may reveal cards.
            is_public = isinstance(refused, Refused)
            raise Refusal(self.at(table).say(refused.reason), public=is_public) from None
        except Uncertain:
            if not await self.progress.is_stored(self.store, self.delivery):
                raise
            self.progress.committed = True
            after = await self._catch_up(table)
        self.progress.committed = True
        return after

    async def _catch_up(self, table: Table) -> Table:
        """The table after an uncertain commit that turned out to be stored. Raises `StoreError`."""
        try:
            async with asyncio.timeout_at(self.progress.deadline.reply):
                return await self.service.catch_up(table.id)
        except TimeoutError:
            raise StoreError("the database is too slow") from None

    async def present(self, table: Table) -> Table:
        """The table after the sender of the delivery has shown presence, if they were away."""
        if table.seat_of(self.person.id) not in table.away:
            return table
        return await self.service.change(table.id, partial(show_presence, person=self.person.id))

    async def open(self, place: Place, make: Callable[[int], Table]) -> Table:
        """Opens a table in a place, as `TableService.open` does."""
        table = await self.service.open(place, make, self.delivery)
        self.progress.committed = True
        return table

    async def follow(self, table: Table, make: Callable[[Table, int], tuple[Table, Table]]) -> None:
        """Opens a rematch, as `TableService.follow` does. Raises `Uncertain` if the store fails."""
        try:
            await self.service.follow(table.id, make, self.delivery)
        except StoreError as error:
            # The first of two commits may be stored.
            raise Uncertain(str(error)) from error
        self.progress.committed = True

    def one_new_table(self) -> AbstractContextManager[None]:
        """Counts the table that the block opens. Raises `Refused` if the sender opens too many."""
        most = self.rates.tables.rate.times
        too_often = plural(
            "You've opened {n} table in the last hour. Join another one, or try again later.",
            "You've opened {n} tables in the last hour. Join one, or try again later.",
            most,
        )
        return counted(self.rates.tables, self.caller, too_often)

    @asynccontextmanager
    async def changing_settings(self, place: Place | None = None) -> AsyncIterator[None]:
        """Locks the sender's preferences and the settings of a place, by default the one in which they write.

        Raises `Refused` if the sender changes settings too often.
        """
        too_often = Text("You've changed a lot of settings. Try again in a minute.")
        with counted(self.rates.settings, self.caller, too_often):
            locks = self.people.preference_locks
            async with locks.of(self.person.id), locks.of(place or self.caller.place):
                yield

    async def shown(self, table: Table, notice: str = "", *, refused: bool = False) -> Reply:
        """A reply with a notice. With the page of a player too, if it may replace the one that was pressed.

        The page also comes where messages are not edited, if the press or command is refused (``refused``).
        Otherwise the panels show the table.
        """
        anew = refused and not self.platform.limits.edits
        if not (self.replaceable or anew) or table.seat_of(self.person.id) is None:
            return Reply(notice)
        return Reply(notice, await self.page(table), hand_table=await self.hand_table(table))

    async def page(self, table: Table) -> Page:
        """The sender's page of a table, as their private panel shows it."""
        person, say = self.person.id, self.at(table).say
        panel, room = await self.drafts.panel(table, person), await self.people.room(table.place)
        limits, draft, watches = self.platform.limits, panel.draft, panel.is_watched
        return private_page(table, person, say, limits, draft, watches=watches, alone=room.private)

    async def hand_table(self, table: Table) -> GameId:
        """The table for `Reply.hand_table`; empty if the sender has no seat or can be reached in private."""
        account = await self.people.account_of(self.person.id, self.platform.key)
        is_unreachable = not self.caller.private and not (account and account.reachable)
        return table.id if is_unreachable and table.seat_of(self.person.id) is not None else ""
