"""What computers think in positions of random games, for the tests of computer players.

As a program it prints the `thoughts` of every game as JSON, for a test that compares two processes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any, get_args

from engines import games
from engines.game import Level, Seat

LEVELS: tuple[Level, ...] = get_args(Level)


def decisions(key: str, seed: str) -> Iterator[tuple[Any, Seat]]:
    """The positions with a choice in a random game of the fewest players, and whose choice it is."""
    game, rng = games()[key], Random(seed)
    state = game.new(game.seats[0], seed.encode(), {})
    while game.result(state) is None:
        seat = next(seat for seat in range(game.seats[0]) if game.choices(state, seat).words)
        moves = list(game.moves(state, seat))
        if len(moves) > 1:
            yield state, seat
        state, _ = game.apply(state, seat, rng.choice(moves))


def choices(key: str, state: Any, seat: Seat, luck: str) -> dict[str, str]:
    """What a computer of each level chooses."""
    game = games()[key]
    view, moves = game.view(state, seat), list(game.moves(state, seat))
    return {level: str(game.think(view, moves, Random(luck), level)) for level in LEVELS}


def chances(key: str, state: Any, seat: Seat, luck: str) -> dict[str, float]:
    """The chances of the moves, as hard sees them."""
    game = games()[key]
    found = game.estimate(game.view(state, seat), list(game.moves(state, seat)), Random(luck))
    return {str(move): chance for move, chance in found.items()}


def thoughts(key: str) -> tuple[object, ...]:
    """The choices in a position of a game, and the chances in one near its end, where they cost less."""
    found = list(decisions(key, "thoughts"))
    return choices(key, *found[len(found) // 2], "luck"), chances(key, *found[-1], "luck")


if __name__ == "__main__":
    print(json.dumps({key: thoughts(key) for key in games()}))
