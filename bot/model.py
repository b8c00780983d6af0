"""The frozen values of tables, people and places, which all packages of the bot share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from bot.choices import Forced as Forced
from bot.choices import Language as Language
from bot.choices import Suggestions as Suggestions
from bot.ratings import Rating
from engines.game import Event, Level, Pictures, Seat, Text

Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"

GameId = str
"""The id of a table and its game: ten hexadecimal digits, short enough for every platform's buttons."""
PersonId = str
"""The id of a person, the same on all platforms."""
ProcessId = str
"""The id of a running process of the bot, drawn at random at each start."""
ReaderId = str
"""A `PersonId`, or `PUBLIC`."""
PUBLIC: ReaderId = ""
"""The reader of a table's public panel."""


@dataclass(frozen=True, slots=True)
class Alert:
    """Addresses a message that reminds a player of their turn."""

    person: PersonId
    by_name: bool = False
    """Whether the message names the player in the table's chat; else it is private."""


@dataclass(frozen=True, slots=True)
class Invitation(Alert):
    """Addresses a private message that tells a person of a new table."""

    place_name: str = ""
    """The name of the table's place as its members know it; empty if it is unknown."""


EntryKind = Literal[
    "open", "join", "leave", "option", "computer", "dismiss", "cut", "start", "move", "timeout", "credit",
    "hold", "back", "forfeit", "kick", "owner", "end", "rematch", "ask", "vote", "take", "undo", "forget",
]  # fmt: skip
"""The kinds of log entries: everything that can happen at a table."""

Status = Literal["lobby", "playing", "over"]
"""The stages of a table: players join, they play, the game is over or the table closed."""

Vanish = Literal["computer", "forfeit"]
"""What becomes of a seat whose player vanishes: a computer plays it, or its player loses the game."""


class Refused(ValueError):
    """An action that a table does not allow, with a reason for its sender."""

    def __init__(self, reason: Text) -> None:
        super().__init__(reason.message)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Place:
    """A channel or one of its threads, by the ids of its platform."""

    platform: str
    chat: str
    thread: str = ""


HOME = Place("terminal", "home")
"""The only place of a terminal."""

Openers = Literal["everyone", "moderators", "nobody"]


@dataclass(frozen=True, slots=True)
class Room:
    """A place and its settings; None stands for the server's. A thread has the settings of its channel."""

    place: Place
    community: str = ""
    """The id of the server or group that the place belongs to; each has its own leaderboard."""
    private: bool = False
    """A chat with one person."""
    language: Language | None = None
    openers: Openers | None = None
    """Who may open tables."""
    clock: int | None = None
    """Seconds of a turn at new tables; 0 is no clock, and `USUAL_CLOCK` each game's own."""
    threads: bool | None = None
    """Whether each new table gets a thread of its own; of a thread, whether the bot opened it for a table."""
    barred: tuple[PersonId, ...] = ()
    """The people whom moderators have barred from its tables."""
    wishes: tuple[PersonId, ...] = ()
    """The people who are told when a table opens."""
    channel: str = ""
    """The chat of the channel that it is a thread of; empty if it is a channel itself."""
    server: str = ""
    """The `Place.chat` under which the settings of its server are stored; empty if it belongs to none."""
    spoken: Language | None = None
    """The language of the place according to its platform."""
    asked: bool = False
    """Whether a player has been asked which language its tables should speak."""

    @property
    def around(self) -> tuple[Place, ...]:
        """The places around it, the nearest first."""
        return tuple(Place(self.place.platform, chat) for chat in (self.channel, self.server) if chat)

    @property
    def is_own_thread(self) -> bool:
        """Whether the bot has opened this thread for a table; that is what `threads` means for a thread."""
        return bool(self.channel and self.threads)

    @property
    def channel_place(self) -> Place:
        """The channel: the place itself, or the one that it is a thread of."""
        return Place(self.place.platform, self.channel) if self.channel else self.place

    @property
    def outermost(self) -> Place:
        """The server or group that it belongs to, whose settings hold everywhere in it."""
        return self.around[-1] if self.around else self.place

    def moved(self, chat: str, there: Room | None) -> Room:
        """The place after its chat has got another id, with the settings already chosen ``there``.

        A late press in the old chat makes a place without settings, whose move must not undo the first.
        """
        there = there or Room(self.place)
        return replace(
            self,
            place=replace(self.place, chat=chat),
            community=chat if self.community == self.place.chat else self.community,
            channel=chat if self.channel == self.place.chat else self.channel,
            language=self.language or there.language,
            openers=self.openers or there.openers,
            clock=there.clock if self.clock is None else self.clock,
            threads=there.threads if self.threads is None else self.threads,
            barred=tuple(dict.fromkeys((*self.barred, *there.barred))),
            wishes=tuple(dict.fromkeys((*self.wishes, *there.wishes))),
            asked=self.asked or there.asked,
        )


USUAL_CLOCK = -1
"""Stands for each game's own clock, where a place chooses it."""


@dataclass(frozen=True, slots=True)
class RoomSettings:
    """The settings that apply in a place."""

    language: Language | None = None
    is_chosen: bool = False
    """Whether a person chose the language; else it is what the platform says, or unknown."""
    openers: Openers = "everyone"
    clock: int | None = None
    """Seconds of a turn at new tables; None for each game's own."""
    threads: bool = False
    barred: frozenset[PersonId] = frozenset()
    """The people who are barred from the tables of the place or of a place around it."""
    wishes: tuple[PersonId, ...] = ()
    """The people who are told when a table opens in the place, or in the channel that it is a thread of."""


Order = Literal["rank", "suit"]

Calls = Literal["soon", "away", "never"]
"""When a person wants turn alerts: soon after their turn begins, only if they seem to be away, or never."""


Zone = int | str
"""A time zone: its distance ahead of UTC in quarters of an hour, or the IANA name of one that may have summer
time.
"""


@dataclass(frozen=True, slots=True)
class Person:
    """A person and their preferences, on every platform they play on."""

    id: PersonId
    name: str
    language: Language | None = None
    order: Order = "rank"
    """How the person's hand is sorted."""
    letters: bool = False
    """Whether suits are shown as letters."""
    careful: bool = False
    """Whether each move must be confirmed."""
    calls: Calls = "soon"
    quiet: str = ""
    """The hours of the day in which no alert is sent, such as ``23-8``; empty for none."""
    zone: Zone | None = None
    """The person's time zone; None if it is unknown."""
    pictures: Pictures = "fits"
    forced: Forced = "open"
    hidden: bool = False
    """Whether the person is on no leaderboard, and in no profile that others see."""
    suggestions: Suggestions = "full"


@dataclass(frozen=True, slots=True)
class Account:
    """A person's account on a platform."""

    platform: str
    user: str
    person: PersonId
    reachable: bool = False
    """Whether the last private message to the account arrived."""


@dataclass(frozen=True, slots=True)
class Player:
    """The holder of a seat."""

    name: str
    level: Level | None = None
    """The level of the computer that plays the seat; None if a person plays it."""
    person: PersonId | None = None
    """The person whose seat it is, also while a computer plays it for them; None for a computer's own."""
    kicked: bool = False
    """Whether the person was kicked, and may not take the seat back."""

    @property
    def is_computer(self) -> bool:
        return self.level is not None

    @property
    def is_held(self) -> bool:
        """Whether a computer plays the seat of a person."""
        return self.is_computer and self.person is not None


QuestionKind = Literal["sit", "undo", "end"]
"""The questions that the players of a running game decide: a person asks for a seat, a player asks to take
moves back or to end the game.
"""


@dataclass(frozen=True, slots=True)
class Question:
    """The open question of a table."""

    n: int
    """The number of the entry that asks it, by which buttons name the question."""
    kind: QuestionKind
    seat: Seat
    """The seat that is asked for, or else the asker's."""
    person: PersonId
    """The asker."""
    name: str
    """The asker's name at the table, unlike all others there."""
    asked: float
    """In seconds since 1970."""
    lapses: float
    """The time at which it is closed without an answer."""
    stamp: int
    """Moves made at the table when it was asked."""
    to: int = 0
    """Only of `undo`: the number of the first entry to take back."""
    votes: Mapping[PersonId, bool] = field(default_factory=dict)
    """The answers so far."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a table remembers of the questions of one person."""

    times: int
    """How many they have asked in this game, without those that were granted."""
    at: float
    """When the last was asked, in seconds since 1970."""
    stamp: int
    """Moves made at the table by then."""


@dataclass(frozen=True, slots=True)
class Match:
    """A series of games between the same players, which ends with the first to win a number of them."""

    first_to: int
    """The number of wins."""
    before: Mapping[str, int]
    """The games that each player had won before the match."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a table's log, from which the table's state is folded."""

    n: int
    kind: EntryKind
    seat: Seat | None = None
    person: PersonId | None = None
    """The person who caused it; None for the clock, computer players and the service."""
    body: Mapping[str, Json] = field(default_factory=dict)
    """The details; the keys depend on the kind."""
    at: float = 0.0
    """In seconds since 1970."""


@dataclass(frozen=True, slots=True)
class News:
    """An event of the game, and the number of the entry that caused it."""

    n: int
    event: Event
    sentences: dict[tuple[str, bool, tuple[str, ...]], str] = field(
        default_factory=dict, repr=False, compare=False
    )
    """A cache of the event's sentence, by language, whether suits are letters, and the players' names."""


@dataclass(frozen=True, slots=True)
class Seated:
    """A seat in a listing, with its player and result."""

    seat: Seat
    player: Player
    score: int | None = None
    """None before the end, and if the game was stopped."""
    won: bool = False


@dataclass(frozen=True, slots=True)
class Listing:
    """The facts of a table that are known without replaying its log."""

    game: GameId
    place: Place
    number: int
    """The table's number in its place, from 1; free again when the table is over."""
    key: str
    """The key of the game that is played."""
    revision: int
    """The revision of the game's rules with which the table was opened."""
    status: Status
    owner: PersonId | None
    seats: tuple[Seated, ...]
    entries: int
    opened: float
    """In seconds since 1970."""
    changed: float
    due: float | None = None
    """The time from which a process must attend to the table without a press; None if none must."""

    def sits(self, person: PersonId) -> bool:
        """Whether a person has a seat that no computer holds for them."""
        return any(one.player.person == person and not one.player.is_held for one in self.seats)


@dataclass(frozen=True, slots=True)
class Lease:
    """The right of one process, the keeper, to send to a chat and to play the computers at its tables.

    It holds while the process is alive; it is taken with every append, and claimed when its process is dead.
    """

    platform: str
    chat: str
    process: ProcessId
    fence: int
    """The number of times that the lease has changed hands, from 1."""
    free_at: float = 0.0
    """The time until which the chat rests, as its last sender noted, in seconds since 1970."""
    is_new: bool = False
    """Whether it has just changed hands; its keeper then asks what the tables of the chat owe."""
    taken_from: ProcessId = ""
    """The living process that held a new lease until now, and may still be sending; empty if none did."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A table that owes something, and the lease of its chat, which the claiming process now holds."""

    game: GameId
    lease: Lease


@dataclass(frozen=True, slots=True)
class Outage:
    """A time in which no process ran, in seconds since 1970."""

    began: float
    ended: float


Unrated = Literal["computers", "guests", "chosen", "kicked", "taken_back", "often", "substitute", "log"]
"""Why a game is not rated: computers were dealt cards; a player had no account; the deal was chosen; a player
was kicked; moves were taken back; the same people had enough rated games that day; the person took a seat
only during the game; or the log cannot be read.
"""


@dataclass(frozen=True, slots=True)
class Finish:
    """How a game ended for one person."""

    person: PersonId
    seat: Seat
    place: int
    """From 1; equal points share a place, and those who left are behind all others."""
    score: int
    won: bool
    alone: bool = False
    """Whether all other players were computers, or kicked."""
    counts: bool = True
    """Whether the leaderboard counts the game."""
    starter: bool = True
    """Whether the person was dealt cards, and so is rated if the game is."""
    left: bool = False
    """Whether a computer or another person held the seat at the end."""


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of a game that has a result, as its log tells it."""

    game: GameId
    key: str
    """The key of the game that was played."""
    ended: float
    """In seconds since 1970."""
    finishes: tuple[Finish, ...]
    """By seat; computers have none."""
    unrated: Unrated | None = None
    """None if the game is rated, unless the same people had enough rated games that day."""


@dataclass(frozen=True, slots=True)
class PlayerResult:
    """The stored result of one person in one game."""

    game: GameId
    person: PersonId
    seat: Seat
    key: str
    """The key of the game that was played."""
    number: int
    """The number of the game in the order in which all games ended, from 1."""
    ended: float
    """In seconds since 1970."""
    channel: str
    """The channel's platform and chat, with a slash between them."""
    server: str
    """The platform and the id of the community; empty if the channel belongs to none."""
    place: int
    score: int
    won: bool
    alone: bool
    counts: bool
    unrated: Unrated | None = None
    """Why the ratings are None; None if the game is rated for the person."""
    before: Rating | None = None
    """The rating before the game; its `games` and `changed` are not stored."""
    after: Rating | None = None
    """The rating after the game, with the same gaps."""

    @property
    def gained(self) -> int:
        """By how much the number grew that is shown as the rating; 0 if the game is not rated."""
        return self.after.shown - self.before.shown if self.after and self.before else 0


@dataclass(frozen=True, slots=True)
class Tally:
    """The games of a person within a scope and a period, as the leaderboard counts them."""

    scope: str
    """Empty for everywhere, ``c:`` and a `PlayerResult.channel`, or ``s:`` and a `PlayerResult.server`."""
    period: str
    """Empty for all time, a month such as ``2026-11``, or an ISO week such as ``2026-W47``, both of UTC."""
    key: str
    """The key of a game; empty for all games."""
    person: PersonId
    alone: bool
    """Whether these are the games in which all other players were computers."""
    games: int
    wins: int
    gained: int
    """The sum of `PlayerResult.gained`."""


@dataclass(frozen=True, slots=True)
class Unsettled:
    """The finished games whose results are not worked out yet."""

    games: tuple[tuple[int, GameId], ...]
    """The first of them with their numbers, in the order in which they ended."""
    left: int
    """The number of all of them."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Entries that are stored together or not at all, with the listing after them."""

    entries: tuple[Entry, ...]
    """Consecutive entries; ``n`` of the first is the length of the log before it."""
    listing: Listing
    """The table after them."""
    delivery: str = ""
    """The platform's id of the delivery that caused them, so that it is handled once; empty without one."""
    server_seed: bytes | None = field(default=None, repr=False)
    """The secret server seed; only in the first batch of a table with a `CommittedSeed`."""
    seed_words: str | None = field(default=None, repr=False)
    """The words of the seed; only in the first batch of a table with a `ChosenSeed`."""
    keeper: ProcessId = ""
    """The process that takes the lease of the table's chat with the batch; if empty, no lease is touched."""
    seated: tuple[PersonId, ...] = ()
    """The people who take seats with it, or take back those that computers have held for them."""
    most_seats: int = 0
    """The most tables that are not over at which each of them may then sit."""
    ending: Ending | None = None
    """The end of the game, if the batch ends it and it has a result."""


@dataclass(frozen=True, slots=True)
class Rewriting:
    """A log without one of its people, to be stored in place of the log as it was."""

    entries: tuple[Entry, ...]
    """The entries that have changed, and a new one of the kind ``forget`` at the end."""
    listing: Listing
    """The table after them."""
    reader: PersonId
    """The person, whose panel is deleted."""
    was_private: bool = False
    """Whether the table was in the person's private chat: its room and all its panels are deleted then."""


@dataclass(frozen=True, slots=True)
class Taken:
    """The verdict on a batch that is stored."""

    lease: Lease | None = None
    """The lease of the table's chat, which the batch's keeper now holds; None without a keeper."""


@dataclass(frozen=True, slots=True)
class Behind:
    """The verdict on a batch that is not stored because the log has later entries.

    For the first entries of a table it means that another table has its id.
    """

    tail: tuple[Entry, ...]
    """The entries from the batch's first ``n`` on."""


@dataclass(frozen=True, slots=True)
class Known:
    """The verdict on a batch that is not stored because its delivery is stored already."""


@dataclass(frozen=True, slots=True)
class Full:
    """The verdict on a batch that is not stored because a person would sit at too many tables."""

    person: PersonId


@dataclass(frozen=True, slots=True)
class Clash:
    """The verdict on a new table that is not stored because another has its number in its place."""


@dataclass(frozen=True, slots=True)
class Stored:
    """A table in a store."""

    listing: Listing
    entries: tuple[Entry, ...]
    server_seed: bytes | None = field(repr=False)
    seed_words: str | None = field(repr=False)


@dataclass(frozen=True, slots=True)
class Look:
    """What a process lacks of a table that it has in memory."""

    tail: tuple[Entry, ...]
    """The entries from a number on."""
    place: Place
    number: int
    keeper: ProcessId | None
    """The process that holds the lease of the table's chat, dead or alive; None if none ever did."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A reader's unfinished move: the words picked so far and the page of the menu."""

    stamp: int = 0
    """Moves made at the table when the draft was last used; a later move by its reader makes it void."""
    path: tuple[str, ...] = ()
    """The words picked so far."""
    page: int = 0
    """The page of the menu, from 0."""
    asked: bool = False
    """Whether the path is a whole move that its reader is asked to confirm."""


WATCHING = Draft(-1, ("?watching",))
"""Marks the panel of a watcher, who has no seat and so no draft: no move begins like this."""
WATCHED = Draft(-1, ("?watched",))
"""Marks the panel of a former watcher, whose message is deleted."""


@dataclass(frozen=True, slots=True)
class PanelRecord:
    """The stored state of a panel: its message, its draft, and whether the message is up to date."""

    game: GameId
    reader: ReaderId
    """`PUBLIC` for the message in the table's place."""
    message: str = ""
    """The platform's id of the message; empty while there is none."""
    draft: Draft = Draft()
    wanted: int = 0
    """The newest version of the panel: grows with every change that the message must show."""
    sent: int = 0
    """The version that the message shows; the panel is dirty while ``wanted`` differs."""
    announced: int = 0
    """Only of the public panel: the number of events that were posted in messages of their own."""
    told: int = 0
    """Pieces of the table's news that its reader was delivered, or that were not for them."""
    called: float = 0.0
    """The latest time at which its reader was to be called and was: that of the deal or of a turn alert."""
    alert: str = ""
    """The platform's id of the last turn alert; empty once it is deleted."""
    aloud: bool = False
    """Whether that alert names the player in the table's chat; else it is private."""


@dataclass(frozen=True, slots=True)
class Marked:
    """The verdict on a panel that was to be marked dirty."""

    panel: PanelRecord
    """The panel as it is stored now."""
    taken: bool = True
    """Whether the change is stored; False if the panel is no longer at the expected version."""
    lease: Lease | None = None
    """The lease of the table's chat, which the keeper now holds; None without a keeper or a table."""
