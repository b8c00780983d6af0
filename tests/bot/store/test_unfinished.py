"""The unfinished games of a terminal are counted without its store."""

from __future__ import annotations

import asyncio
from pathlib import Path

from bot.model.batches import Batch, Taken
from bot.model.places import HOME, Place
from bot.model.tables import Entry, Listing, Status
from bot.store import open_store
from bot.store.files.unfinished import unfinished_count

CHAT = Place("telegram", "-1")


def listing(n: int, place: Place, status: Status) -> Listing:
    return Listing(f"{n:010x}", place, n, "casino", 3, status, None, (), 1, 0.0, float(n))


async def test_only_games_at_the_terminal_that_are_being_played_count(tmp_path: Path) -> None:
    file = tmp_path / "my games?.db"
    store = await open_store(str(file))
    games = [
        listing(1, HOME, "playing"), listing(2, HOME, "over"), listing(3, CHAT, "playing"),
        listing(4, HOME, "lobby"), listing(5, HOME, "playing"),
    ]  # fmt: skip
    for game in games:
        assert isinstance(await store.append(Batch((Entry(0, "open", body={}, at=0.0),), game)), Taken)
    assert unfinished_count(file) == 2
    await store.close()
    assert unfinished_count(file) == 2
    assert await asyncio.to_thread(lambda: list(tmp_path.iterdir())) == [file]


def test_of_a_file_that_cannot_be_read_no_game_counts(tmp_path: Path) -> None:
    file = tmp_path / "games.db"
    assert unfinished_count(file) == 0
    assert not file.exists()
    for content in (b"", b"no database" * 99):
        file.write_bytes(content)
        assert unfinished_count(file) == 0
        assert file.read_bytes() == content
