"""The bench of leaderboards fills a small store as a large one, and asks all its questions."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench import leaderboard
from bench.leaderboard import NOW, asks, fill_store, frequent_winners, run
from bot.model.leaderboards import Leaderboard, LeaderboardPage, Profile, periods
from bot.store import open_store


async def test_every_question_is_measured(tmp_path: Path) -> None:
    stored, found = await run(300, tmp_path / "games.db")
    assert (stored, list(found)) == (300, [name for name, _ in asks("", "")])


async def test_every_question_about_all_times_but_a_late_page_finds_something(tmp_path: Path) -> None:
    file = tmp_path / "games.db"
    await fill_store(file, 300)
    store = await open_store(str(file))
    _, month, _ = periods(NOW)
    try:
        empty = [name for name, ask in asks(*frequent_winners(file)) if not something(await ask(store))]
    finally:
        await store.close()
    assert [name for name in empty if f" {month} " not in name] == ["everywhere all wins, page 100"]


def something(answer: object) -> object:
    """What a question has found: lines of a leaderboard, the games of a profile, or a game's key."""
    match answer:
        case LeaderboardPage():
            return answer.lines
        case Profile():
            return answer.recent
        case _:
            return answer


async def test_the_games_of_a_kept_file_are_counted(tmp_path: Path) -> None:
    file = tmp_path / "games.db"
    await fill_store(file, 40)
    assert (await run(300, file))[0] == 40


async def test_a_file_that_was_not_filled_to_the_end_is_filled_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "games.db"
    with monkeypatch.context() as interrupted:
        interrupted.setattr(leaderboard, "_rating_row", None)
        with pytest.raises(TypeError):
            await fill_store(file, 40)
    assert (await run(40, file))[0] == 40


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
