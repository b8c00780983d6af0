"""The log of a table, and the state of the table folded from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

from bot.model import HOME, Entry, GameId, Level, News, PersonId, Place, Player, Status
from bot.tables.commitment import SeedSource, canonical
from engines import games
from engines.game import Event, Game, Move, Result, Seat

AnyGame = Game[Any, Any]


@dataclass(frozen=True, slots=True)
class TableLog:
    """A table's entries, and its state, which follows from the entries and the seed source.

    Immutable: `after` returns a new log with an entry appended.
    """

    seed_source: SeedSource = field(repr=False)
    entries: tuple[Entry, ...] = ()
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
    owner: PersonId | None = None
    players: tuple[Player, ...] = ()
    cuts: tuple[tuple[Seat, str], ...] = ()
    """The words of each cut and the seat that cut, in order."""
    barred: tuple[PersonId, ...] = ()
    """The people kicked before the start, who may not join again."""
    started: bool = False
    ended: str = ""
    """The reason why the table was closed before its game was over; empty if it was not."""
    state: Any = field(default=None, repr=False)
    """The engine's state; None before the start, and if the rules are outdated."""
    result: Result | None = None
    """The result of the game; None before its end."""
    deal: str = ""
    """The canonical JSON from which the game seed was made; empty before the start."""
    news: tuple[News, ...] = field(default=(), repr=False)
    """All events of the game so far, also those that only one seat may know."""
    stamp: int = 0
    """Moves made so far; menus and buttons carry it, so that outdated ones are recognised."""
    turn_lengths: Mapping[Seat, int] = field(default_factory=dict)
    """Moves made so far in the current turn, by seat."""

    @property
    def game(self) -> AnyGame:
        return games()[self.key]

    @property
    def outdated(self) -> bool:
        """Whether the log belongs to another revision of the rules: it can be read, but not played."""
        return self.key not in games() or self.revision != self.game.revision

    @property
    def status(self) -> Status:
        if self.ended or self.result:
            return "over"
        return "playing" if self.started else "lobby"

    @property
    def is_playing(self) -> bool:
        """Whether moves can be made: the game has begun, is not over, and its log can be replayed."""
        return self.state is not None and self.status == "playing"

    @property
    def may_show_seed(self) -> bool:
        """Whether the committed seed may be shown, because nothing more can be dealt from it."""
        return self.status == "over"

    def after(self, entry: Entry) -> Self:
        """The table after an entry."""
        assert entry.n == len(self.entries)
        table = self._follow(entry)
        return replace(table, entries=(*self.entries, entry))

    def _follow(self, entry: Entry) -> Self:
        """Applies an entry to the table's state; `after` appends it to the log."""
        body: Mapping[str, Any] = entry.body
        seat = entry.seat
        match entry.kind:
            case "open":
                return self._opened(entry)
            case "join" | "computer":
                return self._seated(Player(body["name"], body.get("level"), entry.person))
            case "leave" | "dismiss":
                assert seat is not None
                return self._unseated(seat)
            case "option":
                return replace(self, options={**self.options, body["option"]: body["value"]})
            case "cut":
                assert seat is not None
                return replace(self, cuts=(*self.cuts, (seat, body["words"])))
            case "start":
                return self._dealt()
            case "move" | "timeout":
                assert seat is not None
                return self._moved(entry.n, seat, Move.parse(body["move"]))
            case "away":
                return self._changed(seat, level=body["level"])
            case "kick":
                assert seat is not None
                return self._kicked(seat, body.get("level"))
            case "back":
                return self._changed(seat, level=None)
            case "owner":
                return replace(self, owner=body["owner"] or None)
            case "end":
                return replace(self, ended=body["reason"])
            case "rematch":
                return replace(self, followed=body["game"])

    def _opened(self, entry: Entry) -> Self:
        body: Mapping[str, Any] = entry.body
        return replace(
            self,
            id=body["id"],
            key=body["game"],
            place=Place(*body["place"]),
            number=body["number"],
            revision=body["revision"],
            options=body["options"],
            carried=body["carry"],
            carried_by=body["carried_by"],
            follows=body["follows"],
            planned_seats=body["seats"],
            level=body["level"],
            owner=entry.person,
        )

    def _seated(self, player: Player) -> Self:
        return replace(self, players=(*self.players, player))

    def _unseated(self, seat: Seat) -> Self:
        """The table without a seat: later seats and their cuts move down by one."""
        cuts = tuple((who - (who > seat), words) for who, words in self.cuts if who != seat)
        players = self.players[:seat] + self.players[seat + 1 :]
        return replace(self, players=players, cuts=cuts, carried={})

    def _kicked(self, seat: Seat, level: Level | None) -> Self:
        """The table after a kick: without the seat before the start, later with a computer in it."""
        if self.started:
            return self._changed(seat, level=level, kicked=True)
        person = self.players[seat].person
        assert person is not None
        return replace(self._unseated(seat), barred=(*self.barred, person))

    def _changed(self, seat: Seat | None, **fields: Any) -> Self:
        assert seat is not None
        player = replace(self.players[seat], **fields)
        return replace(self, players=(*self.players[:seat], player, *self.players[seat + 1 :]))

    def _dealt(self) -> Self:
        statement = self._statement()
        if self.outdated:
            return replace(self, started=True, deal=canonical(statement))
        carry = statement["carry"]
        state = self.game.new(len(self.players), self.seed_source.seed(statement), self.options, carry)
        news = tuple(News(len(self.entries), event) for event in self.game.opening(state))
        return replace(
            self,
            started=True,
            state=state,
            result=self.game.result(state),
            deal=canonical(statement),
            news=self.news + news,
        )

    def _moved(self, n: int, seat: Seat, move: Move) -> Self:
        if self.state is None:
            return replace(self, stamp=self.stamp + 1)
        return self._played(n, seat, *self.game.apply(self.state, seat, move))

    def _played(self, n: int, seat: Seat, state: Any, events: Sequence[Event]) -> Self:
        """The table after a seat's move in entry n, which led to this state and these events."""
        same = self.game.turns(state) == self.game.turns(self.state)
        lengths = {**self.turn_lengths, seat: self.turn_lengths.get(seat, 0) + 1} if same else {}
        return replace(
            self,
            state=state,
            result=self.game.result(state),
            stamp=self.stamp + 1,
            turn_lengths=lengths,
            news=self.news + tuple(News(n, event) for event in events),
        )

    def _statement(self) -> dict[str, Any]:
        """Everything that the deal depends on besides the server seed."""
        seats = [
            {"seat": seat, "cuts": [words for who, words in self.cuts if who == seat]}
            for seat in range(len(self.players))
        ]
        return {
            "game": self.id,
            "key": self.key,
            "revision": self.revision,
            "options": dict(self.options),
            "carry": dict(self.carried) if len(self.players) == self.carried_by else {},
            "seats": seats,
        }
