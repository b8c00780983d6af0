"""The ends of games in a database: numbered in order, and settled into results, ratings and tallies.

A transaction that numbers or settles games takes `_lock`, and reads only after that: so it sees all that
other processes have numbered and settled. If it also changes card tables, it locks their rows in `GAMES`
before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import get_args

from sqlalchemy import (
    ColumnElement,
    Connection,
    Integer,
    bindparam,
    delete,
    func,
    insert,
    literal_column,
    select,
    text,
    true,
    tuple_,
    update,
)

from bot.model.ids import GameId, PersonId
from bot.model.places import Place
from bot.model.results import Ending, ScopeKind, scopes_of, tally_scope
from bot.ratings import Rating
from bot.store.connections.prepared import INSERTS, Prepared
from bot.store.rows import rating_row, result_row, values_of
from bot.store.schema import ENDINGS, GAMES, OVER, RATINGS, RESULTS, ROOMS, TALLIES
from bot.store.settling import DAY, Settlement, candidates, day_of, settled

_SETTLING = 0x50B5
"""The key of the PostgreSQL advisory lock that is held while games are numbered and settled."""

_IS_UNSETTLED = text("NOT settled")
"""The condition of the partial index of unsettled games, spelled as there: else SQLite would not use it."""
FIRST_AND_LAST = Prepared(
    select(
        select(func.min(ENDINGS.c.number)).where(_IS_UNSETTLED).scalar_subquery(),
        select(func.max(ENDINGS.c.number)).scalar_subquery(),
    )
)
"""The numbers of the first unsettled game and of the last game; None for one that does not exist."""
BETWEEN = Prepared(
    select(ENDINGS.c.number, ENDINGS.c.game)
    .where(_IS_UNSETTLED, ENDINGS.c.number.between(bindparam("first"), bindparam("last")))
    .order_by(ENDINGS.c.number)
)
"""The unsettled games with numbers from ``first`` to ``last``."""
_LACKING = (
    select(GAMES.c.id)
    .select_from(GAMES.outerjoin(ENDINGS, ENDINGS.c.game == GAMES.c.id))
    .where(GAMES.c.status == OVER, ENDINGS.c.game.is_(None))
    .order_by(GAMES.c.changed, GAMES.c.id)
)
"""The tables that are over and have no number: see `Store.adopt`."""
LACKING = Prepared(_LACKING)
_INSERT_ENDINGS = Prepared(insert(ENDINGS))
_SETTLE = Prepared(update(ENDINGS).where(ENDINGS.c.number == bindparam("at")).values(settled=true()))
_PLACE = Prepared(
    select(GAMES.c.platform, GAMES.c.chat, GAMES.c.thread, ROOMS.c.community, ROOMS.c.channel)
    .select_from(
        GAMES.outerjoin(
            ROOMS,
            (ROOMS.c.platform == GAMES.c.platform)
            & (ROOMS.c.chat == GAMES.c.chat)
            & (ROOMS.c.thread == GAMES.c.thread),
        )
    )
    .where(GAMES.c.id == bindparam("game"))
)
"""Selects the place of a table, with the community and the channel of its room, if that is stored."""
_RATINGS_OF = select(
    RATINGS.c.person, RATINGS.c.mu, RATINGS.c.sigma, RATINGS.c.games, RATINGS.c.changed
).where(RATINGS.c.key == bindparam("of"), RATINGS.c.person.in_(bindparam("people", expanding=True)))
"""Selects the ratings of people in a game."""
_OTHER = RESULTS.alias("other")
_RATED: ColumnElement[str] = literal_column("''")
"""The value of ``unrated`` in the results of a rated game."""
_ON_DAY = Prepared(
    select(_OTHER.c.game, _OTHER.c.person)
    .join_from(RESULTS, _OTHER, _OTHER.c.game == RESULTS.c.game)
    .where(
        RESULTS.c.person == bindparam("one"),
        RESULTS.c.ended >= bindparam("day"),
        RESULTS.c.ended < bindparam("next"),
        RESULTS.c.unrated == _RATED,
        _OTHER.c.unrated == _RATED,
    )
)
"""Selects the people of each rated game that one person has had on a day."""
_INSERT_RESULTS = Prepared(insert(RESULTS))

_IS_DATED = text("period <> ''")
"""The condition of the partial index of tallies, spelled as there: else SQLite would not use it."""
_NEXT_PERIOD = select(func.min(TALLIES.c.period)).where(_IS_DATED, TALLIES.c.period > bindparam("after"))
"""Selects the next month or week that has tallies, in the order of their names."""
_TALLY_KEY = tuple(TALLIES.primary_key.columns)
_PURGE = delete(TALLIES).where(
    tuple_(*_TALLY_KEY).in_(
        select(*_TALLY_KEY)
        .where(_IS_DATED, TALLIES.c.period == bindparam("of_period"))
        .limit(bindparam("most", type_=Integer))
    )
)
"""Deletes at most ``most`` tallies of a period."""


def _rating_upserts() -> dict[str, Prepared]:
    """By dialect, the statement that stores a person's rating in a game in place of an earlier one."""
    prepared = {}
    for dialect, inserting in INSERTS.items():
        new = inserting(RATINGS)
        changes = {name: new.excluded[name] for name in ("mu", "sigma", "games", "changed", "shown")}
        prepared[dialect] = Prepared(
            new.on_conflict_do_update(index_elements=["person", "key"], set_=changes)
        )
    return prepared


def _tally_upserts() -> dict[str, Prepared]:
    """By dialect, the statement that adds to a tally, or begins it."""
    prepared = {}
    for dialect, inserting in INSERTS.items():
        new = inserting(TALLIES)
        sums = {name: TALLIES.c[name] + new.excluded[name] for name in ("games", "wins", "gained")}
        keys = TALLIES.primary_key.columns.keys()
        prepared[dialect] = Prepared(new.on_conflict_do_update(index_elements=keys, set_=sums))
    return prepared


_STORE_RATINGS, _ADD_TALLIES = _rating_upserts(), _tally_upserts()


def end(connection: Connection, endings: Iterable[Ending]) -> None:
    """Numbers games that have ended; settles them too, unless earlier games are unsettled."""
    ordered = sorted(endings, key=lambda ending: (ending.ended, ending.game))
    if not ordered:
        return
    _lock(connection)
    ((unsettled, last),) = FIRST_AND_LAST.run(connection, {})
    numbered = list(enumerate(ordered, (last or 0) + 1))
    rows = [{"number": number, "game": one.game, "settled": unsettled is None} for number, one in numbered]
    _INSERT_ENDINGS.run(connection, *rows)
    for number, ending in numbered if unsettled is None else ():
        _write(connection, number, ending)


def adopt(connection: Connection) -> int:
    """Numbers the tables that are over and have no number, as `Store.adopt` says; returns how many."""
    _lock(connection)
    games = list(connection.execute(_LACKING).scalars())
    ((_, last),) = FIRST_AND_LAST.run(connection, {})
    rows = [
        {"number": number, "game": game, "settled": False}
        for number, game in enumerate(games, (last or 0) + 1)
    ]
    if rows:
        _INSERT_ENDINGS.run(connection, *rows)
    return len(rows)


def settle(connection: Connection, endings: Sequence[tuple[int, Ending | None]]) -> int:
    """Settles these games, as long as each is the first unsettled one; returns how many it settled."""
    _lock(connection)
    ((first, _),) = FIRST_AND_LAST.run(connection, {})
    if first is None:
        return 0
    unsettled = BETWEEN.run(connection, {"first": first, "last": first + len(endings) - 1})
    count = 0
    for (number, _), (wanted, ending) in zip(unsettled, endings, strict=False):
        if number != wanted:
            break
        if ending:
            _write(connection, number, ending)
        _SETTLE.run(connection, {"at": number})
        count += 1
    return count


def unsettle(connection: Connection) -> int:
    """Marks all games unsettled, deletes results, ratings and tallies, and returns the number of games."""
    _lock(connection)
    for rows in (RESULTS, RATINGS, TALLIES):
        connection.execute(delete(rows))
    return connection.execute(update(ENDINGS).values(settled=False)).rowcount


def move(connection: Connection, platform: str, chat: str, new: str) -> None:
    """Gives the results and tallies of a chat its new id."""
    _lock(connection)
    old, moved_to = f"{platform}/{chat}", f"{platform}/{new}"
    here = (RESULTS.c.channel == old,)
    connection.execute(update(RESULTS).where(*here, RESULTS.c.server == old).values(server=moved_to))
    connection.execute(update(RESULTS).where(*here).values(channel=moved_to))
    for kind in get_args(ScopeKind):
        moved = TALLIES.c.scope == tally_scope(kind, old)
        rows = [row._asdict() for row in connection.execute(select(TALLIES).where(moved))]
        if rows:
            connection.execute(delete(TALLIES).where(moved))
            rows = [{**row, "scope": tally_scope(kind, moved_to)} for row in rows]
            _ADD_TALLIES[connection.dialect.name].run(connection, *rows)


def rename(connection: Connection, person: PersonId, alias: PersonId) -> None:
    """Gives the results, ratings and tallies of a person to an alias.

    The alias has some already if a game ended after its log was rewritten: tallies are then added up, and
    the person's rating holds.
    """
    _lock(connection)
    connection.execute(update(RESULTS).where(RESULTS.c.person == person).values(person=alias))
    keys = select(RATINGS.c.key).where(RATINGS.c.person == person)
    connection.execute(delete(RATINGS).where(RATINGS.c.person == alias, RATINGS.c.key.in_(keys)))
    connection.execute(update(RATINGS).where(RATINGS.c.person == person).values(person=alias))
    mine = TALLIES.c.person == person
    rows = [row._asdict() for row in connection.execute(select(TALLIES).where(mine))]
    if rows:
        connection.execute(delete(TALLIES).where(mine))
        _ADD_TALLIES[connection.dialect.name].run(connection, *({**row, "person": alias} for row in rows))


def purge(connection: Connection, month: str, week: str, most: int) -> int:
    """Deletes at most ``most`` tallies of months and weeks before these; returns how many."""
    _lock(connection)
    purged, period = 0, ""
    while purged < most and (found := connection.execute(_NEXT_PERIOD, {"after": period}).scalar()):
        period = str(found)
        if period < (week if "W" in period else month):
            purged += connection.execute(_PURGE, {"of_period": period, "most": most - purged}).rowcount
    return purged


def _lock(connection: Connection) -> None:
    """Lets no other process number or settle games until the transaction ends; SQLite has one writer."""
    if connection.dialect.name != "sqlite":
        connection.execute(select(func.pg_advisory_xact_lock(_SETTLING)))


def _write(connection: Connection, number: int, ending: Ending) -> None:
    """Writes the results, ratings and tallies of a game, if people finished it."""
    if not ending.finishes:
        return
    people = candidates(ending)
    before = _ratings(connection, ending.key, people)
    that_day = _rated_on(connection, ending.ended, people) if people else 0
    done = settled(ending, number, _scopes(connection, ending.game), before, that_day)
    _INSERT_RESULTS.run(connection, *map(result_row, done.results))
    _write_ratings_and_tallies(connection, ending.key, done)


def _write_ratings_and_tallies(connection: Connection, key: str, done: Settlement) -> None:
    """Stores the new ratings of a settled game, and adds to its tallies."""
    dialect = connection.dialect.name
    if done.ratings:
        _STORE_RATINGS[dialect].run(
            connection, *(rating_row(*one, key) for one in sorted(done.ratings.items()))
        )
    if done.tallies:
        _ADD_TALLIES[dialect].run(connection, *map(values_of, done.tallies))


def _scopes(connection: Connection, game: GameId) -> tuple[str, str]:
    """The channel and the server of a table's results."""
    ((platform, chat, thread, community, channel),) = _PLACE.run(connection, {"game": game})
    return scopes_of(Place(platform, chat, thread), community or "", channel or "")


def _ratings(connection: Connection, key: str, people: Sequence[PersonId]) -> Mapping[PersonId, Rating]:
    """The ratings of people in a game, without those who have none."""
    if not people:
        return {}
    rows = connection.execute(_RATINGS_OF, {"of": key, "people": people})
    return {person: Rating(mu, sigma, games, changed) for person, mu, sigma, games, changed in rows}


def _rated_on(connection: Connection, ended: float, people: Sequence[PersonId]) -> int:
    """The number of rated games that exactly these people have had on the day of a time (UTC)."""
    day = day_of(ended)
    games: dict[GameId, set[PersonId]] = {}
    for game, person in _ON_DAY.run(connection, {"one": people[0], "day": day, "next": day + DAY}):
        games.setdefault(game, set()).add(person)
    return Counter(map(frozenset, games.values()))[frozenset(people)]
