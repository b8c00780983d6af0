"""What an examination of a store finds, without changing it."""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path

import asyncpg
import pytest

from adapters.shared.clock import AsyncioClock
from bot.store import open_store
from bot.store.connections.file import StoreFile
from bot.store.files.damage import Damage
from bot.store.files.examination import StoreState, examine_store
from engines.game import Text
from tests.bot.store.test_sql import opened

HOUR = 3600.0


def names_in(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


async def test_a_store_in_a_file_has_the_clock_of_this_machine(tmp_path: Path) -> None:
    file = str(tmp_path / "tables.db")
    await (await open_store(file)).close()
    assert await examine_store(file, AsyncioClock().now) == StoreState(
        tables="current", file=Path(file), damage=Damage()
    )


async def test_a_file_of_another_program_stays_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "other.db"
    with closing(sqlite3.connect(file)) as other:
        other.execute("CREATE TABLE card (name)")
    before = file.read_bytes()
    assert (await examine_store(str(file), AsyncioClock().now)).tables == "none"
    assert file.read_bytes() == before
    assert names_in(tmp_path) == [file.name]


async def test_an_empty_file_stays_empty(tmp_path: Path) -> None:
    (file := tmp_path / "tables.db").touch()
    assert (await examine_store(str(file), AsyncioClock().now)).tables == "none"
    assert file.read_bytes() == b""


@pytest.mark.parametrize(("is_kept", "is_served"), [(True, True), (False, False)], ids=["serving", "stopped"])
async def test_of_a_missing_file_it_is_told_whether_a_process_serves_from_it(
    is_kept: bool, is_served: bool, tmp_path: Path
) -> None:
    file = StoreFile(tmp_path / "tables.db")
    file.serve()
    if not is_kept:
        file.release()
    file.path.unlink()
    state = await examine_store(str(file.path), AsyncioClock().now)
    assert state == StoreState(missing=file.path, is_served=is_served)
    file.release()


async def test_a_killed_process_does_not_serve(tmp_path: Path) -> None:
    (tmp_path / "tables.db.lock").touch()
    (tmp_path / "tables.db.serving").write_text("process 1,")
    assert not (await examine_store(str(tmp_path / "tables.db"), AsyncioClock().now)).is_served


async def test_a_folder_that_may_not_be_written_to_is_a_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(file := str(tmp_path / "tables.db")):
        pass
    monkeypatch.setattr(os, "access", lambda path, mode: path != tmp_path)
    state = await examine_store(file, AsyncioClock().now)
    assert (state.failure, state.file) == (Text("the bot may not write to the folder"), Path(file))


async def test_a_folder_that_may_not_be_looked_into_is_a_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path) -> bool:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "exists", refuse)
    file = tmp_path / "tables.db"
    state = await examine_store(str(file), AsyncioClock().now)
    assert state == StoreState(failure=Text("permission denied"), file=file)


@pytest.mark.real
async def test_the_clock_of_postgresql_is_compared(postgres: str) -> None:
    clock = AsyncioClock()
    state = await examine_store(postgres, lambda: clock.now() + HOUR)
    assert (state.tables, state.failure, state.read_only) == ("none", "", False)
    assert state.ahead == pytest.approx(HOUR, abs=5.0)


@pytest.mark.real
@pytest.mark.parametrize("has_tables", [True, False])
async def test_a_user_who_may_not_write_to_postgresql_is_found(
    has_tables: bool,
    new_postgres: Callable[[], Awaitable[str]],
    bare_postgres: Callable[[], Awaitable[str]],
) -> None:
    url = await (new_postgres if has_tables else bare_postgres)()
    connection = await asyncpg.connect(url)
    await connection.execute("DROP ROLE IF EXISTS reader")
    await connection.execute("CREATE ROLE reader LOGIN")
    try:
        address = url.replace("//postgres:", "//reader:", 1)
        assert address != url
        state = await examine_store(address, AsyncioClock().now)
        assert (state.read_only, state.tables, state.failure) == (True, "none", "")
        assert not (await examine_store(url, AsyncioClock().now)).read_only
    finally:
        await connection.execute("DROP ROLE reader")
        await connection.close()


@pytest.mark.real
async def test_a_postgresql_that_is_read_only_is_found(new_postgres: Callable[[], Awaitable[str]]) -> None:
    url = await new_postgres()
    name = url.split("?")[0].rpartition("/")[2]
    connection = await asyncpg.connect(url)
    await connection.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
    try:
        assert (await examine_store(url, AsyncioClock().now)).read_only
    finally:
        await connection.execute(f"ALTER DATABASE {name} RESET default_transaction_read_only")
        await connection.close()


@pytest.mark.real
@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (("/postgres?", "/nowhere?"), "there is no such database"),
        (("//postgres:", "//nobody:"), "the user or the password is wrong"),
        (("host=", "host=/nowhere"), "nothing listens there"),
    ],
)
async def test_why_postgresql_refuses_is_told_in_plain_words(
    change: tuple[str, str], reason: str, postgres: str
) -> None:
    address = postgres.replace(*change, 1)
    assert address != postgres
    assert (await examine_store(address, AsyncioClock().now)).failure == Text(reason)
