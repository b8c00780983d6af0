"""Private messages that are edited until a task is finished, such as the analysis of a game."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import TypeAlias

from bot.errors import PlatformError, origin
from bot.model.ids import GameId
from bot.model.people import Account
from bot.people import People
from bot.ports import Clock, Gone, Later, Page, Platform, Platforms, Unreachable
from bot.storage import StoreError

log = logging.getLogger(__name__)

_Key: TypeAlias = tuple[str, str, GameId]
"""The platform and the user of an account, and a game."""

_MOST_EDITED = 200
"""The most messages that are edited at the same time."""


class Followed:
    """Sends the pages of a task to one person, each in place of the one before."""

    def __init__(self, people: People, platforms: Platforms, clock: Clock) -> None:
        self._people = people
        self._platforms = platforms
        self._clock = clock
        self._tasks: dict[_Key, asyncio.Task[None]] = {}
        self._beginning: set[_Key] = set()
        """The accounts and games whose first page is being sent."""

    async def follow(self, account: Account, game: GameId, pages: AsyncGenerator[Page]) -> bool:
        """Begins to send pages about a game; where messages are edited, the first is sent before it returns.

        Returns False if the first page cannot be sent, if the person is sent pages about the game already, or
        if `_MOST_EDITED` messages are being edited.
        """
        key, platform = (account.platform, account.user, game), self._platforms[account.platform]
        begun = self._tasks.keys() | self._beginning
        if key in begun or len(begun) >= _MOST_EDITED:
            await pages.aclose()
            return False
        message = ""
        if platform.limits.edits:
            self._beginning.add(key)
            try:
                message = await platform.whisper(account, await anext(pages))
            except PlatformError as error:
                if isinstance(error, Unreachable):
                    await self._people.set_reachable(account, False)
                await pages.aclose()
                return False
            finally:
                self._beginning.discard(key)
        task = asyncio.create_task(self._send(platform, account, pages, message))
        self._tasks[key] = task
        task.add_done_callback(lambda _: self._tasks.pop(key, None))
        return True

    async def close(self) -> None:
        """Stops; the messages stay as they are."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _send(
        self, platform: Platform, account: Account, pages: AsyncGenerator[Page], message: str
    ) -> None:
        """Shows the pages in a message, or in a new one if there is none."""
        try:
            async with aclosing(pages):
                async for page in pages:
                    message = await self._shown(platform, account, page, message)
        except (PlatformError, StoreError) as error:
            log.info("a page was not sent: %s", origin(error))
        except Exception as error:
            # The error's message may name cards.
            log.error("a page was not made: %s", origin(error))

    async def _shown(self, platform: Platform, account: Account, page: Page, message: str) -> str:
        """Shows a page in a message, or in a new one if that is gone; returns the message."""
        while True:
            try:
                if not message:
                    return await platform.whisper(account, page)
                await platform.edit(message, page)
            except Gone:
                message = ""
            except Later as later:
                await self._clock.sleep(later.seconds)
            else:
                return message
