"""Throw-in, a game of simultaneous moves, played line by line at one keyboard."""

from __future__ import annotations

from dataclasses import replace

from engines.game import Game
from tests.adapters.terminal.test_plain import BONES, Printed, firsts, play
from tests.support.games.throw_in import State
from tests.support.games.throw_in.rules import View


def test_two_at_one_keyboard_play_it_to_its_end_with_computers(
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
