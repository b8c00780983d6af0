"""Games played on the full screen, by keys and clicks."""

from __future__ import annotations

import asyncio
import random
import sys
import threading
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from textual.widgets import Static

from adapters.terminal import typed_lines
from adapters.terminal.app import TerminalApp
from adapters.terminal.equipment import obstacle_to_resuming
from adapters.terminal.saved_games.store import WriteBehindStore
from adapters.terminal.screens.games import UnfinishedScreen
from adapters.terminal.screens.lobby import LobbyScreen
from adapters.terminal.screens.text import RulesScreen
from adapters.terminal.setup import Setup
from adapters.terminal.widgets import Button, ButtonGrid, Paragraph, TextPane, colour_suits, row_count
from bot.i18n import NAME_WIDTH
from bot.model.ids import GameId
from bot.model.places import Place, Room
from bot.model.tables import Listing
from bot.pages.captions import commitment_captions, result_captions, seed_captions
from bot.settings.choices import Language
from bot.storage import Store, StoreError
from bot.store.memory.store import MemoryStore
from bot.tables.log.commitment import CUT_LENGTH
from engines import games
from engines.game import Text
from engines.values import replace
from tests import luck
from tests.adapters.terminal.screen import FirstMove, Person, hand, hidden, playing, public_cards
from tests.golden import assert_golden
from tests.support.clock import VirtualClock
from tests.support.games import every_game, only
from tests.support.long import LONG
from tests.support.stores import live_tables
from tests.support.waiting import Waiting

GOLDEN = Path(__file__).parent / "golden"
SIZES = [(80, 24), (120, 40), (40, 24)]
LANGUAGES: list[Language] = ["en", "es"]
GAMES = ["casino", "cardlebones"]
LISTED = ["boathouse", "cardlebones", "casino", "svoi", "trio_escalera"]
"""The games shown on the golden list of games, fixed so that a new game changes no golden file."""


def alone(key: str, locale: Language = "en", players: int = 2) -> Setup:
    return Setup(key, players, ["Ana"], locale, seed="x", pace=0)


def two(players: int = 2, seed: str = "x") -> Setup:
    return Setup("casino", players, ["Ana", "Beto"], seed=seed, pace=0)


def assert_ended(person: Person) -> None:
    session = person.table.session
    winner = session.say(next(iter(result_captions(session.table))))
    assert winner in " ".join(person.text().split())


@pytest.mark.parametrize(
    ("key", "locale", "size"),
    [
        pytest.param(key, locale, size, id=f"{key}-{locale}-{size}")
        for n, ((locale, size), key) in enumerate(product(product(LANGUAGES, SIZES), GAMES))
        # Each size is played in each language in one of the games, in the long mode in both.
        if LONG or (n + n // len(GAMES)) % 2
    ],
)
async def test_a_game_can_be_played_with_digits_alone(
    key: str, locale: Language, size: tuple[int, int]
) -> None:
    async with playing(alone(key, locale), size) as person:
        async for _ in person.play_on(luck.rng()):
            for cards in hidden(person):
                assert person.cards() & cards <= public_cards(person)
        assert_ended(person)


@pytest.mark.parametrize("setup", [alone("casino"), two()], ids=["alone", "two"])
async def test_a_line_after_the_end_presses_the_button_that_it_names_or_is_refused(setup: Setup) -> None:
    async with playing(setup) as person:
        await person.fast_forward(luck.rng())
        over = person.table.session.table
        await person.type("throw 7S")
        assert "The game is over." in person.text()
        assert person.table.session.table is over
        await person.type("rematch")
        assert person.table.session.table is not over
        assert person.table.session.table.result is None


class AlwaysFirst(random.Random):
    """A random source with which `play_on` always presses the first button."""

    def random(self) -> float:
        return 1.0


SOON = {"boathouse": "c", "trio_escalera": "b"}
"""By game, the seed of a deal that first buttons end soon; with “x” it takes hundreds of presses more."""


@every_game
async def test_first_buttons_alone_lead_to_an_end_that_is_shown_whole(key: str) -> None:
    seed = "x" if LONG else SOON.get(key, "x")
    async with playing(replace(alone(key, "es"), seed=seed)) as person:
        async for _ in person.play_on(AlwaysFirst()):
            pass
        assert_ended(person)
        assert not person.table.query_one("#table", TextPane).max_scroll_y


async def test_a_free_choice_says_how_it_is_made() -> None:
    key = next(key for key, game in games().items() if game.wide)
    async with playing(alone(key)) as person:
        free: list[Button] = []
        while not free:
            await person.idle()
            table = person.table
            items = table.session.menu(0, 10).items
            free = [
                button
                for button, item in zip(person.menu.buttons, items, strict=False)
                if item.words[0] in table.game.wide and not item.done
            ]
            if not free:
                # The first button of an ended game deals another.
                person.let_read()
                await person.choose("1")
        await person.choose(free[0].key)
        notice = person.table.query_one("#notice", Static)
        assert "choose one thing at a time" in person.text()
        assert notice.has_class("calm")


async def test_a_refusal_does_not_look_like_advice() -> None:
    async with playing(alone("casino")) as person:
        await person.idle()
        await person.type("nonsense")
        assert not person.table.query_one("#notice", Static).has_class("calm")


async def test_lines_that_do_not_fit_are_reached_by_a_key_that_is_shown() -> None:
    async with playing(alone("casino"), (80, 12)) as person:
        await person.idle()
        keys, pane = person.table.query_one("#keys", ButtonGrid), person.table.query_one("#table", TextPane)
        assert "PgDn More" in [str(button).strip() for button in keys.buttons]
        await person.press("pagedown")
        assert pane.scroll_y > 0


async def test_where_all_fits_no_key_scrolls() -> None:
    async with playing(alone("casino")) as person:
        await person.idle()
        assert "PgDn" not in person.text()


async def test_a_game_can_be_played_with_the_mouse_alone() -> None:
    async with playing(alone("cardlebones")) as person:
        async for _ in person.play_on(luck.rng(), clicking=True):
            pass
        assert_ended(person)


async def test_nothing_breaks_on_a_tiny_screen() -> None:
    async with playing(alone("casino"), (30, 15)) as person:
        async for _ in person.play_on(luck.rng()):
            for cards in hidden(person):
                assert person.cards() & cards <= public_cards(person)
        assert_ended(person)


async def test_people_who_share_a_keyboard_never_see_the_other_hand() -> None:
    async with playing(two()) as person:
        steps = 0
        async for _ in person.play_on(luck.rng()):
            shown = person.cards()
            for cards in hidden(person):
                assert shown & cards == set()
            steps += 1
        assert steps > 40


async def test_the_table_is_hidden_until_the_next_person_is_there() -> None:
    async with playing(two()) as person:
        assert person.cards() == set()
        first = person.table.next_reader
        assert first == person.table.session.at_keyboard()
        await person.press("enter")
        assert person.table.reader == first
        assert hand(person, first or 0) <= person.cards()


async def test_a_line_typed_at_the_curtain_is_answered_with_the_key_to_press() -> None:
    async with playing(two()) as person:
        first = person.table.next_reader
        assert first is not None
        await person.type("throw")
        assert f"First press Enter, {person.table.session.say.name(first)}." in person.text()
        await person.press("enter")
        assert person.table.reader == first


async def test_the_news_since_the_last_move_are_shown_with_the_keyboard() -> None:
    async with playing(two()) as person:
        await person.choose("enter", "1")
        assert "throws" in person.text()
        assert "Pass the keyboard" in person.text()


async def test_everybody_presses_something_where_nobody_may_know_who_decides() -> None:
    async with playing(two(3), clock=VirtualClock(stopped=True)) as person:
        session = person.table.session
        asked = []
        while person.table.next_reader is not None:
            await person.press("enter")
            assert person.labels()
            if person.table.reader not in session.table.active():
                asked.append(person.table.reader)
                # The first Enter has only said that the player is there; a second one decides nothing.
                await person.press("enter")
                assert person.labels() == ["1) Continue"]
                assert "Everyone is asked, so nobody can tell" in person.text()
            await person.choose("1")
            if session.game.awaited(session.game.view(session.table.state, None)).must == (
                session.at_keyboard(),
            ):
                break
        # The computer decides.
        assert asked == [0, 1]


async def test_a_second_click_takes_no_keyboard_and_answers_for_nobody() -> None:
    async with playing(two(3), clock=VirtualClock(stopped=True)) as person:
        session, asked = person.table.session, 0
        while person.table.next_reader is not None:
            await person.click_twice(0)
            assert person.table.reader is not None
            if person.table.reader in session.table.active():
                break
            left = session.keyboard.unasked(session.table)
            await person.click_twice(0)
            assert session.keyboard.unasked(session.table) == left[1:]
            asked += 1
        assert asked


async def test_while_computers_play_the_public_table_is_shown() -> None:
    async with playing(two(3, "z"), clock=VirtualClock(stopped=True)) as person:
        while person.labels():
            await person.choose("enter" if person.labels()[0].startswith("Enter") else "1")
        assert person.table.reader is None
        assert person.table.session.draw(None, 78).splitlines()[0] in person.text()
        for cards in hidden(person):
            assert person.cards() & cards <= public_cards(person)


async def test_a_refusal_stays_with_what_was_typed_until_the_next_action() -> None:
    async with playing(alone("casino"), clock=VirtualClock(stopped=True)) as person:
        await person.type("throw 2H")
        assert "2♥ isn't in your hand." in person.text()
        assert person.line.value == "throw 2H"
        await person.choose("escape", "1")
        assert "isn't in your hand." not in person.text()


@pytest.mark.parametrize("locale", LANGUAGES)
async def test_after_a_refusal_a_digit_presses_its_button(locale: Language) -> None:
    async with playing(alone("casino", locale), clock=VirtualClock(stopped=True)) as person:
        await person.type("throw 2H")
        await person.choose("2")
        assert (person.table.session.table.stamp, person.line.value) == (1, "")


async def test_after_a_refusal_a_letter_begins_another_line() -> None:
    async with playing(alone("casino"), clock=VirtualClock(stopped=True)) as person:
        await person.type("throw 2H")
        await person.press(*"th")
        assert person.line.value == "th"


async def test_a_refused_line_can_be_corrected() -> None:
    async with playing(alone("casino"), clock=VirtualClock(stopped=True)) as person:
        await person.type("throw 2H")
        await person.press("right", "backspace", "S")
        assert person.line.value == "throw 2S"


@pytest.mark.parametrize("keys", [("escape",), ("backspace",), ("question_mark", "escape")])
async def test_a_refusal_disappears_when_its_line_is_changed_or_left(keys: tuple[str, ...]) -> None:
    async with playing(alone("casino"), clock=VirtualClock(stopped=True)) as person:
        await person.type("throw 2H")
        await person.press(*keys)
        assert "isn't in your hand." not in person.text()


async def test_a_refusal_disappears_when_the_rules_are_opened() -> None:
    async with playing(alone("casino"), clock=VirtualClock(stopped=True)) as person:
        await person.type("throw 2H")
        await person.type("help")
        await person.press("escape")
        assert "isn't in your hand." not in person.text()


async def test_a_half_typed_line_is_not_selected_by_a_click_elsewhere() -> None:
    async with playing(alone("casino"), clock=VirtualClock(stopped=True)) as person:
        await person.press(*"throw", "space")
        person.table.set_focus(None)
        await person.settle()
        await person.press("5")
        assert person.line.value == "throw 5"


async def test_a_refusal_disappears_when_the_table_changes_and_the_typed_line_stays() -> None:
    async with playing(alone("cardlebones")) as person:
        await person.idle()
        await person.type("hello")
        session = person.table.session
        refused = session.say(Text("That isn't a move in this game."))
        assert refused in person.text()
        await session.play(0, str(next(iter(session.game.moves(session.table.state, 0)))))
        await person.settle()
        assert refused not in person.text()
        assert person.line.value == "hello"


async def test_a_refusal_speaks_the_language_of_the_reader() -> None:
    async with playing(alone("casino", "es"), clock=VirtualClock(stopped=True)) as person:
        await person.type("throw 2H")
        refusal = Text("{card} isn't in your hand.", card="2♥")
        assert person.table.session.say(refusal) in person.text()


@pytest.mark.parametrize(
    ("locale", "line", "verb"), [("en", "hello", "throw"), ("en", "throw", "throw"), ("es", "tirar", "tirar")]
)
async def test_a_line_that_is_no_move_is_answered_with_an_example(
    locale: Language, line: str, verb: str
) -> None:
    async with playing(alone("casino", locale), clock=VirtualClock(stopped=True)) as person:
        before = hand(person, 0)
        await person.type(line)
        example = typed_lines.example(person.table.session, 0, "throw")
        assert example in " ".join(person.text().split())
        assert example.split()[0] == verb
        await person.press("escape")
        await person.type(example)
        assert len(hand(person, 0)) == len(before) - 1


async def test_moves_that_differ_in_one_word_are_told_by_it_after_what_they_share() -> None:
    setup = Setup("svoi", 2, ["Ana", "Beto"], seed="x", pace=0)
    async with playing(setup, clock=VirtualClock(stopped=True)) as person:
        # Enter takes the keyboard. Both choose a trump; one leads, the other picks a card to beat it with.
        for _ in range(4):
            await person.choose("enter", "1")
        assert "Beat with" in person.text()
        assert not [button.label for button in person.menu.buttons if "Beat" in button.label]
        await person.choose("1")
        assert " and lays " in person.text()


async def test_moves_can_be_typed_and_completed() -> None:
    async with playing(alone("casino"), clock=VirtualClock(stopped=True)) as person:
        held = sorted(hand(person, 0))
        await person.press(*"thr", "tab")
        assert person.line.value == "throw"
        await person.press("space", "tab")
        assert person.line.value.startswith("throw ")
        await person.press("enter")
        assert sorted(hand(person, 0)) != held


async def test_arrows_and_enter_press_a_button() -> None:
    async with playing(alone("cardlebones"), clock=VirtualClock(stopped=True)) as person:
        await person.press("right", "right", "down", "left", "enter")
        assert person.table.session.table.stamp == 1


@pytest.mark.parametrize("words", ["?", "help", "ayuda"])
async def test_the_rules_open_and_close(words: str) -> None:
    async with playing(alone("casino"), clock=VirtualClock(stopped=True)) as person:
        await person.type(words)
        assert isinstance(person.app.screen, RulesScreen)
        assert "Casino" in person.text()
        is_open = []
        for key in ("pagedown", "escape", "f1", "f1", "question_mark", "question_mark"):
            await person.press(key)
            is_open.append(isinstance(person.app.screen, RulesScreen))
        assert is_open == [True, False, True, False, True, False]


async def test_clicks_scroll_the_rules_to_their_end_and_back_to_their_beginning() -> None:
    async with playing(alone("casino"), clock=VirtualClock(stopped=True)) as person:
        await person.press("f1")
        text = person.app.screen.query_one("#text")
        seen = [text.scroll_y]
        while not text.is_vertical_scroll_end:
            await person.click_key("PgUp PgDn")
            assert text.scroll_y > seen[-1]
            seen.append(text.scroll_y)
        assert len(seen) > 2
        await person.click_key("PgUp PgDn")
        assert text.scroll_y == 0


async def test_f2_says_everything_again_in_the_other_language() -> None:
    async with playing(alone("casino"), clock=VirtualClock(stopped=True)) as person:
        english = person.text()
        await person.press("f2")
        assert person.table.session.say.locale == "es"
        assert person.table.session.say(Text("your hand")) in person.text()
        await person.press("f2")
        assert person.text() == english


async def test_f4_writes_suits_as_letters() -> None:
    async with playing(alone("casino"), clock=VirtualClock(stopped=True)) as person:
        await person.press("f4")
        assert person.cards() == set()


def keys_of(person: Person) -> list[str]:
    """The labels of the buttons in the key bar, the last line or two of the screen."""
    return [str(button).strip() for button in person.app.screen.query_one("#keys", ButtonGrid).buttons]


@pytest.mark.parametrize(
    ("locale", "letters", "suits"), [("en", "Letters", "Suits"), ("es", "Letras", "Palos")]
)
async def test_f4_says_what_it_leads_to(locale: Language, letters: str, suits: str) -> None:
    async with playing(alone("casino", locale), clock=VirtualClock(stopped=True)) as person:
        labels = [keys_of(person)[-1]]
        await person.press("f4")
        assert [*labels, keys_of(person)[-1]] == [f"F4 {letters}", f"F4 {suits}"]


@pytest.mark.parametrize("width", [30, 40])
@pytest.mark.parametrize("locale", LANGUAGES)
async def test_on_a_narrow_screen_the_ways_out_and_the_rules_stay(locale: Language, width: int) -> None:
    rules, leave, back = {"en": ("Rules", "Quit", "Back"), "es": ("Reglas", "Salir", "Atrás")}[locale]
    async with playing(alone("casino", locale), (width, 24), clock=VirtualClock(stopped=True)) as person:
        game = keys_of(person)
        await person.press("f3")
        picker = keys_of(person)
        await person.choose("1")
        lobby = keys_of(person)
        assert (game[:2], picker[:2], lobby[:2]) == (
            [f"F1 {rules}", f"^Q {leave}"],
            [f"Esc {back}", f"F1 {rules}"],
            [f"Esc {back}", f"F1 {rules}"],
        )
        letters = {"en": "F4 Letters", "es": "F4 SHD"}[locale]
        assert game[-1] == ("F8 …" if width == 30 else letters)


@pytest.mark.parametrize("clicking", [True, False])
async def test_keys_that_do_not_fit_are_one_press_away(clicking: bool) -> None:
    async with playing(alone("casino"), (30, 16), clock=VirtualClock(stopped=True)) as person:
        menu, shown = person.table.query_one("#keys", ButtonGrid), keys_of(person)
        for _ in range(3):
            if clicking:
                across, down = menu.offset_of(len(menu.buttons) - 1)
                await person._pilot.click(menu, offset=(across, down))
                await person.settle()
            else:
                await person.press("f8")
            shown += keys_of(person)
        assert {"F1 Rules", "^Q Quit", "F2 ES", "F3 Games", "F4 SHD", "PgUp History"} <= set(shown)


@pytest.mark.parametrize("locale", LANGUAGES)
async def test_from_forty_columns_on_no_key_is_lost(locale: Language) -> None:
    async with playing(alone("casino", locale), (40, 24)) as person:
        await person.idle()
        await person.choose("1")
        await person.idle()
        for width, height in ((40, 24), (60, 24), (80, 24), (100, 30), (120, 40)):
            await person._pilot.resize_terminal(width, height)
            waiting = Waiting(f"a screen of {width} × {height}")
            while person.table.size != (width, height):
                waiting.check()
                await person.settle()
            await person.settle()
            shown = [key.split()[0] for key in keys_of(person)]
            assert shown == ["F1", "^Q", "F6", "F7", "PgUp", "F2", "F3", "F4"]
            assert all(key in person.text() for key in keys_of(person))


@pytest.mark.parametrize("size", SIZES, ids=str)
async def test_the_last_line_is_no_wider_than_the_screen(size: tuple[int, int]) -> None:
    async with playing(alone("casino", "es"), size, clock=VirtualClock(stopped=True)) as person:
        # What is wider is cut.
        assert all(key in person.text() for key in keys_of(person))


async def test_two_keystrokes_start_a_game() -> None:
    async with playing(None) as person:
        await person.press("enter", "enter")
        assert person.table.session.table.state is not None


def offered(key: str) -> str:
    """The number of a game on the list of games."""
    return str(list(games()).index(key) + 1)


@pytest.mark.parametrize(("players", "people", "seats"), [(0, 1, 2), (0, 3, 3), (4, 3, 4), (9, 3, 3)])
async def test_the_form_has_a_seat_for_everybody_at_the_keyboard(
    players: int, people: int, seats: int
) -> None:
    names = ["Ana", "Beto", "Cleo"][:people]
    async with playing(None, base=Setup("", players, names, seed="x")) as person:
        person.app.open_lobby("boathouse")
        await person.settle()
        form = person.app.screen
        assert isinstance(form, LobbyScreen)
        assert (form.chosen_setup().players, form.chosen_setup().names) == (seats, names)


async def test_the_lobby_asks_only_what_has_several_answers() -> None:
    async with playing(None) as person:
        await person.press(offered("cardlebones"))
        assert isinstance(person.app.screen, LobbyScreen)
        assert "Players" not in person.text()
        assert "Your name" in person.text()


async def test_a_name_in_the_lobby_is_no_longer_than_tables_show_it_and_a_cut_than_a_deal_takes() -> None:
    async with playing(None, base=Setup("", 0, ["Ana"])) as person:
        await person.press(offered("casino"), "down", "down", "down", *"Wolfeschlegelstein")
        lobby = person.app.screen
        assert isinstance(lobby, LobbyScreen)
        assert lobby.chosen_setup().names[0] == "Wolfeschlegelstein"[:NAME_WIDTH]
        await person.press("up", "up", "up", "up", "up", *"x" * (CUT_LENGTH + 1))
        assert lobby.chosen_setup().cut == "x" * CUT_LENGTH


async def test_the_lobby_sets_up_the_game() -> None:
    async with playing(None, base=Setup("", 0, ["Ana"])) as person:
        await person.press(offered("casino"), "down", "right", "down", "right")
        assert "Name 2" in person.text()
        await person.press("down", "down", *"Bo", "down", "left", "down", "right", "down", "right")
        await person.press("down", "down", "down")
        await person.press("down", "down", *"abc", "enter", "enter")
        setup = person.table.session.setup
        assert (setup.key, setup.players, list(setup.names)) == ("casino", 3, ["Ana", "Bo"])
        assert (setup.level, setup.computers_pace) == ("easy", "fast")
        assert (setup.options["steal_with"], setup.cut) == ("table", "abc")
        assert person.table.session.table.pace == "fast"


async def test_escape_leads_back_from_the_choice_of_a_game() -> None:
    async with playing(alone("casino"), clock=VirtualClock(stopped=True)) as person:
        await person.press("f3")
        assert "What shall we play?" in person.text()
        await person.press("enter", "escape", "escape")
        assert person.table.is_active


async def test_another_game_ends_the_one_before() -> None:
    async with playing(alone("casino"), clock=VirtualClock(stopped=True)) as person:
        before = person.table.session
        await person.press("f3", offered("cardlebones"), "enter")
        assert person.table.session.game.key == "cardlebones"
        assert before._attendance is not None
        assert before._attendance.done()


async def test_enter_after_the_end_is_a_rematch() -> None:
    async with playing(alone("cardlebones")) as person:
        async for _ in person.play_on(luck.rng(5)):
            pass
        before = person.table.session.table.id
        person.let_read()
        await person.press("enter")
        assert person.table.session.table.id != before
        async for _ in person.play_on(luck.rng(6)):
            pass
        assert_ended(person)


@pytest.mark.parametrize("locale", LANGUAGES)
@pytest.mark.parametrize("size", SIZES, ids=str)
async def test_the_news_end_with_the_seed(size: tuple[int, int], locale: Language) -> None:
    async with playing(replace(alone("cardlebones", locale), seed=None), size) as person:
        await person.fast_forward(luck.rng())
        session, log = person.table.session, person.table.query_one("#log > Static", Static)
        seed = session.say(next(seed_captions(session.table)))
        assert "".join(str(log.content).split()).endswith("".join(seed.split()))


@pytest.mark.parametrize("locale", LANGUAGES)
@pytest.mark.parametrize("size", SIZES, ids=str)
async def test_the_proof_of_a_deal_is_behind_a_button(size: tuple[int, int], locale: Language) -> None:
    async with playing(replace(alone("cardlebones", locale), seed=None), size) as person:
        await person.fast_forward(luck.rng())
        session = person.table.session
        await person.choose("5")
        read = "".join(person.text().split())
        await person.press("pagedown", "pagedown")
        read += "".join(person.text().split())
        # A commitment is wider than a narrow line and wraps, so compare without spaces.
        proof = [
            "".join(session.say(text).split())
            for text in (*commitment_captions(session.table), *seed_captions(session.table))
        ]
        assert [line in read for line in proof] == [True] * 4
        await person.press("escape")
        assert person.table.is_active


async def test_a_menu_leads_down_and_back_up() -> None:
    async with playing(alone("casino", players=3), (40, 15), thinker=FirstMove()) as person:
        await person.idle()
        root = person.labels()
        await person.type("throw")
        top = person.labels()
        assert top[-1] == "Esc Back"
        pages = int(top[-2].removeprefix("+ More 1/"))
        assert pages > 1
        for page in range(2, pages + 1):
            await person.choose("+")
            assert person.labels() != top
            assert f"+ More {page}/{pages}" in person.labels()
        await person.choose("+")
        assert person.labels() == top
        await person.press("escape")
        assert person.labels() == root
        game, table = person.table.game, person.table.session.table
        words = [move.words[0] for move in game.moves(table.state, 0)]
        await person.type(next(word for word in words if words.count(word) > 1))
        assert person.labels()[-1] == "Esc Back"
        await person.press("escape")
        assert person.labels() == root


async def test_a_button_of_an_earlier_moment_makes_no_move() -> None:
    async with playing(alone("cardlebones")) as person:
        await person.idle()
        old = person.menu.buttons[0]
        await person.choose("1")
        await person.idle()
        entries = len(person.table.session.table.entries)
        person.menu.post_message(ButtonGrid.Pressed(old))
        await person.press("shift+down")
        assert len(person.table.session.table.entries) == entries
        assert "out of date" in person.text()


async def test_a_running_game_is_left_at_the_second_request_in_a_row() -> None:
    async with playing(alone("casino"), clock=VirtualClock(stopped=True)) as person:
        await person.press("ctrl+q")
        assert "Press Ctrl+Q again" in person.text()
        await person.type("throw 2H")
        await person.press("ctrl+q")
        assert "Press Ctrl+Q again" in person.text()
        app, attendance = person.app, person.table.session._attendance
        await person.type("salir")
    assert app.return_code == 0
    assert attendance is not None
    assert attendance.done()


@pytest.mark.parametrize("key", ["Ctrl+Q", "Ctrl+C"])
@pytest.mark.parametrize(
    ("locale", "running", "kept"),
    [
        (
            "en",
            "won't be saved. Press {} again to quit anyway.",
            "Press {} again to quit. Your game is saved",
        ),
        (
            "es",
            "no se guardará. Pulsa {} otra vez para salir de todos modos.",
            "Pulsa {} otra vez para salir. La partida",
        ),
    ],
)
async def test_the_key_to_press_again_is_the_one_that_was_pressed(
    locale: Language, running: str, kept: str, key: str
) -> None:
    store = store_over(MemoryStore())
    setup, clock = alone("casino", locale), VirtualClock(stopped=True)
    try:
        async with playing(setup, (120, 40), store=store, clock=clock) as person:
            await person.press(key.lower())
            assert running.format(key) in person.text()
            await person.choose("1", key.lower())
            assert kept.format(key) in person.text()
            assert person.app.return_code is None
            await person.press(key.lower())
            assert person.app.return_code == 0
    finally:
        store.finish()


async def test_a_question_that_another_screen_hides_is_asked_again() -> None:
    async with playing(alone("casino"), clock=VirtualClock(stopped=True)) as person:
        await person.press("ctrl+c", "f1", "ctrl+c")
        assert person.app.return_code is None
        assert "Press Ctrl+C again" in person.text()
        await person.press("ctrl+c")
        assert person.app.return_code == 0


async def test_quit_clicked_on_another_screen_asks_at_the_table() -> None:
    async with playing(alone("casino"), clock=VirtualClock(stopped=True)) as person:
        await person.press("f3")
        await person.click_key("^Q")
        assert person.table.is_active
        assert "Press Ctrl+Q again" in person.text()
        await person.press("f3", "ctrl+q")
        await person.click_key("^Q")
        assert person.app.return_code == 0


@pytest.mark.parametrize(
    "keys", [("escape",), (*"look", "enter"), ("f3", "1", "enter"), ("f7",)], ids=lambda keys: keys[0]
)
async def test_a_question_that_is_no_longer_shown_is_asked_again(keys: Sequence[str]) -> None:
    async with playing(alone("casino"), clock=VirtualClock(stopped=True)) as person:
        await person.press("ctrl+q", *keys)
        assert "Press Ctrl+Q again" not in person.text()
        await person.press("ctrl+q")
        assert person.app.return_code is None
        assert "Press Ctrl+Q again" in person.text()


async def test_a_rematch_is_not_left_by_the_question_of_the_game_before() -> None:
    async with playing(alone("cardlebones")) as person:
        await person.press("ctrl+q")
        await person.fast_forward(luck.rng())
        await person.press("enter", "ctrl+q")
        assert person.app.return_code is None
        assert "Press Ctrl+Q again" in person.text()


@pytest.mark.parametrize("opening", ["f1", "f3", "pageup"])
async def test_a_screen_left_twice_at_once_leaves_the_game_open(opening: str) -> None:
    async with playing(alone("casino"), clock=VirtualClock(stopped=True)) as person:
        await person.press(opening)
        assert not person.table.is_active
        await person.press_at_once("escape", "escape")
        assert person.table.is_active


async def test_a_form_sent_twice_deals_one_game() -> None:
    store = store_over(MemoryStore())
    try:
        # The computer goes first, and with a move a game is one to resume.
        async with playing(None, base=Setup("", 0, ["Ana"], seed="b"), store=store) as person:
            await person.press(offered("casino"))
            await person.press_at_once("enter", "enter")
            await person.idle()
            assert person.table.session.table.entries[-1].kind == "move"
            assert person.app.unfinished() == []
            # The language of each game that is dealt is noted.
            assert list(store._shown_in) == [person.table.session.table.id]
    finally:
        store.finish()


async def test_a_game_left_before_it_is_painted_is_not_played_on() -> None:
    store = store_over(MemoryStore())
    try:
        async with playing(None, base=Setup("", 0, ["Ana"]), store=store) as person:
            # In the first game the computer goes first, and with a move a game is one to resume.
            for seed in ("b", "x"):
                person.app.call_later(person.app.begin, replace(alone("casino"), seed=seed))
            waiting = Waiting("the second game")
            while not person.app.table or person.table.session.setup.seed != "x":
                waiting.check()
                await person.settle()
            await person.idle()
            assert person.app.unfinished() == []
    finally:
        store.finish()


async def test_a_rematch_pressed_twice_at_once_is_dealt_once() -> None:
    async with playing(alone("cardlebones")) as person:
        await person.fast_forward(luck.rng())
        ended = person.table.session.table.id
        await person.press_at_once("enter", "enter")
        assert person.table.session.table.follows == ended


async def test_a_failure_ends_the_program_and_names_no_card(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def fail(self: VirtualClock, seconds: float) -> None:
        raise RuntimeError("5S 10H")

    monkeypatch.setattr(VirtualClock, "sleep", fail)
    async with playing(alone("cardlebones")) as person:
        app = person.app
        await person.choose("1")
    assert app.return_code == 1
    printed = capsys.readouterr().err
    assert "RuntimeError" in printed
    assert "10H" not in printed


async def test_a_module_that_fails_behind_the_list_of_games_ends_the_program_with_an_apology(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "adapters.terminal.screens.lobby", None)
    failed = asyncio.Event()
    apologise = TerminalApp.fail

    def fail(app: TerminalApp, error: BaseException) -> None:
        apologise(app, error)
        failed.set()

    monkeypatch.setattr(TerminalApp, "fail", fail)
    async with playing(None, late=True) as person:
        app = person.app
        await failed.wait()
    assert app.return_code == 1
    assert "Sorry, something broke" in capsys.readouterr().err


def test_brackets_in_a_drawing_are_no_markup() -> None:
    assert colour_suits("[10♥] [bold]x[/bold]").plain == "[10♥] [bold]x[/bold]"


def test_buttons_stand_in_as_few_rows_as_fit() -> None:
    async def act() -> None: ...

    buttons = [Button(str(n), "abcde", act) for n in range(10)]
    assert [row_count(buttons, width) for width in (200, 60, 11, 5)] == [1, 2, 10, 10]


@pytest.mark.parametrize("locale", LANGUAGES)
@pytest.mark.parametrize("size", SIZES, ids=str)
async def test_the_screens_look_as_in_the_golden_files(size: tuple[int, int], locale: Language) -> None:
    shown: list[str] = []

    def show(person: Person, title: str) -> None:
        shown.append(f"{'=' * 10} {title}\n{person.text()}")

    with only(*LISTED):
        async with playing(None, size, base=Setup("", 0, ["Ana"], locale, seed="x", pace=0)) as person:
            show(person, "picker")
            await person.choose("2")
            show(person, "lobby")
            await person.choose("escape", "1")
            show(person, "lobby, two players only")
            await person.press("f1")
            show(person, "rules")
    for key in GAMES:
        async with playing(alone(key, locale), size, thinker=FirstMove()) as person:
            await person.idle()
            show(person, f"{key}: first turn")
            await person.choose("1")
            await person.idle()
            show(person, f"{key}: second turn")
            await person.type("throw 2H")
            show(person, f"{key}: refusal")
            await person.fast_forward(random.Random(7))
            show(person, f"{key}: end")
    async with playing(replace(two(), locale=locale), size, thinker=FirstMove()) as person:
        await person.choose("enter", "1")
        show(person, "curtain")
    async with playing(alone("casino", locale, 3), size, clock=VirtualClock(stopped=True)) as person:
        show(person, "the table waits")
    assert_golden(GOLDEN / f"{size[0]}x{size[1]}-{locale}.txt", "\n".join(shown))


def store_over(file: Store, path: Path | None = None) -> WriteBehindStore:
    """A write-behind store over a store in memory, which stands for the file; a ``path`` exists."""

    async def opened(url: str) -> Store:
        return file

    if path:
        path.touch()
    return WriteBehindStore(path or Path("games"), VirtualClock(), opened)


def unfinished(store: WriteBehindStore) -> GameId:
    """The id of the game to resume in a store."""
    return store.unfinished()[0].listing.game


async def left(setup: Setup, *keys: str) -> MemoryStore:
    """A store with a game that its player left after pressing these keys."""
    file = MemoryStore()
    store = store_over(file)
    async with playing(setup, store=store) as person:
        await person.idle()
        for key in keys:
            await person.choose(key)
            await person.idle()
    store.finish()
    return file


async def test_a_game_of_another_day_is_offered_and_goes_on() -> None:
    file = await left(alone("cardlebones"), "1", "1")
    store = store_over(file)
    async with playing(None, store=store) as person:
        await person.until("R  Continue: Cardlebones, you ")
        await person.press("enter")
        assert person.table.session.table.stamp >= 2
        async for _ in person.play_on(luck.rng()):
            pass
        assert_ended(person)
    store.finish()
    assert await live_tables(file) == []


async def test_where_no_game_is_unfinished_none_is_offered() -> None:
    store = store_over(MemoryStore())
    async with playing(None, store=store) as person:
        store.wait_until_read()
        await person.settle()
        assert "Continue" not in person.text()
        assert [key for key in keys_of(person) if key.startswith("R ")] == []
        await person.press("r")
        assert "What shall we play?" in person.text()
    store.finish()


async def test_the_game_that_is_played_is_not_offered_but_the_one_before_it() -> None:
    store = store_over(MemoryStore())
    async with playing(alone("cardlebones"), store=store) as person:
        await person.idle()
        await person.press("1", "f3")
        assert "Continue" not in person.text()
        await person.press(offered("casino"), "enter")
        await person.idle()
        await person.press("f3")
        assert "R  Continue: Cardlebones, you " in person.text()
        await person.press("r")
        assert person.table.session.game.key == "cardlebones"
    store.finish()


async def test_every_unfinished_game_is_listed_and_any_of_them_goes_on() -> None:
    store = store_over(MemoryStore())
    async with playing(alone("cardlebones"), store=store) as person:
        for key in ("casino", "svoi", "boathouse"):
            await person.idle()
            await person.choose("1")
            await person.press("f3", offered(key), "enter")
        await person.idle()
        await person.press("f3")
        assert "R  Continue: Svoi Kozyri with Lola\n" in person.text()
        await person.press("r")
        listed = [line.strip() for line in person.text().splitlines() if line.strip()[:1].isdecimal()]
        assert [line.partition(",")[0] for line in listed] == [
            "1  Svoi Kozyri with Lola", "2  Casino", "3  Cardlebones",
        ]  # fmt: skip
        # Under caps lock the key is typed as it is shown.
        await person.press("escape", "R", "2")
        assert person.table.session.game.key == "casino"
        await person.press("f3", "r", "down", "down", "enter")
        assert person.table.session.game.key == "cardlebones"
    store.finish()


async def test_the_cursor_goes_to_the_game_to_continue_unless_it_was_moved() -> None:
    file = await left(alone("casino"), "1")
    store = store_over(file)
    async with playing(None, store=store) as person:
        await person.until("Continue: Casino")
        await person.press("down", "f2", "enter")
        assert person.app.screen.query("#deal")
        assert not person.app.in_game
        await person.press("escape", "up", "enter")
        assert person.table.session.game.key == "casino"
    store.finish()


@pytest.mark.parametrize("is_left", [True, False])
@pytest.mark.parametrize("late", [True, False])
async def test_no_line_of_the_list_moves_when_the_game_to_continue_is_found(
    is_left: bool, late: bool, tmp_path: Path
) -> None:
    file = await left(alone("casino"), "1") if is_left else MemoryStore()
    opened = threading.Event()

    async def opened_late(url: str) -> Store:
        opened.wait()
        return file

    (tmp_path / "games").touch()
    store = WriteBehindStore(tmp_path / "games", VirtualClock(), opened_late)
    async with playing(None, (40, 24), store=store, late=late) as person:
        before = person.text().splitlines()
        opened.set()
        store.wait_until_read()
        while person.app.unread_games:
            await person.settle()
        await person.settle()
        after = person.text().splitlines()
        assert ("Continue: Casino" in person.text()) == is_left
        assert len(before) == len(after)
        titles = [n for n, line in enumerate(before) if line.strip()[:3] in ("1  ", "2  ")]
        assert len(titles) == 2
        assert [after[n] for n in titles] == [before[n] for n in titles]
        await person.press("enter")
        assert bool(person.app.table) == is_left
    store.finish()


@asynccontextmanager
async def file_read_late(
    folder: Path, keys: Sequence[str]
) -> AsyncIterator[tuple[threading.Event, WriteBehindStore]]:
    """A store whose file has an unfinished game of each key, and is read only once the event is set."""
    file, opened = MemoryStore(), threading.Event()
    for key in keys:
        before = store_over(file)
        async with playing(alone(key), store=before) as person:
            await person.idle()
            await person.choose("1")
        before.finish()

    async def opened_late(url: str) -> Store:
        opened.wait()
        return file

    (folder / "games").touch()
    store = WriteBehindStore(folder / "games", VirtualClock(), opened_late)
    try:
        yield opened, store
    finally:
        opened.set()
        store.finish()


@pytest.mark.parametrize(
    ("keys", "label"), [(["casino"], "Continue"), (["svoi", "casino"], "Unfinished games")]
)
@pytest.mark.parametrize("leaves", [True, False])
async def test_the_key_of_unfinished_games_is_there_at_once_and_works_as_soon_as_they_are_read(
    keys: list[str], label: str, leaves: bool, tmp_path: Path
) -> None:
    async with (
        file_read_late(tmp_path, keys) as (opened, store),
        playing(None, store=store, late=True, listed=len(keys)) as person,
    ):
        assert f"R {label}" in person.text()
        await person.press("r")
        assert "What shall we play?" in person.text()
        if leaves:
            await person.press("down")
        opened.set()
        if leaves:
            await person.until("Continue: ")
            store.wait_until_read()
            await person.settle()
            assert "What shall we play?" in person.text()
            await person.press("r")
        if len(keys) > 1:
            while "What shall we play?" in person.text() or "2  " not in person.text():
                await person.settle()
            await person.press("1")
        while person.app.table is None:
            await person.settle()
        assert person.table.session.game.key in keys


@pytest.mark.parametrize("changes", ["the file of games", "the language"])
async def test_a_screen_whose_widgets_are_not_made_yet_shows_what_changes_meanwhile(
    changes: str, tmp_path: Path
) -> None:
    async with (
        file_read_late(tmp_path, ["svoi", "casino"]) as (opened, store),
        playing(None, store=store, late=True, listed=2) as person,
    ):
        opened.set()
        store.wait_until_read()
        await person.settle()
        shown = person.app.push_screen(UnfinishedScreen())
        if changes == "the language":
            person.app.set_language("es")
        else:
            person.app._on_store_change()
        await shown
        await person.settle()
        assert person.app.return_code is None
        title = "Partidas sin terminar" if changes == "the language" else "Unfinished games"
        assert title in person.text()
        assert "2  " in person.text()


@pytest.mark.parametrize("keys", [["casino"], ["svoi", "casino"]], ids=len)
async def test_a_player_who_reads_the_rules_meanwhile_is_not_taken_to_an_unfinished_game_but_finds_it_listed(
    keys: list[str], tmp_path: Path
) -> None:
    async with (
        file_read_late(tmp_path, keys) as (opened, store),
        playing(None, store=store, late=True, listed=len(keys)) as person,
    ):
        await person.press("r")
        # As a click on the button does.
        await person.app.action_rules()
        await person.settle()
        opened.set()
        store.wait_until_read()
        await person.settle()
        assert "How to play" in person.text()
        await person.press("escape")
        assert ("R  Continue: " in person.text(), person.app.table) == (True, None)


class ReadBySteps(MemoryStore):
    """A store in which a reader waits after the first unfinished game, and before the finished ones."""

    def __init__(self) -> None:
        super().__init__()
        self.steps = [threading.Event(), threading.Event()]
        self.rooms_read = 0

    async def room(self, place: Place) -> Room | None:
        self.rooms_read += 1
        if self.rooms_read == 2:
            self.steps[0].wait()
        return await super().room(place)

    async def finished(self, **query: Any) -> Sequence[Listing]:
        self.steps[1].wait()
        return await super().finished(**query)


async def test_the_key_waits_for_all_unfinished_games_but_for_no_finished_one(tmp_path: Path) -> None:
    file = ReadBySteps()
    for step in file.steps:
        step.set()
    for key in ("svoi", "casino"):
        before = store_over(file)
        async with playing(alone(key), store=before) as person:
            await person.idle()
            await person.choose("1")
        before.finish()
    file.rooms_read = 0
    for step in file.steps:
        step.clear()
    store = store_over(file, tmp_path / "games")
    try:
        async with playing(None, store=store, late=True, listed=2) as person:
            await person.press("r")
            await person.until("R  Continue: ")
            assert "What shall we play?" in person.text()
            file.steps[0].set()
            while "What shall we play?" in person.text() or "2  " not in person.text():
                await person.settle()
            listed = [line.split()[:2] for line in person.text().splitlines() if line.strip()[:1].isdecimal()]
            assert [number for number, _ in listed] == ["1", "2"]
    finally:
        for step in file.steps:
            step.set()
        store.finish()


async def test_a_paragraph_is_as_high_as_its_lines_even_if_two_come_within_a_frame() -> None:
    async with playing(alone("casino")) as person:
        table = person.table
        notice = table.query_one("#notice", Paragraph)
        notice.display = True
        for lines in (1, 2, 3, 2, 1):
            notice.update("short")
            # As when another widget has the screen laid out before the paragraph has asked for that.
            table._clear_arrangement_cache()
            table._refresh_layout()
            notice.update("\n".join("word" for _ in range(lines)))
            await person.settle()
            assert notice.size.height == lines


async def test_a_game_can_be_gone_on_with_at_once() -> None:
    file = await left(alone("casino"), "1")
    store = store_over(file)
    store.wait_until_read()
    async with playing(None, store=store, unfinished=unfinished(store)) as person:
        assert "throws" in person.text()
        assert person.table.session.game.key == "casino"
    store.finish()


async def test_the_language_in_which_a_game_was_left_is_kept() -> None:
    file = await left(alone("cardlebones"), "1", "f2")
    store = store_over(file)
    store.wait_until_read()
    store.finish()
    ((game, language),) = store.languages.items()
    assert (language, store.last_language()) == ("es", "es")
    # What was chosen since counts, though it is not written yet.
    store.set_language(game, "en")
    assert store.last_language() == "en"


async def test_people_who_share_a_keyboard_find_their_hands_hidden_on_another_day() -> None:
    file = await left(two(), "enter", "1", "enter", "1", "enter")
    store = store_over(file)
    store.wait_until_read()
    async with playing(None, store=store, unfinished=unfinished(store)) as person:
        session = person.table.session
        assert "Pass the keyboard" in person.text()
        assert (person.table.reader, person.table.next_reader) == (None, session.at_keyboard())
        assert person.cards() <= public_cards(person)
        await person.press("enter")
        assert person.table.reader == session.at_keyboard()
    store.finish()


async def test_who_leaves_is_told_that_the_game_is_kept() -> None:
    store = store_over(MemoryStore())
    async with playing(alone("casino"), store=store, clock=VirtualClock(stopped=True)) as person:
        await person.press("ctrl+q")
        assert "is saved" not in person.text()
        await person.choose("1", "ctrl+q")
        assert "Press Ctrl+Q again to quit. Your game is saved for another day." in person.text()
    store.finish()


async def test_a_file_that_does_not_work_is_told_and_the_game_goes_on() -> None:
    async def fail(url: str) -> Store:
        raise StoreError("no room")

    store = WriteBehindStore(Path("games"), VirtualClock(), fail)
    async with playing(alone("cardlebones"), store=store) as person:
        await person.until("Your games can't be saved in games (no room).")
        await person.idle()
        await person.choose("1")
        assert "no room" not in person.text()
        async for _ in person.play_on(luck.rng()):
            pass
        assert_ended(person)
    store.finish()


async def test_a_file_that_did_not_work_before_the_game_is_told_when_it_begins() -> None:
    async def fail(url: str) -> Store:
        raise StoreError("no room")

    store = WriteBehindStore(Path("games"), VirtualClock(), fail)
    async with playing(None, store=store) as person:
        store.wait_until_read()
        await person.press("enter", "enter")
        assert "(no room)" in person.text()
    store.finish()


async def listed_with(store: WriteBehindStore, locale: Language) -> str:
    """The list of games of a program whose file of games has been read, or could not be."""
    base = Setup("", 0, ["Ana"], locale, seed="x")
    async with playing(None, base=base, store=store, late=True) as person:
        store.wait_until_read()
        while person.app.unread_games:
            await person.settle()
        await person.settle()
        text = " ".join(person.text().split())
        await person.press("1")
        assert isinstance(person.app.screen, LobbyScreen)
    store.finish()
    return text


@pytest.mark.parametrize(
    ("locale", "expected"),
    [
        ("en", "Your games in games can't be read: the file is damaged"),
        ("es", "No se pueden leer tus partidas de games: el archivo está dañado"),
    ],
)
async def test_a_damaged_file_is_named_in_the_list_where_its_unfinished_game_was(
    locale: Language, expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object) -> None:
        raise StoreError("database disk image is malformed")

    file = await left(alone("casino"), "1")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(file, "tables", fail)
    assert expected in await listed_with(store_over(file, Path("games")), locale)


async def test_a_file_that_could_not_be_written_to_is_not_one_that_cannot_be_read(tmp_path: Path) -> None:
    store = store_over(MemoryStore(), tmp_path / "games")
    store.start()
    store.wait_until_read()
    store._fail(StoreError("disk full"))
    assert obstacle_to_resuming(store) is None
    assert store.warning()
    store.finish()


@pytest.mark.parametrize(
    ("locale", "expected"),
    [
        ("en", "An unfinished game in games is damaged and can't go on."),
        ("es", "Una partida sin terminar de games está dañada y no puede seguir."),
    ],
)
async def test_the_file_of_a_damaged_game_is_named_in_the_list(
    locale: Language, expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = await left(alone("casino"), "1")

    async def fail(*_: object) -> None:
        raise ValueError

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(file, "tail", fail)
    monkeypatch.setattr(file, "load", fail)
    assert expected in await listed_with(store_over(file, Path("games")), locale)


async def test_a_game_of_older_rules_is_told_in_the_list(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = await left(alone("casino"), "1")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(type(games()["casino"]), "revision", 99)
    text = await listed_with(store_over(file, Path("games")), "en")
    assert "An update has changed the rules, so this game can't go on." in text


async def test_a_file_without_unfinished_games_is_not_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert "can't" not in await listed_with(store_over(MemoryStore(), Path("games")), "en")


async def test_an_enter_from_before_the_first_screen_counts() -> None:
    """Until the program takes over the keyboard, the terminal turns it into a line feed."""
    async with playing(None) as person:
        await person.press("ctrl+j")
        assert person.app.screen.query("#form")
