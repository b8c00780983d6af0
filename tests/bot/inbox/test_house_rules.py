"""House rules are typed by words of their labels, and refused with labels and a line that can be typed."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from bot.i18n import Speech
from bot.inbox.arguments.house_rules import house_rule, house_rules, short_pair
from bot.settings.choices import LANGUAGES, Language
from engines import games
from tests.support.games import every_game
from tests.support.harness import PLACE, BotHarness, bot_harness


@pytest.fixture
async def bot() -> AsyncIterator[BotHarness]:
    async with bot_harness() as harness:
        yield harness


@pytest.mark.parametrize(
    ("language", "game", "line", "options"),
    [
        ("es", "trio_escalera", "movimientos 3", {"movements": "3"}),
        ("es", "trio_escalera", "Movimientos por: 3", {"movements": "3"}),
        ("en", "trio_escalera", "movements 3", {"movements": "3"}),
        ("en", "trio_escalera", "dealt 6", {"hand_size": "6"}),
        ("es", "trio_escalera", "escalera da la vuelta", {"ace": "wrap"}),
        ("es", "trio_escalera", "as bajo o", {"ace": "low_or_high"}),
        ("es", "casino", "robada nada (no se roba)", {"steal_with": "off"}),
        ("en", "casino", "3♥ never", {"exchange": "off"}),
        ("es", "casino", "cambio nunca", {"exchange": "off"}),
        ("en", "casino", "steal_with loose", {"steal_with": "table"}),
        ("en", "casino", "capture yes", {"multi_capture": "on"}),
    ],
)
async def test_a_house_rule_and_its_value_are_named_by_words_of_their_labels(
    bot: BotHarness, language: str, game: str, line: str, options: dict[str, str]
) -> None:
    ana = bot.caller("Ana", locale=language)
    await bot.say(ana, "new", game=game)
    await bot.type(ana, f"/options {line}")
    assert (await bot.table()).options == options


@pytest.mark.parametrize(
    ("language", "game", "line", "expected"),
    [
        (
            "en",
            "casino",
            "card captured",
            "“card” can mean several things: “Build a stolen card with” and “Top card after a capture”.",
        ),
        (
            "es",
            "trio_escalera",
            "as bajo",
            "«bajo» puede significar varias cosas: «bajo o alto» y «solo bajo».",
        ),
        (
            "es",
            "boathouse",
            "se no",
            "«se» puede significar varias cosas: «Las combinaciones se bajan» y «El Rummy se paga doble».",
        ),
        (
            "en",
            "casino",
            "top the",
            "“the” can mean several things: “the captured card” and “the capturing card”.",
        ),
        (
            "es",
            "casino",
            "carta de arriba tras una captura",
            "«Carta de arriba tras una captura» puede ser: ",
        ),
        ("es", "trio_escalera", "movimientos", "«Movimientos por turno» puede ser: 5, 1, 2"),
        ("es", "trio_escalera", "movimientos 50", "«Movimientos por turno» puede ser: 5, 1, 2"),
        ("es", "trio_escalera", "cartas", "«Cartas para cada jugador» puede ser: 8, 5"),
        ("en", "trio_escalera", "jokers yes", "The house rules are: “Rearrange the table”, "),
    ],
)
async def test_words_that_name_several_rules_or_none_are_refused_with_labels(
    bot: BotHarness, language: str, game: str, line: str, expected: str
) -> None:
    ana = bot.caller("Ana", locale=language)
    await bot.say(ana, "new", game=game)
    assert (await bot.type(ana, f"/options {line}")).notice.startswith(expected)
    assert (await bot.table()).options == {}


NO_RULE_EN = """
There is no house rule “jokers=no”. The house rules are: “You may take even if you can beat” (no, yes),
“You get your own six of trumps” (no, yes), “Mirrored hands” (no, yes), and “Saving a draw at the end”
(with one card, with one or two cards, never). Type a word of one and a word of its value: “take=yes”."""
NO_RULE_ES = """
No hay ninguna regla de la casa «comodines=no». Las reglas de la casa son: «Recoger aunque se pueda
matar» (no, sí), «Recibes tu seis de triunfo» (no, sí), «Manos en espejo» (no, sí) y «Salvar el empate al
final» (con una carta, con una o dos cartas, nunca). Escribe una palabra de una y otra de su valor:
«recoger=sí»."""
NUMBERS = """
No hay ninguna regla de la casa «comodines=no». Las reglas de la casa son: «Reordenar la mesa» (sí, no),
«El as en una escalera» (bajo o alto, solo bajo, también da la vuelta: K-A-2), «Movimientos por turno»
(1–10), """
SEVERAL = """
“you” can mean several things: “You may take even if you can beat” and “You get your own six of trumps”."""


@pytest.mark.parametrize(
    ("language", "line", "expected"),
    [
        ("en", "new svoi jokers=no", NO_RULE_EN),
        ("es", "nueva svoi comodines=no", NO_RULE_ES),
        ("es", "nueva trio comodines=no", NUMBERS),
        ("es", "nueva svoi recoger=jamás", "«Recoger aunque se pueda matar» puede ser: no, sí."),
        ("en", "new svoi hands=maybe", "“Mirrored hands” can be: no, yes."),
        (
            "es",
            "nueva svoi espejos=sí",
            "No hay ninguna regla de la casa «espejos=sí». ¿Querías decir «espejo=sí»?",
        ),
        ("en", "new svoi you=no", SEVERAL),
    ],
)
async def test_a_new_table_is_refused_in_labels_and_in_words_that_can_be_typed(
    bot: BotHarness, language: str, line: str, expected: str
) -> None:
    notice = (await bot.type(bot.caller("Ana", locale=language), f"/{line}")).notice
    assert notice.startswith(" ".join(expected.split()))
    assert await bot.store.tables(PLACE) == []


@every_game
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_rule_and_value_has_a_word_that_is_read(key: str, language: Language) -> None:
    game, say = games()[key], Speech(language)
    for option in game.options:
        for value in option.values:
            pair = short_pair(option, value, game, say)
            assert " " not in pair
            assert house_rules([pair], game, say) == {option.name: value}
            assert house_rule(pair, game, say) == (option.name, value)


async def test_a_new_table_has_the_rules_that_words_of_their_labels_name(bot: BotHarness) -> None:
    await bot.type(bot.caller("Ana", locale="es"), "/nueva trio movimientos=3 as=solo")
    assert (await bot.table()).options == {"movements": "3", "ace": "low"}
