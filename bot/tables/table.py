"""An event-sourced table of one game: its state is folded from its log.

This module does no input or output; `bot.tables.service` stores tables.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

from bot.model import (
    HOME,
    Entry,
    EntryKind,
    GameId,
    Json,
    Level,
    Listing,
    News,
    PersonId,
    Place,
    Player,
    Refused,
    Seated,
    Status,
)
from bot.tables.commitment import ChosenSeed, CommittedSeed, SeedSource, canonical
from engines import games
from engines.game import Awaited, Event, Game, Move, Result, Seat, Text

AnyGame = Game[Any, Any]

TURN_LENGTH = 60
"""Moves of a seat in one turn, after which the turn ends as if its clock had run out."""

UPDATED = Text("The program was updated and the rules with it: this game cannot go on, and nobody loses.")


@dataclass(frozen=True, slots=True)
class Table:
    """An event-sourced table: every field follows from the entries and the seed source.

    Immutable: each action returns a new table with entries appended.
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
    _views: dict[Seat | None, Any] = field(default_factory=dict, init=False, repr=False, compare=False)
    _awaited: dict[Seat | None, Awaited] = field(default_factory=dict, init=False, repr=False, compare=False)
    _active: list[tuple[Seat, ...]] = field(default_factory=list, init=False, repr=False, compare=False)
    """The cached answer of `active` as its only item; empty before it was computed."""

    @classmethod
    def open(
        cls,
        key: str,
        options: Mapping[str, str] | None = None,
        *,
        place: Place = HOME,
        number: int = 1,
        planned_seats: int = 0,
        level: Level = "normal",
        owner: PersonId | None = None,
        seed_source: SeedSource | None = None,
        carry: Mapping[str, Any] | None = None,
        carried_by: int = 0,
        follows: GameId = "",
    ) -> Table:
        """A new table without players. Raises `KeyError` for an unknown game."""
        seed_source, game = seed_source or CommittedSeed(), games()[key]
        return cls(seed_source).add(
            "open",
            person=owner,
            game=key,
            id=secrets.token_hex(5),
            place=[place.platform, place.chat, place.thread],
            number=number,
            revision=game.revision,
            options=dict(options or {}),
            seats=planned_seats,
            level=level,
            carry=dict(carry or {}),
            carried_by=carried_by,
            follows=follows,
            commitment=seed_source.commitment,
        )

    @classmethod
    def replay(cls, entries: Sequence[Entry], seed_source: SeedSource) -> Table:
        """The table folded from a log."""
        table = cls(seed_source)
        for entry in entries:
            table = table.after(entry)
        return table

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

    @property
    def listing(self) -> Listing:
        """The row of the table in lists and in the leaderboard."""
        result = self.result if not self.ended else None
        seats = tuple(
            Seated(
                seat,
                player,
                result.scores[seat] if result else None,
                bool(result and seat in result.winners and not player.is_away),
            )
            for seat, player in enumerate(self.players)
        )
        first, last = self.entries[0], self.entries[-1]
        return Listing(
            self.id, self.place, self.number, self.key, self.revision, self.status, self.owner, seats,
            len(self.entries), first.at, last.at,
        )  # fmt: skip

    def seat_of(self, person: PersonId) -> Seat | None:
        """The seat of a person, also while a computer plays it for them; None if they have none."""
        seats = (seat for seat, player in enumerate(self.players) if player.person == person)
        return next(seats, None)

    def view(self, reader: Seat | None) -> Any:
        """The engine's view of a seat, or of the public for None; cached, since many pages need it."""
        if reader not in self._views:
            self._views[reader] = self.game.view(self.state, reader)
        return self._views[reader]

    def awaited(self, reader: Seat | None) -> Awaited:
        """The seats that must or may move, as far as a reader may know them; None is the public."""
        if not self.is_playing:
            return Awaited(())
        if reader not in self._awaited:
            self._awaited[reader] = self.game.awaited(self.view(reader))
        return self._awaited[reader]

    def active(self) -> tuple[Seat, ...]:
        """The seats that must or may move now; secret in some games, so pages must not list them."""
        if not self.is_playing:
            return ()
        if not self._active:
            seats = range(len(self.players))
            # A seat's own view shows whether it may move, and costs less than its choices.
            self._active.append(tuple(n for n in seats if n in (*self.awaited(n).must, *self.awaited(n).may)))
        return self._active[0]

    def required(self) -> tuple[Seat, ...]:
        """The active seats that the game waits for; secret in some games, so pages must not list them."""
        return tuple(seat for seat in self.active() if seat in self.awaited(seat).must)

    def news_for(self, seat: Seat | None, since: int = 0) -> list[Event]:
        """The events that a seat (None: the public) may know, after the first ``since`` pieces of news."""
        return [piece.event for piece in self.news[since:] if piece.event.to in (None, seat)]

    def acted(self, person: PersonId) -> float | None:
        """The time of a person's last entry; None if they have made none."""
        return next((entry.at for entry in reversed(self.entries) if entry.person == person), None)

    def acted_since(self, seat: Seat, stamp: int) -> bool:
        """Whether a seat has moved since the table had this stamp; moves by the clock count."""
        return any(entry.seat == seat for entry in self._moves_since(stamp))

    def move_at(self, stamp: int) -> Entry | None:
        """The first move since the table had this stamp; None if there is none."""
        moves = list(self._moves_since(stamp))
        return moves[-1] if moves else None

    def _moves_since(self, stamp: int) -> Iterator[Entry]:
        """The moves since the table had this stamp, the latest first."""
        moves = (entry for entry in reversed(self.entries) if entry.kind in ("move", "timeout"))
        return islice(moves, max(self.stamp - stamp, 0))

    def sit(self, player: Player) -> Table:
        """The table with a player in the next seat."""
        seat = len(self.players)
        if player.is_computer:
            return self.add("computer", seat, name=player.name, level=player.level)
        return self.add("join", seat, person=player.person, name=player.name)

    def start(self) -> Table:
        """The table after the deal. Raises `ValueError` for a wrong number of players or a wrong option."""
        return self.add("start")

    def play(self, seat: Seat, action: str | Mapping[str, Any]) -> Table:
        """The table after a move, and after the clock has ended a turn of `TURN_LENGTH` moves.

        Raises `IllegalMove`, or `Refused` while no game is played.
        """
        self.must_be_playing()
        move, state, events = self.game.act(self.state, seat, action)
        player = self.players[seat]
        person = None if player.is_computer else player.person
        entry = Entry(len(self.entries), "move", seat, person, {"move": str(move)})
        table = replace(self._played(entry.n, seat, state, events), entries=(*self.entries, entry))
        too_long = table.is_playing and table.turn_lengths.get(seat, 0) >= TURN_LENGTH
        return table.time_out(seat) if too_long else table

    def time_out(self, seat: Seat) -> Table:
        """The table after the clock's moves for a seat, until its turn ends or it need not move."""
        self.must_be_playing()
        table, turns = self, self.game.turns(self.state)
        while seat in table.awaited(seat).must and table.game.turns(table.state) == turns:
            table = table.add("timeout", seat, move=str(table.game.timeout(table.state, seat)))
        return table

    def must_be_playing(self) -> None:
        """Raises `Refused` while no game is played."""
        self.must_be_open()
        if not self.started:
            raise Refused(Text("The cards are not dealt yet."))
        if self.state is None:
            raise Refused(UPDATED)

    def must_be_open(self) -> None:
        """Raises `Refused` if the game is over or the table closed."""
        if self.ended:
            raise Refused(Text("This table is closed."))
        if self.result:
            raise Refused(Text("The game is over."))

    def add(
        self, kind: EntryKind, seat: Seat | None = None, *, person: PersonId | None = None, **body: Json
    ) -> Table:
        """The table after a new entry with these contents; the service sets its time."""
        return self.after(Entry(len(self.entries), kind, seat, person, body))

    def after(self, entry: Entry) -> Table:
        """The table after an entry."""
        assert entry.n == len(self.entries)
        table = self._follow(entry)
        return replace(table, entries=(*self.entries, entry))

    def dated(self, since: int, at: float) -> Table:
        """The table with a time for its entries from ``since`` on."""
        new = tuple(replace(entry, at=at) for entry in self.entries[since:])
        return replace(self, entries=(*self.entries[:since], *new))

    def _follow(self, entry: Entry) -> Table:
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

    def _opened(self, entry: Entry) -> Table:
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

    def _seated(self, player: Player) -> Table:
        return replace(self, players=(*self.players, player))

    def _unseated(self, seat: Seat) -> Table:
        """The table without a seat: later seats and their cuts move down by one."""
        cuts = tuple((who - (who > seat), words) for who, words in self.cuts if who != seat)
        players = self.players[:seat] + self.players[seat + 1 :]
        return replace(self, players=players, cuts=cuts, carried={})

    def _kicked(self, seat: Seat, level: Level | None) -> Table:
        """The table after a kick: without the seat before the start, later with a computer in it."""
        if self.started:
            return self._changed(seat, level=level, kicked=True)
        person = self.players[seat].person
        assert person is not None
        return replace(self._unseated(seat), barred=(*self.barred, person))

    def _changed(self, seat: Seat | None, **fields: Any) -> Table:
        assert seat is not None
        player = replace(self.players[seat], **fields)
        return replace(self, players=(*self.players[:seat], player, *self.players[seat + 1 :]))

    def _dealt(self) -> Table:
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

    def _moved(self, n: int, seat: Seat, move: Move) -> Table:
        if self.state is None:
            return replace(self, stamp=self.stamp + 1)
        return self._played(n, seat, *self.game.apply(self.state, seat, move))

    def _played(self, n: int, seat: Seat, state: Any, events: Sequence[Event]) -> Table:
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


def seed_source_of(server_seed: bytes | None, seed_words: str | None) -> SeedSource:
    """The seed source of a stored table."""
    if server_seed is not None:
        return CommittedSeed(server_seed)
    return ChosenSeed(seed_words or "")
