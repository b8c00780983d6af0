"""Appends a group of batches in one transaction: each gets a verdict, then the taken ones are written.

Before that, their tables are locked, so that no other process changes them meanwhile; in the order of
their ids, so that two processes never deadlock.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from sqlalchemy import Connection, bindparam, delete, exists, insert, select, update

from bot.model.batches import Batch, BatchVerdict, Behind, Clash, Full, Known, Taken
from bot.model.ids import GameId, PersonId
from bot.model.panels import PanelRecord
from bot.model.places import Place
from bot.model.tables import Entry, Listing
from bot.storage import StoreError, Unreadable
from bot.store import endings
from bot.store.common import new_readers
from bot.store.prepared import INSERTS, Prepared
from bot.store.rows import (
    ENTRY_COLUMNS,
    Row,
    entries_of,
    entry_rows,
    game_row,
    panel_row,
    place_row,
    seat_rows,
)
from bot.store.schema import ENTRIES, GAMES, OVER, PANELS, SEATS
from bot.store.seats import sitting

AppendOutcome = BatchVerdict | StoreError
"""A verdict, or the error that kept a batch from being judged."""

REMEMBERED = 20_000
"""Maximum number of tables whose listings are kept in memory, about 1 kB each; other tables cost more
statements.
"""


def _update_game(*columns: str) -> Prepared:
    """The statement that sets these columns of a table to the values of a `game_row`."""
    values: Row = {name: bindparam(f"new_{name}") for name in columns}
    return Prepared(update(GAMES).where(GAMES.c.id == bindparam("new_id")).values(values))


_UPDATE_GAME = _update_game("status", "owner", "entries", "changed", "due", "uncounted")
_UPDATE_PANELS = Prepared(
    update(PANELS)
    .where(PANELS.c.game == bindparam("of_game"))
    .values(wanted=PANELS.c.wanted + bindparam("more"))
)
_IS_HEARD = exists().where(ENTRIES.c.delivery == bindparam("delivery"))
"""Whether a delivery is heard: stored with an entry."""
_HEARS = _IS_HEARD.label("hears")
_GO_ON = Prepared(
    update(GAMES)
    .where(GAMES.c.id == bindparam("new_id"), GAMES.c.entries == bindparam("first"), ~_IS_HEARD)
    .values({name: bindparam(f"new_{name}") for name in ("entries", "changed", "due")})
)
"""Updates a table if its log has a given length and a delivery is not stored.

Sets only columns that change: SQLite rewrites the indexes on all that are set, even to the same values.
"""
_LOCK_GAME = Prepared(
    select(GAMES.c.entries, _HEARS).where(GAMES.c.id == bindparam("game")).with_for_update(of=GAMES)
)
"""Locks a table; selects the length of its log, and whether a delivery is stored."""
_LOCK_GAMES = (
    select(GAMES.c.id, GAMES.c.entries)
    .where(GAMES.c.id.in_(bindparam("games", expanding=True)))
    .order_by(GAMES.c.id)
    .with_for_update()
)
"""Locks tables, in the order of their ids; selects the lengths of their logs."""
_HEARD = select(ENTRIES.c.delivery).where(ENTRIES.c.delivery.in_(bindparam("deliveries", expanding=True)))
_HEARD_ONE = Prepared(select(ENTRIES.c.delivery).where(ENTRIES.c.delivery == bindparam("new_delivery")))
_NUMBERS = Prepared(
    select(GAMES.c.number).where(
        *(GAMES.c[name] == bindparam(f"new_{name}") for name in ("platform", "chat", "thread")),
        GAMES.c.status != OVER,
    )
)
"""Selects the numbers of the tables of a place that are not over."""
_MISSED = Prepared(select(GAMES.c.entries, _HEARS).where(GAMES.c.id == bindparam("game")))
"""As `_LOCK_GAME`, without the lock."""
_FROM = select(ENTRIES).where(ENTRIES.c.game == bindparam("of_game"), ENTRIES.c.n >= bindparam("first"))
_THERE = Prepared(_FROM.order_by(ENTRIES.c.n))
"""Selects the rows of a table's entries from a number on."""
_TAIL = Prepared(_FROM.with_only_columns(*(ENTRIES.c[name] for name in ENTRY_COLUMNS)).order_by(ENTRIES.c.n))
"""As `_THERE`, with the columns of which `entries_of` makes entries."""
_INSERT_GAMES, _INSERT_ENTRIES, _INSERT_SEATS = (Prepared(insert(rows)) for rows in (GAMES, ENTRIES, SEATS))
_DELETE_SEATS = Prepared(delete(SEATS).where(SEATS.c.game == bindparam("of_game")))
_BEGIN_PANELS = {
    dialect: Prepared(begin(PANELS).on_conflict_do_nothing()) for dialect, begin in INSERTS.items()
}
"""By dialect; a player who joins again has a panel already."""


@dataclass(frozen=True, slots=True)
class Before:
    """The facts read from the database on which the verdicts on a group depend."""

    lengths: Mapping[GameId, int]
    """Number of entries in each table's log; without new tables."""
    heard: frozenset[str] = frozenset()
    """Deliveries of the group that are stored already."""
    numbers: frozenset[tuple[Place, int]] = frozenset()
    """Numbers of the tables that are not over, in the places of the new tables."""
    own: frozenset[tuple[GameId, int]] = frozenset()
    """Table and number of the first entry of each batch that a seemingly failed commit has stored."""
    sitting: Mapping[PersonId, frozenset[GameId]] = field(default_factory=dict)
    """For each person who takes a seat in the group, the tables that are not over at which they sit."""


@dataclass(slots=True)
class Change:
    """The batches of a group that are added to one table, in their order."""

    batches: list[Batch] = field(default_factory=list)

    @property
    def listing(self) -> Listing:
        """The table after the last batch."""
        return self.batches[-1].listing


def judged(batches: Sequence[Batch], before: Before) -> list[AppendOutcome]:
    """The outcome of each batch, if they are stored in this order; `Behind` has no tail yet."""
    lengths, heard, numbers = dict(before.lengths), set(before.heard), set(before.numbers)
    own, sitting = set(before.own), dict(before.sitting)
    outcomes: list[AppendOutcome] = []
    for batch in batches:
        listing, start = batch.listing, batch.entries[0].n
        length, number = lengths.get(listing.game, 0), (listing.place, listing.number)
        outcome: AppendOutcome = Taken()
        if (listing.game, start) in own:
            own.remove((listing.game, start))
        elif batch.delivery in heard:
            outcome = Known()
        elif start > length:
            outcome = StoreError(f"table {listing.game} has {length} entries, not {start}")
        elif start < length:
            outcome = Behind(())
        elif not start and number in numbers:
            outcome = Clash()
        elif full := _full(batch, sitting):
            outcome = Full(full)
        else:
            for person in batch.seated:
                sitting[person] = sitting.get(person, frozenset()) | {listing.game}
            lengths[listing.game] = listing.entries
            heard |= {batch.delivery} - {""}
            numbers |= set() if start else {number}
        outcomes.append(outcome)
    return outcomes


def _full(batch: Batch, sitting: Mapping[PersonId, frozenset[GameId]]) -> PersonId | None:
    """The first person who takes a seat with a batch and sits at too many tables already."""
    for person in batch.seated:
        if len(sitting.get(person, frozenset()) - {batch.listing.game}) >= batch.most_seats:
            return person
    return None


def _only_goes_on(left: Listing, listing: Listing) -> bool:
    """Whether a table has changed only in what `_GO_ON` updates."""
    return (
        left.status == listing.status
        and left.owner == listing.owner
        and left.seats == listing.seats
        and left.uncounted == listing.uncounted
    )


class Appending:
    """Appends groups of batches; keeps listings in memory, so that only what changes is written."""

    def __init__(self) -> None:
        self._written: OrderedDict[GameId, Listing] = OrderedDict()
        """For each table its listing, as this process last wrote it; in the order of writing."""

    def run(
        self, connection: Connection, batches: Sequence[Batch], panels: Collection[GameId], again: bool
    ) -> list[AppendOutcome]:
        """Writes the batches that are taken; returns the outcome of each, valid after the commit.

        Also locks the tables ``panels``, which other changes of the transaction concern, mostly their panels.
        ``again`` means a retry: an earlier commit may have stored these batches although it seemed to fail.
        """
        if len(batches) == 1 and not panels and not again and self._go_on(connection, batches[0]):
            return [Taken()]
        order = sorted(range(len(batches)), key=lambda i: (batches[i].listing.game, batches[i].entries[0].n))
        ordered = [batches[i] for i in order]
        before = _before(connection, ordered, panels, again)
        verdicts = judged(ordered, before)
        changes: dict[GameId, Change] = {}
        for batch, verdict in zip(ordered, verdicts, strict=True):
            if isinstance(verdict, Taken) and (batch.listing.game, batch.entries[0].n) not in before.own:
                changes.setdefault(batch.listing.game, Change()).batches.append(batch)
        if changes:
            self._write(connection, changes)
        outcomes: list[AppendOutcome] = [Taken()] * len(batches)
        for i, batch, verdict in zip(order, ordered, verdicts, strict=True):
            outcomes[i] = verdict
            if isinstance(verdict, Behind):
                try:
                    outcomes[i] = Behind(_tail(connection, batch.listing.game, batch.entries[0].n))
                except Unreadable as error:
                    outcomes[i] = error
        return outcomes

    def _go_on(self, connection: Connection, batch: Batch) -> bool:
        """Writes a batch if its table is as this process left it, and only its log and its times change.

        Else returns False. The fast path of `run`, for almost all batches.
        """
        listing, n = batch.listing, batch.entries[0].n
        left = self._written.get(listing.game)
        if not left or left.entries != n or batch.seated or not _only_goes_on(left, listing):
            return False
        for entry in batch.entries:
            if entry.kind == "join":
                # A panel may begin.
                return False
        row = {
            "id": listing.game,
            "entries": listing.entries,
            "changed": listing.changed,
            "due": listing.due,
            "first": n,
            "delivery": batch.delivery or None,
        }
        if not _GO_ON.touched(connection, row):
            return False
        _INSERT_ENTRIES.run(connection, *entry_rows(listing.game, batch.entries, batch.delivery))
        _UPDATE_PANELS.touched(connection, {"of_game": listing.game, "more": 1})
        return True

    def committed(self, batch: Batch) -> None:
        """Remembers the listing of a batch that was taken, after the commit."""
        listing = batch.listing
        if listing.status == "over":
            self._written.pop(listing.game, None)
        elif (left := self._written.get(listing.game)) is None or left.entries < listing.entries:
            self._written[listing.game] = listing
            self._written.move_to_end(listing.game)
            if len(self._written) > REMEMBERED:
                self._written.popitem(last=False)

    def _write(self, connection: Connection, changes: Mapping[GameId, Change]) -> None:
        opened = [_new_row(change) for change in changes.values() if not change.batches[0].entries[0].n]
        gone_on = [change.listing for change in changes.values() if change.batches[0].entries[0].n]
        if gone_on:
            _UPDATE_GAME.run(connection, *map(game_row, gone_on))
        if opened:
            _INSERT_GAMES.run(connection, *opened)
        batches = [batch for change in changes.values() for batch in change.batches]
        entries = [
            row for batch in batches for row in entry_rows(batch.listing.game, batch.entries, batch.delivery)
        ]
        _INSERT_ENTRIES.run(connection, *entries)
        self._write_seats(connection, changes)
        endings.end(connection, (batch.ending for batch in batches if batch.ending))
        if gone_on:
            counts = [{"of_game": one.game, "more": len(changes[one.game].batches)} for one in gone_on]
            _UPDATE_PANELS.run(connection, *counts)
        begun = [
            panel_row(PanelRecord(batch.listing.game, reader, wanted=1))
            for batch in batches
            for reader in new_readers(batch)
        ]
        if begun:
            _BEGIN_PANELS[connection.dialect.name].run(connection, *begun)

    def _write_seats(self, connection: Connection, changes: Mapping[GameId, Change]) -> None:
        changed = [
            change.listing
            for game, change in changes.items()
            if (left := self._written.get(game)) is None
            or (left.entries, left.seats) != (change.batches[0].entries[0].n, change.listing.seats)
        ]
        if old := [listing for listing in changed if changes[listing.game].batches[0].entries[0].n]:
            _DELETE_SEATS.run(connection, *({"of_game": listing.game} for listing in old))
        if rows := [row for listing in changed for row in seat_rows(listing)]:
            _INSERT_SEATS.run(connection, *rows)


def _new_row(change: Change) -> Row:
    """The row of a new table."""
    opening = change.batches[0]
    return {
        **game_row(change.listing),
        **place_row(opening.listing.place),
        "number": opening.listing.number,
        "server_seed": opening.server_seed,
        "seed_words": opening.seed_words,
    }


def _before(
    connection: Connection, batches: Sequence[Batch], panels: Collection[GameId], again: bool
) -> Before:
    """Locks the tables of a group, and reads the facts on which the verdicts depend."""
    games = sorted({batch.listing.game for batch in batches} | set(panels))
    deliveries = sorted({batch.delivery for batch in batches} - {""})
    lengths, heard = dict[GameId, int](), list[str]()
    if single := len(games) == 1 and len(deliveries) <= 1:
        delivery = deliveries[0] if deliveries else None
        for length, hears in _LOCK_GAME.run(connection, {"game": games[0], "delivery": delivery}):
            lengths[games[0]] = length
            heard += deliveries if hears else ()
    else:
        lengths |= {row.id: row.entries for row in connection.execute(_LOCK_GAMES, {"games": games})}
    # A statement that had to wait for the lock knows the log's new length, but not yet its deliveries.
    late = any(lengths.get(batch.listing.game, 0) != batch.entries[0].n for batch in batches)
    if deliveries and (late or not lengths or not single):
        heard += _heard(connection, deliveries)
    places = {batch.listing.place for batch in batches if not batch.entries[0].n}
    numbers = [(place, number) for place in places for number in taken_numbers(connection, place)]
    own = [
        (batch.listing.game, batch.entries[0].n)
        for batch in (batches if again else ())
        if _is_there(connection, batch)
    ]
    seats = sitting(connection, {person for batch in batches for person in batch.seated})
    return Before(lengths, frozenset(heard), frozenset(numbers), frozenset(own), seats)


def taken_numbers(connection: Connection, place: Place) -> Sequence[int]:
    """The numbers of the tables of a place that are not over."""
    return [number for (number,) in _NUMBERS.run(connection, place_row(place))]


def _heard(connection: Connection, deliveries: Sequence[str]) -> Sequence[str]:
    """The deliveries among these that are stored."""
    if len(deliveries) == 1:
        return [delivery for (delivery,) in _HEARD_ONE.run(connection, {"delivery": deliveries[0]})]
    return connection.execute(_HEARD, {"deliveries": deliveries}).scalars().all()


def missed_by(connection: Connection, game: GameId, n: int, delivery: str) -> Known | Behind | None:
    """`Known` for a delivery that is stored, `Behind` if the log has more than n entries; else None.

    None for a table that is not stored, whatever the delivery.
    """
    for entries, heard in _MISSED.run(connection, {"game": game, "delivery": delivery or None}):
        if heard:
            return Known()
        return Behind(_tail(connection, game, n)) if entries > n else None
    return None


def _tail(connection: Connection, game: GameId, n: int) -> tuple[Entry, ...]:
    """The entries of a table from n on."""
    return entries_of(game, _TAIL.run(connection, {"of_game": game, "first": n}))


def _is_there(connection: Connection, batch: Batch) -> bool:
    """Whether the log already holds exactly the batch's entries, from the same delivery."""
    rows = entry_rows(batch.listing.game, batch.entries, batch.delivery)
    there = _THERE.run(connection, {"of_game": batch.listing.game, "first": batch.entries[0].n})
    return list(there[: len(rows)]) == [tuple(row.values()) for row in rows]
