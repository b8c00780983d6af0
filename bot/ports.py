"""The protocols of the clock and of a platform, and the values that platforms and the core exchange."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import chain
from typing import Literal, Protocol, runtime_checkable

from bot.errors import PlatformError
from bot.i18n import Speech
from bot.model.ids import GameId
from bot.model.people import Account, mention_of
from bot.model.places import Place
from engines.game import MoveStyle, Text
from engines.values import Value


class Clock(Protocol):
    """The time; tests use a simulated one."""

    def now(self) -> float:
        """Seconds since 1970."""

    async def sleep(self, seconds: float) -> None: ...
    def call_later(self, seconds: float, call: Callable[[], object]) -> Callable[[], object]:
        """Calls a function after some seconds; the returned function cancels the call."""


class Suggestion(Value):
    """An autocomplete suggestion for a command that is being typed."""

    label: str
    value: str


Action = Literal[
    "move", "sure", "done", "pick", "add", "drop", "page", "top", "undo", "hint",
    "join", "leave", "back", "add_computer", "remove_computer", "start", "cut", "hand", "help", "watch",
    "unwatch", "rematch", "house_rules", "set_rule", "clock", "set_clock", "check", "log", "analyse", "sit",
    "replay", "export", "agree", "refuse", "leave_sure", "show", "end", "end_sure",
    "open", "rules", "set", "unbar", "place", "speak", "history", "command", "forget",
    "board", "boards", "commands",
]  # fmt: skip
"""The action of a key: it says what a press asks for."""

NO_GAME: GameId = "0" * 10
"""Stands for the table's id in keys that belong to no table."""


class Key(Value):
    """A choice that a page offers its reader: a button, or a numbered line."""

    label: str
    action: Action | None = None
    """None for a key that opens an address or copies a text."""
    words: str = ""
    """The details of the action, such as the words of a move."""
    game: GameId = NO_GAME
    stamp: int = 0
    """The table's stamp when the key was offered."""
    url: str = ""
    """The address that the key opens; such a key has no action."""
    copy: str = ""
    """What the key copies, at most 256 characters; such a key has no action and needs `Limits.copies`."""
    style: MoveStyle = "plain"
    """How the key stands out, by the styles of moves."""
    offer: bool = False
    """Whether it is one of many similar keys, which a platform may arrange freely or move into a list."""


Keys = tuple[tuple[Key, ...], ...]
"""Groups of keys."""

PageKind = Literal["lobby", "turn", "waiting", "over", "note"]
"""``turn`` is a running game in which the page's reader may act now, ``waiting`` any other running game,
``over`` a table that is over, and ``note`` any other page.
"""


class PagePanel(Value):
    """A part of a page under a title of its own; the title may be empty."""

    title: str
    lines: tuple[str, ...]
    wraps: bool = True
    """Whether the lines are sentences, which a platform wraps; else they are monospace lines of a drawing."""
    folds: bool = False
    """Whether the lines are so many that a platform may fold them, for the reader to open."""


class NewsLine(Value):
    """A piece of news as a sentence."""

    n: int
    """Its index in the news of the table, by which a platform knows what it has shown already."""
    text: str
    routine: bool = False
    """Whether a platform with little room leaves it out first, since the drawing tells it too."""


class Deadline(Value):
    """When the turn that a page is about ends; a platform that knows its reader's local time counts down."""

    text: str
    """The sentence before the time, in the reader's language."""
    at: float
    """In seconds since 1970."""
    plain: str
    """The end of the sentence on a platform that knows no local time, such as “after 60 s”."""

    @property
    def sentence(self) -> str:
        """The whole sentence, for a platform that knows no local time."""
        return f"{self.text} {self.plain}."


class Page(Value):
    """A message as data, without markup or layout; each platform renders it within its `Limits`."""

    kind: PageKind = "note"
    news: tuple[NewsLine, ...] = ()
    """The events since the last page that this reader got, and perhaps earlier ones; the oldest first."""
    panels: tuple[PagePanel, ...] = ()
    status: tuple[str, ...] = ()
    """Whose turn it is, who is away, how the game ended, what the reader is asked; one sentence a line."""
    keys: Keys = ()
    """A platform with buttons begins a new row with each group."""
    more: str = ""
    """The title of a list of offers; if it is empty, no offer is moved into a list."""
    deadline: Deadline | None = None
    """The deadline that its reader sees below the status; None without a clock."""
    about: str = ""
    """The id of an earlier message of the same chat, to which a platform links a new one if it can."""
    link: str = ""
    """The address that the title of the first panel opens where a platform has links; empty for none."""

    @property
    def numbered(self) -> tuple[Key, ...]:
        """The keys in the order of their numbers, which begin at 1 where keys are no buttons."""
        return tuple(chain.from_iterable(self.keys))

    @classmethod
    def note(cls, *lines: str, keys: Keys = (), deadline: Deadline | None = None, about: str = "") -> Page:
        """A page of sentences, one a line."""
        return cls(panels=(PagePanel("", lines),), keys=keys, deadline=deadline, about=about)


class File(Value):
    """A file to download."""

    name: str
    content: bytes


class Reply(Value):
    """The private answer to a delivery."""

    notice: str = ""
    """A sentence or two."""
    page: Page | None = None
    """The page to show. It replaces the pressed message if that is no panel and only the sender sees it.

    A page `here` may replace one that all see, if a moderator has pressed it.
    """
    brief: str = ""
    """The sender's hand in at most `Limits.brief` characters, for a platform's shortest private note."""
    file: File | None = None
    done: bool = False
    """Whether the notice only confirms a change that the table shows too."""
    public: bool = False
    """Whether all but the brief may be posted publicly if the sender cannot be answered privately."""
    here: bool = False
    """Whether the page's keys work only in the delivery's place. If `away` is None, all may read the page."""
    away: Page | None = None
    """Sent to the private chat instead, if the page cannot be shown in the place to its sender alone."""
    all_may_read: bool = False
    """Whether the page is posted publicly if `away` does not reach the private chat."""
    quiet: bool = False
    """Whether nothing may be posted publicly, not even a request to open the private chat."""
    hand_table: GameId = ""
    """The table at which the sender asked for their cards, or acted on the page that shows them.

    Empty for any other reply, and if private messages reach the sender.

    A platform that can show the sender an ephemeral message in the place passes this id to
    `Dispatcher.show_ephemeral`; any other shows the rest of the reply.
    """


class Limits(Value):
    """The abilities of a platform, the limits of its messages, and the rate of sending."""

    text: int
    """Characters of a message, markup included."""
    rows: int = 0
    """Rows of buttons in a message."""
    row_keys: int = 0
    """Buttons in a row."""
    even: bool = True
    """Whether all buttons of a row are equally wide; else each is as wide as its label."""
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
    """Whether every reply in a public place can show its reader, and nobody else, a whole page."""
    edits: bool = True
    """Whether a message can be edited and deleted; else a page that has changed is a new message."""
    buttons: bool = True
    """Whether keys are buttons; else they are numbered lines, and people type."""
    typed: bool = True
    """Whether lines without a command that people type in a public place reach the bot."""
    files: bool = True
    """Whether files can be sent."""
    threads: bool = False
    """Whether a table can get a thread of its own."""
    copies: bool = False
    """Whether a key can copy a text for its reader."""
    folds: bool = False
    """Whether the lines of a panel can be folded."""
    sign: str = "/"
    """The character before the name of a command."""

    @property
    def offers(self) -> int:
        """The keys of a menu's page, besides those in the last row that lead back or to another page."""
        return (self.rows - 1) * self.row_keys if self.buttons else self.keys


class Caller(Value):
    """The sender of a delivery and its place, as the platform describes both."""

    user: str
    name: str
    place: Place
    community: str = ""
    """As in `Room`."""
    private: bool = False
    """Whether the place is the sender's private chat with the bot."""
    locale: str = ""
    """The language of the sender's client; empty if the platform does not tell it."""
    room_locale: str = ""
    """The language of the place; empty if the platform does not tell it."""
    channel: str = ""
    """The chat of the channel, if the place is one of its threads; its settings hold in the thread too."""
    server: str = ""
    """The `Place.chat` under which the settings of the server are stored; empty if there is no server."""
    moderator: bool = False
    """Whether the sender is a moderator of the place, according to the platform."""
    only_here: bool = False
    """Whether a moderator moderates only this channel, and so decides nothing for its server."""
    cannot_post: bool = False
    """Whether the bot may not post in the place; senders are answered all the same."""
    threads: bool = False
    """Whether the bot may open threads in the place."""
    members_only: bool = False
    """Whether the place is a thread that only its members see, so that nobody else is told of its tables."""
    username: str = ""
    """The name by which others mention the sender, without its sign; empty if they have none."""
    place_name: str = ""
    """The name of the place or its group, as its members know it; empty if it has none."""

    @property
    def tokens(self) -> tuple[str, ...]:
        """The mentions by which the sender may be invited: by id, which is certain, and by username."""
        return (mention_of(self.user), *((f"@{self.username.casefold()}",) if self.username else ()))


EPHEMERAL = "@"
"""The first character of the id of an ephemeral message: one in a public place that only its receiver sees.

It can be edited and deleted like any other; the receiver's private chat may be closed.
"""


class Rejected(PlatformError):
    """A platform refuses a request for good, for a reason that none of the errors below stands for."""


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
    """The bot cannot run: a platform refuses it, a port is taken, or a command cannot use the store.

    The message is English and for the host. ``why`` is the reason, which holds no secret.
    """

    def __init__(self, why: Text | str) -> None:
        super().__init__(Speech("en")(why) if isinstance(why, Text) else why)
        self.why = why


class Platform(Protocol):
    """A chat platform, as far as the core sends messages to it.

    Any method that sends a request may raise `Later` or `Rejected`. The ids of messages are opaque to the
    bot, but for `EPHEMERAL`.
    """

    @property
    def key(self) -> str:
        """The `Place.platform` of its places."""

    @property
    def limits(self) -> Limits: ...
    @property
    def reached(self) -> bool:
        """Whether the bot is logged in; before that, other processes do the pending work of its chats."""

    async def post(self, place: Place, page: Page, mention: Account | None = None, *, once: str = "") -> str:
        """Posts a message, which may mention an account, and returns its id.

        ``once`` names the message: if one of this name was sent in the last minutes, a platform that can
        tell sends no other, but makes the first show the page and returns its id. Raises `Forbidden`, or
        `Gone` if the place is deleted.
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
        """Deletes a message; may raise as `edit` does, such as `Gone` for one that is deleted already."""

    def link(self) -> str:
        """The address that opens the private chat; empty if the platform has none."""

    def message_link(self, message: str, community: str = "") -> str:
        """The address of a message in a community, or in a private chat; empty if the platform has none.

        Not called for an ephemeral message, to which no address leads.
        """


@runtime_checkable
class Threads(Protocol):
    """A platform on which a table can have a thread of its own (`Limits.threads`)."""

    @property
    def limits(self) -> Limits: ...

    async def open_thread(self, place: Place, page: Page, name: str) -> Place:
        """Posts a page in a channel, opens a thread below it, and returns the thread, a chat of its own.

        Raises as `Platform.post` does; `Forbidden` also if there are too many threads.
        """

    async def edit_above(self, thread: Place, channel: str, page: Page) -> None:
        """Edits the page above a thread, in the channel with this chat; raises as `Platform.edit` does."""

    async def archive(self, thread: Place) -> None:
        """Archives a thread; a new message in it brings it back. Raises `Forbidden`, `Gone`."""


@runtime_checkable
class Members(Protocol):
    """A platform that does not tell of people who leave a server or group, but can be asked."""

    async def is_member(self, community: str, account: Account) -> bool:
        """Whether a user is in the server or group. Raises `PlatformError`."""


Platforms = Mapping[str, Platform]
