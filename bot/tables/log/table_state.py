"""The fields of a table, and the properties computed from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Self

from bot.model.ids import GameId, PersonId
from bot.model.places import HOME, Place
from bot.model.results import PlayerResult
from bot.model.tables import Entry, Match, News, PastQuestions, Player, Question, Status, Vanish
from bot.settings.choices import Pace
from bot.tables.log.commitment import SeedSource
from bot.tables.log.history import History
from bot.tables.log.snapshots import OwnMove, Snapshot
from bot.tables.turn_clock import Idle, Turn
from engines import games
from engines.game import Event, Game, Level, Result, Seat

AnyGame = Game[Any, Any]

_CACHED = ("status", "is_playing", "is_frozen", "clocks", "public_deadlines", "alert_times")
"""The properties that a table computes once, since a press asks for each many times; `_with` drops them."""


# Without slots, because `_with` copies a dictionary ten times faster than it could copy slots.
@dataclass(frozen=True)
class TableState:
    """The state of a table, folded from its log. Immutable."""

    seed_source: SeedSource = field(repr=False)
    entries: History[Entry] = field(default_factory=History)
    opened: float = 0.0
    """The time of the first entry, in seconds since 1970."""
    changed: float = 0.0
    """The time of the last entry; entries that open a rematch or forget a person do not count."""
    now: float = field(default=0.0, compare=False)
    """The time that entries to come will have."""
    idle: Idle = field(default_factory=Idle, compare=False, repr=False)
    """After how long without an entry the table is closed."""
    acted_at: Mapping[PersonId, float] = field(default_factory=dict)
    """When each person with a seat last caused an entry; people whose seats others have taken are kept."""
    id: GameId = ""
    key: str = ""
    """The key of the game."""
    place: Place = HOME
    number: int = 0
    """The number by which players name the table in its place."""
    revision: int = 0
    """The revision of the game's rules with which the table was opened."""
    options: Mapping[str, str] = field(default_factory=dict)
    carried: Mapping[str, Any] = field(default_factory=dict)
    """The data that the previous game hands on to its rematch, such as the dealer."""
    carried_by: int = 0
    """The number of players of the previous game; with another number nothing is handed on."""
    follows: GameId = ""
    """The table of which this one is the rematch; empty if it is none."""
    followed: GameId = ""
    """The rematch of this table; empty if there is none."""
    planned_seats: int = 0
    """The fewest seats of the game; computers take empty ones. 0 is as few as the game allows."""
    level: Level = "normal"
    """The level of the computer players at this table."""
    pace: Pace = "natural"
    """How fast the computer players move."""
    hints: bool = True
    """Whether players may ask for hints."""
    clock: int | None = None
    """Seconds a turn, as chosen before the deal: 0 for no clock; None if the deal decides."""
    vanish: Vanish = "computer"
    """The fate of the seat of a player who vanishes."""
    guests: tuple[str, ...] = ()
    """The tokens of the people who are invited; empty if everybody is."""
    tally: Mapping[PersonId, int] = field(default_factory=dict)
    """The games that each player has won in this series of rematches, before this table."""
    match: Match | None = None
    """The match that its players play at a terminal; None if they play single games."""
    owner: PersonId | None = None
    displaced: PersonId | None = None
    """The owner who has left the game, and owns the table again when they come back."""
    players: tuple[Player, ...] = ()
    cuts: tuple[tuple[Seat, str], ...] = ()
    """The words of each cut and the seat that cut, in order."""
    kicked: tuple[PersonId, ...] = ()
    """The people who were kicked, here or at the table's predecessors, and may not join."""
    former: Mapping[PersonId, Seat] = field(default_factory=dict)
    """The people whose seats other people have taken in this game, and these seats."""
    question: Question | None = None
    """The open question; an entry that takes away the reason for it closes it."""
    asked: Mapping[PersonId, PastQuestions] = field(default_factory=dict)
    """The people who have asked questions in this game that were not granted, or not yet."""
    started: bool = False
    starters: tuple[Player, ...] = ()
    """The players to whom the cards were dealt, by seat; empty before the start."""
    dealt: float = field(default=0.0, compare=False)
    """The time of the deal."""
    ended: str = ""
    """The reason why the table was closed before its game was over; empty if it was not.

    ``damaged`` for any table that is over and cannot be read.
    """
    state: Any = field(default=None, repr=False)
    """The engine's state; None before the start, and if the rules are outdated or the table is damaged."""
    result: Result | None = None
    """The result of the game; None before its end."""
    deal: str = ""
    """The `TableLog.statement` of the deal, as canonical JSON; empty before the start."""
    news: History[News] = field(default_factory=History, repr=False)
    """The events of the game so far, also those that only one seat may know."""
    announcements: History[Event] = field(default_factory=History, repr=False)
    """The public events that are worth a message of their own."""
    stamp: int = 0
    """Moves and take-backs so far; menus and buttons carry it, so that outdated ones are recognised."""
    moved_at: Mapping[Seat, int] = field(default_factory=dict)
    """The stamp after each seat's last move, by the clock or not; or after the last take-back, if later."""
    moved_in: Mapping[Seat, int] = field(default_factory=dict)
    """The number of the entry of each seat's last move or take-back; moves by the clock do not count."""
    turn_lengths: Mapping[Seat, int] = field(default_factory=dict)
    """Moves made so far in the current turn, by seat."""
    turn_seconds: int = 0
    """Seconds a turn, as decided by the deal, or later by a person's taking a seat; 0 without a clock."""
    turn: Turn | None = field(default=None, compare=False, repr=False)
    """The clocks of the current turn; None while there is no `state`."""
    first_turns: Mapping[Seat, int] = field(default_factory=dict)
    """The number of the turn of each seat's first move under the clock; moves made while it was secret for
    whom the game waited do not count. Empty without a clock.
    """
    away: Mapping[Seat, float] = field(default_factory=dict)
    """Since when players who hold their seats have been away: their clock ran out, and they have done
    nothing since. Counted anew when a frozen game goes on.
    """
    own_moves: Mapping[Seat, OwnMove] = field(default_factory=dict)
    """Each seat's last move by a person that was not taken back."""
    snapshots: Mapping[int, Snapshot] = field(default_factory=dict, repr=False, compare=False)
    """The snapshots before the moves in `own_moves`, by the number of the entry.

    A take-back drops some, and `Table.at_rest` all; `TableLog.remembering` makes a missing one.
    """
    taken_back: bool = False
    """Whether any move was taken back: then the game counts on no leaderboard."""

    results: tuple[PlayerResult, ...] = field(default=(), compare=False, repr=False)
    """The results of a finished game, which the store has worked out; empty while they are unknown."""
    unlisted: frozenset[PersonId] = field(default=frozenset(), compare=False, repr=False)
    """The people with results who have hidden theirs from others."""

    @property
    def game(self) -> AnyGame:
        return games()[self.key]

    @property
    def outdated(self) -> bool:
        """Whether the log belongs to another revision of the rules, or to an unknown game: it can't go on."""
        return self.key not in games() or self.revision != self.game.revision

    @cached_property
    def status(self) -> Status:
        if self.ended or self.result:
            return "over"
        return "playing" if self.started else "lobby"

    @cached_property
    def is_playing(self) -> bool:
        """Whether moves can be made: the game has begun, is not over, and its log can be replayed."""
        return self.state is not None and self.status == "playing"

    @cached_property
    def is_frozen(self) -> bool:
        """Whether a game with people in it stands still: all are away, or computers hold their seats."""
        people = [seat for seat, player in enumerate(self.players) if player.person or not player.is_computer]
        return (
            self.is_playing
            and bool(people)
            and all(seat in self.away or self.players[seat].is_computer for seat in people)
        )

    @property
    def may_show_seed(self) -> bool:
        """Whether the committed seed may be shown, because nothing more can be dealt from it."""
        return self.status == "over"

    def _with(self, **changes: Any) -> Self:
        """The table with some fields changed, as by `replace` at a tenth of its cost."""
        table = object.__new__(type(self))
        fields = table.__dict__
        fields.update(self.__dict__)
        for name in _CACHED:
            fields.pop(name, None)
        fields.update(changes)
        return table
