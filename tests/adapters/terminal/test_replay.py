"""A finished game is shown again at the terminal, on the full screen and line by line."""

from __future__ import annotations

import asyncio
import re

import pytest
from textual.pilot import Pilot

from adapters.terminal.app import TerminalApp
from adapters.terminal.plain.replay import replay_plainly
from adapters.terminal.plain.table import PlainTable
from adapters.terminal.saved_games.replaying import scene
from adapters.terminal.screens.text import DealScreen
from adapters.terminal.session import Session
from adapters.terminal.setup import Setup
from bot.i18n import Speech
from bot.pages.results.replay_page import hand_lines
from bot.replays.films import Film, film
from bot.replays.game_file import read
from bot.tables.table import Table
from engines import games
from engines.cards import Card
from engines.drawing import cells
from tests.bot.replays.make_vectors import VECTORS

ENGLISH = Speech()
every_game = pytest.mark.parametrize("key", list(games()))


def film_of(name: str) -> Film:
    """The film of a game of the test vectors."""
    return film(read((VECTORS / f"{name}.json").read_bytes()))


def printed(name: str, typed: str, capsys: pytest.CaptureFixture[str], say: Speech = ENGLISH) -> list[str]:
    """The texts printed before each read of a line; the last read finds “quit” or the end of the input."""
    lines, parts = iter(typed.splitlines(keepends=True)), list[str]()

    def line() -> str:
        parts.append(capsys.readouterr().out)
        return next(lines, "")

    replay_plainly(film_of(name), say, line)
    return parts


@every_game
def test_line_by_line_a_game_is_stepped_through(key: str, capsys: pytest.CaptureFixture[str]) -> None:
    last = film_of(f"{key}-alone").last
    start, one, two, end, back, again, three, nonsense, *rest = printed(
        f"{key}-alone", "\non\nlast\nback\nfirst\n3\nwhat\nquit\n", capsys
    )
    steps = (start, one, two, end, back, again, three)
    for n, shown in zip((0, 1, 2, last, last - 1, 0, 3), steps, strict=True):
        assert f"Step {n} of {last}." in shown
        assert ("wins." in shown) == (n == last)
    assert start.startswith(again)
    assert nonsense.startswith("I don't know “what”. Enter goes on")
    assert rest == []
    assert {char for shown in steps for char in shown if not char.isprintable()} == {"\n"}


@every_game
def test_a_position_fits_its_width_with_all_cards_of_all_hands(key: str) -> None:
    one = film_of(f"{key}-alone")
    for frame in one.frames[:: max(1, one.last // 10)]:
        shown = scene(one, frame.n, Speech("en"), 40, 20)
        assert max(map(cells, (*shown.drawing.split("\n"), *shown.hands))) <= 40
        assert " ".join(shown.hands) == " ".join(hand_lines(one, frame, Speech("en", names=frame.names)))


def test_hands_are_sorted_as_the_game_draws_them() -> None:
    one = film_of("svoi-alone")
    game, frame = games()["svoi"], next(frame for frame in one.frames if all(frame.state.hands))
    for seat, line in enumerate(hand_lines(one, frame, ENGLISH)):
        view = game.view(frame.state, seat)
        cards = game.arrange(view, map(Card, frame.state.hands[seat]), ENGLISH)
        assert line.endswith(": " + " ".join(map(ENGLISH.card, cards)))


def test_line_by_line_a_replay_ends_with_the_input(capsys: pytest.CaptureFixture[str]) -> None:
    shown = printed("casino-alone", "\natrás\nsigue\n", capsys, Speech("es"))
    assert [re.findall(r"Paso \d", message)[0] for message in shown] == [
        "Paso 0",
        "Paso 1",
        "Paso 0",
        "Paso 1",
    ]


async def shown_after(pilot: Pilot[None], *keys: str) -> str:
    """The text of the replay after some keys."""
    await pilot.press(*keys)
    await pilot.pause()
    return str(pilot.app.screen.query_one("#replay").query_one("Static").render())


@every_game
async def test_on_the_full_screen_keys_step(key: str) -> None:
    one = film_of(f"{key}-alone")
    app = TerminalApp(None, Setup("", 0, ()), film=one)
    async with app.run_test(size=(80, 24)) as pilot:
        assert f"Step 0 of {one.last}." in await shown_after(pilot)
        assert f"Step 1 of {one.last}." in await shown_after(pilot, "right")
        assert f"Step 3 of {one.last}." in await shown_after(pilot, "space", "enter")
        assert f"Step 2 of {one.last}." in await shown_after(pilot, "left")
        # Under caps lock letters come as capitals.
        assert f"Step 3 of {one.last}." in await shown_after(pilot, "N")
        assert f"Step 2 of {one.last}." in await shown_after(pilot, "P")
        end = await shown_after(pilot, "end")
        assert f"Step {one.last} of {one.last}." in end
        assert "wins." in end
        assert await shown_after(pilot, "right") == end
        assert "wins." not in await shown_after(pilot, "left")
        assert f"Paso 0 de {one.last}." in await shown_after(pilot, "home", "f2")
        await pilot.press("escape")
    assert app.return_code == 0


def test_after_a_game_a_word_shows_it_again_line_by_line(capsys: pytest.CaptureFixture[str]) -> None:
    typed = iter([*["1\n"] * 60, "replay\n", "last\n", "quit\n", "no\n"])
    setup = Setup("cardlebones", 2, ("Ana",), seed="S", pace=0.0)

    def answered() -> str:
        # The game is over after fewer moves than are typed.
        line = next(typed, "")
        while line == "1\n" and session.table.result is not None:
            line = next(typed, "")
        return line

    session = Session(setup)
    asyncio.run(PlainTable(session, answered).run())
    output = capsys.readouterr().out
    last = sum(entry.kind in ("move", "timeout") for entry in session.table.entries)
    assert f"Step 0 of {last}." in output
    assert f"Step {last} of {last}." in output
    assert output.rstrip().endswith("See you next time.")


def moved_by_the_clock(table: Table) -> Table:
    """The table after a move for the seat that it awaits; unchanged if a computer has just ended the game."""
    return table.time_out(table.active()[0]) if table.active() else table


async def test_the_screen_that_checks_the_deal_says_what_holds_and_leads_to_the_replay() -> None:
    setup = Setup("cardlebones", 2, ("Ana",), seed="S", pace=0.0)
    async with TerminalApp(setup, setup).run_test(size=(80, 24)) as pilot:
        app = pilot.app
        assert isinstance(app, TerminalApp)
        assert app.table is not None
        session = app.table.session
        while session.table.result is None:
            await session.service.change(session.table.id, moved_by_the_clock)
        await pilot.press(*"replay", "enter")
        assert "Step 0 of" in await shown_after(pilot)
        await pilot.press("escape")
        await pilot.pause()
        await app.check_deal(session)
        await pilot.pause()
        assert isinstance(app.screen, DealScreen)
        text = str(app.screen.query_one("#text > Static").render())
        assert "The seed gives the cards that were dealt." in text
        assert "The moves lead to the result." in text
        assert "Step 0 of" in await shown_after(pilot, "r")
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(app.screen, DealScreen)
