"""Threads of tables: each opened below a message in the channel, and archived after the table is over."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial

from bot.errors import PlatformError, reason
from bot.i18n import safe_name
from bot.model.ids import GameId
from bot.model.places import Place, Room
from bot.model.tables import Status
from bot.outbox.posting.panel_messages import page_of
from bot.pages.thread_page import opening_page, thread_page
from bot.people import People
from bot.ports import Clock, Later, Platform, Platforms, Threads
from bot.recent import Recent
from bot.storage import Store, StoreError
from bot.tables.log.table_state import AnyGame
from bot.tables.table import Table

log = logging.getLogger(__name__)

ARCHIVE_AFTER = 300.0
"""Seconds after a table is over until its thread is archived, unless another table is open in it."""
_LOOK_BACK = 2 * ARCHIVE_AFTER
"""How many seconds back a starting process looks for threads in which a table has ended."""
_STAGES_KEPT = 20_000
"""The most tables whose stage, as told above their thread, is remembered."""
_MOST_RETRIED = 1000
"""The most messages above threads whose edits are tried again."""
_SHORTEST_WAIT = 1.0
"""The fewest seconds before an edit is tried again."""
_MOST_ENDING = 1000
"""The most threads that this process waits to archive; the platform archives others later by itself."""


class TableThreads:
    """Opens threads for tables, keeps the messages above them up to date, and archives them."""

    def __init__(self, people: People, platforms: Platforms, store: Store, clock: Clock) -> None:
        self._people = people
        self._platforms = platforms
        self._store = store
        self._clock = clock
        self._shown_stages: Recent[GameId, Status] = Recent(_STAGES_KEPT)
        """By table, the stage at the last edit above its thread, even if the edit failed or is put off."""
        self._retrying: dict[GameId, asyncio.Task[None]] = {}
        """Edits of messages above threads that the platform has put off."""
        self._ending: dict[Place, asyncio.Task[None]] = {}
        self._resuming: asyncio.Task[None] | None = None

    async def open(self, place: Place, game: AnyGame, opener: str) -> Place | None:
        """Opens a thread in a channel for a new table; None if the platform has none or refuses.

        Raises `StoreError`, and archives the thread then.
        """
        platform, say = self._platforms[place.platform], await self._people.say_in(place)
        if not isinstance(platform, Threads):
            return None
        name = f"{say(game.title)} · {safe_name(opener)}"
        try:
            thread = await platform.open_thread(place, opening_page(game.title, safe_name(opener), say), name)
        except PlatformError as error:
            log.info("a thread for a table could not be opened: %s", reason(error))
            return None
        try:
            room = await self._people.room(place)
            await self._people.save_room(
                Room(
                    thread, room.community, channel=place.chat, server=room.server, spoken=room.spoken,
                    threads=True,  # Of a thread: the bot has opened it for a table.
                )
            )  # fmt: skip
        except BaseException:
            await self._archive(thread)
            raise
        return thread

    async def give_up(self, place: Place) -> None:
        """Archives a thread in which no table could be opened."""
        await self._archive(place)

    async def follow(self, platform: Platform, table: Table) -> None:
        """Updates the message above a table's thread at each stage; has the thread archived after the end."""
        room = await self._people.room(table.place)
        if not room.is_own_thread or not isinstance(platform, Threads):
            return
        if self._shown_stages.get(table.id) == table.status:
            return
        say = await self._people.say_in(table.place, table)
        page = page_of(table, say, lambda: thread_page(table, say, platform.limits))
        edit = partial(platform.edit_above, table.place, room.channel, page)
        if retry := self._retrying.get(table.id):
            retry.cancel()
        try:
            await edit()
        except Later as later:
            if len(self._retrying) < _MOST_RETRIED:
                task = asyncio.create_task(self._edit_later(edit, later.seconds))
                self._retrying[table.id] = task
                task.add_done_callback(partial(self._end_retry, table.id))
        except PlatformError as error:
            log.info("the message above a thread could not be edited: %s", reason(error))
        self._shown_stages.put(table.id, table.status)
        if table.status == "over":
            self._archive_after(table.place, ARCHIVE_AFTER)

    async def _edit_later(self, edit: Callable[[], Awaitable[None]], seconds: float) -> None:
        """Edits a message after some seconds, and again whenever the platform puts it off once more."""
        while True:
            await self._clock.sleep(max(seconds, _SHORTEST_WAIT))
            try:
                await edit()
            except Later as later:
                seconds = later.seconds
                continue
            except PlatformError as error:
                log.info("the message above a thread could not be edited: %s", reason(error))
            return

    def _end_retry(self, game: GameId, task: asyncio.Task[None]) -> None:
        if self._retrying.get(game) is task:
            del self._retrying[game]

    def resume(self) -> None:
        """Begins to archive the threads that a former process may have left open."""
        self._resuming = asyncio.create_task(self._resume())

    async def _resume(self) -> None:
        now = self._clock.now()
        try:
            left = await self._store.ended_threads(now - _LOOK_BACK)
        except StoreError:
            log.info("the threads of a former process are left for the platforms to archive")
            return
        for place, ended in left:
            has_threads = isinstance(self._platforms.get(place.platform), Threads)
            if has_threads and place not in self._ending:
                self._archive_after(place, max(0.0, ended + ARCHIVE_AFTER - now))

    async def close(self) -> None:
        """Stops waiting to edit messages and to archive threads.

        A process that starts soon archives the threads.
        """
        tasks = [*self._ending.values(), *self._retrying.values()]
        tasks += [self._resuming] if self._resuming else []
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _archive_after(self, place: Place, seconds: float) -> None:
        """Has a thread archived after some seconds; an earlier call for the thread no longer counts."""
        if earlier := self._ending.pop(place, None):
            earlier.cancel()
        if len(self._ending) < _MOST_ENDING:
            self._ending[place] = task = asyncio.create_task(self._end(place, seconds))
            task.add_done_callback(partial(self._forget_end, place))

    def _forget_end(self, place: Place, task: asyncio.Task[None]) -> None:
        if self._ending.get(place) is task:
            del self._ending[place]

    async def _end(self, place: Place, seconds: float) -> None:
        """Archives a thread after some seconds, unless another table is open in it by then."""
        try:
            await self._clock.sleep(seconds)
            if not await self._store.tables(place):
                await self._archive(place)
        except StoreError:
            log.info("a thread is left for the platform to archive")

    async def _archive(self, place: Place) -> None:
        platform = self._platforms[place.platform]
        if isinstance(platform, Threads):
            with suppress(PlatformError):
                await platform.archive(place)
