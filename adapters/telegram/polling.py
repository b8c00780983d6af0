"""Receives updates by long polling."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping, Sequence
from typing import Any

from telegram import Bot, Update
from telegram.error import BadRequest, Conflict, InvalidToken, NetworkError, RetryAfter, TelegramError

from adapters.shared.finding import token_refused
from adapters.shared.network.reconnect import Backoff
from adapters.telegram.failures import NAME, SETTING
from adapters.telegram.rate_limiter import seconds_of
from adapters.telegram.received import Received, read
from adapters.telegram.transport import AioRequest
from bot.errors import origin
from bot.ports import Clock, NotAdmitted

log = logging.getLogger(__name__)

Handle = Callable[[Received], Coroutine[Any, Any, None]]
"""Handles an update; raises nothing. Returns once its change is committed, refused or given up."""

POLL = 30
"""Seconds for which Telegram holds a request for updates open while there are none."""
_MOST_UNCONFIRMED = 100
"""The most updates that are fetched and not confirmed; also the most that Telegram sends at once."""
_HANDLING_HEADSTART = 0.25
"""Seconds after which the next request for updates is made though an update is still being handled."""
_FIRST_PAUSE = 1.0
"""Seconds between the first failed request and the next."""
_LONGEST_PAUSE = 30.0
"""The most seconds between two requests that fail."""
_SHUTDOWN_TIMEOUT = 5.0
"""Seconds to wait at the end for the updates that are still being handled."""
_CONFIRM_TIMEOUT = 2.0
"""Seconds that the request which confirms the last updates may take at the end."""


class Poller:
    """Polls for updates, and keeps those that are not confirmed.

    An update is confirmed once it and all before it are handled; if the process dies before, Telegram
    sends it again. The library's own updater confirms updates before they are handled, stops without an
    error when the token is revoked, and pauses by the system's clock.
    """

    def __init__(
        self,
        bot: Bot,
        requests: AioRequest,
        clock: Clock,
        kinds: Sequence[str],
        handle: Handle,
        connected: asyncio.Event,
    ) -> None:
        """Updates of these ``kinds`` are fetched through the connections of ``requests``.

        ``connected`` is set while requests for updates succeed; only the second failure in a row clears it.
        """
        self._bot = bot
        self._requests = requests
        self._connected = connected
        self._handle = handle
        self._clock = clock
        self._kinds = kinds
        self._offset: int | None = None
        """The number below which the next request confirms all updates; None while it confirms none."""
        self._fetched: dict[int, asyncio.Task[None]] = {}
        """The tasks that handle updates, by update number, oldest first; see `_drop_handled`."""
        self._hooked = True
        """Whether a webhook may still be set; Telegram allows polling only once it is deleted."""

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[asyncio.Task[None]]:
        """Polls for updates during the block, and handles them.

        The yielded task ends only by an error, `NotAdmitted` if Telegram rejects the token.
        """
        work = asyncio.create_task(self._fetch())
        try:
            yield work
        finally:
            work.cancel()
            await asyncio.gather(work, return_exceptions=True)
            await self._finish()
            await self._confirm()

    async def _fetch(self) -> None:
        """Polls until it is cancelled. Raises `NotAdmitted` if Telegram rejects the token."""
        failed, backoff = "", Backoff(self._clock, _FIRST_PAUSE, _LONGEST_PAUSE)
        while True:
            try:
                # After a failure, a request that is answered at once shows whether requests succeed again.
                await self._fetch_once(0 if failed else POLL)
            except InvalidToken:
                raise NotAdmitted(token_refused(NAME, SETTING).text) from None
            except RetryAfter as late:
                await self._clock.sleep(seconds_of(late))
            except TelegramError as error:
                if type(error).__name__ != failed:
                    _log_failure(error)
                if failed:
                    self._connected.clear()
                failed = type(error).__name__
                await backoff.pause()
            else:
                if failed:
                    log.info("the bot receives updates again")
                failed = ""
                self._connected.set()
                backoff.reset()

    async def _finish(self) -> None:
        """Waits for updates in work; Telegram resends the first that takes too long, and all after it."""
        if self._fetched:
            _, late = await asyncio.wait(self._fetched.values(), timeout=_SHUTDOWN_TIMEOUT)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)
        self._drop_handled()

    async def _confirm(self) -> None:
        """Confirms the last updates, so that Telegram does not send them again."""
        if self._offset is None:
            return
        try:
            async with asyncio.timeout(_CONFIRM_TIMEOUT):
                await self._updates(0)
        except (TelegramError, TimeoutError) as error:
            # No harm is done: a delivery that was carried out before is ignored.
            log.info("Telegram will send the last updates again: %s", type(error).__name__)

    async def _fetch_once(self, wait: int) -> None:
        """Requests updates, held open up to ``wait`` seconds; handles new ones, and drops handled ones."""
        if self._hooked:
            await self._bot.delete_webhook()
            self._hooked = False
        # While an update is being handled, Telegram sends it and all after it with every response.
        updates = [raw for raw in await self._updates(wait) if raw["update_id"] not in self._fetched]
        for update in _read(updates, self._bot):
            self._fetched[update.update_id] = asyncio.create_task(self._handle(update))
        if self._fetched:
            await asyncio.wait(self._fetched.values(), timeout=_HANDLING_HEADSTART)
        self._drop_handled()

    async def _updates(self, wait: int) -> Sequence[Mapping[str, Any]]:
        """Requests updates, for which Telegram waits up to ``wait`` seconds.

        Raises the library's errors; `NetworkError` also if something else than updates comes, such as a page
        of a proxy. The library's own method is slow, since it also parses presses, and writes what it cannot
        read into the log.
        """
        asked: dict[str, object] = {
            "limit": _MOST_UNCONFIRMED,
            "timeout": wait,
            "allowed_updates": self._kinds,
        }
        if self._offset is not None:
            asked["offset"] = self._offset
        seconds = self._requests.read_timeout + wait
        updates = await self._requests.call(f"{self._bot.base_url}/getUpdates", asked, seconds)
        if not (isinstance(updates, list) and all(map(_is_update, updates))):
            raise NetworkError("what came is no list of updates")
        return updates

    def _drop_handled(self) -> None:
        """Drops the oldest updates from memory as far as they are handled; the next request confirms them."""
        for number, task in tuple(self._fetched.items()):
            if not task.done() or task.cancelled():
                break
            self._offset = number + 1
            del self._fetched[number]


def _is_update(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("update_id"), int)


def _read(updates: Sequence[Mapping[str, Any]], bot: Bot) -> Sequence[Received]:
    """Reads updates; of one that cannot be read, logs the error and keeps the number, which confirms it."""
    received, errors = list[Received](), list[str]()
    for update in updates:
        try:
            received.append(read(update, bot))
        except Exception as error:
            errors.append(origin(error))
            received.append(Update(update["update_id"]))
    if errors:
        log.error(
            "the bot cannot read an update (%s of %s that came): %s", len(errors), len(updates), errors[0]
        )
    return received


def _log_failure(error: TelegramError) -> None:
    if isinstance(error, Conflict):
        log.warning("another program polls for this bot's updates, or a webhook is set: %s", error.message)
    elif isinstance(error, BadRequest):
        log.error("Telegram refuses to send updates: %s", error.message)
    else:
        log.warning("the bot cannot poll for updates (%s); trying again", error.message)
