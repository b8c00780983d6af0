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
    PersonId,
    Place,
    Player,
    Refused,
    Seated,
)
from bot.tables.commitment import CommittedSeed, SeedSource
from bot.tables.table_log import TableLog
from engines import games
from engines.game import Awaited, Event, Seat, Text

TURN_LENGTH = 60
"""Moves of a seat in one turn, after which the turn ends as if its clock had run out."""

COMPUTER_OVERDUE = 5.0
"""Seconds after which another process plays for a computer whose process has died."""

UPDATED = Text("An update has changed the rules, so this game can't go on. Nobody loses.")


@dataclass(frozen=True, slots=True)
class Table(TableLog):
    """An event-sourced table: its views, its listing and the actions that append entries to its log.

    Immutable: each action returns a new table with entries appended.
    """

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
            len(self.entries), first.at, last.at, self.due,
        )  # fmt: skip

    @property
    def due(self) -> float | None:
        """The time from which a process must attend to the table though nobody presses; None if none must."""
        computers = [seat for seat, player in enumerate(self.players) if player.is_computer]
        if not self.is_playing or not any(seat in self.awaited(seat).must for seat in computers):
            return None
        return self.entries[-1].at + COMPUTER_OVERDUE

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
            raise Refused(Text("The cards haven't been dealt yet."))
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

    def dated(self, since: int, at: float) -> Table:
        """The table with a time for its entries from ``since`` on."""
        new = tuple(replace(entry, at=at) for entry in self.entries[since:])
        return replace(self, entries=(*self.entries[:since], *new))
