"""A whole house between both fake platforms, in virtual time, with everything that leaves it read."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field

from bot.app import running
from bot.inbox.dispatcher import Dispatcher
from bot.model import Account, PersonId, Place
from bot.store.memory import MemoryStore
from bot.tables.service import Bounds
from bot.tables.table import Table
from engines.cards import Card
from engines.position import cards_in
from tests import luck
from tests.fakes import VirtualClock
from tests.platforms.groups import Groups
from tests.platforms.guild import Guild
from tests.platforms.records import Delay, Faults, Guest, at_once
from tests.secrets import Scan

Town = Guild | Groups
TOKEN = "123456:planted-token"


class Register(MemoryStore):
    """The store in memory, which tells at once who an account is."""

    def __init__(self) -> None:
        super().__init__()
        self._known: dict[tuple[str, str], PersonId] = {}

    async def save_account(self, account: Account) -> None:
        await super().save_account(account)
        self._known[account.platform, account.user] = account.person

    def who(self, platform: str, user: str) -> PersonId:
        """The person of an account; empty for a stranger."""
        return self._known.get((platform, user), "")


class Watch:
    """Sees to it at every change of every table that no card is lost and somebody can always move."""

    def __init__(self) -> None:
        self.faults = Faults()
        self.tables: dict[str, Table] = {}
        self._dealt: dict[str, set[Card]] = {}

    def hear(self, table: Table, before: Table | None) -> None:
        """A listener of the house."""
        self.tables[table.id] = table
        if table.status != "playing":
            return
        cards = cards_held(table)
        if dealt := self._dealt.get(table.id):
            self.faults.note(cards == dealt, f"cards of {table.key} lost or found: {sorted(cards ^ dealt)}")
        else:
            self._dealt[table.id] = cards
        self.faults.note(table.awaited(), f"nobody can move at a table of {table.key}")


def cards_held(table: Table) -> set[Card]:
    """The cards that lie somewhere at a table; none before the deal.

    What its state remembers of earlier piles does not count: it would hide a card that is lost.
    """
    return set(cards_in(table.state))


@dataclass
class Village:
    """The house, its store and clock, and both platforms."""

    seed: str = "S"
    bounds: Bounds | None = None
    clock: VirtualClock = field(default_factory=VirtualClock)
    store: Register = field(default_factory=Register)
    delay: Delay = at_once
    guild: Guild = field(init=False)
    groups: Groups = field(init=False)
    scan: Scan = field(init=False)
    watch: Watch = field(default_factory=Watch)
    errors: Faults = field(default_factory=Faults)
    """What the house itself calls an error."""
    _work: AsyncExitStack = field(default_factory=AsyncExitStack, repr=False)
    _starts: int = 0

    def __post_init__(self) -> None:
        self.scan = Scan(self.store.who, (TOKEN,))
        self.guild = Guild(self.clock, self.scan.wire(Guild.key), self.delay)
        self.groups = Groups(self.clock, self.scan.wire(Groups.key), self.delay)

    @property
    def towns(self) -> tuple[Town, Town]:
        return self.guild, self.groups

    async def start(self) -> Dispatcher:
        """Opens the house; what happened meanwhile where that is kept comes in."""
        self._starts += 1
        rng = luck.rng(self.seed, self._starts)
        platforms = {town.key: town for town in self.towns}
        dispatcher = await self._work.enter_async_context(
            running(self.store, self.clock, platforms, rng=rng, bounds=self.bounds)
        )
        dispatcher.service.listen(self.scan.hear)
        dispatcher.service.listen(self.watch.hear)
        self.guild.dispatcher = dispatcher
        await self.groups.come_home(dispatcher)
        return dispatcher

    async def stop(self) -> None:
        """Closes the house in good order."""
        for town in self.towns:
            town.dispatcher = None
        await self._work.aclose()

    def check(self) -> None:
        """Fails where anything broke a rule, though the error may have been swallowed."""
        towns = (town.faults for town in self.towns)
        for faults in (*towns, self.scan.faults, self.watch.faults, self.errors):
            faults.none()


class _Ear(logging.Handler):
    def __init__(self, scan: Scan, faults: Faults) -> None:
        super().__init__(logging.DEBUG)
        self._scan = scan
        self._faults = faults

    def emit(self, record: logging.LogRecord) -> None:
        self._scan.read_log(record)
        self._faults.note(record.levelno < logging.ERROR, f"an error is logged: {record.getMessage()}")


@asynccontextmanager
async def village(
    seed: str = "S",
    *,
    delay: Delay = at_once,
    bounds: Bounds | None = None,
    clock: VirtualClock | None = None,
) -> AsyncIterator[Village]:
    """A village with an open house, whose logs are read too, and which is in order at the end.

    The same seed deals the same cards.
    """
    one = Village(seed, bounds, clock or VirtualClock(), delay=delay)
    ear, root = _Ear(one.scan, one.errors), logging.getLogger()
    level = root.level
    root.addHandler(ear)
    root.setLevel(logging.DEBUG)
    try:
        with luck.of(luck.name("village", seed)):
            await one.start()
            yield one
            await one.clock.settle()
            await one.stop()
    finally:
        await one.stop()
        root.removeHandler(ear)
        root.setLevel(level)
    one.check()


def guest(town: Town, user: str, name: str = "", *, locale: str = "en", opened: bool = True) -> Guest:
    """A user of a platform, who can be written to unless it is said otherwise."""
    if isinstance(town, Guild):
        town.member(user, name, locale=locale, closed=not opened)
    else:
        town.user(user, name, locale=locale, opened=opened)
    return Guest(town, user, name or user)


def place(town: Town, name: str, *guests: Guest) -> Place:
    """A channel or group with these people in it."""
    users = [one.user for one in guests]
    return town.channel(name, *users) if isinstance(town, Guild) else town.group(name, *users)
