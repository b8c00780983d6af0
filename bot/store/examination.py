"""Examines a store without changing it: whether it answers, how old its tables are, and what time it has."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Literal

from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection, text

from bot.file_errors import file_error_text, store_error_text
from bot.storage import StoreError
from bot.store.database import FAILURES, alembic, engines, file_of, newest, revision
from bot.store.writer import described
from engines.game import Text
from engines.values import Value

Tables = Literal["none", "older", "current", "newer"]


class StoreState(Value):
    """What an examination of a store has found."""

    has_address: bool = True
    """Whether the setting is an address of a store."""
    failure: Text | str = ""
    """Why the store does not answer, without its address; empty if it does."""
    file: Path | None = None
    """The file of a store that does not answer; None if it is on a server."""
    tables: Tables = "none"
    """The schema, compared with this program's."""
    missing: Path | None = None
    """The file of the store, if the first start must make it."""
    can_be_made: bool = True
    """Whether the program may write into the folder of a missing file."""
    ahead: float | None = None
    """The seconds by which this machine's clock is ahead of the database's; None if they are the same."""


async def examine_store(url: str, now: Callable[[], float]) -> StoreState:
    """Examines the store at an address; ``now`` tells this machine's time."""
    try:
        file = file_of(url)
    except StoreError:
        return StoreState(has_address=False)
    if file and not file.exists():
        folder = next(one for one in file.absolute().parents if one.exists())
        return StoreState(missing=file, can_be_made=folder.is_dir() and os.access(folder, os.W_OK))
    if file and (why := _unopened(file)):
        return StoreState(failure=why, file=file)
    both = engines(url)
    try:
        async with both.reads.connect() as connection:
            tables = await connection.run_sync(_tables)
            ahead = await connection.run_sync(_ahead, now)
        return StoreState(tables=tables, ahead=ahead)
    except FAILURES as error:
        return StoreState(failure=store_error_text(described(error)), file=file)
    finally:
        await both.close()


def _unopened(file: Path) -> Text | str:
    """Why a file that is there can't be opened to be read and written; empty if it can."""
    try:
        with file.open("r+b"):
            return ""
    except OSError as error:
        return file_error_text(error)


def _tables(connection: Connection) -> Tables:
    if (found := revision(connection)) is None:
        return "none"
    if found == newest(connection):
        return "current"
    try:
        ScriptDirectory.from_config(alembic(connection)).get_revision(found)
    except CommandError:
        return "newer"
    return "older"


def _ahead(connection: Connection, now: Callable[[], float]) -> float | None:
    if connection.dialect.name != "postgresql":
        return None
    asked = now()
    told = connection.execute(text("SELECT extract(epoch FROM clock_timestamp())")).scalar_one()
    return (asked + now()) / 2 - float(told)
