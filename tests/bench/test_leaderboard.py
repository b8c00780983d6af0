"""The bench of leaderboards fills a small store as a large one, and asks all its questions."""

from __future__ import annotations

from pathlib import Path

from bench.leaderboard import asks, fill_store, frequent_winners, run
from bot.model.leaderboards import Leaderboard
from bot.store import open_store


async def test_every_question_is_answered(tmp_path: Path) -> None:
    file = tmp_path / "games.db"
    found = await run(300, file)
    assert list(found) == [name for name, _ in asks("", "")]
    assert all(times["median"] <= times["worst"] for times in found.values())


async def test_the_games_are_on_the_leaderboards(tmp_path: Path) -> None:
    file = tmp_path / "games.db"
    await fill_store(file, 300)
    reader, other = frequent_winners(file)
    store = await open_store(str(file))
    try:
        page = await store.leaderboard(Leaderboard(), reader, 0, 10)
        profile = await store.profile(reader, reader, ("casino",))
    finally:
        await store.close()
    assert len(page.lines) == 10
    assert page.more
    assert page.own is not None
    assert profile.recent
    assert other
