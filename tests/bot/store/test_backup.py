"""A backup holds a store without its processes in one file; a restore is complete, or changes nothing."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.i18n import Speech
from bot.model.ids import PUBLIC
from bot.model.panels import Draft, PanelRecord
from bot.model.people import Account, Person
from bot.model.places import Room
from bot.model.results import Ending, Finish
from bot.settings.choices import LANGUAGES, Language
from bot.storage import Store, StoreError
from bot.store import open_store
from bot.store.files.backup import backup, restore
from bot.table_service.stored import batch
from bot.tables.endings import ending_of
from engines.game import Text
from engines.values import replace
from tests.bot.store.tables import CHAT, Tale, played, told
from tests.bot.store.test_faults import with_a_damaged_table
from tests.bot.store.test_results import tallies
from tests.support.stores import live_tables, unsent_panels

SEED = b"\x00\xff" * 16


async def furnished(url: str) -> Tale:
    """Fills a new store with rows in every table of a backup; the tale of its open game."""
    store, tale = await open_store(url), Tale(at=1795237492.1234567)
    await store.mark_dirty(PanelRecord("a0", PUBLIC, draft=Draft(1, ("lay", "7S"))))
    await store.mark_dirty(PanelRecord("a0", "zoe", watch="on"))
    await told(store, tale, tale.opened("d1", SEED))
    await told(store, tale, tale.next("join", "computer", person="bo", name="Bó ♥\x01\n", delivery="d2"))
    over = Tale("b0", number=2)
    await told(store, over, over.opened(words="ñ"))
    await told(store, over, over.next("join", person="bo"))
    finishes = (Finish("ana", 0, 2, 1, False), Finish("bo", 1, 1, 3, True))
    ending = Ending("b0", "casino", 1000.0, finishes)
    await told(store, over, replace(over.next("end", scores=[3]), ending=ending))
    await store.save_analysis("b0", '{"format": 1, "judged": ["ñ"]}')
    await store.save_room(Room(CHAT, "club", language="es", barred=("eve",), wishes=("ana", "bo")))
    await store.save_person(Person("bo", "Bó", letters=True))
    await store.save_account(Account("telegram", "1", "bo", True))
    await store.close()
    return tale


async def contents(url: str) -> list[object]:
    store: Store = await open_store(url)
    found: list[object] = [await store.load("a0"), await store.load("b0"), await store.room(CHAT)]
    found += [await store.person("bo"), await store.account("telegram", "1"), *await unsent_panels(store)]
    found += [await store.analysis("b0"), await store.analysis("a0")]
    found += [await store.results("b0"), await store.ratings("bo"), sorted(map(str, await tallies(store)))]
    await store.close()
    return found


def names_in(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


def rewritten(path: Path, change: Callable[[list[str]], list[str]], *, sign: bool) -> None:
    """Changes the lines of a backup file; with `sign`, also renews its count of rows and its checksum."""
    *lines, closing = change(gzip.decompress(path.read_bytes()).decode().splitlines(keepends=True))
    if sign:
        rows = sum(line.startswith("[") for line in lines)
        digest = hashlib.sha256("".join(lines).encode()).hexdigest()
        closing = json.dumps({"rows": rows, "sha256": digest}) + "\n"
    path.write_bytes(gzip.compress("".join([*lines, closing]).encode()))


async def test_a_store_comes_back_from_its_backup(database: str, tmp_path: Path) -> None:
    tale = await furnished(database)
    there = await contents(database)
    assert Person("bo", "Bó", letters=True) in there
    written = await backup(database, tmp_path / "all.gz")
    other = str(tmp_path / "other.db")
    assert await restore(other, tmp_path / "all.gz") == written
    assert await contents(other) == there
    store = await open_store(other)
    await told(store, tale, tale.next("start"))
    await store.close()


async def test_ratings_go_on_from_a_backup(tmp_path: Path) -> None:
    await furnished(str(tmp_path / "file.db"))
    await backup(str(tmp_path / "file.db"), tmp_path / "all.gz")
    await restore(str(tmp_path / "other.db"), tmp_path / "all.gz")
    found = []
    for name in ("file.db", "other.db"):
        store = await open_store(str(tmp_path / name))
        game = replace(played(2000.0, 3), id="c0")
        await store.append(replace(batch(game, 0), ending=ending_of(game)))
        found.append((await store.results("c0"), await store.ratings("bo")))
        await store.close()
    assert found[0] == found[1]
    assert found[0][0][0].number == 2
    assert found[0][1]["casino"].games == 2


async def test_a_store_moves_from_a_file_to_any_database(database: str, tmp_path: Path) -> None:
    file = str(tmp_path / "file.db")
    await furnished(file)
    await backup(file, tmp_path / "all.gz")
    await (await open_store(database)).close()
    await restore(database, tmp_path / "all.gz")
    assert await contents(database) == await contents(file)
    await backup(database, tmp_path / "again.gz")
    assert gzip.decompress((tmp_path / "again.gz").read_bytes()) == gzip.decompress(
        (tmp_path / "all.gz").read_bytes()
    )


async def test_a_backup_is_of_one_instant_while_others_write(database: str, tmp_path: Path) -> None:
    store, tale = await open_store(database), Tale()
    await told(store, tale, tale.opened())

    async def play() -> None:
        for _ in range(40):
            await told(store, tale, tale.next("move", "move"))

    await asyncio.gather(play(), backup(database, tmp_path / "all.gz"))
    await store.close()
    await restore(str(tmp_path / "other.db"), tmp_path / "all.gz")
    other = await open_store(str(tmp_path / "other.db"))
    stored = await other.load("a0")
    await other.close()
    assert stored is not None
    assert stored.listing.entries == len(stored.entries)


async def test_a_store_that_is_not_empty_is_left_alone(database: str, tmp_path: Path) -> None:
    await furnished(database)
    there = await contents(database)
    await backup(database, tmp_path / "all.gz")
    with pytest.raises(StoreError, match="not empty"):
        await restore(database, tmp_path / "all.gz")
    assert await contents(database) == there


@pytest.mark.parametrize("kept", [0, 1, 15, 200, -1])
async def test_a_backup_cut_short_is_refused(kept: int, tmp_path: Path) -> None:
    path = tmp_path / "all.gz"
    await furnished(str(tmp_path / "file.db"))
    await backup(str(tmp_path / "file.db"), path)
    path.write_bytes(path.read_bytes()[:kept])
    with pytest.raises(StoreError, match=r"backup|damaged"):
        await restore(str(tmp_path / "other.db"), path)
    assert not (tmp_path / "other.db").exists()


@pytest.mark.parametrize(
    ("said", "sign", "change"),
    [
        pytest.param(
            "damaged",
            False,
            lambda lines: [line.replace("ana", "eve") for line in lines],
            id="a word changed",
        ),
        pytest.param("damaged", False, lambda lines: [*lines[:-3], *lines[-1:]], id="two rows missing"),
        pytest.param("damaged", False, lambda lines: lines[:-1], id="no end"),
        pytest.param(
            "newer",
            True,
            lambda lines: [lines[0].replace('"format":1', '"format":2'), *lines[1:]],
            id="another format",
        ),
        pytest.param(
            "newer", True, lambda lines: [lines[0].replace("0025", "9999"), *lines[1:]], id="another schema"
        ),
        pytest.param(
            "isn't a backup",
            True,
            lambda lines: [lines[0].replace("backup", "record"), *lines[1:]],
            id="another purpose",
        ),
        pytest.param("isn't a backup", True, lambda lines: lines[-1:], id="nothing"),
    ],
)
async def test_a_backup_that_is_not_whole_and_ours_is_refused(
    said: str, sign: bool, change: Callable[[list[str]], list[str]], tmp_path: Path
) -> None:
    path = tmp_path / "all.gz"
    await furnished(str(tmp_path / "file.db"))
    await backup(str(tmp_path / "file.db"), path)
    rewritten(path, change, sign=sign)
    with pytest.raises(StoreError, match=said):
        await restore(str(tmp_path / "other.db"), path)


async def test_a_backup_that_fails_halfway_restores_nothing(bare_database: str, tmp_path: Path) -> None:
    path, file = tmp_path / "all.gz", str(tmp_path / "file.db")
    await furnished(file)
    await backup(file, path)
    # An entry and a seat of an unknown table: the checksum is right, but the rows are inconsistent.
    rewritten(path, lambda lines: [line.replace('["a0",1,', '["zz",1,') for line in lines], sign=True)
    with pytest.raises(StoreError, match="nothing was restored"):
        await restore(bare_database, path)
    store = await open_store(bare_database)
    assert (list(await live_tables(store)), await store.person("bo")) == ([], None)
    await store.close()


async def test_a_backup_is_for_its_owner_and_overwrites_nothing(tmp_path: Path) -> None:
    file, path = str(tmp_path / "file.db"), tmp_path / "all.gz"
    await furnished(file)
    await backup(file, path)
    assert path.stat().st_mode & 0o077 == 0
    with pytest.raises(StoreError, match="already"):
        await backup(file, path)


@pytest.mark.parametrize("language", LANGUAGES)
async def test_a_damaged_file_is_not_saved_in_part(language: Language, tmp_path: Path) -> None:
    file, saved = tmp_path / "tables.db", tmp_path / "all.gz"
    await with_a_damaged_table(file)
    with pytest.raises(StoreError) as failure:
        await backup(str(file), saved)
    assert not saved.exists()
    assert isinstance(failure.value.why, Text)
    said = {"en": "damaged, so nothing was saved.", "es": "dañado y no se guardó nada."}
    assert said[language] in Speech(language)(failure.value.why)


async def test_what_fails_leaves_no_file(tmp_path: Path) -> None:
    (tmp_path / "notes").write_text("milk\n" * 1000)
    with pytest.raises(StoreError, match="isn't a file of games"):
        await backup(str(tmp_path / "notes"), tmp_path / "all.gz")
    with pytest.raises(StoreError, match="no database file"):
        await backup(str(tmp_path / "none.db"), tmp_path / "all.gz")
    assert names_in(tmp_path) == ["notes"]


async def test_a_backup_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="can't be read"):
        await restore(str(tmp_path / "file.db"), tmp_path / "none.gz")
