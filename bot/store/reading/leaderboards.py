"""Reads leaderboards from a database: from tallies and ratings, which indexes sort.

All statements are prepared: building one takes longer than running it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import (
    BindParameter,
    Column,
    ColumnElement,
    Connection,
    Select,
    and_,
    bindparam,
    false,
    func,
    literal_column,
    or_,
    select,
    true,
    union_all,
)

from bot.model.ids import PersonId
from bot.model.leaderboards import (
    FORM,
    FORM_IN,
    Leaderboard,
    LeaderboardLine,
    LeaderboardOrder,
    LeaderboardPage,
)
from bot.ratings import Rating
from bot.store.connections.prepared import Prepared
from bot.store.connections.slots import SLOTS, in_slots, number_value, slot_values
from bot.store.schema import GAINED, PEOPLE, RATINGS, RESULTS, TALLIES

LARGE = 1000
"""The fewest people of a large scope.

A leaderboard by rating of such a scope is read from all ratings, the best first, and skips people outside the
scope: that takes less time than to sort the ratings of the people in it.
"""
HIDDEN = select(PEOPLE.c.id).where(literal_column("hidden"))
"""The ids of hidden people; the condition is spelled as in their small index, so that SQLite uses it."""


class _Kind(NamedTuple):
    """The facts of a leaderboard that decide how its lines are selected."""

    is_by_rating: bool
    """Whether it ranks by the rating itself: `Leaderboard.is_by_rating`."""
    has_scope: bool
    order: LeaderboardOrder
    alone: bool
    """`Leaderboard.counts_alone`."""


class _Statements(NamedTuple):
    """The statements of a leaderboard: its lines, one person's line, the number before it, last games."""

    listed: Prepared
    line_of_one: Prepared
    count_before: Prepared
    last_games: Prepared
    listed_of_many: Prepared | None
    """As ``listed``, for a scope of `LARGE` people or more that is ranked by the rating itself."""
    count_before_of_many: Prepared | None
    """As ``count_before``, for such a scope."""


_TALLIED = tuple(TALLIES.c[name] for name in ("person", "games", "wins", "gained"))
"""The columns of a line that is ranked by tallies."""
_RATED = tuple(RATINGS.c[name] for name in ("person", "games", "mu", "sigma", "changed", "shown"))
"""The columns of a line that is ranked by the rating itself."""


_IN_SCOPE = (
    TALLIES.c.scope == bindparam("of_scope"),
    TALLIES.c.period == bindparam("of_period"),
    TALLIES.c.key == bindparam("of_key"),
)
_SOME = Prepared(
    select(TALLIES.c.person)
    .where(*_IN_SCOPE, TALLIES.c.alone.is_(false()))
    .limit(number_value("most"))
    # To a limit without an offset SQLAlchemy adds one for SQLite, as a parameter of its own.
    .offset(literal_column("0"))
)
"""Selects at most ``most`` people of a scope, to find out whether the scope has so many."""
_NAMES = Prepared(select(PEOPLE.c.id, PEOPLE.c.name).where(in_slots(PEOPLE.c.id)))
"""Selects the names of people."""
_IS_HIDDEN = Prepared(HIDDEN.where(PEOPLE.c.id == bindparam("of_person")))
"""Selects a person if they are hidden."""
# With a list of people SQLite would read the whole scope.
_COUNTS = Prepared(
    union_all(
        *(
            select(TALLIES.c.person, TALLIES.c.games, TALLIES.c.wins).where(
                *_IN_SCOPE, TALLIES.c.person == bindparam(f"one{n}"), TALLIES.c.alone.is_(false())
            )
            for n in range(SLOTS)
        )
    )
)
"""Selects the games and wins of people in a scope."""


def leaderboard_rows(
    leaderboard: Leaderboard, reader: PersonId, first: int, count: int
) -> Callable[[Connection], LeaderboardPage]:
    """A function that reads the lines of a leaderboard from ``first`` on, and the reader's line."""
    kind = _Kind(
        leaderboard.is_by_rating, bool(leaderboard.scope), leaderboard.order, leaderboard.counts_alone
    )
    statements = _statements(kind, bool(leaderboard.key))
    return lambda connection: _read_page(connection, kind, statements, leaderboard, reader, first, count)


@cache
def _statements(kind: _Kind, of_a_game: bool) -> _Statements:
    may_be_large = kind.is_by_rating and kind.has_scope
    return _Statements(
        listed=_listed(kind),
        line_of_one=_line_of_one(kind),
        count_before=_count_before(kind),
        last_games=_last_games(kind.alone, of_a_game),
        listed_of_many=_listed_of_many() if may_be_large else None,
        count_before_of_many=_count_before_of_many() if may_be_large else None,
    )


def _read_page(
    connection: Connection,
    kind: _Kind,
    statements: _Statements,
    leaderboard: Leaderboard,
    reader: PersonId,
    first: int,
    count: int,
) -> LeaderboardPage:
    scope = {"of_scope": leaderboard.scope, "of_period": leaderboard.period, "of_key": leaderboard.key}
    listed, count_before = statements.listed, statements.count_before
    if (of_many := statements.listed_of_many) and len(
        _SOME.run(connection, {**scope, "most": LARGE})
    ) == LARGE:
        listed, count_before = of_many, statements.count_before_of_many or count_before
    found = listed.run(connection, {**scope, "skip": first, "most": count + 1})
    rows = list(found[:count])
    ranks = {row[0]: first + n for n, row in enumerate(rows, 1)}
    if reader and reader not in ranks and not _IS_HIDDEN.run(connection, {"of_person": reader}):
        for row in statements.line_of_one.run(connection, {**scope, "of_person": reader}):
            ((before,),) = count_before.run(connection, {**scope, **_sorted_by(kind, row)})
            ranks[reader] = 1 + before
            rows.append(row)
    lines = _lines(connection, statements.last_games, leaderboard, rows, ranks)
    shown = tuple(lines[row[0]] for row in found[:count])
    return LeaderboardPage(shown, lines.get(reader) if reader else None, len(found) > count)


def _columns(kind: _Kind) -> Sequence[Column[Any]]:
    return _RATED if kind.is_by_rating else _TALLIED


def _select(kind: _Kind) -> Select[Any]:
    """Selects the lines of a leaderboard, unsorted, those of hidden people too."""
    tallied = (*_IN_SCOPE, TALLIES.c.alone.is_(true() if kind.alone else false()))
    if not kind.is_by_rating:
        conditions = (GAINED,) if kind.order == "rating" else ()
        return select(*_TALLIED).where(*tallied, *conditions)
    rated = select(*_RATED).where(RATINGS.c.key == bindparam("of_key"))
    if not kind.has_scope:
        return rated
    return rated.join(TALLIES, TALLIES.c.person == RATINGS.c.person).where(*tallied)


def _order(kind: _Kind) -> Sequence[tuple[Column[Any], bool]]:
    """The columns by which a leaderboard is sorted, and whether the highest value of each is first."""
    if kind.is_by_rating:
        return (RATINGS.c.shown, True), (RATINGS.c.person, False)
    if kind.order == "wins":
        return (TALLIES.c.wins, True), (TALLIES.c.games, False), (TALLIES.c.person, False)
    highest = TALLIES.c.gained if kind.order == "rating" else TALLIES.c.games
    return (highest, True), (TALLIES.c.person, False)


@cache
def _listed(kind: _Kind) -> Prepared:
    """Selects ``most`` lines of a leaderboard in order, after the first ``skip``."""
    sorting = [column.desc() if falls else column.asc() for column, falls in _order(kind)]
    people, *_ = _columns(kind)
    listed = _select(kind).where(people.not_in(HIDDEN)).order_by(*sorting)
    return Prepared(listed.limit(number_value("most")).offset(number_value("skip")))


@cache
def _listed_of_many() -> Prepared:
    """Selects lines of a large scope by rating: reads its game's best ratings, skips people outside it."""
    counted = select(TALLIES.c.games).where(*_IN_SCOPE, TALLIES.c.alone.is_(false()))
    one = counted.where(TALLIES.c.person == RATINGS.c.person).limit(literal_column("1"))
    # PostgreSQL would turn EXISTS into a join: its plan, made for any scope, takes a large one for small.
    is_in_scope = one.offset(literal_column("0")).scalar_subquery().is_not(None)
    rated = select(*_RATED).where(RATINGS.c.key == bindparam("of_key"), is_in_scope)
    listed = rated.where(RATINGS.c.person.not_in(HIDDEN)).order_by(RATINGS.c.shown.desc(), RATINGS.c.person)
    return Prepared(listed.limit(number_value("most")).offset(number_value("skip")))


@cache
def _line_of_one(kind: _Kind) -> Prepared:
    """Selects the line of one person."""
    people, *_ = _columns(kind)
    return Prepared(_select(kind).where(people == bindparam("of_person")))


@cache
def _count_before(kind: _Kind) -> Prepared:
    """Counts the lines before a line with the values of `_sorted_by`."""
    people, *_ = _columns(kind)
    ahead_of = _select(kind).where(_before(kind), people.not_in(HIDDEN))
    if not (kind.is_by_rating and kind.has_scope):
        # For a scope by rating, the database would read this range in the ratings of all people.
        ahead_of = ahead_of.where(_in_range(kind))
    return Prepared(ahead_of.with_only_columns(func.count()))


@cache
def _count_before_of_many() -> Prepared:
    """As `_count_before`, for a large scope: reads all better ratings, and counts those in the scope."""
    kind = _Kind(is_by_rating=True, has_scope=False, order="rating", alone=False)
    scope = select(TALLIES.c.person).where(*_IN_SCOPE, TALLIES.c.alone.is_(false()))
    # The comparison keeps PostgreSQL from a join: see `_listed_of_many`.
    is_in_scope = RATINGS.c.person.in_(scope).is_(true())
    ahead_of = _select(kind).where(
        _before(kind), _in_range(kind), RATINGS.c.person.not_in(HIDDEN), is_in_scope
    )
    return Prepared(ahead_of.with_only_columns(func.count()))


def _before(kind: _Kind) -> ColumnElement[bool]:
    """The condition that a line is before a line with the values of `_sorted_by`."""
    before: ColumnElement[bool] = false()
    for column, falls in reversed(_order(kind)):
        value = _own_value(column)
        ahead = column > value if falls else column < value
        before = or_(ahead, and_(column == value, before))
    return before


def _in_range(kind: _Kind) -> ColumnElement[bool]:
    """A condition on the first column alone that `_before` implies: an index finds its range."""
    (top, _), *_ = _order(kind)
    return top >= _own_value(top)


def _own_value(column: Column[Any]) -> BindParameter[Any]:
    """The parameter for the value of a column that `_sorted_by` gives."""
    return bindparam(f"mine_{column.name}", type_=column.type)


def _sorted_by(kind: _Kind, row: Sequence[Any]) -> Mapping[str, Any]:
    """The values of a line by which its leaderboard is sorted."""
    values = dict(zip(_columns(kind), row, strict=True))
    return {f"mine_{column.name}": values[column] for column, _ in _order(kind)}


def _lines(
    connection: Connection,
    last_games: Prepared,
    leaderboard: Leaderboard,
    rows: Sequence[Sequence[Any]],
    ranks: Mapping[PersonId, int],
) -> Mapping[PersonId, LeaderboardLine]:
    """The lines of rows, by the ids of the people."""
    if not rows:
        return {}
    people = [row[0] for row in rows]
    names = names_of(connection, people)
    form = _form(connection, last_games, leaderboard, people)
    if not leaderboard.is_by_rating:
        return {
            person: LeaderboardLine(
                ranks[person], person, names.get(person, ""), games, wins, gained, None, form.get(person, ())
            )
            for person, games, wins, gained in rows
        }
    scope = {"of_scope": leaderboard.scope, "of_period": "", "of_key": leaderboard.key}
    counted = _COUNTS.run(connection, {**scope, **slot_values(people)})
    counts = {person: (games, wins) for person, games, wins in counted}
    lines = {}
    for person, rated, mu, sigma, changed, _ in rows:
        games, wins = counts.get(person, (0, 0))
        rating = Rating(mu, sigma, rated, changed)
        name, won = names.get(person, ""), form.get(person, ())
        lines[person] = LeaderboardLine(ranks[person], person, name, games, wins, 0, rating, won)
    return lines


def names_of(connection: Connection, people: Iterable[PersonId]) -> Mapping[PersonId, str]:
    """The names of at most `SLOTS` people by their ids; without those who are unknown."""
    return dict(tuple(row) for row in _NAMES.run(connection, slot_values(people)))


@cache
def _last_games(alone: bool, of_a_game: bool) -> Prepared:
    """Selects whether people won their last `FORM` games of a kind; searches the last `FORM_IN` of each."""
    parts = []
    for n in range(SLOTS):
        last = (
            select(RESULTS.c.person, RESULTS.c.won, RESULTS.c.ended, RESULTS.c.counts, RESULTS.c.alone,
                   RESULTS.c.key)
            .where(RESULTS.c.person == bindparam(f"one{n}"))
            .order_by(RESULTS.c.ended.desc())
            .limit(literal_column(str(FORM_IN)))
            .offset(literal_column("0"))
            .subquery("last")
        )  # fmt: skip
        fits: list[ColumnElement[bool]] = [
            last.c.counts.is_(true()),
            last.c.alone.is_(true() if alone else false()),
        ]
        if of_a_game:
            fits.append(last.c.key == bindparam("of_key"))
        counted = select(last.c.person, last.c.won, last.c.ended).where(*fits).order_by(last.c.ended.desc())
        shown = counted.limit(literal_column(str(FORM))).offset(literal_column("0"))
        parts.append(select(shown.subquery("shown")))
    return Prepared(union_all(*parts))


def _form(
    connection: Connection, last_games: Prepared, leaderboard: Leaderboard, people: Sequence[PersonId]
) -> Mapping[PersonId, tuple[bool, ...]]:
    """Whether people won each of their last games of a leaderboard's kind, the latest at the end."""
    form: dict[PersonId, list[tuple[float, bool]]] = {}
    for person, won, ended in last_games.run(connection, {"of_key": leaderboard.key, **slot_values(people)}):
        form.setdefault(person, []).append((ended, bool(won)))
    return {person: tuple(won for _, won in sorted(games)) for person, games in form.items()}


_MOST_WINS = Prepared(
    union_all(
        *(
            select(
                select(TALLIES.c.wins, TALLIES.c.key)
                .where(TALLIES.c.scope == bindparam("of_scope"), TALLIES.c.period == literal_column("''"))
                .where(TALLIES.c.key == bindparam(f"one{n}"), TALLIES.c.alone.is_(false()))
                .order_by(TALLIES.c.wins.desc())
                .limit(literal_column("1"))
                .offset(literal_column("0"))
                .subquery("most")
            )
            for n in range(SLOTS)
        )
    )
)
"""Selects the most wins of one person in a scope, for each of some games."""


def game_with_most_wins(connection: Connection, scope: str, keys: Sequence[str]) -> str:
    """The game with the most wins of one person in a scope; empty if none was played there."""
    rows = sorted(map(tuple, _MOST_WINS.run(connection, {"of_scope": scope, **slot_values(keys)})))
    return str(rows[-1][1]) if rows else ""
