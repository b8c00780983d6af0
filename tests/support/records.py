"""The records of a fake platform: sent payloads, visible messages, faults; and its users."""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NoReturn, Protocol

from bot.inbox.dispatcher import Dispatcher
from bot.model import Place
from bot.ports import Page, Suggestion

EVERYBODY_HERE = ""
"""The user of what all at a place can read."""


@dataclass(frozen=True, slots=True)
class Button:
    """A visible button of a message."""

    label: str
    data: str = ""
    url: str = ""


Rows = tuple[tuple[Button, ...], ...]


@dataclass(frozen=True, slots=True)
class Sent:
    """One thing that left for a platform: the raw payload, and who can read it."""

    at: float
    how: str
    place: Place | None
    """Where all can read it; None for what one person alone can."""
    user: str
    """Who alone can read it; `EVERYBODY_HERE` otherwise."""
    raw: str
    """The text as it goes over the wire."""
    plain: str
    """What of it people read."""
    rows: Rows = ()
    heard: str = ""
    """What its reader had sent, if this is the answer."""


@dataclass(slots=True)
class Message:
    """A message that stands somewhere."""

    id: str
    place: Place | None
    user: str
    page: Page
    raw: str
    plain: str
    rows: Rows
    beside: Place | None = None
    """Where it is shown in passing, among others, to its reader alone; it is not kept."""
    token_at: float = 0.0
    """When its reader last did something with it; only for one shown in passing."""
    alive: bool = True
    ever: set[Button] = field(default_factory=set)
    """All buttons it has had; a slow phone shows old ones."""

    def become(self, page: Page, raw: str, plain: str, rows: Rows) -> None:
        """Changes the message."""
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
    """All messages of a platform, by name and by who sees them."""

    IN_SIGHT = 30
    """The private messages of a user that are not scrolled away."""

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
        """A message is new."""
        self._messages[message.id] = message
        if message.place:
            self._places.setdefault(message.place, []).append(message)
        else:
            self._users.setdefault(message.user, deque(maxlen=self.IN_SIGHT)).append(message)

    def at(self, place: Place) -> list[Message]:
        """What all at a place can see, the oldest first."""
        self._places[place] = [message for message in self._places.get(place, ()) if message.alive]
        return self._places[place]

    def of(self, user: str) -> list[Message]:
        """What one person alone can see, the oldest first."""
        return [message for message in self._users.get(user, ()) if message.alive]


@dataclass(slots=True)
class Faults:
    """The rules that were broken; kept, since the sender may swallow the error."""

    found: list[str] = field(default_factory=list)

    def refuse(self, what: str) -> NoReturn:
        """Notes a broken rule, and fails loudly."""
        self.found.append(what)
        raise AssertionError(what)

    def unless(self, kept: object, what: str) -> None:
        """Notes a broken rule and fails, unless it is kept."""
        if not kept:
            self.refuse(what)

    def note(self, kept: object, what: str) -> None:
        """Notes a broken rule, unless it is kept, and lets the sender go on."""
        if not kept and what not in self.found:
            self.found.append(what)

    def none(self) -> None:
        """Fails where a rule was broken, though the error was swallowed."""
        assert not self.found, "\n".join(self.found)


Wire = Callable[[Sent], None]
"""Called with every payload when it is sent."""


class UserSide(Protocol):
    """What users can do on a fake platform."""

    dispatcher: Dispatcher | None
    """Where presses and words go; None while the bot is away."""
    faults: Faults
    key: str

    def seen_by(self, user: str) -> list[Message]:
        """The messages that a user can see: all there is at places, then what they alone see."""

    async def press(self, user: str, message: Message, data: str, answer: str = "") -> None: ...
    async def command(self, user: str, place: Place, name: str, given: dict[str, str]) -> None: ...
    async def write(self, user: str, text: str) -> None: ...
    async def complete(
        self, user: str, place: Place, name: str, parameter: str, begun: str, given: dict[str, str]
    ) -> Sequence[Suggestion]: ...
    async def open_chat(self, user: str, payload: str = "") -> None: ...
    async def go_away(self, user: str, place: Place) -> None:
        """The user leaves a place."""


@dataclass(frozen=True, slots=True)
class Guest:
    """A user, who reads only what the platform shows them and presses only buttons they see."""

    platform: UserSide
    user: str
    name: str

    def seen(self) -> list[Message]:
        """The messages they can see: what all see, then what they alone see, each the oldest first."""
        return self.platform.seen_by(self.user)

    async def press(self, message: Message, button: Button, answer: str = "") -> None:
        """Presses a button that the message has, or had when their phone last looked."""
        assert message in self.seen(), "pressed on a message that they do not see"
        assert button in message.ever, "pressed a button that was never there"
        if button.url:
            await self.platform.open_chat(self.user, button.url.partition("=")[2])
        else:
            await self.platform.press(self.user, message, button.data, answer)

    async def press_label(self, label: str, answer: str = "") -> None:
        """Presses the newest button of a label."""
        message, button = next(
            (message, button)
            for message in reversed(self.seen())
            for button in message.buttons
            if button.label == label
        )
        await self.press(message, button, answer)

    async def forge(self, message: Message, data: str) -> None:
        """Sends what no button has said."""
        await self.platform.press(self.user, message, data)

    async def command(self, place: Place, name: str, **given: str) -> None:
        await self.platform.command(self.user, place, name, given)

    async def write(self, text: str) -> None:
        """Writes to the bot alone."""
        await self.platform.write(self.user, text)

    async def open_chat(self, payload: str = "") -> None:
        """Opens the chat with the bot."""
        await self.platform.open_chat(self.user, payload)

    async def go_away(self, place: Place) -> None:
        await self.platform.go_away(self.user, place)


Delay = Callable[[], Awaitable[None]]
"""How long something is on its way."""


async def at_once() -> None:
    """Nothing is ever on its way."""
