"""Looking back at a finished game: by words line by line, by a button or words on the full screen."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from adapters.terminal.screens.analysis import AnalysisScreen
from bot.table_service.analysis_jobs import Analyses
from engines.values import replace
from tests import luck
from tests.adapters.terminal.screen import playing
from tests.adapters.terminal.test_plain import BONES, Printed, play
from tests.support.judging import Judge


@pytest.fixture
def judge(monkeypatch: pytest.MonkeyPatch) -> Judge:
    """Replaces the search, which takes seconds."""
    found = Judge()
    monkeypatch.setattr(
        "adapters.terminal.session.Analyses", lambda store, service, thinker: Analyses(store, service, found)
    )
    return found


@pytest.mark.usefixtures("judge")
@pytest.mark.parametrize(
    ("locale", "line", "own"),
    [
        ("en", "look back", "Your chance: "),
        ("es", "repasar", "Tu probabilidad: "),
        ("es", "analizar", "Tu probabilidad: "),
    ],
)
def test_typed_words_look_back_at_the_game(locale: Any, line: str, own: str, capsys: Printed) -> None:
    asked: list[str] = []

    def answer(screen: str) -> str:
        if "Another game" in screen or "Otra partida" in screen or "¿" in screen.splitlines()[-1]:
            asked.append(screen)
            return "no\n" if len(asked) == 2 else f"{line}\n"
        return "1\n"

    _, screens = play(capsys, replace(BONES, locale=locale), answer)
    assert own in screens[-2]
    # The title is the game alone: tables at a terminal show no number.
    assert "Cardlebones" in screens[-2].splitlines()
    # Screen readers spell bars.
    assert not set("▁▂▃▄▅▆▇█") & set(screens[-2])
    assert max(map(len, screens[-2].splitlines())) <= 80


@pytest.mark.parametrize("keys", [("4", "enter"), (*"look back", "enter")])
async def test_a_button_and_words_of_the_full_screen_look_back(judge: Judge, keys: tuple[str, ...]) -> None:
    judge.gate = asyncio.Semaphore(0)
    async with playing(BONES) as person:
        await person.fast_forward(luck.rng())
        assert "4) Look back" in person.labels()
        await person.press(*("space" if key == " " else key for key in keys))
        assert "I'm looking back at the game: 0%." in person.text()
        judge.open()
        await person.until("Chances to win, from the deal to the end:")
        await person.until("Your chance: ")
        await person.press("f2")
        await person.until("Tu probabilidad: ")
        await person.press("escape")
        assert person.table.is_active


async def test_a_look_back_may_be_left_before_it_is_done(judge: Judge) -> None:
    judge.gate = asyncio.Semaphore(0)
    async with playing(BONES) as person:
        await person.fast_forward(luck.rng())
        for _ in range(3):
            await person.press("4", "enter")
            assert not person.table.is_active
            await person.press("escape")
            assert person.table.is_active


@pytest.mark.parametrize("part", ["#text > Static", "#keys"])
async def test_a_screen_that_is_being_removed_is_not_redrawn(judge: Judge, part: str) -> None:
    judge.gate = asyncio.Semaphore(0)
    async with playing(BONES) as person:
        await person.fast_forward(luck.rng())
        await person.press("4", "enter")
        screen = person.app.screen
        assert isinstance(screen, AnalysisScreen)
        # Textual removes the parts of a screen before it cancels its workers.
        await screen.query_one(part).remove()
        screen.redraw()
        await person.press("escape")
        assert person.table.is_active


@pytest.mark.usefixtures("judge")
async def test_players_who_share_a_keyboard_read_the_chances_of_each() -> None:
    async with playing(replace(BONES, names=("Ana", "Beto"))) as person:
        await person.fast_forward(luck.rng())
        await person.choose("4")
        await person.until("Ana: ")
        await person.until("Beto: ")
