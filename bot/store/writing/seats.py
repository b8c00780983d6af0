"""The seats of people at all tables, counted in the transaction in which they take another."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from zlib import crc32

from sqlalchemy import Connection, bindparam, func, select

from bot.model.batches import Batch
from bot.model.ids import GameId, PersonId
from bot.store.schema import GAMES, OVER, SEATS

_SEATING = 0x50B4
"""The first key of the PostgreSQL advisory locks of people who take seats; the second follows from the id."""
_SITTING = (
    select(SEATS.c.person, SEATS.c.game)
    .join_from(SEATS, GAMES, SEATS.c.game == GAMES.c.id)
    .where(SEATS.c.person.in_(bindparam("people", expanding=True)))
    .where(SEATS.c.level.is_(None), GAMES.c.status != OVER)
)


def lock(connection: Connection, works: Iterable[object]) -> None:
    """Keeps other processes, until the end of the transaction, from seating the people whom the batches seat.

    Must be called before any other lock is taken, and takes its locks in one order, so that two processes
    never deadlock.
    """
    if connection.dialect.name == "sqlite":
        return
    people = {person for work in works if isinstance(work, Batch) for person in work.seated}
    for key in sorted({crc32(person.encode()) - 2**31 for person in people}):
        connection.execute(select(func.pg_advisory_xact_lock(_SEATING, key)))


def tables_by_person(
    connection: Connection, people: Collection[PersonId]
) -> Mapping[PersonId, frozenset[GameId]]:
    """The tables that are not over at which people sit; a seat that a computer holds is not counted."""
    tables = defaultdict[PersonId, frozenset[GameId]](frozenset)
    if people:
        for person, game in connection.execute(_SITTING, {"people": sorted(people)}):
            tables[person] |= {game}
    return tables
