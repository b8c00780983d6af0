"""An event-sourced table of one game: its state is folded from its log.

This module does no input or output; `bot.table_service.service` stores tables.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Self

from bot.model.ids import GameId, PersonId
from bot.model.places import HOME, Place
from bot.model.results import is_draw
from bot.model.tables import (
    Entry,
    EntryKind,
    Json,
    Listing,
    Match,
    Player,
    Refused,
    Seated,
    Uncounted,
    Vanish,
)
from bot.settings.choices import Pace
from bot.tables.awaiting_table import AwaitingTable
from bot.tables.log.commitment import ChosenSeed, CommittedSeed, SeedSource
from bot.tables.log.history import History
from bot.tables.turn_clock import Idle, Turn
from engines import games
from engines.game import Level, Move, Seat, Text
from engines.values import replace

MOST_TURN_MOVES = 60
"""The most moves of a seat in one turn: after these the turn ends as if its clock had run out."""

SHOWN_NEWS = 6
"""How many pieces of news the public page and a finished game's usually go back (`Composer.news`).

During the game a player's page has all news since their last move.
"""

_ENTRIES_KEPT_AT_REST = 4
"""How many of its last entries a table at rest keeps, to recognise a button that was pressed twice."""
_ENTRIES_KEPT, _NEWS_KEPT = 512, 1024
"""To how many entries and pieces of news a table in use is shortened, once it has twice as many of either."""

UPDATED = Text("An update has changed the rules, so this game can't go on. Nobody loses.")
FOLLOWED = Text("There's already a table for the rematch.")
DAMAGED = Text("Something is wrong with that table, so it can't go on. Open a new one.")


@dataclass(frozen=True)
class Table(AwaitingTable):
    """An event-sourced table: its views, its listing and the actions that append entries to its log.

    Immutable: each action returns a new table with entries appended. A table need not hold its whole log
    and all its news: what must be read from the store raises `Dropped`.
    """

    damaged: bool = False
    """Whether the log cannot be read or replayed: only the listing is known, and it can only be closed."""

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
        hints: bool = True,
        pace: Pace = "natural",
        owner: PersonId | None = None,
        seed_source: SeedSource | None = None,
        carry: Mapping[str, Any] | None = None,
        carried_by: int = 0,
        follows: GameId = "",
        clock: int | None = None,
        vanish: Vanish = "computer",
        guests: Sequence[str] = (),
        kicked: Sequence[PersonId] = (),
        tally: Mapping[PersonId, int] | None = None,
        match: Match | None = None,
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
            hints=hints,
            pace=pace,
            carry=dict(carry or {}),
            carried_by=carried_by,
            follows=follows,
            clock=clock,
            vanish=vanish,
            guests=list(guests),
            barred=list(kicked),
            tally=dict(tally or {}),
            match={"first_to": match.first_to, "before": dict(match.before)} if match else None,
            commitment=seed_source.commitment,
        )

    @classmethod
    def unread(cls, listing: Listing, seed_source: SeedSource) -> Table:
        """A damaged table: what its listing tells, and a log of which no entry is in memory."""
        return cls(
            seed_source,
            entries=History(first=listing.entries),
            opened=listing.opened,
            changed=listing.changed,
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
            taken_back=listing.uncounted == "taken_back",
        )

    @property
    def listing(self) -> Listing:
        """The facts of the table that stores list without replaying its log."""
        result = None if self.ended else self.result
        # In a draw the seats that computers hold count as winners too: lists know a draw by it (`is_draw`).
        drawn = result is not None and is_draw(seat in result.winners for seat in range(len(self.players)))
        seats = tuple(
            Seated(
                seat,
                player,
                result.scores[seat] if result else None,
                bool(result and seat in result.winners and (drawn or not player.is_held)),
            )
            for seat, player in enumerate(self.players)
        )
        return Listing(
            self.id, self.place, self.number, self.key, self.revision, self.status, self.owner, seats,
            len(self.entries), self.opened, self.changed, self.due, self.uncounted,
        )  # fmt: skip

    @property
    def uncounted(self) -> Uncounted | None:
        """Why no list of wins counts the game; None if it counts."""
        if self.taken_back:
            return "taken_back"
        game, source = games().get(self.key), self.seed_source
        is_guided = (
            game and game.guide and isinstance(source, ChosenSeed) and source.words == game.guide.seed_words
        )
        return "guided" if is_guided else None

    @property
    def is_whole(self) -> bool:
        """Whether the table holds its whole log and all its news."""
        return not (self.entries.first or self.news.first or self.announcements.first)

    def shortened(self) -> Self:
        """The table without its oldest entries and news, if it holds twice as many as it keeps."""
        log, news = self.entries, self.news
        if len(log) - log.first < 2 * _ENTRIES_KEPT and len(news) - news.first < 2 * _NEWS_KEPT:
            return self
        return self._with(
            entries=log.last(_ENTRIES_KEPT),
            news=news.last(_NEWS_KEPT),
            announcements=self.announcements.last(_NEWS_KEPT),
        )

    def at_rest(self) -> Self:
        """The table without entries, news and snapshots that its next pages do not need.

        They are read from the store, or made again, when they are needed. Also clears the cached sentences of
        the news that both tables hold.
        """
        seats = range(len(self.players) if self.is_playing else 0)
        people = [seat for seat in seats if not self.players[seat].is_computer]
        since = min([len(self.news) - SHOWN_NEWS, *map(self.news_since_move, people)])
        news = self.news.last(len(self.news) - since)
        for piece in news[news.first :]:
            piece.sentences.clear()
        table = self._with(
            entries=self.entries.last(_ENTRIES_KEPT_AT_REST),
            news=news,
            announcements=self.announcements.last(SHOWN_NEWS),
            snapshots={},
        )
        if table.turn:
            # Once its clocks are computed, the turn holds no earlier states.
            table.turn.clocks(table.publicly_awaited)
        return table.without_answers()

    def seat_of(self, person: PersonId) -> Seat | None:
        """The seat of a person, also while a computer plays it for them; None if they have none."""
        for seat, player in enumerate(self.players):
            if player.person == person:
                return seat
        return None

    def news_since_move(self, seat: Seat) -> int:
        """The index of the first piece of news since a seat's last move or take-back, with that move's own.

        Moves by the clock do not count. If the piece is no longer in memory, the index of the first that is.
        """
        moved = self.moved_in.get(seat, -1)
        return self.news.first_from(moved, attrgetter("n"))

    def acted(self, person: PersonId) -> float | None:
        """The time of the last entry of a person with a seat; None if there is none."""
        return self.acted_at.get(person)

    def acted_since(self, seat: Seat, stamp: int) -> bool:
        """Whether a seat has moved, or any move was taken back, since the stamp; the clock's moves count."""
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
        """The table after the deal. Raises `ValueError` for a wrong number of players or a wrong option."""
        people = sum(not player.is_computer for player in self.players)
        return self.add("start", person=person, clock=self.clock_for(people))

    def clock_for(self, people: int) -> int:
        """The seconds of a turn where so many people play; 0 without a clock.

        Unless its clock was chosen, a table has the game's if several people play.
        """
        if self.clock is not None:
            return self.clock
        return self.game.turn_seconds if people > 1 and not self.outdated else 0

    def play(self, seat: Seat, action: str | Mapping[str, Any]) -> Table:
        """The table after a move; if it is the turn's `MOST_TURN_MOVES`-th, the clock then ends the turn.

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
        too_long = table.is_playing and table.turn_lengths.get(seat, 0) >= MOST_TURN_MOVES
        return table.time_out(seat) if too_long else table

    def play_forced(self, seat: Seat, move: Move) -> Table:
        """The table after a seat's only possible move, which the clock makes though the player is not late.

        Raises `Refused` while no game is played.
        """
        self.must_be_playing()
        body: dict[str, Json] = {"move": str(move), "forced": True}
        return self.after(Entry(len(self.entries), "timeout", seat, None, body, self.now))

    def time_out(self, seat: Seat, *, late: bool = False) -> Table:
        """The table after the clock's moves for a seat, until its turn ends or it need not move.

        A player who is ``late`` counts as away from then on, unless it is secret whose turn it is. Raises
        `Refused` while no game is played.
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

    def must_be_over(self) -> None:
        """Raises `Refused` unless the game is over or the table closed: until then its cards are secret."""
        if self.status != "over":
            raise Refused(Text("The game isn't over yet."))

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
        """The table whose next entries have this time; ``idle`` is how long it stays open without one."""
        table = object.__new__(type(self))
        # Unlike `_with`, keeps the properties that are computed once: none depends on `now` or `idle`.
        table.__dict__.update(self.__dict__, now=now, idle=idle or self.idle)
        return table

    def dated(self, since: int, at: float) -> Table:
        """The table whose entries from ``since`` on have this time; all clocks begin at it."""
        new = tuple(replace(entry, at=at) for entry in self.entries[since:])
        people = {entry.person for entry in new}
        return self._with(
            entries=self.entries.upto(since).plus(*new),
            opened=self.opened if since else at,
            changed=at if new else self.changed,
            dealt=at if any(entry.kind == "start" for entry in new) else self.dealt,
            turn=Turn(at, self.state) if self.turn else None,
            acted_at={person: at if person in people else before for person, before in self.acted_at.items()},
        )
