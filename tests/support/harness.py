"""Runs the bot with one fake platform and any store, and sends commands, presses and lines to it."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

from adapters.shared.rendering.message import Button, Message, as_message
from bot.app import running
from bot.inbox.allowances import Allowances
from bot.inbox.dispatcher import Dispatcher
from bot.model.ids import PersonId
from bot.model.places import Place
from bot.ports import Caller, Page, Platform, Reply
from bot.storage import Store, StoreError
from bot.store.memory.store import MemoryStore
from bot.table_service.bounds import Bounds
from bot.tables.table import Table
from engines.game import Level
from tests import luck
from tests.support.allowances import AMPLE
from tests.support.clock import VirtualClock, settle
from tests.support.platform import ROOMY, FakePlatform

PLACE = Place("wall", "square")
"""The square: the place in which callers are, unless they are in private."""
_deliveries = itertools.count()

ALONE = "alone:"
"""The prefix of the name of a private chat; the user's id follows."""
PLACES = ("square", "plaza", "park")
"""The places of which the bot is a member."""


@dataclass
class BotHarness:
    """A running bot with its fake platform, clock and store."""

    dispatcher: Dispatcher
    platform: FakePlatform
    clock: VirtualClock
    store: Store

    def caller(
        self, name: str, *, private: bool = False, moderator: bool = False, locale: str = "en"
    ) -> Caller:
        """A sender at the square, or in their private chat with the bot."""
        user = name.casefold()
        self.platform.senders.add(user)
        place = Place("wall", ALONE + user) if private else PLACE
        return Caller(user, name, place, "town", private, locale, moderator=moderator, username=user)

    async def say(self, caller: Caller, command: str, **given: str) -> Reply:
        """Sends a command, and waits until no task can run."""
        reply = await self.dispatcher.command(caller, command, given, self.delivery())
        return await self._answered(caller, reply, " ".join(given.values()))

    async def press(self, caller: Caller, data: str, *, replaceable: bool = False, answer: str = "") -> Reply:
        """Presses a button, and waits until no task can run."""
        reply = await self.dispatcher.press(
            caller, data, self.delivery(), replaceable=replaceable, answer=answer
        )
        return await self._answered(caller, reply, f"{data} {answer}")

    async def leave(self, caller: Caller, table: Table | None = None) -> Reply:
        """Leaves a running game (by default that of table 1), and confirms it."""
        table = table or await self.table()
        reply = await self.press(caller, f"{table.id}:{table.stamp}:leave")
        return await self.press(caller, key(reply.page, "Yes, leave").data)

    async def end(self, caller: Caller) -> Reply:
        """Closes a running game for its owner or a moderator, and confirms it."""
        reply = await self.say(caller, "end")
        return await self.press(caller, key(reply.page, "Yes, close it").data)

    async def type(self, caller: Caller, text: str, delivery: str | None = None) -> Reply:
        """Types a line, and waits until no task can run."""
        reply = await self.dispatcher.line(caller, text, self.delivery() if delivery is None else delivery)
        return await self._answered(caller, reply, text)

    async def _answered(self, caller: Caller, reply: Reply, in_reply_to: str) -> Reply:
        with suppress(StoreError):
            if account := await self.store.account(caller.place.platform, caller.user):
                self.platform.persons[caller.user] = account.person
        self.platform.answer(caller.user, reply, in_reply_to)
        await settle()
        return reply

    def delivery(self) -> str:
        return f"wall:{next(_deliveries)}"

    async def table(self, number: int = 1) -> Table:
        """The open table with this number at the square; if there is none, the last one that is over."""
        games = {listing.number: listing.game for listing in await self.store.tables(PLACE)}
        last = await self.store.last_over(PLACE)
        return await self.dispatcher.service.table(games.get(number) or (last.game if last else ""))

    async def person(self, caller: Caller) -> PersonId:
        return (await self.dispatcher.people.person_of(caller)).id

    def public_panel(self) -> Message:
        """The last message at the square."""
        return self.platform.pages(PLACE.chat)[-1]

    def panel(self, caller: Caller) -> Message:
        """The last private message to a player."""
        return self.platform.pages(ALONE + caller.user)[-1]

    async def begin(
        self, key: str, *names: str, level: Level = "normal", clock: str = "off", **given: str
    ) -> list[Caller]:
        """Opens table 1 at the square, seats players in this order and deals; returns the players.

        No turn has a time limit by default, since most tests let more time pass than a turn has.
        """
        callers = [self.caller(name) for name in names]
        await self.say(callers[0], "new", game=key, level=level, clock=clock, **given)
        table = await self.table()
        for caller in callers[1:]:
            await self.press(caller, f"{table.id}:0:join")
        await self.press(callers[0], f"{table.id}:0:start")
        return callers

    async def computers_move(self, number: int = 1) -> None:
        """Lets time pass until a table at the square awaits no computer; fails if that takes very long."""
        for _ in range(1000):
            if not (await self.table(number)).awaited_computers():
                return
            await self.clock.advance(2)
        raise AssertionError("a computer is still awaited")

    async def to_play(self, callers: Sequence[Caller]) -> Caller:
        """The player at the first of the seats that may act."""
        table = await self.table()
        seat = table.active()[0]
        people = {await self.person(caller): caller for caller in callers}
        person = table.players[seat].person
        assert person is not None
        return people[person]


def rendered(page: Page | Message | None) -> Message:
    """A page as the fake platform shows it."""
    assert page is not None
    return as_message(page, ROOMY) if isinstance(page, Page) else page


def keys(page: Page | Message | None) -> list[Button]:
    """All buttons of a page, without the options of a select menu."""
    return [button for row in rendered(page).rows for button in row]


def key(page: Page | Message | None, words: str) -> Button:
    """The first button whose label contains these words."""
    found = [button for button in keys(page) if words in button.label]
    assert found, [button.label for button in keys(page)]
    return found[0]


def offers(page: Page | Message | None, action: str) -> list[Button]:
    """The buttons with this action."""
    return [button for button in keys(page) if button.data.split(":")[2:3] == [action]]


def text(page: Page | Message | None) -> str:
    """The text of a page."""
    shown = rendered(page)
    deadline = (shown.deadline.sentence,) if shown.deadline else ()
    return "\n".join((*shown.above, shown.drawing, *shown.below, *deadline))


@asynccontextmanager
async def bot_harness(
    store: Store | None = None,
    platform: FakePlatform | None = None,
    clock: VirtualClock | None = None,
    *,
    bounds: Bounds | None = None,
    allowances: Allowances = AMPLE,
    line: Platform | None = None,
) -> AsyncIterator[BotHarness]:
    """Runs the bot on one fake platform; asserts at the end that it broke no rule and told no secret.

    The bot sends through ``line`` instead of to the platform itself, if one is given.
    """
    store, platform, clock = (
        store or MemoryStore(),
        platform or FakePlatform(),
        clock or VirtualClock(stopped=True),
    )
    platform.clock, scan = clock, platform.scan_secrets()
    for name in PLACES:
        if name not in platform.places:
            platform.place(name)
    async with running(
        store,
        clock,
        {platform.key: line or platform},
        rng=luck.rng("front"),
        pace=1.0,
        bounds=bounds,
        allowances=allowances,
        # A random id would change the luck of the test.
        process=f"process-{next(_deliveries)}",
    ) as dispatcher:
        dispatcher.service.listen(scan.on_commit)
        yield BotHarness(dispatcher, platform, clock, store)
    platform.faults.none()
    scan.faults.none()
