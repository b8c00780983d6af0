"""Statements that run often: compiled once for each dialect, then passed to the driver as text."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from operator import itemgetter
from typing import Any

from sqlalchemy import ClauseElement, Connection, Dialect, Table
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError

INSERTS: Mapping[str, Callable[[Table], postgresql.Insert | sqlite.Insert]] = {
    "postgresql": postgresql.insert,
    "sqlite": sqlite.insert,
}
"""The INSERT of each dialect that supports ON CONFLICT."""


class Prepared:
    """A statement whose parameters are plain values, which SQLite runs without SQLAlchemy's overhead.

    A statement costs about 40 µs of CPU time in SQLAlchemy, and less than 10 µs in SQLite itself.
    """

    def __init__(self, statement: ClauseElement) -> None:
        self._statement = statement
        self._compiled: dict[str, tuple[str, Callable[[Mapping[str, Any]], tuple[Any, ...]]]] = {}
        """For each dialect, the SQL text, and a function that puts a row of parameters in order."""

    def run(self, connection: Connection, *rows: Mapping[str, Any]) -> Sequence[tuple[Any, ...]]:
        """Runs the statement with each row of parameters; with a single one, returns the rows found.

        Raises the errors that SQLAlchemy would raise.
        """
        dialect = connection.dialect
        text, ordered = self.compiled(dialect)
        values = [ordered(row) for row in rows]
        if dialect.name == "sqlite":
            return _run_in_sqlite(sqlite_driver(connection), text, values)
        result = connection.exec_driver_sql(text, values[0] if len(values) == 1 else values)
        return [tuple(row) for row in result] if result.returns_rows else ()

    def touched(self, connection: Connection, row: Mapping[str, Any]) -> int:
        """Runs the statement with one row of parameters; returns the number of rows that it has changed.

        In SQLite a clause RETURNING would take more CPU time than the rest of a small update.
        """
        dialect = connection.dialect
        text, ordered = self.compiled(dialect)
        if dialect.name == "sqlite":
            return execute_in_sqlite(sqlite_driver(connection), text, ordered(row)).rowcount
        return connection.exec_driver_sql(text, ordered(row)).rowcount

    def compiled(self, dialect: Dialect) -> tuple[str, Callable[[Mapping[str, Any]], tuple[Any, ...]]]:
        """The SQL text for a dialect, and a function that puts a row of parameters in order."""
        return self._compiled.get(dialect.name) or self._compile(dialect)

    def _compile(self, dialect: Dialect) -> tuple[str, Callable[[Mapping[str, Any]], tuple[Any, ...]]]:
        compiled: Any = self._statement.compile(dialect=dialect)
        # SQLAlchemy allows no parameter of an UPDATE to have a column's name: ``new_`` stands before that.
        names = [name.removeprefix("new_") for name in compiled.positiontup]
        ordered = itemgetter(*names) if len(names) > 1 else lambda row: tuple(row[name] for name in names)
        return self._compiled.setdefault(dialect.name, (str(compiled), ordered))


def sqlite_driver(connection: Connection) -> sqlite3.Connection:
    """The driver's connection to SQLite."""
    pooled: Any = connection.connection
    driver: sqlite3.Connection = pooled.dbapi_connection
    return driver


def _run_in_sqlite(
    driver: sqlite3.Connection, text: str, values: Sequence[tuple[Any, ...]]
) -> Sequence[tuple[Any, ...]]:
    """Runs a statement for each row of parameters; raises the errors that SQLAlchemy would raise."""
    try:
        if len(values) == 1:
            return driver.execute(text, values[0]).fetchall()
        driver.executemany(text, values)
    except sqlite3.Error as error:
        raise _as_sqlalchemy(text, error) from error
    return ()


def execute_in_sqlite(driver: sqlite3.Connection, text: str, values: tuple[Any, ...] = ()) -> sqlite3.Cursor:
    """Runs a statement once; raises the errors that SQLAlchemy would raise."""
    try:
        return driver.execute(text, values)
    except sqlite3.Error as error:
        raise _as_sqlalchemy(text, error) from error


def _as_sqlalchemy(text: str, error: sqlite3.Error) -> BaseException:
    return DBAPIError.instance(text, (), error, sqlite3.Error, hide_parameters=True)
