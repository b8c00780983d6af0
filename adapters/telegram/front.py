"""What comes in from Telegram goes to the desk, and its sender is answered as privately as can be."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Coroutine
from typing import Any, Protocol
from weakref import WeakValueDictionary

from telegram import (
    CallbackQuery,
    Chat,
    ChatMemberUpdated,
    MaybeInaccessibleMessage,
    Message,
    Update,
    User,
)
from telegram.constants import ChatMemberStatus, ChatType
from telegram.error import BadRequest, TelegramError
from telegram.ext import BaseUpdateProcessor, CallbackContext, ExtBot

from adapters.telegram.commands import HELLO, Typed, typed
from adapters.telegram.failures import is_too_late
from adapters.telegram.pages import LIMITS, link_of, noted, short
from bot.commands import COMMANDS, arguments, command
from bot.desk import Desk
from bot.faults import where
from bot.i18n import Speech, language
from bot.model import Account, Place
from bot.ports import Caller, File, Forbidden, Gone, Key, Later, Page, Reply, Unreachable
from engines.game import Text

log = logging.getLogger(__name__)

KEY = "telegram"

PATIENCE = 1.0
"""Seconds that the desk has before a press is answered without it."""
_ADMINS_KEPT = 60.0
_LONG = 60
"""Characters that a passing note shows without being cut; more is a note to be closed."""

_GONE_FROM = (ChatMemberStatus.LEFT, ChatMemberStatus.BANNED)


class Out(Protocol):
    """The ways out that an answer may take."""

    async def whisper(self, account: Account, page: Page) -> str:
        """Writes to somebody alone."""

    async def edit(self, message: str, page: Page) -> None:
        """Changes a message."""

    async def answer(self, place: Place, page: Page, to: int) -> None:
        """Answers a message where everybody may read it."""

    async def hand_over(self, place: Place, file: File) -> None:
        """Brings a file."""

    def link(self, payload: str) -> str:
        """Where our chat is opened."""


class InTurn(BaseUpdateProcessor):
    """Many people are heard at once, each of them one thing after the other."""

    __slots__ = ("_locks",)

    def __init__(self, most: int) -> None:
        super().__init__(most)
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    async def initialize(self) -> None:
        """Has nothing to open."""

    async def shutdown(self) -> None:
        """Has nothing to close."""

    async def do_process_update(self, update: object, coroutine: Awaitable[Any]) -> None:
        """Waits until what the same person sent before is done."""
        user = update.effective_user if isinstance(update, Update) else None
        lock = self._locks.setdefault(user.id if user else 0, asyncio.Lock())
        try:
            async with lock:
                await coroutine
        finally:
            # What is cut off while it waits has never begun.
            if isinstance(coroutine, Coroutine):
                coroutine.close()


class Front:
    """Takes updates to the desk."""

    def __init__(self, out: Out, bot: ExtBot[int], desk: Desk) -> None:
        self._out = out
        self._bot = bot
        self._desk = desk
        self._admins: dict[int, tuple[float, frozenset[int]]] = {}

    async def hear(self, update: Update, _: CallbackContext[Any, Any, Any, Any]) -> None:
        """One thing that Telegram has brought."""
        delivery = f"{KEY}:{self._bot.id}:{update.update_id}"
        if query := update.callback_query:
            await self._pressed(query, delivery)
        elif message := update.message:
            await self._written(message, delivery)
        elif change := update.my_chat_member:
            await self._let_in(change)
        elif (change := update.chat_member) and change.new_chat_member.status in _GONE_FROM:
            await self._left(change.chat, change.new_chat_member.user)

    async def failed(self, _: object, context: CallbackContext[Any, Any, Any, Any]) -> None:
        """Something that came in could not be dealt with."""
        # The error's words may hold what was to be sent.
        error = context.error
        log.error("something from Telegram was lost: %s", where(error) if error else "for no reason")

    async def _pressed(self, query: CallbackQuery, delivery: str) -> None:
        """A button: answered at once with what the desk has to say, or without where that takes long."""
        message, data = query.message, query.data
        if message is None or data is None:
            await self._answer(query)
            return
        caller = _caller(query.from_user, message.chat, _thread(message))
        work = asyncio.create_task(self._desk.press(caller, data, delivery))
        await asyncio.wait((work,), timeout=PATIENCE)
        if not work.done():
            await self._answer(query)
            reply = await work
            await self._tell_late(caller, reply)
        else:
            reply = work.result()
            if not await self._answer_with(query, caller, reply):
                await self._desk.refresh(data)
        await self._show(query, message, caller, reply)

    async def _answer_with(self, query: CallbackQuery, caller: Caller, reply: Reply) -> bool:
        """Answers a press with the hand, with the way to our chat, or with a sentence."""
        if reply.brief:
            return await self._answer(query, reply.brief, alert=True)
        page = reply.page
        if page and not caller.private:
            if link := link_of(page):
                return await self._answer(query, url=link)
            if not reply.notice:
                say = await self._say(caller)
                if await self._reachable(caller):
                    return await self._answer(query, say(Text("It is in our private chat.")))
                if not reply.open:
                    told = say(Text("I can show you that in our private chat only: open it with me first."))
                    return await self._answer(query, told, alert=True)
        return await self._answer(query, reply.notice, alert=len(reply.notice) > _LONG)

    async def _show(
        self, query: CallbackQuery, message: MaybeInaccessibleMessage, caller: Caller, reply: Reply
    ) -> None:
        """Shows somebody the page that they have pressed for, and brings the file."""
        if reply.file:
            await self._bring(caller, reply.file, open=reply.open)
        page = reply.page
        if page is None:
            return
        if not caller.private:
            # With a notice, the page only says the same at more length.
            if not reply.notice and not reply.brief:
                await self._elsewhere(caller, page, message.message_id, open=reply.open)
            return
        pressed = f"{message.chat.id}/{message.message_id}"
        if not await self._desk.shows_table(query.data or "", pressed):
            try:
                await self._out.edit(pressed, page)
            except Gone:
                pass
            else:
                return
        await self._whisper(caller, page)

    async def _written(self, message: Message, delivery: str) -> None:
        chat, user = message.chat, message.from_user
        if message.migrate_to_chat_id:
            await self._desk.chat_moved(KEY, str(chat.id), str(message.migrate_to_chat_id))
            return
        if message.migrate_from_chat_id:
            await self._desk.chat_moved(KEY, str(message.migrate_from_chat_id), str(chat.id))
            return
        if message.left_chat_member:
            await self._left(chat, message.left_chat_member)
            return
        if chat.type == ChatType.CHANNEL or message.text is None:
            return
        order = typed(message, self._bot.username)
        if chat.type != ChatType.PRIVATE:
            self._desk.panels.chatter(Place(KEY, str(chat.id), _thread(message)))
            if order is None or not (order.to_us or command(order.name)):
                return
        if user is None or user.is_bot:
            await self._unmask(message)
            return
        caller = _caller(user, chat, _thread(message))
        if caller.private:
            reply = await self._heard_alone(caller, order, message.text, delivery)
        elif order:
            moderator = user.id in await self._admins_of(chat)
            caller = _caller(user, chat, _thread(message), moderator=moderator)
            reply = await self._obeyed(caller, order, delivery)
        await self._reply(caller, message, reply)

    async def _heard_alone(self, caller: Caller, order: Typed | None, text: str, delivery: str) -> Reply:
        if order is None:
            return await self._desk.words(caller, text, delivery)
        if order.name == HELLO:
            return await self._desk.arrive(caller, order.rest, delivery)
        return await self._obeyed(caller, order, delivery)

    async def _obeyed(self, caller: Caller, order: Typed, delivery: str) -> Reply:
        one = command(order.name)
        given = arguments(one, order.rest) if one else {}
        return await self._desk.command(caller, one.name if one else order.name, given, delivery)

    async def _reply(self, caller: Caller, message: Message, reply: Reply) -> None:
        """Answers what somebody has typed."""
        page = noted(reply.page, reply.notice)
        if page and caller.private:
            await self._whisper(caller, page)
        elif page:
            # With a notice, the page only says the same at more length, but for the way to our chat.
            short_ = Page((reply.notice,)) if reply.notice and not link_of(page) else page
            await self._aside(caller, short_, message.message_id, open=reply.open)
        if reply.file:
            await self._bring(caller, reply.file, open=reply.open)

    async def _aside(self, caller: Caller, page: Page, to: int, *, open: bool) -> None:
        """Answers in a group what all may see, anything else in our private chat."""
        if open:
            await self._openly(caller, page, to)
        else:
            await self._elsewhere(caller, page, to, open=False)

    async def _elsewhere(self, caller: Caller, page: Page, to: int, *, open: bool) -> None:
        """Answers in our private chat; where it is not opened, in the group if all may see it."""
        if await self._whisper(caller, page):
            return
        if not open:
            say = await self._say(caller)
            told = say(Text("I can show you that in our private chat only: open it with me first."))
            page = Page((told,), rows=((self._way(say),),))
        await self._openly(caller, page, to)

    async def _openly(self, caller: Caller, page: Page, to: int) -> None:
        try:
            await self._out.answer(caller.place, page, to)
        except (Forbidden, Gone, Later):
            log.info("an answer could not be given in a group")

    async def _whisper(self, caller: Caller, page: Page) -> bool:
        account = await self._desk.people.account(KEY, caller.user)
        if account is None:
            return False
        try:
            await self._out.whisper(account, page)
        except Unreachable:
            await self._desk.people.reached(account, False)
            return False
        except Later:
            log.info("an answer could not be given in time")
            return True
        await self._desk.people.reached(account, True)
        return True

    async def _tell_late(self, caller: Caller, reply: Reply) -> None:
        """Says in our private chat what came too late to answer a press."""
        if reply.notice and await self._reachable(caller):
            await self._whisper(caller, Page((reply.notice,)))

    async def _bring(self, caller: Caller, file: File, *, open: bool) -> None:
        alone = Place(KEY, caller.user)
        here = caller.private or await self._reachable(caller)
        if here or open:
            try:
                await self._out.hand_over(alone if here else caller.place, file)
            except (Forbidden, Unreachable, Later):
                log.info("a file could not be brought")

    async def _answer(
        self, query: CallbackQuery, text: str = "", *, url: str = "", alert: bool = False
    ) -> bool:
        """Answers a press, which can be done once and soon; False where it is too late."""
        try:
            await query.answer(short(text, LIMITS.brief) or None, show_alert=alert or None, url=url or None)
        except BadRequest as refused:
            if is_too_late(refused):
                log.info("a press came too late to be answered")
                return False
            raise
        except TelegramError as error:
            log.warning("a press could not be answered: %s", type(error).__name__)
        return True

    async def _let_in(self, change: ChatMemberUpdated) -> None:
        """Somebody has blocked us or opened our chat again; a group has let us in or sent us away."""
        away = change.new_chat_member.status in _GONE_FROM
        if change.chat.type in (ChatType.GROUP, ChatType.SUPERGROUP):
            if change.old_chat_member.status in _GONE_FROM and not away:
                await self._greet(change)
        elif account := await self._desk.people.account(KEY, str(change.from_user.id)):
            await self._desk.people.reached(account, not away)

    async def _greet(self, change: ChatMemberUpdated) -> None:
        """Tells a group what can be done here, and how cards will come."""
        say = Speech(language(change.from_user.language_code))
        new = next(one for one in COMMANDS if one.name == "new").called(say.locale)
        told = Text(
            "Card games: open a table with /{new}. Players open our private chat once; cards come there.",
            new=new,
        )
        page = Page((say(told),), rows=((self._way(say),),))
        await self._openly(_caller(change.from_user, change.chat, ""), page, 0)

    def _way(self, say: Speech) -> Key:
        return Key(say(Text("Open our private chat")), url=self._out.link("hello"))

    async def _left(self, chat: Chat, user: User) -> None:
        """Somebody has left a group; whoever never played is none of our business."""
        if await self._desk.people.account(KEY, str(user.id)):
            await self._desk.depart(_caller(user, chat, ""))

    async def _unmask(self, message: Message) -> None:
        """Asks somebody who writes as the group itself to write as themselves."""
        if message.sender_chat:
            say = await self._desk.people.say_in(Place(KEY, str(message.chat.id), _thread(message)))
            told = say(Text("I cannot tell who you are: write as yourself, not as the group or a channel."))
            caller = Caller("", "", Place(KEY, str(message.chat.id), _thread(message)))
            await self._openly(caller, Page((told,)), message.message_id)

    async def _reachable(self, caller: Caller) -> bool:
        account = await self._desk.people.account(KEY, caller.user)
        return account is not None and account.reachable

    async def _say(self, caller: Caller) -> Speech:
        person = await self._desk.people.caller(caller)
        return await self._desk.people.say_to(person.id, caller.place)

    async def _admins_of(self, chat: Chat) -> frozenset[int]:
        """Who keeps order in a group, as it was a minute ago at most."""
        now = self._desk.house.clock.now()
        until, known = self._admins.get(chat.id, (0.0, frozenset()))
        if until <= now:
            try:
                known = frozenset(member.user.id for member in await chat.get_administrators())
            except TelegramError as error:
                log.info("the administrators of a group are not told: %s", type(error).__name__)
            self._admins = {one: kept for one, kept in self._admins.items() if kept[0] > now}
            self._admins[chat.id] = (now + _ADMINS_KEPT, known)
        return known


def _caller(user: User, chat: Chat, thread: str, *, moderator: bool = False) -> Caller:
    alone = chat.type == ChatType.PRIVATE
    return Caller(
        user=str(user.id),
        name=user.full_name,
        place=Place(KEY, str(chat.id), "" if alone else thread),
        community="" if alone else str(chat.id),
        private=alone,
        locale=user.language_code or "",
        moderator=moderator,
    )


def _thread(message: MaybeInaccessibleMessage) -> str:
    """The topic that a message is in; threads of replies are none, and neither is the general topic."""
    if not isinstance(message, Message) or not message.is_topic_message:
        return ""
    return str(message.message_thread_id or "")
