"""The compact table of search plays exactly as the rules do."""

from __future__ import annotations

from itertools import islice

import pytest

from engines.cards import cards
from engines.casino.brain.policy import POLICY
from engines.casino.brain.simulation import CAPTURE, KIND, KINDS, Simulation, points
from engines.casino.state import DECK, pile_score
from tests import luck
from tests.engines.casino.games import by_step, compact, deals
from tests.engines.casino.positions import CASINO, load, position


def content(table: Simulation) -> dict[str, object]:
    """All of a table but the order of its loose cards and builds."""
    fields = {name: getattr(table, name) for name in Simulation.__slots__}
    return {**fields, "loose": sorted(table.loose), "builds": sorted(table.builds)}


@pytest.mark.parametrize(("steal_with", "matters"), [("off", False), ("hand", True)])
def test_the_top_of_a_pile_matters_to_a_capture_only_where_it_can_be_stolen(
    steal_with: str, matters: bool
) -> None:
    weighed = []
    for pile in ("AS 9H", "9H AS"):
        start = position(hands=["8C 2H", "9D 3H"], loose="8D", piles=[pile, ""])
        found = POLICY.weigh(compact(load(start, steal_with=steal_with)))
        weighed.append([weight for weight, step in found if step[0] == CAPTURE])
    assert (weighed[0] != weighed[1]) is matters
    assert weighed[0]


@pytest.mark.parametrize("seats", [2, 3])
def test_it_has_the_moves_and_the_scores_of_the_rules(seats: int) -> None:
    rng = luck.rng(seats)
    for state in islice(deals(rng, seats), 25):
        table = compact(state)
        while CASINO.result(state) is None:
            moves = by_step(state)
            assert sorted(step for _, step in POLICY.weigh(table)) == sorted(moves)
            assert content(table) == content(compact(state))
            step = rng.choice(sorted(moves))
            state, _ = CASINO.apply(state, state.turn, moves[step])
            table.play(step)
        result = CASINO.result(state)
        assert result is not None
        assert table.turn == -1
        assert tuple(map(points, table.tallies)) == result.scores


def test_a_copy_is_played_on_alone() -> None:
    start = load(position(hands=["10S 7C", "9D 3H"], loose="10H 7D", builds=["4C+5C"], piles=["AS", "2S"]))
    table = compact(start)
    other = table.copy()
    assert content(other) == content(table)
    while other.turn >= 0:
        other.play(max(POLICY.weigh(other))[1])
    assert content(table) == content(compact(start))


def test_cards_of_a_kind_have_the_same_value_and_the_same_points() -> None:
    assert set(KIND.values()) == set(range(KINDS))
    for card in DECK:
        for other in DECK:
            if KIND[card] == KIND[other]:
                assert card.number == other.number
                assert pile_score((card,)) == pile_score((other,))
                assert (card.suit == "S") == (other.suit == "S")


@pytest.mark.parametrize(
    "pile", ["", "AS", "AS 2S 3S 4S", "AS 2S 3S 4S 5S", "2S 3S 4S 5S 6S 7S 8S", "10D 10H"]
)
def test_a_tally_counts_the_points_of_a_pile(pile: str) -> None:
    table = compact(load(position(hands=["10C", "9D"], piles=[pile, ""])))
    assert points(table.tallies[0]) == pile_score(cards(pile))
