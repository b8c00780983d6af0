"""A strict fake platform: it refuses requests that a real one refuses, and records what each user can see.

A request beyond the limits is the bot's fault. The bot may swallow the error, so tests check
`FakePlatform.faults` at their end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import count

from adapters.shared.rendering.message import Button as Shown
from adapters.shared.rendering.message import Message as Rendered
from adapters.shared.rendering.message import Select, as_message, reply_message
from bot.inbox.dispatcher import Dispatcher
from bot.model.ids import PersonId
from bot.model.people import Account
from bot.model.places import Place
from bot.ports import Caller, Clock, Departed, Forbidden, Gone, Limits, Page, Reply, Unreachable
from tests.support.clock import VirtualClock
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
from tests.support.secret_scan import SecretScan

ROOMY = Limits(text=2000, rows=5, row_keys=5, keys=25, label=80, data=100, gap=0.0)


@dataclass
class User:
    """A user's name, language and rights on the platform."""

    name: str
    locale: str = "en"
    moderator: bool = False


class FakePlatform:
    """Implements `bot.ports.Platform` and checks its `Limits`; tests add places, users and errors."""

    key = "wall"
    limits = ROOMY
    reached = True

    def __init__(
        self,
        limits: Limits | None = None,
        *,
        clock: Clock | None = None,
        wire: Wire = lambda sent: None,
        delay: Delay = at_once,
        address: str = "",
        closed: Iterable[str] = (),
        errors: Iterable[Exception] = (),
    ) -> None:
        self.limits = limits or self.limits
        self.clock = clock or VirtualClock(stopped=True)
        self.wire = wire
        self.delay = delay
        self.address = address
        """The link to the private chat, as `link` returns it; empty for none."""
        self.links = ""
        """The start of every link to a message; if it is empty, `message_link` returns an empty text."""
        self.places: dict[str, set[str]] = {}
        """The chats of which the bot is a member, each with its other members."""
        self.forbidden: set[str] = set()
        """The chats in which the bot may not post."""
        self.dispatchers: list[Dispatcher] = []
        """The dispatchers of the processes that run; each action of a user goes to one of them."""
        self.choose: Callable[[Sequence[Dispatcher]], Dispatcher] = lambda able: able[0]
        """Chooses the dispatcher for an action."""
        self.users: dict[str, User] = {}
        self.senders: set[str] = set()
        """Users who have sent the bot a delivery; writing to any other user is a fault."""
        self.persons: dict[str, PersonId] = {}
        """The person of each user whom the bot has written to, or whom a harness has answered."""
        self.closed = set(closed)
        """Users who do not accept private messages."""
        self.departed: set[str] = set()
        """Users to whom private messages raise `Departed`, since they share no place with the bot."""
        self.errors = list(errors)
        """Errors for the next posts, whispers and edits, each of which raises one."""
        self.scan: SecretScan | None = None
        """The scan of what is sent, if `scan_secrets` was called."""
        self.faults = Faults()
        self.sent: list[Sent] = []
        self.requests: list[str] = []
        """Each request that was carried out, such as ``post square``; of a deletion only ``delete``."""
        self.mentioned: list[str] = []
        """The users whom the bot has mentioned, in order."""
        self.messages = MessageStore()
        self.remembers = -1.0
        """Seconds for which the name (``once``) of a message prevents a second one; negative for none."""
        self._once: dict[str, tuple[Message, float]] = {}
        """For each name the message that was sent under it, and when."""
        self._numbers = count(1)

    @property
    def dispatcher(self) -> Dispatcher | None:
        """A dispatcher for one action; None while the bot is stopped."""
        return self.choose(self.dispatchers) if self.dispatchers else None

    @dispatcher.setter
    def dispatcher(self, dispatcher: Dispatcher | None) -> None:
        self.dispatchers = [dispatcher] if dispatcher else []

    async def post(self, place: Place, page: Page, mention: Account | None = None, *, once: str = "") -> str:
        await self.delay()
        self._raise_error()
        self._check_place(place)
        shown = as_message(page, self.limits)
        payload = self._payload(shown, mention)
        if first := self._sent_before(once):
            self._change("post", first, shown, payload)
            return first.id
        self._pace(place)
        if mention:
            self.mentioned.append(mention.user)
        return self._named(once, self._new("post", place, EVERYBODY_HERE, shown, payload))

    async def whisper(self, account: Account, page: Page, *, once: str = "") -> str:
        await self.delay()
        self._raise_error()
        self.faults.unless(account.platform == self.key, f"an account of another platform: {account}")
        self._check_user(account.user)
        self.persons[account.user] = account.person
        shown = as_message(page, self.limits)
        payload = self._payload(shown)
        if first := self._sent_before(once):
            self._change("whisper", first, shown, payload)
            return first.id
        self._pace(None)
        return self._named(once, self._new("whisper", None, account.user, shown, payload))

    async def edit(self, message: str, page: Page) -> None:
        await self.delay()
        self._raise_error()
        known = self._message(message)
        self._check_editable(known)
        shown = as_message(page, self.limits)
        payload = self._payload(shown)
        self._pace(known.place)
        self._change("edit", known, shown, payload)

    async def delete(self, message: str) -> None:
        await self.delay()
        known = self._message(message)
        if known.place:
            self._check_place(known.place)
        if not known.alive:
            raise Gone
        if known.place:
            self._pace(known.place)
        self.requests.append("delete")
        known.alive = False

    def link(self) -> str:
        return self.address

    def message_link(self, message: str, community: str = "") -> str:
        return f"{self.links}/{community}/{message}" if self.links else ""

    def answer(self, user: str, reply: Reply, in_reply_to: str = "") -> None:
        """Records a reply as sent to a user, without a message that could be seen later."""
        if shown := reply_message(reply, self.limits):
            self._record("answer", None, user, self._payload(shown), in_reply_to)
        if reply.brief:
            size = len(reply.brief)
            self.faults.unless(size <= self.limits.brief, f"{size} characters in brief: {reply.brief}")
            self._record("alert", None, user, (reply.brief, reply.brief, ()), in_reply_to)
        if reply.file:
            text = reply.file.content.decode()
            self._record("file", None, user, (text, text, ()), in_reply_to)

    def place(self, name: str, *members: str) -> Place:
        """Adds a place with these members; returns it."""
        self.places[name] = set(members)
        return Place(self.key, name)

    def user(
        self, user: str, name: str = "", *, locale: str = "en", closed: bool = False, moderator: bool = False
    ) -> str:
        """Adds a user; a closed one does not accept private messages."""
        self.users[user] = User(name or user, locale, moderator)
        if closed:
            self.shut(user)
        return user

    def shut(self, user: str) -> None:
        """Makes a user block private messages."""
        self.closed.add(user)

    def enter(self, user: str, place: Place) -> None:
        """Makes a user join a place."""
        self.places[self.current(place).chat].add(user)

    def current(self, place: Place) -> Place:
        """The place under its present id; it differs once a group has migrated."""
        return place

    def seen_by(self, user: str) -> list[Message]:
        """The messages that a user can see: all at their places, then the newest that they alone see."""
        mine = [Place(self.key, name) for name, members in self.places.items() if user in members]
        return [*(message for place in mine for message in self.messages.at(place)), *self.messages.of(user)]

    def caller(self, user: str, place: Place) -> Caller:
        known, private = self.users[user], place == self.home(user)
        community = "" if private else self._community(place)
        return Caller(user, known.name, place, community, private, known.locale, moderator=known.moderator)

    def home(self, user: str) -> Place:
        """The private chat of a user with the bot."""
        return Place(self.key, f"alone:{user}")

    def chat(self, message: Message) -> str:
        """The chat in which a message stands; for an ephemeral one the private chat."""
        return (message.place or self.home(message.user)).chat

    def chats(self) -> list[str]:
        """The chat of each message that is not deleted."""
        return [self.chat(message) for message in self.messages if message.alive]

    def pages(self, chat: str) -> list[Rendered]:
        """The rendered pages of a chat's messages, the oldest first."""
        return [message.page for message in self.messages if message.alive and self.chat(message) == chat]

    def lose(self, message: Message) -> None:
        """Deletes a message, as any user may."""
        message.alive = False

    def lose_all(self, chat: str) -> None:
        """Deletes every message of a chat."""
        for message in self.messages:
            if self.chat(message) == chat:
                self.lose(message)

    def scan_secrets(self) -> SecretScan:
        """Scans everything sent from now on; the caller passes the tables to `SecretScan.on_commit`."""
        if self.scan is None:
            self.scan = SecretScan(lambda _, user: self.persons.get(user, ""))
            self.wire = self.scan.wire(self.key)
        return self.scan

    def _sent_before(self, once: str) -> Message | None:
        """The message that was sent under a name in the last `remembers` seconds; None if none was."""
        message, at = self._once.get(once, (None, 0.0))
        if message is None or self.clock.now() - at > self.remembers:
            return None
        self.faults.unless(message.alive, "a name is used again although its message was deleted")
        return message

    def _named(self, once: str, message: Message) -> str:
        """Remembers the name of a new message; returns its id."""
        if once:
            self._once[once] = message, self.clock.now()
        return message.id

    def _raise_error(self) -> None:
        """Raises the next of `errors`, if any is left."""
        if self.errors:
            raise self.errors.pop(0)

    def _message(self, message: str) -> Message:
        known = self.messages.get(message)
        self.faults.unless(known, f"no message was ever called {message!r}")
        assert known
        return known

    def _check_place(self, place: Place) -> None:
        """Raises `Forbidden` if the bot may not post at the place."""
        known = place.platform == self.key and place.chat in self.places
        self.faults.unless(known, f"the bot is not in {place}")
        if place.chat in self.forbidden:
            raise Forbidden

    def _check_user(self, user: str) -> None:
        """Raises `Departed` or `Unreachable` if the bot cannot write to the user."""
        self.faults.unless(user in self.senders, f"{user} never used the bot, and it writes to them")
        if user in self.departed:
            raise Departed
        if user in self.closed:
            raise Unreachable

    def _check_editable(self, message: Message) -> None:
        """Raises `Gone` if the message is deleted; else as `_check_place` or `_check_user`."""
        if not message.alive:
            raise Gone
        if message.place:
            self._check_place(message.place)
        else:
            self._check_user(message.user)

    def _community(self, place: Place) -> str:
        """The `Caller.community` of a place."""
        return "town"

    def _pace(self, place: Place | None) -> None:
        """Raises `Later` if a rate limit of the place is exceeded; the place is None for a private chat."""

    def _new_id(self, chat: str) -> str:
        """The id of the next message."""
        return f"{self.key}-{next(self._numbers)}"

    def _new(
        self,
        how: str,
        place: Place | None,
        user: str,
        page: Rendered,
        payload: Payload,
        in_reply_to: str = "",
    ) -> Message:
        raw, plain, rows = payload
        chat = (place or self.home(user)).chat
        message = Message(self._new_id(chat), place, user, page, raw, plain, rows)
        self._record(how, place, user, payload, in_reply_to)
        message.become(page, raw, plain, rows)
        self.messages.put(message)
        self.requests.append(f"{how} {self.chat(message)}")
        return message

    def _change(
        self, how: str, message: Message, page: Rendered, payload: Payload, in_reply_to: str = ""
    ) -> None:
        self._record(how, message.place, message.user, payload, in_reply_to)
        message.become(page, *payload)
        self.requests.append(f"{how} {self.chat(message)}")

    def _record(
        self, how: str, place: Place | None, user: str, payload: Payload, in_reply_to: str = ""
    ) -> None:
        sent = Sent(self.clock.now(), how, place, user, *payload, in_reply_to)
        self.sent.append(sent)
        self.wire(sent)

    def _payload(self, page: Rendered, mention: Account | None = None) -> Payload:
        """The text, its visible part and the buttons, as they would be sent; checks their limits."""
        check, limits = self.faults.unless, self.limits
        raw = self._marked_up(page, mention)
        check(len(raw) <= limits.text, f"{len(raw)} characters of text")
        rows = tuple(tuple(map(self._button, row)) for row in page.rows)
        for row in rows:
            check(1 <= len(row) <= limits.row_keys, f"{len(row)} buttons in a row")
        size = sum(map(len, rows))
        check(size <= limits.keys, f"{size} buttons")
        if page.select:
            rows = (*rows, self._options(page.select))
        check(raw.strip() or rows, "a message with nothing in it")
        check(len(rows) <= limits.rows, f"{len(rows)} rows of buttons")
        return raw, self._visible(raw), rows

    def _options(self, select: Select) -> tuple[Button, ...]:
        """The options of a select menu, each pressed like a button."""
        check = self.faults.unless
        check(select.title.strip(), "a select menu without a title")
        check(1 <= len(select.options) <= self.limits.choices, f"a select menu of {len(select.options)}")
        check(not any(key.url for key in select.options), "an option of a select menu is a link")
        return tuple(map(self._button, select.options))

    def _button(self, key: Shown) -> Button:
        check = self.faults.unless
        check(key.label.strip() and len(key.label) <= self.limits.label, f"a label is {key.label!r}")
        check(bool(key.url) != bool(key.data), f"a button leads nowhere, or to two places: {key}")
        check(len(key.data.encode()) <= self.limits.data, f"data is {key.data!r}")
        return Button(key.label, key.data, key.url)

    def _marked_up(self, page: Rendered, mention: Account | None) -> str:
        """The text in the platform's markup, with a mention of ``mention``."""
        deadline = (page.deadline.sentence,) if page.deadline else ()
        mentions = (f"@{mention.user}",) if mention else ()
        return "\n".join((*mentions, *page.above, page.drawing, *page.below, *deadline))

    def _visible(self, raw: str) -> str:
        """The visible part of a text in the platform's markup."""
        return raw


Payload = tuple[str, str, Rows]
"""The raw text, its visible part, and the buttons."""
