"""Games in which several may act at once, mostly at a shared keyboard: who has it, what becomes of moves."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import suppress

import pytest

from adapters.terminal.plain.table import PlainTable, PlayerQuit
from adapters.terminal.session import Session
from adapters.terminal.setup import Setup
from adapters.terminal.widgets import ButtonGrid
from bot.settings.choices import Language
from engines.game import Awaited, Seat
from engines.values import replace
from tests.adapters.terminal.games import grab
from tests.adapters.terminal.screen import Person, playing
from tests.support.clock import VirtualClock
from tests.support.games import registered

OPEN = Setup("grab", players=2, names=("Ana", "Beto"), seed="S")
SECRET = replace(OPEN, options={"secret": "on"})
WITH_COMPUTER = replace(OPEN, players=3)
ALONE = replace(OPEN, names=("Ana",))


@pytest.fixture(autouse=True)
def _games() -> Iterator[None]:
    with registered(grab):
        yield


def moves(session: Session) -> list[tuple[Seat | None, object]]:
    """The moves made so far, with their seats."""
    return [(entry.seat, entry.body["move"]) for entry in session.table.entries if entry.kind == "move"]


async def move_for_computer(session: Session, seat: Seat, move: str) -> None:
    await session._change(lambda table: table.play(seat, move))


async def test_a_player_keeps_the_keyboard_until_they_have_acted() -> None:
    session = Session(WITH_COMPUTER)
    session.keyboard.sit_down(1)
    await move_for_computer(session, 2, "grab 4")
    assert session.at_keyboard() == 1
    await session.play(1, "grab 1")
    assert session.at_keyboard() == 0


async def test_after_a_player_has_acted_the_others_come_first(monkeypatch: pytest.MonkeyPatch) -> None:
    session = Session(replace(WITH_COMPUTER, names=("Ana", "Beto", "Carla")))
    monkeypatch.setattr(type(session.game), "awaited", lambda game, view: Awaited((0, 1, 2)))
    seats = []
    for number in (1, 2):
        seat = session.at_keyboard()
        assert seat is not None
        await session.play(seat, f"grab {number}")
        seats.append(seat)
    assert (seats, session.at_keyboard()) == ([0, 1], 2)


async def test_where_moves_are_secret_both_are_made_when_both_players_were_asked() -> None:
    session = Session(SECRET)
    await session.play(0, "grab 1")
    assert (moves(session), session.at_keyboard()) == ([], 1)
    await session.play(1, "grab 3")
    assert moves(session) == [(0, "grab 1"), (1, "grab 3")]
    assert session.table.result is not None


@pytest.mark.parametrize(
    ("locale", "expected"),
    [
        ("en", "“grab 2” no longer works. grab 2 is not possible."),
        ("es", "«grab 2» ya no se puede jugar. grab 2 is not possible."),
    ],
)
async def test_a_held_move_that_has_become_illegal_is_told_to_its_player_who_is_asked_again(
    locale: Language, expected: str
) -> None:
    session = Session(replace(SECRET, locale=locale))
    for seat in (0, 1):
        await session.play(seat, "grab 2")
    assert moves(session) == [(0, "grab 2")]
    assert session.take_notice(0) is None
    notice = session.take_notice(1)
    assert notice is not None
    assert session.say(notice) == expected
    assert session.take_notice(1) is None
    await session.note_asked(0)
    assert session.at_keyboard() == 1
    await session.play(1, "grab 1")
    assert moves(session) == [(0, "grab 2"), (1, "grab 1")]


async def test_a_player_who_may_act_is_not_waited_for_but_can_have_the_keyboard() -> None:
    session = Session(WITH_COMPUTER)
    for seat in (0, 1):
        await session.play(seat, f"grab {seat + 1}")
    assert (session.at_keyboard(), session.keyboard.optional(session.table)) == (None, (0, 1))
    session.keyboard.pass_to(0)
    assert session.at_keyboard() == 0
    await session.play(0, "trade 3")
    assert (session.at_keyboard(), session.keyboard.optional(session.table)) == (None, (1,))


async def test_who_declines_gives_the_keyboard_back() -> None:
    session = Session(OPEN)
    await session.play(0, "grab 1")
    session.keyboard.pass_to(0)
    session.decline(0)
    assert (session.at_keyboard(), session.keyboard.undecided(session.table)) == (1, ())


async def test_on_the_screen_two_players_both_get_their_move_in() -> None:
    async with playing(OPEN) as person:
        for who, key in (("Ana", "1"), ("Beto", "2")):
            assert f"Pass the keyboard to {who}" in person.text()
            await person.choose("enter", key)
        assert moves(person.table.session) == [(0, "grab 1"), (1, "grab 3")]
        assert person.table.session.table.result is not None


async def test_on_the_screen_a_held_move_is_made_or_told_to_its_player_alone() -> None:
    async with playing(SECRET) as person:
        await person.choose("enter", "2", "enter", "2")
        session = person.table.session
        assert moves(session) == [(0, "grab 2")]
        assert "Pass the keyboard to Ana" in person.text()
        await person.press("enter")
        assert "no longer works" not in person.text()
        await person.press("enter", "1")
        assert "Pass the keyboard to Beto" in person.text()
        assert "no longer works" not in person.text()
        await person.press("enter")
        assert "“grab 2” no longer works." in person.text()
        await person.choose("1")
        assert moves(session) == [(0, "grab 2"), (1, "grab 1")]


async def test_on_the_screen_a_player_who_may_act_calls_for_the_keyboard_and_passes_it_back() -> None:
    async with playing(OPEN) as person:
        await person.choose("enter", "1", "enter")
        assert "F5 I am Ana" in person.text()
        await person.press("f5")
        assert "Pass the keyboard to Ana" in person.text()
        await person.press("enter")
        assert person.labels() == ["1) trade 2", "2) trade 3", "Esc Back"]
        await person.press("escape")
        assert "Pass the keyboard to Beto" in person.text()
        await person.choose("f5", "enter", "1", "enter", "2")
        assert moves(person.table.session) == [(0, "grab 1"), (0, "trade 2"), (1, "grab 3")]


async def test_a_line_that_one_player_has_typed_is_gone_when_the_next_sits_down() -> None:
    async with playing(OPEN) as person:
        await person.choose("enter", "1", "enter")
        person.line.value = "my secret"
        await person.press("f5", "enter")
        assert person.line.value == ""


async def press_after(person: Person, n: int, computer: str) -> None:
    """Presses a button that was shown before a computer's move."""
    old = person.menu.buttons[n]
    await move_for_computer(person.table.session, 1, computer)
    await person.settle()
    person.menu.post_message(ButtonGrid.Pressed(old))
    await person.settle()


async def test_a_button_of_an_earlier_menu_counts_while_its_move_is_legal() -> None:
    async with playing(ALONE, clock=VirtualClock(stopped=True)) as person:
        await press_after(person, 1, "grab 3")
        assert moves(person.table.session) == [(1, "grab 3"), (0, "grab 2")]


async def test_a_button_whose_move_another_player_has_made_impossible_is_refused_with_the_reason() -> None:
    async with playing(ALONE, clock=VirtualClock(stopped=True)) as person:
        await press_after(person, 1, "grab 2")
        assert moves(person.table.session) == [(1, "grab 2")]
        assert "grab 2 is not possible." in person.text()


def typed(setup: Setup, *lines: str, capsys: pytest.CaptureFixture[str]) -> tuple[Session, str]:
    """The session after these lines were typed, and the text printed."""
    answers = iter(lines)
    session = Session(setup, VirtualClock())
    table = PlainTable(session, lambda: f"{line}\n" if (line := next(answers, None)) is not None else "")
    with suppress(PlayerQuit):
        asyncio.run(table.run())
    return session, capsys.readouterr().out


def test_line_by_line_two_players_both_get_their_move_in(capsys: pytest.CaptureFixture[str]) -> None:
    session, _ = typed(OPEN, "", "1", "", "2", capsys=capsys)
    assert moves(session) == [(0, "grab 1"), (1, "grab 3")]


def test_line_by_line_a_held_move_is_made_or_told_to_its_player(capsys: pytest.CaptureFixture[str]) -> None:
    session, printed = typed(SECRET, "", "2", "", "2", "", "", "1", "", "1", capsys=capsys)
    assert moves(session) == [(0, "grab 2"), (1, "grab 1")]
    before, _, after = printed.partition("“grab 2” no longer works.")
    assert before.rstrip().endswith("Pass the keyboard to Beto. Press Enter when you have it.\n>")
    assert "1. grab 1" in after


def test_line_by_line_a_player_who_may_act_is_given_the_keyboard_by_name(
    capsys: pytest.CaptureFixture[str],
) -> None:
    session, printed = typed(
        OPEN, "", "1", "", "ana", "", "", "back", "", "ana", "", "1", "", "2", capsys=capsys
    )
    assert "Ana can play too: type Ana to pass the keyboard." in printed
    assert "You can play now, or type back to let the others go on." in printed
    assert moves(session) == [(0, "grab 1"), (0, "trade 2"), (1, "grab 3")]


@pytest.mark.parametrize(("line", "traded"), [("", 0), ("1", 1)])
def test_line_by_line_who_may_act_is_asked_before_the_computers_play_on(
    line: str, traded: int, capsys: pytest.CaptureFixture[str]
) -> None:
    session, printed = typed(replace(ALONE, players=4), "1", *[line] * 9, capsys=capsys)
    assert "You can play now, or press Enter to let the others go on." in printed
    assert len([seat for seat, _ in moves(session) if seat == 0]) == 1 + traded
    assert session.table.result is not None


THROW_IN = Setup("throw_in", players=3, names=("Ana", "Beto", "Carla"), seed="S")


async def test_on_the_screen_everybody_throws_in_or_passes(throw_in: object) -> None:
    async with playing(THROW_IN) as person:
        session = person.table.session
        while session.table.state.turns < 3:
            wanted = session.at_keyboard()
            await person.press("enter")
            assert person.table.reader == wanted
            await person.choose("1")
        movers = [seat for seat, _ in moves(session)]
    # The first three moves are those of the leader and of both others.
    assert set(movers[:3]) == {0, 1, 2}
