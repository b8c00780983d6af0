"""Cards alone: which cards a line names, the only move that has them, and the menus that go on from them."""

from __future__ import annotations

from typing import Any

import pytest

from bot.i18n import Speech
from bot.pages.menus.menu import PageRoom, menu
from bot.pages.menus.move_reading import begins_word, nearest_line, read, typed
from bot.pages.menus.picked_cards import cards_of, named_cards, picked_cards
from engines import games
from tests import luck
from tests.engines.cardlebones import positions as cardlebones_positions
from tests.engines.casino import positions as casino_positions
from tests.engines.trio_escalera import positions as trio_positions
from tests.support.games import every_game
from tests.support.tables import choose

CARDLEBONES, CASINO, TRIO = games()["cardlebones"], games()["casino"], games()["trio_escalera"]
EN, ES = Speech("en"), Speech("es")

PLAYING = casino_positions.load(
    casino_positions.position(hands=["6S 6H 10D 7S", "AS"], loose="6D 9C", piles=["", "5S"])
)
"""6♠ and 6♥ can capture 6♦; nothing can be done with 10♦ and 7♠ but throw them."""
LAYING = trio_positions.load(
    {
        "hands": [["KCb", "5Hr", "5Sb", "5Db"], ["9Cr"]],
        "groups": [{"name": "trio_0", "cards": ["KSr", "KHb", "KDb"]}],
        "on": [True, True],
    }
)


@pytest.mark.parametrize("line", ["10d", "10D", "10♦", " 10d ", "10"])
def test_a_card_with_one_move_is_played(line: str) -> None:
    assert read(CASINO, PLAYING, 0, line, EN) == ("throw 10D", ())


@pytest.mark.parametrize(("line", "cards"), [("6s", ("6S",)), ("6♥", ("6H",)), ("6d", ("6D",))])
def test_a_card_with_several_moves_is_picked(line: str, cards: tuple[str, ...]) -> None:
    assert read(CASINO, PLAYING, 0, line, EN).cards == cards


def test_a_card_with_its_star_is_the_card_and_not_the_one_move_whose_label_begins_with_it() -> None:
    position = casino_positions.position(hands=["AD 8S", "AS"], loose="AC 7D", piles=["", "5S"])
    state = casino_positions.load(position)
    assert read(CASINO, state, 0, "A♦★", EN).cards == ("AD",)
    assert typed(CASINO, state, 0, "A♦★ takes", EN) == "capture AD AC"
    assert named_cards("A♦★ 8♠") == ("AD", "8S")


@pytest.mark.parametrize("line", ["6s 6d", "6d,6s", "6S+6D"])
def test_cards_that_only_one_move_has_together_are_that_move(line: str) -> None:
    assert typed(CASINO, PLAYING, 0, line, EN) == "capture 6S 6D"


@pytest.mark.parametrize("line", ["6", "as", "9h", "10d 9c", "6s 6s", "", "6s throw", "x"])
def test_a_card_that_no_move_has_or_that_is_not_clear_is_not_picked(line: str) -> None:
    assert picked_cards(CASINO, PLAYING, 0, line) == ((), "")


def test_a_line_of_many_cards_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    line = "5h 5s 5d"
    for most, action in ((3, "lay 5Hr 5Sb 5Db"), (2, "")):
        monkeypatch.setattr("bot.pages.menus.picked_cards._MOST_CARDS", most)
        assert picked_cards(TRIO, LAYING, 0, line).move == action
    assert picked_cards(TRIO, LAYING, 0, line) == ((), "")


def labels(game: Any, state: Any, *path: str) -> list[str]:
    items = menu(game, state, 0, EN, stamp=0, room=PageRoom(20), path=path).items
    return [item.label + ("" if item.done else " …") for item in items]


def test_the_menu_of_a_card_has_the_moves_that_have_it() -> None:
    assert labels(CASINO, PLAYING, "6S") == ["6♠ takes 6♦", "Throw 6♠"]
    assert labels(CASINO, PLAYING, "6D") == ["6♠ takes 6♦", "6♥ takes 6♦"]
    assert labels(CASINO, PLAYING, "6S", "6D") == ["6♦"]


def test_a_card_of_a_free_move_is_never_a_move_alone() -> None:
    assert read(TRIO, LAYING, 0, "5h", EN).cards == ("5Hr",)
    assert read(TRIO, LAYING, 0, "kc", EN).cards == ("KCb",)
    assert [str(move) for move in TRIO.moves(LAYING, 0) if move.words[:1] == ("5Sb",)] == ["lay 5Sb 5Hr 5Db"]
    assert read(TRIO, LAYING, 0, "5s", EN).cards == ("5Sb",), "it begins the only suggested move"


def test_the_menu_of_a_free_move_goes_on_from_the_card() -> None:
    offered = labels(TRIO, LAYING, "5Hr")
    assert "Lay 5♥r …" in offered
    assert [choice for choice in offered if not choice.endswith("…")]
    assert "Add K♣b to A" in [label.removesuffix(" …") for label in labels(TRIO, LAYING, "KCb")]


def test_cards_that_are_a_whole_move_are_played() -> None:
    assert typed(TRIO, LAYING, 0, "5h 5s 5d", EN) == "lay 5Hr 5Sb 5Db"


@every_game
def test_every_card_of_a_move_is_played_or_leads_to_its_moves(key: str) -> None:
    game, rng = games()[key], luck.rng(key)
    state, named = game.new(game.seats[0], bytes(rng.randbytes(8)), {}), 0
    for _ in range(40):
        seat = next((seat for seat in range(game.seats[0]) if game.choices(state, seat).words), None)
        if seat is None:
            break
        cards = {card for move in game.moves(state, seat) for card in cards_of(move)}
        for card in rng.sample(sorted(cards), min(len(cards), 4)):
            named += 1
            reading = read(game, state, seat, card.lower(), EN)
            if reading.cards:
                assert reading.cards == (card,)
                assert menu(game, state, seat, EN, stamp=0, room=PageRoom(20), path=reading.cards).items
            else:
                assert card in cards_of(game.act(state, seat, reading.action)[0])
        state, _ = game.apply(state, seat, choose(game, state, seat, "easy", rng))
    assert named or key == "cardlebones"


@pytest.mark.parametrize(
    ("text", "begins"), [("1", True), ("6", True), ("2", False), ("0", False), ("t", True), ("k", False)]
)
def test_a_digit_begins_a_word_only_where_a_card_begins_with_it(text: str, begins: bool) -> None:
    assert begins_word(CASINO, PLAYING, 0, text, EN) == begins


BOARDS = cardlebones_positions.load(cardlebones_positions.position("7D . . / . . . / . . .", drawn="5H"))


@pytest.mark.parametrize(
    ("line", "say", "action"),
    [
        ("5h b2", EN, "place b2"),
        ("5♥ b2", ES, "place b2"),
        ("5h to b2", EN, "place b2"),
        ("5♥ a1", EN, "place a1"),
        ("a1", EN, "place a1"),
        ("a9", EN, "place a9"),
        ("5h", EN, "place"),
        ("6h b2", EN, "6h b2"),
        ("hello", EN, "hello"),
    ],
)
def test_in_a_game_of_one_verb_a_move_is_its_card_and_its_place(line: str, say: Speech, action: str) -> None:
    """``a1`` is occupied and there is no ``a9``: the game refuses these with a reason of its own."""
    assert read(CARDLEBONES, BOARDS, 0, line, say).action == action


@pytest.mark.parametrize(
    ("line", "say", "meant"),
    [
        ("trow 6s", EN, "throw 6s"),
        ("captuer 6s 6d", EN, "capture 6s 6d"),
        ("steal bild 6s", EN, "steal and build 6s"),
        ("tirar 6s", EN, "throw 6s"),
        ("tirra 6s", ES, "tirar 6s"),
        ("thrwo 6s", ES, "tirar 6s"),
        ("hitory", EN, "history"),
        ("throw 6s", EN, ""),
        ("xyzzy", EN, ""),
        ("", EN, ""),
    ],
)
def test_a_misspelled_verb_or_word_is_found(line: str, say: Speech, meant: str) -> None:
    assert nearest_line(CASINO, CASINO.view(PLAYING, 0), line, say, ["history"]) == meant
