"""What computers think in a few positions of every game, for tests that compare two processes.

As a program it prints the thoughts as JSON.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any, get_args

from engines import games
from engines.game import Level, Seat

LEVELS: tuple[Level, ...] = get_args(Level)


def decisions(key: str, seed: str, every: int = 9) -> Iterator[tuple[Any, Seat]]:
    """Positions with a choice in a random game of the fewest players, and whose choice it is."""
    game, rng, number = games()[key], Random(seed), 0
    state = game.new(game.seats[0], seed.encode(), {})
    while game.result(state) is None:
        seat = next(seat for seat in range(game.seats[0]) if game.choices(state, seat).words)
        moves = list(game.moves(state, seat))
        if len(moves) > 1:
            if number % every == every // 2:
                yield state, seat
            number += 1
        state, _ = game.apply(state, seat, rng.choice(moves))


def thoughts(key: str, view: Any, moves: Any, luck: str) -> dict[str, Any]:
    """What each level chooses, and the chances of the moves."""
    game = games()[key]
    chosen: dict[str, Any] = {level: str(game.think(view, moves, Random(luck), level)) for level in LEVELS}
    chances = game.estimate(view, moves, Random(luck))
    return {**chosen, "chances": {str(move): chance for move, chance in chances.items()}}


def first_thoughts(key: str) -> dict[str, Any]:
    """The thoughts in the first sampled position of a game."""
    state, seat = next(decisions(key, "thoughts"))
    game = games()[key]
    return thoughts(key, game.view(state, seat), list(game.moves(state, seat)), "luck")


if __name__ == "__main__":
    print(json.dumps({key: first_thoughts(key) for key in games()}))
