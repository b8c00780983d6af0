"""Queries and their answers: what goes to a worker, and what it makes of it."""

from __future__ import annotations

import pickle

import pytest

from bot.thinking.query import Query, think
from bot.thinking.worker import LENGTH_BYTES, answer, encode
from engines import games
from engines.game import Move
from tests import luck
from tests.support.games import every_game


def query_of(key: str, words: str = "S") -> Query:
    """The query of the first seat with a choice, at the beginning of a game."""
    game = games()[key]
    state = game.new(game.seats[0], words.encode(), {})
    while True:
        seat = next(seat for seat in range(game.seats[0]) if game.choices(state, seat).words)
        moves = tuple(game.moves(state, seat))
        if len(moves) > 1:
            return Query(key, game.view(state, seat), moves, "normal", luck.name())
        state, _ = game.apply(state, seat, moves[0])


@every_game
def test_a_view_survives_the_way_to_a_worker(key: str) -> None:
    asked = query_of(key)
    message = encode(("think", asked))
    assert int.from_bytes(message[:LENGTH_BYTES], "big") == len(message) - LENGTH_BYTES
    assert pickle.loads(message[LENGTH_BYTES:]) == ("think", asked)
    assert repr(pickle.loads(message[LENGTH_BYTES:])[1].view) == repr(asked.view)


@every_game
def test_a_thought_follows_from_the_query(key: str) -> None:
    asked = query_of(key)
    assert answer(("think", asked)) == think(asked) == answer(("think", asked))
    assert think(asked) in asked.moves


@every_game
def test_an_estimate_is_about_the_moves(key: str) -> None:
    asked = query_of(key)
    chances = answer(("estimate", asked))
    assert isinstance(chances, dict)
    assert set(chances) <= set(asked.moves)
    assert chances


def test_of_a_game_that_fails_the_words_are_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: Query) -> Move:
        raise RuntimeError("5S 10H")

    monkeypatch.setattr("bot.thinking.worker.think", fail)
    told = answer(("think", query_of("casino")))
    assert isinstance(told, str)
    assert told.startswith("RuntimeError, test_worker.py:")
    assert "5S" not in told
