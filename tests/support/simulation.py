"""Runs the whole bot on both fake platforms in virtual time, and scans everything it sends for secrets."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from bot.app import running
from bot.model.batches import Batch, Behind, Clash, Full, Known, Taken
from bot.model.ids import PersonId, ProcessId
from bot.model.leases import Lease
from bot.model.places import Place, Room
from bot.ports import Clock, Platforms
from bot.ports import Platform as Port
from bot.storage import Store
from bot.store.memory.leases import MemoryLeases
from bot.store.memory.store import MemoryStore
from bot.table_service.bounds import Bounds
from bot.tables.table import Table
from engines.cards import Card
from engines.position import iter_cards
from tests import luck
from tests.support.allowances import AMPLE
from tests.support.clock import VirtualClock
from tests.support.groups import Groups
from tests.support.guild import Guild
from tests.support.laws import Laws
from tests.support.mortal import Process, Watch
from tests.support.process_laws import ProcessLaws
from tests.support.records import Delay, Faults, Guest, Sent, Wire, at_once
from tests.support.secret_scan import SecretScan

Platform = Guild | Groups
TOKEN = "123456:planted-token"
"""A token that no log may show."""


class WatchedLeases(MemoryLeases):
    """Leases that report which process takes one."""

    def __init__(self) -> None:
        super().__init__()
        self.on_lease: Callable[[Lease], None] = lambda lease: None
        """Called with each lease that a process has taken."""

    def take(self, place: Place, process: ProcessId, now: float | None = None) -> Lease | None:
        lease = super().take(place, process, now)
        if lease and lease.is_new:
            self.on_lease(lease)
        return lease


class AccountStore(MemoryStore):
    """A store in memory that reports what it saves, and returns an account's person without awaiting."""

    def __init__(self, *, shared: bool = False) -> None:
        super().__init__(shared=shared)
        self._leases = self.leases = WatchedLeases()
        self.on_room: Callable[[Room], None] = lambda room: None
        """Called after the settings of a place were saved."""
        self.on_append: Callable[[Batch], None] = lambda batch: None
        """Called after a batch was stored."""

    async def append(self, batch: Batch) -> Taken | Behind | Known | Clash | Full:
        verdict = await super().append(batch)
        if isinstance(verdict, Taken):
            self.on_append(batch)
        return verdict

    async def save_room(self, room: Room) -> None:
        await super().save_room(room)
        self.on_room(room)

    def who(self, platform: str, user: str) -> PersonId:
        """The person of an account; empty if the bot does not know the account."""
        account = self._accounts.get((platform, user))
        return account.person if account else ""


class InvariantChecker:
    """Checks after each change of a table that no card is lost and that a player can move."""

    def __init__(self) -> None:
        self.faults = Faults()
        self.tables: dict[str, Table] = {}
        """The newest state of each table ever changed, by its id."""
        self._dealt: dict[str, set[Card]] = {}
        """The cards that each table had when it was dealt, by its id."""

    def on_commit(self, table: Table, before: Table | None) -> None:
        """Checks a changed table; called after each commit."""
        self.tables[table.id] = table
        if table.status != "playing":
            return
        cards = cards_held(table)
        if not cards and table.entries[-1].kind == "undo":
            # The game was taken back to before the deal.
            self._dealt.pop(table.id, None)
        if dealt := self._dealt.get(table.id):
            self.faults.note(cards == dealt, f"cards of {table.key} lost or found: {sorted(cards ^ dealt)}")
        else:
            self._dealt[table.id] = cards
        self.faults.note(table.active(), f"nobody can move at a table of {table.key}")


def cards_held(table: Table) -> set[Card]:
    """The cards in all hands and piles of a table; none before the deal.

    Leaves out `Transient` and `Reference` fields: Svoi's earlier piles (``past``) would hide a lost card.
    """
    return set(iter_cards(table.state))


@dataclass
class Simulation:
    """The bot in one process or in several, its store and clock, and both platforms."""

    seed: str = "S"
    bounds: Bounds | None = None
    clock: VirtualClock = field(default_factory=VirtualClock)
    delay: Delay = at_once
    size: int = 1
    """The number of processes."""
    store: AccountStore = field(init=False)
    guild: Guild = field(init=False)
    groups: Groups = field(init=False)
    scan: SecretScan = field(init=False)
    processes: list[Process] = field(default_factory=list)
    """The processes that run."""
    checker: InvariantChecker = field(default_factory=InvariantChecker)
    laws: Laws = field(default_factory=Laws)
    process_laws: ProcessLaws = field(default_factory=ProcessLaws)
    errors: Faults = field(default_factory=Faults)
    """Errors that the bot has logged."""
    _starts: int = 0
    """The number of processes started so far."""

    def __post_init__(self) -> None:
        self.store = AccountStore(shared=self.size > 1)
        self.scan = SecretScan(self.store.who, (TOKEN,))
        self.store.on_room = lambda room: self.laws.on_room(room, self.clock.now())
        self.store.on_append = self.process_laws.on_append
        self.store.leases.on_lease = lambda lease: self.process_laws.on_lease(lease, self.clock.now())
        self.guild = Guild(self.clock, self._wire(Guild.key), self.delay)
        self.groups = Groups(self.clock, self._wire(Groups.key), self.delay)
        for platform in self.platforms if self.size > 1 else ():
            platform.choose = luck.rng(self.seed, platform.key).choice

    @property
    def platforms(self) -> tuple[Platform, Platform]:
        return self.guild, self.groups

    def _wire(self, platform: str) -> Wire:
        """A wire that scans the payloads of a platform for secrets, and shows them to `Laws`."""
        scan = self.scan.wire(platform)

        def read(sent: Sent) -> None:
            scan(sent)
            self.laws.on_sent(sent, self.checker.tables, self.store.who(platform, sent.user))

        return read

    async def start(self) -> None:
        """Starts the processes that do not run, and delivers the updates that have come meanwhile."""
        while len(self.processes) < self.size:
            await self._start_one()
        await self.groups.come_home()

    async def _start_one(self) -> None:
        self._starts += 1
        process = Process(f"process-{self._starts}")
        rng = luck.rng(self.seed, self._starts)
        store: Store = self.store
        clock: Clock = self.clock
        platforms: Platforms = {platform.key: platform for platform in self.platforms}
        if self.size > 1:
            latency = luck.rng(self.seed, self._starts, "latency")

            async def pause() -> None:
                if latency.random() < 0.1:
                    await self.clock.sleep(latency.uniform(0.001, 0.03))

            store, clock = process.lent(store, pause=pause), process.lent(clock)
            platforms = {key: process.lent(one, self._watch(process, one)) for key, one in platforms.items()}
        dispatcher = await process.work.enter_async_context(
            running(
                store,
                clock,
                platforms,
                rng=rng,
                bounds=self.bounds,
                allowances=AMPLE,
                process=process.name if self.size > 1 else "",
            )
        )
        dispatcher.service.listen(self._on_commit)
        dispatcher.service.listen(self.process_laws.on_commit)
        process.dispatcher = (
            process.serving(dispatcher, self.process_laws.on_answer) if self.size > 1 else dispatcher
        )
        self.processes.append(process)
        for platform in self.platforms:
            platform.dispatchers.append(process.dispatcher)

    def _on_commit(self, table: Table, before: Table | None) -> None:
        """Reports a change to the scan, the checker and the laws, unless another process has reported it."""
        # A chat that moves gives its tables a new place without a new entry.
        if self.size > 1 and (known := self.checker.tables.get(table.id)):
            ahead = len(known.entries) - len(table.entries)
            if ahead > 0 or (ahead == 0 and known.place == table.place):
                return
        for listener in (self.scan, self.checker, self.laws):
            listener.on_commit(table, before)

    def _watch(self, process: Process, platform: Port) -> Watch:
        """A watch that tells the laws to which places a process sends."""
        assert isinstance(platform, Guild | Groups)

        def watch(name: str, given: tuple[Any, ...]) -> None:
            message = platform.messages.get(given[0]) if name in ("edit", "delete") else None
            if place := message.place if message else given[0] if name == "post" else None:
                self.process_laws.on_request(process.name, place, self.clock.now(), platform.current(place))

        return watch

    async def stop(self) -> None:
        """Stops the bot as a shutdown does; users' actions no longer reach it."""
        for process in list(self.processes):
            await self.stop_one(process)

    async def stop_one(self, process: Process) -> None:
        """Stops a process as a shutdown does."""
        self._take_out(process)
        await process.work.aclose()

    async def kill_one(self, process: Process) -> None:
        """Kills a process, so that its leases stay until the others find out."""
        self._take_out(process)
        await process.kill()

    def _take_out(self, process: Process) -> None:
        self.processes.remove(process)
        for platform in self.platforms:
            platform.dispatchers = [
                dispatcher for dispatcher in platform.dispatchers if dispatcher is not process.dispatcher
            ]

    def check(self) -> None:
        """Asserts that the platforms, the scan, the checker, the laws and the log have recorded no fault."""
        platforms = (platform.faults for platform in self.platforms)
        laws = (self.laws.faults, self.process_laws.faults)
        for faults in (*platforms, self.scan.faults, self.checker.faults, *laws, self.errors):
            faults.none()


class _LogCapture(logging.Handler):
    """Scans log records for secrets, and notes errors."""

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
    processes: int = 1,
) -> AsyncIterator[Simulation]:
    """Runs a simulation, scans its log too, and asserts at the end that no rule was broken.

    Within one test, the same seed deals the same cards.
    """
    one = Simulation(seed, bounds, clock or VirtualClock(), delay, processes)
    capture, root = _LogCapture(one.scan, one.errors), logging.getLogger()
    level = root.level
    root.addHandler(capture)
    root.setLevel(logging.DEBUG)
    try:
        with luck.of(luck.name("simulation", seed)):
            await one.start()
            yield one
            # Lets tasks that can run now go on; `settle` might fail, as this clock keeps waking the keeper.
            await one.clock.sleep(0)
            await one.stop()
            await one.process_laws.check(one.store)
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
    return platform.place(name, *(guest.user for guest in guests))
