"""/rules without a game shows the rules of the game that is played, and a key for others, or asks which."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from bot.model.places import Place
from engines import games
from engines.values import replace
from tests.support.harness import BotHarness, bot_harness, key, keys, text

OTHER_GAMES = {"en": "Other games", "es": "Otros juegos"}


@pytest.fixture
async def bot() -> AsyncIterator[BotHarness]:
    async with bot_harness() as harness:
        yield harness


@pytest.mark.parametrize("language", ["en", "es"])
async def test_where_one_table_is_open_its_rules_are_shown(bot: BotHarness, language: str) -> None:
    await bot.say(bot.caller("Ana"), "new", game="svoi")
    eva = bot.caller("Eva", locale=language)
    page = (await bot.say(eva, "rules")).page
    assert text(page) == text((await bot.say(eva, "rules", game="svoi")).page)
    others = (await bot.press(eva, key(page, OTHER_GAMES[language]).data)).page
    assert len(keys(others)) == len(games())
    assert "Casino" in text((await bot.press(eva, key(others, "Casino").data)).page)


async def test_several_tables_of_one_game_show_its_rules(bot: BotHarness) -> None:
    for name in ("Ana", "Beto"):
        await bot.say(bot.caller(name), "new", game="svoi")
    page = (await bot.say(bot.caller("Eva"), "rules")).page
    assert text(page).startswith("Svoi Kozyri")


async def test_of_several_tables_the_senders_own_shows_its_rules(bot: BotHarness) -> None:
    ana = bot.caller("Ana")
    await bot.say(ana, "new", game="svoi")
    await bot.say(bot.caller("Beto"), "new", game="casino")
    assert text((await bot.say(ana, "rules")).page).startswith("Svoi Kozyri")
    assert "Which game?" in text((await bot.say(bot.caller("Eva"), "rules")).page)


async def test_a_player_reads_the_rules_of_their_only_game_elsewhere(bot: BotHarness) -> None:
    ana = bot.caller("Ana")
    await bot.say(ana, "new", game="svoi")
    private = bot.caller("Ana", private=True)
    assert text((await bot.say(private, "rules")).page).startswith("Svoi Kozyri")


async def test_a_group_is_not_told_what_a_player_plays_elsewhere(bot: BotHarness) -> None:
    ana = bot.caller("Ana")
    await bot.say(ana, "new", game="svoi")
    elsewhere = replace(ana, place=Place("wall", "park"))
    assert "Which game?" in text((await bot.say(elsewhere, "rules")).page)


async def test_a_player_of_several_games_is_asked_for_which(bot: BotHarness) -> None:
    ana = bot.caller("Ana")
    for game in ("svoi", "casino"):
        await bot.say(ana, "new", game=game)
    assert "Which game?" in text((await bot.say(ana, "rules")).page)
