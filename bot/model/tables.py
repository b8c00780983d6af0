"""Tables: their log, seats, questions and matches, and how they are listed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from bot.model.ids import GameId, PersonId
from bot.model.places import Place
from engines.game import Event, Level, Result, Seat, Text
from engines.values import Value

Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"
"""A value of JSON, such as the details of a log entry."""

EntryKind = Literal[
    "open", "join", "leave", "option", "computer", "dismiss", "cut", "start", "move", "timeout", "credit",
    "hold", "back", "forfeit", "kick", "owner", "end", "rematch", "ask", "vote", "take", "undo", "forget",
]  # fmt: skip
"""The kinds of log entries: everything that can happen at a table.

``cut``: a player's words for the shuffle; ``dismiss``: a computer leaves the lobby; ``credit``: seconds are
added to a clock; ``hold``: a computer plays a person's seat; ``back``: that person plays again; ``take``:
another person gets the seat.
"""

STEP_KINDS: frozenset[EntryKind] = frozenset(
    ("move", "timeout", "undo", "forfeit", "hold", "kick", "back", "take")
)
"""An entry of these kinds is a step of a replay if it has a seat and comes after the deal."""

Status = Literal["lobby", "playing", "over"]
"""The stages of a table: players join, they play, the game is over or the table closed."""

Uncounted = Literal["taken_back", "guided"]
"""Why a finished game counts for no list of wins: a move was taken back, or its deal is that of a guide."""

Vanish = Literal["computer", "forfeit"]
"""The fate of a seat whose player vanishes: a computer plays it, or its player loses the game."""


class Refused(ValueError):
    """An action that a table does not allow, with a reason for its sender."""

    def __init__(self, reason: Text) -> None:
        super().__init__(reason.message)
        self.reason = reason


class Player(Value):
    """The holder of a seat."""

    name: str
    level: Level | None = None
    """The level of the computer that plays the seat; None if a person plays it."""
    person: PersonId | None = None
    """The person whose seat it is, also while a computer plays it for them; None for a computer's own, and
    for a player without an account.
    """
    kicked: bool = False
    """Whether the person was kicked: they may not take the seat back."""

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
    """The asker's name; another player may have the same, if the asker has no seat yet."""
    asked: float
    """In seconds since 1970."""
    lapses: float
    """The time at which it is closed if it is still undecided."""
    stamp: int
    """The table's stamp when it was asked."""
    to: int = 0
    """The number of the first entry to take back; for `undo` only."""
    votes: Mapping[PersonId, bool] = field(default_factory=dict)
    """The answers so far, by player: True agrees."""


class PastQuestions(Value):
    """The questions that one person has asked at a table."""

    for_seat: int
    """How often they have asked for a seat in this game, since they were last let in; not counting questions
    that gave way to another.
    """
    at: float
    """When they last asked any question, in seconds since 1970."""
    stamp: int
    """The table's stamp then."""


class Match(Value):
    """A series of games between the same players, which ends with the first to win a number of them."""

    first_to: int
    """The number of wins."""
    before: Mapping[str, int]
    """The games that each person had won before the match, by id."""


SEATLESS_KINDS: tuple[EntryKind, ...] = ("open", "join", "take", "ask", "owner", "kick", "end")
"""The kinds of entries whose person may have no seat, such as those of moderators."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a table's log, from which the table's state is folded."""

    n: int
    kind: EntryKind
    seat: Seat | None = None
    person: PersonId | None = None
    """The person who caused it; None for the clock, computers, the service and players without an account."""
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


class Seated(Value):
    """A seat in a listing, with its player and result."""

    seat: Seat
    player: Player
    score: int | None = None
    """None before the end, and if the game was stopped."""
    won: bool = False
    """Whether the seat won: in a draw every seat, else none that a computer holds for a person."""


class Listing(Value):
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
    """The time of the last entry, but for entries of the kinds ``rematch`` and ``forget``."""
    due: float | None = None
    """The time from which a process must attend to the table without a press; None if none must."""
    uncounted: Uncounted | None = None
    """Why no list of wins counts the game; None if it counts."""

    @property
    def result(self) -> Result | None:
        """The result of the game, with the winners that `Seated.won` marks; None if it has none."""
        scores = tuple(seated.score for seated in self.seats if seated.score is not None)
        if not scores or len(scores) < len(self.seats):
            return None
        return Result(scores, tuple(seated.seat for seated in self.seats if seated.won))

    def sits(self, person: PersonId) -> bool:
        """Whether a person has a seat that no computer holds for them."""
        return any(seated.player.person == person and not seated.player.is_held for seated in self.seats)
