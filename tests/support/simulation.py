"""Runs the whole bot on both fake platforms in virtual time, and scans everything it sends for secrets."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field

from bot.app import running
from bot.inbox.dispatcher import Dispatcher
from bot.model import Account, PersonId, Place, Room
from bot.store.memory import MemoryStore
from bot.tables.bounds import Bounds
from bot.tables.table import Table
from engines.cards import Card
from engines.position import iter_cards
from tests import luck
from tests.support.allowances import AMPLE
from tests.support.clock import VirtualClock
from tests.support.groups import Groups
from tests.support.guild import Guild
from tests.support.laws import Laws
from tests.support.records import Delay, Faults, Guest, Sent, Wire, at_once
from tests.support.secret_scan import SecretScan

Platform = Guild | Groups
TOKEN = "123456:planted-token"


class AccountStore(MemoryStore):
    """A store in memory that also returns the person of an account without awaiting."""

    def __init__(self) -> None:
        super().__init__()
        self._known: dict[tuple[str, str], PersonId] = {}
        self.on_room: Callable[[Room], None] = lambda room: None
        """Called after the settings of a place were saved."""

    async def save_account(self, account: Account) -> None:
        await super().save_account(account)
        self._known[account.platform, account.user] = account.person

    async def save_room(self, room: Room) -> None:
        await super().save_room(room)
        self.on_room(room)

    def who(self, platform: str, user: str) -> PersonId:
        """The person of an account; empty if the bot does not know the account."""
        return self._known.get((platform, user), "")


class InvariantChecker:
    """Checks after each change of a table that no card is lost and that a player can move."""

    def __init__(self) -> None:
        self.faults = Faults()
        self.tables: dict[str, Table] = {}
        self._dealt: dict[str, set[Card]] = {}

    def on_commit(self, table: Table, before: Table | None) -> None:
        """Checks a changed table; called after each commit."""
        self.tables[table.id] = table
        if table.status != "playing":
            return
        cards = cards_held(table)
        if not cards and table.entries[-1].kind == "undo":
            # It was set back to before the deal.
            self._dealt.pop(table.id, None)
        if dealt := self._dealt.get(table.id):
            self.faults.note(cards == dealt, f"cards of {table.key} lost or found: {sorted(cards ^ dealt)}")
        else:
            self._dealt[table.id] = cards
        self.faults.note(table.active(), f"nobody can move at a table of {table.key}")


def cards_held(table: Table) -> set[Card]:
    """The cards in all hands and piles of a table; none before the deal.

    Earlier piles that the state records do not count: a lost card in one of them would go unnoticed.
    """
    return set(iter_cards(table.state))


@dataclass
class Simulation:
    """The bot, its store and clock, and both platforms."""

    seed: str = "S"
    bounds: Bounds | None = None
    clock: VirtualClock = field(default_factory=VirtualClock)
    store: AccountStore = field(default_factory=AccountStore)
    delay: Delay = at_once
    guild: Guild = field(init=False)
    groups: Groups = field(init=False)
    scan: SecretScan = field(init=False)
    checker: InvariantChecker = field(default_factory=InvariantChecker)
    laws: Laws = field(default_factory=Laws)
    errors: Faults = field(default_factory=Faults)
    """Errors that the bot has logged."""
    _work: AsyncExitStack = field(default_factory=AsyncExitStack, repr=False)
    _starts: int = 0

    def __post_init__(self) -> None:
        self.scan = SecretScan(self.store.who, (TOKEN,))
        self.store.on_room = lambda room: self.laws.on_room(room, self.clock.now())
        self.guild = Guild(self.clock, self._wire(Guild.key), self.delay)
        self.groups = Groups(self.clock, self._wire(Groups.key), self.delay)

    @property
    def platforms(self) -> tuple[Platform, Platform]:
        return self.guild, self.groups

    def _wire(self, platform: str) -> Wire:
        """Scans the payloads of a platform for secrets, and counts its alerts."""
        scan = self.scan.wire(platform)

        def read(sent: Sent) -> None:
            scan(sent)
            self.laws.on_sent(sent, self.checker.tables, self.store.who(platform, sent.user))

        return read

    async def start(self) -> Dispatcher:
        """Starts the bot, and delivers the updates that a platform has kept since it was stopped."""
        self._starts += 1
        rng = luck.rng(self.seed, self._starts)
        platforms = {platform.key: platform for platform in self.platforms}
        dispatcher = await self._work.enter_async_context(
            running(self.store, self.clock, platforms, rng=rng, bounds=self.bounds, allowances=AMPLE)
        )
        dispatcher.service.listen(self.scan.on_commit)
        dispatcher.service.listen(self.checker.on_commit)
        dispatcher.service.listen(self.laws.on_commit)
        self.guild.dispatcher = dispatcher
        await self.groups.come_home(dispatcher)
        return dispatcher

    async def stop(self) -> None:
        """Stops the bot as a shutdown does; users' actions no longer reach it."""
        for platform in self.platforms:
            platform.dispatcher = None
        await self._work.aclose()

    def check(self) -> None:
        """Asserts that the platforms, the scan, the checker and the log have recorded no fault."""
        platforms = (platform.faults for platform in self.platforms)
        for faults in (*platforms, self.scan.faults, self.checker.faults, self.laws.faults, self.errors):
            faults.none()


class _LogCapture(logging.Handler):
    def __init__(self, scan: SecretScan, faults: Faults) -> None:
        super().__init__(logging.DEBUG)
        self._scan = scan
        self._faults = faults

    def emit(self, record: logging.LogRecord) -> None:
        self._scan.read_log(record)
        self._faults.note(record.levelno < logging.ERROR, f"an error is logged: {record.getMessage()}")


@asynccontextmanager
async def simulation(
    seed: str = "S",
    *,
    delay: Delay = at_once,
    bounds: Bounds | None = None,
    clock: VirtualClock | None = None,
) -> AsyncIterator[Simulation]:
    """Runs a simulation, scans its log too, and asserts at the end that no rule was broken.

    The same seed deals the same cards.
    """
    one = Simulation(seed, bounds, clock or VirtualClock(), delay=delay)
    capture, root = _LogCapture(one.scan, one.errors), logging.getLogger()
    level = root.level
    root.addHandler(capture)
    root.setLevel(logging.DEBUG)
    try:
        with luck.of(luck.name("simulation", seed)):
            await one.start()
            yield one
            # A clock that runs on keeps waking the keeper, so that `settle` might never find a rest.
            await one.clock.sleep(0)
            await one.stop()
    finally:
        await one.stop()
        root.removeHandler(capture)
        root.setLevel(level)
    one.check()


def guest(platform: Platform, user: str, name: str = "", *, locale: str = "en", opened: bool = True) -> Guest:
    """Adds a user to a platform; with ``opened`` they accept private messages."""
    platform.user(user, name, locale=locale, closed=not opened)
    return Guest(platform, user, name or user)


def place(platform: Platform, name: str, *guests: Guest) -> Place:
    """Adds a channel or group with these members to a platform."""
    return platform.place(name, *(one.user for one in guests))
