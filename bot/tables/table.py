"""An event-sourced table of one game: its state is folded from its log.

This module does no input or output; `bot.tables.service` stores tables.
"""

from __future__ import annotations

import secrets
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

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
from bot.tables.history import History
from bot.tables.table_log import TableLog
from engines import games
from engines.game import Awaited, Event, Seat, Text

TURN_LENGTH = 60
"""Moves of a seat in one turn, after which the turn ends as if its clock had run out."""

COMPUTER_OVERDUE = 5.0
"""Seconds after which another process plays for a computer whose process has died."""

SHOWN_NEWS = 6
"""The most sentences of news on the public page; a player's page has all news since their last move."""

_ENTRIES_AT_REST = 4
"""Entries that a table at rest keeps, to recognise a button that was pressed twice."""
_ENTRIES, _NEWS = 512, 1024
"""Entries and pieces of news that a table in use keeps; those before are in the store."""

UPDATED = Text("An update has changed the rules, so this game can't go on. Nobody loses.")
DAMAGED = Text("Something is wrong with that table, so it can't go on. Open a new one.")


@dataclass(slots=True)
class _Answers:
    """The cached answers of a table's state to questions that many pages ask."""

    views: dict[Seat | None, Any] = field(default_factory=dict)
    awaited: dict[Seat | None, Awaited] = field(default_factory=dict)
    active: tuple[Seat, ...] | None = None


@dataclass(frozen=True)
class Table(TableLog):
    """An event-sourced table: its views, its listing and the actions that append entries to its log.

    Immutable: each action returns a new table with entries appended. A table need not hold its whole log
    and all its news: what must be read from the store raises `Dropped`.
    """

    damaged: bool = False
    """Whether the log cannot be read or replayed: only the listing is known, and it can only be closed."""
    _answers: _Answers = field(default_factory=_Answers, init=False, repr=False, compare=False)

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

    @classmethod
    def unread(cls, listing: Listing, seed_source: SeedSource) -> Table:
        """A damaged table: what its listing tells, and a log of which no entry is in memory."""
        return cls(
            seed_source,
            History(first=listing.entries),
            listing.opened,
            listing.changed,
            id=listing.game,
            key=listing.key,
            place=listing.place,
            number=listing.number,
            revision=listing.revision,
            owner=listing.owner,
            players=tuple(seated.player for seated in listing.seats),
            started=listing.status != "lobby",
            ended="damaged" if listing.status == "over" else "",
            damaged=True,
        )

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
        return Listing(
            self.id, self.place, self.number, self.key, self.revision, self.status, self.owner, seats,
            len(self.entries), self.opened, self.changed, self.due,
        )  # fmt: skip

    @property
    def due(self) -> float | None:
        """The time from which a process must attend to the table without a press; None if none must."""
        return self.changed + COMPUTER_OVERDUE if self.awaited_computers() else None

    @property
    def is_whole(self) -> bool:
        """Whether the table holds its whole log and all its news."""
        return not (self.entries.first or self.news.first or self.announcements.first)

    def shortened(self) -> Self:
        """The table without the oldest entries and news, if it holds very many."""
        log, news = self.entries, self.news
        if len(log) - log.first < 2 * _ENTRIES and len(news) - news.first < 2 * _NEWS:
            return self
        return self._with(
            entries=log.last(_ENTRIES), news=news.last(_NEWS), announcements=self.announcements.last(_NEWS)
        )

    def at_rest(self) -> Self:
        """The table with its state and what its next pages need, and without what it can compute again."""
        seats = range(len(self.players) if self.is_playing else 0)
        people = [seat for seat in seats if not self.players[seat].is_computer]
        since = min([len(self.news) - SHOWN_NEWS, *map(self.news_since_move, people)])
        news = self.news.last(len(self.news) - since)
        for piece in news[news.first :]:
            piece.sentences.clear()
        table = self._with(
            entries=self.entries.last(_ENTRIES_AT_REST),
            news=news,
            announcements=self.announcements.last(SHOWN_NEWS),
        )
        table.__dict__["_answers"] = _Answers()
        return table

    def _with(self, **changes: Any) -> Self:
        table = super()._with(**changes)
        if "state" in changes or "started" in changes or "ended" in changes:
            table.__dict__["_answers"] = _Answers()
        return table

    def seat_of(self, person: PersonId) -> Seat | None:
        """The seat of a person, also while a computer plays it for them; None if they have none."""
        seats = (seat for seat, player in enumerate(self.players) if player.person == person)
        return next(seats, None)

    def view(self, reader: Seat | None) -> Any:
        """The engine's view of a seat, or of the public for None; cached, since many pages need it."""
        views = self._answers.views
        if reader not in views:
            views[reader] = self.game.view(self.state, reader)
        return views[reader]

    def awaited(self, reader: Seat | None) -> Awaited:
        """The seats that must or may move, as far as a reader may know them; None is the public."""
        if not self.is_playing:
            return Awaited(())
        awaited = self._answers.awaited
        if reader not in awaited:
            awaited[reader] = self.game.awaited(self.view(reader))
        return awaited[reader]

    def active(self) -> tuple[Seat, ...]:
        """The seats that must or may move now; secret in some games, so pages must not list them."""
        if not self.is_playing:
            return ()
        answers = self._answers
        if answers.active is None:
            seats = range(len(self.players))
            # A seat's own view shows whether it may move, and costs less than its choices.
            answers.active = tuple(n for n in seats if n in (*self.awaited(n).must, *self.awaited(n).may))
        return answers.active

    def required(self) -> tuple[Seat, ...]:
        """The active seats that the game waits for; secret in some games, so pages must not list them."""
        return tuple(seat for seat in self.active() if seat in self.awaited(seat).must)

    def awaited_computers(self) -> tuple[Seat, ...]:
        """The seats of computer players that the game waits for."""
        computers = [seat for seat, player in enumerate(self.players) if player.is_computer]
        required = self.required() if computers else ()
        return tuple(seat for seat in computers if seat in required)

    def news_for(self, seat: Seat | None, since: int = 0) -> list[Event]:
        """The events that a seat (None: the public) may know, after the first ``since`` pieces of news."""
        return [piece.event for piece in self.news[since:] if piece.event.to in (None, seat)]

    def news_since_move(self, seat: Seat) -> int:
        """The index of the first piece of news in memory since a seat's last own move, with its results."""
        moved = self.moved_in.get(seat, -1)
        return bisect_left(self.news, moved, lo=self.news.first, key=lambda piece: piece.n)

    def acted(self, person: PersonId) -> float | None:
        """The time of the last entry of a person with a seat; None if there is none."""
        return self.acted_at.get(person)

    def acted_since(self, seat: Seat, stamp: int) -> bool:
        """Whether a seat has moved since the table had this stamp; moves by the clock count."""
        return self.moved_at.get(seat, 0) > stamp

    def move_at(self, stamp: int) -> Entry | None:
        """The first move since the table had this stamp; None if there is none, or it is not in memory."""
        later, kept = self.stamp - stamp, self.entries[self.entries.first :]
        moves = [entry for entry in kept if entry.kind in ("move", "timeout")]
        return moves[-later] if 0 < later <= len(moves) else None

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
        entry = Entry(len(self.entries), "move", seat, person, {"move": str(move)}, self.now)
        table = self._played(entry, seat, state, events)._logged(entry)
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
        """Raises `Refused` if the game is over or the table closed or damaged."""
        self.must_not_be_over()
        if self.damaged:
            raise Refused(DAMAGED)

    def must_not_be_over(self) -> None:
        """Raises `Refused` if the game is over or the table closed."""
        if self.ended:
            raise Refused(UPDATED if self.ended == "updated" else Text("This table is closed."))
        if self.result:
            raise Refused(Text("The game is over."))

    def add(
        self, kind: EntryKind, seat: Seat | None = None, *, person: PersonId | None = None, **body: Json
    ) -> Table:
        """The table after a new entry with these contents, at the table's time."""
        return self.after(Entry(len(self.entries), kind, seat, person, body, self.now))

    def at(self, now: float) -> Table:
        """The table whose next entries have this time."""
        return self._with(now=now)

    def dated(self, since: int, at: float) -> Table:
        """The table with a time for its entries from ``since`` on."""
        new = tuple(replace(entry, at=at) for entry in self.entries[since:])
        people = {entry.person for entry in new}
        return self._with(
            entries=self.entries.upto(since).plus(*new),
            opened=self.opened if since else at,
            changed=at if new else self.changed,
            acted_at={person: at if person in people else before for person, before in self.acted_at.items()},
        )
