"""Receives updates by long polling."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Sequence
from typing import Any

from telegram.error import BadRequest, Conflict, InvalidToken, RetryAfter, TelegramError
from telegram.ext import Application

from adapters.shared.reconnect import Backoff
from adapters.telegram.rate_limiter import seconds_of
from bot.ports import Clock, NotAdmitted

log = logging.getLogger(__name__)

POLL = 30
"""Seconds for which Telegram holds a request for updates open while there are none."""
_FIRST_PAUSE = 1.0
"""Seconds between the first failed request and the next."""
_LONGEST_PAUSE = 30.0
_GOODBYE = 2.0
"""Seconds that the request which confirms the last updates may take at the end."""


@contextlib.asynccontextmanager
async def polling(
    application: Application[Any, Any, Any, Any, Any, Any], clock: Clock, kinds: Sequence[str]
) -> AsyncIterator[asyncio.Task[None]]:
    """Polls for updates of these ``kinds`` during the block, and puts them into the application's queue.

    The yielded task ends only by an error, `NotAdmitted` if Telegram rejects the token. The library's own
    updater stops without an error when the token is revoked, and uses the system's clock.
    """
    news = _Poller(application, clock, kinds)
    work = asyncio.create_task(news.fetch())
    try:
        yield work
    finally:
        work.cancel()
        await asyncio.gather(work, return_exceptions=True)
        await news.confirm()


class _Poller:
    """Polls for updates and keeps the number of the next one."""

    def __init__(
        self,
        application: Application[Any, Any, Any, Any, Any, Any],
        clock: Clock,
        kinds: Sequence[str],
    ) -> None:
        self._bot = application.bot
        self._queue = application.update_queue
        self._clock = clock
        self._kinds = kinds
        self._offset: int | None = None
        self._hooked = True
        """Whether a webhook may still be set; Telegram allows polling only once it is deleted."""

    async def fetch(self) -> None:
        """Polls until it is cancelled. Raises `NotAdmitted` if Telegram rejects the token."""
        failed, backoff = "", Backoff(self._clock, _FIRST_PAUSE, _LONGEST_PAUSE)
        while True:
            try:
                await self._fetch_once()
            except InvalidToken:
                raise NotAdmitted("Telegram does not accept TELEGRAM_TOKEN any more") from None
            except RetryAfter as late:
                await self._clock.sleep(seconds_of(late))
            except TelegramError as error:
                if type(error).__name__ != failed:
                    _say(error)
                failed = type(error).__name__
                await backoff.pause()
            else:
                if failed:
                    log.info("the bot receives updates again")
                failed = ""
                backoff.reset()

    async def confirm(self) -> None:
        """Confirms the last updates, so that Telegram does not send them again."""
        if self._offset is None:
            return
        try:
            async with asyncio.timeout(_GOODBYE):
                await self._bot.get_updates(offset=self._offset, timeout=0, allowed_updates=self._kinds)
        except (TelegramError, TimeoutError) as error:
            # No harm is done: the dispatcher ignores a delivery that it has handled before.
            log.info("Telegram will send the last updates again: %s", type(error).__name__)

    async def _fetch_once(self) -> None:
        if self._hooked:
            await self._bot.delete_webhook()
            self._hooked = False
        updates = await self._bot.get_updates(offset=self._offset, timeout=POLL, allowed_updates=self._kinds)
        for update in updates:
            self._queue.put_nowait(update)
            self._offset = update.update_id + 1


def _say(error: TelegramError) -> None:
    if isinstance(error, Conflict):
        log.warning("another program polls for this bot's updates, or a webhook is set: %s", error.message)
    elif isinstance(error, BadRequest):
        log.error("Telegram refuses to send updates: %s", error.message)
    else:
        log.warning("the bot cannot poll for updates (%s); trying again", error.message)
