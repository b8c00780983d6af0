"""The bench of open tables: the store that it writes, its moves there, and its figures."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bench import tables as bench
from bench import tables_store
from bot.store import open_store
from engines import games
from tests.support.long import LONG_ONLY

pytestmark = pytest.mark.real


async def moves(path: str, tables: int) -> list[int]:
    """The number of moves in the log of each table."""
    store = await open_store(path)
    logs = [await store.load(tables_store.game_id(n)) for n in range(tables)]
    await store.close()
    return [sum(entry.kind == "move" for entry in stored.entries) for stored in logs if stored]


def test_a_written_store_holds_so_many_tables_after_some_moves(tmp_path: Path) -> None:
    path, tables = str(tmp_path / "tables.db"), len(games()) + 1
    tables_store.write_store(path, tables)
    assert asyncio.run(moves(path, tables)) == [tables_store.PLAYED] * tables


def test_moves_are_made_at_every_table_and_measured(tmp_path: Path) -> None:
    path, tables = str(tmp_path / "tables.db"), len(games())
    tables_store.write_store(path, tables)
    figures = bench.play(path, tables, moves=tables)
    # At each table one move warms up, and one is measured.
    assert asyncio.run(moves(path, tables)) == [tables_store.PLAYED + 2] * tables
    assert min(figures.start_s, figures.move_ms, figures.control_ms, figures.rss_mb) > 0


def test_a_table_at_rest_takes_less_than_a_megabyte(tmp_path: Path) -> None:
    path = str(tmp_path / "tables.db")
    tables_store.write_store(path, 20)
    kilobytes = bench.rest(path, 10)
    assert 0 < kilobytes < 1_000


@LONG_ONLY
def test_the_figures_of_starts_and_moves_are_listed_by_numbers_of_tables() -> None:
    figures = bench.measured([2], [2], moves=2, resting=0)
    assert (list(figures["start_s"]), list(figures["move_ms"])) == (["2"], ["2"])
