"""Taking moves back at the terminal: by words line by line, by a key or words on the full screen."""

from __future__ import annotations

from typing import Any

import pytest

from adapters.terminal.session import Session
from adapters.terminal.setup import Setup
from engines import games
from engines.game import Say
from engines.values import replace
from tests.adapters.terminal.screen import hidden, playing, public_cards
from tests.adapters.terminal.test_plain import BONES, CASINO, HOT_SEAT, Printed, firsts, play
from tests.bot.tables.test_table import written
from tests.support.games import every_game

TWO = replace(HOT_SEAT, players=2, options={})


def kinds(table: object) -> list[str]:
    return [entry.kind for entry in table.entries if entry.kind in ("move", "undo")]  # type: ignore[attr-defined]


@pytest.mark.parametrize("line", ["undo", "take back", "Take Back", "deshacer", "deshacer jugada"])
def test_typed_words_take_the_last_move_back(line: str, capsys: Printed) -> None:
    plainly, first = play(capsys, CASINO, [])
    table, screens = play(capsys, CASINO, ["1", line])
    now = table._session.table
    assert now.entries[-1].kind == "undo"
    assert now.state == plainly._session.table.state
    assert "Ana took this back: Ana" in screens[2]
    # The same menu is offered again.
    assert first[0].splitlines()[-8:-3] == screens[2].splitlines()[-8:-3]


def test_a_game_goes_on_to_its_end_after_a_move_was_taken_back(capsys: Printed) -> None:
    answers, first = iter(["1\n", "take back\n"]), firsts()
    table, screens = play(capsys, BONES, lambda screen: next(answers, "") or first(screen))
    now = table._session.table
    assert now.result is not None
    assert kinds(now).count("undo") == 1
    assert type(now).replay(written(now.entries), now.seed_source) == now
    assert "Another game" in screens[-2] or "Another game" in screens[-1]


def test_before_a_move_there_is_none_to_take_back(capsys: Printed) -> None:
    _, screens = play(capsys, CASINO, ["undo"])
    assert "There is no move to take back." in screens[1]


def test_a_verb_of_the_game_called_undo_comes_before_the_word_undo(
    capsys: Printed, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = games()["trio_escalera"]
    label = game.label

    def undo(_: object, view: Any, words: tuple[str, ...], say: Say) -> str:
        return "Undo" if words == ("reset",) else label(view, words, say)

    monkeypatch.setattr(type(game), "label", undo)
    setup = Setup("trio_escalera", players=2, names=("Ana",), seed="4", pace=0)
    table, screens = play(capsys, setup, ["lay 4♠r 4♥b 4♣r", "undo"])
    assert "undo" not in kinds(table._session.table)
    assert "takes those movements back" in screens[2]
    table, _ = play(capsys, setup, ["draw", "take back"])
    assert kinds(table._session.table)[-1] == "undo"


@pytest.mark.parametrize(("answer", "undone"), [("yes", True), ("no", False), ("", False)])
def test_at_a_shared_keyboard_everyone_is_asked(answer: str, undone: bool, capsys: Printed) -> None:
    table, screens = play(capsys, TWO, ["", "1", "", "take back", answer])
    assert "Only if everyone agrees" in screens[4]
    assert ("undo" in kinds(table._session.table)) is undone
    assert ("Pass the keyboard" in screens[5]) is undone


async def test_a_key_of_the_full_screen_takes_the_last_move_back() -> None:
    async with playing(Setup("casino", 2, ["Ana"], seed="x", pace=0)) as person:
        await person.idle()
        session = person.table.session
        before, labels = session.table, person.labels()
        assert "F6" not in person.text()
        await person.press("f6")
        assert "There is no move to take back." in person.text()
        await person.choose("1")
        await person.idle()
        assert "F6 Take back" in person.text()
        await person.press("f6")
        await person.idle()
        assert session.table.state == before.state
        assert person.labels() == labels
        assert "took this back" in person.text()
        assert "F6" not in person.text()


@every_game
async def test_the_key_is_seen_in_spanish_on_80_columns(key: str) -> None:
    async with playing(Setup(key, games()[key].seats[0], ["Ana"], seed="x", pace=0, locale="es")) as person:
        await person.idle()
        while person.table.session.last_mover() is None:
            await person.choose("1")
            await person.idle()
        if not person.table.session.table.result:
            assert "F6 Deshacer" in person.text()


@pytest.mark.parametrize("line", ["take back", "undo"])
async def test_a_line_of_the_full_screen_takes_the_last_move_back(line: str) -> None:
    async with playing(Setup("casino", 2, ["Ana"], seed="x", pace=0)) as person:
        await person.idle()
        state = person.table.session.table.state
        await person.choose("1")
        await person.idle()
        await person.type(line)
        await person.idle()
        assert person.table.session.table.state == state
        assert person.line.value == ""


async def test_a_shared_full_screen_asks_first_and_shows_no_ones_hand() -> None:
    async with playing(Setup("casino", 2, ["Ana", "Beto"], seed="x", pace=0)) as person:
        session = person.table.session
        await person.press("enter")
        state, mover = session.table.state, person.table.reader
        await person.choose("1", "f6")
        assert session.table.state != state
        assert "Type u or press F6 if everyone agrees." in person.text()
        await person.press("f6")
        assert session.table.state == state
        assert person.table.next_reader == mover
        # What the news has told of the move stays told.
        assert all(not (cards & person.cards()) - public_cards(person) for cards in hidden(person))


async def test_a_shared_full_screen_asks_again_once_its_question_is_gone() -> None:
    async with playing(Setup("casino", 2, ["Ana", "Beto"], seed="x", pace=0)) as person:
        session = person.table.session
        await person.press("enter")
        await person.choose("1", "f6")
        played = session.table.state
        await person.press("enter", "f6")
        assert session.table.state == played
        assert "if everyone agrees." in person.text()


async def test_held_moves_go_with_what_is_taken_back() -> None:
    session = Session(TWO)
    seat = session.at_keyboard()
    assert seat is not None
    move = next(iter(session.game.moves(session.table.state, seat)))
    await session.play(seat, str(move))
    session._held[1 - seat] = move
    await session.take_back()
    assert session._held == {}


async def test_words_picked_go_with_what_is_taken_back() -> None:
    # On so small a screen the menu lists the verb alone.
    async with playing(Setup("casino", 3, ["Ana"], seed="x", pace=0), (40, 15)) as person:
        await person.idle()
        session = person.table.session
        await session.play(0, str(next(iter(session.game.moves(session.table.state, 0)))))
        await person.idle()
        await person.type("throw")
        assert person.table._moves.path == ("throw",)
        await session.take_back()
        await person.settle()
        assert not person.table._moves.path
