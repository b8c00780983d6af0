"""The data of a fake platform: payloads sent, messages, broken rules; and `Guest`, a user in a test."""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NoReturn, Protocol

from adapters.shared.rendering.message import Message as Rendered
from bot.inbox.dispatcher import Dispatcher
from bot.model.places import Place
from bot.ports import Suggestion

EVERYBODY_HERE = ""
"""The `user` of a message that all members of a place can read."""


@dataclass(frozen=True, slots=True)
class Button:
    """A visible button of a message."""

    label: str
    data: str = ""
    url: str = ""
    copy: str = ""


Rows = tuple[tuple[Button, ...], ...]


@dataclass(frozen=True, slots=True)
class Sent:
    """A payload that the bot has sent to a platform, and its readers."""

    at: float
    """The time in the clock's seconds."""
    how: str
    """The kind of payload, such as ``post``, ``edit`` or ``alert``."""
    place: Place | None
    """The place whose members can read it; None if one user alone can."""
    user: str
    """The only user who can read it; `EVERYBODY_HERE` if the members of a place can."""
    raw: str
    """The text in the platform's markup."""
    plain: str
    """The visible part of the text."""
    rows: Rows = ()
    in_reply_to: str = ""
    """The text or callback data to which this is the answer; empty otherwise."""


@dataclass(slots=True)
class Message:
    """A message of the bot at a place or in a private chat."""

    id: str
    place: Place | None
    user: str
    page: Rendered
    raw: str
    plain: str
    rows: Rows
    beside: Place | None = None
    """The place at which its reader alone sees it, if it is ephemeral."""
    token_at: float = 0.0
    """The time of the answer to the interaction whose token can edit it; only for an ephemeral message."""
    alive: bool = True
    ever: set[Button] = field(default_factory=set)
    """All buttons that the message has ever had; a user's phone may still show old ones."""

    def become(self, page: Rendered, raw: str, plain: str, rows: Rows) -> None:
        """Changes the content of the message."""
        self.page, self.raw, self.plain, self.rows = page, raw, plain, rows
        self.ever.update(button for row in rows for button in row)

    @property
    def payload(self) -> tuple[str, str, Rows]:
        """The raw text, its visible part, and the buttons."""
        return self.raw, self.plain, self.rows

    @property
    def buttons(self) -> list[Button]:
        return [button for row in self.rows for button in row]


class MessageStore:
    """All messages of a platform, found by id, by place or by user."""

    IN_SIGHT = 30
    """The number of newest private messages that a user still sees."""

    def __init__(self) -> None:
        self._messages: dict[str, Message] = {}
        self._places: dict[Place, list[Message]] = {}
        self._users: dict[str, deque[Message]] = {}

    def __getitem__(self, message: str) -> Message:
        return self._messages[message]

    def get(self, message: str) -> Message | None:
        return self._messages.get(message)

    def __iter__(self) -> Iterator[Message]:
        return iter(self._messages.values())

    def __len__(self) -> int:
        return len(self._messages)

    def put(self, message: Message) -> None:
        """Stores a new message."""
        self._messages[message.id] = message
        if message.place:
            self._places.setdefault(message.place, []).append(message)
        else:
            self._users.setdefault(message.user, deque(maxlen=self.IN_SIGHT)).append(message)

    def at(self, place: Place) -> list[Message]:
        """The messages that all members of a place can see, the oldest first."""
        self._places[place] = [message for message in self._places.get(place, ()) if message.alive]
        return self._places[place]

    def of(self, user: str) -> list[Message]:
        """The messages that one user alone can see, the oldest first."""
        return [message for message in self._users.get(user, ()) if message.alive]


@dataclass(slots=True)
class Faults:
    """The list of rules that the bot has broken; kept, since the bot may swallow the error."""

    found: list[str] = field(default_factory=list)

    def refuse(self, what: str) -> NoReturn:
        """Records a broken rule, and raises `AssertionError`."""
        self.found.append(what)
        raise AssertionError(what)

    def unless(self, kept: object, what: str) -> None:
        """Records the broken rule and raises `AssertionError`, unless ``kept`` is true."""
        if not kept:
            self.refuse(what)

    def note(self, kept: object, what: str) -> None:
        """Records the broken rule without an error, unless ``kept`` is true."""
        if not kept and what not in self.found:
            self.found.append(what)

    def none(self) -> None:
        """Asserts that no rule was broken."""
        assert not self.found, "\n".join(self.found)


Wire = Callable[[Sent], None]
"""A function that is called with every payload when it is sent."""


class UserSide(Protocol):
    """The actions of users on a fake platform."""

    @property
    def dispatcher(self) -> Dispatcher | None:
        """A dispatcher that receives a user's action; None while the bot is stopped."""

    faults: Faults
    key: str

    def seen_by(self, user: str) -> list[Message]:
        """The messages that a user can see: those at their places, then those that they alone see."""

    async def press(self, user: str, message: Message, data: str, answer: str = "") -> None: ...
    async def command(self, user: str, place: Place, name: str, given: dict[str, str]) -> None: ...
    async def write(self, user: str, text: str) -> None: ...
    async def complete(
        self, user: str, place: Place, name: str, parameter: str, begun: str, given: dict[str, str]
    ) -> Sequence[Suggestion]: ...
    async def open_chat(self, user: str) -> None: ...
    async def go_away(self, user: str, place: Place) -> None:
        """The user leaves a place."""


@dataclass(frozen=True, slots=True)
class Guest:
    """A user in a test, who reads only messages that they can see and presses only buttons that these had."""

    platform: UserSide
    user: str
    name: str

    def seen(self) -> list[Message]:
        """The messages that they can see: those at their places, then private ones, each oldest first."""
        return self.platform.seen_by(self.user)

    async def press(self, message: Message, button: Button, answer: str = "") -> None:
        """Presses a button that the message has or once had; asserts that they see the message.

        Any link opens the private chat.
        """
        assert message in self.seen(), "pressed on a message that they do not see"
        assert button in message.ever, "pressed a button that was never there"
        if button.url:
            await self.platform.open_chat(self.user)
        else:
            await self.platform.press(self.user, message, button.data, answer)

    async def press_label(self, label: str, answer: str = "") -> None:
        """Presses the button with this label in the newest private message that has one, else at a place."""
        message, button = next(
            (message, button)
            for message in reversed(self.seen())
            for button in message.buttons
            if button.label == label
        )
        await self.press(message, button, answer)

    async def forge(self, message: Message, data: str) -> None:
        """Sends callback data that need not be of any button, as a forger could."""
        await self.platform.press(self.user, message, data)

    async def command(self, place: Place, name: str, **given: str) -> None:
        await self.platform.command(self.user, place, name, given)

    async def write(self, text: str) -> None:
        """Sends the bot a private message."""
        await self.platform.write(self.user, text)

    async def open_chat(self) -> None:
        """Opens the private chat with the bot."""
        await self.platform.open_chat(self.user)

    async def go_away(self, place: Place) -> None:
        await self.platform.go_away(self.user, place)


Delay = Callable[[], Awaitable[None]]
"""Awaited before each request of the bot; simulates the network's latency.

Also before the answer to a press and, in `Guild`, to a command.
"""


async def at_once() -> None:
    """Waits for nothing: there is no latency."""
