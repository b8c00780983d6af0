"""The laws of computer players: they do not cheat, repeat the same thoughts, and give reasons for moves."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from bot.i18n import Speech
from bot.settings.choices import LANGUAGES
from engines import games
from engines.game import Move, Seat
from tests import luck
from tests.engines.playing import (
    Setup,
    cards_in,
    cards_named,
    setups,
    some_states,
)
from tests.engines.playing import label as name_of
from tests.engines.thoughts import LEVELS, chances, choices, decisions, thoughts
from tests.words import ROOT

CHOICE_POSITIONS, CHANCE_POSITIONS = 12, 5
"""In how many positions of a game computers choose, and in how many they estimate chances, which takes long.

Fewer would not notice a hard computer that saw the other hands: its choice in a position seldom changes.
"""

every_game = pytest.mark.parametrize("key", list(games()))
every_table = pytest.mark.parametrize(
    "table", [table for game in games().values() for table in setups(game)], ids=name_of, scope="module"
)


def dealt_anew(key: str, number: int) -> Iterator[tuple[int, Any, Any, Seat]]:
    """Positions of a game with their numbers, each also with what the seat cannot see dealt anew."""
    game, found = games()[key], list(decisions(key, luck.name()))
    for n, (state, seat) in enumerate(luck.rng().sample(found, min(number, len(found)))):
        yield n, state, game.imagine(game.view(state, seat), luck.rng(n)), seat


@every_game
def test_what_a_computer_cannot_see_changes_no_choice(key: str) -> None:
    for n, state, dealt, seat in dealt_anew(key, CHOICE_POSITIONS):
        assert choices(key, dealt, seat, luck.name(n)) == choices(key, state, seat, luck.name(n))


@every_game
def test_what_a_computer_cannot_see_changes_no_chance(key: str) -> None:
    for n, state, dealt, seat in dealt_anew(key, CHANCE_POSITIONS):
        assert chances(key, dealt, seat, luck.name(n)) == chances(key, state, seat, luck.name(n))


@every_game
def test_estimates_are_of_legal_moves_and_include_the_choice(key: str) -> None:
    """Looks at the last decision of a game, because chances at its beginning cost seconds in some games."""
    game, (*_, (state, seat)) = games()[key], decisions(key, luck.name())
    estimates = chances(key, state, seat, luck.name())
    assert estimates
    assert all(0 <= chance <= 1 for chance in estimates.values())
    for move in estimates:
        game.apply(state, seat, Move.parse(move))
    assert choices(key, state, seat, luck.name())["hard"] in estimates


@every_game
def test_estimates_of_some_moves_are_of_legal_moves(key: str) -> None:
    """Looks at the second half of a game, where chances take less time."""
    game, found = games()[key], list(decisions(key, luck.name()))
    for n, (state, seat) in enumerate(luck.rng().sample(found[len(found) // 2 :], 2)):
        moves = list(game.moves(state, seat))
        some = luck.rng(n).sample(moves, max(1, len(moves) // 2))
        estimates = game.estimate(game.view(state, seat), some, luck.rng(n))
        assert estimates
        for move in estimates:
            game.apply(state, seat, move)


@every_game
def test_thinking_changes_nothing(key: str) -> None:
    game, (*_, (state, seat)) = games()[key], decisions(key, luck.name())
    view, moves = game.view(state, seat), list(game.moves(state, seat))
    before = repr(view), list(moves)
    for level in LEVELS:
        game.think(view, moves, luck.rng(), level)
    game.estimate(view, moves, luck.rng())
    assert (repr(view), moves) == before


@pytest.mark.real
def test_a_thought_is_the_same_in_another_process() -> None:
    """The order of a set of strings differs between the processes."""
    other = "1" if os.environ.get("PYTHONHASHSEED") != "1" else "2"
    finished = subprocess.run(
        [sys.executable, "-m", "tests.engines.thoughts"],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": other},
        stdout=subprocess.PIPE,
        check=True,
    )
    assert json.loads(finished.stdout) == {key: list(thoughts(key)) for key in games()}


@every_table
def test_every_legal_move_has_a_reason_that_names_only_what_its_reader_sees(table: Setup) -> None:
    game = table.game
    for state in some_states(table, luck.rng(), 6):
        for seat in range(table.seats):
            view = game.view(state, seat)
            for move in game.moves(state, seat):
                reason = game.reason(view, move)
                assert cards_named(reason.args) <= cards_in(view) | cards_named(move)
                for locale in LANGUAGES:
                    sentence = Speech(locale)(reason)
                    assert sentence
                    assert not set("{}") & set(sentence)


@every_table
def test_no_move_scores_less_than_nothing(table: Setup) -> None:
    for state in some_states(table, luck.rng(), 6):
        for seat in range(table.seats):
            view = table.game.view(state, seat)
            assert all(table.game.worth(view, move) >= 0 for move in table.game.moves(state, seat))


@every_table
def test_only_moves_with_valued_verbs_score(table: Setup) -> None:
    for state in some_states(table, luck.rng(), 6):
        for seat in range(table.seats):
            view = table.game.view(state, seat)
            scoring = [move for move in table.game.moves(state, seat) if table.game.worth(view, move)]
            assert table.game.valued.issuperset(move.verb for move in scoring)
