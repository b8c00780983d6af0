"""Menus: from legal moves to buttons, and from a button or a typed line back to a move's words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import pytest

from bot.i18n import Speech
from bot.pages.menus.menu import PageRoom, menu
from bot.pages.menus.menu_items import Menu, MenuItem, pressed
from bot.pages.menus.move_reading import completions, spelled_move, typed
from bot.settings.choices import LANGUAGES
from engines import games
from engines.cards import Card
from engines.casino.state import State
from engines.game import Choices, IllegalMove, Move, Text
from tests import luck
from tests.engines.boathouse import positions as boathouse_positions
from tests.engines.casino import positions as casino_positions
from tests.engines.playing import AnyGame, Setup, label, setups, some_states
from tests.engines.svoi import positions as svoi_positions
from tests.engines.trio_escalera import positions as trio_positions

CASINO, BONES = games()["casino"], games()["cardlebones"]
EN, ES = Speech("en", ("Ana", "Beto", "Carla")), Speech("es", ("Ana", "Beto", "Carla"))
MATCHES = {"hands": [["8S"], []], "loose": ["8D", "8C"]}
ASKED = {"hands": [["3H"], ["4H"], ["5H"]], "loose": ["9D"], "phase": "exchange"}
CHOOSING = {"phase": "trumps"}
ROOM = 10


def casino(hand: str, loose: str = "", pile: str = "") -> State:
    """A state of two players in which seat 0 plays; ``pile`` is that of the other."""
    return casino_positions.load(casino_positions.position(hands=[hand, "AS"], loose=loose, piles=["", pile]))


FEW = casino("3C 8S 4H", loose="5H", pile="5S 5D")


def root(state: Any, say: Speech = EN, room: int = ROOM) -> Menu:
    return menu(CASINO, state, 0, say, stamp=7, room=PageRoom(room))


def shown(menu: Menu) -> list[tuple[str, str, bool]]:
    return [(item.label, " ".join(item.words), item.done) for item in menu.items]


def test_few_moves_are_listed_whole() -> None:
    assert shown(root(FEW)) == [
        ("Build 8: 3♣+5♥", "build 3C 5H", True),
        ("3♣ steals 5♦: 8", "steal-build 3C 5D", True),
        ("Throw 3♣", "throw 3C", True),
        ("Throw 4♥", "throw 4H", True),
        ("Throw 8♠", "throw 8S", True),
    ]


def test_as_many_moves_as_there_is_room_are_few() -> None:
    assert [item.done for item in root(FEW, room=5).items] == [True] * 5


def test_of_many_moves_a_card_comes_first_as_the_reader_holds_them() -> None:
    items = root(FEW, room=4).items
    assert [(" ".join(item.words), item.done) for item in items] == [
        ("build 3C 5H", True),
        ("3C", False),
        ("throw 4H", True),
        ("throw 8S", True),
    ]


def test_no_capture_hides_behind_a_card_that_can_also_be_thrown() -> None:
    state = casino("2C 3C 8S 8H", loose="5H 8D 8C", pile="5S 6D")
    labels = [item.label + ("" if item.done else " …") for item in root(state, room=6).items]
    assert labels == ["Capture with 8♠ …", "Capture with 8♥ …", "2♣ …", "3♣ …", "Throw 8♠", "Throw 8♥"]
    inside = menu(CASINO, state, 0, EN, stamp=7, room=PageRoom(4), path=("capture", "8S"))
    assert [item.label for item in inside.items] == ["8♦", "8♣"]
    assert [item.label for item in root(state, room=10).items[:4]] == [
        "8♠ takes 8♦", "8♠ takes 8♣", "8♥ takes 8♦", "8♥ takes 8♣",
    ]  # fmt: skip


def test_moves_alike_that_differ_in_worth_say_so() -> None:
    state = casino("10D 10C 7S 7C", loose="10S 7D", pile="5S 6D")
    assert [item.label for item in root(state, room=20).items[:4]] == [
        "7♠ takes 7♦", "7♣ takes 7♦", "10♦★ takes 10♠, 1 point", "10♣ takes 10♠",
    ]  # fmt: skip
    assert [item.label for item in root(state, ES, room=20).items[2:3]] == ["10♦★ toma 10♠, 1 punto"]


def test_after_a_card_comes_what_can_be_done_with_it() -> None:
    after = menu(CASINO, FEW, 0, EN, stamp=7, room=PageRoom(4), path=("3C",))
    assert after.path == ("3C",)
    assert [str(Move(*split(item))) for item in after.items] == [
        "build 3C 5H",
        "steal-build 3C 5D",
        "throw 3C",
    ]


def split(item: MenuItem) -> tuple[str, tuple[str, ...]]:
    return item.words[0], item.words[1:]


def test_where_each_move_has_a_card_of_its_own_the_best_come_first() -> None:
    state = casino("3C 8S 4H")
    expected = [(EN.card(Card(move.words[0])), True) for move in CASINO.moves(state, 0)]
    items = menu(CASINO, state, 0, EN, stamp=7, room=PageRoom(2)).items
    assert [(item.label.split()[-1], item.done) for item in items] == expected


BEATING = svoi_positions.at("7C 9C 6D 8D JH", "6S", "6C")


def svoi(room: int, path: tuple[str, ...] = ()) -> Menu:
    game = games()["svoi"]
    return menu(game, BEATING, 0, EN, stamp=7, room=PageRoom(room), path=path)


def test_moves_that_differ_in_their_last_word_alone_are_told_apart_by_it() -> None:
    after = svoi(room=4, path=("7C",))
    assert after.begun == ("beat", "7C")
    assert shown(after) == [
        ("6♦", "beat 7C 6D", True),
        ("8♦", "beat 7C 8D", True),
        ("9♣", "beat 7C 9C", True),
        ("J♥", "beat 7C JH", True),
    ]


def test_moves_with_different_beginnings_are_told_whole() -> None:
    after = menu(CASINO, FEW, 0, EN, stamp=7, room=PageRoom(4), path=("3C",))
    assert after.begun == ()


MELDING = boathouse_positions.position(hands=["3S 3D 3C 5H 6H 7H 8H 9H KC QD", "AS"], stock="2C 2D")


def boathouse(room: int) -> list[str]:
    game = games()["boathouse"]
    state = boathouse_positions.load(MELDING)
    return [item.label for item in menu(game, state, 0, EN, stamp=7, room=PageRoom(room)).items]


def test_the_best_suggestions_come_whole_before_a_long_list_of_cards() -> None:
    assert boathouse(room=4)[:3] == ["Meld 5♥–9♥", "Meld 6♥ 7♥ 8♥ 9♥", "Discard K♣"]


def test_what_is_not_suggested_is_spelled_from_the_button_of_its_verb() -> None:
    assert boathouse(room=4)[-1] == "Meld"


def test_the_cards_of_a_free_choice_come_as_they_stand_in_the_hand() -> None:
    game = games()["trio_escalera"]
    hand = ["8Cr", "5Sb", "8Sb", "6Sr", "8Hb"]
    lying = {"name": "escalera_0", "cards": ["7Sr", "8Sr", "9Sr"]}
    state = trio_positions.load({"hands": [hand, ["2Cb"]], "groups": [lying], "on": [True, True]})
    offered = menu(game, state, 0, EN, stamp=0, room=PageRoom(ROOM), path=("lay",)).items
    words = [item.words[-1] for item in offered]
    assert words == [*EN.arrange(map(Card, hand)), "7Sr", "8Sr", "9Sr"]


def test_suggestions_take_the_room_that_the_other_moves_leave() -> None:
    melds = [label for label in boathouse(room=18) if label.startswith("Meld ")]
    assert len(melds) == 7


def test_a_menu_names_its_stamp_and_where_it_is() -> None:
    assert (root(FEW).stamp, root(FEW).path) == (7, ())


def test_who_has_nothing_to_decide_has_an_empty_menu() -> None:
    assert menu(CASINO, FEW, 1, EN, stamp=7, room=PageRoom(ROOM)).items == ()


def test_a_path_that_leads_nowhere_has_an_empty_menu() -> None:
    assert menu(CASINO, FEW, 0, EN, stamp=7, room=PageRoom(ROOM), path=("10D",)).items == ()


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("3", "throw 3C"),
        (" 1 ", "build 3C 5H"),
        ("Throw 3♣", "throw 3C"),
        ("throw 3c", "throw 3C"),
        ("3♣ STEALS 5♦: 8", "steal-build 3C 5D"),
        ("build 8: 3c+5h", "build 3C 5H"),
    ],
)
def test_a_button_is_pressed_by_its_number_or_its_label(line: str, words: str) -> None:
    item = pressed(root(FEW), line)
    assert item is not None
    assert " ".join(item.words) == words


@pytest.mark.parametrize("line", ["3C", "3c", "3♣", "3♣\ufe0f", " 3c ", "1"])
def test_a_button_that_leads_on_is_pressed_by_its_word(line: str) -> None:
    card = Menu(0, (), tuple(item for item in root(FEW, room=4).items if not item.done))
    item = pressed(card, line)
    assert item is not None
    assert item.words == ("3C",)


@pytest.mark.parametrize("line", ["", "   ", "0", "6", "-1", "1.5", "9" * 5000, "throw", "3C", "x" * 9999])
def test_what_names_no_button_presses_none(line: str) -> None:
    assert pressed(root(FEW), line) is None


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("tirar 3C", "throw 3C"),
        ("Tirar 3c", "throw 3c"),
        ("robar y construir 3C 5D", "steal-build 3C 5D"),
        ("ROBAR  Y  CONSTRUIR 3c 5d", "steal-build 3c 5d"),
        ("construir 3C 5H", "build 3C 5H"),
        ("capturar 8S all", "capture 8S all"),
        ("steal-build 3C 5D", "steal-build 3C 5D"),
        ("throw 3C", "throw 3C"),
    ],
)
def test_a_verb_may_be_typed_in_spanish(line: str, action: str) -> None:
    assert typed(CASINO, FEW, 0, line, ES) == action


@pytest.mark.parametrize(
    ("key", "position", "line", "action"),
    [
        ("casino", MATCHES, "capturar 8♠ todo", "capture 8♠ all"),
        ("casino", MATCHES, "capturar 8♠ nada", "capture 8♠ nada"),
        ("casino", ASKED, "cambiar si", "exchange yes"),
        ("casino", ASKED, "cambiar SÍ", "exchange yes"),
        ("casino", ASKED, "cambiar no", "exchange no"),
        ("svoi", CHOOSING, "triunfo corazones", "trump H"),
        ("svoi", CHOOSING, "triunfo ♥", "trump ♥"),
        ("svoi", CHOOSING, "triunfo copas", "trump copas"),
        ("svoi", CHOOSING, "Corazones", "trump H"),
        ("svoi", CHOOSING, "♥ corazones", "trump H"),
        ("svoi", CHOOSING, "♥", "trump H"),
        ("svoi", CHOOSING, "♦ corazones", "♦ corazones"),
    ],
)
def test_words_may_be_typed_as_their_buttons_say_them(
    key: str, position: dict[str, Any], line: str, action: str
) -> None:
    game = games()[key]
    options = {"multi_capture": "on"} if position is MATCHES else {}
    state = game.load(position, len(position.get("hands", "12")), options)
    assert typed(game, state, 0, line, ES) == action
    if "♥" not in line:
        assert typed(game, state, 0, line, Speech("es", letters=True)) == action


TWICE = casino("3C 2H 8S", loose="5H 6H")
"""Both 3♣ and 2♥ can build an 8."""
WITH_EIGHT = casino("3C 8S 10D", loose="5H 2H")
"""3♣ can build an 8, and 8♠ a 10."""


@pytest.mark.parametrize(
    ("state", "say", "line", "action"),
    [
        (FEW, ES, "hacer 8", "build 3C 5H"),
        (FEW, ES, " HACER  8: ", "build 3C 5H"),
        (FEW, ES, "hacer", "build 3C 5H"),
        # 8♠ is no card to build with.
        (FEW, EN, "build 8", "build 3C 5H"),
        (TWICE, ES, "hacer 8: 3♣", "build 3C 5H"),
        (casino_positions.load(ASKED), EN, "keep", "exchange no"),
        (casino_positions.load(ASKED), ES, "quedarme con el", "exchange no"),
    ],
)
def test_the_beginning_of_one_label_alone_is_its_move(
    state: State, say: Speech, line: str, action: str
) -> None:
    assert typed(CASINO, state, 0, line, say) == action


@pytest.mark.parametrize(
    ("state", "say", "line"),
    [
        # Two labels begin so.
        (TWICE, ES, "hacer 8"),
        (TWICE, ES, "hacer"),
        # A word is not over.
        (FEW, ES, "hac"),
        (FEW, ES, "hacer 8: 3"),
        # A card to build with could follow the verb, or be meant by the 8.
        (WITH_EIGHT, EN, "build 8"),
        (FEW, EN, "build"),
        # The text goes on otherwise, or stands inside a label.
        (FEW, ES, "hacer 8 y ya"),
        (FEW, ES, "roba 5♦"),
        (FEW, ES, "…"),
    ],
)
def test_a_text_that_could_mean_something_else_is_no_label(state: State, say: Speech, line: str) -> None:
    with pytest.raises(IllegalMove):
        CASINO.act(state, 0, typed(CASINO, state, 0, line, say))


def test_a_verb_may_be_typed_as_its_button_says_it_in_every_language() -> None:
    for game in games().values():
        state = game.new(game.seats[0], b"seed", {})
        for locale in LANGUAGES:
            say = Speech(locale)
            for verb in game.verbs:
                name = game.label(game.view(state, 0), (verb,), say)
                assert typed(game, state, 0, f"{name} x", say) == f"{verb} x"


class Accented:
    """A game whose labels have accents, which players may leave out when they type."""

    verbs = ("robar", "exchange")
    wide = frozenset(verbs)

    def view(self, state: Any, seat: int | None) -> None:
        return None

    def label(self, view: Any, words: tuple[str, ...], say: Any) -> str:
        return {"robar": "Robar según", "exchange": "Añadir"}[words[0]]

    def moves(self, state: Any, seat: int) -> list[Move]:
        return [Move("robar", ("Último",)), Move("exchange", ("mañana",))]

    def choices(self, state: Any, seat: int, words: tuple[str, ...] = ()) -> Choices:
        return Choices(("robar", "exchange"), False)

    def complete(self, view: Any, verb: str, words: Sequence[str]) -> tuple[str, ...]:
        return tuple(words)

    def act(self, state: Any, seat: int, action: str) -> None: ...


class Suggesting(Accented):
    """A game that offers one move; if its verb is wide, there are others."""

    def __init__(self, wide: bool) -> None:
        self.wide = frozenset(self.verbs if wide else ())

    def label(self, view: Any, words: tuple[str, ...], say: Any) -> str:
        return words[0] if len(words) == 1 else "Quitar uno ya"

    def moves(self, state: Any, seat: int) -> list[Move]:
        return [Move("robar", ("Uno",))]

    def plan(self, view: Any) -> None: ...

    def act(self, state: Any, seat: int, action: str) -> None:
        raise IllegalMove("unknown-action", Text("That isn't a move in this game."))


@pytest.mark.parametrize(("wide", "action"), [(False, "robar Uno"), (True, "quitar uno")])
def test_the_beginning_of_a_label_is_never_a_move_with_a_wide_verb(wide: bool, action: str) -> None:
    suggesting: Any = Suggesting(wide)
    assert typed(suggesting, None, 0, "quitar uno", ES) == action


@pytest.mark.parametrize("line", ["anadir x", "añadir x", "AÑADIR x", "an\u0303adir x"])
def test_a_verb_may_be_typed_without_accents(line: str) -> None:
    accented: Any = Accented()
    assert typed(accented, None, 0, line, ES) == "exchange x"
    assert typed(accented, None, 0, "robar segun x", ES) == "robar x"
    assert typed(accented, None, 0, "ultimo", ES) == "robar Último"


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("8S", "throw 8S"),
        ("8s", "throw 8S"),
        ("8♠", "throw 8S"),
        ("8♠\ufe0f", "throw 8S"),
        ("3c 5h", "build 3C 5H"),
        ("3C 5D", "steal-build 3C 5D"),
    ],
)
def test_the_verb_may_be_left_out_where_one_move_fits(line: str, action: str) -> None:
    assert typed(CASINO, FEW, 0, line, EN) == action


@pytest.mark.parametrize("line", ["b3", "B3"])
def test_a_cell_alone_is_a_placement(line: str) -> None:
    state = BONES.new(2, b"seed", {})
    assert typed(BONES, state, state.turn, line, EN) == "place b3"


BACKS = trio_positions.load(
    {
        "hands": [["KCb", "5Hr", "2Sb"], ["9Cr"]],
        "groups": [{"name": "trio_0", "cards": ["KSr", "KHb", "KDb"]}],
        "on": [True, True],
    },
)
"""Seat 0 can add K♣ with the blue back, and sees no card with both backs."""


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("add trio_0 KC", "add trio_0 KCb"),
        ("add A KC", "add trio_0 KCb"),
        ("a kc", "add trio_0 KCb"),
        ("Añadir trio_0 k♣", "add trio_0 KCb"),
        ("trio_0 kc", "add trio_0 KCb"),
        ("add trio_0 KX", "add trio_0 KX"),
        ("lay 5H 2S", "lay 5Hr 2Sb"),
    ],
)
def test_words_that_can_mean_only_one_thing_are_completed(line: str, action: str) -> None:
    assert typed(games()["trio_escalera"], BACKS, 0, line, ES) == action


def test_completions_go_on_from_a_word_that_is_not_completed() -> None:
    assert list(completions(games()["trio_escalera"], BACKS, 0, "lay KC ", EN)) == [
        "lay KC KSr",
        "lay KC KHb",
        "lay KC KDb",
    ]


def test_lines_go_on_with_the_letters_of_groups() -> None:
    assert list(completions(games()["trio_escalera"], BACKS, 0, "add ", EN)) == ["add A"]
    assert list(completions(games()["trio_escalera"], BACKS, 0, "add A ", EN)) == ["add A KCb"]


def test_an_example_names_a_group_by_its_letter() -> None:
    game = games()["trio_escalera"]
    example = spelled_move(game, game.view(BACKS, 0), Move("add", ("trio_0", "KCb")), ES)
    assert example == "añadir A KCb"
    assert typed(game, BACKS, 0, example, ES) == "add trio_0 KCb"


@pytest.mark.parametrize("line", ["A", "a", "trio_0", "A: K♠r K♥b K♦b", "1"])
def test_a_group_in_a_menu_is_named_by_its_letter(line: str) -> None:
    shown = menu(games()["trio_escalera"], BACKS, 0, EN, stamp=0, room=PageRoom(10), path=("add",))
    item = pressed(shown, line)
    assert item is not None
    assert item.words == ("add", "trio_0")


@pytest.mark.parametrize("line", ["3C", "9S", "fly 3C", "", "  ", "3C 5H 5D", "tirar 3C", "5"])
def test_anything_else_comes_back_as_it_is(line: str) -> None:
    assert typed(CASINO, FEW, 0, line, EN) == line


@pytest.mark.parametrize(
    ("line", "following"),
    [
        ("", ["build", "steal and build", "steal-build", "throw"]),
        ("t", ["throw"]),
        ("THR", ["throw"]),
        ("steal", ["steal and build", "steal-build"]),
        ("steal a", ["steal and build"]),
        ("steal and b", ["steal and build"]),
        ("throw", []),
        ("throw ", ["throw 3C", "throw 4H", "throw 8S"]),
        ("throw 8", ["throw 8S"]),
        ("throw ♠", []),
        ("steal and build ", ["steal and build 3C"]),
        ("build 3c ", ["build 3c 5H"]),
        ("throw 3C ", []),
        ("fly ", []),
    ],
)
def test_completions(line: str, following: list[str]) -> None:
    assert list(completions(CASINO, FEW, 0, line, EN)) == following


@pytest.mark.parametrize(
    ("line", "following"),
    [
        ("ro", ["robar y construir"]),
        ("robar y c", ["robar y construir"]),
        ("robar y construir 3c ", ["robar y construir 3c 5D"]),
    ],
)
def test_completions_in_spanish(line: str, following: list[str]) -> None:
    assert list(completions(CASINO, FEW, 0, line, ES)) == following


TABLES = [table for game in games().values() for table in setups(game)]
every_table = pytest.mark.parametrize("table", TABLES, ids=label)


def sampled(table: Setup) -> Iterator[tuple[Any, int]]:
    """Up to six states of a random game, in the long mode all, each with every seat that has a choice."""
    for state in some_states(table, luck.rng(f"menus {label(table)}"), 4):
        for seat in range(table.seats):
            if table.game.choices(state, seat).words:
                yield state, seat


def test_tables_are_found_for_the_laws() -> None:
    assert {table.game.key for table in TABLES} == set(games())
    assert any(True for _ in sampled(TABLES[0]))


def menus(game: AnyGame, state: Any, seat: int, say: Speech) -> Iterator[Menu]:
    """The root menu and all menus below it; for a move composed word by word, only one path."""
    waiting = [menu(game, state, seat, say, stamp=0, room=PageRoom(ROOM))]
    while waiting:
        current = waiting.pop()
        yield current
        assert len(current.path) < 3 or composed(game, current.path)
        onward = [item.words for item in current.items if not item.done]
        if composed(game, current.path):
            onward = onward[len(onward) // 2 :][:1]
        waiting += [menu(game, state, seat, say, stamp=0, room=PageRoom(ROOM), path=path) for path in onward]


def composed(game: AnyGame, words: Sequence[str]) -> bool:
    return words[:1] != () and words[0] in game.wide


@every_table
def test_every_legal_move_is_reached_by_presses_and_every_press_leads_somewhere(table: Setup) -> None:
    for state, seat in sampled(table):
        reached = []
        for current in menus(table.game, state, seat, EN):
            assert current.items
            done = [Move(*split(item)) for item in current.items if item.done]
            if composed(table.game, current.path):
                assert all(table.game.act(state, seat, str(move))[0] for move in done)
            else:
                reached += done
        moves, wide = list(table.game.moves(state, seat)), table.game.wide
        # A capture has a button of its own, and is reached from the button of its card too.
        assert {move for move in reached if move.verb not in wide} == {
            move for move in moves if move.verb not in wide
        }
        # A wide move that no button suggests is composed word by word, from the button of its verb.
        first = menu(table.game, state, seat, EN, stamp=0, room=PageRoom(ROOM))
        begun = {item.words[0] for item in first.items if len(item.words) == 1 and not item.done}
        missing = {move.verb for move in moves if move.verb in wide and move not in reached}
        assert missing <= begun


@every_table
def test_every_button_has_a_label_of_its_own_and_is_pressed_by_it(table: Setup) -> None:
    for (state, seat), locale in product(sampled(table), LANGUAGES):
        for current in menus(table.game, state, seat, Speech(locale, ("Ana", "Beto", "Carla"))):
            labels = [item.label for item in current.items]
            assert all(label.strip() and label.isprintable() for label in labels)
            assert len(set(labels)) == len(labels)
            for number, item in enumerate(current.items, 1):
                assert pressed(current, str(number)) == item
                assert pressed(current, item.label.upper()) == item


@every_table
def test_every_move_may_be_typed_as_it_is_spelled(table: Setup) -> None:
    for (state, seat), locale in product(sampled(table), LANGUAGES):
        for move in table.game.moves(state, seat):
            line = typed(table.game, state, seat, str(move), Speech(locale))
            assert table.game.act(state, seat, line)[0] == move


@every_table
def test_every_move_may_be_typed_as_menus_and_hints_name_it(table: Setup) -> None:
    for (state, seat), locale in product(sampled(table), LANGUAGES):
        say, view = Speech(locale), table.game.view(state, seat)
        for move in table.game.moves(state, seat):
            label = table.game.label(view, (move.verb, *move.words), say)
            assert table.game.act(state, seat, typed(table.game, state, seat, label, say))[0] == move


@every_table
def test_the_beginning_of_a_label_makes_no_move_whose_label_begins_otherwise(table: Setup) -> None:
    for (state, seat), locale in product(sampled(table), LANGUAGES):
        say, view, game = Speech(locale), table.game.view(state, seat), table.game
        moves = list(game.moves(state, seat))
        for move in moves[:: 1 + len(moves) // 5]:
            words = game.label(view, (move.verb, *move.words), say).split()
            for line in (" ".join(words[:n]) for n in range(1, len(words))):
                try:
                    made, *_ = game.act(state, seat, typed(game, state, seat, line, say))
                except IllegalMove:
                    continue
                named = game.label(view, (made.verb, *made.words), say)
                assert named.startswith(line)


@every_table
def test_every_move_may_be_typed_by_completions_alone(table: Setup) -> None:
    for state, seat in list(sampled(table))[::4]:
        for move in table.game.moves(state, seat):
            if move.verb not in table.game.wide:
                words = (move.verb, *move.words)
                for n in range(len(words)):
                    line = " ".join((*words[:n], ""))
                    assert " ".join(words[: n + 1]) in completions(table.game, state, seat, line, EN)
