"""Shows each reply to the user who pressed or typed: in the private chat if it is open, else in the group.

A reply that belongs in the group is shown there. A notice or a brief after a press is shown by the answer to
the callback query. A reply never replaces the panel of a table.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Protocol

from telegram import Message
from telegram.constants import ReactionEmoji
from telegram.error import BadRequest, TelegramError

from adapters.shared.rendering.message import reply_message
from adapters.telegram.ephemeral import Occasion, ephemeral_number
from adapters.telegram.failures import is_too_late, why
from adapters.telegram.pages import KEY, LIMITS, Content, link_of, short
from adapters.telegram.received import Press
from bot.errors import PlatformError, reason
from bot.i18n import Speech
from bot.inbox.dispatcher import Dispatcher
from bot.model.people import Account
from bot.model.places import Place
from bot.ports import Caller, File, Gone, Key, Later, Page, Rejected, Reply, Unreachable
from bot.seldom_log import SeldomLog
from bot.storage import StoreError
from engines.game import Text

log = logging.getLogger(__name__)

_MOMENT = Text("Just a moment …")
"""The words of an ephemeral message until it is edited; an old server would post them for the whole group."""
ANSWER_PATIENCE = 10.0
"""Seconds for which an answer in a group, a question or a file may wait for its turn."""
_SHARE_PATIENCE = 70.0
"""Seconds within which a sender who has used up their share of a group's answers has some of it again."""
_MOST_UNANSWERED = 50
"""The most senders who at the same time wait for the notice that their share is used up."""
_LONGEST_TOAST = 60
"""The most characters of a notice that disappears by itself; the user must close a longer one."""


class TelegramApi(Protocol):
    """The requests to Telegram that `Answers` sends; they raise errors of `bot.ports`, and of the library."""

    async def whisper(self, account: Account, page: Content) -> str:
        """Sends a page to the private chat of an account; returns the message as ``chat/message``."""

    async def edit(self, message: str, page: Content) -> None:
        """Edits a message."""

    async def delete(self, message: str) -> None:
        """Deletes a message."""

    async def answer_query(self, query: str, parameters: Mapping[str, str | bool]) -> None:
        """Answers a callback query, with optional parameters of the Bot API."""

    async def open_alone(self, occasion: Occasion, page: Content) -> str:
        """Sends a page that anybody may read to a group, where only one user sees it; returns its id.

        Raises `Unreachable` if that is known to be impossible.
        """

    async def answer(
        self, place: Place, page: Content, to: int, sender: str = "", patience: float = ANSWER_PATIENCE
    ) -> None:
        """Posts in a group, as a reply unless ``to`` is 0; each sender has a part of the group's rate limit.

        Raises `Later` if that part allows no answer within ``patience`` seconds.
        """

    async def react(self, place: Place, to: int, emoji: str, sender: str) -> None:
        """Adds a reaction to a message of the sender."""

    async def ask(self, account: Account, words: str, data: str) -> str:
        """Asks in a private chat for the text that the button of this callback data needs."""

    async def send_file(self, place: Place, file: File, sender: str) -> None:
        """Sends a file to a chat; in a group it counts as an answer to the sender."""

    def link(self) -> str:
        """The address that opens the private chat."""


class Answers:
    """Shows the dispatcher's replies in Telegram."""

    def __init__(self, api: TelegramApi, dispatcher: Dispatcher) -> None:
        self._api = api
        self._dispatcher = dispatcher
        self._unanswered: set[tuple[Place, str]] = set()
        """The senders, with their chats, who wait for the notice that their share is used up."""
        clock = dispatcher.service.clock
        self._log_reply, self._log_reaction = (SeldomLog(clock, log, logging.INFO).log for _ in range(2))

    async def to_press(self, press: Press, caller: Caller, reply: Reply) -> None:
        """Answers a press and shows the reply's page.

        If the query has expired, and no ephemeral message shows the reply, posts the public panel again.
        """
        if await self._press_shown_ephemeral(press, caller, reply):
            await self.answer_query(press.query)
            if reply.file:
                await self._send_file(caller, reply.file, public=reply.public)
            return
        if not await self._answer_query_with(press.query, caller, reply):
            await self._dispatcher.refresh(press.data)
        await self._show(press, caller, reply)

    async def to_late_press(self, press: Press, caller: Caller, reply: Reply) -> None:
        """Shows a reply that came too late for the query; its notice only if the private chat is open."""
        if await self._press_shown_ephemeral(press, caller, reply):
            return
        if reply.notice and await self._reachable(caller):
            await self._whisper(caller, Page.note(reply.notice))
        await self._show(press, caller, reply)

    async def to_message(self, caller: Caller, message: Message, reply: Reply) -> None:
        """Answers a typed message; in a group a reaction is enough for a command that was carried out.

        Other answers go to the private chat if it is open, so that a group is spared them; but a `Reply.here`
        page stays in the group.
        """
        page = reply_message(reply, LIMITS)
        if page and caller.private:
            await self._whisper(caller, page)
        elif reply.done and not ephemeral_number(message):
            await self._react(caller, message, ReactionEmoji.OK_HAND_SIGN)
        elif page:
            # With a notice the page only repeats it at length, unless it has keys that count: a link to the
            # private chat, or those of a question.
            has_keys = reply.here or (reply.page and link_of(reply.page))
            answer = Page.note(reply.notice) if reply.notice and not has_keys else page
            if not reply.here and await self._whisper(caller, answer):
                await self._react(caller, message, ReactionEmoji.EYES)
            elif not reply.quiet and not await self._typed_shown_ephemeral(caller, message, reply, answer):
                await self._answer_for_all(caller, message, reply, answer)
        if reply.file:
            await self._send_file(caller, reply.file, public=reply.public)

    async def _answer_for_all(self, caller: Caller, message: Message, reply: Reply, page: Content) -> None:
        """Answers a command in a group that cannot show its sender an ephemeral message.

        `Reply.away` goes to the private chat. Without it, or if that chat is closed, the group gets the page
        if all may read it, else a link to the private chat.
        """
        if reply.away is None:
            await self._answer_in_group(caller, page, message.message_id, public=reply.public or reply.here)
        elif await self._whisper(caller, reply.away):
            await self._react(caller, message, ReactionEmoji.EYES)
        else:
            await self._answer_in_group(caller, page, message.message_id, public=reply.all_may_read)

    async def with_question(self, press: Press, caller: Caller, words: str) -> bool:
        """Asks in the private chat for a button's words; False if the press must be handled without them."""
        try:
            account = await self._dispatcher.people.account(KEY, caller.user)
            if account is None or not account.reachable:
                return False
            notice = "" if caller.private else (await self._say(caller))(Text("Look in our private chat."))
        except StoreError:
            return False
        try:
            await self._api.ask(account, words, press.data)
        except Unreachable:
            await self._dispatcher.people.set_reachable(account, False)
            return False
        except (Later, Rejected) as error:
            log.info("the bot could not ask in a private chat: %s", reason(error))
            return False
        await self.answer_query(press.query, notice)
        return True

    async def reply_in_group(self, place: Place, page: Content, to: int) -> None:
        """Posts for all in a group, in reply to a message unless ``to`` is 0; logs a failure."""
        try:
            await self._api.answer(place, page, to)
        except PlatformError as error:
            self._log_reply(f"the bot could not reply in a group: {reason(error)}")

    async def delete(self, message: str) -> None:
        """Deletes a message of the bot; logs a failure."""
        try:
            await self._api.delete(message)
        except PlatformError as error:
            log.info("the bot could not delete its message: %s", reason(error))

    async def answer_query(self, query: str, text: str = "", *, url: str = "", alert: bool = False) -> bool:
        """Answers the callback query, which Telegram allows once and for a short time; False if too late.

        Raises `BadRequest` if Telegram refuses it for another reason; any other failure is only logged.
        """
        shown: dict[str, str | bool] = {"text": short(text, LIMITS.brief), "show_alert": alert, "url": url}
        try:
            await self._api.answer_query(query, {name: value for name, value in shown.items() if value})
        except BadRequest as refused:
            if is_too_late(refused):
                log.info("a callback query expired before the bot answered it")
                return False
            raise
        except TelegramError as error:
            log.warning("the bot could not answer a callback query: %s", why(error))
        return True

    def private_chat_key(self, say: Speech) -> Key:
        """The button that opens the private chat."""
        return Key(say(Text("Open our private chat")), url=self._api.link())

    async def _answer_query_with(self, query: str, caller: Caller, reply: Reply) -> bool:
        """Answers the callback query with the brief, a private link or a notice; False if too late."""
        if reply.brief:
            return await self.answer_query(query, reply.brief, alert=True)
        page = reply.page
        if page and not caller.private:
            if link := link_of(page):
                return await self.answer_query(query, url=link)
            if not reply.notice:
                say = await self._say(caller)
                if await self._reachable(caller):
                    return await self.answer_query(query, say(Text("Look in our private chat.")))
                if not reply.public:
                    notice = say(Text("I can only show you that in our private chat. Open it first."))
                    return await self.answer_query(query, notice, alert=True)
        return await self.answer_query(query, reply.notice, alert=len(reply.notice) > _LONGEST_TOAST)

    async def _show(self, press: Press, caller: Caller, reply: Reply) -> None:
        """Shows a reply's page and file to the user who pressed."""
        if reply.file:
            await self._send_file(caller, reply.file, public=reply.public)
        if (page := reply.page) is None:
            return
        if not caller.private:
            # With a notice or a brief the page only says the same at greater length.
            if not reply.notice and not reply.brief:
                await self._answer_privately(caller, page, press.number, public=reply.public)
            return
        if not await self._edit_pressed(press.data, press.message, page):
            await self._whisper(caller, page)

    async def _edit_pressed(self, data: str, pressed: str, page: Page) -> bool:
        """Edits the pressed message to show the page; False only if that message shows a table or is gone."""
        if await self._dispatcher.shows_table(data, pressed):
            return False
        try:
            await self._api.edit(pressed, page)
        except Gone:
            return False
        except PlatformError as error:
            log.info("the bot could not edit the pressed message: %s", reason(error))
        return True

    async def _answer_privately(self, caller: Caller, page: Content, to: int, *, public: bool) -> None:
        """Answers in the private chat; if that is closed, posts a public page, else a link, in the group."""
        if not await self._whisper(caller, page):
            await self._answer_in_group(caller, page, to, public=public)

    async def _answer_in_group(self, caller: Caller, page: Content, to: int, *, public: bool) -> None:
        """Posts a public page in the group; in place of any other, a link to the private chat."""
        if not public:
            say = await self._say(caller)
            notice = say(Text("I can only show you that in our private chat. Open it first."))
            page = Page.note(notice, keys=((self.private_chat_key(say),),))
        try:
            await self._api.answer(caller.place, page, to, caller.user)
        except Later as later:
            self._log_reply(f"a sender has used up their share of a group's answers: {reason(later)}")
            await self._tell_of_the_share(caller, to)
        except PlatformError as error:
            self._log_reply(f"the bot could not reply in a group: {reason(error)}")

    async def _tell_of_the_share(self, caller: Caller, to: int) -> None:
        """Tells a sender that answers are in the private chat, once their share of a group allows it."""
        sender = (caller.place, caller.user)
        if sender in self._unanswered or len(self._unanswered) >= _MOST_UNANSWERED:
            return
        self._unanswered.add(sender)
        try:
            say = await self._say(caller)
            sentence = say(
                Text("I answer only a few commands a minute here. In our private chat I answer them all.")
            )
            page = Page.note(sentence, keys=((self.private_chat_key(say),),))
            await self._api.answer(caller.place, page, to, caller.user, _SHARE_PATIENCE)
        except PlatformError as error:
            self._log_reply(f"the bot could not reply in a group: {reason(error)}")
        finally:
            self._unanswered.discard(sender)

    async def _press_shown_ephemeral(self, press: Press, caller: Caller, reply: Reply) -> bool:
        """Shows the reply to a press in the group by an ephemeral message; False as in `_show_ephemeral`.

        A page replaces the pressed message if that is ephemeral too. A `Reply.here` page replaces any message
        that a moderator has pressed; False if that message shows a table or is gone.
        """
        # With a notice or a brief the page only says the same at greater length.
        page = None if reply.notice or reply.brief or (reply.page and link_of(reply.page)) else reply.page
        if caller.private:
            return False
        pressed = ""
        if page and reply.here and caller.moderator and not press.ephemeral:
            # The press may be forged, but a moderator may replace any message of the bot in the group.
            return await self._edit_pressed(press.data, press.message, page)
        if page and press.ephemeral:
            pressed = press.ephemeral_message
            if not reply.public and await self._edit_pressed(press.data, pressed, page):
                return True
        occasion = Occasion(press.chat.id, press.sender.id, caller.place.thread, query=press.query)
        is_shown = await self._show_ephemeral(caller, reply, occasion, page)
        if is_shown and pressed and not await self._dispatcher.shows_table(press.data, pressed):
            await self.delete(pressed)
        return is_shown

    async def _typed_shown_ephemeral(
        self, caller: Caller, message: Message, reply: Reply, page: Content
    ) -> bool:
        """Shows the reply to a command in the group by an ephemeral message, as `_show_ephemeral` does."""
        to = ephemeral_number(message)
        occasion = Occasion(message.chat.id, int(caller.user), caller.place.thread, to=to)
        return await self._show_ephemeral(caller, reply, occasion, page)

    async def _show_ephemeral(
        self, caller: Caller, reply: Reply, occasion: Occasion, page: Content | None
    ) -> bool:
        """Shows the sender's cards, or a page, in the group to them alone.

        False if there is neither, if that fails, or if the private chat is open and the reply belongs there.
        """
        if not (reply.hand_table or page) or (await self._reachable(caller) and not reply.here):
            return False
        # An edit has less room, so a page that anybody may read is sent whole, not by an edit.
        whole = page if reply.public and not reply.hand_table else None
        try:
            first = whole or Page.note(self._dispatcher.people.known_speech(caller)(_MOMENT))
            message = await self._api.open_alone(occasion, first)
        except Unreachable:
            # The server or the group has no such messages, which is known after the first time.
            return False
        except (PlatformError, TelegramError) as error:
            log.info("the bot could not show a page in a group to one user alone: %s", reason(error))
            return False
        if whole:
            return True
        if reply.hand_table:
            is_shown = await self._dispatcher.show_ephemeral(caller, reply.hand_table, message)
        else:
            is_shown = page is not None and await self._edit(message, page)
        if not is_shown:
            await self.delete(message)
        return is_shown

    async def _edit(self, message: str, page: Content) -> bool:
        """Edits a message; False if that fails, which is logged."""
        try:
            await self._api.edit(message, page)
        except PlatformError as error:
            log.info("the bot could not edit a message: %s", reason(error))
            return False
        return True

    async def _react(self, caller: Caller, message: Message, emoji: str) -> None:
        """Adds a reaction to a command: the table shows its result, or the private chat its answer."""
        if not message.message_id:
            return
        try:
            await self._api.react(caller.place, message.message_id, emoji, caller.user)
        except (PlatformError, TelegramError) as error:
            # A group may allow no reactions, or its rate limit may be used up.
            self._log_reaction(f"the bot could not react to a command: {reason(error)}")

    async def _whisper(self, caller: Caller, page: Content) -> bool:
        """Sends a page to the private chat; False if that is closed or unknown. Logs any other failure."""
        account = await self._account(caller)
        if account is None:
            return False
        try:
            await self._api.whisper(account, page)
        except Unreachable:
            await self._dispatcher.people.set_reachable(account, False)
            return False
        except (Later, Rejected) as error:
            log.info("the bot could not send a private answer: %s", reason(error))
            return True
        await self._dispatcher.people.set_reachable(account, True)
        return True

    async def _send_file(self, caller: Caller, file: File, *, public: bool) -> None:
        """Sends a file to the private chat; if that is closed, to the group if it is public, else nowhere."""
        try:
            if not await self._send_file_privately(caller, file) and public and not caller.private:
                await self._api.send_file(caller.place, file, caller.user)
        except PlatformError as error:
            log.info("the bot could not send a file: %s", reason(error))

    async def _send_file_privately(self, caller: Caller, file: File) -> bool:
        """Sends a file to the private chat; False if that is closed. Raises any other `PlatformError`."""
        account = await self._account(caller)
        if not caller.private and not (account and account.reachable):
            return False
        try:
            await self._api.send_file(Place(KEY, caller.user), file, caller.user)
        except Unreachable:
            if account:
                await self._dispatcher.people.set_reachable(account, False)
            return False
        return True

    async def _reachable(self, caller: Caller) -> bool:
        account = await self._account(caller)
        return account is not None and account.reachable

    async def _account(self, caller: Caller) -> Account | None:
        """The sender's account; None if it is unknown.

        If the store fails: in a private chat a reachable account without its person, in a group None.
        """
        try:
            return await self._dispatcher.people.account(KEY, caller.user)
        except StoreError:
            return Account(KEY, caller.user, "", reachable=True) if caller.private else None

    async def _say(self, caller: Caller) -> Speech:
        person = await self._dispatcher.people.person_of(caller)
        return await self._dispatcher.people.say_to(person.id, caller.place)
