"""A database that fails: presses are answered in time, told what is known, and none is lost or doubled."""

from __future__ import annotations

import asyncio
import logging
import os
import shutil
import sqlite3
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, event, text

from bot.i18n import Speech
from bot.measures import Measures
from bot.model.batches import Batch, Behind, Taken
from bot.model.panels import Draft, PanelRecord
from bot.model.people import Person
from bot.model.places import Place
from bot.model.tables import Entry
from bot.storage import AFTER_ALL, StoreError, Uncertain, Unreadable
from bot.store import open_store, sql, watchdog
from bot.store.connections.connection import Then
from bot.store.files.backup import backup
from bot.store.sql import SqlStore
from bot.store.writing import writer
from bot.times import delivery_deadline
from engines.game import Text
from engines.values import replace
from tests import luck
from tests.bot.store.proxy import Proxy
from tests.bot.store.tables import CHAT, Tale, told
from tests.bot.store.test_sql import Trouble, opened
from tests.support.loop_time import idle_time_skipped
from tests.words import ROOT

ON_POSTGRES = pytest.mark.parametrize(
    "database", [pytest.param("postgres", marks=pytest.mark.real)], indirect=True
)
LIMIT = 5.0
"""Seconds within which a press must be answered."""


@pytest.fixture
async def file(tmp_path: Path) -> Path:
    return tmp_path / "odd name? #50%.db"


@pytest.fixture
async def store(file: Path) -> AsyncIterator[SqlStore]:
    async with opened(str(file)) as store:
        yield store


@pytest.fixture
async def proxy(database: str) -> AsyncIterator[Proxy]:
    async with Proxy(database, luck.rng()).running() as proxy:
        yield proxy


def is_there(file: Path) -> bool:
    return file.exists()


def spoil_page(file: Path, words: bytes) -> None:
    """Overwrites the page of a file in which these words are."""
    pages = file.read_bytes()
    size = int.from_bytes(pages[16:18], "big")
    first = pages.index(words) // size * size
    file.write_bytes(pages[:first] + b"\xff" * size + pages[first + size :])


def spoil_leaf(file: Path, words: bytes) -> None:
    """Overwrites the page of a table, not of an index, in which these words are."""
    pages = file.read_bytes()
    size = int.from_bytes(pages[16:18], "big")
    # 13 is the kind of a page with rows.
    [at] = [at for at in range(0, len(pages), size) if pages[at] == 13 and words in pages[at : at + size]]
    file.write_bytes(pages[:at] + b"\xff" * size + pages[at + size :])


def pragma(store: SqlStore, words: str) -> None:
    """Sets a pragma of each connection that the writer makes from now on, and of the one that it has."""

    def connect(connection: Any, _: object) -> None:
        connection.execute(f"PRAGMA {words}")

    writes: Any = store._engines.writes
    event.listen(writes._engine, "connect", connect)
    if writes._connection:
        connect(writes._connection.connection.driver_connection, None)


async def change(store: SqlStore, statement: str) -> None:
    """Runs an SQL statement in the writer's connection."""

    def work(connection: Connection) -> None:
        connection.execute(text(statement))

    await store._engines.writes.transact(work)


async def test_a_commit_that_may_have_gone_through_is_uncertain(store: SqlStore) -> None:
    Trouble(store, 99, after=True)
    with pytest.raises(Uncertain):
        await store.append(Tale().opened())


async def test_a_transaction_that_never_came_to_its_commit_wrote_nothing(store: SqlStore) -> None:
    Trouble(store, 3)
    with pytest.raises(StoreError) as failure:
        await store.append(Tale().opened())
    assert not isinstance(failure.value, Uncertain)
    assert await store.load("a0") is None


async def test_a_transaction_that_is_given_up_before_its_commit_is_not_stored(store: SqlStore) -> None:
    connection, loop = store._engines.writes, asyncio.get_running_loop()
    written, go_on = asyncio.Event(), threading.Event()

    def work(connection: Connection) -> None:
        connection.execute(text("DELETE FROM person"))
        loop.call_soon_threadsafe(written.set)
        go_on.wait()

    await store.save_person(Person("1", "Bo"))
    giving_up = asyncio.ensure_future(connection.transact(work))
    await written.wait()
    giving_up.cancel()
    with pytest.raises(asyncio.CancelledError):
        await giving_up
    assert not connection.in_doubt
    go_on.set()
    # The thread runs this only after it has rolled back the transaction that was cancelled.
    await change(store, "SELECT 1")
    assert await store.person("1") is not None


async def test_what_waits_behind_a_dead_database_is_bounded(
    store: SqlStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "MOST_WAITING", 5)
    works = [asyncio.ensure_future(store.save_person(Person(str(i), "Bo"))) for i in range(9)]
    outcomes = await asyncio.gather(*works, return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [type(None)] * 5 + [StoreError] * 4


def cut_after_next_commit(store: SqlStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes the store miss the answer to its next commit."""
    connection = store._writer._connection
    transact, cuts = connection.transact, [OSError("the line is dead")]

    async def cut(work: Callable[[Connection], Any], then: Then[Any]) -> Any:
        if not cuts:
            return await transact(work, then)
        await transact(work)
        connection.in_doubt = True
        raise cuts.pop()

    monkeypatch.setattr(connection, "transact", lambda work, then: asyncio.ensure_future(cut(work, then)))


async def test_a_claim_is_uncertain_if_its_commit_may_have_gone_through(
    store: SqlStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    tale = Tale()
    await told(store, tale, tale.opened())
    await store.beat("p", 0.0)
    cut_after_next_commit(store, monkeypatch)
    with pytest.raises(Uncertain):
        await store.claim("p", [tale.place.platform], 0.0, 9)


async def test_a_draft_that_a_commit_may_have_stored_is_not_changed_twice(
    store: SqlStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    tale = Tale()
    await told(store, tale, tale.opened())
    panel = PanelRecord(tale.game, "ana", draft=Draft(path=("x",)))
    cut_after_next_commit(store, monkeypatch)
    marked = await store.mark_dirty(panel, expected=0)
    assert (marked.taken, marked.panel.wanted, marked.panel.draft) == (True, 1, panel.draft)
    assert not (await store.mark_dirty(panel, expected=0)).taken


@pytest.mark.parametrize("puts_back", [True, False])
async def test_a_file_that_is_moved_away_takes_no_change_until_it_is_back(
    puts_back: bool, store: SqlStore, file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    tale = Tale()
    await told(store, tale, tale.opened())
    moved = file.with_name("elsewhere")
    shutil.move(file, moved)
    for _ in range(3):
        with pytest.raises(StoreError, match="was deleted or moved away"):
            await store.append(tale.next("join"))
        with pytest.raises(StoreError, match="was deleted or moved away"):
            await store.load("a0")
    assert not is_there(file)
    assert [record.levelname for record in caplog.records].count("CRITICAL") == 1
    assert str(file) in caplog.text
    if puts_back:
        shutil.move(moved, file)
        assert await store.append(tale.next("join")) == Taken()
    else:
        shutil.copy(moved, file)
        with pytest.raises(StoreError, match="was replaced by another file"):
            await store.append(tale.next("join"))


async def test_a_file_that_is_deleted_during_a_change_refuses_it(
    store: SqlStore, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tale = Tale()
    await told(store, tale, tale.opened())
    perform = store._writer._perform

    def deletes(*args: Any) -> Any:
        results = perform(*args)
        file.unlink(missing_ok=True)
        return results

    monkeypatch.setattr(store._writer, "_perform", deletes)
    with pytest.raises(StoreError, match="was deleted or moved away") as failure:
        await store.append(tale.next("join"))
    assert not isinstance(failure.value, Uncertain)


async def test_a_file_that_is_moved_during_a_change_and_put_back_holds_nothing_of_it(
    store: SqlStore, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tale = Tale()
    await told(store, tale, tale.opened())
    perform, moved = store._writer._perform, file.with_name("elsewhere")

    def moves(*args: Any) -> Any:
        results = perform(*args)
        shutil.move(file, moved)
        return results

    with monkeypatch.context() as patch:
        patch.setattr(store._writer, "_perform", moves)
        with pytest.raises(StoreError, match="was deleted or moved away"):
            await store.append(tale.next("join"))
    shutil.move(moved, file)
    stored = await store.load(tale.game)
    assert stored is not None
    assert stored.entries == tale.entries


@pytest.mark.parametrize(
    ("fault", "mended", "why"),
    [
        ("max_page_count = 1", "max_page_count = 1000000", "full"),
        ("query_only = ON", "query_only = OFF", "readonly"),
    ],
)
async def test_a_file_that_cannot_be_written_refuses_and_goes_on_when_it_can(
    fault: str, mended: str, why: str, store: SqlStore
) -> None:
    tale = Tale()
    await told(store, tale, tale.opened())
    pragma(store, fault)
    with pytest.raises(StoreError, match=why) as failure:
        # More than fits on the pages that the file has.
        await store.append(tale.next("join", name="Bo" * 100_000))
    assert not isinstance(failure.value, Uncertain)
    stored = await store.load("a0")
    assert stored is not None
    assert stored.entries == tale.entries
    pragma(store, mended)
    assert await store.append(tale.next("join", name="Bo")) == Taken()


@pytest.mark.real
@pytest.mark.usefixtures("in_time")
@pytest.mark.parametrize(("busy", "grace"), [(1000, 0.0), (0, 0.02)], ids=["no answer", "locked"])
async def test_a_file_that_another_program_locks_refuses_in_time(busy: int, grace: float, file: Path) -> None:
    tale = Tale()
    store = await sql.opened(str(file))
    await told(store, tale, tale.opened())
    # SQLite waits so many milliseconds before it says that the file is locked.
    pragma(store, f"busy_timeout = {busy}")
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    began = asyncio.get_running_loop().time()
    with idle_time_skipped(grace):
        outcomes = await asyncio.gather(
            *(store.append(tale.next("join")) for _ in range(3)), return_exceptions=True
        )
    assert asyncio.get_running_loop().time() - began < LIMIT
    assert [type(outcome) for outcome in outcomes] == [StoreError] * 3
    other.close()
    assert await store.append(tale.next("join")) == Taken()
    await store.close()


@pytest.mark.real
@pytest.mark.usefixtures("in_time")
async def test_what_a_delivery_asks_of_a_locked_file_ends_before_its_answer(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tale, loop = Tale(), asyncio.get_running_loop()
    store = await sql.opened(str(file))
    await told(store, tale, tale.opened())
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    patient = asyncio.create_task(store.append(tale.next("join")))
    await asyncio.sleep(0)
    monkeypatch.setattr(delivery_deadline, "REPLY_TIMEOUT", delivery_deadline.LOOKUP_TIME + 0.5)
    began = loop.time()
    with idle_time_skipped(), delivery_deadline.answering():
        for _ in range(2):
            with pytest.raises(StoreError):
                await store.append(tale.next("join"))
    assert loop.time() - began < 1.0
    assert not patient.done()
    other.execute("ROLLBACK")
    # A change that was begun outside of the delivery is not limited by it.
    assert await patient == Taken()
    other.close()
    await store.close()


@pytest.mark.parametrize(
    "garble",
    ["body = '{'", "body = '[1]'", "body = x'00'", "kind = x'00'", "seat = 'no seat'", "at = 'noon'"],
)
async def test_a_garbled_row_costs_its_own_table(garble: str, store: SqlStore) -> None:
    tales = [Tale("a0"), Tale("b0", number=2)]
    for tale in tales:
        await told(store, tale, tale.opened())
        await told(store, tale, tale.next("join", person="bo", name="Bo"))
    await change(store, f"UPDATE entry SET {garble} WHERE game = 'a0' AND n = 1")
    with pytest.raises(Unreadable, match="a0"):
        await store.load("a0")
    with pytest.raises(Unreadable, match="a0"):
        await store.append(Tale("a0").batch(*tales[0].entries[:1]))
    stored = await store.load("b0")
    assert stored is not None
    assert stored.entries == tales[1].entries
    listed = await store.tail("a0", AFTER_ALL)
    assert listed is not None
    over = replace(listed.listing, status="over", entries=3)
    assert await store.append(Batch((Entry(2, "end", body={"reason": "stopped"}),), over)) == Taken()
    assert [listing.game for listing in await store.tables(CHAT)] == ["b0"]


async def test_a_garbled_page_of_the_file_costs_its_own_table(file: Path) -> None:
    # With the entries of a table between them, no page has entries of both a0 and b0.
    tales = [Tale("a0"), Tale("between", number=3), Tale("b0", number=2)]
    async with opened(str(file)) as store:
        for tale in tales:
            await told(store, tale, tale.opened())
            # Each of these entries fills most of a page.
            await told(store, tale, tale.next("join", person="bo", name=tale.game.ljust(3000, "x")))
    spoil_page(file, b"a0".ljust(3000, b"x"))
    async with opened(str(file)) as store:
        with pytest.raises(Unreadable, match="damaged"):
            await store.load("a0")
        stored = await store.load("b0")
        assert stored is not None
        assert stored.entries == tales[2].entries
        assert await store.append(tales[2].next("join", person="cy", name="Cy")) == Taken()
        assert await store.tail("a0", AFTER_ALL) is not None


async def with_a_damaged_table(file: Path) -> list[Tale]:
    """Makes two tables, and damages the page on which the row of the first lies."""
    # Each row of the list of tables fills most of a page.
    tales = [Tale(game, Place("wall", game.ljust(3000, "x"))) for game in ("a0", "b0")]
    async with opened(str(file)) as store:
        for tale in tales:
            await told(store, tale, tale.opened())
    spoil_leaf(file, b"a0".ljust(3000, b"x"))
    return tales


async def test_a_damaged_page_refuses_only_the_changes_that_need_it_and_is_a_line(
    file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    damaged, whole = await with_a_damaged_table(file)
    measures = Measures()
    store = await sql.opened(str(file), measures=measures)
    for _ in range(4):
        change = whole.next("join", person="cy", name="Cy")
        # They are tried in one transaction; the first makes it fail, so that each is written alone then.
        outcomes = await asyncio.gather(
            store.append(damaged.next("join")), store.append(change), return_exceptions=True
        )
        assert [type(outcome) for outcome in outcomes] == [StoreError, Taken]
        assert "malformed" in str(outcomes[0])
        assert measures.store_refusal == ""
        whole.follow([change])
    assert "malformed" in measures.store_damage
    [line] = [record.getMessage() for record in caplog.records if record.name == "bot.store.writing.writer"]
    assert line.startswith("the file of the database is damaged, and changes that need a damaged page")
    await store.close()


async def test_damage_that_lets_no_change_through_is_a_failure_of_the_database(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    damaged, whole = await with_a_damaged_table(file)
    measures = Measures()
    store = await sql.opened(str(file), measures=measures)
    monkeypatch.setattr("bot.store.writing.writer.DAMAGE_SPARED", 0.0)
    with pytest.raises(StoreError):
        await store.append(damaged.next("join"))
    assert "malformed" in measures.store_refusal
    assert await store.append(whole.next("join", person="cy", name="Cy")) == Taken()
    assert measures.store_refusal == ""
    await store.close()


async def test_a_database_that_is_not_read_for_long_is_a_line(
    store: SqlStore, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    quick, down = type(store._engines.quick), True
    fetch = quick.fetch

    async def try_to_fetch(*given: Any) -> Any:
        if down:
            raise ConnectionResetError
        return await fetch(*given)

    monkeypatch.setattr(quick, "fetch", try_to_fetch)
    for _ in range(2):
        with idle_time_skipped():
            for _ in range(3):
                with pytest.raises(StoreError):
                    await store.load("a0")
        down = False
        assert await store.load("a0") is None
        down = True
    lines = [record.getMessage() for record in caplog.records if record.name == "bot.store.reading.reader"]
    assert lines == ["the database does not answer, reading again: ConnectionResetError"] * 2


@pytest.mark.parametrize("draft", ["'{'", "'[]'", "'[0,[7],0,false]'", "x'00'", "7"])
async def test_a_garbled_draft_is_begun_anew(draft: str, store: SqlStore) -> None:
    tale = Tale()
    await told(store, tale, tale.opened())
    await store.mark_dirty(PanelRecord(tale.game, "ana", draft=Draft(path=("x",))))
    await change(store, f"UPDATE panel SET draft = {draft} WHERE reader = 'ana'")
    panel = await store.panel(tale.game, "ana")
    assert panel is not None
    assert panel.draft == Draft()
    assert len(await store.panels(tale.game)) == 2


async def test_an_entry_of_an_unknown_kind_is_loaded_as_it_is(store: SqlStore) -> None:
    tale = Tale()
    await told(store, tale, tale.opened())
    await told(store, tale, tale.next("join"))
    await change(store, "UPDATE entry SET kind = 'clock' WHERE n = 1")
    stored = await store.load("a0")
    assert stored is not None
    assert [entry.kind for entry in stored.entries] == ["open", "clock"]


async def test_a_second_process_is_told_who_serves_from_the_file(file: Path) -> None:
    first = await open_store(str(file), serving=True)
    with pytest.raises(StoreError, match=r"process \d+ on .* \(since \d+-.*\) serves from") as refusal:
        await open_store(str(file), serving=True)
    assert isinstance(refusal.value.why, Text)
    assert f"{file} ya está en uso por el proceso {os.getpid()} en " in Speech("es")(refusal.value.why)
    assert await backup(str(file), file.with_name("backup")) == 0
    await first.close()
    await (await open_store(str(file), serving=True)).close()


SERVES = """
import asyncio, sys
from bot.store import open_store

async def main():
    await open_store(sys.argv[1], serving=True)
    print("serves", flush=True)
    await asyncio.sleep(60)

asyncio.run(main())
"""


@pytest.mark.real
async def test_a_killed_process_lets_the_next_one_serve_at_once(file: Path) -> None:
    command = [sys.executable, "-c", SERVES, str(file)]
    process = await asyncio.create_subprocess_exec(*command, cwd=ROOT, stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert await process.stdout.readline() == b"serves\n"
    with pytest.raises(StoreError, match=f"process {process.pid} on"):
        await open_store(str(file), serving=True)
    process.kill()
    await process.communicate()
    await (await open_store(str(file), serving=True)).close()


@ON_POSTGRES
async def test_cut_connections_lose_no_press_and_double_none(proxy: Proxy, database: str) -> None:
    store = await sql.opened(proxy.url)
    tales = [Tale(f"g{i}", number=i) for i in range(8)]
    for tale in tales:
        await told(store, tale, tale.opened())

    async def plays(tale: Tale) -> None:
        for i in range(40):
            await told(store, tale, tale.next("move", person="bo", delivery=f"{tale.game}:{i}"))
            stored = await store.load(tale.game)
            assert stored is not None
            assert stored.entries == tale.entries

    # The loads alone are 1,280 pieces: enough for 21 cuts.
    proxy.schedule(25, gaps=range(30, 61))
    await asyncio.gather(*map(plays, tales))
    assert proxy.cuts > 20
    await store.close()


@ON_POSTGRES
@pytest.mark.usefixtures("in_time")
async def test_presses_to_a_server_that_is_silent_are_answered_in_time(
    proxy: Proxy, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    store = await sql.opened(proxy.url)
    tale = Tale()
    await told(store, tale, tale.opened())
    assert await store.load("a0") is not None
    proxy.silent = True
    loop = asyncio.get_running_loop()
    began = loop.time()

    async def timed(work: Any) -> tuple[type, float]:
        start = loop.time()
        with pytest.raises(StoreError) as failure:
            await work
        return failure.type, loop.time() - start

    async def later(seconds: float) -> tuple[type, float]:
        await asyncio.sleep(seconds)
        return await timed(store.append(tale.next("join")))

    # Nothing comes from the server, so that the time may pass as fast as it likes.
    with idle_time_skipped():
        answers = await asyncio.gather(timed(store.load("a0")), *(later(0.3 * i) for i in range(12)))
    assert max(seconds for _, seconds in answers) < LIMIT
    assert {kind for kind, _ in answers} == {StoreError}
    assert loop.time() - began < 2 * LIMIT
    proxy.silent = False
    proxy.cut_all()
    assert await store.append(tale.next("join")) == Taken()
    await store.close()


@ON_POSTGRES
async def test_a_commit_whose_answer_is_lost_is_looked_up(
    proxy: Proxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = await sql.opened(proxy.url)
    tale = Tale()
    await told(store, tale, tale.opened())
    perform = store._writer._perform
    looked = list[bool]()

    def cuts(works: Any, again: bool, connection: Connection) -> Any:
        results = perform(works, again, connection)
        looked.append(again)
        if not again:
            # The server hears of the commit, and its answer is swallowed.
            asyncio.get_running_loop().call_later(0.05, proxy.cut_all)
            proxy.swallows_answers = True
        return results

    monkeypatch.setattr(store._writer, "_perform", cuts)
    batch = tale.next("join", delivery="d")
    assert await store.append(batch) == Taken()
    assert looked == [False, True]
    assert await store.append(tale.next("join")) == Behind(batch.entries)
    await store.close()


async def test_an_event_loop_that_stands_still_is_not_taken_for_a_database_that_does(
    store: SqlStore, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    tale = Tale()
    await told(store, tale, tale.opened())
    monkeypatch.setattr(watchdog, "GRACE", 60.0)
    loop = asyncio.get_running_loop()
    clock, jump = loop.time, 0.0
    monkeypatch.setattr(loop, "time", lambda: clock() + jump)
    engines: Any = store._engines
    answers = threading.Event()
    for connection in (engines.writes, engines.quick._connection):
        monkeypatch.setattr(connection, "_check", answers.wait)
    tasks = [asyncio.create_task(work) for work in (store.load("a0"), store.append(tale.next("join")))]
    await passes()
    # The loop seems to have stood still, as it does in a full collection of garbage.
    jump = writer.ATTEMPT + 1
    await passes()
    answers.set()
    stored, taken = await asyncio.gather(*tasks)
    assert (stored is not None, taken, caplog.text) == (True, Taken(), "")


async def passes() -> None:
    """Lets the event loop do all that it can without the threads of the database."""
    for _ in range(9):
        await asyncio.sleep(0)
