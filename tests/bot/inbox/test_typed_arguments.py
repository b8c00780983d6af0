"""Which words of a typed line each parameter gets, and how words that fit none are refused."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from bot.i18n import Speech, folded
from bot.inbox.arguments.commands import command_named
from bot.inbox.arguments.house_rules import house_rule, house_rules
from bot.inbox.arguments.typed_arguments import UNREAD, arguments, fits
from bot.inbox.arguments.value_words import PREFERENCE_WORDS, WORDS, as_read, meant
from bot.inbox.handlers.settings.preferences import PREFERENCES
from bot.model.tables import Refused
from bot.settings.choices import LANGUAGES
from engines import games
from tests.support.harness import PLACE, BotHarness, bot_harness, text


@pytest.fixture
async def bot() -> AsyncIterator[BotHarness]:
    async with bot_harness() as harness:
        yield harness


@pytest.mark.parametrize(
    ("name", "line", "given"),
    [
        ("new", "svoi level=hrad", {"game": "svoi", "level": "hrad"}),
        ("nueva", "svoi nivel:fácil", {"game": "svoi", "level": "fácil"}),
        ("new", "casino seats=3 clock=2d", {"game": "casino", "players": "3", "clock": "2d"}),
        ("new", "casino 3 players hard", {"game": "casino", "players": "3", "level": "hard"}),
        ("nueva", "Trío y Escalera 2", {"game": "Trío y Escalera", "players": "2"}),
        ("new", "casino hard 2 days", {"game": "casino", "level": "hard", "clock": "2days"}),
        ("new", "casino x=y 3 z=on", {"game": "casino", "players": "3", "rules": "x=y z=on"}),
        ("new", "casino level hrad", {"game": "casino", "level": "hrad"}),
        ("new", "casino with @ana @luis 3", {"game": "casino", "with": "@ana @luis", "players": "3"}),
        ("computers", "hard 2", {"level": "hard", "number": "2"}),
        ("computers", "1 imposible", {"number": "1", UNREAD: "imposible"}),
        ("clock", "90 seconds", {"clock": "90seconds"}),
        ("channel", "60", {"clock": "60"}),
        ("channel", "everywhere 60 en", {"where": "everywhere", "clock": "60", "language": "en"}),
        ("leaderboard", "svoi kozyri mes", {"game": "svoi kozyri", "period": "mes"}),
        ("profile", "Ana María", {"player": "Ana María"}),
        ("kick", "Ana María 2", {"player": "Ana María", "table": "2"}),
        ("language", "Spanish, please!", {"language": "Spanish"}),
        ("idioma", "por favor inglés", {"language": "inglés"}),
        ("idioma", "español aquí", {"language": "español", "for": "aquí"}),
        ("new", "casino please 3 hard thank you", {"game": "casino", "players": "3", "level": "hard"}),
        ("kick", "Ana María, por favor.", {"player": "Ana María"}),
        ("settings", "order suit pls", {"setting": "order", "value": "suit"}),
        ("computers", "please", {}),
        ("cut", "please be kind, gracias", {"words": "please be kind, gracias"}),
        ("channel", "off", {UNREAD: "off"}),
        ("channel", "60 off", {"clock": "60", "threads": "off"}),
        ("channel", "threads off", {"threads": "off"}),
        ("clock", "off", {"clock": "off"}),
        ("play", "b2 table:2", {"move": "b2", "table": "2"}),
        ("jugar", "draw stock mesa 2", {"move": "draw stock", "table": "2"}),
        ("play", "b2 1", {"move": "b2 1"}),
        ("options", "5 hard table=2", {"rule": "5 hard", "table": "2"}),
        ("settings", "zone New York", {"setting": "zone", "value": "New York"}),
    ],
)
def test_each_word_goes_to_the_parameter_that_a_person_means(
    name: str, line: str, given: dict[str, str]
) -> None:
    command = command_named(name)
    assert command
    assert arguments(command, line) == given


def test_a_game_without_house_rules_offers_none() -> None:
    class Bare(type(games()["svoi"])):  # type: ignore[misc]
        options = ()

    say = Speech("en")
    with pytest.raises(Refused) as refused:
        house_rules(["magnet=on"], Bare(), say)
    assert say(refused.value.reason) == "Svoi Kozyri has no house rules."
    with pytest.raises(Refused) as refused:
        house_rule("magnet on", Bare(), say)
    assert say(refused.value.reason) == "Svoi Kozyri has no house rules."


def test_accents_of_a_command_count_for_nothing() -> None:
    assert command_named("Clasificación") is command_named("leaderboard")


@pytest.mark.parametrize(
    ("locale", "line", "expected"),
    [
        ("en", "new svoi level=hrad", "“level” can't be “hrad”. Did you mean “hard”?"),
        ("es", "nueva svoi nivel=dificl", "«nivel» no puede ser «dificl». ¿Querías decir «difícil»?"),
        ("es", "nueva svoi nivel=hrad", "«nivel» no puede ser «hrad». ¿Querías decir «difícil»?"),
        ("en", "new svoi hrad", "I don't understand “hrad”. Did you mean “hard”?"),
        ("en", "new svoi pace=fsat", "“pace” can't be “fsat”. Did you mean “fast”?"),
        ("es", "nueva svoi ritmo=turbo", "«ritmo» no puede ser «turbo». Elige: natural, rápido,"),
        ("es", "nueva svoi pistas=quizás", "«pistas» no puede ser «quizás». Elige: sí, no."),
        ("en", "new svoi seats=five", "Svoi Kozyri is for two players."),
        ("en", "new svoi vanish=loose", "“vanish” can't be “loose”. Did you mean “forfeit”?"),
        ("en", "new casino clock=3", "A turn can last 15 to 300 seconds (60), or 1 to 7 days (2days)."),
        ("en", "new casino steal-with=hand", "There is no house rule “steal-with=hand”. Did you"),
        ("es", "computers 1 imposible", "«nivel» no puede ser «imposible». Elige: fácil, normal, difícil."),
        ("en", "channel 3", "A turn can last 15 to 300 seconds (60), or 1 to 7 days (2days)."),
        ("en", "channel off", "“off” can mean several things. Type “clock off” or “threads off”."),
        ("es", "canal no", "«no» puede significar varias cosas. Escribe «reloj no» o «hilos no»."),
        ("en", "channel langauge", "I don't understand “langauge”. Did you mean “language”?"),
        (
            "es", "canal moderators ya",
            "No entiendo «ya». Puedes indicar: idioma, reloj, hilos, donde; por ejemplo, «idioma inglés».",
        ),
        ("es", "idioma español para=luna", "«para» no puede ser «luna». Elige: mí, aquí."),
        ("en", "channel where=moon", "“where” can't be “moon”. Choose: here, everywhere."),
        ("es", "idioma klingon", "«idioma» no puede ser «klingon». Elige: inglés, español."),
        ("en", "options level hrad", "“level” can't be “hrad”. Did you mean “hard”?"),
        ("es", "opciones ritmo turbo", "«ritmo» no puede ser «turbo». Elige: natural, rápido, al instante."),
    ],
)  # fmt: skip
async def test_a_word_that_fits_nothing_is_refused_with_what_is_possible(
    bot: BotHarness, locale: str, line: str, expected: str
) -> None:
    ana = bot.caller("Ana", moderator=True, locale=locale)
    if line.startswith(("comp", "opt", "opc")):
        await bot.say(ana, "new", game="casino")
    tables = await bot.store.tables(PLACE)
    assert (await bot.type(ana, f"/{line}")).notice.startswith(expected)
    assert await bot.store.tables(PLACE) == tables


async def test_values_that_are_named_among_the_house_rules_are_read(bot: BotHarness) -> None:
    ana = bot.caller("Ana")
    refused = await bot.say(ana, "new", game="svoi", rules="level=hrad")
    assert refused.notice == "“level” can't be “hrad”. Did you mean “hard”?"
    await bot.say(ana, "new", game="svoi", rules="level=hard, clock=30")
    table = await bot.table()
    assert (table.level, table.clock) == ("hard", 30)


async def test_a_channel_is_told_its_clock_by_a_number(bot: BotHarness) -> None:
    ana = bot.caller("Ana", moderator=True)
    page = (await bot.type(ana, "/channel 60")).page
    assert page is not None
    assert "Clock: 60 seconds a turn" in [key.label for key in page.numbered]


async def test_words_after_all_that_a_command_needs_are_ignored(bot: BotHarness) -> None:
    ana = bot.caller("Ana")
    await bot.say(ana, "new", game="casino")
    beto = bot.caller("Beto")
    assert "Casino" in text((await bot.type(beto, "/join 1 please")).page)


def test_every_word_that_a_refusal_offers_is_a_value() -> None:
    for kind, words in WORDS.items():
        for language in LANGUAGES:
            assert all(fits(kind, word) for word in as_read(words, language).values()), kind


def test_every_value_of_a_setting_has_words_that_mean_nothing_else() -> None:
    for name, preference in PREFERENCES.items():
        words = PREFERENCE_WORDS.get(name, {})
        assert set(words) == set(preference.values), name
        spellings = [folded(word) for value in words.values() for word in dict.fromkeys(value)]
        assert sorted(spellings) == sorted(set(spellings)), name
        assert all(meant(words, word) == value for value, typed in words.items() for word in typed), name
