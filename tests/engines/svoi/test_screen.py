"""The screen of Svoi Kozyri and the labels of its buttons; ``SOBREMESA_GOLDEN`` rewrites the golden files."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bot.i18n import Speech
from bot.pages.menus.menu import PageRoom, menu
from engines.cards import SUITS, cards
from engines.drawing import PHONE
from engines.svoi.state import State
from engines.values import replace
from tests.engines.svoi.positions import at, choosing, english, game, reach
from tests.golden import assert_golden

GOLDEN = Path(__file__).parent / "golden"
PILE = "7D 6C QS 10H AD 9S 8C 9C"

STATES = {
    "choosing": (reach(choosing(), "trump H"), 1),
    "lead": (at("7C KD 6H 10S AH", "8D 9S"), 0),
    "beat": (at("KH 8H 6D", "JC 6S 7S AH 10D KC", PILE, turn=1), 1),
    "last card": (at("KH 8H 6D", "10C", PILE, turn=1), 1),
    "must take": (at("KH 8H 6D", "AH 10D KC", PILE + " KS", turn=1), 1),
    "may take": (at("KH 8H 6D", "JC 6S 7S AH 10D KC", PILE, turn=1, voluntary_take="on"), 1),
    "other's turn": (at("KH 8H 6D", "JC 6S 7S AH 10D KC", PILE, turn=1), 0),
    "watcher": (at("KH 8H 6D", "JC 6S 7S AH 10D KC", PILE, turn=1), None),
    "many cards": (
        at("6S 7S 8S 10S JS 6H 7H 8H 9H JH QH KH 8D 9D 10D JD QD 10C JC QC", "KC AC", PILE),
        0,
    ),
    "won": (reach(at("KD 7C 6S", "10C", PILE, turn=1), "beat 10C"), 1),
    "drawn": (reach(at("KC", "10C", PILE, turn=1), "beat 10C"), 0),
}


@pytest.mark.parametrize("width", [PHONE, 60, 109])
@pytest.mark.parametrize("locale", ["en", "es"])
def test_the_screen_is_as_in_the_golden_files(locale: str, width: int) -> None:
    say = Speech("es" if locale == "es" else "en", ("Ana", "Bartolomé"))
    drawings = [
        f"== {name}\n{game.draw(game.view(state, seat), say, width)}\n"
        for name, (state, seat) in STATES.items()
    ]
    assert_golden(GOLDEN / f"{locale}-{width}.txt", "\n".join(drawings))


@pytest.mark.parametrize("width", [PHONE, 40, 109])
@pytest.mark.parametrize("height", [None, 10])
def test_the_top_five_cards_are_on_screen_from_the_top_down(width: int, height: int | None) -> None:
    drawing = game.draw(game.view(STATES["watcher"][0], None), english, width, height)
    places = [drawing.index(english.card(card)) for card in cards("9C 8C 9S AD 10H")]
    assert places == sorted(set(places))


def test_the_whole_pile_is_on_screen_where_there_is_room() -> None:
    drawing = game.draw(game.view(STATES["watcher"][0], None), english, 60)
    assert all(english.card(card) in drawing for card in cards(PILE))


def test_own_trumps_stand_behind_a_word() -> None:
    lines = game.draw(game.view(STATES["many cards"][0], 0), english, PHONE).splitlines()
    assert lines[1] == "trumps: 6♥ 7♥ 8♥ 9♥ J♥ Q♥ K♥"


def test_another_hand_is_a_number() -> None:
    drawing = game.draw(game.view(at("KH 8H 6D", "JC 6S", "7D 9C"), 0), english, 60)
    assert "J♣" not in drawing
    assert drawing.splitlines()[-1].split() == ["Bob", "♠", "spades", "2"]


def test_a_position_that_has_come_up_twice_is_warned_of() -> None:
    state = at("AC", "7H 8C JD JS", "6C", turn=1)
    again = reach(state, "beat 8C 7H", "take", "lead JS", "beat 7H 8C", "take", "lead 6C")
    warning = "This position has come up twice now: the third time it's a draw."
    drawn = [game.draw(game.view(seen, None), english, 80) for seen in (state, again)]
    assert [warning in drawing for drawing in drawn] == [False, True]


@pytest.mark.parametrize(
    ("turns", "warning"),
    [(270, ""), (271, "30 more actions and it's a draw."), (300, "1 more action and it's a draw.")],
)
def test_the_last_actions_are_counted(turns: int, warning: str) -> None:
    drawing = game.draw(game.view(replace(at("AC KD", "7H 8C"), turns=turns), 0), english, 80)
    assert warning in drawing
    assert ("it's a draw" in drawing) == bool(warning)


@pytest.mark.parametrize(
    ("state", "reason"),
    [
        (STATES["won"][0], "Bob is out of cards and wins."),
        (STATES["drawn"][0], "Both are out of cards: it's a draw."),
        (replace(at("AC KD", "7H 8C"), turns=301), "That was action number 300: it's a draw."),
        (
            reach(
                at("AC", "7H 8C JD JS", "6C", turn=1),
                *("beat 8C 7H", "take", "lead JS", "beat 7H 8C", "take", "lead 6C") * 2,
            ),
            "The same position has come up for the third time: it's a draw.",
        ),
    ],
)
def test_the_end_is_explained(state: State, reason: str) -> None:
    assert reason in game.draw(game.view(state, None), english, 80)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("trump", "Trump"),
        ("lead", "Lead"),
        ("lead 7C", "Lead 7♣"),
        ("beat", "Beat"),
        ("beat JC", "Beat with J♣"),
        ("beat JC 6D", "J♣, then 6♦"),
        ("take", "Take"),
        ("JC", "J♣"),
        ("7S", "7♠"),
    ],
)
def test_words_have_labels(words: str, expected: str) -> None:
    assert game.label(game.view(STATES["beat"][0], 1), tuple(words.split()), english) == expected


def test_a_suit_is_said_by_symbol_and_name() -> None:
    view = game.view(choosing(), 0)
    assert [game.label(view, ("trump", suit), english) for suit in SUITS] == [
        "♠ spades",
        "♥ hearts",
        "♦ diamonds",
        "♣ clubs",
    ]


def test_verbs_have_the_names_that_the_spanish_rules_give_them() -> None:
    view = game.view(choosing(), 0)
    labels = [game.label(view, (verb,), Speech("es")) for verb in game.verbs]
    assert labels == ["Triunfo", "Salir", "Matar", "Recoger"]


def test_a_hand_is_arranged_as_it_is_drawn() -> None:
    state = at("AH 6H 7C AC 10S 6S JH", "8D")
    arranged = game.arrange(game.view(state, 0), state.hands[0], english)
    assert " ".join(arranged) == "6H JH AH 6S 10S 7C AC"
    drawing = game.draw(game.view(state, 0), english, 28)
    assert re.findall(r"[0-9AJQK]+[♠♥♦♣]", drawing) == [english.card(card) for card in arranged]


def test_beating_cards_are_offered_in_the_order_of_the_hand() -> None:
    state = at("AH 6H 7C AC 10S 6S JH 8C", "8D 9D", "6C")
    offered = menu(game, state, 0, english, stamp=0, room=PageRoom(10))
    assert [button.words[-1] for button in offered.items] == ["6H", "JH", "AH", "7C", "8C", "AC"]
