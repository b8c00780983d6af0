"""What docs/operations.md says to type or to look at is there, and does what it says."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from inspect import signature
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from adapters.discord import answers, sharded_client
from adapters.hosting.monitor import Monitor
from adapters.shared import finding
from adapters.telegram import webhook
from adapters.telegram.rate_limiter import GroupLimits, RateLimiter
from bot.model.places import Place, Room
from bot.model.results import Ending, Finish
from bot.storage import ALIVE, OUTAGES_KEPT
from bot.store import open_store
from bot.store.common import FORGET_PROCESS
from bot.store.connections import database
from bot.store.connections.read_connections import CONNECTIONS
from bot.store.schema import TRANSIENT, Base
from bot.table_service.cache import AT_REST, IN_USE, UNUSED
from bot.tables.turn_clock import Idle
from engines.values import replace
from tests.bot.store.tables import Tale, told
from tests.words import ROOT

GUIDE = (ROOT / "docs" / "operations.md").read_text("utf-8")
PURGED = Place("telegram", "-1001234567890")
KEPT = Place("telegram", "-1009")
IDLE = Idle()
ROWS = ("game", "entry", "seat", "panel", "analysis", "ending", "result", "room", "lease")
OVERALL, _ = signature(RateLimiter).parameters["overall"].default
GROUP, _ = GroupLimits().all


async def test_the_statements_purge_a_chat_and_no_other(tmp_path: Path) -> None:
    (statements,) = re.findall(r"```sql\n(.*?)```", GUIDE, re.DOTALL)
    file = tmp_path / "tables.db"
    store = await open_store(str(file))
    for game, place in (("a0", PURGED), ("b0", KEPT)):
        tale = Tale(game, place)
        await store.save_room(Room(place))
        opening = replace(tale.opened(), keeper="p")
        await store.append(opening)
        tale.follow([opening])
        await told(store, tale, tale.next("join", person="ana", name="Ana"))
        ending = Ending(game, "casino", 1.0, (Finish("ana", 0, 1, 3, True),))
        await store.append(replace(tale.next("end"), ending=ending))
        await store.save_analysis(game, "{}")
    await store.close()
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA foreign_keys = ON")
        before = {row: _count(connection, row) for row in ROWS}
        assert all(count and count % 2 == 0 for count in before.values())
        connection.executescript(statements)
        assert {row: _count(connection, row) for row in ROWS} == {row: n // 2 for row, n in before.items()}
        assert connection.execute("SELECT chat FROM game").fetchall() == [(KEPT.chat,)]


def test_what_has_lost_its_table_is_dropped_from_a_salvaged_file() -> None:
    (named,) = re.findall(r"^for t in (.*); do$", GUIDE, re.MULTILINE)
    tables = (table for table in Base.metadata.sorted_tables if table not in TRANSIENT)
    assert sorted(table.name for table in tables if "game" in table.columns) == named.split()


def _count(connection: sqlite3.Connection, table: str) -> int:
    (count,) = connection.execute(f"SELECT count(*) FROM {table}").fetchone()
    return int(count)


def test_every_metric_is_explained() -> None:
    monitor = Monitor()
    families = text_string_to_metric_families(monitor.exposition().decode())
    names = {family.name for family in families if family.name.startswith("sobremesa_")}
    assert len(names) > 10
    explained = {word.removesuffix("_total") for word in re.findall(r"`(\w+)(?:\{[\w,]+\})?`", GUIDE)}
    assert {name.removeprefix("sobremesa_") for name in names} - explained == set()


def test_the_example_of_shards_is_one() -> None:
    from adapters.discord.shards import Shards

    words = re.findall(r"`(?:DISCORD_SHARDS=)?(\d+-\d+/\d+)`", GUIDE)
    assert [Shards.parse(word).ids for word in words] == [[0, 1, 2, 3], [4, 5, 6, 7]]


@pytest.mark.parametrize(
    "phrase",
    [
        pytest.param(f"is missed after {ALIVE:.0f} seconds", id="beats"),
        pytest.param(f"clocks must agree within {finding._HARMFUL_SECONDS:.0f} seconds", id="clocks"),
        pytest.param(f"{sharded_client._IDENTIFY_PAUSE} seconds apart over all processes", id="identify"),
        pytest.param(f"closed after {IDLE.lobby / 60:.0f} minutes", id="lobbies"),
        pytest.param(
            f"after {IDLE.live / 3600:.0f} hours, without a clock after {IDLE.unclocked / 86_400:.0f} days,"
            f" with a clock of days after {IDLE.correspondence / 86_400:.0f} days",
            id="games",
        ),
        pytest.param(f"credited | {OUTAGES_KEPT / 86_400:.0f} days", id="outages"),
        pytest.param(
            "an hour after the last sign of life" if FORGET_PROCESS == 3600 else "?", id="processes"
        ),
        pytest.param(f"at most {IN_USE / 1e6:.0f} MB a process", id="memory in use"),
        pytest.param(f"used in the last {UNUSED / 60:.0f} minutes", id="unused"),
        pytest.param(f"at most {AT_REST / 1e6:.0f} MB for those at rest", id="memory at rest"),
        pytest.param(
            f"one connection to write and up to {CONNECTIONS + database._MOST_LONG_READS} to read",
            id="connections",
        ),
        pytest.param(f"Telegram: {webhook._MOST_AT_ONCE} connections to a web hook", id="requests"),
        pytest.param(f"Telegram: {OVERALL} messages a second for one bot", id="overall"),
        pytest.param(f"edits counted, {GROUP} a minute in a group", id="group"),
        pytest.param(f"the token of a press in the last {answers.TOKEN_LIFE / 60:.0f} minutes", id="tokens"),
    ],
)
def test_a_figure_is_that_of_the_code(phrase: str) -> None:
    assert phrase in " ".join(GUIDE.split())
