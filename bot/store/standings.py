"""The reads of leaderboards and profiles in a database: from tallies and ratings, which indexes sort."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    Select,
    and_,
    case,
    false,
    func,
    literal_column,
    or_,
    select,
    true,
    union_all,
)

from bot.model import PersonId, PlayerResult, Tally
from bot.ratings import Rating
from bot.standings import FORM, FORM_IN, RECENT, RIVALS, Board, BoardPage, Line, Profile, Rival
from bot.store.endings import result_of
from bot.store.schema import PEOPLE, RATINGS, RESULTS, TALLIES

_HIDDEN = select(PEOPLE.c.id).where(literal_column("hidden"))
"""The condition is that of an index, which is small."""
_Key = tuple[Column[Any], bool]
"""A column to sort by, and whether its highest value is first."""


def board_page(connection: Connection, board: Board, reader: PersonId, first: int, count: int) -> BoardPage:
    """The lines of a leaderboard from ``first`` on, and the reader's line."""
    lines, order = _lines(board), _order(board)
    sorting = [column.desc() if falls else column.asc() for column, falls in order]
    listed = lines.where(_person(board).not_in(_HIDDEN)).order_by(*sorting)
    rows = connection.execute(listed.offset(first).limit(count + 1)).all()
    shown = {row.person: first + n for n, row in enumerate(rows[:count], 1)}
    own = [row for row in rows[:count] if row.person == reader]
    found = list(rows[:count])
    if reader and not own:
        mine = connection.execute(lines.where(_person(board) == reader)).first()
        if mine and not connection.execute(_HIDDEN.where(PEOPLE.c.id == reader)).first():
            shown[reader] = 1 + _better(connection, board, order, mine)
            found.append(mine)
    made = _made(connection, board, found, shown)
    return BoardPage(tuple(made[row.person] for row in rows[:count]), made.get(reader), len(rows) > count)


def _person(board: Board) -> ColumnElement[str]:
    return RATINGS.c.person if board.is_by_rating else TALLIES.c.person


def _lines(board: Board) -> Select[Any]:
    """Selects the lines of a leaderboard, neither sorted nor without the hidden people."""
    here = (TALLIES.c.scope == board.scope, TALLIES.c.period == board.period, TALLIES.c.key == board.key)
    # SQLite compares a truth value to a parameter without its index.
    kind = TALLIES.c.alone.is_(true() if board.alone else false())
    if not board.is_by_rating:
        tallies = select(TALLIES.c.person, TALLIES.c.games, TALLIES.c.wins, TALLIES.c.gained)
        more = (TALLIES.c.gained != 0,) if board.order == "rating" else ()
        return tallies.where(*here, kind, *more)
    rated = select(
        RATINGS.c.person, RATINGS.c.mu, RATINGS.c.sigma, RATINGS.c.games, RATINGS.c.changed, RATINGS.c.shown
    ).where(RATINGS.c.key == board.key)
    if not board.scope:
        return rated
    same = and_(TALLIES.c.person == RATINGS.c.person, TALLIES.c.key == RATINGS.c.key)
    return rated.join(TALLIES, same).where(*here, kind)


def _order(board: Board) -> Sequence[_Key]:
    """The columns by which a leaderboard is sorted."""
    if board.is_by_rating:
        return (RATINGS.c.shown, True), (RATINGS.c.person, False)
    person = (TALLIES.c.person, False)
    if board.order == "wins":
        return (TALLIES.c.wins, True), (TALLIES.c.games, False), person
    return (TALLIES.c.gained if board.order == "rating" else TALLIES.c.games, True), person


def _better(connection: Connection, board: Board, order: Sequence[_Key], mine: Any) -> int:
    """How many lines are before one."""
    before: ColumnElement[bool] = false()
    for column, falls in reversed(order):
        value = mine._mapping[column]
        ahead = column > value if falls else column < value
        before = or_(ahead, and_(column == value, before))
    # An index finds the range that the first column allows.
    top, _ = order[0]
    ahead_of = _lines(board).where(top >= mine._mapping[top], before, _person(board).not_in(_HIDDEN))
    return connection.execute(select(func.count()).select_from(ahead_of.subquery())).scalar_one()


def _made(
    connection: Connection, board: Board, rows: Sequence[Any], ranks: Mapping[PersonId, int]
) -> Mapping[PersonId, Line]:
    """The lines of rows, by the ids of the people."""
    people = [row.person for row in rows]
    if not people:
        return {}
    named = connection.execute(select(PEOPLE.c.id, PEOPLE.c.name).where(PEOPLE.c.id.in_(people)))
    names = {row.id: row.name for row in named}
    form = _form(connection, board, people)
    counts = _counts(connection, board, people) if board.is_by_rating else {}
    lines = {}
    for row in rows:
        games, wins = counts.get(row.person, (0, 0)) if board.is_by_rating else (row.games, row.wins)
        lines[row.person] = Line(
            ranks[row.person],
            row.person,
            names.get(row.person, ""),
            games,
            wins,
            0 if board.is_by_rating else row.gained,
            Rating(row.mu, row.sigma, row.games, row.changed) if board.is_by_rating else None,
            form.get(row.person, ()),
        )
    return lines


def _counts(
    connection: Connection, board: Board, people: Sequence[PersonId]
) -> Mapping[PersonId, tuple[int, int]]:
    """The games and wins of rated people."""
    here = (TALLIES.c.scope == board.scope, TALLIES.c.period == "", TALLIES.c.key == board.key)
    counted = select(TALLIES.c.person, TALLIES.c.games, TALLIES.c.wins).where(
        *here, TALLIES.c.person.in_(people), TALLIES.c.alone.is_(false())
    )
    return {person: (games, wins) for person, games, wins in connection.execute(counted)}


def _form(
    connection: Connection, board: Board, people: Sequence[PersonId]
) -> Mapping[PersonId, tuple[bool, ...]]:
    """Whether people won each of their last games of a leaderboard's kind."""
    parts = []
    for person in people:
        last = (
            select(RESULTS).where(RESULTS.c.person == person).order_by(RESULTS.c.ended.desc()).limit(FORM_IN)
        ).subquery()
        fits: list[ColumnElement[bool]] = [
            last.c.counts.is_(true()),
            last.c.alone.is_(true() if board.alone else false()),
        ]
        if board.key:
            fits.append(last.c.key == board.key)
        some = select(last.c.person, last.c.won, last.c.ended).where(*fits)
        parts.append(select(some.order_by(last.c.ended.desc()).limit(FORM).subquery()))
    form: dict[PersonId, list[tuple[float, bool]]] = {}
    for person, won, ended in connection.execute(union_all(*parts)):
        form.setdefault(person, []).append((ended, bool(won)))
    return {person: tuple(won for _, won in sorted(games)) for person, games in form.items()}


def played_most(connection: Connection, scope: str, keys: Sequence[str]) -> str:
    """The game of which a person has won most in a scope; empty if none has been played there."""
    best = [
        select(
            select(TALLIES.c.wins, TALLIES.c.key)
            .where(TALLIES.c.scope == scope, TALLIES.c.period == "", TALLIES.c.key == key)
            .where(TALLIES.c.alone.is_(false()))
            .order_by(TALLIES.c.wins.desc())
            .limit(1)
            .subquery()
        )
        for key in keys
    ]
    rows = sorted(tuple(row) for row in connection.execute(union_all(*best)))
    return str(rows[-1][1]) if rows else ""


def profile(connection: Connection, person: PersonId, reader: PersonId, keys: Sequence[str]) -> Profile:
    """The profile of a person, for a reader who may be the same."""
    everywhere = (TALLIES.c.scope == "", TALLIES.c.period == "", TALLIES.c.key.in_(["", *keys]))
    tallies = connection.execute(select(TALLIES).where(*everywhere, TALLIES.c.person == person))
    rated = select(RATINGS.c.key, RATINGS.c.mu, RATINGS.c.sigma, RATINGS.c.games, RATINGS.c.changed)
    ratings = connection.execute(rated.where(RATINGS.c.person == person))
    last = select(RESULTS).where(RESULTS.c.person == person)
    recent = [
        result_of(row) for row in connection.execute(last.order_by(RESULTS.c.ended.desc()).limit(RECENT))
    ]
    return Profile(
        tuple(
            Tally(
                row.scope, row.period, row.key, row.person, bool(row.alone), row.games, row.wins, row.gained
            )
            for row in tallies
        ),
        {key: Rating(*rating) for key, *rating in ratings},
        tuple(_in_order(result for result in recent if result.counts)),
        _rivals(connection, person, reader),
    )


def _in_order(results: Any) -> list[PlayerResult]:
    return sorted(results, key=lambda result: result.number)


def _rivals(connection: Connection, person: PersonId, reader: PersonId) -> tuple[Rival, ...]:
    """Those whom a person met most often; in another person's profile, that person as the reader's rival."""
    mine, theirs = RESULTS.alias("mine"), RESULTS.alias("theirs")
    met = func.count().label("met")
    compared = (
        select(
            theirs.c.person,
            met,
            func.sum(case((mine.c.place < theirs.c.place, 1), else_=0)),
            func.sum(case((mine.c.place > theirs.c.place, 1), else_=0)),
        )
        .join_from(mine, theirs, and_(theirs.c.game == mine.c.game, theirs.c.person != mine.c.person))
        .where(mine.c.person == reader, mine.c.counts.is_(true()), theirs.c.counts.is_(true()))
        .group_by(theirs.c.person)
    )
    if reader == person:
        compared = compared.where(theirs.c.person.not_in(_HIDDEN)).order_by(met.desc(), theirs.c.person)
    else:
        compared = compared.where(theirs.c.person == person)
    rows = connection.execute(compared.limit(RIVALS)).all()
    named = select(PEOPLE.c.id, PEOPLE.c.name).where(PEOPLE.c.id.in_([row[0] for row in rows]))
    names = {row.id: row.name for row in connection.execute(named)}
    return tuple(Rival(one, names.get(one, ""), *counts) for one, *counts in rows)
