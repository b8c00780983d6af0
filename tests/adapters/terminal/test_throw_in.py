"""Throw-in, a game of simultaneous moves, at the terminal: its warnings, and a whole game line by line."""

from __future__ import annotations

import pytest

from adapters.terminal.screens.lobby import LobbyScreen
from engines.game import Game
from engines.values import replace
from tests.adapters.terminal.screen import playing
from tests.adapters.terminal.test_plain import BONES, Printed, firsts, play
from tests.support.clock import VirtualClock
from tests.support.games import only
from tests.support.games.throw_in.rules import State, View

WARNING = "With four or more a round without a stop is long."


@pytest.mark.parametrize(("players", "warned"), [(3, False), (4, True)])
def test_before_the_deal_a_rule_that_suits_the_number_of_players_badly_is_warned_of(
    throw_in: Game[State, View], capsys: Printed, players: int, warned: bool
) -> None:
    setup = replace(BONES, key="throw_in", players=players, options={"stop": "no"})
    _, screens = play(capsys, setup, iter(()))
    assert (WARNING in screens[0]) == warned


@pytest.mark.parametrize(("players", "warned"), [(3, False), (4, True)])
async def test_the_screen_warns_of_a_rule_that_suits_the_number_of_players_badly(
    throw_in: Game[State, View], players: int, warned: bool
) -> None:
    setup = replace(BONES, key="throw_in", players=players, options={"stop": "no"})
    async with playing(setup, clock=VirtualClock(stopped=True)) as person:
        assert (WARNING in person.text()) == warned


async def test_the_form_warns_as_soon_as_rule_and_players_do_not_suit_each_other(
    throw_in: Game[State, View],
) -> None:
    base = replace(BONES, key="", players=3, options={"stop": "no"})
    with only("throw_in"):
        async with playing(None, base=base) as person:
            assert WARNING not in person.text()
            form = person.app.screen
            assert isinstance(form, LobbyScreen)
            form._select("players").action_change(1)
            await person.settle()
            assert WARNING in person.text()
            form._select("rule stop").action_change(1)
            await person.settle()
            assert WARNING not in person.text()


def test_two_at_one_keyboard_play_throw_in_to_its_end_with_computers(
    throw_in: Game[State, View], capsys: Printed
) -> None:
    setup = replace(BONES, key="throw_in", players=4, names=("Ana", "Beto"))
    table, screens = play(capsys, setup, firsts())
    played = table._session.table
    assert played.result is not None
    assert {entry.seat for entry in played.entries if entry.kind == "move"} == {0, 1, 2, 3}
    loser = next(player.name for n, player in enumerate(played.players) if n not in played.result.winners)
    winners = [player.name for player in played.players if player.name != loser]
    assert f"{loser} is left with cards." in screens[-2]
    assert f"{winners[0]}, {winners[1]}, and {winners[2]} win." in screens[-2]
