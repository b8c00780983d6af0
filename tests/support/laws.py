"""The laws of every table, whatever users press: what may follow what, who may sit, how many alerts come."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from bot.model.ids import PersonId
from bot.model.places import Place, Room
from bot.model.tables import Entry
from bot.tables.log.history import Dropped
from bot.tables.table import Table
from bot.tables.turn_clock import is_correspondence
from tests.support.records import Faults, Sent

MOST_ALERTS, MOST_CORRESPONDENCE_ALERTS = 1, 3
"""The most alerts to one player in one turn, on a live clock and on a correspondence clock."""
BAR_HOLDS_AFTER = 5.0
"""Seconds after which a bar holds for certain; a press may have been admitted just before it."""
_ALERTS = ("Your turn: ", "Te toca: ", ", it's your turn: ", ", te toca: ")


class Laws:
    """Checks each entry of all tables against the table before it, and counts the alerts of each turn."""

    def __init__(self) -> None:
        self.faults = Faults()
        self.timeouts = 0
        """Turns that ran out of time; while it is zero the laws of clocks have tested nothing."""
        self.alerts = 0
        """Alerts sent; while it is zero the law of alerts has tested nothing."""
        self._alerts_of_turn: Counter[tuple[str, PersonId, float]] = Counter()
        """The alerts so far, by the id of the table, the player and the time at which the turn began."""
        self.bars = 0
        """How often a person was barred; while it is zero the law of bars has tested nothing."""
        self._barred: Mapping[Place, Mapping[PersonId, float]] = {}
        """For each place, since when each person is barred from its tables and those of places inside it."""
        self._around: dict[Place, tuple[Place, ...]] = {}
        """The places around each place."""
        self._out: dict[str, set[PersonId]] = {}
        """The people who were kicked from each table, by its id."""

    def on_room(self, room: Room, now: float) -> None:
        """Learns whom a place bars; called after each change of its settings."""
        before = self._barred.get(room.place, {})
        self.bars += len(set(room.barred) - set(before))
        since = {person: before.get(person, now) for person in room.barred}
        self._barred = {**self._barred, room.place: since}
        self._around[room.place] = room.around

    def _is_barred(self, person: PersonId, place: Place, at: float) -> bool:
        """Whether a person was barred from a place so long before a time that each process knew it."""
        places = (place, *self._around.get(place, ()))
        return any(self._barred.get(one, {}).get(person, at) < at - BAR_HOLDS_AFTER for one in places)

    def on_commit(self, table: Table, before: Table | None) -> None:
        """Checks the entries of a change, and the table after it; called after each commit."""
        note = self.faults.note
        for earlier, entry, later in _steps(table, before):
            for broken in self._broken(earlier, entry, later):
                note(False, f"{broken}: {entry.kind} at a table of {table.key}")
        people = [player.person for player in table.players if player.person]
        note(len(people) == len(set(people)), f"a person has two seats at a table of {table.key}")
        out = self._out.setdefault(table.id, set())
        out |= set(table.kicked)
        holders = {player.person for player in table.players if player.person and not player.is_computer}
        note(not out & holders, f"a person who was kicked has a seat at a table of {table.key}")
        note(table.status == "over" or table.due is not None, f"nothing is due at a table of {table.key}")

    def _broken(self, before: Table, entry: Entry, after: Table) -> Iterator[str]:
        """The laws that an entry breaks, as sentences."""
        seat = entry.seat
        if before.status == "over" and entry.kind != "rematch":
            yield "a table that is over goes on"
        if before.is_frozen and entry.person is None and entry.kind in ("move", "timeout", "hold", "forfeit"):
            last = before.entries[-1]
            # The turn whose clock has run out is played to its end.
            run_out = ("timeout", last.seat, last.at) if last.kind == "timeout" else None
            if (entry.kind, entry.seat, entry.at) != run_out:
                yield "a game goes on without any person"
        if entry.kind == "timeout" and entry.body.get("late") and seat is not None:
            self.timeouts += 1
            deadline = before.deadlines.get(seat)
            if deadline is None or deadline > entry.at:
                yield f"a turn ends by a clock that has not run out ({deadline} at {entry.at})"
        if entry.kind == "move" and seat is not None:
            player = before.players[seat]
            if entry.person != (None if player.is_computer else player.person):
                yield "a person moves for a seat that is not theirs"
        if entry.kind == "vote" and entry.person and before.question:
            question = before.question
            if question.person == entry.person or entry.person in question.votes:
                yield "a vote counts twice, or is the asker's own"
        if entry.kind in ("join", "take", "back") and entry.person in before.kicked:
            yield "a person who was kicked comes back"
        asks = entry.kind == "ask" and after.question is not None and after.question.kind == "sit"
        sits_down = (asks or entry.kind in ("open", "join", "take")) and entry.person
        if sits_down and self._is_barred(sits_down, after.place, entry.at):
            yield "a person who is barred opens a table, sits down or asks for a seat"
        if entry.kind == "take" and before.former.get(entry.person or "", seat) != seat:
            yield "a person takes another seat of a game in which they have seen cards"
        asked, now = before.question, after.question
        if asked and now and asked.kind != "sit" and asked.n != now.n:
            yield "a question of the players is pushed aside"

    def on_sent(self, sent: Sent, tables: dict[str, Table], person: PersonId) -> None:
        """Checks how many alerts a turn has had; ``person`` is the only reader, empty for a public alert."""
        if sent.how not in ("whisper", "post") or not any(one in sent.plain for one in _ALERTS):
            return
        self.alerts += 1
        for table in tables.values():
            if f" {table.number}." not in sent.plain:
                continue
            for seat, began in table.turn_began.items():
                player = table.players[seat]
                named = player.person == person if person else f"{player.name}, " in sent.plain
                if not named or (sent.place and sent.place != table.place) or not player.person:
                    continue
                self._alerts_of_turn[table.id, player.person, began] += 1
                count = self._alerts_of_turn[table.id, player.person, began]
                slow = is_correspondence(table.turn_seconds)
                most = MOST_CORRESPONDENCE_ALERTS if slow else MOST_ALERTS
                self.faults.note(count <= most, f"{count} alerts in one turn of {table.key}")


def _steps(table: Table, before: Table | None) -> Iterator[tuple[Table, Entry, Table]]:
    """Each new entry of a table, with the tables before and after it; of a new table, all but the first.

    Ends where the earlier log is no longer in memory.
    """
    if before is None:
        try:
            before = Table.replay(table.entries[:1], table.seed_source)
        except Dropped:
            return
    if before is table or len(before.entries) >= len(table.entries):
        return
    new = table.entries[len(before.entries) :]
    for entry in new[:-1]:
        try:
            after = before.after(entry)
        except Dropped:
            return
        yield before, entry, after
        before = after
    yield before, new[-1], table
