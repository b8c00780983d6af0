"""A strict fake of a platform like Telegram: groups, private chats that users open, updates delivered late.

Its limits are stated here anew, from the vendor's documentation, and share nothing with the adapter.
"""

from __future__ import annotations

import html
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from itertools import count

from bot.inbox.dispatcher import Dispatcher
from bot.model import Account, Place
from bot.ports import Caller, Clock, Forbidden, Gone, Later, Limits, Page, Reply, Suggestion, Unreachable
from tests.support.records import (
    EVERYBODY_HERE,
    Button,
    Delay,
    Faults,
    Message,
    MessageStore,
    Rows,
    Sent,
    Wire,
    at_once,
)

TEXT = 4096
KEYS = 100
ROW = 8
DATA = 64
LABEL = 64
ALERT = 200
ANSWER_WITHIN = 10.0
PAYLOAD = 64
A_MINUTE = 20
"""Messages and edits that a group takes in a minute."""
MINUTE = 60.0
A_SECOND = 30
"""Messages and edits of the bot in a second, in all chats."""
_LINK = "https://t.example/bot?start="


@dataclass
class Group:
    """A group, and the times of its latest messages."""

    members: set[str] = field(default_factory=set)
    closed: bool = False
    """Whether the bot may not write there."""
    upgraded: str = ""
    """Its name after a migration; empty before."""
    sendings: deque[float] = field(default_factory=deque)


@dataclass
class User:
    """A user."""

    name: str
    locale: str = "en"
    opened: bool = False
    """Whether they have opened the private chat; the bot cannot write to them before."""
    blocked: bool = False
    moderator: bool = False


@dataclass(frozen=True)
class Update:
    """An action of a user that the bot has not received yet."""

    number: int
    hear: Callable[[Dispatcher, str], Awaitable[None]]


class Groups:
    """The platform."""

    key = "groups"
    limits = Limits(text=TEXT, rows=12, row=ROW, keys=KEYS, label=40, data=DATA, gap=4.0, pages=False)

    def __init__(self, clock: Clock, wire: Wire = lambda sent: None, delay: Delay = at_once) -> None:
        self.clock = clock
        self.wire = wire
        self.delay = delay
        self.dispatcher: Dispatcher | None = None
        self.faults = Faults()
        self.sent: list[Sent] = []
        self.groups: dict[str, Group] = {}
        self.users: dict[str, User] = {}
        self.messages = MessageStore()
        self.laters = 0
        """The times that a group's limit of a minute was exceeded."""
        self.hurries = 0
        """The times that the limit of a second was exceeded, over all chats."""
        self.unmodified = 0
        """Edits that changed nothing; they count towards the limit all the same."""
        self.notices: list[tuple[str, str]] = []
        """Private notices: the user and the text."""
        self.twice: Callable[[], bool] = lambda: False
        """Whether the next update is delivered a second time."""
        self.pending: list[Update] = []
        """The updates that came while the bot was away."""
        self._all: deque[float] = deque()
        self._numbers = count(1)

    async def post(self, place: Place, page: Page, call: Account | None = None) -> str:
        await self.delay()
        group = self._group(place)
        raw, rows = self._payload(page, call)
        self._pace(group)
        return self._new("post", place, EVERYBODY_HERE, raw, rows).id

    async def whisper(self, account: Account, page: Page) -> str:
        await self.delay()
        user = self._user(account)
        if not user.opened or user.blocked:
            raise Unreachable
        raw, rows = self._payload(page)
        self._pace(None)
        return self._new("whisper", None, account.user, raw, rows).id

    async def edit(self, message: str, page: Page) -> None:
        await self.delay()
        known = self.messages.get(message)
        self.faults.unless(known, f"no message was ever called {message}")
        assert known
        if known.user and self.users[known.user].blocked:
            raise Unreachable
        group = self._group(known.place) if known.place else None
        if not known.alive:
            raise Gone
        raw, rows = self._payload(page)
        self._pace(group)
        if (raw, rows) == (known.raw, known.rows):
            # "message is not modified": an error there, and none here.
            self.unmodified += 1
            return
        self._tell("edit", known.place, known.user, raw, rows)
        known.become(raw, _read(raw), rows)

    async def delete(self, message: str) -> None:
        await self.delay()
        known = self.messages.get(message)
        self.faults.unless(known, f"no message was ever called {message}")
        assert known
        if known.alive and known.place:
            self._pace(self._group(known.place))
        known.alive = False

    def link(self, payload: str) -> str:
        allowed = payload.replace("-", "").replace("_", "").isalnum() and payload.isascii()
        self.faults.unless(allowed and len(payload) <= PAYLOAD, f"a link's payload is {payload!r}")
        return _LINK + payload

    def seen_by(self, user: str) -> list[Message]:
        mine = [Place(self.key, name) for name, group in self.groups.items() if user in group.members]
        return [*(message for place in mine for message in self.messages.at(place)), *self.messages.of(user)]

    async def press(self, user: str, message: Message, data: str, answer: str = "") -> None:
        place = self.current(message.place) if message.place else self._home(user)

        async def hear(dispatcher: Dispatcher, delivery: str) -> None:
            begun, caller = self.clock.now(), self.caller(user, place)
            reply = await dispatcher.press(caller, data, delivery, answer=answer)
            late = self.clock.now() - begun
            self.faults.unless(late <= ANSWER_WITHIN, f"a press was answered after {late} s: query too old")
            await self.delay()
            replaced = message if message.user and message.alive else None
            if replaced and await dispatcher.shows_table(data, message.id):
                replaced = None
            self._answer_press(user, place, reply, data + answer, replaced)

        await self._deliver(hear)

    async def command(self, user: str, place: Place, name: str, given: dict[str, str]) -> None:
        async def hear(dispatcher: Dispatcher, delivery: str) -> None:
            caller = self.caller(user, self.current(place))
            reply = await dispatcher.command(caller, name, given, delivery)
            self._answer(user, caller.place, reply, " ".join((name, *given.values())))

        await self._deliver(hear)

    async def write(self, user: str, text: str) -> None:
        self._enter(user)

        async def hear(dispatcher: Dispatcher, delivery: str) -> None:
            reply = await dispatcher.words(self.caller(user, self._home(user)), text, delivery)
            self._answer(user, self._home(user), reply, text)

        await self._deliver(hear)

    async def complete(
        self, user: str, place: Place, name: str, parameter: str, begun: str, given: dict[str, str]
    ) -> Sequence[Suggestion]:
        """This platform has no autocompletion."""
        return ()

    async def open_chat(self, user: str, payload: str = "") -> None:
        self._enter(user)

        async def hear(dispatcher: Dispatcher, delivery: str) -> None:
            reply = await dispatcher.arrive(self.caller(user, self._home(user)), payload, delivery)
            self._answer(user, self._home(user), reply, payload)

        await self._deliver(hear)

    async def go_away(self, user: str, place: Place) -> None:
        self.groups[self.current(place).chat].members.discard(user)

        async def hear(dispatcher: Dispatcher, delivery: str) -> None:
            await dispatcher.depart(self.caller(user, self.current(place)))

        await self._deliver(hear)

    def group(self, name: str, *members: str) -> Place:
        """A group with these members."""
        self.groups[name] = Group(set(members))
        return Place(self.key, name)

    def user(self, user: str, name: str = "", *, locale: str = "en", opened: bool = False) -> str:
        """A user who may be in groups."""
        self.users[user] = User(name or user, locale, opened)
        return user

    def caller(self, user: str, place: Place) -> Caller:
        known, private = self.users[user], place == self._home(user)
        community = "" if private else place.chat
        return Caller(user, known.name, place, community, private, known.locale, moderator=known.moderator)

    def lose(self, message: Message) -> None:
        """Deletes a message, as any user may."""
        message.alive = False

    async def upgrade(self, name: str, new: str) -> Place:
        """A group migrates to another id; its old messages cannot be edited any more."""
        old = self.groups[name]
        self.groups[new] = Group(set(old.members))
        old.upgraded = new
        for message in self.messages.at(Place(self.key, name)):
            message.alive = False

        async def hear(dispatcher: Dispatcher, delivery: str) -> None:
            await dispatcher.chat_moved(self.key, name, new)

        await self._deliver(hear)
        return Place(self.key, new)

    def enter(self, user: str, place: Place) -> None:
        """A user joins a group."""
        self.groups[self.current(place).chat].members.add(user)

    def shut(self, user: str) -> None:
        """A user blocks private messages."""
        self.users[user].blocked = True

    async def come_home(self, dispatcher: Dispatcher) -> None:
        """The bot is back, and receives the pending updates."""
        self.dispatcher, pending, self.pending = dispatcher, self.pending, []
        for update in pending:
            await self._hear(update)

    async def _deliver(self, hear: Callable[[Dispatcher, str], Awaitable[None]]) -> None:
        update = Update(next(self._numbers), hear)
        if self.dispatcher is None:
            self.pending.append(update)
            return
        await self._hear(update)
        if self.twice():
            await self._hear(update)

    async def _hear(self, update: Update) -> None:
        if self.dispatcher:
            await update.hear(self.dispatcher, f"{self.key}:{update.number}")

    def _enter(self, user: str) -> None:
        self.users[user].opened, self.users[user].blocked = True, False

    def _answer_press(
        self, user: str, place: Place, reply: Reply, heard: str, replaced: Message | None
    ) -> None:
        """A note above the chat, and a page in place of the one pressed on or in the private chat."""
        if told := reply.brief or reply.notice:
            self.faults.unless(len(told) <= ALERT, f"an alert has {len(told)} characters: {told}")
            self.notices.append((user, told))
            self._tell("alert", None, user, told, (), heard, plain=told)
        if reply.page and replaced:
            raw, rows = self._payload(reply.page)
            if (raw, rows) != (replaced.raw, replaced.rows):
                self._tell("answer", None, user, raw, rows, heard)
                replaced.become(raw, _read(raw), rows)
        elif reply.page:
            self._give(user, place, reply.page, heard, open_=reply.open)
        self._answer_file(user, reply, heard)

    def _answer(self, user: str, place: Place, reply: Reply, heard: str) -> None:
        """A message in the private chat; among others only what all may see."""
        if reply.notice:
            self.notices.append((user, reply.notice))
            self._give(user, place, Page((reply.notice,)), heard, open_=reply.open)
        if reply.page:
            self._give(user, place, reply.page, heard, open_=reply.open)
        self._answer_file(user, reply, heard)

    def _give(self, user: str, place: Place, page: Page, heard: str, *, open_: bool) -> None:
        """Writes to a user in private; if that fails and all may read it, in the group."""
        raw, rows = self._payload(page)
        if self._hears(user):
            self._new("answer", None, user, raw, rows, heard)
        elif open_ and place.chat in self.groups:
            try:
                self._pace(self._group(place))
            except (Later, Forbidden):
                # Nobody waits for an answer that comes a minute late.
                return
            self._new("answer", place, EVERYBODY_HERE, raw, rows, heard)

    def _answer_file(self, user: str, reply: Reply, heard: str) -> None:
        if reply.file and self._hears(user):
            text = reply.file.content.decode()
            self._tell("file", None, user, text, (), heard, plain=text)

    def _hears(self, user: str) -> bool:
        return self.users[user].opened and not self.users[user].blocked

    def _new(
        self, how: str, place: Place | None, user: str, raw: str, rows: Rows, heard: str = ""
    ) -> Message:
        message = Message(f"t{next(self._numbers)}", place, user, raw, _read(raw), rows)
        message.become(raw, _read(raw), rows)
        self._tell(how, place, user, raw, rows, heard)
        self.messages.put(message)
        return message

    def _tell(
        self, how: str, place: Place | None, user: str, raw: str, rows: Rows, heard: str = "",
        plain: str | None = None,
    ) -> None:  # fmt: skip
        text = _read(raw) if plain is None else plain
        sent = Sent(self.clock.now(), how, place, user, raw, text, rows, heard)
        self.sent.append(sent)
        self.wire(sent)

    def _payload(self, page: Page, call: Account | None = None) -> tuple[str, Rows]:
        """The HTML and the keyboard, as they would go over the wire."""
        check = self.faults.unless
        drawing = f"<pre>{html.escape(page.drawing, quote=False)}</pre>" if page.drawing else ""
        mention = f'<a href="tg://user?id={call.user}">●</a>' if call else ""
        above, below = (html.escape("\n".join(lines), quote=False) for lines in (page.above, page.below))
        text = "\n".join(part for part in (mention, above, drawing, below) if part)
        check(text.strip(), "a message without a text")
        check(len(text) <= TEXT, f"{len(text)} characters of text")
        rows = tuple(tuple(Button(key.label, key.data, key.url) for key in row) for row in page.rows)
        buttons = [button for row in rows for button in row]
        check(len(buttons) <= KEYS, f"{len(buttons)} buttons")
        for row in rows:
            check(1 <= len(row) <= ROW, f"{len(row)} buttons in a row")
        for button in buttons:
            check(button.label.strip() and len(button.label) <= LABEL, f"a label is {button.label!r}")
            check(bool(button.url) != bool(button.data), f"leads nowhere, or to two places: {button}")
            check(button.url or 1 <= len(button.data.encode()) <= DATA, f"data is {button.data!r}")
        return text, rows

    def _pace(self, group: Group | None) -> None:
        """Raises `Later` where a limit is exceeded."""
        now = self.clock.now()
        if group:
            self.laters += self._full(group.sendings, now, A_MINUTE, MINUTE)
        self.hurries += self._full(self._all, now, A_SECOND, 1.0)
        if group and len(group.sendings) >= A_MINUTE:
            raise Later(max(group.sendings[0] + MINUTE - now, 0.001))
        if len(self._all) >= A_SECOND:
            raise Later(max(self._all[0] + 1.0 - now, 0.001))
        self._all.append(now)
        if group:
            group.sendings.append(now)

    def _full(self, sendings: deque[float], now: float, most: int, seconds: float) -> bool:
        while sendings and now - sendings[0] >= seconds:
            sendings.popleft()
        return len(sendings) >= most

    def _group(self, place: Place) -> Group:
        known = place.platform == self.key and place.chat in self.groups
        self.faults.unless(known, f"there is no group {place}")
        group = self.groups[place.chat]
        if group.closed or group.upgraded:
            raise Forbidden
        return group

    def _user(self, account: Account) -> User:
        known = account.platform == self.key and account.user in self.users
        self.faults.unless(known, f"there is no user {account}")
        return self.users[account.user]

    def current(self, place: Place) -> Place:
        """A group by the name it has now."""
        group = self.groups.get(place.chat)
        return Place(self.key, group.upgraded) if group and group.upgraded else place

    def _home(self, user: str) -> Place:
        return Place(self.key, user)


def _read(raw: str) -> str:
    """The visible text of the HTML."""
    bare = raw
    for tag in ("<pre>", "</pre>"):
        bare = bare.replace(tag, "\n")
    return html.unescape(bare)
