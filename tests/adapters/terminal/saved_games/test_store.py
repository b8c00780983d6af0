"""The store of the terminal: a stored move is never lost, and a file error never stops a game."""

from __future__ import annotations

import asyncio
import sqlite3
import stat
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from adapters.terminal.saved_games import store as stores
from adapters.terminal.saved_games.store import WriteBehindStore
from adapters.terminal.session import Session
from adapters.terminal.setup import Setup
from bot.i18n import Speech
from bot.model.batches import Taken
from bot.model.ids import GameId
from bot.model.places import HOME
from bot.model.tables import Player, Refused
from bot.storage import Store, StoreError
from bot.store import open_store
from bot.store.memory.store import MemoryStore
from bot.table_service.loading import UnknownTable
from bot.table_service.service import TableService
from bot.table_service.stored import batch
from bot.tables.log.commitment import ChosenSeed, CommittedSeed
from bot.tables.table import Table
from bot.tables.versions import NewerTable
from engines.values import replace
from tests.bot.tables.test_table import older, play_on
from tests.support.clock import VirtualClock
from tests.support.services import FaultyStore
from tests.support.waiting import PATIENCE

FILE = Path("games.db")


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets the end of a store wait for its thread as long as a busy machine takes, not for ten seconds."""
    monkeypatch.setattr(stores, "_WRITING_TIMEOUT", None)


def dealt(key: str = "cardlebones", number: int = 1, words: str = "S") -> Table:
    """A table at the terminal before its first move."""
    table = Table.open(key, number=number, seed_source=ChosenSeed(words))
    return table.sit(Player("Ana")).sit(Player("Lola", "easy")).start().dated(0, 1.0)


def opening(store: Store) -> Callable[[str], Awaitable[Store]]:
    """A function that returns this store in place of opening one."""

    async def opened(url: str) -> Store:
        return store

    return opened


def over(file: Store) -> WriteBehindStore:
    """A write-behind store over another store, which stands for the file."""
    return WriteBehindStore(FILE, VirtualClock(), opening(file))


def add(store: Store, *tables: Table) -> None:
    """Appends to a store those entries of the tables that it does not have yet."""

    async def append() -> None:
        for table in tables:
            stored = await store.load(table.id)
            assert await store.append(batch(table, len(stored.entries) if stored else 0)) == Taken()

    asyncio.run(append())


def written(file: Store, *tables: Table) -> WriteBehindStore:
    """A store that has had tables appended and has written them to the file."""
    store = over(file)
    add(store, *tables)
    store.finish()
    return store


def unfinished(store: WriteBehindStore) -> Table | None:
    """The game to resume, as a table service loads it; None if there is none."""
    listed = store.unfinished()
    return kept(store, listed[0].listing.game) if listed else None


def kept(store: Store, game: GameId) -> Table | None:
    """The table of a game as it is in a store; None where it is not."""

    async def load() -> Table | None:
        known = await store.load(game)
        return await TableService(store, VirtualClock()).table(game) if known else None

    return asyncio.run(load())


def at(table: Table, when: float) -> Table:
    return table.dated(0, when)


def say(store: WriteBehindStore) -> str:
    warning = store.warning()
    return Speech("en")(warning) if warning else ""


def test_every_entry_is_written() -> None:
    file, table = MemoryStore(), play_on(dealt(), 3)
    written(file, table, play_on(table, 4), play_on(table, 7))
    assert kept(file, table.id) == play_on(table, 7)


def test_several_games_are_written_each_under_a_number_of_its_own() -> None:
    file, table = MemoryStore(), dealt(words="new")
    add(file, play_on(dealt(number=1, words="a"), 3), play_on(dealt(number=2, words="b"), 3))
    store = over(file)

    async def play() -> None:
        service = TableService(store, VirtualClock())
        await service.open(HOME, lambda number: replace(table, number=number))
        await service.change(table.id, lambda table: play_on(table, 3))

    asyncio.run(play())
    store.finish()
    assert [one.number for one in asyncio.run(file.tables(HOME))] == [1, 2, 3]
    assert kept(file, table.id) is not None


def test_later_moves_are_added_to_a_game_written_on_another_day() -> None:
    file, table = MemoryStore(), play_on(dealt(), 3)
    add(file, table)
    store = over(file)
    store.wait_until_read()
    assert unfinished(store) == table
    add(store, play_on(table, 5))
    store.finish()
    assert kept(file, table.id) == play_on(table, 5)
    assert store.warning() is None


@pytest.mark.parametrize(
    "seed_source", [ChosenSeed("S"), CommittedSeed(b"x" * 32)], ids=["chosen", "committed"]
)
def test_a_file_keeps_a_game_and_only_its_owner_reads_it(
    seed_source: ChosenSeed | CommittedSeed, tmp_path: Path
) -> None:
    table = Table.open("casino", seed_source=seed_source, options={"exchange": "off"})
    table = play_on(table.sit(Player("Ana")).sit(Player("Lola", "easy")).start(), 9).dated(0, 5.5)
    file = tmp_path / "new" / "games.db"
    first = WriteBehindStore(file, VirtualClock())
    add(first, table)
    first.finish()
    second = WriteBehindStore(file, VirtualClock())
    second.wait_until_read()
    assert unfinished(second) == table
    second.finish()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_game_in_which_nobody_has_moved_is_not_written_and_opens_no_file() -> None:
    async def never(url: str) -> Store:
        raise AssertionError

    store = WriteBehindStore(FILE, VirtualClock(), never)
    add(store, dealt())
    store.finish()
    assert (list(store.unfinished()), store.warning()) == ([], None)


def test_the_first_move_writes_what_came_before_it() -> None:
    file, table = MemoryStore(), dealt()
    written(file, table, play_on(table, 1))
    assert kept(file, table.id) == play_on(table, 1)


def test_of_the_unfinished_games_the_one_played_last_is_resumed() -> None:
    file = MemoryStore()
    early, late, ended = (play_on(dealt(number=n, words=str(n)), 3) for n in (1, 2, 3))
    add(file, at(late, 20.0), at(early, 10.0), at(play_on(ended), 30.0))
    store = over(file)
    store.wait_until_read()
    assert [game.listing.game for game in store.unfinished()] == [late.id, early.id]
    # In memory the first that is loaded has the first number.
    assert kept(store, early.id) == replace(at(early, 10.0), number=1)
    assert kept(store, late.id) == replace(at(late, 20.0), number=2)
    store.finish()


def test_a_game_of_this_run_comes_before_those_of_others() -> None:
    file, old, new = MemoryStore(), play_on(dealt(words="old"), 3), play_on(dealt(number=2, words="new"), 3)
    add(file, old)
    store = over(file)
    add(store, new)
    store.wait_until_read()
    found = [store.unfinished(), store.unfinished(besides=new.id)]
    add(store, play_on(new))
    found.append(store.unfinished())
    assert [[one.listing.game for one in listed] for listed in found] == [
        [new.id, old.id],
        [old.id],
        [old.id],
    ]
    store.finish()


def test_a_game_that_was_left_long_ago_is_not_closed_by_a_new_one() -> None:
    file, old = MemoryStore(), at(play_on(dealt(), 3), 1.0)
    add(file, old)
    store = over(file)
    store.wait_until_read()
    clock = VirtualClock()
    clock.time += 10**9

    async def play() -> None:
        session = Session(Setup("cardlebones", 2, ("Ana", "Beto"), seed="S"), clock, store)
        for _ in range(2):
            seat = session.table.active()[0]
            await session.play(seat, str(next(iter(session.game.moves(session.table.state, seat)))))
            await session.rematch()

    asyncio.run(play())
    store.finish()
    assert kept(file, old.id) == old


def test_a_game_of_older_rules_is_closed_politely_and_the_one_before_it_is_resumed() -> None:
    file = MemoryStore()
    fine, old = at(play_on(dealt(), 3), 10.0), at(older(play_on(dealt(number=2), 3)), 20.0)
    add(file, fine, old)
    store = over(file)
    store.wait_until_read()
    assert (unfinished(store), store.updated) == (fine, {"cardlebones"})
    store.finish()
    closed = kept(file, old.id)
    assert closed is not None
    assert closed.ended == "updated"


def test_a_log_that_cannot_be_read_is_passed_over() -> None:
    file, fine, broken = MemoryStore(), at(play_on(dealt(), 3), 10.0), play_on(dealt(number=2), 3)
    add(file, fine)
    whole = batch(at(broken, 20.0), 0)
    spoilt = replace(whole.entries[-1], body={"move": "place z9"})
    asyncio.run(file.append(replace(whole, entries=(*whole.entries[:-1], spoilt))))
    store = over(file)
    store.wait_until_read()
    assert (unfinished(store), store.warning()) == (fine, None)
    store.finish()


@pytest.mark.parametrize("refused", [NewerTable, UnknownTable])
def test_a_game_of_a_newer_program_and_one_closed_meanwhile_are_not_called_damaged(
    refused: type[Refused], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = MemoryStore()
    add(file, play_on(dealt(), 3))

    async def refuse(*_: object) -> Table:
        raise refused

    monkeypatch.setattr(TableService, "resume", refuse)
    store = over(file)
    store.wait_until_read()
    found = unfinished(store), store.has_damaged, store.failure
    store.finish()
    assert found == (None, False, "")


@pytest.mark.parametrize(
    ("error", "reason"),
    [(StoreError("no room"), "no room"), (RuntimeError("5S 10H"), "RuntimeError, test_store.py:")],
)
def test_a_file_that_cannot_be_opened_is_told_in_a_sentence(error: Exception, reason: str) -> None:
    async def fail(url: str) -> Store:
        raise error

    store = WriteBehindStore(FILE, VirtualClock(), fail)
    changes: list[int] = []
    store.on_change = lambda: changes.append(1)
    store.wait_until_read()
    table = play_on(dealt(), 3)
    add(store, table)
    store.finish()
    assert say(store).startswith(f"Your games can't be saved in games.db ({reason}")
    assert "10H" not in say(store)
    assert (changes, store.keeps(table.id)) == ([1], False)
    assert kept(store, table.id) == table


@pytest.mark.parametrize("kind", ["folder", "rubbish"])
def test_a_file_that_is_a_folder_or_no_database_is_told_in_a_sentence(kind: str, tmp_path: Path) -> None:
    file = tmp_path / "games.db"
    if kind == "folder":
        file.mkdir()
    else:
        file.write_bytes(b"rubbish" * 1000)
    store = WriteBehindStore(file, VirtualClock())
    store.wait_until_read()
    assert say(store).startswith(f"Your games can't be saved in {file} (")
    store.finish()


def test_a_file_of_a_newer_program_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "games.db"

    async def age() -> None:
        await (await open_store(str(file))).close()

    asyncio.run(age())
    with sqlite3.connect(file) as database:
        database.execute("UPDATE alembic_version SET version_num = 'later'")
    database.close()
    before = file.read_bytes()
    store = WriteBehindStore(file, VirtualClock())
    add(store, play_on(dealt(), 3))
    store.finish()
    assert "newer Sobremesa" in say(store)
    assert file.read_bytes() == before


@pytest.mark.parametrize("fails", ["before", "after"])
def test_a_failure_of_the_file_is_told_once_and_tried_again_at_the_next_move(
    fails: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stores, "_OPENING_TIMEOUT", None)
    file, table = FaultyStore(), play_on(dealt(), 3)
    store = over(file)
    warnings: list[str] = []
    heard = threading.Semaphore(0)

    def listen() -> None:
        warnings.append(say(store))
        heard.release()

    store.wait_until_read()
    store.on_change = listen
    file.fails = fails
    add(store, table)
    assert heard.acquire(timeout=PATIENCE), "the failure of the file was told to nobody"
    add(store, play_on(table, 4))
    store.wait_until_written()
    # The file has failed again.
    assert table.id in store._unwritten
    file.fails = ""
    add(store, play_on(table, 5))
    store.finish()
    assert kept(file, table.id) == play_on(table, 5)
    assert len(warnings) == 1


def test_a_game_that_goes_on_elsewhere_too_is_written_no_longer_and_nothing_there_is_lost() -> None:
    file, table = MemoryStore(), play_on(dealt(), 3)
    add(file, table)
    store = over(file)
    store.wait_until_read()
    theirs = play_on(table, 6).dated(len(table.entries), 50.0)
    add(file, theirs)
    mine = play_on(table, 4).dated(len(table.entries), 51.0)
    add(store, mine)
    store.finish()
    assert say(store).startswith("This game is open in another window too")
    assert not store.keeps(table.id)
    assert (kept(file, table.id), kept(store, table.id)) == (theirs, mine)


@pytest.mark.real
def test_an_end_waits_for_what_is_to_be_written_but_not_for_a_file_that_nobody_needs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(stores, "_OPENING_TIMEOUT", 0.0)
    gate = threading.Event()
    file, table = MemoryStore(), play_on(dealt(), 3)

    def slow(store: Store) -> Callable[[str], Awaitable[Store]]:
        async def opened(url: str) -> Store:
            gate.wait()
            return store

        return opened

    # A store of its own: a store in memory is not made for two threads.
    idle = WriteBehindStore(FILE, VirtualClock(), slow(MemoryStore()))
    idle.start()
    idle.finish()
    assert not gate.is_set()
    busy = WriteBehindStore(FILE, VirtualClock(), slow(file))
    add(busy, table)
    waited, thread = list[float | None](), busy._thread
    assert thread

    def join(timeout: float | None) -> None:
        waited.append(timeout)
        gate.set()
        threading.Thread.join(thread, timeout)

    monkeypatch.setattr(thread, "join", join)
    busy.finish()
    assert waited == [stores._WRITING_TIMEOUT]
    assert kept(file, table.id) == table


async def test_the_first_move_waits_until_the_file_is_open() -> None:
    gate = threading.Event()

    async def slowly(url: str) -> Store:
        await asyncio.to_thread(gate.wait)
        return MemoryStore()

    store = WriteBehindStore(FILE, VirtualClock(), slowly)
    session = Session(Setup("cardlebones", 2, ("Ana", "Beto"), seed="S"), VirtualClock(), store)
    seat = session.table.active()[0]
    move = str(next(iter(session.game.moves(session.table.state, seat))))
    moving = asyncio.create_task(session.play(seat, move))
    for _ in range(50):
        await asyncio.sleep(0)
    before = session.table.stamp
    gate.set()
    await moving
    await session.end()
    await store.close()
    assert (before, session.table.stamp) == (0, 1)


@pytest.mark.real
def test_a_move_does_not_wait_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    gate = threading.Event()

    async def never(url: str) -> Store:
        await asyncio.to_thread(gate.wait)
        raise StoreError("too late")

    monkeypatch.setattr(stores, "_OPENING_TIMEOUT", 0.0)
    store, table = WriteBehindStore(FILE, VirtualClock(), never), play_on(dealt(), 3)
    add(store, table)
    gate.set()
    store.wait_until_read()
    assert kept(store, table.id) == table
    assert not store.keeps(table.id)
