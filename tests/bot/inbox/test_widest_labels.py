"""Buttons that stand alone in their row fit a phone: settings with long values, house rules as they begin."""

from __future__ import annotations

import pytest

from bot.ports import Caller, Page
from bot.settings.choices import LANGUAGES
from engines.drawing import cells
from tests.support.games import every_game
from tests.support.harness import BotHarness, bot_harness, rendered

A_ROW = 34
"""The most cells of a label that has a row of a phone for itself."""


def too_wide(page: Page | None) -> list[str]:
    """The labels too wide for a row among those that have one for themselves; asserts that some do."""
    labels = [row[0].label for row in rendered(page).rows if len(row) == 1]
    assert labels
    return [label for label in labels if cells(label) > A_ROW]


@pytest.fixture(params=LANGUAGES)
def language(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.mark.parametrize(
    ("setting", "value"), [("openers", "moderators"), ("clock", "300"), ("clock", "usual")]
)
async def test_the_settings_of_a_channel_fit(language: str, setting: str, value: str) -> None:
    async with bot_harness() as bot:
        mia = bot.caller("Mia", locale=language, moderator=True)
        await bot.say(mia, "channel", **{setting: value})
        assert too_wide((await bot.say(mia, "channel")).page) == []


async def test_the_choices_for_players_who_vanish_fit(language: str) -> None:
    async with bot_harness() as bot:
        ana = await opened(bot, "casino", language)
        for vanish in ("computer", "forfeit"):
            await bot.say(ana, "clock", clock="off", vanish=vanish)
            assert too_wide((await bot.say(ana, "clock")).page) == []


async def opened(bot: BotHarness, key: str, language: str) -> Caller:
    ana = bot.caller("Ana", locale=language)
    await bot.say(ana, "new", game=key)
    return ana


@every_game
async def test_the_house_rules_of_every_game_fit(language: str, key: str) -> None:
    async with bot_harness() as bot:
        await opened(bot, key, language)
        table = await bot.table()
        ana = bot.caller("Ana", locale=language)
        assert too_wide((await bot.press(ana, f"{table.id}:0:house_rules", replaceable=True)).page) == []
