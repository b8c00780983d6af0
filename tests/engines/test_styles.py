"""Which moves stand out among the buttons of a menu."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from engines import games
from engines.game import Move, Seat
from tests import luck
from tests.engines.boathouse import positions as boathouse
from tests.engines.casino import positions as casino
from tests.engines.playing import Setup, label, setups
from tests.engines.svoi import positions as svoi
from tests.engines.trio_escalera import positions as trio

TRIO = trio.load(
    {"hands": [["KCr", "KSb", "KHb", "2Sb"], ["9Cr"]], "on": [True, True], "stock": ["5Cr"], "drawn": None}
)
LAID = {
    "groups": [
        {"name": "escalera_0", "cards": ["3Hr", "4Hr", "5Hr", "6Hr", "7Hr"]},
        {"name": "escalera_1", "cards": ["8Hr", "9Hr", "10Hr"]},
    ],
    "on": [True, True],
    "placed": 1,
}
"""A table at which a turn has placed a hand card, and may move others."""
RUM = boathouse.load(boathouse.position(hands=["3S 3D 3C", "AS KC"], stock="2C 2D"))
STYLES = [
    ("casino", casino.load(casino.position(hands=["3H", "4H", "5H"], loose="9D", phase="exchange")), {
        "exchange yes": "plain", "exchange no": "plain",
    }),
    ("casino", casino.load(casino.position(hands=["3H", "4H"], loose="3D")), {"capture 3H 3D": "plain"}),
    ("svoi", svoi.at("7C", "6S 6C"), {"lead 7C": "finish"}),
    ("svoi", svoi.at("7C 9C 8C", "6S", "6C"), {"beat 7C 9C": "plain"}),
    ("svoi", svoi.at("7C 9C", "6S", "6C"), {"beat 7C 9C": "finish"}),
    ("boathouse", RUM, {"meld 3S 3D 3C": "finish", "discard 3S": "plain"}),
    ("trio_escalera", TRIO, {"lay KCr KSb KHb": "plain", "draw": "main"}),
    ("trio_escalera", trio.load({**LAID, "hands": [["KCr"], ["9Cr"]]}), {"add escalera_1 7Hr": "plain"}),
    ("trio_escalera", trio.load({**LAID, "hands": [[], ["9Cr"]]}), {
        "add escalera_1 7Hr": "plain", "end": "main",
    }),
]  # fmt: skip


@pytest.mark.parametrize(
    ("key", "state", "styles"),
    STYLES,
    ids=[", ".join(styles) + f" {n}" for n, (_, _, styles) in enumerate(STYLES)],
)
def test_these_moves_have_these_styles(key: str, state: object, styles: dict[str, str]) -> None:
    game = games()[key]
    view = game.view(state, 0)
    assert {move: game.style(view, Move.parse(move)) for move in styles} == styles
    assert all(game.act(state, 0, move) for move in styles)


_GAMES = 3
"""The fewest games played at each table."""
_MOST_GAMES = 60
"""The most games played until a move of the style ``finish`` comes up; in Boathouse one in three has any."""
TABLES = [table for game in games().values() for table in list(setups(game))[:1]]
FINISHING = {key for key, _, styles in STYLES if "finish" in styles.values()}
"""The games that surely have moves of the style ``finish``."""


def decisions(table: Setup, rng: Random) -> Iterator[tuple[Any, Seat, list[Move]]]:
    """The decisions of a newly dealt game of easy computers, in which hands are played to their ends."""
    game = table.game
    state = game.new(table.seats, rng.randbytes(8), table.options)
    while game.result(state) is None:
        seat = game.awaited(game.view(state, None)).must[0]
        moves = list(game.moves(state, seat))
        yield state, seat, moves
        state, _ = game.apply(state, seat, game.think(game.view(state, seat), moves, rng, "easy"))


@pytest.mark.parametrize("table", TABLES, ids=label)
def test_a_move_that_is_shown_as_the_last_ends_the_game_or_empties_the_hand(table: Setup) -> None:
    game, finishing = table.game, 0
    for number in range(_MOST_GAMES):
        if number >= _GAMES and (finishing or game.key not in FINISHING):
            break
        for state, seat, moves in decisions(table, luck.rng(number)):
            for move in moves:
                if game.style(game.view(state, seat), move) == "finish":
                    finishing += 1
                    after, _ = game.apply(state, seat, move)
                    hands = getattr(after, "hands", None)
                    assert game.result(after) is not None or (hands and not hands[seat])
    assert finishing or game.key not in FINISHING
