"""Appends a group of batches in one transaction: each gets a verdict, then the taken ones are written.

First the tables of the batches are locked, so that no other process changes them meanwhile. The order of the
locks is that of the tables' ids, so that two processes never deadlock.
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
from bot.store.common import SEATING, new_readers
from bot.store.connections.prepared import INSERTS, Prepared
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
from bot.store.writing import endings
from bot.store.writing.seats import tables_by_person

AppendOutcome = BatchVerdict | StoreError
"""A verdict, or an error in its place: the batch begins beyond the end of the log, or the tail of a `Behind`
cannot be read.
"""

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
"""Marks all panels of a table dirty; ``more`` is the number of batches that they must show."""
_IS_STORED = exists().where(ENTRIES.c.delivery == bindparam("delivery"))
"""Whether an entry is stored that a delivery caused."""
_KNOWS_DELIVERY = _IS_STORED.label("is_stored")
_GO_ON = Prepared(
    update(GAMES)
    .where(GAMES.c.id == bindparam("new_id"), GAMES.c.entries == bindparam("first"), ~_IS_STORED)
    .values({name: bindparam(f"new_{name}") for name in ("entries", "changed", "due")})
)
"""Updates a table if its log has a given length and a delivery is not stored.

Sets only columns that change: SQLite rewrites the indexes on all that are set, even to the same values.
"""
_LOCK_GAME = Prepared(
    select(GAMES.c.entries, _KNOWS_DELIVERY).where(GAMES.c.id == bindparam("game")).with_for_update(of=GAMES)
)
"""Locks a table; selects the length of its log, and whether a delivery is stored."""
_LOCK_GAMES = (
    select(GAMES.c.id, GAMES.c.entries)
    .where(GAMES.c.id.in_(bindparam("games", expanding=True)))
    .order_by(GAMES.c.id)
    .with_for_update()
)
"""Locks tables, in the order of their ids; selects the lengths of their logs."""
_STORED_DELIVERIES = select(ENTRIES.c.delivery).where(
    ENTRIES.c.delivery.in_(bindparam("deliveries", expanding=True))
)
"""Selects those of some deliveries that are stored."""
_STORED_DELIVERY = Prepared(select(ENTRIES.c.delivery).where(ENTRIES.c.delivery == bindparam("new_delivery")))
_NUMBERS = Prepared(
    select(GAMES.c.number).where(
        *(GAMES.c[name] == bindparam(f"new_{name}") for name in ("platform", "chat", "thread")),
        GAMES.c.status != OVER,
    )
)
"""Selects the numbers of the tables of a place that are not over."""
_MISSED = Prepared(select(GAMES.c.entries, _KNOWS_DELIVERY).where(GAMES.c.id == bindparam("game")))
"""As `_LOCK_GAME`, without the lock."""
_ENTRIES_FROM = select(ENTRIES).where(
    ENTRIES.c.game == bindparam("of_game"), ENTRIES.c.n >= bindparam("first")
)
_TAIL_ROWS = Prepared(_ENTRIES_FROM.order_by(ENTRIES.c.n))
"""Selects the rows of a table's entries from a number on."""
_TAIL = Prepared(
    _ENTRIES_FROM.with_only_columns(*(ENTRIES.c[name] for name in ENTRY_COLUMNS)).order_by(ENTRIES.c.n)
)
"""As `_TAIL_ROWS`, with the columns of which `entries_of` makes entries."""
_INSERT_GAMES, _INSERT_ENTRIES, _INSERT_SEATS = (Prepared(insert(rows)) for rows in (GAMES, ENTRIES, SEATS))
_DELETE_SEATS = Prepared(delete(SEATS).where(SEATS.c.game == bindparam("of_game")))
_BEGIN_PANELS = {
    dialect: Prepared(inserting(PANELS).on_conflict_do_nothing()) for dialect, inserting in INSERTS.items()
}
"""By dialect, inserts panels unless they exist: a player who joins again has one already."""


@dataclass(frozen=True, slots=True)
class Facts:
    """The facts read from the database on which the verdicts on a group depend."""

    lengths: Mapping[GameId, int]
    """Number of entries in each table's log; without new tables."""
    stored: frozenset[str] = frozenset()
    """Deliveries of the group that are stored already."""
    numbers: frozenset[tuple[Place, int]] = frozenset()
    """Numbers of the tables that are not over, in the places of the new tables."""
    already_written: frozenset[tuple[GameId, int]] = frozenset()
    """Table and number of the first entry of each batch that a commit has stored though it seemed to fail."""
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


def judged(batches: Sequence[Batch], facts: Facts) -> list[AppendOutcome]:
    """The outcome of each batch, if they are stored in this order; `Behind` has no tail yet."""
    lengths, stored, numbers = dict(facts.lengths), set(facts.stored), set(facts.numbers)
    already_written, sitting = set(facts.already_written), dict(facts.sitting)
    outcomes: list[AppendOutcome] = []
    for batch in batches:
        listing, start = batch.listing, batch.entries[0].n
        length, number = lengths.get(listing.game, 0), (listing.place, listing.number)
        outcome: AppendOutcome = Taken()
        if (listing.game, start) in already_written:
            already_written.remove((listing.game, start))
        elif batch.delivery in stored:
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
            stored |= {batch.delivery} - {""}
            numbers |= set() if start else {number}
        outcomes.append(outcome)
    return outcomes


def _full(batch: Batch, sitting: Mapping[PersonId, frozenset[GameId]]) -> PersonId | None:
    """The first person, if any, who takes a seat with a batch and sits at too many tables already."""
    for person in batch.seated:
        if len(sitting.get(person, frozenset()) - {batch.listing.game}) >= batch.most_seats:
            return person
    return None


def _only_goes_on(last: Listing, listing: Listing) -> bool:
    """Whether a table has changed only in what `_GO_ON` updates."""
    return (
        last.status == listing.status
        and last.owner == listing.owner
        and last.seats == listing.seats
        and last.uncounted == listing.uncounted
    )


class Appending:
    """Appends groups of batches; keeps listings in memory, so that only what changes is written."""

    def __init__(self) -> None:
        self._written: OrderedDict[GameId, Listing] = OrderedDict()
        """For each table its listing, as this process last wrote it; the table written last is at the end."""

    def run(
        self, connection: Connection, batches: Sequence[Batch], games: Collection[GameId], again: bool
    ) -> list[AppendOutcome]:
        """Writes the batches that are taken; returns the outcome of each, valid after the commit.

        Also locks the tables ``games``, which other changes of the transaction concern. ``again`` means a
        retry: an earlier commit may have stored these batches although it seemed to fail.
        """
        if len(batches) == 1 and not games and not again and self._go_on(connection, batches[0]):
            return [Taken()]
        order = sorted(range(len(batches)), key=lambda i: (batches[i].listing.game, batches[i].entries[0].n))
        ordered = [batches[i] for i in order]
        facts = _locked_facts(connection, ordered, games, again)
        verdicts = judged(ordered, facts)
        changes: dict[GameId, Change] = {}
        for batch, verdict in zip(ordered, verdicts, strict=True):
            game, start = batch.listing.game, batch.entries[0].n
            if isinstance(verdict, Taken) and (game, start) not in facts.already_written:
                changes.setdefault(game, Change()).batches.append(batch)
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
        last = self._written.get(listing.game)
        if not last or last.entries != n or batch.seated or not _only_goes_on(last, listing):
            return False
        for entry in batch.entries:
            if entry.kind in SEATING:
                # The person who takes the seat may need a panel, which `_write` inserts.
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
        """Remembers the listing of a batch that was taken, after the commit; forgets a table that is over."""
        listing = batch.listing
        if listing.status == "over":
            self._written.pop(listing.game, None)
        elif (last := self._written.get(listing.game)) is None or last.entries < listing.entries:
            self._written[listing.game] = listing
            self._written.move_to_end(listing.game)
            if len(self._written) > REMEMBERED:
                self._written.popitem(last=False)

    def _write(self, connection: Connection, changes: Mapping[GameId, Change]) -> None:
        """Writes the batches that are taken: their tables, entries, seats, endings and panels."""
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
        """Writes the seats of these tables anew, unless they are as this process last wrote them."""
        changed = [
            change.listing
            for game, change in changes.items()
            if (last := self._written.get(game)) is None
            or (last.entries, last.seats) != (change.batches[0].entries[0].n, change.listing.seats)
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


def _locked_facts(
    connection: Connection, batches: Sequence[Batch], games: Collection[GameId], again: bool
) -> Facts:
    """Locks the tables of a group and ``games``, and reads the facts on which the verdicts depend."""
    locked = sorted({batch.listing.game for batch in batches} | set(games))
    deliveries = sorted({batch.delivery for batch in batches} - {""})
    lengths, stored = dict[GameId, int](), list[str]()
    if single := len(locked) == 1 and len(deliveries) <= 1:
        delivery = deliveries[0] if deliveries else None
        for length, is_stored in _LOCK_GAME.run(connection, {"game": locked[0], "delivery": delivery}):
            lengths[locked[0]] = length
            stored += deliveries if is_stored else ()
    else:
        lengths |= {row.id: row.entries for row in connection.execute(_LOCK_GAMES, {"games": locked})}
    # A statement that had to wait for the lock knows the log's new length, but not yet its deliveries.
    has_waited = any(lengths.get(batch.listing.game, 0) != batch.entries[0].n for batch in batches)
    if deliveries and (has_waited or not lengths or not single):
        stored += _stored_deliveries(connection, deliveries)
    places = {batch.listing.place for batch in batches if not batch.entries[0].n}
    numbers = [(place, number) for place in places for number in taken_numbers(connection, place)]
    already_written = [
        (batch.listing.game, batch.entries[0].n)
        for batch in (batches if again else ())
        if _is_written(connection, batch)
    ]
    seats = tables_by_person(connection, {person for batch in batches for person in batch.seated})
    return Facts(lengths, frozenset(stored), frozenset(numbers), frozenset(already_written), seats)


def taken_numbers(connection: Connection, place: Place) -> Sequence[int]:
    """The numbers of the tables of a place that are not over."""
    return [number for (number,) in _NUMBERS.run(connection, place_row(place))]


def _stored_deliveries(connection: Connection, deliveries: Sequence[str]) -> Sequence[str]:
    """The deliveries among these that are stored."""
    if len(deliveries) == 1:
        return [delivery for (delivery,) in _STORED_DELIVERY.run(connection, {"delivery": deliveries[0]})]
    return connection.execute(_STORED_DELIVERIES, {"deliveries": deliveries}).scalars().all()


def missed_by(connection: Connection, game: GameId, n: int, delivery: str) -> Known | Behind | None:
    """`Known` for a delivery that is stored, `Behind` if the log has more than ``n`` entries; else None.

    None for a table that is not stored, whatever the delivery.
    """
    for entries, is_stored in _MISSED.run(connection, {"game": game, "delivery": delivery or None}):
        if is_stored:
            return Known()
        return Behind(_tail(connection, game, n)) if entries > n else None
    return None


def _tail(connection: Connection, game: GameId, n: int) -> tuple[Entry, ...]:
    """The entries of a table from ``n`` on."""
    return entries_of(game, _TAIL.run(connection, {"of_game": game, "first": n}))


def _is_written(connection: Connection, batch: Batch) -> bool:
    """Whether the log already holds exactly the batch's entries, from the same delivery."""
    rows = entry_rows(batch.listing.game, batch.entries, batch.delivery)
    tail = _TAIL_ROWS.run(connection, {"of_game": batch.listing.game, "first": batch.entries[0].n})
    return list(tail[: len(rows)]) == [tuple(row.values()) for row in rows]
