"""At one keyboard: the players' names, the curtain between two players, and Enter after the end."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import pytest

from adapters.terminal.plain.table import PlainTable, PlayerQuit
from adapters.terminal.screens.lobby import LobbyScreen
from adapters.terminal.session import Session
from adapters.terminal.setup import Setup
from bot.i18n import shared_name
from bot.settings.choices import Language
from engines import games
from tests import luck
from tests.adapters.terminal.screen import playing
from tests.support.clock import VirtualClock

BONES = Setup("cardlebones", 2, ("Ana", "Beto"), seed="S", pace=0)
CASINO = Setup("casino", 2, ("Ana", "Beto"), seed="S", pace=0)


def printed_after(setup: Setup, *lines: str, printed: pytest.CaptureFixture[str]) -> str:
    """The text printed in line mode to players who type these lines."""
    answers = iter(lines)
    table = PlainTable(Session(setup, VirtualClock()), lambda: next((f"{line}\n" for line in answers), ""))
    with suppress(PlayerQuit):
        asyncio.run(table.run())
    return printed.readouterr().out


async def test_a_game_that_hides_nothing_has_no_curtain() -> None:
    async with playing(BONES) as person:
        session = person.table.session
        for _ in range(4):
            seat = session.at_keyboard()
            assert (person.table.reader, person.table.next_reader) == (seat, None)
            assert "Pass the keyboard" not in person.text()
            assert seat is not None
            await person.type(str(next(iter(session.game.moves(session.table.state, seat)))))
            assert session.at_keyboard() != seat


def test_line_by_line_a_game_that_hides_nothing_says_whose_turn_it_is(
    capsys: pytest.CaptureFixture[str],
) -> None:
    printed = printed_after(BONES, "1", "1", "1", printed=capsys)
    assert "Pass the keyboard" not in printed
    assert printed.count("Your turn, Ana.") == printed.count("Your turn, Beto.") == 2


async def test_at_a_shared_keyboard_enter_starts_no_rematch() -> None:
    async with playing(CASINO) as person:
        await person.fast_forward(luck.rng())
        before = person.table.session.table.id
        await person.press("enter")
        assert person.table.session.table.id == before
        await person.press("1", "enter")
        assert person.table.session.table.id != before


@pytest.mark.parametrize(
    ("names", "shared"),
    [
        (("Ana", "Beto"), None),
        (("Ana", "ÁNA"), "ÁNA"),
        (("", ""), None),
        (("Player 2", ""), "Player 2"),
        (("Jugador 2", ""), None),
    ],
)
def test_the_name_that_two_seats_share_is_found(names: tuple[str, ...], shared: str | None) -> None:
    assert shared_name(names, "en") == shared


async def test_two_people_with_one_name_are_not_dealt_cards_until_one_has_another() -> None:
    async with playing(None, base=Setup("", 2, ["Ana", "ana"], pace=0)) as person:
        await person.press(str(list(games()).index("casino") + 1), "enter")
        assert person.app.table is None
        assert "Two players can't both be called ana." in person.text()
        await person.press(*"Eva", "enter", "enter")
        assert list(person.table.session.setup.names) == ["Ana", "Eva"]


async def test_the_refusal_of_two_equal_names_goes_when_a_field_makes_them_one() -> None:
    async with playing(None, base=Setup("", 2, ["Ana", "ana"], pace=0)) as person:
        await person.press(str(list(games()).index("casino") + 1), "enter")
        assert "Two players can't both be called ana." in person.text()
        await person.press("up", "up", "left")
        lobby = person.app.screen
        assert isinstance(lobby, LobbyScreen)
        assert len(lobby.chosen_setup().names) == 1
        assert "Two players can't both be called ana." not in person.text()


def test_no_computer_has_the_name_of_a_player() -> None:
    session = Session(Setup("casino", 3, ("ines", "LOLA"), seed="S"))
    assert session.say.name(2) == "Beto"
    session = Session(Setup("casino", 3, ("Béto",), seed="S"))
    assert [session.say.name(seat) for seat in range(3)] == ["Béto", "Lola", "Nina"]


@pytest.mark.parametrize(("locale", "name"), [("en", "Player 1"), ("es", "Jugador 1")])
async def test_a_player_without_a_name_is_called_in_the_language_of_the_screen(
    locale: Language, name: str
) -> None:
    async with playing(Setup("casino", 2, ("",), locale, seed="S", pace=0)) as person:
        await person.idle()
        assert name in person.text()
        await person.press("f2")
        other = {"Player 1": "Jugador 1", "Jugador 1": "Player 1"}[name]
        assert other in person.text()
        assert name not in person.text()
