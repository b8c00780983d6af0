"""What the core needs of the world, as protocols; adapters and tests bring them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from bot.model import (
    Account,
    Batch,
    Behind,
    Clash,
    GameId,
    Known,
    Listing,
    Panel,
    Person,
    PersonId,
    Place,
    ReaderId,
    Room,
    Standing,
    Stored,
    Taken,
)


class Clock(Protocol):
    """Time that passes; tests bring one that does not."""

    def now(self) -> float:
        """Seconds since 1970."""

    async def sleep(self, seconds: float) -> None: ...


class StoreError(Exception):
    """The store does not work now: what was to be kept may not be, and nobody may believe that it is."""


class Store(Protocol):
    """Where everything is kept that must outlive the process.

    Every method that writes returns when what it wrote is there for good; whoever is cancelled before
    does not know. Any method may raise `StoreError`. One contract suite holds for all stores.
    """

    async def append(self, batch: Batch) -> Taken | Behind | Known | Clash:
        """Stores a batch and its listing, and makes every panel of the table wanted, all or nothing.

        A delivery that was heard before comes first: it is `Known` whatever the entries are. Only the
        first entries of a table can `Clash`. Where a table is and which number it has is kept from
        them, and from then on only `move_chat` changes it: later listings are not asked. Raises
        `StoreError` for entries that begin beyond the log's end.
        """

    async def heard(self, delivery: str) -> bool:
        """Whether a batch with this delivery is stored."""

    async def missed(self, game: GameId, n: int, delivery: str) -> Known | Behind | None:
        """What keeps a batch of this delivery from being stored after ``n`` entries; None if nothing does.

        A delivery that is stored comes first, as in `append`; an empty one is never stored.
        """

    async def load(self, game: GameId) -> Stored | None: ...
    async def tail(self, game: GameId, n: int) -> Stored | None:
        """The table with only its entries from ``n`` on."""

    async def live(self) -> Sequence[GameId]:
        """All tables that are not over, the one changed first first."""

    async def tables(self, place: Place) -> Sequence[Listing]:
        """The tables of a place that are not over, by number."""

    async def tables_of(self, person: PersonId) -> Sequence[Listing]:
        """The tables that are not over at which a person has a seat or which they own, the latest
        change first.
        """

    async def last_over(self, place: Place) -> Listing | None:
        """The table of a place that was over last."""

    async def unsent(self) -> Sequence[Panel]:
        """All panels that are wanted otherwise than they were sent."""

    async def panels(self, game: GameId) -> Sequence[Panel]: ...
    async def panel(self, game: GameId, reader: ReaderId) -> Panel | None: ...
    async def want(self, panel: Panel) -> Panel:
        """Keeps a panel's draft and what was announced, makes it wanted, and returns it as it is then.

        A new panel is made. A panel's message and what was sent are left as they are.
        """

    async def sent(self, panel: Panel) -> None:
        """Keeps a panel's message and what was sent; all else is left as it is.

        A panel that is not there is kept as it is given.
        """

    async def room(self, place: Place) -> Room | None: ...
    async def save_room(self, room: Room) -> None: ...
    async def move_chat(self, platform: str, chat: str, new: str) -> None:
        """A chat goes on under another name, with its rooms and tables; their public messages are gone.

        A table gets another number where its own is taken there. A community of the chat's name is
        renamed with it.
        """

    async def account(self, platform: str, user: str) -> Account | None: ...
    async def accounts(self, person: PersonId) -> Sequence[Account]: ...
    async def save_account(self, account: Account) -> None: ...
    async def person(self, person: PersonId) -> Person | None: ...
    async def save_person(self, person: Person) -> None: ...
    async def standings(
        self, *, key: str | None = None, place: Place | None = None, platform: str = "", community: str = ""
    ) -> Sequence[Standing]:
        """Games and wins of every person by game, the most wins first; of one game, place or
        community where one is named. Only games with a result count, and a seat that a computer
        holds at the end counts as a game without a win. A person goes by the name they have now.
        """

    async def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Suggestion:
    """How what somebody is typing may go on."""

    label: str
    value: str


Style = Literal["plain", "main"]


@dataclass(frozen=True, slots=True)
class Key:
    """A button of a page."""

    label: str
    data: str = ""
    """What comes back when it is pressed."""
    url: str = ""
    """Where it leads instead of coming back."""
    style: Style = "plain"


@dataclass(frozen=True, slots=True)
class Chooser:
    """Keys of which one is chosen from a list that unfolds."""

    title: str
    """What it says while it is folded."""
    keys: tuple[Key, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """Something to read, with buttons: plain text that a platform puts into its own markup."""

    above: tuple[str, ...] = ()
    """Sentences before the drawing, one a line."""
    drawing: str = ""
    """Monospace text."""
    below: tuple[str, ...] = ()
    rows: tuple[tuple[Key, ...], ...] = ()
    chooser: Chooser | None = None
    """More keys, below the rows; only where `Limits.choices` has room for them."""


@dataclass(frozen=True, slots=True)
class File:
    """Something to keep."""

    name: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Reply:
    """What the sender of something is told, alone."""

    notice: str = ""
    """A sentence or two."""
    page: Page | None = None
    """What they asked to see; where the sender pressed on a page of their own, it takes its place."""
    brief: str = ""
    """The page in so few characters that a platform's smallest private note holds it."""
    file: File | None = None
    done: bool = False
    """Whether the notice says no more than that it is done, which the table shows as well."""
    open: bool = False
    """Whether the rest, though not the brief, may be seen by others too, where nothing can be told alone."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a platform's messages may hold, and how it likes to be written to."""

    text: int
    """Characters of a message, markup included."""
    rows: int
    row: int
    """Buttons in a row."""
    keys: int
    """Buttons of a message."""
    label: int
    """Characters on a button."""
    data: int
    """Bytes behind a button."""
    brief: int = 200
    """Characters of `Reply.brief`."""
    width: int = 28
    """Columns of a drawing that a phone shows without wrapping."""
    markup: int = 200
    """Characters of a message to leave for markup and escapes."""
    gap: float = 1.0
    """Seconds between two sendings into the same shared place, edits counted."""
    choices: int = 0
    """Keys of a list that unfolds; 0 where there is none."""
    pages: bool = True
    """Whether a sender can be shown a whole page that nobody else sees, wherever they are."""


@dataclass(frozen=True, slots=True)
class Caller:
    """Who sent something, and from where."""

    user: str
    name: str
    place: Place
    community: str = ""
    private: bool = False
    """Alone with us."""
    locale: str = ""
    """The language that their client has, if it tells."""
    room_locale: str = ""
    """The language that the place has, if its platform tells."""
    moderator: bool = False
    """Whether the platform lets them keep order in this place."""
    barred: bool = False
    """Whether we may not write in this place; those who ask us are answered all the same."""


class Unreachable(Exception):
    """Somebody cannot be written to alone."""


class Departed(Unreachable):
    """Somebody cannot be written to because they are no longer where we could meet them."""


class Gone(Exception):
    """A message is no longer there, or can no longer be changed."""


class Forbidden(Exception):
    """We may not write in a place."""


class Later(Exception):
    """A platform asks for patience."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"in {seconds} s")
        self.seconds = seconds


class NotAdmitted(Exception):
    """A platform does not let us in, for a reason that whoever runs the program can read."""


class Platform(Protocol):
    """What a platform does for the core; what it sends to the core goes to the dispatcher.

    Any method may raise `Later`. A message is named by words of the platform's own.
    """

    @property
    def key(self) -> str:
        """What `Place.platform` says."""

    @property
    def limits(self) -> Limits: ...
    async def post(self, place: Place, page: Page, call: Account | None = None) -> str:
        """A new message in a place, which may call somebody by name; raises `Forbidden`."""

    async def whisper(self, account: Account, page: Page) -> str:
        """A new message to somebody alone; it never falls through to a place.

        Raises `Unreachable`, or `Departed` where that much is known.
        """

    async def edit(self, message: str, page: Page) -> None:
        """Changes a message; one that is already so is no error.

        Raises `Gone`, `Forbidden`, `Unreachable`.
        """

    async def delete(self, message: str) -> None:
        """Takes a message away, if it is still there."""

    def link(self, payload: str) -> str:
        """An address that opens our chat with whoever follows it; empty where there is none."""


Platforms = Mapping[str, Platform]
