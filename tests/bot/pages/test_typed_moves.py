"""A typed line that begins the label of one move: it is that move, unless it may mean another."""

from __future__ import annotations

import pytest

from bot.i18n import Speech
from bot.pages.menus.move_reading import begun_moves, corrected, read, spelled_move
from engines import games
from engines.game import Text
from tests.engines.boathouse import positions as boathouse_positions
from tests.engines.casino import positions as casino_positions
from tests.engines.trio_escalera import positions as trio_positions

CASINO, TRIO, BOATHOUSE = games()["casino"], games()["trio_escalera"], games()["boathouse"]
EN, ES = Speech("en"), Speech("es")

ONE = casino_positions.load(casino_positions.position(hands=["4D 7S", "AS"], loose="3C", piles=["", "5S"]))
"""4♦ and 3♣ can be built to 7; nothing can be built with 7♠."""
SEVERAL = casino_positions.load(
    casino_positions.position(hands=["4D 4H 7S", "AS"], loose="3C", piles=["", "5S"])
)
"""Each of two fours can be built to 7."""
CARD_TOO = casino_positions.load(
    casino_positions.position(hands=["4D 7S 10H", "AS"], loose="3C", piles=["", "5S"])
)
"""4♦ can be built to 7, and 7♠ to 10."""
DRAWING = boathouse_positions.position(hands=["4H", "9D"], pile="4C 7D", phase="draw")
"""Two cards can be drawn from the stock or from the pile."""


@pytest.mark.parametrize(
    ("say", "line"),
    [
        (EN, "build 7"),
        (EN, "Build 7:"),
        (EN, "build 7: 4♦+3♣"),
        (ES, "hacer 7"),
        (ES, "construir 7"),
        (ES, "construir 7: 4♦+3♣"),
        (ES, "build 7"),
    ],
)
def test_a_verb_with_the_beginning_of_one_label_is_its_move(say: Speech, line: str) -> None:
    assert read(CASINO, ONE, 0, line, say).action == "build 4D 3C"


@pytest.mark.parametrize(("say", "line"), [(EN, "draw 2"), (ES, "robar 2"), (ES, "robar 2 cartas")])
def test_the_beginning_of_a_label_is_its_move_in_boathouse_too(say: Speech, line: str) -> None:
    state = BOATHOUSE.new(2, b"a deal", {})
    seat = BOATHOUSE.awaited(BOATHOUSE.view(state, None)).must[0]
    assert read(BOATHOUSE, state, seat, line, say).action == "draw stock"


@pytest.mark.parametrize(("say", "line"), [(EN, "build 7"), (ES, "construir 7")])
def test_what_may_be_a_card_after_the_verb_is_not_taken_for_a_label(say: Speech, line: str) -> None:
    assert read(CASINO, CARD_TOO, 0, line, say).action not in map(str, CASINO.moves(CARD_TOO, 0))
    assert not begun_moves(CASINO, CARD_TOO, 0, line, say)


@pytest.mark.parametrize(("say", "line"), [(EN, "build 7"), (ES, "construir 7"), (ES, "hacer 7")])
def test_of_several_labels_with_one_beginning_none_is_taken(say: Speech, line: str) -> None:
    assert read(CASINO, SEVERAL, 0, line, say).action not in map(str, CASINO.moves(SEVERAL, 0))
    assert set(map(str, begun_moves(CASINO, SEVERAL, 0, line, say))) == {"build 4D 3C", "build 4H 3C"}


def test_a_verb_alone_is_not_its_only_move() -> None:
    assert read(CASINO, ONE, 0, "build", EN).action == "build"


def test_no_free_choice_of_cards_is_guessed_from_a_label() -> None:
    groups = [{"name": "trio_0", "cards": ["KSr", "KHb", "KDb"]}]
    state = trio_positions.load({"hands": [["KCb", "5Hr"], ["9Cr"]], "groups": groups, "on": [True, True]})
    assert read(TRIO, state, 0, "add K♣b to A", EN).action == "add trio_0 KCb"
    assert read(TRIO, state, 0, "add K♣b to", EN).action not in map(str, TRIO.moves(state, 0))


@pytest.mark.parametrize(
    ("say", "line", "move"),
    [
        (EN, "draw from the stock", "draw stock"),
        (EN, "draw From the pile", "draw pile"),
        (EN, "draw pile", "draw pile"),
        (ES, "robar del mazo", "draw stock"),
        (ES, "robar de la pila", "draw pile"),
        (ES, "robar mazo", "draw stock"),
    ],
)
def test_a_word_after_a_verb_may_be_typed_as_it_is_named(say: Speech, line: str, move: str) -> None:
    state = boathouse_positions.load(DRAWING)
    assert read(BOATHOUSE, state, 0, line, say).action == move


def test_what_is_suggested_to_be_typed_is_in_the_language_of_the_reader() -> None:
    state = boathouse_positions.load(DRAWING)
    view = BOATHOUSE.view(state, 0)
    spelled = {
        say.locale: [spelled_move(BOATHOUSE, view, move, say) for move in BOATHOUSE.moves(state, 0)]
        for say in (EN, ES)
    }
    assert spelled == {"en": ["draw stock", "draw pile"], "es": ["robar mazo", "robar pila"]}


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("7C", "7♣ isn't in your hand, and no move takes it now."),
        ("7C 7C", "You typed 7♣ twice."),
        ("7C 7C 7C", "You typed 7♣ 3 times."),
    ],
)
def test_a_card_is_named_that_the_player_lacks_or_typed_too_often(line: str, sentence: str) -> None:
    reason = corrected(CASINO, SEVERAL, 0, line, EN, Text("No."))
    assert reason is not None
    assert EN(reason) == sentence
