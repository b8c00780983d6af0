"""A strict fake of a platform like Discord: servers with channels, interactions, ephemeral messages.

Its limits are stated here anew, from the vendor's documentation, and share nothing with the adapter.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import count

from bot.inbox.dispatcher import Dispatcher
from bot.model import Account, Place
from bot.ports import (
    Caller,
    Chooser,
    Clock,
    Forbidden,
    Gone,
    Key,
    Later,
    Limits,
    Page,
    Reply,
    Suggestion,
    Unreachable,
)
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

CONTENT = 2000
ROWS = 5
ROW = 5
LABEL = 80
CUSTOM_ID = 100
URL = 512
OPTIONS = 25
OPTION = 100
PLACEHOLDER = 150
FILE = 10 * 1024 * 1024
ANSWER_WITHIN = 3.0
TOKEN_LIFE = 15 * 60.0
BURST = 5
"""Messages and edits that a channel takes within `WINDOW` seconds."""
WINDOW = 5.0

_MARKUP = re.compile(r"([\\*_~|`\[\]()])|^(#{1,3} |-# |[-+] |>)", re.MULTILINE)
_ESCAPED = re.compile(r"\\([^A-Za-z0-9\s])")
_FENCE = "```"


@dataclass
class Channel:
    """A channel of a server."""

    place: Place
    members: set[str] = field(default_factory=set)
    closed: bool = False
    """Whether the bot may not write there."""
    sendings: deque[float] = field(default_factory=deque)


@dataclass
class Member:
    """A user."""

    name: str
    locale: str = "en-US"
    closed: bool = False
    """Takes no private messages."""
    moderator: bool = False
    met: bool = False
    """Whether they have used the bot, so that it may write to them."""


class Guild:
    """The platform, and all servers of it as one."""

    key = "guild"
    limits = Limits(
        text=CONTENT, rows=ROWS, row=ROW, keys=ROWS * ROW, label=LABEL, data=CUSTOM_ID, choices=OPTIONS
    )

    def __init__(self, clock: Clock, wire: Wire = lambda sent: None, delay: Delay = at_once) -> None:
        self.clock = clock
        self.wire = wire
        self.delay = delay
        self.dispatcher: Dispatcher | None = None
        self.faults = Faults()
        self.sent: list[Sent] = []
        self.channels: dict[Place, Channel] = {}
        self.members: dict[str, Member] = {}
        self.messages = MessageStore()
        self.laters = 0
        """The times that a channel's limit was exceeded."""
        self.notices: list[tuple[str, str]] = []
        """Ephemeral notices: the user and the text."""
        self._numbers = count(1)

    async def post(self, place: Place, page: Page, call: Account | None = None) -> str:
        await self.delay()
        channel = self._channel(place)
        self._pace(channel)
        mention = f"<@{call.user}>" if call else ""
        return self._new("post", page, place, EVERYBODY_HERE, mention=mention).id

    async def whisper(self, account: Account, page: Page) -> str:
        await self.delay()
        member = self._member(account)
        self.faults.unless(member.met, f"{account.user} never used the bot, and it writes to them")
        if member.closed:
            raise Unreachable
        return self._new("whisper", page, None, account.user).id

    async def edit(self, message: str, page: Page) -> None:
        await self.delay()
        known = self.messages.get(message)
        self.faults.unless(known, f"no message was ever called {message}")
        assert known
        if not known.alive or (known.beside and self.clock.now() - known.token_at > TOKEN_LIFE):
            raise Gone
        if known.place:
            self._pace(self._channel(known.place))
        elif self.members[known.user].closed and not known.beside:
            raise Unreachable
        self._change("edit", known, page)

    async def delete(self, message: str) -> None:
        await self.delay()
        known = self.messages.get(message)
        self.faults.unless(known, f"no message was ever called {message}")
        assert known
        if known.place and known.alive:
            self._pace(self._channel(known.place))
        known.alive = False

    def link(self, payload: str) -> str:
        return ""

    def seen_by(self, user: str) -> list[Message]:
        places = [channel.place for channel in self.channels.values() if user in channel.members]
        return [
            *(message for place in places for message in self.messages.at(place)),
            *self.messages.of(user),
        ]

    async def press(self, user: str, message: Message, data: str, answer: str = "") -> None:
        """A press comes while the bot is there, or is lost."""
        place = message.place or message.beside or self._home(user)
        if (dispatcher := self._interaction(user)) is None:
            return
        begun = self.clock.now()
        caller = self.caller(user, place)
        if not answer and await dispatcher.asks(caller, data):
            # A window has opened that asks for words, and they have closed it.
            return
        own = message if message.beside else None
        reply = await dispatcher.press(caller, data, self._delivery(), own=bool(own), answer=answer)
        self._in_time(begun)
        await self.delay()
        self._answer(user, place, reply, data + answer, own)

    async def command(self, user: str, place: Place, name: str, given: dict[str, str]) -> None:
        if (dispatcher := self._interaction(user)) is None:
            return
        begun = self.clock.now()
        reply = await dispatcher.command(self.caller(user, place), name, given, self._delivery())
        self._in_time(begun)
        await self.delay()
        self._answer(user, place, reply, " ".join(given.values()), None)

    async def write(self, user: str, text: str) -> None:
        if (dispatcher := self._interaction(user)) is None:
            return
        reply = await dispatcher.words(self.caller(user, self._home(user)), text, self._delivery())
        for page in _pages(reply):
            self._new("answer", page, None, user, heard=text)

    async def complete(
        self, user: str, place: Place, name: str, parameter: str, begun: str, given: dict[str, str]
    ) -> Sequence[Suggestion]:
        if (dispatcher := self._interaction(user)) is None:
            return ()
        found = await dispatcher.complete(self.caller(user, place), name, parameter, begun, given)
        offered = [replace(one, label=one.label[:OPTION]) for one in found if len(one.value) <= OPTION]
        text = "\n".join(f"{one.label} {one.value}" for one in offered[:OPTIONS])
        heard = " ".join((begun, *given.values()))
        self._tell(Sent(self.clock.now(), "suggest", None, user, text, text, (), heard))
        return offered[:OPTIONS]

    async def open_chat(self, user: str, payload: str = "") -> None:
        """Opening a chat sends nothing here; its user takes private messages again."""
        self.members[user].closed = False

    async def go_away(self, user: str, place: Place) -> None:
        self.channels[place].members.discard(user)
        if self.dispatcher:
            await self.dispatcher.depart(self.caller(user, place))

    def channel(self, name: str, *members: str) -> Place:
        """A channel with these members."""
        place = Place(self.key, name)
        self.channels[place] = Channel(place, set(members))
        return place

    def member(
        self,
        user: str,
        name: str = "",
        *,
        locale: str = "en-US",
        closed: bool = False,
        moderator: bool = False,
    ) -> str:
        """A user who may be in channels."""
        self.members[user] = Member(name or user, locale, closed, moderator)
        return user

    def caller(self, user: str, place: Place) -> Caller:
        member, private = self.members[user], place == self._home(user)
        return Caller(
            user, member.name, place, "" if private else "server", private, member.locale,
            moderator=member.moderator,
        )  # fmt: skip

    def current(self, place: Place) -> Place:
        """A channel keeps its name."""
        return place

    def enter(self, user: str, place: Place) -> None:
        """A user joins a channel."""
        self.channels[place].members.add(user)

    def shut(self, user: str) -> None:
        """A user blocks private messages."""
        self.members[user].closed = True

    def lose(self, message: Message) -> None:
        """Deletes a message, as any user may."""
        message.alive = False

    def _interaction(self, user: str) -> Dispatcher | None:
        if self.dispatcher:
            self.members[user].met = True
        return self.dispatcher

    def _in_time(self, begun: float) -> None:
        late = self.clock.now() - begun
        self.faults.unless(late <= ANSWER_WITHIN, f"answered after {late} s, and the token was dead")

    def _answer(self, user: str, place: Place, reply: Reply, heard: str, own: Message | None) -> None:
        if reply.file:
            self.faults.unless(len(reply.file.content) <= FILE, "a file is larger than 10 MiB")
            text = reply.file.content.decode()
            self._tell(Sent(self.clock.now(), "file", None, user, text, text, (), heard))
        page = next(iter(_pages(reply)), None)
        if page is None:
            return
        if reply.notice:
            self.notices.append((user, reply.notice))
        if own and reply.page:
            own.token_at = self.clock.now()
            self._change("answer", own, page, heard)
        elif place == self._home(user):
            self._new("answer", page, None, user, heard=heard)
        else:
            message = self._new("answer", page, None, user, heard=heard)
            message.beside, message.token_at = place, self.clock.now()

    def _new(
        self, how: str, page: Page, place: Place | None, user: str, *, heard: str = "", mention: str = ""
    ) -> Message:
        raw, rows = self._payload(page, mention)
        message = Message(f"g{next(self._numbers)}", place, user, raw, _read(raw), rows)
        message.become(raw, _read(raw), rows)
        self._tell(Sent(self.clock.now(), how, place, user, raw, _read(raw), rows, heard))
        self.messages.put(message)
        return message

    def _change(self, how: str, message: Message, page: Page, heard: str = "") -> None:
        raw, rows = self._payload(page, "")
        sent = Sent(self.clock.now(), how, message.place, message.user, raw, _read(raw), rows, heard)
        self._tell(sent)
        message.become(raw, _read(raw), rows)

    def _tell(self, sent: Sent) -> None:
        self.sent.append(sent)
        self.wire(sent)

    def _payload(self, page: Page, mention: str) -> tuple[str, Rows]:
        """The content and the components, as they would go over the wire."""
        check = self.faults.unless
        check(_FENCE not in page.drawing and "`" not in page.drawing, "a drawing ends its code block")
        block = f"{_FENCE}\n{page.drawing}\n{_FENCE}" if page.drawing else ""
        parts = [mention, _escape("\n".join(page.above)), block, _escape("\n".join(page.below))]
        content = "\n".join(part for part in parts if part)
        check(len(content) <= CONTENT, f"{len(content)} characters of content")
        rows = tuple(tuple(map(self._button, row)) for row in page.rows)
        for row in rows:
            check(1 <= len(row) <= ROW, f"{len(row)} buttons in a row")
        if page.chooser:
            rows = (*rows, self._list(page.chooser))
        check(content.strip() or rows, "a message with nothing in it")
        check(len(rows) <= ROWS, f"{len(rows)} rows of buttons")
        ids = [button.data for row in rows for button in row if not button.url]
        check(len(ids) == len(set(ids)), f"two buttons of one custom id: {sorted(ids)}")
        return content, rows

    def _list(self, chooser: Chooser) -> tuple[Button, ...]:
        """A list, in which each option is pressed as if it were a button."""
        check = self.faults.unless
        check(1 <= len(chooser.title) <= PLACEHOLDER, f"a list is called {chooser.title!r}")
        check(1 <= len(chooser.keys) <= OPTIONS, f"a list of {len(chooser.keys)}")
        check(not any(key.url for key in chooser.keys), "an option of a list is a link")
        return tuple(map(self._button, chooser.keys))

    def _button(self, key: Key) -> Button:
        check = self.faults.unless
        check(len(key.label.strip()) >= 1 and len(key.label) <= LABEL, f"a label is {key.label!r}")
        check(bool(key.url) != bool(key.data), f"a button leads nowhere, or to two places: {key}")
        if key.url:
            check(re.fullmatch(r"https?://\S+", key.url) and len(key.url) <= URL, f"a link is {key.url!r}")
        else:
            check(1 <= len(key.data) <= CUSTOM_ID, f"a custom id is {key.data!r}")
        return Button(key.label, key.data, key.url)

    def _pace(self, channel: Channel) -> None:
        """Raises `Later` where a channel's limit is exceeded."""
        now, sendings = self.clock.now(), channel.sendings
        while sendings and now - sendings[0] >= WINDOW:
            sendings.popleft()
        if len(sendings) >= BURST:
            self.laters += 1
            raise Later(max(sendings[0] + WINDOW - now, 0.001))
        sendings.append(now)

    def _channel(self, place: Place) -> Channel:
        self.faults.unless(place in self.channels, f"there is no channel {place}")
        if self.channels[place].closed:
            raise Forbidden
        return self.channels[place]

    def _member(self, account: Account) -> Member:
        known = account.platform == self.key and account.user in self.members
        self.faults.unless(known, f"there is no user {account}")
        return self.members[account.user]

    def _home(self, user: str) -> Place:
        return Place(self.key, f"dm-{user}")

    def _delivery(self) -> str:
        return f"{self.key}:{next(self._numbers)}"


def _pages(reply: Reply) -> list[Page]:
    """The pages of a reply, the first one with its notice above it."""
    if reply.page is None:
        return [Page((reply.notice,))] if reply.notice else []
    said = not reply.notice or reply.notice in reply.page.above
    above = reply.page.above if said else (reply.notice, *reply.page.above)
    return [replace(reply.page, above=above)]


def _escape(text: str) -> str:
    """Text with every character of markup shown as it is."""
    return _MARKUP.sub(lambda found: "\\" + found[0], text)


def _read(raw: str) -> str:
    """The visible text of the content."""
    outside = [_ESCAPED.sub(r"\1", part) if n % 2 == 0 else part for n, part in enumerate(raw.split(_FENCE))]
    return "".join(outside)
