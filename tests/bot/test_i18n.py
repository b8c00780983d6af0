"""Translation: languages, plurals, lists, and names and typed words that cannot break a message."""

from __future__ import annotations

import unicodedata

import pytest
from babel.lists import format_list
from hypothesis import given, settings
from hypothesis import strategies as st
from wcwidth import wcswidth

from bot.i18n import _BLANK, NAME_WIDTH, Speech, safe_name
from bot.settings.choices import LANGUAGES, Language, language
from engines.cards import Card, cards, deck
from engines.game import Name, Text, plural

EN, ES = Speech("en", ("Ana", "Beto")), Speech("es", ("Ana", "Beto"))
POINTS = ("{who} wins with {n} point.", "{who} wins with {n} points.")


@pytest.mark.parametrize(
    ("given", "safe"),
    [
        ("Ana", "Ana"),
        ("  Ana \t María ", "Ana María"),
        ("Ana\nBeto\r\nCarla", "Ana Beto Ca…"),
        ("A\u2028B\u2029C\u0085D", "A B C D"),
        ("`Ana`", "`Ana`"),
        ("@everyone", "@everyone"),
        ("<@!1234>", "<@!1234>"),
        ("**B**_o_b||", "**B**_o_b||"),
        ("<b>Bob</b>", "<b>Bob</b>"),
        ("# [Ana](x)", "# [Ana](x)"),
        ("&lt;\\n", "&lt;\\n"),
        ("\u202eana\u202c", "ana"),
        ("\u2066ana\u2069\u200f", "ana"),
        ("a\u200bn\u200d\ufeffa", "ana"),
        ("\x1b[31mAna\x00\x07\x9b", "[31mAna"),
        ("Ana\udcff", "Ana"),
        ("{0}", "{0}"),
        ("%s", "%s"),
        ("李小龍", "李小龍"),
        ("Bartolomé Sánchez", "Bartolomé S…"),
        ("x" * 12, "x" * 12),
        ("x" * 13, "x" * 11 + "…"),
        ("一二三四五六", "一二三四五六"),
        ("一二三四五六七", "一二三四五…"),
        ("Bartolomé   ", "Bartolomé"),
        ("Bartolome\u0301", "Bartolome\u0301"),
        ("नमस्ते", "नमस्ते"),
        ("\U0001f44b\U0001f3fd Ana", "\U0001f44b\U0001f3fd Ana"),
        ("Carolina de la Torre", "Carolina de…"),
        ("", ""),
        ("\u200b\n", ""),
        ("\u3164\u2800\u115f\uffa0", ""),
    ],
)
def test_a_name_is_made_safe(given: str, safe: str) -> None:
    assert safe_name(given) == safe


def test_no_full_stop_follows_a_name_that_is_cut() -> None:
    say = Speech("es", ("Luis Fernando", "Ana"))
    last = [Text("{who} goes first.", who=Name(seat)) for seat in (0, 1)]
    assert [*map(say, last)] == ["Empieza Luis Fernan…", "Empieza Ana."]
    joined = Text("Not answered yet: {who}.", who=(Name(1), Name(0)))
    assert say(joined) == "Falta la respuesta de Ana y Luis Fernan…"


@settings(deadline=None)
@given(st.text(max_size=40))
def test_every_safe_name_is_short_visible_and_safe_already(name: str) -> None:
    safe = safe_name(name)
    assert 0 <= wcswidth(safe) <= NAME_WIDTH
    assert safe_name(safe) == safe
    assert safe == safe.strip()
    assert all(unicodedata.category(char)[0] != "C" for char in safe)


@settings(deadline=None)
@given(st.text(st.characters(categories=["L", "N", "P", "S"]), max_size=5))
def test_a_short_name_keeps_its_visible_letters(name: str) -> None:
    drawn = "".join(char for char in name if char not in _BLANK)
    assert safe_name(name) == drawn or wcswidth(drawn) > NAME_WIDTH


def test_marks_piled_on_a_letter_are_cut_too() -> None:
    assert safe_name("Z\u0353" + "\u0301\u200b" * 500 + "o") == "Z\u0353\u0301o"


def test_a_name_of_any_length_is_cut_at_once() -> None:
    assert safe_name("x" * 50_000) == "x" * 11 + "…"


@pytest.mark.parametrize(
    ("tag", "known"),
    [
        ("es", "es"),
        ("es_MX.UTF-8", "es"),
        ("es-419", "es"),
        ("ES-es", "es"),
        ("es.UTF-8", "es"),
        ("es_ES@euro", "es"),
        ("en_GB", "en"),
        ("est_EE", "en"),
        ("de_DE.UTF-8", "en"),
        ("C.UTF-8", "en"),
        ("POSIX", "en"),
        ("", "en"),
        (None, "en"),
    ],
)
def test_the_language_of_a_tag(tag: str | None, known: Language) -> None:
    assert language(tag) == known


@pytest.mark.parametrize(
    ("say", "n", "said"),
    [
        (EN, 0, "Ana wins with 0 points."),
        (EN, 1, "Ana wins with 1 point."),
        (EN, 2, "Ana wins with 2 points."),
        (EN, -1, "Ana wins with -1 points."),
        (ES, 0, "Gana Ana con 0 puntos."),
        (ES, 1, "Gana Ana con 1 punto."),
        (ES, 21, "Gana Ana con 21 puntos."),
    ],
)
def test_what_is_counted_has_its_plural(say: Speech, n: int, said: str) -> None:
    assert say(plural(*POINTS, n, who=Name(0))) == said


@pytest.mark.parametrize(
    ("say", "held", "said"),
    [
        (EN, "AH", "A♥"),
        (EN, "AH 5C", "A♥ and 5♣"),
        (EN, "AH 5C 10S", "A♥, 5♣, and 10♠"),
        (ES, "AH 5C", "A♥ y 5♣"),
        (ES, "AH 5C 10S", "A♥, 5♣ y 10♠"),
        (ES, "KSr 10Db", "K♠r y 10♦b"),
        (EN, "", ""),
    ],
)
def test_several_cards_are_listed(say: Speech, held: str, said: str) -> None:
    assert say(Text("{cards}", cards=cards(held))) == said


@pytest.mark.parametrize("language", list(LANGUAGES))
@pytest.mark.parametrize("count", range(5))
def test_lists_are_joined_as_unicode_says(language: Language, count: int) -> None:
    words = tuple(map(Text, ("Ana", "Beto", "Carla", "Dora")[:count]))
    listed = format_list([word.message for word in words], locale=language)
    assert Speech(language)(Text("{list}", list=words)) == listed


def test_several_names_are_listed() -> None:
    assert ES(Text("{who}", who=(Name(0), Name(1)))) == "Ana y Beto"


def test_a_text_may_stand_in_a_text() -> None:
    inner = plural(*POINTS, 1, who=Name(1))
    assert ES(Text("{inner}", inner=inner)) == "Gana Beto con 1 punto."


@pytest.mark.parametrize("locale", list(LANGUAGES))
def test_letters_stand_for_suits(locale: Language) -> None:
    say = Speech(locale, ("Ana♥",), letters=True)
    said = say(Text("{who} {card} {cards} ♦", who=Name(0), card=Card("10H"), cards=deck()))
    assert not set(said) & set("♠♥♦♣")
    assert said.startswith("AnaH 10H AS, 2S")


def test_who_has_no_name_is_called_by_the_number_of_the_seat() -> None:
    assert [EN.name(0), EN.name(2), Speech("en", ("\u200b",)).name(0)] == ["Ana", "Player 3", "Player 1"]
    assert ES.name(2) == "Jugador 3"


@pytest.mark.parametrize("name", ["{0}", "{who}", "{}", "{", "}", "{{x}}", "%(who)s", "{0.__class__}"])
@pytest.mark.parametrize("say", [EN, ES], ids=list(LANGUAGES))
def test_a_name_cannot_break_a_message(say: Speech, name: str) -> None:
    named = Speech(say.locale, (name,))
    text = Text("{who} throws {card}.", who=Name(0), card=Card("AS"))
    assert named(text) == say(text).replace("Ana", safe_name(name))


@pytest.mark.parametrize("typed", ["{0}", "{words}", "{"])
def test_what_somebody_typed_cannot_break_a_message(typed: str) -> None:
    assert EN(Text("{who} cut the deck: {words}", who=Name(0), words=typed)) == f"Ana cut the deck: {typed}"


@pytest.mark.parametrize("typed", ["\x1b[31mx", "x\n\r", "\u202ex\u2069", "\x9bx", "x\u200b", "\udcffx"])
def test_what_somebody_typed_brings_no_control_characters(typed: str) -> None:
    said = EN(Text("There is no {card} in this game.", card=typed))
    assert said.isprintable()
    assert "x" in said


def test_a_language_unknown_speaks_english() -> None:
    stranger = Speech("tlh", ("Ana",))  # type: ignore[arg-type]
    assert stranger(Text("{who} throws {card}.", who=Name(0), card=Card("AS"))) == "Ana throws A♠."
    assert stranger.name(1) == "Player 2"


def test_a_sentence_without_translation_is_said_in_english() -> None:
    assert ES(Text("Nobody ever translated {this}.", this=1)) == "Nobody ever translated 1."


def test_spanish_is_spanish() -> None:
    assert ES(Text("{who} throws {card}.", who=Name(0), card=Card("AS"))) != EN(
        Text("{who} throws {card}.", who=Name(0), card=Card("AS"))
    )
