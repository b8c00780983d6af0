"""Reads the profiles of people from a database; all statements are prepared."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import (
    Connection,
    Select,
    and_,
    bindparam,
    case,
    func,
    literal_column,
    select,
    true,
    union_all,
)

from bot.model.ids import PersonId
from bot.model.leaderboards import RECENT, RIVALS, Profile, Rival
from bot.model.results import Tally
from bot.ratings import Rating
from bot.store.connections.prepared import Prepared
from bot.store.connections.slots import SLOTS, slot_values
from bot.store.reading.leaderboards import HIDDEN, names_of
from bot.store.reading.queries import RATINGS_OF
from bot.store.rows import result_of
from bot.store.schema import RESULTS, TALLIES

# One SELECT for each game: with a list of games SQLite would read the whole scope.
_PROFILE_TALLIES = Prepared(
    union_all(
        *(
            select(TALLIES).where(
                TALLIES.c.scope == literal_column("''"),
                TALLIES.c.period == literal_column("''"),
                TALLIES.c.key == bindparam(f"one{n}"),
                TALLIES.c.person == bindparam("of_person"),
            )
            for n in range(SLOTS)
        )
    )
)
"""Selects a person's tallies of all time and everywhere, for several games."""
_RECENT = Prepared(
    select(RESULTS)
    .where(RESULTS.c.person == bindparam("of_person"))
    .order_by(RESULTS.c.ended.desc(), RESULTS.c.number.desc())
    .limit(literal_column(str(RECENT)))
    # For SQLite, SQLAlchemy would add an offset by a parameter of its own.
    .offset(literal_column("0"))
)
"""Selects the results of a person's last `RECENT` games, the latest first."""


def profile(connection: Connection, person: PersonId, reader: PersonId, keys: Sequence[str]) -> Profile:
    """The profile of a person, for a reader who may be that person.

    The tallies are those of the games with these keys and of all games together; all else is of any game.
    """
    tallies = _PROFILE_TALLIES.run(connection, {"of_person": person, **slot_values(["", *keys])})
    ratings = RATINGS_OF.run(connection, {"person": person})
    recent = [result_of(row) for row in reversed(_RECENT.run(connection, {"of_person": person}))]
    return Profile(
        tuple(
            Tally(scope, period, key, who, bool(alone), games, wins, gained)
            for scope, period, key, who, alone, games, wins, gained in tallies
        ),
        {key: Rating(*rating) for key, *rating in ratings},
        tuple(result for result in recent if result.counts),
        _rivals(connection, person, reader),
    )


def _met() -> tuple[Select[Any], Any]:
    """Selects how often a person met each other person, was ahead of them, and was behind them.

    Returns the statement, and its column of the other person.
    """
    mine, theirs = RESULTS.alias("mine"), RESULTS.alias("theirs")
    met = (
        select(
            theirs.c.person,
            func.count(),
            func.sum(case((mine.c.place < theirs.c.place, literal_column("1")), else_=literal_column("0"))),
            func.sum(case((mine.c.place > theirs.c.place, literal_column("1")), else_=literal_column("0"))),
        )
        .join_from(mine, theirs, and_(theirs.c.game == mine.c.game, theirs.c.person != mine.c.person))
        .where(mine.c.person == bindparam("of_person"), mine.c.counts.is_(true()))
        .where(theirs.c.counts.is_(true()))
        .group_by(theirs.c.person)
    )
    return met, theirs.c.person


_MET, _MET_PERSON = _met()
_RIVALS = Prepared(
    # As a condition of the join, this would make PostgreSQL read the results of all people.
    _MET.having(_MET_PERSON.not_in(HIDDEN))
    .order_by(func.count().desc(), _MET_PERSON)
    .limit(literal_column(str(RIVALS)))
    .offset(literal_column("0"))
)
"""Selects the people, none of them hidden, whom a person met most often."""
_RIVAL = Prepared(_MET.where(bindparam("of_other") == _MET_PERSON))
"""Selects one other person whom a person met, hidden or not."""


def _rivals(connection: Connection, person: PersonId, reader: PersonId) -> tuple[Rival, ...]:
    """The people whom a person met most often, and how the person fared against them.

    For another reader, only the person of the profile, and how the reader fared against them.
    """
    query = _RIVALS if reader == person else _RIVAL
    rows = query.run(connection, {"of_person": reader, "of_other": person})
    names = names_of(connection, [row[0] for row in rows])
    return tuple(Rival(other, names.get(other, ""), *counts) for other, *counts in rows)
