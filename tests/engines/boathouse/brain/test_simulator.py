"""The simulator of hands: it follows the rules of the engine."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from engines.boathouse.brain import simulator
from engines.boathouse.brain.deadwood import points_of, unmatched
from engines.boathouse.brain.outs import way_out
from engines.boathouse.brain.simulator import Simulation
from engines.boathouse.layings import bits, cards_of
from engines.boathouse.state import State, View
from engines.cards import Card
from tests import luck
from tests.engines.boathouse.positions import BOATHOUSE, POSITIONS, position

LARGE = 20
"""The fewest cards of a hand that may be too large for the search for a way out."""


class Shadowed(Simulation):
    """A simulation of which the engine makes every move too."""

    state: State

    def draw(self, rng: Random, *, from_pile: bool) -> None:
        super().draw(rng, from_pile=from_pile)
        self.shadow("draw pile" if from_pile else "draw stock" if self.state.stock else "flip")

    def discard(self, card: int) -> bool:
        goes_on = super().discard(card)
        self.shadow(f"discard {cards_of(card)[0]}")
        return goes_on

    def shadow(self, move: str) -> None:
        """Makes a move of the engine, and compares the cards."""
        self.state = BOATHOUSE.act(self.state, self.state.turn, move)[1]
        if BOATHOUSE.result(self.state) is None:
            assert [bits(hand) for hand in self.state.hands] == self.hands
            assert [bits([card]) for card in self.state.pile] == self.pile
            assert [bits([card]) for card in reversed(self.state.stock)] == self.stock
            assert [bits(cards) for cards in self.state.known_cards] == self.known
            assert bits(self.state.barred) == (self.barred if self.drawn else 0)
            assert self.state.turn == self.turn


def shadowed(seats: int, options: Mapping[str, str], number: int) -> Shadowed:
    """A simulation of a new game, and the game with the same cards."""
    state = BOATHOUSE.new(seats, b"simulated %d" % number, options)
    imagined = simulator.imagine(BOATHOUSE.view(state, state.turn), luck.rng(number))
    simulation = Shadowed()
    for name in Simulation.__slots__:
        setattr(simulation, name, getattr(imagined, name))
    dealt: dict[str, Any] = {
        **BOATHOUSE.dump(state),
        "hands": [list(cards_of(hand)) for hand in simulation.hands],
        "stock": [str(cards_of(card)[0]) for card in reversed(simulation.stock)],
    }
    simulation.state = BOATHOUSE.load(dealt, seats, options)
    return simulation


@pytest.mark.parametrize("going_out", ["open", "closed"])
@pytest.mark.parametrize("seats", BOATHOUSE.seats)
def test_hands_and_payments_are_those_of_the_engine(seats: int, going_out: str) -> None:
    compared = 0
    for number in range(4):
        simulation = shadowed(seats, {"going_out": going_out}, number)
        payments = simulation.play(luck.rng(number))
        state = simulation.state
        while BOATHOUSE.result(state) is None:
            move = way_out(BOATHOUSE.view(state, state.turn), list(BOATHOUSE.moves(state, state.turn)))
            if move is None:
                # A hand that has grown this large has more divisions than the search for a way out tries.
                assert len(state.hands[state.turn]) >= LARGE
                break
            state, _ = BOATHOUSE.apply(state, state.turn, move)
        else:
            assert tuple(payments) == state.ledger
            compared += 1
    assert compared


def test_a_copy_leaves_the_original_alone() -> None:
    state = BOATHOUSE.new(3, b"copied", {})
    view = BOATHOUSE.view(state, state.turn)
    original, same = simulator.imagine(view, luck.rng()), simulator.imagine(view, luck.rng())
    copy = original.copy()
    for name in Simulation.__slots__:
        assert getattr(copy, name) == getattr(original, name), name
    copy.play(luck.rng())
    for name in Simulation.__slots__:
        assert getattr(original, name) == getattr(same, name), name


def test_others_are_imagined_to_have_kept_what_fits_together() -> None:
    """The best of several hands is never worse than the first of them."""
    view = turns_later(BOATHOUSE.new(2, b"collected", {}), 10)
    points = list[int]()
    for number in range(20):
        for tries in (1, 16):
            hand = simulator.imagine(view, luck.rng(number), tries).hands[1 - view.turn]
            points.append(points_of(unmatched(hand)))
    assert all(best <= first for first, best in zip(points[::2], points[1::2], strict=True))
    assert sum(points[1::2]) < sum(points[::2])


def test_the_number_of_hands_to_imagine_doubles_with_each_round_up_to_sixteen() -> None:
    dealt = BOATHOUSE.new(3, b"rounds", {})
    tries = [simulator.hands_to_imagine(turns_later(dealt, turns)) for turns in (0, 2, 3, 6, 12, 15)]
    assert tries == [1, 1, 2, 4, 16, 16]


@pytest.mark.parametrize("lays_in", ["state", "simulation"])
def test_cards_put_down_prevent_a_rummy_only_from_the_next_turn_on(lays_in: str) -> None:
    state = POSITIONS.load(position(hands=["8H KC QD", "KH AD"], melds=["5H 6H 7H"]))
    if lays_in == "state":
        state = BOATHOUSE.act(state, 0, "layoff meld_0 8H")[1]
    simulation = simulator.imagine(BOATHOUSE.view(state, 0), luck.rng())
    if lays_in == "simulation":
        simulation.add_to_table(bits([Card("8H")]))
        state = BOATHOUSE.act(state, 0, "layoff meld_0 8H")[1]
    assert (simulation.laid, simulation.laid_now) == (list(state.laid_before), state.laid_now)
    at_once = simulation.copy()
    at_once.hands = [0, bits([Card("KH"), Card("AD")])]
    assert at_once.payments() == [42, -42]
    assert simulation.discard(bits([Card("KC")]))
    state = BOATHOUSE.act(state, 0, "discard KC")[1]
    assert (simulation.laid, simulation.laid_now) == (list(state.laid_before), state.laid_now)
    simulation.hands = [0, bits([Card("KH"), Card("AD")])]
    assert simulation.payments() == [21, -21]


def turns_later(state: State, turns: int) -> View:
    """What the player sees whose turn it is after so many turns, each a draw from the stock and a discard."""
    for _ in range(turns):
        for verb in ("draw stock", "discard"):
            move = next(move for move in BOATHOUSE.moves(state, state.turn) if str(move).startswith(verb))
            state, _ = BOATHOUSE.apply(state, state.turn, move)
    return BOATHOUSE.view(state, state.turn)
