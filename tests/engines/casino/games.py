"""Casino games in tests: played at random, with the compact tables of search beside them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from random import Random

from engines.casino.brain.imagined_deals import step_of
from engines.casino.brain.simulation import Simulation, Step
from engines.casino.state import State
from engines.game import Move, Seat
from tests.engines.casino.positions import CASINO


def deals(rng: Random, *numbers: int) -> Iterator[State]:
    """Endless new games, each with one of these numbers of seats and with house rules drawn at random.

    Nobody is asked to exchange.
    """
    while True:
        options = {option.name: rng.choice(list(option.values)) for option in CASINO.options}
        options["exchange"] = rng.choice(["auto", "off"])
        yield CASINO.new(rng.choice(numbers), rng.randbytes(32), options)


def states(state: State, rng: Random) -> Iterator[tuple[State, Seat, list[Move]]]:
    """All decisions of a game in which every move is chosen at random."""
    while CASINO.result(state) is None:
        moves = list(CASINO.moves(state, state.turn))
        yield state, state.turn, moves
        state, _ = CASINO.apply(state, state.turn, rng.choice(moves))


def compact(state: State) -> Simulation:
    """The table of a state."""
    return Simulation.of(state, state.hands, state.stock, tuple(chain(*state.hands, state.stock)))


def by_step(state: State) -> dict[Step, Move]:
    """The first move of each step of the seat whose turn it is."""
    view = CASINO.view(state, state.turn)
    found: dict[Step, Move] = {}
    for move in CASINO.moves(state, state.turn):
        found.setdefault(step_of(view, move), move)
    return found


def ends(rng: Random, cards: int = 5) -> Iterator[tuple[State, Simulation]]:
    """Positions after the second deal in which two seats hold this many cards in all; each move plays one."""
    for deal in deals(rng, 2):
        if deal.options["steal_with"] != "table":
            near = [state for state, _, _ in states(deal, rng) if sum(map(len, state.hands)) == cards]
            yield near[-1], compact(near[-1])
