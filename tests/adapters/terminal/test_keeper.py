"""Games that are kept in a file: nothing is lost, and nothing that is wrong with the file stops a game."""

from __future__ import annotations

import asyncio
import sqlite3
import stat
import threading
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest

from adapters.terminal import keeper as keepers
from adapters.terminal.keeper import Keeper
from adapters.terminal.session import Session, Setup
from bot.i18n import Speech
from bot.model import HOME, Player
from bot.ports import Store, StoreError
from bot.store import open_store
from bot.store.memory import MemoryStore
from bot.tables.commitment import ChosenSeed, CommittedSeed
from bot.tables.service import TableService, batch
from bot.tables.table import Table
from tests.bot.tables.test_table import older, play_on
from tests.support.clocks import FakeClock
from tests.support.services import FaultyStore

FILE = Path("games.db")


def dealt(key: str = "cardlebones", number: int = 1, words: str = "S") -> Table:
    """A table at the terminal, where nobody has moved."""
    table = Table.open(key, number=number, seed_source=ChosenSeed(words))
    return table.sit(Player("Ana")).sit(Player("Lola", "easy")).start().dated(0, 1.0)


def opening(store: Store) -> Callable[[str], Awaitable[Store]]:
    """Opens a store that is there."""

    async def opened(url: str) -> Store:
        return store

    return opened


def keeping(store: Store, *tables: Table) -> Keeper:
    """A keeper that has heard of tables and has put them into a store."""
    keeper = Keeper(FILE, FakeClock(), opening(store))
    for table in tables:
        keeper.hear(table, None)
    keeper.start()
    keeper.close()
    return keeper


def kept(store: Store, table: Table) -> Table | None:
    """The table as it is in a store; None where it is not."""

    async def load() -> Table | None:
        known = await store.load(table.id)
        return await TableService(store, FakeClock()).table(table.id) if known else None

    return asyncio.run(load())


def put(store: Store, *tables: Table) -> None:
    """Puts tables into a store, as another process does."""
    for table in tables:
        asyncio.run(store.append(batch(table, 0)))


def at(table: Table, when: float) -> Table:
    return table.dated(0, when)


def say(keeper: Keeper) -> str:
    trouble = keeper.trouble()
    return Speech("en")(trouble) if trouble else ""


def test_every_entry_is_kept() -> None:
    store, table = MemoryStore(), play_on(dealt(), 3)
    keeping(store, table, play_on(table, 4), play_on(table, 7))
    assert kept(store, table) == play_on(table, 7)


def test_several_games_are_kept_each_under_a_number_of_its_own() -> None:
    store, tables = MemoryStore(), [play_on(dealt(words=str(n)), 3) for n in range(3)]
    keeping(store, *tables)
    numbers = [one.number for one in asyncio.run(store.tables(HOME))]
    assert numbers == [1, 2, 3]


def test_what_comes_later_is_added_to_what_was_kept_on_another_day() -> None:
    store, table = MemoryStore(), play_on(dealt(), 3)
    put(store, table)
    keeper = Keeper(FILE, FakeClock(), opening(store))
    keeper.look()
    again = keeper.unfinished()
    assert again == table
    keeper.hear(play_on(table, 5), table)
    keeper.close()
    assert kept(store, table) == play_on(table, 5)
    assert keeper.trouble() is None


@pytest.mark.parametrize("seed_source", [ChosenSeed("S"), CommittedSeed(b"x" * 32)], ids=["given", "sealed"])
def test_a_file_keeps_a_game_and_only_its_owner_reads_it(
    seed_source: ChosenSeed | CommittedSeed, tmp_path: Path
) -> None:
    table = Table.open("casino", seed_source=seed_source, options={"exchange": "off"})
    table = play_on(table.sit(Player("Ana")).sit(Player("Lola", "easy")).start(), 9).dated(0, 5.5)
    file = tmp_path / "new" / "games.db"
    first = Keeper(file, FakeClock())
    first.hear(table, None)
    first.close()
    second = Keeper(file, FakeClock())
    second.look()
    assert second.unfinished() == table
    second.close()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_game_in_which_nobody_has_moved_is_not_kept_and_opens_no_file() -> None:
    async def never(url: str) -> Store:
        raise AssertionError

    keeper = Keeper(FILE, FakeClock(), never)
    keeper.hear(dealt(), None)
    keeper.close()
    assert (keeper.unfinished(), keeper.trouble()) == (None, None)


def test_of_the_unfinished_games_the_one_played_last_is_gone_on_with() -> None:
    store = MemoryStore()
    early, late, over = (play_on(dealt(number=n, words=str(n)), 3) for n in (1, 2, 3))
    put(store, at(late, 20.0), at(early, 10.0), at(play_on(over), 30.0))
    keeper = Keeper(FILE, FakeClock(), opening(store))
    keeper.look()
    assert keeper.unfinished() == at(late, 20.0)
    keeper.close()


def test_a_game_of_this_evening_comes_before_those_of_others() -> None:
    store, old, new = MemoryStore(), play_on(dealt(words="old"), 3), play_on(dealt(words="new"), 3)
    put(store, old)
    keeper = Keeper(FILE, FakeClock(), opening(store))
    keeper.hear(new, None)
    keeper.look()
    found = [keeper.unfinished(), keeper.unfinished(besides=new.id)]
    keeper.hear(play_on(new), new)
    assert (found, keeper.unfinished()) == ([new, old], old)
    keeper.close()


def test_a_game_of_older_rules_is_closed_politely_and_the_one_before_it_is_gone_on_with() -> None:
    store = MemoryStore()
    fine, old = at(play_on(dealt(), 3), 10.0), at(older(play_on(dealt(number=2), 3)), 20.0)
    put(store, fine, old)
    keeper = Keeper(FILE, FakeClock(), opening(store))
    keeper.look()
    assert (keeper.unfinished(), keeper.updated) == (fine, True)
    keeper.close()
    closed = kept(store, old)
    assert closed is not None
    assert closed.ended == "updated"


def test_a_log_that_cannot_be_read_is_passed_over() -> None:
    store, fine, broken = MemoryStore(), at(play_on(dealt(), 3), 10.0), play_on(dealt(number=2), 3)
    put(store, fine)
    whole = batch(at(broken, 20.0), 0)
    spoilt = replace(whole.entries[-1], body={"move": "place z9"})
    asyncio.run(store.append(replace(whole, entries=(*whole.entries[:-1], spoilt))))
    keeper = Keeper(FILE, FakeClock(), opening(store))
    keeper.look()
    assert (keeper.unfinished(), keeper.trouble()) == (fine, None)
    keeper.close()


@pytest.mark.parametrize(
    ("error", "reason"),
    [(StoreError("no room"), "no room"), (RuntimeError("5S 10H"), "RuntimeError, test_keeper.py:")],
)
def test_a_file_that_cannot_be_opened_is_told_in_a_sentence(error: Exception, reason: str) -> None:
    async def fail(url: str) -> Store:
        raise error

    keeper = Keeper(FILE, FakeClock(), fail)
    news: list[int] = []
    keeper.on_news = lambda: news.append(1)
    keeper.look()
    table = play_on(dealt(), 3)
    keeper.hear(table, None)
    keeper.close()
    assert say(keeper).startswith(f"Games cannot be kept in games.db ({reason}")
    assert "10H" not in say(keeper)
    assert (news, keeper.keeps(table.id)) == ([1], False)


@pytest.mark.parametrize("what", ["folder", "rubbish"])
def test_a_file_that_is_none_is_told_in_a_sentence(what: str, tmp_path: Path) -> None:
    file = tmp_path / "games.db"
    if what == "folder":
        file.mkdir()
    else:
        file.write_bytes(b"rubbish" * 1000)
    keeper = Keeper(file, FakeClock())
    keeper.look()
    assert say(keeper).startswith(f"Games cannot be kept in {file} (")
    keeper.close()


def test_a_file_of_a_newer_program_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "games.db"

    async def age() -> None:
        await (await open_store(str(file))).close()

    asyncio.run(age())
    with sqlite3.connect(file) as database:
        database.execute("UPDATE alembic_version SET version_num = 'later'")
    database.close()
    before = file.read_bytes()
    keeper = Keeper(file, FakeClock())
    keeper.hear(play_on(dealt(), 3), None)
    keeper.close()
    assert "newer Sobremesa" in say(keeper)
    assert file.read_bytes() == before


@pytest.mark.parametrize("fails", ["before", "after"])
def test_where_the_file_fails_it_is_told_once_and_tried_again_at_the_next_move(fails: str) -> None:
    store, table = FaultyStore(), play_on(dealt(), 3)
    keeper = Keeper(FILE, FakeClock(), opening(store))
    told: list[str] = []
    heard = threading.Semaphore(0)

    def listen() -> None:
        told.append(say(keeper))
        heard.release()

    keeper.look()
    keeper.on_news = listen
    store.fails = fails
    keeper.hear(table, None)
    assert heard.acquire(timeout=10)
    store.fails = ""
    keeper.hear(play_on(table, 5), table)
    keeper.close()
    assert kept(store, table) == play_on(table, 5)
    assert len(told) == 1


def test_a_game_that_goes_on_elsewhere_too_is_kept_no_longer_and_nothing_there_is_lost() -> None:
    store, table = MemoryStore(), play_on(dealt(), 3)
    put(store, table)
    keeper = Keeper(FILE, FakeClock(), opening(store))
    keeper.look()
    theirs = play_on(table, 6).dated(len(table.entries), 50.0)
    asyncio.run(store.append(batch(theirs, len(table.entries))))
    keeper.hear(play_on(table, 4).dated(len(table.entries), 51.0), table)
    keeper.close()
    assert say(keeper).startswith("This game goes on in another window too")
    assert not keeper.keeps(table.id)
    assert kept(store, table) == theirs


def test_an_end_waits_for_what_is_to_be_kept_but_not_for_a_file_that_nobody_needs() -> None:
    gate = threading.Event()
    store, table = MemoryStore(), play_on(dealt(), 3)

    async def slow(url: str) -> Store:
        gate.wait(10)
        return store

    idle = Keeper(FILE, FakeClock(), slow)
    idle.start()
    idle.close()
    assert not gate.is_set()
    busy = Keeper(FILE, FakeClock(), slow)
    busy.hear(table, None)
    closing = threading.Thread(target=busy.close)
    closing.start()
    gate.set()
    closing.join()
    assert kept(store, table) == table


async def test_the_first_move_waits_until_the_file_is_open() -> None:
    gate = threading.Event()

    async def slowly(url: str) -> Store:
        await asyncio.to_thread(gate.wait)
        return MemoryStore()

    keeper = Keeper(FILE, FakeClock(), slowly)
    session = Session(Setup("cardlebones", 2, ("Ana", "Beto"), seed="S"), FakeClock(), keeper)
    seat = session.table.awaited()[0]
    move = str(next(iter(session.game.moves(session.table.state, seat))))
    moving = asyncio.create_task(session.play(seat, move))
    for _ in range(50):
        await asyncio.sleep(0)
    before = session.table.stamp
    gate.set()
    await moving
    await session.end()
    await asyncio.to_thread(keeper.close)
    assert (before, session.table.stamp) == (0, 1)


async def test_a_move_does_not_wait_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    gate = threading.Event()

    async def never(url: str) -> Store:
        await asyncio.to_thread(gate.wait)
        raise StoreError("too late")

    monkeypatch.setattr(keepers, "_OPENING", 0.01)
    keeper = Keeper(FILE, FakeClock(), never)
    await keeper.ready()
    gate.set()
    await asyncio.to_thread(keeper.look)
    assert not keeper.keeps("")
