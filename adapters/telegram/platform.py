"""Telegram as the core sees it: messages out, and the connection over which everything comes in."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from typing import Any

from telegram import InputFile, ReplyParameters, Update
from telegram.constants import ParseMode
from telegram.error import BadRequest, ChatMigrated, Conflict, InvalidToken, NetworkError, TelegramError
from telegram.ext import Application, ApplicationBuilder, BaseRateLimiter, ExtBot, TypeHandler

from adapters.telegram.commands import offer_commands
from adapters.telegram.failures import told
from adapters.telegram.front import KEY, Front, InTurn
from adapters.telegram.pace import Pace
from adapters.telegram.pages import LIMITS, content, keyboard
from adapters.telegram.transport import AioRequest, Sending
from adapters.telegram.webhook import Webhook, listening
from bot.desk import Desk
from bot.model import Account, Place
from bot.ports import Clock, File, Later, Limits, NotAdmitted, Page, Unreachable

log = logging.getLogger(__name__)

_App = Application[ExtBot[int], Any, Any, Any, Any, Any]

HEARD = (Update.MESSAGE, Update.CALLBACK_QUERY, Update.MY_CHAT_MEMBER, Update.CHAT_MEMBER)
"""What we ask Telegram to send us."""

TELEGRAM = "https://api.telegram.org"

_POLL = 30
"""Seconds that Telegram keeps a request for news open."""
_PLAIN = {"link_preview_options": '{"is_disabled": true}'}
_SOON = 1.0
_GRACE = 5.0
"""Seconds that answers may still take when we stop."""


@dataclass(frozen=True, slots=True)
class Options:
    """How Telegram is reached, and how it reaches us."""

    api_url: str = TELEGRAM
    """Another address where a Bot API server of one's own is to be used."""
    webhook: Webhook | None = None
    """Where Telegram is to bring its news; without, we fetch them."""


class TelegramPlatform:
    """The core's platform, over an application of the library."""

    def __init__(
        self,
        token: str,
        clock: Clock,
        options: Options | None = None,
        limiter: BaseRateLimiter[int] | None = None,
    ) -> None:
        self._options = options or Options()
        self._requests = (Sending(), AioRequest(1))
        self._application = _built(token, self._options, limiter or Pace(clock), *self._requests)
        self._clock = clock
        self._admitted = asyncio.Event()
        self._desk: Desk | None = None

    @property
    def key(self) -> str:
        return KEY

    @property
    def limits(self) -> Limits:
        return LIMITS

    @property
    def bot(self) -> ExtBot[int]:
        """The library's own way to write."""
        return self._application.bot

    async def post(self, place: Place, page: Page, call: Account | None = None) -> str:
        """A new message in a group or a topic of it."""
        return await self._write(int(place.chat), page, place.thread, call=call)

    async def whisper(self, account: Account, page: Page) -> str:
        """A new message in our chat with somebody, which has the number that they have."""
        return await self._write(int(account.user), page)

    async def edit(self, message: str, page: Page) -> None:
        """Changes a message."""
        chat, number = _ids(message)
        async with self._sending(chat):
            await self.bot.edit_message_text(
                content(page),
                chat_id=chat,
                message_id=number,
                parse_mode=ParseMode.HTML,
                api_kwargs=_PLAIN | keyboard(page),
                rate_limit_args=0,
            )

    async def delete(self, message: str) -> None:
        """Takes a message away."""
        chat, number = _ids(message)
        async with self._sending(chat):
            await self.bot.delete_message(chat, number, rate_limit_args=0)

    def link(self, payload: str) -> str:
        """The address that opens our chat; empty until Telegram has told us our name."""
        return f"https://t.me/{self.bot.username}?start={payload}" if self._admitted.is_set() else ""

    async def answer(self, place: Place, page: Page, to: int) -> None:
        """A message in answer to somebody's, where everybody may read it."""
        await self._write(int(place.chat), page, place.thread, to=to)

    async def hand_over(self, place: Place, file: File) -> None:
        """A file in a chat."""
        chat = int(place.chat)
        async with self._sending(chat):
            await self.bot.send_document(
                chat,
                InputFile(file.content, filename=file.name),
                message_thread_id=int(place.thread) if place.thread else None,
            )

    async def enter(self) -> None:
        """Makes us known to Telegram, and waits where it cannot be reached. Raises `NotAdmitted`."""
        wait = 5.0
        while not self._admitted.is_set():
            try:
                await self._application.initialize()
                self._admitted.set()
            except InvalidToken:
                await self.close()
                raise NotAdmitted("Telegram does not accept TELEGRAM_TOKEN") from None
            except NetworkError as error:
                log.warning("Telegram cannot be reached (%s); next try in %s s", error.message, wait)
                await self._clock.sleep(wait)
                wait = min(2 * wait, 300.0)

    async def run(self, desk: Desk) -> None:
        """Serves Telegram until it is cancelled."""
        await self.enter()
        self._desk = desk
        # Only now we know the way to our chat, which tables may have to show.
        await desk.panels.wake()
        front = Front(self, self.bot, desk)
        self._application.add_handler(TypeHandler(Update, front.hear))
        self._application.add_error_handler(front.failed)
        try:
            await self._application.start()
            with _logged("the menus of commands could not be set"):
                await offer_commands(self.bot)
            async with self._connected():
                log.info("on Telegram as @%s: add it to a group from its profile", self.bot.username)
                await asyncio.Event().wait()
        finally:
            if self._application.running:
                with suppress(TimeoutError):
                    async with asyncio.timeout(_GRACE):
                        await self._application.stop()
            await self.close()

    async def close(self) -> None:
        """Closes the connections."""
        self._admitted.clear()
        with suppress(TelegramError):
            await self._application.shutdown()
        # The library leaves them open where it was not let in.
        for request in self._requests:
            await request.shutdown()

    @asynccontextmanager
    async def _connected(self) -> AsyncIterator[None]:
        """While this lasts, what people send comes in."""
        if self._options.webhook:
            async with listening(self._application, self._options.webhook, HEARD):
                yield
            return
        updater = self._application.updater
        assert updater is not None
        await updater.start_polling(
            timeout=_POLL, bootstrap_retries=-1, allowed_updates=HEARD, error_callback=_polling_failed
        )
        try:
            yield
        finally:
            await updater.stop()

    async def _write(
        self, chat: int, page: Page, thread: str = "", *, call: Account | None = None, to: int = 0
    ) -> str:
        async with self._sending(chat):
            message = await self.bot.send_message(
                chat,
                content(page, call),
                parse_mode=ParseMode.HTML,
                message_thread_id=int(thread) if thread else None,
                api_kwargs=_PLAIN | keyboard(page),
                reply_parameters=ReplyParameters(to, allow_sending_without_reply=True) if to else None,
                # What somebody waits for is tried again; of a table the newest is sent next time.
                rate_limit_args=None if to else 0,
            )
            return f"{chat}/{message.message_id}"
        raise Unreachable

    @asynccontextmanager
    async def _sending(self, chat: int) -> AsyncIterator[None]:
        """Waits until we are admitted, and raises the core's errors."""
        await self._admitted.wait()
        try:
            with told(chat):
                yield
        except ChatMigrated as moved:
            if self._desk:
                await self._desk.chat_moved(KEY, str(chat), str(moved.new_chat_id))
            raise Later(_SOON) from None


def _built(
    token: str, options: Options, limiter: BaseRateLimiter[int], sending: AioRequest, polling: AioRequest
) -> _App:
    api = options.api_url.rstrip("/")
    builder = (
        ApplicationBuilder()
        .token(token)
        .base_url(f"{api}/bot")
        .base_file_url(f"{api}/file/bot")
        .request(sending)
        .get_updates_request(polling)
        .rate_limiter(limiter)
        .concurrent_updates(InTurn(256))
        .job_queue(None)
    )
    if options.webhook:
        builder = builder.updater(None)
    built: _App = builder.build()
    return built


def _ids(message: str) -> tuple[int, int]:
    chat, _, number = message.partition("/")
    return int(chat), int(number)


def _polling_failed(error: TelegramError) -> None:
    if isinstance(error, Conflict):
        log.warning("another program fetches the news of this bot, or it has a webhook: %s", error.message)
    elif not isinstance(error, BadRequest):
        log.warning("the news cannot be fetched (%s); trying again", error.message)
    else:
        log.error("Telegram refuses to give the news: %s", error.message)


@contextmanager
def _logged(what: str) -> Iterator[None]:
    try:
        yield
    except TelegramError as error:
        log.warning("%s: %s", what, error.message)
