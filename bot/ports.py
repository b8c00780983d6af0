"""The protocols that adapters and tests implement: clock, store, platform; and the values they exchange."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from bot.errors import PlatformError
from bot.model import (
    Account,
    Batch,
    Behind,
    Claim,
    Clash,
    GameId,
    Known,
    Listing,
    Look,
    Marked,
    PanelRecord,
    Person,
    PersonId,
    Place,
    ProcessId,
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
    """The store has failed. Nothing was written, unless the error is `Uncertain`."""


class Uncertain(StoreError):
    """The store failed during a commit: the change may be stored or not, and only a later read can tell."""


class Unreadable(StoreError):
    """The rows of a table cannot be read. Only this table is concerned: the store works."""


ALIVE = 10.0
"""Seconds after its last beat for which a process counts as alive, so that it keeps its leases."""


class Store(Protocol):
    """Keeps everything that must outlive the process.

    A method that writes returns after the commit; one that is cancelled may have written. Any method
    may raise `StoreError`, and does so within 5 s if the database does not respond; one that writes may
    raise `Uncertain`, one that reads a table `Unreadable`. All stores pass one contract suite.
    """

    @property
    def shared(self) -> bool:
        """Whether other processes may serve from the store too; else a table in memory is never outdated."""

    async def append(self, batch: Batch) -> Taken | Behind | Known | Clash:
        """Stores a batch and its listing and marks the table's panels dirty, all or nothing.

        The batch's keeper takes the lease of the table's chat, also from a living process. The panel of the
        public begins, dirty, when its table is opened, a player's when they join.
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

    async def tables(self, place: Place) -> Sequence[Listing]:
        """The tables of a place that are not over, by number."""

    async def tables_of(self, person: PersonId) -> Sequence[Listing]:
        """The tables that are not over and that a person owns or has a seat at, the most recently changed
        first.
        """

    async def last_over(self, place: Place) -> Listing | None:
        """The table of a place that ended last; None if none has ended."""

    async def panels(self, game: GameId) -> Sequence[PanelRecord]: ...
    async def panel(self, game: GameId, reader: ReaderId) -> PanelRecord | None: ...
    async def mark_dirty(
        self, panel: PanelRecord, *, expected: int | None = None, keeper: ProcessId = ""
    ) -> Marked:
        """Stores a panel's ``draft`` and ``announced`` and marks it dirty.

        Creates a panel that is not stored. Leaves the message, ``sent`` and ``told`` as they are. With
        ``expected``, stores nothing unless that is the panel's ``wanted`` (0 for one that is not stored):
        of two processes that change one draft, the second reads the first's. A ``keeper`` whose change is
        stored takes the lease of the table's chat.
        """

    async def sent(
        self,
        panel: PanelRecord,
        *,
        keeper: ProcessId = "",
        replaces: str | None = None,
        free_at: float | None = None,
    ) -> PanelRecord:
        """Stores a panel's message, ``sent`` and ``told``, and returns the panel as it is stored then.

        A panel that is not stored is created as given. Nothing is stored by a ``keeper`` that does not
        hold the lease of the table's chat, unless the stored panel has no message; nor if the stored
        message is another than the one that it ``replaces``. A sender whose new message is not the one
        returned deletes it. ``free_at`` is noted in the keeper's lease.
        """

    async def beat(self, process: ProcessId, now: float) -> Sequence[ProcessId]:
        """Notes that a process is alive; returns all that are, the one that started first at the front.

        A process beats every 2 s, and is alive for `ALIVE` seconds after a beat. Where the store is not
        shared, a starting process may `retire` all others, which must be dead.
        """

    async def retire(self, process: ProcessId) -> None:
        """Notes that a process has ended: its leases are free at once."""

    async def release(self, process: ProcessId, platform: str, chat: str) -> None:
        """Gives back the lease of one chat, if the process holds it."""

    async def claim(
        self, process: ProcessId, platforms: Sequence[str], now: float, limit: int
    ) -> Sequence[Claim]:
        """Takes the leases of chats that no other living process keeps and whose tables owe something.

        Returns these tables: first those that are due, the longest due first, then those with dirty panels.
        In chats that the process keeps already, only what is due is returned, again and again until an
        entry or `postpone` changes it. At most ``limit`` tables that are due and as many chats with dirty
        panels are returned; of such a chat, all tables with dirty panels. Two processes never claim the
        same table.
        """

    async def owed(self, platform: str, chat: str) -> Sequence[GameId]:
        """The tables of a chat that will be due or have dirty panels, to be asked for every new lease that
        was not claimed: `claim` passes over the dirty panels of chats that the process keeps.
        """

    async def look(self, game: GameId, n: int) -> Look | None:
        """The entries of a table from ``n`` on, its place and its keeper, by one cheap query."""

    async def postpone(self, game: GameId, n: int | None, due: float | None) -> None:
        """Sets the time from which a table is due, unless its log has another length than ``n``.

        For a table that was claimed and owes nothing, and for one that cannot be read, so that the length
        of its log is not known: then ``n`` is None.
        """

    async def outdate(self, revisions: Mapping[str, int]) -> None:
        """Makes the live tables due whose games have newer revisions; ``revisions`` has each game's key."""

    async def longest_due(self) -> float | None:
        """The time of the table that is due first; None if none is."""

    async def pass_gate(self, gate: str, now: float, seconds: float) -> float:
        """Passes a gate, and closes it to all processes for some seconds; returns 0.

        If it is closed, returns the seconds until it may be tried again.
        """

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

Action = Literal[
    "move", "sure", "done", "pick", "add", "drop", "page", "top",
    "join", "leave", "back", "add_computer", "remove_computer", "start", "cut", "hand", "help", "watch",
    "rematch", "house_rules", "set_rule", "check", "log",
    "open", "rules", "set",
]  # fmt: skip
"""The actions of keys: of a player's menu, of a table, and (the last line) of pages without a table."""

NO_GAME: GameId = "0" * 10
"""Stands for the table's id in keys that belong to no table."""


@dataclass(frozen=True, slots=True)
class Key:
    """A choice that a page offers its reader: a button, or a numbered line."""

    label: str
    action: Action | None = None
    """None for a key that opens an address."""
    words: str = ""
    """The details of the action, such as the words of a move."""
    game: GameId = NO_GAME
    stamp: int = 0
    """Moves made at the table when the key was offered."""
    url: str = ""
    """The address that the key opens; such a key has no action."""
    style: Style = "plain"
    offer: bool = False
    """Whether it is one of many choices of a kind, which a platform may lay out as it likes or move into a
    list.
    """


Keys = tuple[tuple[Key, ...], ...]
"""Groups of keys."""

PageKind = Literal["lobby", "turn", "waiting", "over", "note"]
"""The kinds of pages: of a lobby; of a running game whose reader may act now, or may not; of a table that is
over; and every page without a table.
"""


@dataclass(frozen=True, slots=True)
class PagePanel:
    """A part of a page under a title of its own; the title may be empty."""

    title: str
    lines: tuple[str, ...]
    wraps: bool = True
    """Whether the lines are sentences, which a platform wraps; else they are monospace lines of a drawing."""


@dataclass(frozen=True, slots=True)
class NewsLine:
    """A piece of news as a sentence."""

    n: int
    """Its index in the news of the table, by which a platform knows what it has shown already."""
    text: str


@dataclass(frozen=True, slots=True)
class Page:
    """A message as data, without markup or layout; each platform renders it within its `Limits`."""

    kind: PageKind = "note"
    news: tuple[NewsLine, ...] = ()
    """What happened since the last delivery to this reader, or earlier; the oldest first."""
    panels: tuple[PagePanel, ...] = ()
    status: tuple[str, ...] = ()
    """Whose turn it is, who is away, how the game ended, what the reader is asked; one sentence a line."""
    keys: Keys = ()
    """A platform with buttons begins a new row with each group."""
    more: str = ""
    """The title of a list of offers; if it is empty, no offer is moved into a list."""

    @property
    def numbered(self) -> tuple[Key, ...]:
        """The keys in the order of their numbers, which begin at 1 where keys are no buttons."""
        return tuple(key for group in self.keys for key in group)

    @classmethod
    def note(cls, *lines: str, keys: Keys = ()) -> Page:
        """A page of sentences, one a line."""
        return cls(panels=(PagePanel("", lines),), keys=keys)


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
    quiet: bool = False
    """Whether nothing may be posted publicly, not even that the sender should open the private chat."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a platform can show, the limits of its messages, and the rate of sending."""

    text: int
    """Characters of a message, markup included."""
    rows: int = 0
    """Rows of buttons in a message."""
    row_keys: int = 0
    """Buttons in a row."""
    keys: int = 20
    """Buttons of a message; without buttons, keys of a menu's page."""
    label: int = 80
    """Characters on a button."""
    data: int = 100
    """Bytes of a button's callback data."""
    brief: int = 200
    """Characters of `Reply.brief`."""
    width: int = 28
    """Columns of a drawing that a phone does not wrap."""
    height: int | None = None
    """Lines that a drawing should have at most; None if it may have any number."""
    markup: int = 200
    """Characters of a message that are kept for markup and escapes."""
    gap: float = 1.0
    """Seconds between two messages in one public place, edits included."""
    choices: int = 0
    """Options of a select menu; 0 if the platform has none."""
    pages: bool = True
    """Whether a whole page can be shown to one person in a public place."""
    edits: bool = True
    """Whether a message can be edited and deleted; else a page that has changed is a new message."""
    buttons: bool = True
    """Whether keys are buttons; else they are numbered lines, and people type."""
    typed: bool = True
    """Whether lines without a command that people type in a public place reach the bot."""
    files: bool = True
    """Whether files can be sent."""
    sign: str = "/"
    """The character before the name of a command."""

    @property
    def offers(self) -> int:
        """The keys of a menu's page, besides those in the last row that lead back or to another page."""
        return (self.rows - 1) * self.row_keys if self.buttons else self.keys


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


class Rejected(PlatformError):
    """A platform refuses a request for good, and no other error of this module says why."""


class Unreachable(PlatformError):
    """A private message cannot be delivered."""


class Departed(Unreachable):
    """A private message cannot be delivered because its receiver shares no place with the bot any more."""


class Gone(PlatformError):
    """A message is deleted, or can no longer be edited."""


class Forbidden(PlatformError):
    """The bot may not post in a place."""


class Later(PlatformError):
    """A platform asks the bot to wait some seconds before it tries again, or cannot be reached."""

    def __init__(self, seconds: float, why: str = "") -> None:
        super().__init__(f"again in {seconds:g} s" + (f": {why}" if why else ""))
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
    @property
    def reached(self) -> bool:
        """Whether the bot is logged in; before that, what its chats are owed is left to other processes."""

    async def post(self, place: Place, page: Page, call: Account | None = None, *, once: str = "") -> str:
        """Posts a message, which may mention an account, and returns its id; raises `Forbidden`.

        ``once`` names the message: if one of this name was sent in the last minutes, a platform that can
        tell sends no other, but makes the first show the page and returns its id.
        """

    async def whisper(self, account: Account, page: Page, *, once: str = "") -> str:
        """Sends a private message, never to a public place, and returns its id; ``once`` is as in `post`.

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
