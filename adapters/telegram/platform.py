"""Telegram as a `bot.ports.Platform`: sends messages, and receives updates by polling or by webhook."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager, suppress

from telegram import Bot, ForceReply, InputFile, ReplyParameters, Update
from telegram.constants import ParseMode
from telegram.error import (
    BadRequest,
    ChatMigrated,
    InvalidToken,
    NetworkError,
    RetryAfter,
    TelegramError,
)

from adapters.shared.finding import token_refused
from adapters.shared.ids import message_id, parse_message_id
from adapters.shared.network.reconnect import NotReached, until_reached
from adapters.shared.rendering.message import Message
from adapters.telegram.answers import ANSWER_PATIENCE
from adapters.telegram.commands import offer_commands
from adapters.telegram.ephemeral import EDITED_TEXT, EphemeralMessages, Occasion, chat_of, is_ephemeral
from adapters.telegram.failures import NAME, NOT_A_TOKEN, SETTING, is_too_long, port_errors
from adapters.telegram.pages import KEY, LIMITS, NO_PREVIEW, Content, message_of, question, shortened
from adapters.telegram.polling import Handle, Poller
from adapters.telegram.rate_limiter import Priority, RateLimiter
from adapters.telegram.rendering import Rendering
from adapters.telegram.transport import AioRequest, Sending
from adapters.telegram.updates import UpdateHandler
from adapters.telegram.webhook import Webhook, listening
from bot.inbox.dispatcher import Dispatcher
from bot.model.people import Account
from bot.model.places import Place
from bot.ports import (
    Clock,
    File,
    Forbidden,
    Gone,
    Later,
    Limits,
    NotAdmitted,
    Page,
    Rejected,
    Unreachable,
)
from engines.values import Value, replace

log = logging.getLogger(__name__)

ALLOWED_UPDATES = (Update.MESSAGE, Update.CALLBACK_QUERY, Update.MY_CHAT_MEMBER, Update.CHAT_MEMBER)
"""The kinds of updates that the bot asks Telegram for."""

TELEGRAM = "https://api.telegram.org"
"""The address of Telegram's own Bot API server."""

_SUPERGROUPS = -1_000_000_000_000
"""The ids of supergroups are lower than this, by the number in the addresses of their messages.

See https://core.telegram.org/api/bots/ids; those of small groups are not lower.
"""
TOKEN = re.compile(r"[0-9]+:[A-Za-z0-9_-]+")
"""Matches the form of a Telegram token."""
_PANEL = Priority(tries=0, patience=2.0)
"""A panel or a private answer is not repeated, and waits two seconds at most.

The core sends the newest page of a panel later. The wait is shorter than `bot.outbox.handovers.SETTLED`: a
process that takes over the chat meanwhile shows the panel again after that time, and an outdated page sent
even later would replace it.
"""
_DELETION = Priority(tries=0)
"""A deletion waits its turn, however long, but is not repeated."""
_ANSWER = Priority(patience=ANSWER_PATIENCE, share="answer")
"""An answer that would wait longer than its patience is dropped; answers share a part of a group's limit."""
_REACTION = Priority(tries=0, patience=0.0, share="answer")
"""A reaction is dropped unless the rate limits allow it at once."""
_HTML = {"parse_mode": "HTML"}
_EPHEMERAL_LIMITS = replace(LIMITS, text=EDITED_TEXT, markup=20)
"""The limits of an edited ephemeral message: its text is short, so little of it is kept for markup."""
_MIGRATION_PAUSE = 1.0
"""Seconds until the next try after a group has migrated."""
_PLACEHOLDER_LENGTH = 64
"""The most characters of the placeholder in the input field of a reply."""
_GRACE = 5.0
"""The most seconds to wait, when the platform stops, for the answers that are still being sent."""
_START_PAYLOAD = "hello"
"""The payload of the link to the private chat; with one, Telegram offers a button that sends ``/start``."""


class Options(Value):
    """The addresses of the Bot API and of the webhook."""

    api_url: str = TELEGRAM
    """The address of the Bot API server: Telegram's, or one that the host runs."""
    webhook: Webhook | None = None
    """The webhook to which Telegram sends updates; without one the bot polls for them."""


class TelegramPlatform:
    """Implements `bot.ports.Platform` with the bot of python-telegram-bot.

    The library's `Application` takes no part: it has no way to say that an update is handled.
    """

    def __init__(
        self,
        token: str,
        clock: Clock,
        options: Options | None = None,
        limiter: RateLimiter | None = None,
    ) -> None:
        self._options = options or Options()
        token = token.strip()
        self._has_token_form = bool(TOKEN.fullmatch(token))
        self._requests = sending, updates = Sending(), AioRequest(connections=1)
        api = self._options.api_url.rstrip("/")
        self._bot = Bot(token, f"{api}/bot", f"{api}/file/bot", request=sending, get_updates_request=updates)
        self._limiter = limiter or RateLimiter(clock, processes=self._processes)
        self._clock = clock
        self._ephemeral = EphemeralMessages(self._bot, self._limiter, clock)
        self._logged_in = asyncio.Event()
        self._receiving = asyncio.Event()
        """Set while updates arrive, or would if there were any."""
        self._dispatcher: Dispatcher | None = None
        self._rendering = Rendering()

    @property
    def key(self) -> str:
        return KEY

    @property
    def limits(self) -> Limits:
        return LIMITS

    @property
    def bot(self) -> Bot:
        """The library's bot, which sends requests."""
        return self._bot

    @property
    def is_connected(self) -> bool:
        return self._receiving.is_set()

    @property
    def reached(self) -> bool:
        """Whether the bot is logged in."""
        return self._logged_in.is_set()

    async def post(self, place: Place, page: Page, mention: Account | None = None, *, once: str = "") -> str:
        """Sends a page to a group or a topic; ignores ``once``, since Telegram cannot tell repetitions."""
        return await self._write(int(place.chat), page, place.thread, mention=mention)

    async def whisper(self, account: Account, page: Content, *, once: str = "") -> str:
        """Sends a page to a private chat, which has the same id as its user."""
        return await self._write(int(account.user), page)

    async def edit(self, message: str, page: Content) -> None:
        """Edits a message."""
        if is_ephemeral(message):
            await self._edit_ephemeral(message, message_of(page))
            return
        (chat, number), shown = parse_message_id(message), message_of(page)

        async def edit(text: str, buttons: dict[str, str]) -> None:
            await self._limiter.send(
                chat,
                _PANEL,
                self._requests[0].call,
                f"{self.bot.base_url}/editMessageText",
                {"chat_id": chat, "message_id": number, "text": text, **_HTML, **NO_PREVIEW, **buttons},
            )

        async with self._sending(chat):
            await self._rendering.send(shown, edit)

    async def delete(self, message: str) -> None:
        """Deletes a message. Raises `Gone` if its group has another id now: no request reaches it there."""
        if is_ephemeral(message):
            async with self._sending(chat_of(message), once_moved=Gone()):
                await self._ephemeral.delete(message)
            return
        chat, number = parse_message_id(message)
        async with self._sending(chat, once_moved=Gone()):
            await self._limiter.send(chat, _DELETION, self.bot.delete_message, chat, number)

    def link(self) -> str:
        """The address that opens the private chat; empty until the bot's name is known."""
        return f"https://t.me/{self.bot.username}?start={_START_PAYLOAD}" if self._logged_in.is_set() else ""

    def message_link(self, message: str, community: str = "") -> str:
        """The address of a message in a supergroup; empty elsewhere, where Telegram has no addresses."""
        chat, number = parse_message_id(message)
        return f"https://t.me/c/{_SUPERGROUPS - chat}/{number}" if chat < _SUPERGROUPS else ""

    async def answer_query(self, query: str, parameters: Mapping[str, str | bool]) -> None:
        """Answers a callback query. Raises the library's errors."""
        url = f"{self.bot.base_url}/answerCallbackQuery"
        await self._requests[0].call(url, {"callback_query_id": query, **parameters})

    async def open_alone(self, occasion: Occasion, page: Content) -> str:
        """Sends a page as an ephemeral message to a group, and returns the message's id.

        The page must hold no secret; secrets come with a later edit. Raises `Unreachable` if the server has
        no ephemeral messages, or if this one answers neither a press nor an ephemeral command and the group
        has refused one like it within the last minutes.
        """
        shown = message_of(page)
        async with self._sending(occasion.chat):
            return await self._rendering.send(
                shown, lambda text, buttons: self._ephemeral.open(occasion, text, buttons)
            )
        # Never reached, here and below: `port_errors` ignores only an error that an edit causes.
        raise Unreachable

    async def answer(
        self, place: Place, page: Content, to: int, sender: str = "", patience: float = ANSWER_PATIENCE
    ) -> None:
        """Posts in a group, as a reply unless ``to`` is 0; each sender has a small part of the group's limit.

        Raises `Later` if that part allows no answer within ``patience`` seconds.
        """
        priority = replace(_ANSWER, sender=sender, patience=patience)
        await self._write(int(place.chat), page, place.thread, to=to, priority=priority)

    async def react(self, place: Place, to: int, emoji: str, sender: str) -> None:
        """Adds a reaction to a message; raises `Later` if the group's or the sender's limit is used up."""
        chat, priority = int(place.chat), replace(_REACTION, sender=sender)
        async with self._sending(chat):
            await self._limiter.send(chat, priority, self.bot.set_message_reaction, chat, to, emoji)

    async def ask(self, account: Account, words: str, data: str) -> str:
        """Sends a `question` to a private chat, and returns its id; a reply brings the callback data back."""
        chat = int(account.user)
        async with self._sending(chat):
            message = await self._limiter.send(
                chat,
                _ANSWER,
                self.bot.send_message,
                chat,
                question(words, self.link(), data),
                parse_mode=ParseMode.HTML,
                reply_markup=ForceReply(input_field_placeholder=words[:_PLACEHOLDER_LENGTH]),
                api_kwargs=NO_PREVIEW,
            )
            return message_id(chat, message.message_id)
        raise Unreachable

    async def send_file(self, place: Place, file: File, sender: str) -> None:
        """Sends a file to a chat; each sender has a small part of a group's limit."""
        chat = int(place.chat)
        async with self._sending(chat):
            await self._limiter.send(
                chat,
                replace(_ANSWER, sender=sender),
                self.bot.send_document,
                chat,
                InputFile(file.content, filename=file.name),
                message_thread_id=int(place.thread) if place.thread else None,
            )

    async def enter(self) -> None:
        """Logs in; tries again while Telegram cannot be reached.

        Raises `NotAdmitted` if the token does not look like one, or if Telegram rejects it. A login that
        fails for good, or is cancelled, closes the connections.
        """
        if not self._has_token_form:
            raise NotAdmitted(NOT_A_TOKEN)
        try:
            await until_reached(NAME, self._log_in, self._clock)
        except BaseException:
            await self.close()
            raise

    async def run(self, dispatcher: Dispatcher) -> None:
        """Serves Telegram until it is cancelled. Raises `NotAdmitted`."""
        await self.enter()
        self._dispatcher = dispatcher
        updates = UpdateHandler(self, self.bot, dispatcher, self._clock)
        try:
            with _logged("the bot could not set its command menus"):
                await offer_commands(self.bot, ephemeral=await self._ephemeral.are_known())
            async with self._connected(updates.handle) as work:
                log.info("serving Telegram as @%s; add it to a group from its profile", self.bot.username)
                await asyncio.wait((work,))
                work.result()
        finally:
            await updates.finish(_GRACE)
            await self.close()

    async def close(self) -> None:
        """Closes the connections."""
        self._logged_in.clear()
        with suppress(TelegramError):
            await self._bot.shutdown()
        # The library leaves them open if the login has failed.
        for request in self._requests:
            await request.shutdown()

    async def _log_in(self) -> None:
        """Logs in.

        Raises `NotReached` if Telegram cannot be reached or asks to wait, and `NotAdmitted` if it refuses.
        """
        try:
            await self._bot.initialize()
        except InvalidToken:
            raise NotAdmitted(token_refused(NAME, SETTING).text) from None
        except (NetworkError, RetryAfter) as error:
            raise NotReached(error.message) from None
        self._logged_in.set()

    @asynccontextmanager
    async def _connected(self, handle: Handle) -> AsyncIterator[asyncio.Task[None]]:
        """Receives updates during the block; the yielded task ends only by an error."""
        if webhook := self._options.webhook:
            receiving = listening(self._bot, self._clock, webhook, ALLOWED_UPDATES, handle)
        else:
            receiving = Poller(
                self._bot, self._requests[1], self._clock, ALLOWED_UPDATES, handle, self._receiving
            ).running()
        async with receiving as work:
            self._receiving.set()
            try:
                yield work
            finally:
                self._receiving.clear()

    def _processes(self) -> int:
        """The number of living processes that serve Telegram, as `Keeper` last counted them; at least 1."""
        if not self._dispatcher:
            return 1
        return max(1, self._dispatcher.service.measures.serving[self.key])

    async def _write(
        self,
        chat: int,
        page: Content,
        thread: str = "",
        *,
        mention: Account | None = None,
        to: int = 0,
        priority: Priority = _PANEL,
    ) -> str:
        """Sends a page, and returns the id of its message.

        It replies to the message ``to``, else to the message that the page is about, if that is in the chat.
        """
        shown = message_of(page)
        if shown.about and not to:
            chat_of_about, number = parse_message_id(shown.about)
            to = number if chat_of_about == chat else 0

        async def send(text: str, buttons: dict[str, str]) -> str:
            message = await self._limiter.send(
                chat,
                priority,
                self.bot.send_message,
                chat,
                text,
                parse_mode=ParseMode.HTML,
                message_thread_id=int(thread) if thread else None,
                api_kwargs=NO_PREVIEW | buttons,
                reply_parameters=ReplyParameters(to, allow_sending_without_reply=True) if to else None,
            )
            return message_id(chat, message.message_id)

        async with self._sending(chat):
            return await self._rendering.send(shown, send, mention)
        raise Unreachable

    async def _edit_ephemeral(self, message: str, shown: Message) -> None:
        """Edits an ephemeral message. Raises `Gone` if the server refuses, since it does not say why."""

        async def edit(text: str, buttons: dict[str, str]) -> None:
            await self._ephemeral.edit(message, text, buttons)

        try:
            async with self._sending(chat_of(message), once_moved=Gone()):
                try:
                    await self._rendering.send(shown, edit)
                except BadRequest as refused:
                    if not is_too_long(refused):
                        raise
                    await self._rendering.send(shortened(shown, _EPHEMERAL_LIMITS), edit)
        except (Forbidden, Rejected) as refused:
            raise Gone(str(refused)) from None

    @asynccontextmanager
    async def _sending(self, chat: int, *, once_moved: Gone | None = None) -> AsyncIterator[None]:
        """Waits for the login; raises errors of `bot.ports` in place of the library's.

        Tells the dispatcher if the group has migrated to another id, and raises ``once_moved``, or `Later`.
        """
        await self._logged_in.wait()
        try:
            with port_errors(chat):
                yield
        except ChatMigrated as moved:
            if self._dispatcher:
                await self._dispatcher.chat_moved(KEY, str(chat), str(moved.new_chat_id))
            raise once_moved or Later(_MIGRATION_PAUSE) from None


@contextmanager
def _logged(failure: str) -> Iterator[None]:
    """Logs an error of the library with the words ``failure``, instead of raising it."""
    try:
        yield
    except TelegramError as error:
        log.warning("%s: %s", failure, error.message)
