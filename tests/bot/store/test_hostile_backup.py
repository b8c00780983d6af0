"""A forged backup, whose checksum is right, is refused with a reason, and leaves the store untouched."""

from __future__ import annotations

import asyncio
import gzip
import json
import os
import re
import shutil
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from bot.i18n import Speech
from bot.storage import StoreError
from bot.store.files.backup import backup, restore
from bot.store.files.backup_file import COLUMNS, BackupLimits
from bot.store.schema import TRANSIENT, Base
from engines.game import Text
from tests.bot.store.test_backup import contents, furnished, rewritten

Change = Callable[[list[str]], list[str]]
"""Forges the lines of a backup."""

LIMITS = BackupLimits(line=4000, rows=100, unpacked=100_000, ratio=20, spared=20_000)


def after(table: str) -> Callable[[Sequence[str]], int]:
    """Finds the index of a table's first row among the lines."""
    return lambda lines: next(n for n, line in enumerate(lines) if f'"table":"{table}"' in line) + 1


def cell(table: str, column: str, value: object) -> Change:
    """Replaces a value in the first row of a table."""

    def change(lines: list[str]) -> list[str]:
        n = after(table)(lines)
        row = json.loads(lines[n])
        row[json.loads(lines[n - 1])["columns"].index(column)] = value
        return [*lines[:n], json.dumps(row) + "\n", *lines[n + 1 :]]

    return change


def row(table: str, text: str) -> Change:
    """Replaces the first row of a table by any text."""
    return lambda lines: [*lines[: after(table)(lines)], text + "\n", *lines[after(table)(lines) + 1 :]]


def again(table: str) -> Change:
    """Repeats the first row of a table."""

    def change(lines: list[str]) -> list[str]:
        n = after(table)(lines)
        return [*lines[:n], lines[n], *lines[n:]]

    return change


def said(old: str, new: str) -> Change:
    """Replaces words in all lines."""
    return lambda lines: [line.replace(old, new) for line in lines]


HOSTILE = {
    "a table that no backup has": (said('"table":"person"', '"table":"sqlite_master"'), "no such table"),
    "a table of running processes": (said('"table":"person"', '"table":"lease"'), "no such table"),
    "a table that is a path": (said('"table":"person"', '"table":"../../etc/passwd"'), "no such table"),
    "a table twice": (said('"table":"person"', '"table":"account"'), "comes twice"),
    "a column that no schema has": (said('"careful"', '"careful; DROP TABLE game"'), "other columns"),
    "a column twice": (said('"careful"', '"letters"'), "other columns"),
    "a table without its key": (said('"columns":["id","name"', '"columns":["name"'), "other columns"),
    "a column fewer": (said(',"watch"]', "]"), "at most 11 items"),
    "a revision that is a command": (said('"revision":"0', '"revision":"head:0'), "pattern"),
    "a revision that is a path": (said('"revision":"', '"revision":"../'), "pattern"),
    "a format that is no number": (said('"format":1', '"format":"1"'), "integer"),
    "a head with more in it": (said('"format":1', '"extra":1,"format":1'), "Extra"),
    "a head with a long key": (said('"format":1', f'"{"x" * 3000}":1,"format":1'), 'line 1: "x{38}…: “Extra'),
    "a head with an invisible key": (
        said('"format":1', '"\\u001b[31m\\u202e":1,"format":1'), r'line 1: "\\u001b\[31m\\u202e": “Extra'
    ),
    "a head with a key twice": (said('"format":1', '"format":1,"format":1'), "twice"),
    "a word for a number": (cell("game", "number", "1"), "number: “Input should be a valid integer"),
    "a number for a word": (cell("person", "name", 7), "name: “Input should be a valid string"),
    "a number for a flag": (cell("person", "letters", 1), "letters: “Input should be a valid boolean"),
    "a fraction for a number": (cell("panel", "wanted", 1.5), "wanted: “Input should be a valid integer"),
    "nothing for a word": (cell("person", "name", None), "name: “Input should be a valid string"),
    "a number too large for a database": (cell("game", "entries", 2**31), "entries: “Input should be less"),
    "a number of 3,000 digits": (row("person", f"[{'9' * 3000}]"), "line .*: "),
    "a negative number": (cell("entry", "n", -1), "n: “Input should be greater"),
    "NaN for a time": (said(",1795237492.1234567", ",NaN"), "opened: “Input should be a finite number"),
    "infinity for a time": (cell("game", "opened", float("inf")), "opened: “Input should be a finite number"),
    "a time after the year 9999": (cell("entry", "at", 1e18), "at: “Input should be less"),
    "a status that no table has": (cell("game", "status", "haunted"), "status: “Input should be 'lobby'"),
    "an entry of an unknown kind": (cell("entry", "kind", "sabotage"), "kind: “Input should be"),
    "a seed of another length": (cell("game", "server_seed", "00"), "server_seed: “String should match"),
    "a seed that is no hexadecimal": (cell("game", "server_seed", "zz" * 32), "server_seed: “String should"),
    "an id that is a path": (cell("game", "id", "../../home dir"), "id: “String should match"),
    "a body that is no JSON": (cell("entry", "body", "{"), "body: it isn't valid JSON"),
    "a body that is no object": (cell("entry", "body", "[]"), "body: it isn't a JSON object"),
    "a body with a key twice": (cell("entry", "body", '{"a":1,"a":2}'), "body: a name occurs twice"),
    "a body with NaN": (cell("entry", "body", '{"a":NaN}'), "body: NaN isn't a number"),
    "a body with a huge number": (cell("entry", "body", f'{{"a":{"9" * 99}}}'), "a number is too large"),
    "a body of many lists": (cell("entry", "body", f'{{"a":{"[" * 50 + "]" * 50}}}'), "too deep"),
    "a draft of another shape": (cell("panel", "draft", '[0,"x",0,false]'), "draft: it isn't a draft"),
    "a row of many lists": (row("person", "[" * 3900), "line .*: "),
    "a head of many lists": (lambda lines: ["[" * 3900 + "\n", *lines[1:]], "line 1: .*"),
    "a row that is an object": (row("person", '{"id":"bo"}'), "line .*: "),
    "a row with a value more": (row("person", "[" + ",".join(['"x"'] * 99) + "]"), "line .*: "),
    "rows before any table": (lambda lines: [lines[0], "[]\n", *lines[1:]], "a row of no table"),
    "a row that is no JSON": (row("person", "[1,"), "line .*: "),
    "half of a surrogate pair": (row("person", '["\\ud800","x",null,"rank",true,true,true]'), "line .*: "),
    "words too long": (cell("person", "name", "x" * 2001), "name: “String should have at most"),
    "a line too long": (row("person", f'["{"x" * 5000}"]'), "the line is too long"),
    "too many rows": (lambda lines: [*lines, *[lines[-1]] * 200], "too many rows"),
    "a rating without doubt": (cell("rating", "sigma", 0.0), "sigma: “Input should be greater"),
    "a rating beyond all strength": (cell("rating", "mu", 1e9), "mu: “Input should be less"),
    "a reason that no result has": (cell("result", "unrated", "bribed"), "unrated: “Input should be"),
    "a result of no table": (cell("result", "game", "zz"), "nothing was restored"),
    "a place before the first": (cell("result", "place", 0), "place: “Input should be greater"),
    "an end of no table": (cell("ending", "game", "zz"), "nothing was restored"),
    "a period that is none": (cell("tally", "period", "2026-W4x"), "period: “String should match"),
    "a row twice": (again("person"), "nothing was restored"),
    "a log with a gap": (cell("entry", "n", 9), "nothing was restored: the log"),
    "a log longer than its table says": (cell("game", "entries", 1), "nothing was restored: the log"),
    "an entry of no table": (cell("entry", "game", "zz"), "nothing was restored"),
    "a delivery twice": (cell("entry", "delivery", "d2"), "nothing was restored"),
}  # fmt: skip
"""Changes of a backup, and what the refusal says."""


def append(path: Path, content: bytes) -> None:
    with path.open("ab") as file:
        file.write(content)


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a small store, ``file.db``, and of its backup, ``all.gz``."""
    folder = tmp_path_factory.mktemp("original")

    async def make() -> None:
        await furnished(str(folder / "file.db"))
        await backup(str(folder / "file.db"), folder / "all.gz")

    asyncio.run(make())
    return folder


@pytest.fixture
def file(original: Path, tmp_path: Path) -> Path:
    """A copy of the backup."""
    return Path(shutil.copy(original / "all.gz", tmp_path / "all.gz"))


async def refused(path: Path, reason: str, tmp_path: Path) -> None:
    """Asserts that a file is refused with a reason, and that nothing of it is stored."""
    store = tmp_path / "other.db"
    with pytest.raises(StoreError, match=reason) as refusal:
        await restore(str(store), path, LIMITS)
    assert "Traceback" not in str(refusal.value)
    assert len(str(refusal.value)) < 400
    if store.exists():
        there = await contents(str(store))
        assert [one for one in there if one] == []


@pytest.mark.parametrize(("change", "reason"), HOSTILE.values(), ids=HOSTILE)
async def test_a_forged_backup_is_refused(change: Change, reason: str, file: Path, tmp_path: Path) -> None:
    rewritten(file, lambda lines: [*change(lines[:-1]), lines[-1]], sign=True)
    await refused(file, reason, tmp_path)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("a table that no backup has", "ninguna copia de seguridad tiene esa tabla"),
        ("a body that is no JSON", "body: no es JSON válido"),
        ("a body of many lists", "body: tiene demasiados niveles"),
        ("rows before any table", "una fila sin tabla"),
        ("a word for a number", "number: «Input should be a valid integer»"),
    ],
)
async def test_the_reason_is_in_the_readers_language_but_for_words_of_the_library(
    name: str, reason: str, file: Path, tmp_path: Path
) -> None:
    change, _ = HOSTILE[name]
    rewritten(file, lambda lines: [*change(lines[:-1]), lines[-1]], sign=True)
    with pytest.raises(StoreError) as refusal:
        await restore(str(tmp_path / "other.db"), file, LIMITS)
    assert isinstance(refusal.value.why, Text)
    told = Speech("es")(refusal.value.why)
    assert re.search(r"\(línea \d+: (.*)\)$", told)[1] == reason  # type: ignore[index]


async def test_the_file_is_restored_as_long_as_nobody_changes_it(
    original: Path, file: Path, tmp_path: Path
) -> None:
    rewritten(file, lambda lines: lines, sign=True)
    assert await restore(str(tmp_path / "other.db"), file, LIMITS) > 5
    assert await contents(str(tmp_path / "other.db")) == await contents(str(original / "file.db"))


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        pytest.param(b"", "isn't a backup|damaged", id="nothing"),
        pytest.param(b"not a backup", "isn't a backup", id="text"),
        pytest.param(gzip.compress(b""), "isn't a backup", id="nothing, packed"),
        pytest.param(gzip.compress(b"\xff\xfe\x00"), "line 1: it isn't valid JSON", id="bytes, packed"),
        pytest.param(gzip.compress(b"0" * 10**7), "line 1: the line is too long", id="a bomb of one line"),
        pytest.param(gzip.compress(b"{}\n" * 10**6), "isn't a backup", id="a bomb of many lines"),
        pytest.param(gzip.compress(b"x" * 99)[:-9], "isn't a backup", id="cut short"),
        pytest.param(zlib.compress(b"x" * 99), "isn't a backup", id="packed in another way"),
        pytest.param(gzip.compress(gzip.compress(b"x")), "line 1: it isn't valid JSON", id="packed twice"),
    ],
)
async def test_a_file_that_is_no_backup_is_refused(content: bytes, reason: str, tmp_path: Path) -> None:
    path = tmp_path / "all.gz"
    path.write_bytes(content)
    await refused(path, reason, tmp_path)
    assert not (tmp_path / "other.db").exists()


async def test_a_bomb_of_good_rows_is_refused(file: Path, tmp_path: Path) -> None:
    limits = BackupLimits(ratio=20, spared=20_000)

    def bomb(lines: list[str]) -> list[str]:
        n = after("person")(lines)
        return [*lines[:n], *[lines[n]] * 20_000, *lines[n:]]

    rewritten(file, bomb, sign=True)
    with pytest.raises(StoreError, match="far larger when unpacked"):
        await restore(str(tmp_path / "other.db"), file, limits)
    assert not (tmp_path / "other.db").exists()


async def test_more_after_the_end_is_refused(file: Path, tmp_path: Path) -> None:
    append(file, gzip.compress(b'["more"]\n'))
    await refused(file, "something comes after the end", tmp_path)


@pytest.mark.parametrize("kind", ["folder", "pipe"])
async def test_what_is_no_file_is_refused(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "all.gz"
    if kind == "folder":
        path.mkdir()
    else:
        os.mkfifo(path)
    await refused(path, "isn't a file", tmp_path)


async def test_a_refusal_does_not_repeat_a_seed(file: Path, tmp_path: Path) -> None:
    seed = "5ec2e7" * 10
    rewritten(file, cell("game", "server_seed", seed), sign=True)
    with pytest.raises(StoreError, match="server_seed: ") as refusal:
        await restore(str(tmp_path / "other.db"), file)
    assert seed[:6] not in str(refusal.value)


def test_every_column_of_a_backup_has_a_type() -> None:
    lasting = [table for table in Base.metadata.sorted_tables if table not in TRANSIENT]
    assert {table: set(columns) for table, columns in COLUMNS.items()} == {
        table.name: {column.name for column in table.columns} for table in lasting
    }
