"""Statements that run with every move: compiled once for each dialect, then passed to the driver as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import ClauseElement, Connection, CursorResult


class Prepared:
    """A statement whose parameters are plain values; to run it through SQLAlchemy takes twice as long."""

    def __init__(self, statement: ClauseElement) -> None:
        self._statement = statement
        self._compiled: dict[str, tuple[str, tuple[str, ...]]] = {}
        """For each dialect, the SQL text and the names of its parameters in order."""

    def run(self, connection: Connection, *rows: Mapping[str, Any]) -> CursorResult[Any]:
        """Runs the statement for each row of parameters; every row must have all parameters."""
        text, names = self._text(connection)
        values: Sequence[tuple[Any, ...]] = [tuple(row[name] for name in names) for row in rows]
        return connection.exec_driver_sql(text, values[0] if len(values) == 1 else list(values))

    def _text(self, connection: Connection) -> tuple[str, tuple[str, ...]]:
        dialect = connection.dialect
        if dialect.name not in self._compiled:
            compiled: Any = self._statement.compile(dialect=dialect)
            self._compiled[dialect.name] = str(compiled), tuple(compiled.positiontup)
        return self._compiled[dialect.name]
