"""The protocols that adapters and tests implement: clock, store, platform; and the values they exchange."""

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
    PanelRecord,
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
    """The time; tests use a simulated one."""

    def now(self) -> float:
        """Seconds since 1970."""

    async def sleep(self, seconds: float) -> None: ...


class StoreError(Exception):
    """The store has failed. A write may or may not have happened, so it must not be reported as done."""


class Store(Protocol):
    """Keeps everything that must outlive the process.

    A method that writes returns after the commit; one that is cancelled may have written. Any method
    may raise `StoreError`. All stores pass one contract suite.
    """

    async def append(self, batch: Batch) -> Taken | Behind | Known | Clash:
        """Stores a batch and its listing and marks the table's panels dirty, all or nothing.

        Returns `Known` for a delivery that is stored already, whatever the entries are, and `Clash`
        only for the first entries of a table. Those set the place and the number of the table; later
        only `move_chat` changes these, and the listing's are ignored. Raises `StoreError` for entries
        that begin beyond the end of the log.
        """

    async def has_delivery(self, delivery: str) -> bool:
        """Whether a batch with this delivery is stored."""

    async def missed(self, game: GameId, n: int, delivery: str) -> Known | Behind | None:
        """The verdict that refuses a batch of this delivery after ``n`` entries; None if it can be stored.

        As in `append`, `Known` takes precedence over `Behind`; an empty delivery is never `Known`.
        """

    async def load(self, game: GameId) -> Stored | None: ...
    async def tail(self, game: GameId, n: int) -> Stored | None:
        """A table with only its entries from ``n`` on."""

    async def live(self) -> Sequence[GameId]:
        """The tables that are not over, the least recently changed first."""

    async def tables(self, place: Place) -> Sequence[Listing]:
        """The tables of a place that are not over, by number."""

    async def tables_of(self, person: PersonId) -> Sequence[Listing]:
        """The tables that are not over and that a person owns or has a seat at, the most recently changed
        first.
        """

    async def last_over(self, place: Place) -> Listing | None:
        """The table of a place that ended last; None if none has ended."""

    async def unsent(self) -> Sequence[PanelRecord]:
        """The dirty panels of all tables."""

    async def panels(self, game: GameId) -> Sequence[PanelRecord]: ...
    async def panel(self, game: GameId, reader: ReaderId) -> PanelRecord | None: ...
    async def mark_dirty(self, panel: PanelRecord) -> PanelRecord:
        """Stores a panel's ``draft`` and ``announced``, marks it dirty, and returns it as stored.

        Creates a panel that is not stored. Leaves the message and ``sent`` as they are.
        """

    async def sent(self, panel: PanelRecord) -> None:
        """Stores a panel's message and ``sent``; a panel that is not stored is created as given."""

    async def room(self, place: Place) -> Room | None: ...
    async def save_room(self, room: Room) -> None: ...
    async def move_chat(self, platform: str, chat: str, new: str) -> None:
        """Gives a chat's rooms and tables its new id; forgets the messages of their public panels.

        A table whose number is taken in the new chat gets another. A community that has the chat's id
        gets the new id too.
        """

    async def account(self, platform: str, user: str) -> Account | None: ...
    async def accounts(self, person: PersonId) -> Sequence[Account]: ...
    async def save_account(self, account: Account) -> None: ...
    async def person(self, person: PersonId) -> Person | None: ...
    async def save_person(self, person: Person) -> None: ...
    async def standings(
        self, *, key: str | None = None, place: Place | None = None, platform: str = "", community: str = ""
    ) -> Sequence[Standing]:
        """The leaderboard, the most wins first: of one game, place or community if it is given, else of all.

        Only games with a result count. A seat that a computer holds at the end counts as a game
        without a win. Names are people's current names.
        """

    async def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Suggestion:
    """An autocomplete suggestion for a command that is being typed."""

    label: str
    value: str


Style = Literal["plain", "main"]


@dataclass(frozen=True, slots=True)
class Key:
    """A button of a page."""

    label: str
    data: str = ""
    """The callback data."""
    url: str = ""
    """The address that the button opens; such a button has no callback data."""
    style: Style = "plain"


@dataclass(frozen=True, slots=True)
class Chooser:
    """A select menu."""

    title: str
    """The placeholder, shown while nothing is selected."""
    keys: tuple[Key, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """A message as data: plain text, which a platform puts into its own markup, and buttons."""

    above: tuple[str, ...] = ()
    """Sentences before the drawing, one a line."""
    drawing: str = ""
    """Monospace text."""
    below: tuple[str, ...] = ()
    rows: tuple[tuple[Key, ...], ...] = ()
    chooser: Chooser | None = None
    """More keys below the rows; only if `Limits.choices` allows it."""


@dataclass(frozen=True, slots=True)
class File:
    """A file to download."""

    name: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Reply:
    """The private answer to a delivery."""

    notice: str = ""
    """A sentence or two."""
    page: Page | None = None
    """The page to show; if the sender pressed a button on a page of their own, it replaces that page."""
    brief: str = ""
    """The page in at most `Limits.brief` characters, for a platform's shortest private note."""
    file: File | None = None
    done: bool = False
    """Whether the notice only confirms a change that the table shows too."""
    public: bool = False
    """Whether all but the brief may be posted publicly if the sender cannot be answered privately."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a platform's messages and of the rate of sending."""

    text: int
    """Characters of a message, markup included."""
    rows: int
    row_keys: int
    """Buttons in a row."""
    keys: int
    """Buttons of a message."""
    label: int
    """Characters on a button."""
    data: int
    """Bytes of a button's callback data."""
    brief: int = 200
    """Characters of `Reply.brief`."""
    width: int = 28
    """Columns of a drawing that a phone does not wrap."""
    markup: int = 200
    """Characters of a message that are kept for markup and escapes."""
    gap: float = 1.0
    """Seconds between two messages in one public place, edits included."""
    choices: int = 0
    """Options of a select menu; 0 if the platform has none."""
    pages: bool = True
    """Whether a whole page can be shown to one person in a public place."""


@dataclass(frozen=True, slots=True)
class Caller:
    """The sender and the place of a delivery, as the platform describes them."""

    user: str
    name: str
    place: Place
    community: str = ""
    private: bool = False
    """Whether the place is the sender's private chat with the bot."""
    locale: str = ""
    """The language of the sender's client; empty if the platform does not tell it."""
    room_locale: str = ""
    """The language of the place; empty if the platform does not tell it."""
    moderator: bool = False
    """Whether the sender is a moderator of the place, according to the platform."""
    barred: bool = False
    """Whether the bot may not post in the place; senders are answered all the same."""


class Unreachable(Exception):
    """A private message cannot be delivered."""


class Departed(Unreachable):
    """A private message cannot be delivered because its receiver shares no place with the bot any more."""


class Gone(Exception):
    """A message is deleted, or can no longer be edited."""


class Forbidden(Exception):
    """The bot may not post in a place."""


class Later(Exception):
    """A platform asks the bot to wait some seconds before it tries again."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"in {seconds} s")
        self.seconds = seconds


class NotAdmitted(Exception):
    """A platform refuses the login, for a reason that the administrator can read."""


class Platform(Protocol):
    """A chat platform: sends messages, and passes the deliveries it receives to the dispatcher.

    Any method may raise `Later`. The ids of messages are opaque to the bot.
    """

    @property
    def key(self) -> str:
        """The `Place.platform` of its places."""

    @property
    def limits(self) -> Limits: ...
    async def post(self, place: Place, page: Page, call: Account | None = None) -> str:
        """Posts a message, which may mention an account, and returns its id; raises `Forbidden`."""

    async def whisper(self, account: Account, page: Page) -> str:
        """Sends a private message, never to a public place, and returns its id.

        Raises `Unreachable`, or `Departed` if the platform gives that reason.
        """

    async def edit(self, message: str, page: Page) -> None:
        """Edits a message; an edit that changes nothing is no error.

        Raises `Gone`, `Forbidden`, `Unreachable`.
        """

    async def delete(self, message: str) -> None:
        """Deletes a message if it still exists."""

    def link(self) -> str:
        """The address that opens the private chat; empty if the platform has none."""


Platforms = Mapping[str, Platform]
