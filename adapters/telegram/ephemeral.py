"""Ephemeral messages: messages in a group that only one user sees.

They are sent as Bot API 10.3 has it. An older server ignores the parameters, and would post a hand for
everybody to read: one of 10.2 has ephemeral messages, but takes other parameters; one before that has none.
So nothing private is ever sent to a group with `sendMessage`: first comes a text that anybody may read, and
only when the server has answered that this message is ephemeral does an edit bring the rest. The method of
the edit, `editEphemeralMessageText`, can change no other message; a server before 10.2 does not have it.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping

from telegram import Bot, Message
from telegram.constants import ParseMode
from telegram.error import BadRequest, EndPointNotFound, Forbidden, TelegramError

from adapters.telegram.failures import why
from adapters.telegram.pages import NO_PREVIEW
from adapters.telegram.rate_limiter import Priority, RateLimiter
from bot.ports import EPHEMERAL, Clock, Gone, Unreachable
from bot.recent import Recent
from engines.values import Value, replace

log = logging.getLogger(__name__)

EDITED_TEXT = 1024
"""The most characters of an edited ephemeral message; the documented 4096 are refused.

This is a fault of the server: telegram-bot-api#881.
"""

NUMBER = "ephemeral_message_id"
"""The field with the id of an ephemeral message, in requests and responses."""
_OPENING = Priority(tries=0, patience=5.0, share="answer")
"""Telegram accepts a message that answers a press for 15 seconds after the press, so it may not wait long."""
_EDIT = Priority(tries=0, patience=0.0, share="alone")
"""An edit that would have to wait is dropped; if it shows a panel, the core sends the newest page later."""
_DELETION = Priority(tries=1, patience=60.0, share="alone")
"""A deletion may wait for a minute."""
_REFUSAL_REMEMBERED = 600.0
"""Seconds until the next try in a group that has refused an ephemeral message that answered nothing."""
_GROUPS_REMEMBERED = 1000
"""The most groups that are remembered as refusing ephemeral messages that answer nothing."""


class Occasion(Value):
    """The press or the command after which an ephemeral message is sent.

    To Telegram the message is an answer if it follows a press or an ephemeral command; any other is accepted
    only if the bot is an administrator of the group.
    """

    chat: int
    user: int
    """The receiver."""
    thread: str = ""
    query: str = ""
    """The id of the callback query of a press; empty for a command."""
    to: int = 0
    """The ephemeral id of the command, if that is an ephemeral message too; 0 if it is none."""


class EphemeralMessages:
    """Sends, edits and deletes ephemeral messages, if the server knows them."""

    def __init__(self, bot: Bot, limiter: RateLimiter, clock: Clock) -> None:
        self._bot = bot
        self._limiter = limiter
        self._clock = clock
        self._known: bool | None = None
        """Whether the server knows ephemeral messages; None until it has answered."""
        self._refusing: Recent[int, float] = Recent(_GROUPS_REMEMBERED)
        """Groups that have refused a message that answered nothing, and when the next one may be tried."""

    async def are_known(self) -> bool:
        """Whether the server knows ephemeral messages; asks it until it answers, in a way that sends nothing.

        It is asked to delete a message of no chat: it refuses that, or has no such method. False while it has
        not answered.
        """
        if self._known is None:
            nothing = {"chat_id": 0, "receiver_user_id": 0, NUMBER: 0}
            try:
                await self._bot.do_api_request("deleteEphemeralMessage", api_kwargs=nothing)
            except EndPointNotFound:
                self._known = False
                log.info("the Bot API server is older than version 10.2: it has no ephemeral messages")
            except (BadRequest, Forbidden):
                self._known = True
            except TelegramError as error:
                log.info("the bot could not ask for ephemeral messages: %s", why(error))
        return bool(self._known)

    async def open(self, occasion: Occasion, text: str, keyboard: Mapping[str, str]) -> str:
        """Sends an ephemeral message that holds no secret, its text as HTML; returns its id.

        Raises `Unreachable` if that is impossible, and the library's errors.
        """
        is_answer = bool(occasion.query or occasion.to)
        until = self._refusing.get(occasion.chat) or 0.0
        if not await self.are_known() or (not is_answer and until > self._clock.now()):
            raise Unreachable
        parameters: dict[str, object] = {"receiver_user_id": occasion.user}
        if occasion.query:
            parameters["callback_query_id"] = occasion.query
        raw = {**keyboard, **NO_PREVIEW, "ephemeral_message_parameters": json.dumps(parameters)}
        if occasion.to:
            raw["reply_parameters"] = json.dumps({NUMBER: occasion.to})
        try:
            message = await self._limiter.send(
                occasion.chat,
                replace(_OPENING, sender=str(occasion.user)),
                self._bot.send_message,
                occasion.chat,
                text,
                parse_mode=ParseMode.HTML,
                message_thread_id=int(occasion.thread) if occasion.thread else None,
                api_kwargs=raw,
            )
        except BadRequest:
            if not is_answer:
                self._refusing.put(occasion.chat, self._clock.now() + _REFUSAL_REMEMBERED)
            raise
        if number := ephemeral_number(message):
            return ephemeral_id(occasion.chat, occasion.user, number)
        self._known = False
        log.warning("the Bot API server is older than version 10.3: it has posted an ephemeral message")
        await self._limiter.send(
            occasion.chat, _DELETION, self._bot.delete_message, occasion.chat, message.message_id
        )
        raise Unreachable

    async def edit(self, message: str, text: str, keyboard: Mapping[str, str]) -> None:
        """Replaces the text of an ephemeral message, as HTML, and its buttons.

        Raises `Gone` if the server has no ephemeral messages, and the library's errors.
        """
        try:
            await self._limiter.send(
                chat_of(message),
                _EDIT,
                self._bot.do_api_request,
                "editEphemeralMessageText",
                api_kwargs={
                    **_parse(message),
                    "text": text,
                    "parse_mode": ParseMode.HTML,
                    **NO_PREVIEW,
                    **keyboard,
                },
            )
        except EndPointNotFound:
            raise Gone("the server has no ephemeral messages") from None

    async def delete(self, message: str) -> None:
        """Deletes an ephemeral message. Raises as `edit` does."""
        try:
            await self._limiter.send(
                chat_of(message),
                _DELETION,
                self._bot.do_api_request,
                "deleteEphemeralMessage",
                api_kwargs=_parse(message),
            )
        except EndPointNotFound:
            raise Gone("the server has no ephemeral messages") from None


def is_ephemeral(message: str) -> bool:
    """Whether this is the id of an ephemeral message."""
    return message.startswith(EPHEMERAL)


def ephemeral_number(message: Message) -> int:
    """The ephemeral id of a message, which the library does not know; 0 if it is none."""
    number = message.api_kwargs.get(NUMBER)
    return number if isinstance(number, int) else 0


def ephemeral_id(chat: int, user: int, number: int) -> str:
    """The id of an ephemeral message that a user sees in a group."""
    return f"{EPHEMERAL}{chat}/{user}/{number}"


def chat_of(message: str) -> int:
    """The group of an ephemeral message."""
    return int(message.removeprefix(EPHEMERAL).partition("/")[0])


def _parse(message: str) -> dict[str, object]:
    """The parameters by which requests name an ephemeral message."""
    chat, user, number = map(int, message.removeprefix(EPHEMERAL).split("/"))
    return {"chat_id": chat, "receiver_user_id": user, NUMBER: number}
