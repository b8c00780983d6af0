"""The laws of computer players: none cheats, a thought follows from its arguments alone, a reason is true."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from itertools import islice

import pytest

from bot.i18n import LANGUAGES, Speech
from engines import games
from tests import luck
from tests.engines.playing import (
    Table,
    cards_in,
    cards_named,
    setups,
    some_states,
)
from tests.engines.playing import label as name_of
from tests.engines.thoughts import decisions, first_thoughts, thoughts
from tests.words import ROOT

FEW = 3
"""How many positions of a game are thought about at each level."""

every_game = pytest.mark.parametrize("key", list(games()))
every_table = pytest.mark.parametrize(
    "table", [table for game in games().values() for table in setups(game)], ids=name_of, scope="module"
)


@every_game
def test_what_a_computer_cannot_see_changes_neither_its_choice_nor_its_chances(key: str) -> None:
    game, looked = games()[key], 0
    for state, seat in islice(decisions(key, luck.name()), FEW):
        view, moves = game.view(state, seat), list(game.moves(state, seat))
        dealt = game.imagine(view, luck.rng(looked))
        before = repr(view), list(moves)
        thought = thoughts(key, view, moves, luck.name(looked))
        assert (repr(view), moves) == before
        assert (
            thoughts(key, game.view(dealt, seat), list(game.moves(dealt, seat)), luck.name(looked)) == thought
        )
        looked += 1
    assert looked


@every_game
def test_chances_are_chances_of_legal_moves(key: str) -> None:
    game = games()[key]
    for state, seat in islice(decisions(key, luck.name()), FEW):
        view, moves = game.view(state, seat), list(game.moves(state, seat))
        chances = game.estimate(view, moves, luck.rng())
        assert chances
        assert all(0 <= chance <= 1 for chance in chances.values())
        for move in chances:
            assert move in moves or move.verb in game.wide
            game.apply(state, seat, move)
        assert game.think(view, moves, luck.rng(), "hard") in chances


@pytest.mark.real
@pytest.mark.parametrize("hashes", ["1", "2"])
def test_a_thought_is_the_same_in_another_process(hashes: str) -> None:
    """The order of a set of strings differs between the processes."""
    told = subprocess.run(
        [sys.executable, "-m", "tests.engines.thoughts"],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": hashes},
        stdout=subprocess.PIPE,
        check=True,
    )
    assert json.loads(told.stdout) == {key: first_thoughts(key) for key in games()}


@every_table
def test_every_legal_move_has_a_reason_that_names_only_what_its_reader_sees(table: Table) -> None:
    game = table.game
    for state in some_states(table, luck.rng(), 6):
        for seat in range(table.seats):
            view = game.view(state, seat)
            for move in game.moves(state, seat):
                reason = game.reason(view, move)
                assert cards_named(reason.args) <= cards_in(view) | cards_named(move)
                for locale in LANGUAGES:
                    said = Speech(locale)(reason)
                    assert said
                    assert not set("{}") & set(said)


@every_table
def test_no_move_scores_less_than_nothing(table: Table) -> None:
    for state in some_states(table, luck.rng(), 6):
        for seat in range(table.seats):
            view = table.game.view(state, seat)
            assert all(table.game.worth(view, move) >= 0 for move in table.game.moves(state, seat))
