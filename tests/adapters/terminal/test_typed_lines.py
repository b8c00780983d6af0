"""What a line typed at the terminal means: a number, a card, a word about the game, or a move."""

from __future__ import annotations

import pytest
from textual import events
from textual.widgets.input import Selection

from adapters.terminal import typed_lines
from adapters.terminal.session import Session
from adapters.terminal.setup import Setup
from adapters.terminal.typed_lines import (
    LONGEST_LINE,
    TypedCards,
    TypedItem,
    TypedLine,
    TypedMove,
    TypedWord,
    acts_at_once,
    read_line,
)
from bot.pages.menus.menu_items import Menu
from bot.settings.choices import Language
from engines.cards import Card
from engines.game import Seat
from engines.values import replace
from tests.adapters.terminal.screen import playing
from tests.adapters.terminal.test_plain import CASINO, Printed, play

BEGUN = replace(CASINO, seed="abc")
"""A deal in which Ana goes first."""
SECOND = replace(CASINO, seed="two")
"""A deal in which Ana goes second, and can capture."""
SESSION = Session(BEGUN)


def means(line: str, session: Session = SESSION) -> TypedLine:
    return read_line(session, 0, line, session.menu(0, 20))


def test_a_number_is_an_item_of_the_menu() -> None:
    items = SESSION.menu(0, 20).items
    assert [means(str(n)) for n in range(1, len(items) + 1)] == [TypedItem(item) for item in items]


def test_a_cards_name_is_never_a_number() -> None:
    held = [str(card) for card in SESSION.table.state.hands[0]]
    for card in held:
        meant = means(card.lower())
        if isinstance(meant, TypedMove):
            assert card in meant.action.split()
        else:
            assert meant == TypedCards((card,))


@pytest.mark.parametrize(
    ("line", "asked"),
    [
        ("u", TypedWord("take back")),
        ("Deshacer", TypedWord("take back")),
        ("h", TypedWord("hint")),
        ("historial", TypedWord("history")),
        ("mano", TypedWord("hand")),
        ("atrás", TypedWord("back")),
        ("rules casino", TypedWord("rules", "casino")),
        ("", TypedWord("look")),
    ],
)
def test_words_about_the_game_are_known_in_all_languages(line: str, asked: TypedWord) -> None:
    assert means(line) == asked


def test_a_digit_waits_where_cards_can_be_played() -> None:
    numbers = [str(n) for n in range(1, len(SESSION.menu(0, 20).items) + 1)]
    assert len(numbers) > 2
    assert not any(acts_at_once(SESSION, 0, n, numbers) for n in numbers)


def test_a_digit_acts_where_no_card_can_be_meant_and_no_other_number_begins_with_it() -> None:
    session = Session(replace(BEGUN, key="cardlebones"))
    numbers = [str(n) for n in range(1, 10)]
    # The menu says “9♥ to a1”, which may be typed.
    assert [n for n in numbers if not acts_at_once(session, 0, n, numbers)] == ["9"]
    assert not acts_at_once(session, 0, "1", [*numbers, "10"])
    assert not acts_at_once(session, 0, "0", numbers)


def test_before_drawing_a_digit_waits_that_a_card_of_the_hand_begins_with() -> None:
    session = Session(replace(BEGUN, key="boathouse"))
    ranks = {card[0] for card in session.table.state.hands[0]}
    assert ranks & set("123456789")
    for digit in "12":
        assert acts_at_once(session, 0, digit, ["1", "2"]) == (digit not in ranks)


@pytest.mark.parametrize(
    ("locale", "line", "expected"),
    [
        ("en", "trow 3h", "That isn't a move in this game. Did you mean “throw 3h”?"),
        ("en", "hisory", "That isn't a move in this game. Did you mean “history”?"),
        ("es", "tirra 3h", "¿Querías decir «tirar 3h»?"),
        ("en", "10h", "10♥ isn't in your hand, and no move takes it now."),
        ("en", "10c 3h", "3♥ isn't in your hand, and no move takes it now."),
        ("en", "10c 7c", "You have no move with 10♣ and 7♣ right now."),
        ("es", "5d 5d", "Escribiste 5♦ dos veces."),
        ("en", "thr 2s", "Did you mean “throw 2s”?"),
        ("en", "steal", "You can't play “Steal and build” right now. Try: throw AH"),
        ("es", "cap 2s", "Ahora no puedes jugar «Capturar». Prueba: tirar AH"),
        ("en", "kh", "There is no K♥ in this game."),
        ("en", "throw 3x", "There is no 3x in this game: the suits are S, H, D, and C."),
        (
            "es",
            "tirar 7T",
            "no hay 7T: los palos son S (picas), H (corazones), D (diamantes) y C (tréboles).",
        ),
        ("en", "throw QT", "There is no QT in this game: the suits are S, H, D, and C."),
        ("es", "tirar kx", "no hay kx: los palos son S (picas), H (corazones)"),
        ("en", "throw to", "“to” isn't a card."),
        ("es", "tirar con", "«con» no es una carta."),
        ("en", "throw 3", "“3” isn't a card."),
        ("es", "9♦ 3s", "9♦ no está en tu mano, y ahora ninguna jugada la usa."),
        ("es", "historal", "¿Querías decir «historial»?"),
    ],
)
def test_a_near_word_is_named(locale: Language, line: str, expected: str, capsys: Printed) -> None:
    _, screens = play(capsys, replace(BEGUN, locale=locale), [line])
    assert expected in " ".join(screens[1].split())


def test_words_that_begin_several_labels_are_told_how_those_go_on(capsys: Printed) -> None:
    _, screens = play(capsys, replace(CASINO, seed="dos", locale="es"), ["hacer", "hacer 9"])
    assert "Hacer 6: A♦★+5♥\n" in screens[0]
    printed = " ".join(screens[1].split())
    assert printed.startswith(
        "Después de «Hacer» puedes escribir: 6: A♦★+5♥; 9: 4♦+5♥. Prueba: construir AD 5H"
    )
    assert "construye un 9 con 4♦ y 5♥" in screens[2]


@pytest.mark.parametrize(
    ("locale", "lines", "expected"),
    [
        ("en", ["build 6"], "Ana builds 6 with A♦ and 5♥."),
        ("es", ["construir 6"], "Ana construye un 6 con A♦ y 5♥."),
    ],
)
def test_a_verb_and_the_beginning_of_a_label_are_its_move(
    locale: Language, lines: list[str], expected: str, capsys: Printed
) -> None:
    _, screens = play(capsys, replace(CASINO, seed="dos", locale=locale), lines)
    assert expected in " ".join(screens[1].split())


def test_a_card_with_several_moves_shows_them_and_back_leads_back(capsys: Printed) -> None:
    table, screens = play(capsys, SECOND, ["u"])
    assert "There is no move to take back." in screens[1]
    session = table._session
    moves = [move.words for move in session.game.moves(session.table.state, 0)]
    card = next(words[0] for words in moves if sum(words[0] == other[0] for other in moves) > 1)
    _, screens = play(capsys, SECOND, [card.lower(), "back"])
    assert screens[1].count(session.say.card(Card(card))) >= 2
    assert [line for line in screens[2].splitlines() if line[:3].strip()] != []


@pytest.mark.parametrize(
    ("locale", "expected"),
    [("en", "You pasted several lines, but only the first is here."), ("es", "Pegaste varias líneas")],
)
async def test_of_several_pasted_lines_the_first_is_kept_and_nothing_is_played(
    locale: Language, expected: str
) -> None:
    async with playing(Setup("cardlebones", 2, ("Ana", "Beto"), locale, seed="S", pace=0)) as person:
        await person.idle()
        person.app.post_message(events.Paste("\nb3\nb2\n1\n"))
        await person.settle()
        assert expected in " ".join(person.text().split())
        assert (person.line.value, person.table.session.table.stamp) == ("b3", 0)
        await person.press("enter")
        assert person.table.session.table.stamp == 1
        assert expected not in " ".join(person.text().split())


async def test_of_a_long_pasted_line_only_the_beginning_is_read() -> None:
    async with playing(Setup("cardlebones", 2, ("Ana", "Beto"), seed="S", pace=0)) as person:
        await person.idle()
        person.app.post_message(events.Paste("1" * 2000))
        await person.settle()
        assert person.line.value == "1" * LONGEST_LINE


async def test_of_a_long_line_pasted_into_a_typed_one_there_is_as_much_as_fits() -> None:
    async with playing(Setup("cardlebones", 2, ("Ana", "Beto"), seed="S", pace=0)) as person:
        await person.idle()
        await person.press("b", "3")
        person.app.post_message(events.Paste("1" * 2000))
        await person.settle()
        assert person.line.value == "b3" + "1" * (LONGEST_LINE - 2)
        person.line.selection = Selection(0, 2)
        person.app.post_message(events.Paste("2" * 2000))
        await person.settle()
        assert person.line.value == "22" + "1" * (LONGEST_LINE - 2)


def test_of_a_long_line_of_line_mode_only_the_beginning_is_read(
    capsys: Printed, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = list[str]()

    def noted(session: Session, seat: Seat, line: str, menu: Menu | None) -> TypedLine:
        read.append(line)
        return read_line(session, seat, line, menu)

    monkeypatch.setattr(typed_lines, "read_line", noted)
    play(capsys, CASINO, ["1" * 2000])
    assert read == ["1" * LONGEST_LINE]


async def test_a_pasted_line_with_its_end_is_pasted_without_a_word() -> None:
    async with playing(Setup("cardlebones", 2, ("Ana", "Beto"), seed="S", pace=0)) as person:
        await person.idle()
        person.app.post_message(events.Paste("b3\n"))
        await person.settle()
        assert (person.line.value, person.table.session.table.stamp) == ("b3", 0)
        assert "pasted" not in person.text()
