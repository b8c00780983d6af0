"""Settles finished games in the background: gives them results and ratings by replaying their logs.

These are games that ended before an update that added results, those that ended while such games waited,
or all games when ratings are rebuilt.

It also purges the tallies of months and weeks that no leaderboard shows any more.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress

from bot.errors import origin
from bot.measures import moment
from bot.model.batches import Stored
from bot.model.ids import GameId
from bot.model.leaderboards import periods
from bot.model.results import Ending
from bot.ports import Clock
from bot.storage import AFTER_ALL, Store, Unreadable
from bot.tables.endings import ending_of
from bot.tables.log.commitment import seed_source_of
from bot.tables.table import Table

log = logging.getLogger(__name__)

CHUNK = 20
"""The most games that are settled in one transaction."""
LOOK_EVERY = 60.0
"""Seconds until the next look for unsettled games, once there are none."""
PAUSE = 10.0
"""Seconds until the next try after a failure of the store, or after another process was ahead."""
PROGRESS_EVERY = 30.0
"""Seconds between two lines of progress in the log."""
PURGE_EVERY = 3600.0
"""Seconds until the next purge of old tallies."""
PURGE_CHUNK = 500
"""The most tallies that one transaction deletes."""
PURGE_REST = 0.2
"""Seconds between two transactions of a purge."""
TALLIES_KEPT = 40 * 86_400.0
"""Seconds for which a tally is kept after its month or week has ended; last month's are still there."""
IDLE = 1.0
"""Seconds of rest for each second of replay, so that players are served meanwhile."""


class Settler:
    """Settles games that have no results yet, in the order in which they ended.

    Several processes may do so at once: the store takes each game once, and in order.
    """

    def __init__(self, store: Store, clock: Clock, idle: float = IDLE) -> None:
        self._store = store
        self._clock = clock
        self._idle = idle
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begins to settle in the background."""
        self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Stops; the next start goes on with the first game that is not settled yet."""
        if self._task:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    async def settle_all(self, tell: Callable[[int, int], None] | None = None) -> int:
        """Settles games until none is unsettled; returns how many this process has settled.

        Calls ``tell`` after each chunk with the number of games settled since the call, by any process, and
        the number that were unsettled at the call.
        """
        done, total = 0, (await self._store.unsettled(0)).left
        while games := (unsettled := await self._store.unsettled(CHUNK)).games:
            endings = [(number, await self._ending(game)) for number, game in games]
            settled = await self._store.settle(endings)
            done += settled
            if tell:
                tell(max(total - unsettled.left, 0) + settled, total)
            if not settled:
                await self._clock.sleep(PAUSE)
        return done

    async def _run(self) -> None:
        has_adopted, purged = False, float("-inf")
        while True:
            pause = LOOK_EVERY
            try:
                if self._clock.now() - purged >= PURGE_EVERY:
                    await self.purge()
                    purged = self._clock.now()
                if not has_adopted:
                    if self._store.shared:
                        # Processes of an older version may have ended games without numbering them.
                        await self._store.adopt()
                    has_adopted = True
                if left := (await self._store.unsettled(0)).left:
                    log.info("%d finished games have no results yet: their logs are replayed for them", left)
                    progress = _Progress()
                    settled = await self.settle_all(progress.tell)
                    log.info("%d games are settled: all finished games have results", settled)
            except Exception as error:
                log.warning("finished games could not be settled: %s", origin(error))
                pause = PAUSE
            await self._clock.sleep(pause)

    async def purge(self) -> None:
        """Deletes the tallies of old months and weeks, some at a time so that games are stored between."""
        _, month, week = periods(self._clock.now() - TALLIES_KEPT)
        while await self._store.purge_tallies(month, week, PURGE_CHUNK) == PURGE_CHUNK:
            await self._clock.sleep(PURGE_REST)

    async def _ending(self, game: GameId) -> Ending | None:
        """The end of a game, if it has a result; from its listing where its log cannot be read.

        If its listing cannot be read either, the game gets no results, so that later ones do not wait for it.
        """
        stored: Stored | None = None
        try:
            stored = await self._store.load(game)
        except Unreadable as error:
            log.warning("table %s is not rated, its log cannot be read: %s", game, origin(error))
            with suppress(Unreadable):
                stored = await self._store.tail(game, AFTER_ALL)
        if stored is None:
            return None
        began = moment()
        ending = await asyncio.to_thread(_ending_of, stored)
        if self._idle:
            await self._clock.sleep(self._idle * (moment() - began))
        return ending


class _Progress:
    """Logs progress, at most once in `PROGRESS_EVERY` seconds."""

    def __init__(self) -> None:
        self._logged_at = moment()

    def tell(self, done: int, total: int) -> None:
        if moment() - self._logged_at >= PROGRESS_EVERY:
            self._logged_at = moment()
            log.info("%d of %d finished games have results", done, total)


def _ending_of(stored: Stored) -> Ending | None:
    """The end of a stored game, if it has a result; from its listing where its log cannot be replayed."""
    listing = stored.listing
    seed_source = seed_source_of(stored.server_seed, stored.seed_words)
    if len(stored.entries) < listing.entries:
        return ending_of(Table.unread(listing, seed_source), listing)
    try:
        table = Table.replay(stored.entries, seed_source)
    except Exception as error:
        log.warning("table %s is not rated, its log cannot be replayed: %s", listing.game, origin(error))
        table = Table.unread(listing, seed_source)
    return ending_of(table, listing)
