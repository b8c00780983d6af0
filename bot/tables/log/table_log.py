"""The log of a table, and the state of the table folded from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from bot.model.places import Place
from bot.model.tables import Entry, Match, Player
from bot.tables.log.commitment import SeedSource, canonical
from bot.tables.log.history import Dropped
from bot.tables.log.snapshots import OwnMove, Snapshot, take_back_events, target
from bot.tables.log.table_seats import TableSeats
from bot.tables.turn_clock import Turn
from engines.game import Event, Move, Name, Seat, Text
from engines.values import replace

_AFTER_END = ("rematch", "forget")
"""The kinds of entries that a finished game may still get; its `changed` remains the time of its end."""


@dataclass(frozen=True)
class TableLog(TableSeats):
    """A table's entries, and its state, which follows from the entries and the seed source.

    Immutable: `after` returns a new log with an entry appended.
    """

    @classmethod
    def replay(cls, entries: Sequence[Entry], seed_source: SeedSource) -> Self:
        """The table folded from a log."""
        targets = {target(entry) for entry in entries if entry.kind == "undo"}
        before: dict[int, Snapshot] = {}
        table = cls(seed_source)
        for entry in entries:
            if entry.n in targets:
                before[entry.n] = table._snapshot()
            if entry.kind == "undo":
                # The table itself keeps only the snapshot of each seat's last move.
                to = target(entry)
                table = table._with(snapshots={**table.snapshots, to: before[to]})
            table = table.after(entry)
        return table

    def after(self, entry: Entry) -> Self:
        """The table after an entry. Raises `Dropped` for a take-back that needs the whole log."""
        assert entry.n == len(self.entries)
        return self._applied(entry)._logged(entry)

    def _logged(self, entry: Entry) -> Self:
        """The table with an entry appended to its log, after the entry was applied to its state."""
        acted, person = self.acted_at, entry.person
        if person is not None and any(player.person == person for player in self.players):
            acted = {**acted, person: entry.at}
        opened = self.opened if entry.n else entry.at
        changed = self.changed if entry.kind in _AFTER_END else entry.at
        table = self._with(entries=self.entries.plus(entry), opened=opened, changed=changed, acted_at=acted)
        if self.question and not table._stands(self.question):
            table = table._without_question(self.question, entry)
        return table._shown_presence(person, entry.at) if self.away and person is not None else table

    def _applied(self, entry: Entry) -> Self:
        """Applies an entry to the table's state; `_logged` appends it to the log."""
        body: Mapping[str, Any] = entry.body
        match entry.kind:
            case "open":
                return self._opened(entry)
            case "join" | "computer":
                return self._seated(Player(body["name"], body.get("level"), entry.person))
            case "option" if "option" in body:
                return self._with(options={**self.options, body["option"]: body["value"]})
            case "option" if "level" in body:
                return self._with(level=body["level"], players=self._at_level(body["level"]))
            case "option" if "hints" in body:
                return self._with(hints=body["hints"])
            case "option" if "pace" in body:
                return self._with(pace=body["pace"])
            case "option":
                return self._with(clock=body.get("clock", self.clock), vanish=body.get("vanish", self.vanish))
            case "start":
                return self._dealt(entry)
            case "credit":
                quiet = body.get("quiet", False)
                return self._ticking(
                    entry.at, self.turn, seconds=body["seconds"], credited=entry.seat, quiet=quiet
                )
            case "ask" | "vote" | "take":
                steps = {"ask": self._asking, "vote": self._voted, "take": self._taken}
                return steps[entry.kind](entry)
            case "owner":
                return self._owned(entry)
            case "end":
                return self._with(ended=body["reason"])
            case "rematch":
                return self._with(followed=body["game"])
            case "forget":
                # The entries before it were rewritten already, without the person.
                return self
            case _:
                assert entry.seat is not None
                return self._applied_at_seat(entry, entry.seat)

    def _applied_at_seat(self, entry: Entry, seat: Seat) -> Self:
        """Applies an entry of one seat to the table's state."""
        body: Mapping[str, Any] = entry.body
        match entry.kind:
            case "leave" | "dismiss":
                return self._unseated(seat)
            case "cut":
                return self._with(cuts=(*self.cuts, (seat, body["words"])))
            case "move" | "timeout":
                return self._moved(entry, seat, Move.parse(body["move"]))
            case "hold":
                return self._changed(seat, level=body["level"])._present(seat)
            case "kick":
                return self._kicked(seat, body.get("level"))
            case "back":
                return self._occupied(seat, replace(self.players[seat], level=None), entry.at)
            case "forfeit":
                return self._forfeited(seat)
            case "undo":
                return self._set_back(entry, seat)
        raise AssertionError(entry.kind)

    def _opened(self, entry: Entry) -> Self:
        """The table as it is opened; logs of older versions lack some keys."""
        body: Mapping[str, Any] = entry.body
        return self._with(
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
            hints=body.get("hints", True),
            pace=body.get("pace", "natural"),
            owner=entry.person,
            clock=body.get("clock"),
            vanish=body.get("vanish", "computer"),
            guests=tuple(body.get("guests", ())),
            kicked=tuple(body.get("barred", ())),
            tally=body.get("tally", {}),
            match=match_of(body),
        )

    def _dealt(self, entry: Entry) -> Self:
        """The table after the deal; without a state, if the rules are outdated."""
        statement = self.statement()
        if self.outdated:
            deal = canonical(statement)
            return self._with(started=True, starters=self.players, deal=deal, dealt=entry.at)
        carry = statement["carry"]
        # If the words of a cut were forgotten, the seed no longer follows from the cuts.
        stored_seed = entry.body.get("seed")
        seed = bytes.fromhex(str(stored_seed)) if stored_seed else self.seed_source.seed(statement)
        state = self.game.new(len(self.players), seed, self.options, carry)
        return self._with(
            started=True,
            starters=self.players,
            state=state,
            result=self.game.result(state),
            deal=canonical(statement),
            dealt=entry.at,
            turn_seconds=entry.body.get("clock", 0),
            turn=Turn(entry.at, state),
            **self._news_fields(len(self.entries), self.game.opening(state)),
        )

    def _moved(self, entry: Entry, seat: Seat, move: Move) -> Self:
        """The table after a move in an entry; only the facts of the move, if the rules are outdated."""
        if self.state is None:
            return self._with(**self._move_fields(entry, seat))
        return self._played(entry, seat, *self.game.apply(self.state, seat, move))

    def _played(self, entry: Entry, seat: Seat, state: Any, events: Sequence[Event]) -> Self:
        """The table after a seat's move in an entry, which led to this state and these events."""
        game, turns = self.game, self.game.turns(self.state)
        is_same_turn = game.turns(state) == turns
        lengths = {**self.turn_lengths, seat: self.turn_lengths.get(seat, 0) + 1} if is_same_turn else {}
        is_late = bool(entry.body.get("late"))
        if is_late:
            events = (Event(Text("{who} ran out of time.", who=Name(seat)), None), *events)
        if entry.body.get("forced"):
            events = (Event(Text("Only one move was possible, so it was played for you."), seat), *events)
        if self.turn_seconds and seat not in self.first_turns and not self._is_secret():
            first_turns: Mapping[Seat, int] = {**self.first_turns, seat: turns}
        else:
            first_turns = self.first_turns
        turn = Turn(entry.at, state, self.turn if is_same_turn else None)
        if turn.is_deep:
            turn.clocks(self.publicly_awaited)
        return self._with(
            state=state,
            result=game.result(state),
            turn=turn,
            turn_lengths=lengths,
            first_turns=first_turns,
            away={seat: entry.at, **self.away} if is_late else self.away,
            **self._move_fields(entry, seat),
            **self._news_fields(entry.n, events),
        )

    def _is_secret(self) -> bool:
        """Whether it is secret for which seats the game waits."""
        return self.game.awaited(self.game.view(self.state, None)).secret

    def _move_fields(self, entry: Entry, seat: Seat) -> dict[str, Any]:
        """The fields that tell which moves were made, after a seat's move in an entry."""
        stamp = self.stamp + 1
        fields: dict[str, Any] = {"stamp": stamp, "moved_at": {**self.moved_at, seat: stamp}}
        if entry.kind == "move":
            fields["moved_in"] = {**self.moved_in, seat: entry.n}
            if not self.players[seat].is_computer:
                fields |= self._undo_fields(entry, seat)
        return fields

    def _undo_fields(self, entry: Entry, seat: Seat) -> dict[str, Any]:
        """The fields by which a person's move can be taken back, after this move."""
        former = self.own_moves.get(seat)
        snapshots = {**self.snapshots, entry.n: self._snapshot()}
        if former:
            snapshots.pop(former.n, None)
        own = OwnMove(entry.n, entry.person, "secret" in entry.body)
        return {"own_moves": {**self.own_moves, seat: own}, "snapshots": snapshots}

    def remembering(self, n: int) -> Self:
        """The table with a snapshot before the move of entry ``n``.

        Raises `Dropped` if that needs the whole log.
        """
        if n in self.snapshots:
            return self
        if self.entries.first:
            raise Dropped
        past = self.replay(self.entries[:n], self.seed_source)
        return self._with(snapshots={**self.snapshots, **past.snapshots, n: past._snapshot()})

    def _snapshot(self) -> Snapshot:
        return Snapshot(self.state, self.turn_lengths, self.first_turns, self.own_moves)

    def _set_back(self, entry: Entry, seat: Seat) -> Self:
        """The table after a seat has taken back its last own move, and with it all moves since.

        All older menus are outdated, since the same words may mean another move now; all clocks begin anew.
        """
        to, stamp = target(entry), self.stamp + 1
        changed: dict[str, Any] = {
            "stamp": stamp,
            "moved_at": dict.fromkeys(range(len(self.players)), stamp),
            "moved_in": {**self.moved_in, seat: entry.n},
            "taken_back": True,
            "asked": {person: past for person, past in self.asked.items() if person != entry.person},
        }
        if self.state is None:
            return self._with(**changed)
        snapshots = self.remembering(to).snapshots
        before = snapshots[to]
        table = self._with(
            state=before.state,
            turn_lengths=before.turn_lengths,
            first_turns=before.first_turns,
            own_moves=before.own_moves,
            snapshots={n: snapshot for n, snapshot in snapshots.items() if n < to},
            **changed,
            **self._news_fields(entry.n, take_back_events(entry, self.news)),
        )
        return table._ticking(entry.at, None)

    def statement(self) -> dict[str, Any]:
        """Everything that the deal depends on besides the server seed.

        The words of a cut are empty if they were forgotten; the game seed is then in the entry of the deal.
        """
        seats = [
            {"seat": seat, "cuts": [words for cutter, words in self.cuts if cutter == seat]}
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


def match_of(body: Mapping[str, Any]) -> Match | None:
    """The match in which a table is opened, from the body of its first entry; None if there is no match."""
    match = body.get("match")
    return Match(match["first_to"], match["before"]) if match else None
