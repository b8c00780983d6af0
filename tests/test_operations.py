"""What docs/operations.md says to type or to look at is there, and does what it says."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path

from prometheus_client.parser import text_string_to_metric_families

from adapters.monitor import Monitor
from bot.model import Place
from bot.store import open_store
from tests.bot.store.tables import Tale, told
from tests.words import ROOT

GUIDE = (ROOT / "docs" / "operations.md").read_text("utf-8")
PURGED = Place("telegram", "-1001234567890")
KEPT = Place("telegram", "-1009")
ROWS = ("game", "entry", "panel")


async def test_the_statements_purge_a_chat_and_no_other(tmp_path: Path) -> None:
    (statements,) = re.findall(r"```sql\n(.*?)```", GUIDE, re.DOTALL)
    file = tmp_path / "tables.db"
    store = await open_store(str(file))
    for game, place in (("a0", PURGED), ("b0", KEPT)):
        tale = Tale(game, place)
        await told(store, tale, tale.opened())
    await store.close()
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA foreign_keys = ON")
        before = {row: _count(connection, row) for row in ROWS}
        assert all(count and count % 2 == 0 for count in before.values())
        connection.executescript(statements)
        assert {row: _count(connection, row) for row in ROWS} == {row: n // 2 for row, n in before.items()}
        assert connection.execute("SELECT chat FROM game").fetchall() == [(KEPT.chat,)]


def _count(connection: sqlite3.Connection, table: str) -> int:
    (count,) = connection.execute(f"SELECT count(*) FROM {table}").fetchone()
    return int(count)


def test_every_metric_is_explained() -> None:
    monitor = Monitor()
    families = text_string_to_metric_families(monitor.exposition().decode())
    names = {one.name for one in families if one.name.startswith("sobremesa_")}
    assert len(names) > 10
    assert {name for name in names if name.removeprefix("sobremesa_") not in GUIDE} == set()


def test_the_example_of_shards_is_one() -> None:
    from adapters.discord.shards import Shards

    words = re.findall(r"`(?:DISCORD_SHARDS=)?(\d+-\d+/\d+)`", GUIDE)
    assert [Shards.parse(one).ids for one in words] == [[0, 1, 2, 3], [4, 5, 6, 7]]
