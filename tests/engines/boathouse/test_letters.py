"""The letters of melds: in the order in which they came in a hand; typed by people."""

from __future__ import annotations

import pytest

from bot.i18n import Speech
from engines.boathouse.state import State
from tests.engines.boathouse.positions import BOATHOUSE as GAME
from tests.engines.boathouse.positions import load, news, position, reach, refusal, refusal_reason

SAY = Speech("en", ("Ana", "Ben"))
MELDS = ("8D 9D 10D", "3S 3H 3C")
TABLE = position(hands=["4H 5H 6H 7D QS", "9C JC"], melds=MELDS)


def letters(state: State) -> dict[str, str]:
    return {state.letter(meld.name): meld.name for meld in state.melds}


def typed(line: str, state: State | None = None) -> str:
    verb, *words = line.split()
    return " ".join((verb, *GAME.complete(GAME.view(state or load(TABLE), 0), verb, words)))


def test_melds_have_letters_in_the_order_in_which_they_came() -> None:
    assert letters(reach(TABLE, "meld 4H 5H 6H", "layoff meld_0 7D")) == {
        "A": "meld_0",
        "B": "meld_1",
        "C": "meld_2",
    }


def test_a_loaded_position_has_letters_in_the_order_of_its_melds() -> None:
    melds = [
        {"name": "meld_4", "cards": ["8D", "9D", "10D"], "by": 0},
        {"name": "meld_2", "cards": ["3S", "3H", "3C"], "by": 1},
    ]
    assert letters(load({**TABLE, "melds": melds})) == {"A": "meld_4", "B": "meld_2"}


def test_a_new_hand_begins_with_a_again() -> None:
    last = position(hands=["QS", "9C"], melds=MELDS)
    assert letters(reach(last, "discard QS", hands="2")) == {}


def test_events_and_labels_call_melds_by_their_letters() -> None:
    assert news(TABLE, "meld 4H 5H 6H") == [(None, "Ana lays meld C: 4H, 5H, and 6H.")]
    assert news(TABLE, "layoff meld_0 7D") == [(None, "Ana adds 7D to A.")]
    view = GAME.view(load(TABLE), 0)
    assert GAME.label(view, ("layoff", "meld_0", "7D"), SAY) == "Add 7♦ to A"


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("layoff A 7D", "layoff meld_0 7D"),
        ("layoff b 7D", "layoff meld_1 7D"),
        ("layoff meld_1 7D", "layoff meld_1 7D"),
        ("layoff C 7D", "layoff C 7D"),
        ("layoff", "layoff"),
        ("draw mazo", "draw stock"),
        ("draw Pila", "draw pile"),
        ("draw stock", "draw stock"),
        ("draw A", "draw A"),
        ("discard AC", "discard AC"),
        ("meld AH AS AC", "meld AH AS AC"),
    ],
)
def test_people_type_a_letter_or_a_name(line: str, action: str) -> None:
    assert typed(line) == action


def test_a_letter_that_no_meld_has_is_refused_as_typed() -> None:
    assert refusal(TABLE, "layoff C 7D") == "no-such-meld"
    assert refusal_reason(TABLE, "layoff C 7D") == "There is no meld C on the table."


def test_programs_name_melds_in_full() -> None:
    assert refusal(TABLE, "layoff A 7D") == "no-such-meld"
    message = {"type": "layoff", "playerId": "p1", "meld": "A", "cards": ["7D"]}
    assert refusal(TABLE, message) == "no-such-meld"
