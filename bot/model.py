"""The frozen values that everything about tables, people and places is told in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, get_args

from engines.game import Event, Seat, Text

Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"
Language = Literal["en", "es"]

GameId = str
"""A game at a table: ten hexadecimal digits, short enough for every platform's buttons."""
PersonId = str
"""A person, on every platform they play on."""
ReaderId = str
"""A `PersonId`, or `PUBLIC`."""
PUBLIC: ReaderId = ""
"""The reader of a table's public panel."""


@dataclass(frozen=True, slots=True)
class Alert:
    """A message that reminds a player of their turn: private, or by name in the table's chat."""

    person: PersonId
    by_name: bool = False


EntryKind = Literal[
    "open", "join", "leave", "option", "computer", "dismiss", "cut", "start", "move", "timeout",
    "away", "back", "kick", "owner", "end", "rematch",
]  # fmt: skip
"""What can happen to a table."""

Status = Literal["lobby", "playing", "over"]
"""How far a table is: people sit down, they play, it is done."""

Level = Literal["easy", "normal"]
LEVELS: tuple[Level, ...] = get_args(Level)
"""How well computer players play, the weakest first."""


class Refused(ValueError):
    """Something that cannot be done at a table, for a reason that its sender may read."""

    def __init__(self, reason: Text) -> None:
        super().__init__(reason.message)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Place:
    """Where people talk: a channel or a thread of it, as its platform names them."""

    platform: str
    chat: str
    thread: str = ""


HOME = Place("terminal", "home")
"""The one place of a terminal."""

Openers = Literal["everyone", "moderators"]


@dataclass(frozen=True, slots=True)
class Room:
    """A place and what is settled for it."""

    place: Place
    community: str = ""
    """The server or group that the place belongs to; scores are kept for it together."""
    private: bool = False
    """One person alone with us."""
    language: Language | None = None
    openers: Openers = "everyone"
    """Who may open tables."""


Order = Literal["rank", "suit"]


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who plays, and how they like it."""

    id: PersonId
    name: str
    language: Language | None = None
    order: Order = "rank"
    """How their hand is sorted."""
    letters: bool = False
    """Suits as letters."""
    careful: bool = False
    """Is asked again before a move is made."""
    calls: bool = True
    """Wants to be called when it is their turn."""


@dataclass(frozen=True, slots=True)
class Account:
    """A person as a platform knows them."""

    platform: str
    user: str
    person: PersonId
    reachable: bool = False
    """Whether our last try to write to them alone succeeded."""


@dataclass(frozen=True, slots=True)
class Player:
    """Who sits in a seat."""

    name: str
    level: Level | None = None
    """How well the computer plays that has the seat now; None where its person plays."""
    person: PersonId | None = None
    """Whose seat it is, also while a computer holds it for them; None for a computer's own."""
    kicked: bool = False
    """Whether the person was sent away, and may not take the seat back."""

    @property
    def is_computer(self) -> bool:
        return self.level is not None

    @property
    def is_away(self) -> bool:
        """Whether a computer holds the seat of a person."""
        return self.is_computer and self.person is not None


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a table's log; the log is the game."""

    n: int
    kind: EntryKind
    seat: Seat | None = None
    person: PersonId | None = None
    """Who did it; None where nobody did, as with a clock or a computer player."""
    body: Mapping[str, Json] = field(default_factory=dict)
    at: float = 0.0
    """When, in seconds since 1970."""


@dataclass(frozen=True, slots=True)
class News:
    """Something that happened, and the entry it came with."""

    n: int
    event: Event


@dataclass(frozen=True, slots=True)
class Seated:
    """A seat as lists of tables and scores know it."""

    seat: Seat
    player: Player
    score: int | None = None
    """None before the end, and where the game was stopped."""
    won: bool = False


@dataclass(frozen=True, slots=True)
class Listing:
    """A table as lists know it: what follows from its log without playing it."""

    game: GameId
    place: Place
    number: int
    """What people call the table in its place, from 1; free again when it is over."""
    key: str
    revision: int
    status: Status
    owner: PersonId | None
    seats: tuple[Seated, ...]
    entries: int
    opened: float
    """When, in seconds since 1970."""
    changed: float


@dataclass(frozen=True, slots=True)
class Batch:
    """Entries that are stored together or not at all, with what follows from them."""

    entries: tuple[Entry, ...]
    """Consecutive; the first one's ``n`` is how many there are before."""
    listing: Listing
    """The table after them."""
    delivery: str = ""
    """The platform's id of what was sent, so that nothing is done twice; empty where nobody sent it."""
    server_seed: bytes | None = field(default=None, repr=False)
    """Only with the first entries of a table whose deal is sealed."""
    seed_words: str | None = field(default=None, repr=False)
    """Only with the first entries of a table whose deal somebody chose."""


@dataclass(frozen=True, slots=True)
class Taken:
    """A batch is stored, for good."""


@dataclass(frozen=True, slots=True)
class Behind:
    """A batch was not stored, because the log went on without its writer."""

    tail: tuple[Entry, ...]
    """The entries from the batch's first ``n`` on."""


@dataclass(frozen=True, slots=True)
class Known:
    """A batch was not stored, because its delivery was heard before."""


@dataclass(frozen=True, slots=True)
class Clash:
    """A new table was not stored, because another one that is not over has its number in its place."""


@dataclass(frozen=True, slots=True)
class Stored:
    """All that a store keeps of a table."""

    listing: Listing
    entries: tuple[Entry, ...]
    server_seed: bytes | None = field(repr=False)
    seed_words: str | None = field(repr=False)


@dataclass(frozen=True, slots=True)
class Draft:
    """Where in their menu a reader is, and the words they have put together."""

    stamp: int = 0
    """How many moves were made before; a move of its owner since then makes it void."""
    path: tuple[str, ...] = ()
    page: int = 0
    asked: bool = False
    """Whether the path is a whole move that its reader is asked to confirm."""


@dataclass(frozen=True, slots=True)
class Panel:
    """The message in which a reader sees a table."""

    game: GameId
    reader: ReaderId
    """`PUBLIC` for the one at the table's place."""
    message: str = ""
    """Where it is, in its platform's own words; empty while there is none."""
    draft: Draft = Draft()
    wanted: int = 0
    """Grows whenever something is to be seen anew."""
    sent: int = 0
    """What ``wanted`` was when the message was last made up to date."""
    announced: int = 0
    """Of the public panel: how many events have been posted in messages of their own."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How somebody has done at a game."""

    person: PersonId
    name: str
    key: str
    games: int
    wins: int
