"""A strict fake of a platform like Telegram: groups, private chats that users open, updates delivered late.

The limits that the vendor documents are stated here anew, since the adapter's constants may be wrong.
"""

from __future__ import annotations

import html
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from adapters.shared.rendering.message import Message as Rendered
from adapters.shared.rendering.message import as_message
from bot.inbox.dispatcher import Dispatcher
from bot.model.people import Account
from bot.model.places import Place
from bot.ports import Clock, Forbidden, Gone, Later, Limits, Page, Reply, Suggestion, Unreachable
from tests.support.mortal import Killed
from tests.support.platform import FakePlatform, Payload
from tests.support.records import (
    EVERYBODY_HERE,
    Delay,
    Message,
    Wire,
    at_once,
)

TEXT = 4096
"""Characters of a text."""
KEYS = 100
"""Buttons of a message."""
ROW = 8
"""Buttons of a row."""
DATA = 64
"""Bytes of a button's callback data."""
ALERT = 200
"""Characters of an alert."""
ANSWER_WITHIN = 10.0
"""Seconds within which a press must be answered."""
A_MINUTE = 20
"""Messages, edits and deletions that a group accepts in a minute."""
MINUTE = 60.0
"""Seconds of a minute, in which `A_MINUTE` is counted."""
A_SECOND = 30
"""Messages and edits that the platform accepts from the bot in a second, in all chats.

Deletions in groups are counted too, but no answers in private chats.
"""
SOON = 1.0
"""Seconds after which the adapter has a page posted again to a group with a new id."""
_LINK = "https://t.example/bot?start=hello"


@dataclass(frozen=True)
class Update:
    """An action of a user, or a group's migration, and the number of its delivery."""

    number: int
    handle: Callable[[Dispatcher, str], Awaitable[None]]


class _Moved(Exception):
    """A group has migrated to another id; Telegram answers each request to the old id with this error."""

    def __init__(self, chat: str) -> None:
        super().__init__(chat)
        self.chat = chat
        """The old id."""


class Groups(FakePlatform):
    """The fake platform; the bot cannot write to a closed user before they open the private chat."""

    key = "groups"
    limits = Limits(text=TEXT, rows=12, row_keys=ROW, keys=KEYS, label=40, data=DATA, gap=4.0, pages=False)

    def __init__(self, clock: Clock, wire: Wire = lambda sent: None, delay: Delay = at_once) -> None:
        super().__init__(clock=clock, wire=wire, delay=delay)
        self.laters = 0
        """How often a request exceeded the limit of a group in a minute."""
        self.hurries = 0
        """How often a request exceeded the limit of all chats in a second."""
        self.refused = 0
        """The number of requests to the old ids of groups."""
        self.unmodified = 0
        """The number of edits that changed nothing; they count towards the limits too."""
        self.notices: list[tuple[str, str]] = []
        """Alerts, and notices of replies to other actions than presses: the user and the text."""
        self.twice: Callable[[], bool] = lambda: False
        """Called after each update that comes while the bot runs: whether it is delivered a second time."""
        self.pending: list[Update] = []
        """The updates that came while the bot was stopped."""
        self._upgraded: dict[str, str] = {}
        """The new id of each group that has migrated, by its old one."""
        self._sendings: dict[str, deque[float]] = {}
        """The times of the last minute's messages, edits and deletions in each group, by its id."""
        self._all: deque[float] = deque()
        """The times of the last second's requests that `A_SECOND` counts."""

    def link(self) -> str:
        return _LINK

    async def press(self, user: str, message: Message, data: str, answer: str = "") -> None:
        place = self.current(message.place) if message.place else self.home(user)

        async def handle(dispatcher: Dispatcher, delivery: str) -> None:
            begun, caller = self.clock.now(), self.caller(user, place)
            reply = await dispatcher.press(caller, data, delivery, answer=answer)
            late = self.clock.now() - begun
            self.faults.unless(late <= ANSWER_WITHIN, f"a press was answered after {late} s: query too old")
            await self.delay()
            replaced = message if message.user and message.alive else None
            if replaced and await dispatcher.shows_table(data, message.id):
                replaced = None
            self._answer_press(user, place, reply, data + answer, replaced)

        await self._deliver(handle)

    async def command(self, user: str, place: Place, name: str, given: dict[str, str]) -> None:
        async def handle(dispatcher: Dispatcher, delivery: str) -> None:
            caller = self.caller(user, self.current(place))
            reply = await dispatcher.command(caller, name, given, delivery)
            self._answer(user, caller.place, reply, " ".join((name, *given.values())))

        await self._deliver(handle)

    async def write(self, user: str, text: str) -> None:
        self._enter(user)

        async def handle(dispatcher: Dispatcher, delivery: str) -> None:
            reply = await dispatcher.line(self.caller(user, self.home(user)), text, delivery)
            self._answer(user, self.home(user), reply, text)

        await self._deliver(handle)

    async def complete(
        self, user: str, place: Place, name: str, parameter: str, begun: str, given: dict[str, str]
    ) -> Sequence[Suggestion]:
        """Suggests nothing: this platform has no autocompletion."""
        return ()

    async def open_chat(self, user: str) -> None:
        self._enter(user)

        async def handle(dispatcher: Dispatcher, delivery: str) -> None:
            reply = await dispatcher.arrive(self.caller(user, self.home(user)), delivery)
            self._answer(user, self.home(user), reply, "")

        await self._deliver(handle)

    async def go_away(self, user: str, place: Place) -> None:
        self.places[self.current(place).chat].discard(user)

        async def handle(dispatcher: Dispatcher, delivery: str) -> None:
            await dispatcher.depart(self.caller(user, self.current(place)))

        await self._deliver(handle)

    async def post(self, place: Place, page: Page, mention: Account | None = None, *, once: str = "") -> str:
        try:
            return await super().post(place, page, mention, once=once)
        except _Moved as moved:
            await self._tell(moved)
            raise Later(SOON) from None

    async def edit(self, message: str, page: Page) -> None:
        try:
            await super().edit(message, page)
        except _Moved as moved:
            await self._tell(moved)
            raise Gone from None

    async def delete(self, message: str) -> None:
        try:
            if place := self._message(message).place:
                self._check_place(place)
            await super().delete(message)
        except _Moved as moved:
            await self._tell(moved)
            raise Gone from None

    async def _tell(self, moved: _Moved) -> None:
        """Tells the bot the new id of a group to which it has sent a request, as the adapter does."""
        self.refused += 1
        if dispatcher := self.dispatcher:
            await dispatcher.chat_moved(self.key, moved.chat, self._upgraded[moved.chat])

    def _check_place(self, place: Place) -> None:
        if place.chat in self._upgraded:
            raise _Moved(place.chat)
        super()._check_place(place)

    async def upgrade(self, name: str, new: str) -> Place:
        """Migrates a group to another id, and tells the bot; requests to the old id then fail.

        Returns the place with the new id.
        """
        self.places[new] = set(self.places[name])
        self._upgraded[name] = new
        for message in self.messages.at(Place(self.key, name)):
            message.alive = False

        async def handle(dispatcher: Dispatcher, delivery: str) -> None:
            await dispatcher.chat_moved(self.key, name, new)

        await self._deliver(handle)
        return Place(self.key, new)

    async def come_home(self) -> None:
        """Delivers the updates that have come while no process ran."""
        pending, self.pending = self.pending, []
        for update in pending:
            await self._handle(update)

    async def _deliver(self, handle: Callable[[Dispatcher, str], Awaitable[None]]) -> None:
        update = Update(next(self._numbers), handle)
        if not self.dispatchers:
            self.pending.append(update)
            return
        await self._handle(update)
        if self.twice():
            await self._handle(update)

    async def _handle(self, update: Update) -> None:
        """Delivers an update; if the process is killed before it has answered, delivers it to another.

        It is lost if no other process runs.
        """
        while dispatcher := self.dispatcher:
            try:
                await update.handle(dispatcher, f"{self.key}:{update.number}")
            except Killed:
                continue
            return

    def _enter(self, user: str) -> None:
        self.closed.discard(user)

    def _answer_press(
        self, user: str, place: Place, reply: Reply, in_reply_to: str, replaced: Message | None
    ) -> None:
        """Shows the hand in brief, or else the notice, as an alert, and the page.

        The page takes the place of ``replaced``; without that message it is a new one, see `_give`.
        """
        if text := reply.brief or reply.notice:
            self.faults.unless(len(text) <= ALERT, f"an alert has {len(text)} characters: {text}")
            self.notices.append((user, text))
            self._record("alert", None, user, (text, text, ()), in_reply_to)
        page = reply.page and as_message(reply.page, self.limits)
        if page and replaced:
            payload = self._payload(page)
            if payload != replaced.payload:
                self._change("answer", replaced, page, payload, in_reply_to)
        elif page:
            self._give(user, place, page, in_reply_to, public=reply.public)
        self._answer_file(user, reply, in_reply_to)

    def _answer(self, user: str, place: Place, reply: Reply, in_reply_to: str) -> None:
        """Sends the notice, the page and the file of a reply to anything but a press; see `_give`."""
        if reply.notice:
            self.notices.append((user, reply.notice))
            self._give(user, place, Rendered((reply.notice,)), in_reply_to, public=reply.public)
        if reply.page:
            self._give(user, place, as_message(reply.page, self.limits), in_reply_to, public=reply.public)
        self._answer_file(user, reply, in_reply_to)

    def _give(self, user: str, place: Place, page: Rendered, in_reply_to: str, *, public: bool) -> None:
        """Sends a page to the private chat; if that is closed and the page is public, to the group.

        Drops any other page if the private chat is closed, and one that the group does not accept now.
        """
        payload = self._payload(page)
        if user not in self.closed:
            self._new("answer", None, user, page, payload, in_reply_to)
        elif public and place.chat in self.places:
            try:
                self._check_place(place)
                self._pace(place)
            except (Later, Forbidden, _Moved):
                # The adapter drops an answer that the limit would delay for long.
                return
            self._new("answer", place, EVERYBODY_HERE, page, payload, in_reply_to)

    def _answer_file(self, user: str, reply: Reply, in_reply_to: str) -> None:
        if reply.file and user not in self.closed:
            text = reply.file.content.decode()
            self._record("file", None, user, (text, text, ()), in_reply_to)

    def home(self, user: str) -> Place:
        return Place(self.key, user)

    def current(self, place: Place) -> Place:
        return Place(self.key, self._upgraded.get(place.chat, place.chat))

    def _community(self, place: Place) -> str:
        return place.chat

    def _check_user(self, user: str) -> None:
        self.faults.unless(user in self.users, f"there is no user {user}")
        if user in self.closed:
            raise Unreachable

    def _check_editable(self, message: Message) -> None:
        if message.place:
            self._check_place(message.place)
        else:
            self._check_user(message.user)
        if not message.alive:
            raise Gone

    def _change(
        self, how: str, message: Message, page: Rendered, payload: Payload, in_reply_to: str = ""
    ) -> None:
        if payload == message.payload:
            # Telegram answers "message is not modified", an error that the adapter ignores.
            self.unmodified += 1
            return
        super()._change(how, message, page, payload, in_reply_to)

    def _payload(self, page: Rendered, mention: Account | None = None) -> Payload:
        raw, plain, rows = super()._payload(page, mention)
        self.faults.unless(raw.strip(), "a message without a text")
        return raw, plain, rows

    def _marked_up(self, page: Rendered, mention: Account | None) -> str:
        drawing = f"<pre>{html.escape(page.drawing, quote=False)}</pre>" if page.drawing else ""
        name = f'<a href="tg://user?id={mention.user}">●</a>' if mention else ""
        above, below = (html.escape("\n".join(lines), quote=False) for lines in (page.above, page.below))
        return "\n".join(part for part in (name, above, drawing, below) if part)

    def _visible(self, raw: str) -> str:
        return html.unescape(raw.replace("<pre>", "\n").replace("</pre>", "\n"))

    def _pace(self, place: Place | None) -> None:
        now, sendings = self.clock.now(), self._sendings.setdefault(place.chat, deque()) if place else None
        if sendings is not None:
            self.laters += self._full(sendings, now, A_MINUTE, MINUTE)
        self.hurries += self._full(self._all, now, A_SECOND, 1.0)
        if sendings is not None and len(sendings) >= A_MINUTE:
            raise Later(max(sendings[0] + MINUTE - now, 0.001))
        if len(self._all) >= A_SECOND:
            raise Later(max(self._all[0] + 1.0 - now, 0.001))
        self._all.append(now)
        if sendings is not None:
            sendings.append(now)

    def _full(self, sendings: deque[float], now: float, most: int, seconds: float) -> bool:
        """Drops the times that are ``seconds`` old; returns whether the others are ``most`` or more."""
        while sendings and now - sendings[0] >= seconds:
            sendings.popleft()
        return len(sendings) >= most
