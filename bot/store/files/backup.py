"""Writes a store into one file that fits every kind of database, and fills a store from such a file.

The file is gzip over lines of JSON: a head with format and revision, then for each table but the
`TRANSIENT` ones a line with name and columns and its rows, then the number of rows and the SHA-256 of all
lines before. The file is as secret as the store: it holds the seeds of running games, which they need to
go on.
"""

from __future__ import annotations

import gzip
import hashlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from alembic import command
from sqlalchemy import Connection, LargeBinary, MetaData, Table, func, insert, inspect, or_, select

from bot.errors import origin
from bot.file_errors import file_error_text, server_error_text, store_error_text
from bot.storage import StoreError
from bot.store.connections.connection import is_damage
from bot.store.connections.database import FAILURES, alembic, engines_at, file_of, newest, revision, upgrade
from bot.store.files.backup_file import FORMAT, BackupLimits, BackupLine, BackupRow, Columns, Head, read
from bot.store.schema import ENTRIES, GAMES, TRANSIENT, Base
from bot.store.writing.writer import described
from bot.tables.log.commitment import canonical
from engines.game import Text

_CHUNK = 500
"""Rows that are read, or inserted, together."""
_DAMAGED = Text(
    "the database file is damaged, so nothing was saved. The command “doctor” says what is lost, and "
    "docs/operations.md how to save the rest."
)

JsonLine = dict[str, Any] | list[Any]


async def backup(url: str, path: Path) -> int:
    """Writes a snapshot of a store into a new file; returns the number of rows.

    Other processes may write into the store meanwhile. Raises `StoreError` if the file exists
    already or the backup fails; a backup that fails leaves no file.
    """
    engines = engines_at(url, make=False)
    try:
        async with engines.reads.connect() as connection:
            return await connection.run_sync(_write, path)
    except FAILURES as error:
        if is_damage(error):
            # A backup that lacks tables could be taken for a whole one.
            raise StoreError(_DAMAGED) from None
        raise StoreError(Text("the backup failed: {reason}", reason=_reason(url, error))) from None
    finally:
        await engines.close()


async def restore(url: str, path: Path, limits: BackupLimits | None = None) -> int:
    """Fills an empty store from a backup, all or nothing; returns the number of rows.

    Raises `StoreError` if the store is not empty, the file is no complete backup, or the store fails.
    """
    limits = limits or BackupLimits()
    try:
        # Read the whole file before a store is made: it may not be a backup at all.
        for _ in read(path, limits):
            pass
        engines = engines_at(url)
        try:
            return await engines.writes.transact(lambda connection: _fill(connection, path, limits))
        finally:
            await engines.close()
    except StoreError:
        raise
    except FAILURES as error:
        raise StoreError(Text("nothing was restored: {reason}", reason=_reason(url, error))) from None
    except Exception as error:
        # A file that no check foresees is refused all the same.
        raise StoreError(Text("nothing was restored: {reason}", reason=origin(error))) from None


def _reason(url: str, error: Exception) -> Text | str:
    """Why the database at an address has failed; a rare reason in the words of the database."""
    in_words = store_error_text if file_of(url) else server_error_text
    return in_words(described(error))


def _write(connection: Connection, path: Path) -> int:
    """Writes a temporary file, and renames it to ``path`` when it is complete; returns the number of rows.

    Raises `StoreError` if the file cannot be written or is there already, or if the schema is not the newest;
    errors of the database pass.
    """
    if path.exists():
        raise StoreError(Text("there is a file {file} already", file=str(path)))
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        made = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with os.fdopen(made, "wb") as file:
                rows = _pack(connection, file)
                file.flush()
                os.fsync(file.fileno())
            # Windows renames and deletes only files that are closed.
            draft.replace(path)
        finally:
            draft.unlink(missing_ok=True)
    except (ConnectionError, TimeoutError):
        # Of the database, not of the file.
        raise
    except OSError as error:
        # What is missing when a new file cannot be made is its folder.
        is_missing = isinstance(error, FileNotFoundError)
        reason = Text("there is no such folder") if is_missing else file_error_text(error)
        raise StoreError(Text("{file} can't be written: {reason}", file=str(path), reason=reason)) from None
    return rows


def _pack(connection: Connection, file: BinaryIO) -> int:
    """Writes the lines of a backup into a file; returns the number of rows.

    Raises `StoreError` if the schema is not the newest.
    """
    schema_revision = revision(connection)
    if schema_revision != newest(connection):
        raise StoreError(
            Text("this store was not last used by this version of Sobremesa: start the bot once")
        )
    digest, rows = hashlib.sha256(), 0
    with gzip.open(file, "wb", compresslevel=6) as packed:
        for line in _lines(connection, schema_revision):
            data = canonical(line).encode() + b"\n"
            digest.update(data)
            packed.write(data)
            rows += isinstance(line, list)
        packed.write(canonical({"rows": rows, "sha256": digest.hexdigest()}).encode() + b"\n")
    return rows


def _lines(connection: Connection, schema_revision: str | None) -> Iterator[JsonLine]:
    """The lines of a backup but for the last: the head, then the columns and the rows of each table in it."""
    yield {"sobremesa": "backup", "format": FORMAT, "revision": schema_revision}
    for table in Base.metadata.sorted_tables:
        if table in TRANSIENT:
            continue
        yield {"table": table.name, "columns": [column.name for column in table.columns]}
        rows = connection.execution_options(yield_per=_CHUNK).execute(
            select(table).order_by(*table.primary_key)
        )
        for row in rows:
            yield [value.hex() if isinstance(value, bytes) else value for value in row]


def _fill(connection: Connection, path: Path, limits: BackupLimits) -> int:
    """Fills an empty store from a backup; returns the number of rows. Raises `StoreError`."""
    lines = read(path, limits)
    head = next(lines)
    assert isinstance(head, Head)
    _clear(connection)
    # The rows go into the schema of their own revision, and are then migrated with it.
    upgrade(connection, head.revision)
    rows = sum(_insert(connection, table, values) for table, values in _chunks(connection, lines))
    upgrade(connection)
    _check_logs(connection)
    return rows


def _check_logs(connection: Connection) -> None:
    """Raises `StoreError` if a log has gaps, or another length than its table says."""
    stored = select(func.count(), func.max(ENTRIES.c.n)).where(ENTRIES.c.game == GAMES.c.id)
    count, last = (stored.with_only_columns(one).scalar_subquery() for one in stored.selected_columns)
    wrong = select(GAMES.c.id).where(or_(GAMES.c.entries != count, GAMES.c.entries != last + 1)).limit(1)
    if connection.execute(wrong).first():
        raise StoreError(Text("nothing was restored: the log of a table is not as long as the table says"))


def _clear(connection: Connection) -> None:
    """Drops the tables of an empty store. Raises `StoreError` if one that is not `TRANSIENT` has rows."""
    if revision(connection) is None:
        return
    lasting = {table.name for table in Base.metadata.sorted_tables if table not in TRANSIENT}
    for name in lasting & set(inspect(connection).get_table_names()):
        if connection.execute(select(Base.metadata.tables[name]).limit(1)).first():
            raise StoreError(Text("the store is not empty: restore into a new one"))
    command.downgrade(alembic(connection), "base")


def _chunks(connection: Connection, lines: Iterator[BackupLine]) -> Iterator[tuple[Table, list[BackupRow]]]:
    """The rows of each table, at most `_CHUNK` at a time. Raises `StoreError` for unexpected columns."""
    table, chunk = None, list[BackupRow]()
    for line in lines:
        if table is not None and (isinstance(line, Columns) or len(chunk) == _CHUNK):
            yield table, chunk
            chunk = []
        if isinstance(line, Columns):
            table = Table(line.table, MetaData(), autoload_with=connection)
            if tuple(column.name for column in table.columns) != line.columns:
                raise StoreError(Text("nothing was restored: the backup contradicts itself"))
        elif isinstance(line, BackupRow):
            chunk.append(line)
    if table is not None:
        yield table, chunk


def _insert(connection: Connection, table: Table, rows: list[BackupRow]) -> int:
    if not rows:
        return 0
    bytes_in = [isinstance(column.type, LargeBinary) for column in table.columns]
    names = [column.name for column in table.columns]
    connection.execute(
        insert(table),
        [
            {
                name: bytes.fromhex(value) if in_bytes and value is not None else value
                for name, in_bytes, value in zip(names, bytes_in, row.values, strict=True)
            }
            for row in rows
        ],
    )
    return len(rows)
