"""The exact search of the end finds what trying out all games finds."""

from __future__ import annotations

import pytest

from engines.casino.brain.endgame import Endgame, OutOfNodes, _key, end_value
from engines.casino.brain.policy import POLICY
from engines.casino.brain.simulation import Simulation, Step
from tests import luck
from tests.engines.casino.games import compact, ends
from tests.engines.casino.positions import load, position


def all_games(table: Simulation) -> int:
    """The value for seat 0 if both play their best, found without any pruning."""
    if table.turn < 0:
        return end_value(table, 0)
    values = [all_games(after(table, step)) for step in steps(table)]
    return max(values) if table.turn == 0 else min(values)


def steps(table: Simulation) -> list[Step]:
    return [step for _, step in POLICY.weigh(table)]


def after(table: Simulation, step: Step) -> Simulation:
    played = table.copy()
    played.play(step)
    return played


def test_it_finds_the_value_of_every_move() -> None:
    for _, (_state, table) in zip(range(25), ends(luck.rng()), strict=False):
        sign = 1 if table.turn == 0 else -1
        found = Endgame(100_000).values(table, steps(table), exact=True)
        assert found == {step: sign * all_games(after(table, step)) for step in steps(table)}


def test_it_tells_the_best_move_from_all_others() -> None:
    for _, (_state, table) in zip(range(25), ends(luck.rng()), strict=False):
        exact = Endgame(100_000).values(table, steps(table), exact=True)
        found = Endgame(100_000).values(table, steps(table))
        best = max(found.values())
        assert best == max(exact.values())
        assert all(exact[step] == best for step in found if found[step] == best)


def test_it_stops_after_its_number_of_nodes() -> None:
    _, table = next(ends(luck.rng()))
    with pytest.raises(OutOfNodes):
        Endgame(3).values(table, steps(table))


@pytest.mark.parametrize(("multi_capture", "differ"), [("on", True), ("off", False)])
def test_the_order_of_builds_matters_where_everything_may_be_captured(
    multi_capture: str, *, differ: bool
) -> None:
    """After the capture of both builds, the second card of the later one lies on top of the pile."""
    orders = (["6C+AC", "5C+2C"], ["5C+2C", "6C+AC"])
    starts = [position(hands=["7C", "8C 8H"], builds=order, piles=["", "9D"]) for order in orders]
    keys = [_key(compact(load(start, multi_capture=multi_capture))) for start in starts]
    assert (keys[0] != keys[1]) == differ
