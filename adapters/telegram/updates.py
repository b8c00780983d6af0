"""Passes Telegram's updates to the dispatcher; the updates of one user are handled in order."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any, NamedTuple

from telegram import (
    Bot,
    Chat,
    ChatMember,
    ChatMemberRestricted,
    ChatMemberUpdated,
    Message,
    User,
)
from telegram.constants import ChatMemberStatus, ChatType
from telegram.error import TelegramError

from adapters.shared.ids import delivery_id, message_id
from adapters.shared.network.reconnect import Backoff
from adapters.shared.patience import acknowledging
from adapters.telegram.answers import Answers, TelegramApi
from adapters.telegram.commands import START, TypedCommand, parse_command
from adapters.telegram.ephemeral import ephemeral_number
from adapters.telegram.failures import why
from adapters.telegram.pages import KEY, asked_in
from adapters.telegram.received import Press, PressedChat, Received, Sender
from bot.errors import reason
from bot.i18n import Speech
from bot.inbox.arguments.commands import COMMANDS, command_named
from bot.inbox.arguments.typed_arguments import arguments
from bot.inbox.buttons import depends_on_moderator
from bot.inbox.dispatcher import Dispatcher
from bot.locks import Locks
from bot.model.places import Place
from bot.ports import Caller, Clock, Page, Reply
from bot.settings.choices import language
from bot.storage import StoreError
from engines.game import Text

log = logging.getLogger(__name__)

_ADMINS_KEPT = 60.0
"""Seconds for which the administrators of a group are cached."""
_ADMINS_USABLE = 3600.0
"""Seconds since they were read for which they still count if they cannot be read again."""

_HANDLING_TIMEOUT = 30.0
"""Seconds after which the handling of an update is given up, so that it does not hold up later ones."""
_MOST_TRIES = 5
"""The most tries to handle an update while the store fails and no player can be told so."""
_FIRST_PAUSE = 1.0
"""Seconds between the first of these tries and the next."""
_LONGEST_PAUSE = 8.0
"""The most seconds between two of these tries."""
_MOST_ANSWERS = 500
"""The most answers that are being sent; while there are so many, no further update is handled."""

_Answer = Callable[[], Coroutine[Any, Any, None]]
"""Sends the answer to an update; called after the update was handled."""


class _Admins(NamedTuple):
    """The administrators of a group, and when they were and will be read."""

    users: frozenset[int] = frozenset()
    """Their user ids."""
    read_at: float = 0.0
    next_read: float = 0.0


class UpdateHandler:
    """Passes updates to the dispatcher and shows its replies."""

    def __init__(self, api: TelegramApi, bot: Bot, dispatcher: Dispatcher, clock: Clock) -> None:
        self._answers = Answers(api, dispatcher)
        self._bot = bot
        self._dispatcher = dispatcher
        self._clock = clock
        self._senders = Locks[str]()
        """Locks by user id, which keep the updates of one user in order."""
        self._admins: dict[int, _Admins] = {}
        """The administrators of each group whose members have needed them in the last hour."""
        self._sending: set[asyncio.Task[None]] = set()
        """The tasks that send answers."""
        self._room = asyncio.Semaphore(_MOST_ANSWERS)
        """The room for more answers: taken while an update is handled, and until its answer is sent."""

    async def handle(self, update: Received) -> None:
        """Handles an update after the earlier updates of the same user, and begins to send the answer.

        Returns once what the update caused is committed, refused or, after `_HANDLING_TIMEOUT`, given up. It
        does not wait for answers, which the rate limiter may delay, unless `_MOST_ANSWERS` of them are being
        sent; it only waits until a button's question is sent, or a callback query answered without a reply.
        Raises nothing: an update that cannot be handled is logged.
        """
        user = update.sender if isinstance(update, Press) else update.effective_user
        await self._room.acquire()
        answer = None
        try:
            async with self._senders.of(str(user.id) if user else ""), asyncio.timeout(_HANDLING_TIMEOUT):
                answer = await self._handled(update)
        except Exception as error:
            # The error's message may contain the text of a user's message, so it is not logged.
            log.error("the bot could not handle an update: %s", reason(error))
        finally:
            if answer is None:
                self._room.release()
        if answer:
            sending = asyncio.create_task(self._send(answer))
            self._sending.add(sending)
            sending.add_done_callback(self._sending.discard)

    async def finish(self, seconds: float | None = None) -> None:
        """Waits until all answers are sent; gives up those that are left after so many seconds."""
        if self._sending:
            _, late = await asyncio.wait(self._sending, timeout=seconds)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)

    async def _send(self, answer: _Answer) -> None:
        try:
            await answer()
        except Exception as error:
            log.error("the bot could not send an answer: %s", reason(error))
        finally:
            self._room.release()

    async def _handled(self, update: Received) -> _Answer | None:
        """Handles an update, and returns what sends the answer; None if none is left to send.

        Tries again if the store fails where no player can be told so. An update that is refused in words
        raises nothing here, and counts as handled.
        """
        backoff = Backoff(self._clock, _FIRST_PAUSE, _LONGEST_PAUSE)
        for _ in range(_MOST_TRIES - 1):
            try:
                return await self._on_update(update)
            except StoreError:
                await backoff.pause()
        return await self._on_update(update)

    async def _on_update(self, update: Received) -> _Answer | None:
        delivery = delivery_id(KEY, self._bot.id, update.update_id)
        if isinstance(update, Press):
            return await self._on_press(update, delivery)
        if query := update.callback_query:
            # Its message has no button of the bot.
            await self._answers.answer_query(query.id)
            return None
        if message := update.message:
            return await self._on_message(message, delivery)
        if change := update.my_chat_member:
            return await self._on_membership_change(change)
        if (change := update.chat_member) and _is_gone(change.new_chat_member):
            await self._on_member_left(change.chat, change.new_chat_member.user)
        return None

    async def _on_press(self, press: Press, delivery: str) -> _Answer | None:
        """Handles a press; if the reply is late, answers the callback query without it."""
        moderates = press.chat.type != ChatType.PRIVATE and depends_on_moderator(press.data)
        moderator = moderates and press.sender.id in await self._admins_of(press.chat.id)
        caller = _caller(press.sender, press.chat, press.thread, moderator=moderator)
        words = await self._dispatcher.asks(caller, press.data)
        if words and await self._answers.with_question(press, caller, words):
            return None
        async with acknowledging(self._clock, partial(self._answers.answer_query, press.query)) as late:
            reply = await self._dispatcher.press(caller, press.data, delivery)
        show = self._answers.to_late_press if late.is_set() else self._answers.to_press
        return partial(show, press, caller, reply)

    async def _on_message(self, message: Message, delivery: str) -> _Answer | None:
        """Handles a text in a private chat, and a command in a group, whose public texts it counts."""
        chat, user = message.chat, message.from_user
        if await self._handle_service_message(message):
            return None
        if chat.type == ChatType.CHANNEL or message.text is None:
            return None
        typed, thread = parse_command(message, self._bot.username), _thread(message)
        if chat.type != ChatType.PRIVATE:
            if not ephemeral_number(message):
                self._dispatcher.count_message(Place(KEY, str(chat.id), thread))
            if typed is None or not (typed.to_us or command_named(typed.name)):
                return None
        if user is None or user.is_bot:
            return partial(self._ask_for_own_name, message)
        if chat.type == ChatType.PRIVATE:
            caller = _caller(user, chat, thread)
            return await self._on_private_message(caller, typed, message, delivery)
        assert typed is not None
        caller = _caller(user, chat, thread, moderator=user.id in await self._admins_of(chat.id))
        reply = await self._run_command(caller, typed, delivery)
        return partial(self._answers.to_message, caller, message, reply)

    async def _handle_service_message(self, message: Message) -> bool:
        """Handles the service message of a migrated group or a member who left; False for other messages."""
        chat = str(message.chat.id)
        if message.migrate_to_chat_id:
            await self._dispatcher.chat_moved(KEY, chat, str(message.migrate_to_chat_id))
        elif message.migrate_from_chat_id:
            await self._dispatcher.chat_moved(KEY, str(message.migrate_from_chat_id), chat)
        elif message.left_chat_member:
            await self._on_member_left(message.chat, message.left_chat_member)
        else:
            return False
        return True

    async def _on_private_message(
        self, caller: Caller, typed: TypedCommand | None, message: Message, delivery: str
    ) -> _Answer:
        text, data = message.text or "", asked_in(message.reply_to_message, self._bot.id)
        if typed and typed.name == START:
            reply = await self._dispatcher.arrive(caller, delivery)
        elif typed:
            reply = await self._run_command(caller, typed, delivery)
        elif data and (question := message.reply_to_message):
            reply = await self._dispatcher.press(caller, data, delivery, answer=text)
            return partial(self._answer_reply, caller, message, reply, question)
        else:
            reply = await self._dispatcher.line(caller, text, delivery)
        return partial(self._answers.to_message, caller, message, reply)

    async def _answer_reply(self, caller: Caller, message: Message, reply: Reply, question: Message) -> None:
        """Answers a user's reply to a question of the bot, and deletes the question."""
        await self._answers.to_message(caller, message, reply)
        await self._answers.delete(message_id(question.chat.id, question.message_id))

    async def _run_command(self, caller: Caller, typed: TypedCommand, delivery: str) -> Reply:
        declared = command_named(typed.name)
        given = arguments(declared, typed.rest) if declared else {}
        return await self._dispatcher.command(
            caller, declared.name if declared else typed.name, given, delivery
        )

    async def _on_membership_change(self, change: ChatMemberUpdated) -> _Answer | None:
        """Handles a change of the bot's own membership.

        Greets a group to which the bot was added; notes that a known user has blocked or opened the private
        chat.
        """
        away = _is_gone(change.new_chat_member)
        if change.chat.type in (ChatType.GROUP, ChatType.SUPERGROUP):
            if _is_gone(change.old_chat_member) and not away:
                return partial(self._greet, change)
            return None
        account = await self._dispatcher.people.account(KEY, str(change.from_user.id))
        if account and change.chat.type == ChatType.PRIVATE:
            await self._dispatcher.people.set_reachable(account, not away)
        return None

    async def _greet(self, change: ChatMemberUpdated) -> None:
        """Introduces the bot to a group, and says that cards come in private chats."""
        say = Speech(language(change.from_user.language_code))
        new = next(command for command in COMMANDS if command.name == "new").called(say.locale)
        greeting = Text(
            "Send /{new} to open a table for a card game. "
            "Everyone opens our private chat once: your cards come there.",
            new=new,
        )
        page = Page.note(say(greeting), keys=((self._answers.private_chat_key(say),),))
        await self._answers.reply_in_group(Place(KEY, str(change.chat.id)), page, 0)

    async def _on_member_left(self, chat: Chat, user: User) -> None:
        """Tells the dispatcher that a member has left a group."""
        await self._dispatcher.depart(_caller(user, chat, ""))

    async def _ask_for_own_name(self, message: Message) -> None:
        """Asks a sender who writes as the group or as a channel to write under their own name."""
        if message.sender_chat:
            place = Place(KEY, str(message.chat.id), _thread(message))
            say = await self._dispatcher.people.say_in(place)
            notice = say(Text("I can't tell who you are. Write as yourself, not as the group or a channel."))
            await self._answers.reply_in_group(place, Page.note(notice), message.message_id)

    async def _admins_of(self, chat: int) -> frozenset[int]:
        """The user ids of a group's administrators, cached for `_ADMINS_KEPT` seconds.

        If they cannot be read, they are those that were read in the last `_ADMINS_USABLE` seconds; empty if
        none were.
        """
        now = self._clock.now()
        known = self._admins.get(chat) or _Admins()
        if known.next_read <= now:
            try:
                members = await self._bot.get_chat_administrators(chat)
                known = _Admins(frozenset(member.user.id for member in members), now)
            except TelegramError as error:
                log.info("the bot could not read the administrators of a group: %s", why(error))
                if now - known.read_at >= _ADMINS_USABLE:
                    known = _Admins()
            oldest = now - _ADMINS_USABLE
            self._admins = {group: one for group, one in self._admins.items() if one.next_read > oldest}
            self._admins[chat] = known._replace(next_read=now + _ADMINS_KEPT)
        return known.users


def _is_gone(member: ChatMember) -> bool:
    """Whether a user is not in a chat, or the bot not in a private chat, since its user has blocked the bot.

    Who is restricted stays so after leaving the group.
    """
    if isinstance(member, ChatMemberRestricted):
        return not member.is_member
    return member.status in (ChatMemberStatus.LEFT, ChatMemberStatus.BANNED)


def _caller(user: User | Sender, chat: Chat | PressedChat, thread: str, *, moderator: bool = False) -> Caller:
    alone = chat.type == ChatType.PRIVATE
    return Caller(
        user=str(user.id),
        name=user.full_name,
        place=Place(KEY, str(chat.id), "" if alone else thread),
        community="" if alone else str(chat.id),
        channel=str(chat.id) if thread and not alone else "",
        private=alone,
        locale=user.language_code or "",
        moderator=moderator,
        username=user.username or "",
        place_name="" if alone else chat.title or "",
    )


def _thread(message: Message) -> str:
    """The forum topic of a message; empty for the general topic and for reply threads."""
    return str(message.message_thread_id or "") if message.is_topic_message else ""
