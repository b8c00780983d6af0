"""The keeper: keeps the leases of this process by beats, claims tables with pending work, and resumes them.

It also puts to rest the tables in memory that nobody uses.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Sequence
from functools import partial

from bot.errors import origin
from bot.model.ids import GameId, PersonId, ProcessId
from bot.model.leases import ChatKey, Lease, Outage
from bot.model.tables import Refused
from bot.ports import Platforms
from bot.recent import Recent
from bot.seldom_log import SeldomLog
from bot.storage import AFTER_ALL, ALIVE, Store, StoreError, Uncertain, Unreadable
from bot.table_service.commits import NotKept
from bot.table_service.loading import UnknownTable
from bot.table_service.service import TableService
from bot.tables.clocks import PlaysForced, attend, no_forced_moves, no_quiet_hours
from bot.tables.seating import holders
from bot.tables.table import Table
from bot.tables.turn_clock import is_correspondence
from bot.tables.versions import DamagedTable, NewerTable
from bot.times.local_time import QuietUntil
from engines import games

log = logging.getLogger(__name__)

BEAT_EVERY = 2.0
"""Seconds between two beats; after `ALIVE` seconds without one, other processes take over."""
BEAT_ALONE = 4.0
"""The same where no other process shares the store: the beats only tell how long no process ran."""
CLAIM_EVERY = 1.0
"""Seconds between two claims, unless the first has found `CHUNK` tables or more."""
CHUNK = 20
"""The most due tables of one claim, and the most chats that it takes for unsent panels alone."""
TABLES_A_SECOND = 200
"""About the most tables taken up in a second, so that presses are answered meanwhile."""
SOON = 5.0
"""The fewest seconds until an attended table is due again; but turn alerts and forced moves may be sooner."""
BACKOFF = 10.0
"""Seconds until a table that could not be taken up is tried again, doubled for each failure in a row."""
LONGEST_BACKOFF = 3600.0
"""The most seconds between two tries."""
LONGEST_HOLD = 60.0
"""The most seconds for which this process holds a chat where a newer version's table has pending work."""
QuietHours = Callable[[Iterable[PersonId]], Awaitable[QuietUntil]]
"""Finds the quiet hours of people."""
_MOST_FAILING = 10_000
"""The most tables whose failures are counted, and the most chats of which `_given_back` tells."""


class Keeper:
    """Resumes tables with pending work though no player presses, as when another process has died.

    A table is taken up by resuming it and then calling ``take_up``, which queues its unsent panels and the
    turn alerts that are due, and returns the time at which the next alert may be due.
    """

    def __init__(
        self,
        store: Store,
        service: TableService,
        platforms: Platforms,
        take_up: Callable[[Table], Awaitable[float | None]],
        quiet_hours: QuietHours | None = None,
        plays_forced: Callable[[Iterable[PersonId]], Awaitable[PlaysForced]] | None = None,
    ) -> None:
        self._store = store
        self._service = service
        self._platforms = platforms
        self._take_up = take_up
        self._quiet_hours = quiet_hours
        self._plays_forced = plays_forced
        self._outages: Sequence[Outage] = ()
        """The outages in the store, as read when there were last tables to resume."""
        self._gained: dict[ChatKey, None] = {}
        """The chats gained since the store was last asked which tables have pending work."""
        self._to_resume: dict[GameId, None] = {}
        """The tables to resume; if the store fails, they stay here, as perhaps no later claim names them."""
        self._to_show: dict[GameId, None] = {}
        """The damaged tables whose panels are to tell of the damage; if the store fails, they stay here."""
        self._failures: Recent[GameId, int] = Recent(_MOST_FAILING)
        """The failures in a row of each table that could not be taken up."""
        self._given_back: Recent[ChatKey, tuple[float, float]] = Recent(_MOST_FAILING)
        """When each chat was last given back for a newer version's table; seconds until it may be again."""
        self._starts = 0
        """The number of times that this process has taken another id."""
        self._alive: frozenset[ProcessId] = frozenset()
        """The living processes, as of the last beat."""
        self._last_beat = 0.0
        """The time at which `_beat` last stored a beat."""
        self._outdated_are_due = False
        """Whether the tables of older rules are known to be due."""
        self._unrested = SeldomLog(service.clock, log, logging.WARNING)
        self._tasks: list[asyncio.Task[None]] = []
        service.leases.listen(self)

    @property
    def _process(self) -> ProcessId:
        return self._service.leases.process

    def gained(self, lease: Lease) -> None:
        """Queues a chat, so that the store is asked soon which of its tables have pending work."""
        self._gained[lease.platform, lease.chat] = None

    def lost(self, platform: str, chat: str) -> None:
        """Forgets a chat that this process no longer keeps."""
        self._gained.pop((platform, chat), None)

    async def start(self) -> None:
        """Beats for the first time, and begins to beat and claim regularly. Raises `StoreError`."""
        await self._beat()
        if not self._store.shared:
            # Only one process serves a store that is not shared: the others were killed.
            for process in self._alive - {self._process}:
                await self._store.retire(process)
        self._tasks = [
            asyncio.create_task(self._claim_regularly()),
            asyncio.create_task(self._beat_regularly()),
        ]

    async def stop(self) -> None:
        """Stops beating and taking up tables; the leases last for `ALIVE` seconds after the last beat."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def close(self) -> None:
        """Gives all leases back; the next process sends the unsent panels."""
        await self.stop()
        try:
            await self._store.retire(self._process)
        except StoreError as error:
            log.warning("the leases could not be given back: %s", origin(error))

    async def _beat_regularly(self) -> None:
        shared, failing = self._store.shared, False
        while True:
            await self._service.clock.sleep(BEAT_EVERY if shared else BEAT_ALONE)
            try:
                await self._beat()
                failing = False
            except Exception as error:
                if not failing:
                    log.warning("the beat of this process could not be stored: %s", origin(error))
                failing = True

    async def _beat(self) -> None:
        """Notes that this process is alive, and learns which others are. Raises `StoreError`."""
        service, now = self._service, self._service.clock.now()
        beats = await self._store.beat(self._process, now, self._platforms)
        alive = frozenset(beats)
        if gone := self._alive - alive:
            # A process of older rules that has ended may have gone on with its tables until now.
            self._outdated_are_due = False
            if self._store.shared:
                log.info(
                    "processes that stopped or were killed: %d; their pending work is done by the others: %d",
                    len(gone),
                    len(alive),
                )
        self._last_beat, self._alive = now, alive
        # A store that is not shared has this process alone; others in ``beats`` were killed.
        living = beats.values() if self._store.shared else (self._platforms,)
        service.measures.processes = len(living)
        service.measures.serving = Counter(key for served in living for key in served or self._platforms)

    async def _claim_regularly(self) -> None:
        failing = False
        while True:
            pause = CLAIM_EVERY
            self._rest_unused()
            try:
                if not self._outdated_are_due:
                    self._outdated_are_due = True
                    await self._outdate()
                if await self._claim() >= CHUNK:
                    pause = CHUNK / TABLES_A_SECOND
                failing = False
            except Exception as error:
                if not failing:
                    log.warning("due tables could not be claimed: %s", origin(error))
                failing = True
            await self._service.clock.sleep(pause)

    def _rest_unused(self) -> None:
        """Puts unused tables to rest; a failure costs memory, and delays nothing else."""
        try:
            self._service.rest_unused()
        except Exception as error:
            self._unrested.log(f"unused tables could not be put to rest: {origin(error)}")

    async def _outdate(self) -> None:
        """Makes the tables of older rules due, which are closed as they are claimed."""
        try:
            await self._store.outdate({key: game.revision for key, game in games().items()})
        except BaseException:
            self._outdated_are_due = False
            raise

    async def _claim(self) -> int:
        """Claims the tables with pending work and resumes them; returns the number of tables claimed."""
        service = self._service
        platforms = [key for key, platform in self._platforms.items() if platform.reached]
        try:
            claims = await self._store.claim(self._process, platforms, service.clock.now(), CHUNK)
        except Uncertain:
            await self._start_anew()
            raise
        for claim in claims:
            service.leases.note(claim.lease)
            self._to_resume[claim.game] = None
            if claim.lease.is_new:
                # The claim that took the lease names all tables of the chat with dirty panels; tables that
                # are due, but beyond its limit, come with the next claims.
                self._gained.pop((claim.lease.platform, claim.lease.chat), None)
        self._gained |= dict.fromkeys(service.leases.doubted())
        for chat in list(self._gained):
            pending = await self._store.pending_tables(*chat, service.clock.now() + SOON)
            if chat in self._gained:
                del self._gained[chat]
                self._to_resume |= dict.fromkeys(pending)
        if self._to_resume:
            if service.clock.now() - self._last_beat > ALIVE:
                # The store has just come back: the beat stores the outage, which `attend` makes up for.
                await self._beat()
            self._outages = await self._store.outages()
        attended = list(self._to_resume)
        for game in attended:
            await self._attend(game)
            self._to_resume.pop(game, None)
        self._to_show |= dict.fromkeys(game for game in service.damaged() if game not in attended)
        for game in list(self._to_show):
            await self._show_damaged(game)
            del self._to_show[game]
        return len(claims)

    async def _start_anew(self) -> None:
        """Goes on under another id, since a claim that is uncertain may have taken leases."""
        leases = self._service.leases
        former, name = leases.process, leases.process.partition(".")[0]
        self._starts += 1
        leases.start_anew(f"{name}.{self._starts}")
        self._alive -= {former}
        await self._store.retire(former)
        await self._store.beat(leases.process, self._service.clock.now(), self._platforms)

    async def _attend(self, game: GameId) -> None:
        """Does the pending work of a table and resumes it; a table that fails is tried again later.

        Raises `StoreError` if the store fails, but not if only this table is `Unreadable`: it is due no more.
        """
        service = self._service
        quiet: QuietUntil = no_quiet_hours
        try:
            table = await service.shown(game)
            if self._quiet_hours and is_correspondence(table.turn_seconds):
                quiet = await self._quiet_hours(holders(table))
            forced = await self._plays_forced(holders(table)) if self._plays_forced and table.forced else None
            transition = partial(
                attend, outages=self._outages, quiet_until=quiet, plays_forced=forced or no_forced_moves
            )
            table = await service.resume(game, transition)
            alert_at, now = await self._take_up(table), service.clock.now()
            due = table.at(now, service.bounds.idle).next_due(now + SOON, self._outages)
            due = due if due is None or alert_at is None else min(due, alert_at)
            await self._store.postpone(game, len(table.entries), due)
        except (NotKept, UnknownTable):
            return
        except NewerTable as newer:
            await self._leave_to_newer(game, newer)
        except Unreadable as error:
            await self._put_off(game, error)
        except StoreError:
            raise
        except Exception as error:
            await self._put_off(game, error)
        else:
            self._failures.pop(game)

    async def _show_damaged(self, game: GameId) -> None:
        """Has the panel of a damaged table tell of the damage, even if a press found the damage.

        Raises `StoreError` if the store fails, but not if only this table is `Unreadable`.
        """
        try:
            await self._take_up(await self._service.shown(game))
        except (Refused, Unreadable):
            return
        except StoreError:
            raise
        except Exception as error:
            log.error("the panel of damaged table %s cannot be shown: %s", game, origin(error))

    async def _leave_to_newer(self, game: GameId, newer: NewerTable) -> None:
        """Gives back the lease of a chat with a newer version's table, so that a newer process may take it.

        If none does, this process soon claims the chat again. Then it holds the lease for a while, so that
        the other tables of the chat go on, and puts the newer ones off until it gives the lease back again.
        """
        service = self._service
        if not self._store.shared:
            await self._put_off(game, newer)
            return
        look = await self._store.look(game, AFTER_ALL)
        if look is None or look.keeper != self._process:
            # It was given back for another table, or a newer process has taken it: the table stays due.
            return
        chat, now = (look.place.platform, look.place.chat), service.clock.now()
        last, hold = self._given_back.get(chat) or (0.0, 0.0)
        # A time in the future means that the host's clock was set back since.
        if 0 <= now - last < hold:
            await self._put_off(game, newer, last + hold - now)
            return
        service.leases.lose(*chat)
        await self._store.release(self._process, *chat)
        self._given_back.put(chat, (now, min(2 * hold or BACKOFF, LONGEST_HOLD)))

    async def _put_off(self, game: GameId, error: Exception, pause: float | None = None) -> None:
        """Postpones a table by a pause; logs only the first postponement. A damaged table is due no more.

        If no pause is given, it grows with each failure in a row.
        """
        failures = (self._failures.get(game) or 0) + 1
        self._failures.put(game, failures)
        if isinstance(error, (DamagedTable, Unreadable)):
            # Perhaps the table cannot be written either: the other tables must not wait for it.
            self._to_resume.pop(game, None)
            # The loader has logged why the table cannot be read.
            await self._store.postpone(game, None, None)
            return
        if failures == 1:
            log.error("table %s cannot be resumed: %s", game, origin(error))
        if pause is None:
            # A float holds no power of 2 beyond 1023.
            pause = min(BACKOFF * 2.0 ** min(failures - 1, 1000), LONGEST_BACKOFF)
        await self._store.postpone(game, None, self._service.clock.now() + pause)
