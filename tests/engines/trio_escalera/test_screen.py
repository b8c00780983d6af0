"""The screen of Trío y Escalera and the labels of its buttons; ``SOBREMESA_GOLDEN`` rewrites the files."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from bot.i18n import Speech
from bot.settings.choices import LANGUAGES, Language
from engines.cards import Card
from engines.drawing import PHONE, PHONE_CHARACTERS, cells
from engines.game import Seat
from engines.trio_escalera.rules import game
from engines.trio_escalera.state import State
from engines.values import replace
from tests.engines.trio_escalera.positions import load, position, reach
from tests.golden import assert_golden

GOLDEN = Path(__file__).parent / "golden"
NAMES = ("Ana", "Beto", "Carla", "Diego", "Eva", "Fran")


def source() -> State:
    """The position in the first picture of the document from which the rules of the game come."""
    return position("ASb 10Hr 4Cb QDr 7Sb KSb", {"trio_0": "KSr KHb KDb"}, on=False)


def middle() -> State:
    table = {
        "trio_0": "KSr KHb KDb",
        "escalera_0": "5Sr 6Sb 7Sr 8Sr 9Sr",
        "escalera_1": "AHr 2Hb 3Hr 4Hb 5Hr 6Hr 7Hr 8Hr 9Hr 10Hr",
        "trio_1": "2Sr 2Hr 2Dr 2Cr 2Sb",
    }
    hand = "ASb 10Hb 4Cb QDr 7Sb KSb 7Cb 7Db JHb 3Cr"
    return position(hand, table, seats=4, stock="8Hb 10Db 3Sb")


def broken() -> State:
    return reach(middle(), "draw", "lay 7Cb 7Db 7Sr")


def thrown() -> State:
    seed = next(b"%d" % n for n in range(99) if len(game.new(3, b"%d" % n, {}).rounds) == 2)
    return game.new(3, seed, {})


def over() -> State:
    return reach(position("KSb", {"trio_0": "KSr KHb KDb"}, seats=3), "add trio_0 KSb", "end")


SCENES: dict[str, tuple[Any, Seat | None]] = {
    "source": (source, 0),
    "middle": (middle, 0),
    "middle-watched": (middle, None),
    "broken": (broken, 0),
    "broken-for-another": (broken, 1),
    "dice": (thrown, 0),
    "over": (over, 1),
}


@pytest.mark.parametrize("scene", SCENES)
def test_the_screen_is_as_in_the_golden_files(scene: str) -> None:
    begin, seat = SCENES[scene]
    view = game.view(begin(), seat)
    for locale, width in product(LANGUAGES, (109, 55, 28)):
        drawing = game.draw(view, Speech(locale, NAMES), width)
        assert_golden(GOLDEN / f"{scene}-{locale}-{width}.txt", drawing)


def test_a_wide_screen_begins_as_the_picture_of_the_source() -> None:
    drawing = game.draw(game.view(source(), 0), Speech("es", NAMES), 109).splitlines()
    heading, first = drawing[0], drawing[1]
    assert (len(heading), heading[:52].strip("- "), heading[55:].strip("- ")) == (
        109,
        "mano del jugador",
        "decks",
    )
    assert first == ".----.  " * 6 + " " * 25 + ".----.  todas las otras cartas"
    assert drawing[2].endswith("|    |  para robar")
    assert drawing[2].startswith("| A♠ |  | 4♣ |  | 7♠ |  |10♥ |")
    assert drawing[3].startswith("|b A |  |b 4 |  |b 7 |  |r10 |")


def test_a_narrow_screen_has_a_line_for_each_group() -> None:
    drawing = game.draw(game.view(middle(), None), Speech("es", NAMES), 28, 20)
    assert "A  K♠r K♥b K♦b" in drawing.splitlines()


def crowded() -> State:
    """Thirty-four groups with 103 cards, the last card in hand."""
    ranks = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
    groups = [[rank + suit + back for suit in "SHD"] for rank in ranks for back in "rb"]
    for back in "rb":
        clubs = [rank + "C" + back for rank in ranks]
        groups += [clubs[:3], clubs[3:6], clubs[6:9], clubs[9:]]
    last = groups[-1].pop()
    return load(
        {
            "hands": [[last], *[[]] * 5],
            "groups": [{"name": f"escalera_9{n}", "cards": cards} for n, cards in enumerate(groups)],
            "on": [True] * 6,
        },
    )


@pytest.mark.parametrize("locale", ["en", "es"])
@pytest.mark.parametrize("seat", [0, None])
def test_a_crowded_table_fits_a_phone(locale: Language, seat: Seat | None) -> None:
    state = crowded()
    view = game.view(state, seat)
    drawing = game.draw(view, Speech(locale, ("Bartolomé Sánchez",) * 6), PHONE)
    assert len(drawing) <= PHONE_CHARACTERS
    assert max(map(cells, drawing.splitlines())) <= PHONE
    words = set(re.findall(r"\w+", drawing))
    shown = sum(view.letter(group.name) in words for group in view.table.groups)
    left_out = re.search(r"… (?:and|y) (\d+) ", drawing)
    assert shown + int(left_out[1] if left_out else 0) == len(view.table.groups)


def test_labels_say_which_cards_are_of_the_table() -> None:
    view, say = game.view(middle(), 0), Speech("es", NAMES)
    labels = [
        game.label(view, tuple(words.split()), say)
        for words in (
            "lay",
            "add",
            "draw",
            "reset",
            "end",
            "lay 7Sb 7Cb 7Db",
            "lay 7Cb 7Db 7Sr",
            "add trio_0",
            "add trio_0 KSb",
            "add escalera_1 JHb 10Hb",
            "add trio_1 2Hb 2Sr",
            "7Sb",
            "trio_0",
        )
    ]
    assert labels == [
        "Bajar",
        "Añadir",
        "Robar",
        "Reiniciar turno",
        "Terminar",
        "Bajar 7♠b 7♦b 7♣b",
        "Bajar 7♦b 7♣b + 7♠r",
        "Añadir a A",
        "Añadir K♠b a A",
        "Añadir 10♥b J♥b a C",
        "Llevar 2♠r 2♥b a D",
        "7♠b",
        "A: K♠r K♥b K♦b",
    ]


def label(state: State, words: str) -> str:
    return game.label(game.view(state, 0), tuple(words.split()), Speech("en", NAMES))


def test_the_label_of_a_table_card_names_its_group() -> None:
    assert label(middle(), "7Sr") == "7♠r from B"


def test_a_long_group_is_named_with_its_ends() -> None:
    assert label(middle(), "escalera_0") == "B: 5♠r–9♠r"


def test_the_end_of_a_turn_without_a_card_is_called_a_pass() -> None:
    assert label(position("KSb", stock=""), "end") == "Pass"


@pytest.mark.parametrize("stock", ["8Hr", ""], ids=["stock", "no-stock"])
def test_the_end_of_a_turn_with_a_card_is_called_the_end(stock: str) -> None:
    state = reach(position("KSb 4Dr", {"trio_0": "KSr KHb KDb"}, stock=stock), "add trio_0 KSb")
    assert label(state, "end") == "End"


def drawn(state: State, seat: Seat | None = 0, height: int | None = None, width: int = 80) -> str:
    return game.draw(game.view(state, seat), Speech("en", NAMES), width, height)


def test_who_has_not_opened_reads_what_a_group_is() -> None:
    assert "A group: three or more cards of one rank" in drawn(source())


def test_a_player_without_a_group_to_open_with_reads_what_is_left_to_do() -> None:
    state = position("KSb 4Dr 9Cb", stock="2Hr 3Hr", on=False)
    assert "no complete group to open with: draw a card." in drawn(state)
    assert "no complete group to open with: end your turn." in drawn(reach(state, "draw"))


def test_who_holds_a_group_to_open_with_reads_that_it_is_to_be_laid() -> None:
    assert "To open, lay a complete group" in drawn(position("KSb KDb KHr", stock="2Hr", on=False))


def test_who_has_opened_reads_what_a_turn_asks() -> None:
    assert "Play a card, or draw one." in drawn(middle())


def test_who_has_drawn_may_go_on_or_end() -> None:
    assert "Go on, or end your turn." in drawn(reach(middle(), "draw"))


def test_who_has_placed_a_card_may_go_on_or_end() -> None:
    assert "Go on, or end your turn." in drawn(reach(middle(), "add trio_0 KSb"))


def test_who_can_neither_draw_nor_play_may_pass() -> None:
    assert "Play a card, or pass." in drawn(position("KSb 4Dr", stock=""))


def test_who_has_used_all_movements_reads_that_the_turn_is_to_end() -> None:
    state = position("KSb 4Dr", {"trio_0": "KSr KHb KDb"}, movements_left=1)
    assert "no movements left: end your turn." in drawn(reach(state, "add trio_0 KSb"))


def test_who_has_moved_cards_of_the_table_alone_reads_what_is_missing() -> None:
    table = {"trio_0": "KSr KHb KDb KCb", "escalera_0": "10Sr JSb QSb"}
    assert "add one of your own, or reset your turn." in drawn(
        reach(position("4Dr", table), "add escalera_0 KSr")
    )


def test_only_the_player_whose_turn_it_is_is_asked_to_mend() -> None:
    assert ["Fix that" in drawn(broken(), seat) for seat in (0, 1, None)] == [True, False, False]


def test_on_a_low_screen_the_dice_are_left_out_before_the_pictures_of_cards() -> None:
    lower = [drawn(thrown(), height=height) for height in range(30, 8, -1)]
    without = next(n for n, drawing in enumerate(lower) if "Dice" not in drawing)
    assert without
    assert hand_form(lower[without]) == hand_form(lower[without - 1]) == ".---."


def test_a_number_never_follows_a_name_that_may_end_in_one() -> None:
    say = Speech("es", ("Jugador 1", "Lola"))
    start = game.new(2, b"a", {})
    end = reach(position("KSb", {"trio_0": "KSr KHb KDb"}, seats=2), "add trio_0 KSb")
    events = [*game.opening(start), *game.act(end, 0, "end")[-1]]
    shown = "\n".join([game.draw(game.view(start, 0), say, 80), *(say(event.text) for event in events)])
    assert "Dados: Jugador 1 saca un" in shown
    assert "En la mano: Jugador 1 tiene 0 puntos" in shown
    assert not re.search("Jugador 1 [0-9]", shown)


def hand_form(drawing: str) -> str:
    """The upper border of the first card in the hand; empty if the hand is spelled."""
    below = drawing.splitlines()[1].lstrip("| ")
    return next((border for border in (".----.", ".---.") if below.startswith(border)), "")


def growing(cards: int, groups: int, seats: int, *, on: bool) -> State:
    """A position with the first ``cards`` of 16 cards in hand, and the first ``groups`` of 5 on the table."""
    held = "ASb 2Sb 3Db 4Cb 5Hb 6Db 7Sb 8Cb 9Db 10Cb JHb QDb KSb ACr 2Dr 3Cr"
    table = {
        "trio_0": "KSr KHb KDb", "trio_1": "QSr QHb QCb", "trio_2": "JSr JDb JCb",
        "escalera_0": "5Sr 6Sb 7Sr", "escalera_1": "8Hr 9Hb 10Hr",
    }  # fmt: skip
    lying = dict(list(table.items())[:groups])
    return position(" ".join(held.split()[:cards]), lying, seats=seats, on=on)


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize(
    ("width", "height", "form"),
    [
        (38, 12, ""), (58, 20, ".---."), (78, 15, ".---."), (78, 21, ".----."), (66, 24, ".----."),
        (82, 32, ".----."), (118, 32, ".----."),
    ],
)  # fmt: skip
def test_a_hand_keeps_its_form_while_hand_and_table_grow(
    width: int, height: int, form: str, seats: int
) -> None:
    forms = set[str]()
    for cards, groups, on in product(range(1, 17), range(6), (True, False)):
        state = growing(cards, groups, seats, on=on)
        forms.add(hand_form(drawn(state, height=height, width=width)))
    assert forms == {form}


@pytest.mark.parametrize("height", range(10, 27))
@pytest.mark.parametrize("width", [109, 120])
def test_a_wider_screen_shows_no_less(width: int, height: int) -> None:
    for cards, groups, on in product((1, 7, 10, 16), (1, 3, 5), (True, False)):
        state = growing(cards, groups, 4, on=on)
        narrow, wide = drawn(state, height=height), drawn(state, height=height, width=width)
        assert ("movements left" in wide) >= ("movements left" in narrow)
        # Only groups under a title that says the stock may be spelled without backs.
        assert ("table, stock" in wide) <= ("table, stock" in narrow)


@pytest.mark.parametrize("height", [None, 1])
def test_where_one_can_scroll_every_group_is_shown(height: int | None) -> None:
    shown = drawn(crowded(), height=height)
    assert all(f"{crowded().letter(group.name)} " in shown for group in crowded().groups)


def test_on_a_low_screen_the_table_alone_is_scrolled() -> None:
    state = reach(replace(crowded(), stock=(Card("2Hb"),)), "draw")
    top = drawn(state, height=15).splitlines()[:15]
    for words in ("You drew 2♥b.", "Go on, or end your turn.", "> Ana 2", "Fran 0"):
        assert any(words in line for line in top)


def test_on_a_low_screen_the_card_that_must_be_placed_is_named() -> None:
    state = reach(replace(middle(), stock=(Card("JDb"),)), "draw", "add trio_0 KSb")
    lines = drawn(state, height=10, width=38).splitlines()
    index = lines.index("You drew J♦b.")
    assert lines[index + 1] == "Put it on the table too, or reset your"


def test_on_a_low_screen_other_players_read_which_groups_are_not_whole() -> None:
    assert "Not complete (!): B, F" in drawn(broken(), 1, height=9)


def test_on_a_low_screen_an_empty_table_says_so() -> None:
    assert drawn(thrown(), 0, height=1).endswith("(the table is empty)")


def test_on_a_low_screen_movements_and_stock_have_a_line_of_their_own() -> None:
    lines = drawn(crowded(), height=1).splitlines()
    assert "5 movements left   Stock: 0" in lines


def players_on_a_phone(*on: bool) -> list[str]:
    """The last four lines of the drawing for a player on a phone."""
    view = game.view(position("KSb", seats=3, on=on), 0)
    return game.draw(view, Speech("en", names=NAMES), PHONE).splitlines()[-4:]


def test_on_a_phone_players_who_have_all_opened_share_a_line() -> None:
    assert players_on_a_phone(True, True, True)[-2:] == [
        "---------- cards -----------",
        "> Ana 1  Beto 2  Carla 2",
    ]
    assert [line.split()[-1] for line in players_on_a_phone(True, True, False)] == [
        "opened",
        "yes",
        "yes",
        "no",
    ]
