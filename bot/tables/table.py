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
    Outage,
    PersonId,
    Place,
    Player,
    Refused,
    Seated,
    Vanish,
)
from bot.tables.commitment import CommittedSeed, SeedSource
from bot.tables.history import History
from bot.tables.table_log import TableLog
from bot.tables.turn_clock import (
    FIRST_TURN,
    Idle,
    SeatClock,
    Turn,
    bell_times,
    grace,
    is_correspondence,
    missed,
)
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
        clock: int | None = None,
        vanish: Vanish = "computer",
        guests: Sequence[str] = (),
        barred: Sequence[PersonId] = (),
        tally: Mapping[PersonId, int] | None = None,
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
            clock=clock,
            vanish=vanish,
            guests=list(guests),
            barred=list(barred),
            tally=dict(tally or {}),
            commitment=seed_source.commitment,
        )

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
        result = None if self.ended or self.taken_back else self.result
        seats = tuple(
            Seated(
                seat,
                player,
                result.scores[seat] if result else None,
                bool(result and seat in result.winners and not player.is_held),
            )
            for seat, player in enumerate(self.players)
        )
        return Listing(
            self.id, self.place, self.number, self.key, self.revision, self.status, self.owner, seats,
            len(self.entries), self.opened, self.changed, self.due,
        )  # fmt: skip

    @property
    def due(self) -> float | None:
        """The time from which a process must attend to the table without a press; None if it is over."""
        if self.status == "over":
            return None
        # Where turns are long, a bell may have been put off for a player's sake: when is not known here.
        is_slow = not self.turn_seconds or is_correspondence(self.turn_seconds)
        is_put_off = is_slow and any(bells[0] <= self.changed for bells in self.bells.values())
        times = self._due_times() + self._bells_after(self.changed)
        return min([*times, self.changed] if is_put_off else times)

    def next_due(self, soon: float, outages: Sequence[Outage] = ()) -> float | None:
        """The time from which the table is due once it was attended to just now; what is left over, ``soon``.

        Bells that have rung are not due again.
        """
        if self.status == "over":
            return None
        late = (max(at, soon) for at in self._due_times(outages))
        return min((*late, *self._bells_after(self.now)))

    @property
    def idle_end(self) -> float:
        """The time at which the table is closed if nobody does anything."""
        return self.changed + self.idle.after(self.status, self.turn_seconds)

    def _due_times(self, outages: Sequence[Outage] = ()) -> list[float]:
        """The times from which something is due at an open table, besides the bells."""
        times = [self.idle_end + missed(outages, self.changed, self.now)]
        if self.is_playing and not self.is_frozen:
            if self.awaited_computers():
                times.append(self.changed + COMPUTER_OVERDUE)
            times += self.deadlines.values()
            for seat, end in self.grace_ends.items():
                times.append(end + missed(outages, self.away[seat], self.now))
        if self.question:
            times.append(self.question.lapses)
        return times

    def _bells_after(self, time: float) -> list[float]:
        """The times after another at which players are called."""
        return [at for bells in self.bells.values() for at in bells if at > time]

    @property
    def clocks(self) -> Mapping[Seat, SeatClock]:
        """The clocks of the people who hold the seats for which the game waits, as far as the public knows.

        A table without a clock has them too: they tell since when the game has waited.
        """
        if self.turn is None or not self.is_playing or self.is_frozen:
            return {}
        clocks = self.turn.clocks(self.publicly_awaited)
        return {seat: clock for seat, clock in clocks.items() if not self.players[seat].is_computer}

    def publicly_awaited(self, state: Any) -> tuple[Seat, ...]:
        return self.awaited(None).must if state is self.state else super().publicly_awaited(state)

    def _is_secret(self) -> bool:
        return self.awaited(None).secret

    @property
    def turn_began(self) -> Mapping[Seat, float]:
        """Since when the public knows that the game waits for each person who holds their seat."""
        return {seat: clock.began for seat, clock in self.clocks.items()}

    def seconds_of(self, seat: Seat) -> int:
        """The seconds of a seat's current turn without credits, or of its next one; 0 without a clock.

        While it is secret who must move, all seats have the same.
        """
        if not self.turn_seconds or is_correspondence(self.turn_seconds):
            return self.turn_seconds
        first, turns = self.first_turns, self.game.turns(self.state)
        known = first.values() if self.awaited(None).secret else (first.get(seat, turns),)
        return self.turn_seconds * (FIRST_TURN if all(turn == turns for turn in known) else 1)

    @property
    def public_deadlines(self) -> Mapping[Seat, float]:
        """The deadlines of the people whom the public knows to be awaited; empty without a clock."""
        if not self.turn_seconds:
            return {}
        clocks = self.clocks
        return {seat: one.began + self.seconds_of(seat) + one.credit for seat, one in clocks.items()}

    @property
    def deadlines(self) -> Mapping[Seat, float]:
        """The deadlines of the people for whom the game waits; secret in some games, so not for pages."""
        deadlines = self.public_deadlines
        if not deadlines or not self.awaited(None).secret:
            return deadlines
        return {seat: at for seat, at in deadlines.items() if seat in self.awaited(seat).must}

    def deadline(self, reader: Seat | None) -> float | None:
        """The deadline that a page shows to its reader (None: the public); None if there is none.

        That is the reader's own if the game waits for them, else the next one.
        """
        deadlines = self.public_deadlines
        if reader in deadlines and reader in self.awaited(reader).must:
            return deadlines[reader]
        return min(deadlines.values(), default=None)

    @property
    def bells(self) -> Mapping[Seat, tuple[float, ...]]:
        """When each player whose turn it is is called in this turn.

        Empty where that is secret, and where nobody but computers waits for the only player, without a clock.
        A credit changes nothing, so that no bell is due twice.
        """
        if not (clocks := self.clocks) or self.awaited(None).secret:
            return {}
        people = sum(bool(player.person) and not player.is_computer for player in self.players)
        if people < 2 and not self.turn_seconds:
            return {}
        return {seat: bell_times(one.began, self.seconds_of(seat)) for seat, one in clocks.items()}

    @property
    def grace_ends(self) -> Mapping[Seat, float]:
        """When each player who is away loses their seat."""
        if not self.is_playing or self.is_frozen:
            return {}
        return {seat: since + grace(self.turn_seconds) for seat, since in self.away.items()}

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
            snapshots={},
        )
        if table.turn:
            table.turn.clocks(table.publicly_awaited)
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
        """The seats of computer players that the game waits for; none while it stands still."""
        computers = [seat for seat, player in enumerate(self.players) if player.is_computer]
        required = self.required() if computers and not self.is_frozen else ()
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
        """The first move since the table had this stamp.

        None if there is none, if it is not in memory, or if a move was taken back since.
        """
        later, kept = self.stamp - stamp, self.entries[self.entries.first :]
        counted = [entry for entry in kept if entry.kind in ("move", "timeout", "undo")]
        since = counted[-later:] if 0 < later <= len(counted) else []
        return None if any(entry.kind == "undo" for entry in since) else next(iter(since), None)

    def sit(self, player: Player) -> Table:
        """The table with a player in the next seat."""
        seat = len(self.players)
        if player.is_computer:
            return self.add("computer", seat, name=player.name, level=player.level)
        return self.add("join", seat, person=player.person, name=player.name)

    def start(self, person: PersonId | None = None) -> Table:
        """The table after the deal. Raises `ValueError` for a wrong number of players or a wrong option.

        Unless its clock was chosen, a table has the game's if several people play.
        """
        seconds = self.clock
        if seconds is None:
            people = sum(not player.is_computer for player in self.players)
            seconds = self.game.turn_seconds if people > 1 and not self.outdated else 0
        return self.add("start", person=person, clock=seconds)

    def play(self, seat: Seat, action: str | Mapping[str, Any]) -> Table:
        """The table after a move, and after the clock has ended a turn of `TURN_LENGTH` moves.

        Raises `IllegalMove`, or `Refused` while no game is played.
        """
        self.must_be_playing()
        move, state, events = self.game.act(self.state, seat, action)
        player = self.players[seat]
        person = None if player.is_computer else player.person
        body: dict[str, Json] = {"move": str(move)}
        if self.awaited(None).secret:
            body["secret"] = True
        entry = Entry(len(self.entries), "move", seat, person, body, self.now)
        table = self._played(entry, seat, state, events)._logged(entry)
        too_long = table.is_playing and table.turn_lengths.get(seat, 0) >= TURN_LENGTH
        return table.time_out(seat) if too_long else table

    def time_out(self, seat: Seat, *, late: bool = False) -> Table:
        """The table after the clock's moves for a seat, until its turn ends or it need not move.

        A player who is ``late`` counts as away from then on, unless it is secret whose turn it is.
        """
        self.must_be_playing()
        table, turns = self, self.game.turns(self.state)
        body: dict[str, Json] = {"late": True} if late and not self._is_secret() else {}
        while seat in table.awaited(seat).must and table.game.turns(table.state) == turns:
            body["move"] = str(table.game.timeout(table.state, seat))
            table, body = table.after(Entry(len(table.entries), "timeout", seat, None, body, self.now)), {}
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

    def at(self, now: float, idle: Idle | None = None) -> Table:
        """The table whose next entries have this time, and which is closed after some time without one."""
        return self._with(now=now, idle=idle or self.idle)

    def dated(self, since: int, at: float) -> Table:
        """The table with a time for its entries from ``since`` on."""
        new = tuple(replace(entry, at=at) for entry in self.entries[since:])
        people = {entry.person for entry in new}
        return self._with(
            entries=self.entries.upto(since).plus(*new),
            opened=self.opened if since else at,
            changed=at if new else self.changed,
            turn=Turn(at, self.state) if self.turn else None,
            acted_at={person: at if person in people else before for person, before in self.acted_at.items()},
        )
