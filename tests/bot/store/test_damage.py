"""Damaged pages of an SQLite file: which are found, and how many tables they cost."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Event

import pytest

from bot.store.files.damage import Damage, find_damage, interrupted_after
from tests.bot.store.tables import Tale, told
from tests.bot.store.test_faults import spoil_page
from tests.bot.store.test_sql import opened

AMPLE = 600.0
"""More seconds than any of these examinations takes."""


@contextmanager
def connected(file: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(file)) as connection:
        yield connection


async def filled(file: Path) -> None:
    """Makes a store of three tables; the last entry of the last one has a page of its own."""
    async with opened(str(file)) as store:
        for tale in (Tale("a0"), Tale("between", number=3), Tale("b0", number=2)):
            await told(store, tale, tale.opened())
            await told(store, tale, tale.next("join", person="bo", name=tale.game.ljust(3000, "x")))


def root_of(file: Path, name: str) -> int:
    """The number of the root page of a table or an index."""
    with connected(file) as connection:
        (root,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (name,)).fetchone()
    assert isinstance(root, int)
    return root


def spoil(file: Path, page: int) -> None:
    """Overwrites a page, by its number."""
    pages = bytearray(file.read_bytes())
    size = int.from_bytes(pages[16:18], "big")
    pages[(page - 1) * size : page * size] = b"\xff" * size
    file.write_bytes(pages)


async def test_a_whole_file_has_no_damage(tmp_path: Path) -> None:
    await filled(file := tmp_path / "tables.db")
    with connected(file) as connection:
        assert find_damage(connection, AMPLE) == Damage()


async def test_a_damaged_page_of_a_log_costs_the_tables_on_it(tmp_path: Path) -> None:
    await filled(file := tmp_path / "tables.db")
    spoil_page(file, b"b0".ljust(3000, b"x"))
    with connected(file) as connection:
        assert find_damage(connection, AMPLE) == Damage(("entry",), games=1)


async def test_a_damaged_index_is_found(tmp_path: Path) -> None:
    await filled(file := tmp_path / "tables.db")
    spoil(file, root_of(file, "sqlite_autoindex_tally_1"))
    with connected(file) as connection:
        assert find_damage(connection, AMPLE) == Damage(("tally",))


async def test_where_not_even_the_tables_can_be_listed_the_damage_is_told_all_the_same(
    tmp_path: Path,
) -> None:
    await filled(file := tmp_path / "tables.db")
    for name in ("sqlite_autoindex_game_1", "game"):
        spoil(file, root_of(file, name))
    with connected(file) as connection:
        assert find_damage(connection, AMPLE) == Damage(("game",))


async def test_without_time_nothing_is_read(tmp_path: Path) -> None:
    await filled(file := tmp_path / "tables.db")
    spoil_page(file, b"b0".ljust(3000, b"x"))
    with connected(file) as connection:
        assert find_damage(connection, 0.0) == Damage(is_complete=False)


@pytest.mark.real
async def test_a_statement_that_takes_too_long_is_interrupted() -> None:
    seconds_of_work = (
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 20000000) SELECT sum(i) FROM n"
    )
    with (
        connected(Path(":memory:")) as connection,
        interrupted_after(connection, 0.01),
        pytest.raises(sqlite3.OperationalError, match="interrupted"),
    ):
        connection.execute(seconds_of_work)


def test_what_is_done_in_time_is_not_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[tuple[float | None, bool]] = []

    class Done(Event):
        def wait(self, timeout: float | None = None) -> bool:
            waits.append((timeout, done := super().wait(timeout)))
            return done

    monkeypatch.setattr("bot.store.files.damage.Event", Done)
    with connected(Path(":memory:")) as connection:
        with interrupted_after(connection, AMPLE):
            assert connection.execute("SELECT 1").fetchall() == [(1,)]
        assert connection.execute("SELECT 2").fetchall() == [(2,)]
    # The end of the block has ended the only wait, before its time.
    assert waits == [(AMPLE, True)]
