"""Games played at the terminal line by line; no player sees another's hand."""

from __future__ import annotations

import asyncio
import io
import re
import signal
from collections.abc import Callable, Iterable
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

import pytest

from adapters.shared.clock import AsyncioClock
from adapters.shared.rendering.wrapping import plain_text, reflowed, wrapped
from adapters.terminal.equipment import Equipment
from adapters.terminal.guide import GuideMemory
from adapters.terminal.plain import printer as plain_printer
from adapters.terminal.plain import table as plain_table
from adapters.terminal.plain.interface import play_plainly
from adapters.terminal.plain.table import PlainTable, PlayerQuit
from adapters.terminal.saved_games.store import WriteBehindStore
from adapters.terminal.session import Session, resumed_session
from adapters.terminal.setup import Setup
from bot.i18n import Speech
from bot.model.places import HOME
from bot.settings.choices import LANGUAGES, Language
from bot.storage import Store, StoreError
from bot.store.memory.store import MemoryStore
from bot.thinking.thinker import InlineThinker
from engines import games
from engines.game import Seat
from engines.values import replace
from tests.support.clock import VirtualClock
from tests.support.games import every_game
from tests.support.news import news_for
from tests.support.stores import live_tables

EMPTY_LINES = "\n" * 40
LONGEST = 1000
"""More answers than any game here takes."""
BONES = Setup("cardlebones", players=2, names=("Ana",), seed="S", pace=0)
CASINO = Setup("casino", players=2, names=("Ana",), seed="S", pace=0)
HOT_SEAT = Setup("casino", players=3, names=("Ana", "Beto"), seed="S", pace=0, options={"exchange": "off"})

Printed = pytest.CaptureFixture[str]
every_language = pytest.mark.parametrize("locale", list(LANGUAGES))


class Keyboard:
    """The standard input: gives the answers, and keeps the text printed before each."""

    def __init__(self, printed: Printed, answers: Iterable[str] | Callable[[str], str]) -> None:
        self._printed = printed
        self._answers = answers if callable(answers) else iter(answers)
        self.screens: list[str] = []
        self.watch: Callable[[str], None] = lambda screen: None

    def read(self) -> str:
        self.screens.append(self._printed.readouterr().out)
        assert len(self.screens) < LONGEST, "this game has no end"
        self.watch(self.screens[-1])
        if callable(self._answers):
            return self._answers(self.screens[-1])
        answer = next(self._answers, None)
        return "" if answer is None else f"{answer}\n"


def play(
    printed: Printed, setup: Setup, answers: Iterable[str] | Callable[[str], str]
) -> tuple[PlainTable, list[str]]:
    """Plays with these answers; returns the table, and the text printed before each answer and at the end."""
    keyboard = Keyboard(printed, answers)
    table = PlainTable(Session(setup), keyboard.read)
    return table, run_to_end(table, keyboard, printed)


def run_to_end(table: PlainTable, keyboard: Keyboard, printed: Printed) -> list[str]:
    with suppress(PlayerQuit):
        asyncio.run(table.run())
    return [*keyboard.screens, printed.readouterr().out]


def firsts() -> Callable[[str], str]:
    """Answers that always take the first move, and no other game."""
    return lambda screen: "no\n" if asks_for_another(screen) else "1\n"


def asks_for_another(screen: str) -> bool:
    """Whether the last question is whether to play again."""
    return bool(re.search(r"\((yes or no|sí o no)\)\n> $", screen))


@every_language
@every_game
def test_a_game_is_played_to_its_end(key: str, locale: Language, capsys: Printed) -> None:
    setup = replace(BONES, key=key, players=games()[key].seats[-1], locale=locale)
    table, screens = play(capsys, setup, firsts())
    result = table._session.table.result
    assert result is not None
    assert str(max(result.scores)) in screens[-2]
    assert "SHA-256" in screens[-2]
    assert screens[-1] == {"en": "See you next time.\n", "es": "Hasta la próxima.\n"}[locale]


@every_language
@every_game
def test_nothing_but_lines_of_readable_characters_is_printed(
    key: str, locale: Language, capsys: Printed
) -> None:
    answers = ["help", "rules", "look", "history", "throw \x1b[31m", "\x9b\u202e", "z\x00", *["1"] * 200]
    wild = replace(BONES, key=key, locale=locale, names=("\x1bAna\u202e",), seed=None, cut="\x1b[2Jx\x9b")
    _, screens = play(capsys, wild, answers)
    assert {char for char in "".join(screens) if not char.isprintable()} == {"\n"}


@every_game
def test_lines_are_no_wider_than_a_terminal(key: str, capsys: Printed) -> None:
    setup = replace(BONES, key=key, players=games()[key].seats[-1], names=("Bartolomé Sánchez de la Torre",))
    _, screens = play(capsys, setup, firsts())
    lines = [line.removeprefix("> ") for line in "".join(screens).splitlines()]
    assert 0 < max(map(len, lines)) <= plain_printer.WIDTH


def test_sentences_break_between_words(capsys: Printed) -> None:
    blocked = replace(
        BONES, key="trio_escalera", players=3, options={"table_moves": "off"}, locale="es", names=("Ana",)
    )
    _, screens = play(capsys, blocked, ["h"])
    expected = (
        "Con tres jugadores o más, si las cartas no se mueven, casi todas las partidas acaban bloqueadas."
    )
    assert expected in " ".join("".join(screens).split())
    assert max(map(len, "".join(screens).splitlines())) <= plain_printer.WIDTH


@pytest.mark.parametrize("letters", [True, False])
def test_letters_stand_for_suits(letters: bool, capsys: Printed) -> None:
    _, screens = play(capsys, replace(CASINO, letters=letters), ["rules", "throw 3h", *["1"] * 100])
    assert bool(set("".join(screens)) & set("♠♥♦♣")) != letters


def test_the_first_screen_says_how_it_was_dealt_and_what_can_be_done(capsys: Printed) -> None:
    _, screens = play(capsys, BONES, [])
    lines = screens[0].splitlines()
    assert lines[:2] == ["Cardlebones", "Dealt from your own seed: S"]
    assert "  9. " in screens[0]
    assert lines[-2:] == ["Your move? Type its number, or the move itself. “help” explains more.", "> "]


@pytest.mark.parametrize("leaving", ["quit", "QUIT", "exit", " salir "])
def test_a_player_leaves_by_a_typed_word(leaving: str, capsys: Printed) -> None:
    table, screens = play(capsys, BONES, [leaving])
    assert screens[1:] == ["See you next time.\n"]
    assert table._session.table.result is None


def test_the_end_of_the_input_is_a_leave(capsys: Printed) -> None:
    assert play(capsys, BONES, [])[1][1:] == ["See you next time.\n"]


async def test_leaving_ends_the_computers(capsys: Printed) -> None:
    table = PlainTable(Session(BONES), Keyboard(capsys, ["1"]).read)
    with pytest.raises(PlayerQuit):
        await table.run()
    assert table._session._attendance is not None
    assert table._session._attendance.done()


@pytest.mark.parametrize("line", ["3", "A♥ to a3", "place a3", "PLACE A3", "a3", "play a3", "colocar a3"])
def test_a_move_is_a_number_a_label_or_words(line: str, capsys: Printed) -> None:
    locale: Language = "es" if line.startswith("colocar") else "en"
    table, _ = play(capsys, replace(BONES, locale=locale), [line])
    made = [
        entry.body["move"]
        for entry in table._session.table.entries
        if entry.kind == "move" and not entry.seat
    ]
    assert made == ["place a3"]


@pytest.mark.parametrize("locale", ["en", "es"])
def test_a_refused_move_has_its_reason(locale: Language, capsys: Printed) -> None:
    table, screens = play(capsys, replace(CASINO, locale=locale), ["throw KS", "fly", "99", "9" * 5000])
    asked = {"en": "Your move", "es": "Tu jugada"}[locale]
    reasons = [screen.splitlines()[0] for screen in screens[1:5]]
    assert "ks" in reasons[0].casefold()
    numbers = {"en": "There is no {} in the menu.", "es": "No hay ningún {} en el menú."}[locale]
    assert reasons[2:] == [numbers.format("99"), numbers.format("99999999…")]
    assert all(asked in screen for screen in screens[:5])
    assert [entry.seat for entry in table._session.table.entries if entry.kind == "move"].count(0) == 0


@pytest.mark.parametrize("line", ["fly", "throw KS", "99", "help", "rules"])
def test_the_menu_is_not_listed_again_where_it_stands_above(line: str, capsys: Printed) -> None:
    _, screens = play(capsys, CASINO, [line])
    assert "  1. " not in screens[1]
    assert screens[1].splitlines()[-2:] == [
        "Your move? Enter shows the table again.",
        "> ",
    ]


@pytest.mark.parametrize("line", ["", "look", "back"])
def test_the_menu_is_listed_again_on_demand(line: str, capsys: Printed) -> None:
    _, screens = play(capsys, CASINO, ["fly", line])
    assert "  1. " in screens[2]


def test_the_numbers_of_a_menu_hold_after_a_refusal(capsys: Printed) -> None:
    plainly, _ = play(capsys, CASINO, ["2"])
    refused, _ = play(capsys, CASINO, ["fly", "2"])
    assert refused._session.table.news[2] == plainly._session.table.news[2]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("help", "You can also type: hand, table, score, history, hint, u (take back),"),
        ("?", "For example: "),
        ("AYUDA", "For example: "),
        ("rules", "40-card Casino"),
        ("reglas", "\nHouse rules\n"),
        ("look", "your hand"),
        ("", "your hand"),
        ("mirar", "your hand"),
        ("hand", "your hand"),
        ("mesa", "- table -"),
        ("mano", "- your hand -"),
        ("historial", "Everybody gets 10 cards.\n"),
        ("score", "Points: Ana (0) and Lola (0)"),
        ("puntos", "Points: Ana (0) and Lola (0)"),
        ("rules cardlebones", "Fill your 3×3 board"),
        ("rules tarot", "Which game? You can play"),
    ],
)
def test_what_can_be_typed_besides_moves(line: str, expected: str, capsys: Printed) -> None:
    _, screens = play(capsys, CASINO, [line])
    assert expected in screens[1]
    assert "Your move" in screens[1]


def test_the_example_of_the_help_can_be_typed(capsys: Printed) -> None:
    _, screens = play(capsys, CASINO, ["help"])
    (example,) = re.findall(r"For example: (.*)", screens[1])
    table, _ = play(capsys, CASINO, [example, ""])
    assert example in [entry.body.get("move") for entry in table._session.table.entries]


@every_game
def test_news_is_told_once(key: str, capsys: Printed) -> None:
    table, screens = play(capsys, replace(BONES, key=key), firsts())
    session = table._session
    # The last drawing may say the end of a hand as well, in the same lines.
    last = session.draw(0, plain_printer.WIDTH, height=1)
    printed = "".join(screens).replace(last, "").replace("> ", "").splitlines()
    sentences = [session.say(event.text) for event in news_for(session.table, 0)]
    news = [line for sentence in sentences for line in wrapped(sentence, plain_printer.WIDTH)]
    assert [line for line in printed if line in set(news)] == news


def test_the_table_is_not_shown_again_where_nothing_has_changed(capsys: Printed) -> None:
    _, screens = play(capsys, CASINO, ["fly", "help"])
    assert "your hand" in screens[0]
    assert all("your hand" not in screen for screen in screens[1:])


def test_of_many_moves_a_card_comes_first_and_back_leads_back(
    capsys: Printed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plain_table, "_MOST_LISTED", 2)
    deals = (replace(CASINO, seed=str(n)) for n in range(99))
    menus = ((setup, play(capsys, setup, [])[1][0]) for setup in deals)
    setup, menu = next(one for one in menus if "…\n" in one[1])
    leading = re.search(r"^ +(\d+)\. .* …$", menu, re.MULTILINE)
    assert leading is not None
    _, screens = play(capsys, setup, [leading[1], "back"])
    first, inside, again = (re.findall(r"^ +\d+\. .*", screen, re.MULTILINE) for screen in screens[:3])
    assert first == again
    assert len(inside) >= 2
    assert not any(line.endswith("…") for line in inside)


def test_the_words_of_a_wide_move_are_picked_one_after_the_other(capsys: Printed) -> None:
    setup = Setup("trio_escalera", players=2, names=("Ana",), seed="4", pace=0)
    _, screens = play(capsys, setup, ["lay", "4♠r", "4♥b", "back", "back"])
    begun = ["Lay …: choose", "Lay 4♠r …", "Lay 4♠r 4♥b …", "Lay 4♠r …", "Lay …: choose"]
    assert [screen.startswith(words) for screen, words in zip(screens[1:6], begun, strict=True)] == [True] * 5


def test_lines_typed_ahead_press_the_keys_of_the_menus_printed_before_each(
    capsys: Printed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(AsyncioClock, "now", lambda _: 0.0)
    table, screens = play(capsys, replace(CASINO, seed="two"), ["2", "1", "1"])
    listed = [re.findall(r"^ +\d+\. (.*)", screen, re.MULTILINE) for screen in screens]
    session = table._session
    labels = [
        session.game.label(session.table.view(0), tuple(str(entry.body["move"]).split()), session.say)
        for entry in session.table.entries
        if entry.kind == "move" and entry.seat == 0
    ]
    assert labels == [listed[0][1], listed[1][0], listed[2][0]]


@every_game
def test_a_game_can_be_played_card_first(key: str, capsys: Printed, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plain_table, "_MOST_LISTED", 1)
    table, _ = play(capsys, replace(BONES, key=key), firsts())
    assert table._session.table.result is not None


def test_another_game_is_played_after_a_yes(capsys: Printed) -> None:
    asked: list[str] = []

    def answer(screen: str) -> str:
        if "Another game" in screen:
            asked.append(screen)
            return "no\n" if len(asked) == 2 else "yes\n"
        return "1\n"

    _, screens = play(capsys, BONES, answer)
    printed = "".join(screens)
    assert printed.count("Dealt from your own seed: S\n") == 1
    assert printed.count("Dealt from your own seed: S again\n") == 1
    assert screens[-1] == "See you next time.\n"


@pytest.mark.parametrize("answer", ["n", "NO", " no "])
def test_a_no_is_the_end(answer: str, capsys: Printed) -> None:
    _, screens = play(capsys, BONES, lambda screen: f"{answer}\n" if asks_for_another(screen) else "1\n")
    assert screens[-1] == "See you next time.\n"


@pytest.mark.parametrize("answer", ["", "whatever", "7"])
def test_an_answer_that_is_neither_yes_nor_no_is_asked_again(answer: str, capsys: Printed) -> None:
    answers = iter([answer, "no"])
    _, screens = play(
        capsys, BONES, lambda screen: f"{next(answers)}\n" if asks_for_another(screen) else "1\n"
    )
    assert screens[-2].startswith("Please type yes or no. You can also type: look back,")
    assert asks_for_another(screens[-2])
    assert screens[-1] == "See you next time.\n"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("history", "Ana places"),
        ("score", "wins with"),
        ("table", "c\n1"),
        ("rules", "Cardlebones\n"),
        ("reglas casino", "Casino"),
    ],
)
def test_words_about_a_finished_game_are_answered(line: str, expected: str, capsys: Printed) -> None:
    answers = iter([line, "no"])
    _, screens = play(
        capsys, BONES, lambda screen: f"{next(answers)}\n" if asks_for_another(screen) else "1\n"
    )
    assert expected in screens[-2]


@every_game
def test_the_same_seed_plays_the_same_games(key: str, capsys: Printed) -> None:
    setup = replace(BONES, key=key, level="easy")
    runs = [play(capsys, setup, firsts())[1] for _ in range(2)]
    assert runs[0] == runs[1]
    assert play(capsys, replace(setup, seed="T"), firsts())[1] != runs[0]


def cards(hand: Iterable[str]) -> set[str]:
    return {card.translate(str.maketrans("SHDC", "♠♥♦♣")) for card in hand}


CARD = re.compile(r"(?:10|[2-9AJQK])[♠♥♦♣]")


@pytest.mark.parametrize("seed", ["S", "T"])
@pytest.mark.parametrize(
    ("players", "names"), [(2, ("Ana", "Beto")), (3, ("Ana", "Beto")), (3, ("A", "B", "C"))]
)
def test_people_who_share_a_keyboard_never_see_the_other_hand(
    players: int, names: tuple[str, ...], seed: str, capsys: Printed
) -> None:
    """The screen shows the text after the last forty empty lines."""
    keyboard = Keyboard(capsys, firsts())
    table = PlainTable(Session(replace(HOT_SEAT, players=players, names=names, seed=seed)), keyboard.read)
    session, on_screen, handed, looked = table._session, "", 0, 0

    def watch(printed: str) -> None:
        nonlocal on_screen, handed, looked
        on_screen = (on_screen + printed).rpartition(EMPTY_LINES)[2]
        if session.table.result:
            return
        seat = session.at_keyboard()
        assert seat is not None
        hands = session.table.state.hands
        seen = set(CARD.findall(on_screen))
        if on_screen.endswith("Press Enter when you have it.\n> "):
            handed += 1
            assert on_screen.strip().startswith(f"Pass the keyboard to {names[seat]}.")
            assert seen == set()
            return
        looked += 1
        assert cards(hands[seat]) <= seen
        for other in session.people:
            if other != seat:
                assert not cards(hands[other]) & seen

    keyboard.watch = watch
    run_to_end(table, keyboard, capsys)
    assert session.table.result is not None
    assert handed >= 20
    assert looked >= 20


def exchange(holder: Seat) -> Setup:
    """A setup with three people, one of whom holds the three of hearts."""
    game = games()["casino"]
    base = replace(HOT_SEAT, names=("Ana", "Beto", "Carla"), options={})
    for n in range(99):
        session = Session(replace(base, seed=str(n)))
        state = session.table.state
        if state.phase == "exchange" and game.choices(state, holder).words:
            return session.setup
    raise AssertionError("no such deal")


def test_people_who_share_a_keyboard_are_asked_for_the_exchange_in_turn(capsys: Printed) -> None:
    _, screens = play(capsys, exchange(2), ["", "", "1", "", "1", "", "exchange no", ""])
    prompts = [screen.splitlines()[-2] for screen in screens[:7]]
    # The first Enter has only said that the player is there; a second one decides nothing.
    assert prompts.pop(1) == "You have nothing to decide. Type 1 to go on."
    assert prompts[0].startswith("Pass the keyboard to Ana.")
    assert prompts[1] == "You have nothing to decide. Type 1 to go on."
    assert prompts[2].startswith("Pass the keyboard to Beto.")
    assert prompts[3] == "You have nothing to decide. Type 1 to go on."
    assert screens[1].splitlines()[-3].startswith("Everyone is asked")
    assert prompts[4].startswith("Pass the keyboard to Carla.")
    assert prompts[5].startswith("Your move")
    assert "The 3♥ stays where it is." in screens[8]


def test_words_of_a_player_with_nothing_to_decide_are_obeyed_and_answer_nothing(capsys: Printed) -> None:
    _, screens = play(capsys, exchange(2), ["", "help", "rules", "1", "", "1", "", "exchange no", ""])
    assert "You can also type: hand, table, score" in screens[2]
    assert all(screen.splitlines()[-2].endswith("Type 1 to go on.") for screen in screens[1:4])
    assert screens[4].splitlines()[-2].startswith("Pass the keyboard to Beto.")


def test_who_plays_alone_waits_while_a_computer_may_decide(capsys: Printed) -> None:
    table, screens = play(capsys, replace(exchange(1), names=("Ana",)), firsts())
    assert "Waiting …" in screens[0]
    assert table._session.table.result is not None


def test_a_computer_that_fails_ends_the_program_instead_of_hanging(
    capsys: Printed, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("no idea")

    monkeypatch.setattr(type(games()["cardlebones"]), "think", fail)
    with pytest.raises(RuntimeError, match="no idea"):
        play(capsys, BONES, firsts())


def offering(monkeypatch: pytest.MonkeyPatch, printed: Printed, base: Setup, *lines: str) -> str:
    """The text printed to a player who has not chosen a game yet."""
    answers = iter(lines)
    monkeypatch.setattr("sys.stdin.readline", lambda: next(answers, ""), raising=False)
    play_plainly(None, base, Equipment(InlineThinker()))
    return printed.readouterr().out


@pytest.mark.parametrize("answer", [f"{list(games()).index('casino') + 1}\n", "casino\n", " CASINO \n"])
def test_a_game_is_chosen_by_number_or_name(
    answer: str, capsys: Printed, monkeypatch: pytest.MonkeyPatch
) -> None:
    printed = offering(monkeypatch, capsys, replace(CASINO, key="", players=0), answer)
    assert printed.startswith("Which game?\n  1. ")
    assert ". Cardlebones: Fill your 3×3 board" in printed
    assert "\nCasino\nDealt from your own seed: S\n" in printed


def test_an_answer_that_names_no_game_is_asked_again(
    capsys: Printed, monkeypatch: pytest.MonkeyPatch
) -> None:
    printed = offering(monkeypatch, capsys, replace(CASINO, key=""), "tarot\n", "0\n", "\n")
    assert printed.count("Which game?") == 4
    wrong = re.findall(r"There is no game “(.*)”\. Type its number or its name\.", printed)
    assert wrong == ["tarot", "0"]


def test_a_mistyped_game_is_answered_with_the_one_that_it_resembles(
    capsys: Printed, monkeypatch: pytest.MonkeyPatch
) -> None:
    printed = offering(monkeypatch, capsys, replace(CASINO, key=""), "csino\n", "trio y escalero\n")
    assert "There is no game “csino”. Did you mean “Casino”?\n" in printed
    assert "Did you mean “Trío y Escalera”?\n" in printed


@pytest.mark.parametrize("wish", [{"players": 3}, {"players": 0, "names": ("Ana", "Beto", "Carla")}])
def test_only_games_for_so_many_are_offered(
    wish: dict[str, object], capsys: Printed, monkeypatch: pytest.MonkeyPatch
) -> None:
    printed = offering(monkeypatch, capsys, replace(CASINO, key="", **wish), "casino\n")  # type: ignore[arg-type]
    assert "Cardlebones" not in printed
    assert "\nCasino\nDealt from" in printed


def test_a_failure_is_told_without_a_traceback_and_names_no_card(
    capsys: Printed, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("5S 10H")

    monkeypatch.setattr(PlainTable, "run", fail)
    with pytest.raises(SystemExit, match=r"^1$"):
        play_plainly(CASINO, CASINO, Equipment(InlineThinker()))
    printed = capsys.readouterr().err
    assert printed.startswith("Sorry, something broke")
    assert "RuntimeError, test_plain.py:" in printed
    assert "10H" not in printed


@pytest.mark.parametrize("answers", [(), ("no\n",)])
def test_ctrl_c_ends_at_once_while_a_line_is_awaited_even_before_the_deal(
    answers: tuple[str, ...], tmp_path: Path, capsys: Printed, monkeypatch: pytest.MonkeyPatch
) -> None:
    coming, interruptions = iter(answers), []

    def read() -> str:
        if (answer := next(coming, None)) is not None:
            return answer
        interruptions.append(True)
        signal.raise_signal(signal.SIGINT)
        return "no\n"

    monkeypatch.setattr("sys.stdin.readline", read, raising=False)
    guides = GuideMemory(tmp_path / "guides.txt")
    setup = replace(CASINO, seed=None)
    play_plainly(setup, setup, Equipment(InlineThinker(), guides=guides))
    assert len(interruptions) == 1
    assert guides.is_settled("casino") == bool(answers)
    assert capsys.readouterr().out.endswith("\n")


def store_over(file: MemoryStore, path: Path) -> WriteBehindStore:
    """A write-behind store over a store in memory, which stands for an existing file."""
    path.touch()

    async def opened(url: str) -> Store:
        return file

    return WriteBehindStore(path, VirtualClock(), opened)


def left(printed: Printed, setup: Setup, answers: list[str], path: Path) -> MemoryStore:
    """A store with a game that its player left."""
    file = MemoryStore()
    store = store_over(file, path)
    keyboard = Keyboard(printed, answers)
    run_to_end(PlainTable(Session(setup, store=store), keyboard.read, store=store), keyboard, printed)
    store.finish()
    return file


def resuming(
    printed: Printed, file: MemoryStore, answers: Iterable[str] | Callable[[str], str], path: Path
) -> list[str]:
    """The texts printed to a player who resumes the game in a store."""
    store = store_over(file, path)
    store.wait_until_read()
    game = store.unfinished()[0].listing.game
    keyboard = Keyboard(printed, answers)
    session = asyncio.run(resumed_session(replace(BONES, names=("X",)), game, store))
    screens = run_to_end(PlainTable(session, keyboard.read, store=store), keyboard, printed)
    store.finish()
    return screens


def test_a_game_that_was_left_goes_on_where_it_was(capsys: Printed, tmp_path: Path) -> None:
    file = left(capsys, BONES, ["1", "1"], tmp_path / "games")
    screens = resuming(capsys, file, firsts(), tmp_path / "games")
    assert screens[0].splitlines()[:3:2] == ["Cardlebones", "You're back in your game."]
    assert "Ana places" in screens[0]
    last = asyncio.run(file.last_over(HOME))
    assert last is not None
    assert [seated.player.name for seated in last.seats] == ["Ana", "Lola"]
    assert asyncio.run(live_tables(file)) == []


def test_a_game_that_is_left_after_a_move_can_be_resumed(capsys: Printed, tmp_path: Path) -> None:
    left(capsys, BONES, ["1"], tmp_path / "games")
    keyboard = Keyboard(capsys, ["1", "quit"])
    store = store_over(MemoryStore(), tmp_path / "games")
    screens = run_to_end(
        PlainTable(Session(BONES, store=store), keyboard.read, store=store), keyboard, capsys
    )
    store.finish()
    assert (screens[-1], store.can_resume_last()) == ("See you next time.\n", True)


def test_a_game_in_which_nobody_has_moved_is_not_kept(capsys: Printed, tmp_path: Path) -> None:
    keyboard = Keyboard(capsys, ["quit"])
    store = store_over(MemoryStore(), tmp_path / "games")
    setup = replace(HOT_SEAT, players=2)
    screens = run_to_end(
        PlainTable(Session(setup, store=store), keyboard.read, store=store), keyboard, capsys
    )
    store.finish()
    told = "You haven't moved yet, so this game isn't saved.\nSee you next time.\n"
    assert (screens[-1], store.can_resume_last()) == (told, False)


def test_people_who_share_a_keyboard_find_their_hands_hidden_on_another_day(
    capsys: Printed, tmp_path: Path
) -> None:
    file = left(capsys, HOT_SEAT, ["", "1", "", "1", "", "1"], tmp_path / "games")
    screens = resuming(capsys, file, [""], tmp_path / "games")
    assert "You're back in your game." in screens[0]
    assert "your hand" not in screens[0]
    assert screens[0].rpartition(EMPTY_LINES)[2].strip().startswith("Pass the keyboard to")
    assert "your hand" in screens[1]


def test_of_a_long_game_only_the_last_news_are_told_again(capsys: Printed, tmp_path: Path) -> None:
    file = left(capsys, CASINO, ["1"] * 18, tmp_path / "games")
    screens = resuming(capsys, file, [], tmp_path / "games")
    assert (
        len([line for line in screens[0].splitlines() if line.endswith(".")])
        <= plain_table._REPEATED_NEWS + 3
    )


@pytest.mark.parametrize("answer", ["\n", "r\n"])
def test_an_unfinished_game_is_offered_before_the_others(
    answer: str, capsys: Printed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = left(capsys, BONES, ["1"], tmp_path / "games")
    answers = iter(["nothing\n", answer])
    monkeypatch.setattr("sys.stdin.readline", lambda: next(answers, ""), raising=False)
    store = store_over(file, tmp_path / "games")
    play_plainly(None, replace(CASINO, key="", players=0), Equipment(InlineThinker(), store))
    store.finish()
    printed = capsys.readouterr().out
    offer = r"^Continue: Cardlebones, you \(\d+\), Lola \(\d+\)\nPress Enter to go on with it\.\n"
    assert re.search(offer, printed, re.MULTILINE)
    assert "all your unfinished games" not in printed
    assert "You're back in your game.\n" in printed


@pytest.mark.parametrize(("answer", "title"), [("1\n", "Casino"), ("2\n", "Cardlebones")])
def test_of_several_unfinished_games_one_is_chosen_from_a_list(
    answer: str, title: str, capsys: Printed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = store_over(MemoryStore(), tmp_path / "games")
    for setup in (BONES, CASINO):
        keyboard = Keyboard(capsys, ["1"])
        run_to_end(PlainTable(Session(setup, store=store), keyboard.read, store=store), keyboard, capsys)
    answers = iter(["r\n", "7\n", "r\n", answer])
    monkeypatch.setattr("sys.stdin.readline", lambda: next(answers, ""), raising=False)
    play_plainly(None, replace(CASINO, key="", players=0), Equipment(InlineThinker(), store))
    store.finish()
    printed = capsys.readouterr().out
    assert "Type r to see all your unfinished games.\n" in printed
    assert re.search(r"Which one\? Enter goes back\.\n  1\. Casino.*\n  2\. Cardlebones", printed)
    assert f"\n{title}\nDealt from" in printed


def test_where_no_game_is_unfinished_none_is_offered(
    capsys: Printed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = store_over(MemoryStore(), tmp_path / "games")
    answers = iter(["0\n"])
    monkeypatch.setattr("sys.stdin.readline", lambda: next(answers, ""), raising=False)
    play_plainly(None, replace(CASINO, key="", players=0), Equipment(InlineThinker(), store))
    store.finish()
    printed = capsys.readouterr().out
    assert "Continue" not in printed
    assert printed.count("Which game?") == 2


def test_a_file_that_does_not_work_is_named_before_the_games_are_listed(
    capsys: Printed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(url: str) -> Store:
        raise StoreError("no room")

    monkeypatch.chdir(tmp_path)
    Path("games").touch()
    store = WriteBehindStore(Path("games"), VirtualClock(), fail)
    monkeypatch.setattr("sys.stdin.readline", lambda: "", raising=False)
    play_plainly(None, replace(CASINO, key="", players=0), Equipment(InlineThinker(), store))
    store.finish()
    printed = capsys.readouterr().out
    assert printed.startswith("Your games in games can't be read: no room\nWhich game?")


def test_a_file_that_does_not_work_is_told_once_and_the_game_goes_on(capsys: Printed, tmp_path: Path) -> None:
    async def fail(url: str) -> Store:
        raise StoreError("no room")

    store = WriteBehindStore(tmp_path / "games", VirtualClock(), fail)
    store.wait_until_read()
    keyboard = Keyboard(capsys, firsts())
    screens = run_to_end(
        PlainTable(Session(BONES, store=store), keyboard.read, store=store), keyboard, capsys
    )
    printed = "".join(screens)
    assert " ".join(printed.split()).count("(no room). You can still play this one.") == 1
    assert "wins with" in printed or "A draw" in printed


@every_language
@every_game
def test_printed_rules_fill_their_lines_and_lose_no_word(key: str, locale: Language, capsys: Printed) -> None:
    _, screens = play(capsys, Setup(key, 2, ("Ana",), locale, seed="S", pace=0), ["rules"])
    rules = plain_text(games()[key].help(Speech(locale)))
    printed = screens[1]
    assert max(map(len, printed.splitlines())) <= plain_printer.WIDTH
    assert " ".join(printed.split()).startswith(" ".join(rules.split()))
    assert not re.search(r"[#*`_]", rules)
    begun = re.compile(r" *(?:-|\d+\.) ")
    lines = reflowed(rules, plain_printer.WIDTH)
    for line, below in pairwise(lines):
        if line and below and not begun.match(below):
            assert len(f"{line} {below.split()[0]}") > plain_printer.WIDTH


@every_language
def test_the_list_of_games_is_wrapped_between_words(
    locale: Language, capsys: Printed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    play_plainly(None, replace(CASINO, key="", players=0, locale=locale), Equipment(InlineThinker()))
    printed = capsys.readouterr().out
    assert max(map(len, printed.splitlines())) <= plain_printer.WIDTH
    say = Speech(locale)
    assert all(say(game.pitch) in " ".join(printed.split()) for game in games().values())
