"""The clock of a table as its owner chooses it, by buttons and by words."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from bot.table_service.bounds import Bounds
from bot.tables.turn_clock import DAY
from tests.support.harness import BotHarness, bot_harness, key, keys, text

LANGUAGES = pytest.mark.parametrize("language", ["en", "es"])


@pytest.fixture
async def bot() -> AsyncIterator[BotHarness]:
    async with bot_harness() as opened:
        yield opened


@LANGUAGES
async def test_the_owner_chooses_the_clock_by_buttons(bot: BotHarness, language: str) -> None:
    ana = bot.caller("Ana", locale=language)
    await bot.say(ana, "new", game="casino")
    table = await bot.table()
    page = (await bot.press(ana, f"{table.id}:0:clock")).page
    page = (await bot.press(ana, key(page, "30 s").data)).page
    assert ((await bot.table()).clock, (await bot.table()).vanish) == (30, "computer")
    last = key(page, {"en": "If you vanish", "es": "Si desapareces"}[language])
    page = (await bot.press(ana, last.data)).page
    assert ((await bot.table()).clock, (await bot.table()).vanish) == (30, "forfeit")
    await bot.press(ana, key(page, {"en": "as usual", "es": "el habitual"}[language]).data)
    assert ((await bot.table()).clock, (await bot.table()).vanish) == (None, "forfeit")


async def test_only_the_owner_changes_the_clock(bot: BotHarness) -> None:
    ana, beto = bot.caller("Ana"), bot.caller("Beto")
    await bot.say(ana, "new", game="casino")
    await bot.say(beto, "join")
    page = (await bot.say(beto, "clock")).page
    who = "Only Ana can change the clock."
    assert who in text(page)
    assert "If you vanish, a computer plays on." in text(page)
    assert not keys(page)
    own = (await bot.say(ana, "clock")).page
    assert who not in text(own)
    reply = await bot.press(beto, key(own, "30 s").data)
    assert reply.notice == "Only Ana can do that: the table is theirs."
    assert (await bot.table()).clock is None


@pytest.mark.parametrize(
    ("words", "seconds"), [("30", 30), ("90s", 90), ("2d", 2 * DAY), ("off", 0), ("no", 0)]
)
async def test_a_clock_is_typed(bot: BotHarness, words: str, seconds: int) -> None:
    ana = bot.caller("Ana")
    await bot.say(ana, "new", game="casino")
    await bot.say(ana, "clock", clock=words)
    assert (await bot.table()).clock == seconds


@pytest.mark.parametrize(
    ("locale", "refusal"),
    [
        ("en", "There is already 1 table here where a turn lasts days. Choose a shorter clock."),
        ("es", "Aquí ya hay 1 mesa con turnos de días. Elige un reloj más corto."),
    ],
)
async def test_a_place_with_enough_clocks_of_days_has_no_more(locale: str, refusal: str) -> None:
    async with bot_harness(bounds=Bounds(days=1)) as bot:
        ana = bot.caller("Ana", locale=locale)
        await bot.say(ana, "new", game="casino", clock="2d")
        assert refusal in text((await bot.say(ana, "new", game="casino", clock="1d")).page)
        await bot.say(ana, "new", game="svoi")
        assert refusal in text((await bot.say(ana, "clock", clock="1d", table="2")).page)
        assert (await bot.table(2)).clock is None
        await bot.say(ana, "clock", clock="7d", table="1")
        assert (await bot.table(1)).clock == 7 * DAY


@pytest.mark.parametrize("words", ["14", "301", "8d", "1.5d", "soon", "-1", "9" * 400])
async def test_a_clock_that_no_table_may_have_is_refused(bot: BotHarness, words: str) -> None:
    ana = bot.caller("Ana")
    await bot.say(ana, "new", game="casino")
    assert "300" in (await bot.say(ana, "clock", clock=words)).notice
    assert (await bot.table()).clock is None


@pytest.mark.parametrize(
    ("locale", "line", "expected"),
    [
        (
            "en",
            "clock 7",
            "There is no table 7 here, and the clock can't be 7. A turn can last 15 to 300 seconds ",
        ),
        (
            "es",
            "reloj 7 pierde",
            "Aquí no hay ninguna mesa 7, y el reloj tampoco puede ser 7. Un turno puede durar de 15 a ",
        ),
        ("es", "reloj 60 7", "Aquí no hay ninguna mesa 7."),
        ("en", "clock table 60", "There is no table 60 here."),
    ],
)
async def test_a_number_of_no_table_is_refused_with_clocks_where_it_could_be_one(
    bot: BotHarness, locale: str, line: str, expected: str
) -> None:
    ana = bot.caller("Ana", locale=locale)
    await bot.say(ana, "new", game="casino")
    assert (await bot.type(ana, f"/{line}")).notice.startswith(expected)
    assert (await bot.table()).clock is None


async def test_a_tables_number_shows_its_clock(bot: BotHarness) -> None:
    ana = bot.caller("Ana")
    for _ in range(2):
        await bot.say(ana, "new", game="casino")
    page = (await bot.type(ana, "/clock 2")).page
    assert key(page, "30 s").data.startswith((await bot.table(2)).id)


async def test_a_player_who_is_away_is_back_with_a_step_that_makes_no_move(bot: BotHarness) -> None:
    ana, beto = await bot.begin("casino", "Ana", "Beto", clock="30")
    mover = await bot.to_play((ana, beto))
    await bot.clock.advance(62)
    assert "is away" in text(bot.public_panel())
    await bot.say(mover, "hand")
    await bot.clock.advance(2)
    assert "is away" not in text(bot.public_panel())
