"""The exact search of the end finds what trying out all games finds."""

from __future__ import annotations

import pytest

from engines.casino.endgame import Endgame, OutOfNodes, end_value
from engines.casino.policy import POLICY
from engines.casino.simulation import Simulation, Step
from tests import luck
from tests.engines.casino.games import ends


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
