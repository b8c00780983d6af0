"""What the analysis of a game replays and judges, and how chances are drawn."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

import pytest

from bot.model.tables import Player
from bot.pages.results.analysis_page import costliest
from bot.pages.results.sparkline import chances_line
from bot.tables.analysis import (
    Analysis,
    Decision,
    Judged,
    confirm,
    decision_of,
    doubtful,
    judge,
    played_moves,
    sample,
    scattered,
)
from bot.tables.questions import ask_to_take_back
from bot.tables.table import Table
from bot.thinking.query import Query
from bot.thinking.thinker import InlineThinker
from engines import games
from engines.game import Move
from tests.support.games import every_game
from tests.support.tables import dealt


def played(table: Table, moves: int) -> Table:
    """The table after some moves, each the first that is possible."""
    for _ in range(moves):
        if table.result:
            break
        seat = table.active()[0]
        table = table.play(seat, str(next(iter(table.game.moves(table.state, seat)))))
    return table


@every_game
def test_the_steps_lead_to_the_state_of_the_table(key: str) -> None:
    table = played(dealt(key, "Ana", "Beto"), 12)
    found = list(played_moves(table))
    assert [step.number for step in found] == list(range(1, table.stamp + 1))
    state, _ = table.game.apply(found[-1].state, found[-1].seat, found[-1].move)
    assert state == table.state


def test_moves_that_were_taken_back_are_left_out() -> None:
    table = Table.open("cardlebones", clock=0).sit(Player("Ana", person="Ana")).sit(Player("Lola", "normal"))
    table = played(table.start(), 6)
    before = [step.n for step in played_moves(table)]
    back = ask_to_take_back(table, "Ana")
    kept = [step.n for step in played_moves(back)]
    assert kept == before[: len(kept)]
    assert len(kept) < len(before)
    again = played(back, 3)
    state, _ = again.game.apply((last := list(played_moves(again))[-1]).state, last.seat, last.move)
    assert state == again.state


def test_a_decision_is_seen_with_the_eyes_of_its_player() -> None:
    table, seats = played(dealt("boathouse", "Ana", "Beto"), 6), set[int]()
    for step in played_moves(table):
        if found := decision_of(table.game, step):
            assert found.view == table.game.view(step.state, step.seat)
            assert found.view.seat == step.seat
            assert found.played in found.moves
            assert len(found.moves) > 1
            seats.add(found.seat)
    assert seats == {0, 1}


def test_a_move_of_the_clock_is_no_decision() -> None:
    table = played(dealt("cardlebones", "Ana", "Beto"), 2)
    table = table.time_out(table.active()[0])
    assert [step.is_chosen for step in played_moves(table)] == [True, True, False]
    assert decision_of(table.game, list(played_moves(table))[-1]) is None


MOVES = tuple(map(Move.parse, ("a", "b", "c")))


async def judged(chances: Mapping[str, float], played: str, alone: float | None = None) -> Judged | None:
    class Told(InlineThinker):
        async def estimate(self, query: Query) -> Mapping[Move, float] | None:
            if len(query.moves) == 1:
                return None if alone is None else {query.moves[0]: alone}
            return {Move(name): chance for name, chance in chances.items()}

    one = Decision(1, 7, 0, Move(played), None, MOVES)
    return await judge(games()["casino"], one, "luck", Told())


async def test_the_chance_before_is_that_of_the_best_move() -> None:
    assert await judged({"a": 0.25, "b": 0.75, "c": 0.5}, "a") == Judged(7, 0, 0.75, 0.25, "b")
    assert await judged({"a": 0.25, "b": 0.75}, "b") == Judged(7, 0, 0.75, 0.75, "b")


async def test_a_move_that_was_left_out_is_judged_alone_and_is_no_better_than_the_others() -> None:
    assert await judged({"a": 0.5, "b": 0.75}, "c", alone=0.25) == Judged(7, 0, 0.75, 0.25, "b")
    assert await judged({"a": 0.5, "b": 0.75}, "c", alone=0.9) == Judged(7, 0, 0.75, 0.5, "b")
    assert await judged({"a": 0.5, "b": 0.75}, "c") == Judged(7, 0, 0.75, 0.5, "b")
    assert await judged({}, "c") is None


async def confirmed(*pairs: tuple[float, float]) -> Judged:
    """The judgement of playing a, where b seemed better, once both chances are estimated again.

    ``pairs`` are the chances of b and a that the estimates find, each pair equally often.
    """
    asked = list[str]()

    class Told(InlineThinker):
        async def estimate(self, query: Query) -> Mapping[Move, float] | None:
            asked.append(query.luck)
            assert set(query.moves) == set(MOVES[:2])
            best, played = pairs[len(asked) % len(pairs)]
            return {Move("b"): best, Move("a"): played}

    one = Decision(1, 7, 0, Move("a"), None, MOVES)
    found = await confirm(games()["casino"], one, Judged(7, 0, 1.0, 0.0, "b"), "luck", Told())
    assert len(set(asked)) == len(asked) == 4
    return found


async def test_what_seems_dear_is_estimated_again_and_the_first_guess_does_not_count() -> None:
    assert await confirmed((0.75, 0.25), (0.25, 0.25)) == Judged(7, 0, 0.5, 0.25, "b")
    assert await confirmed((0.25, 0.75)) == Judged(7, 0, 0.75, 0.75, "a")


def test_the_dearest_moves_of_each_seat_are_doubtful_in_the_order_of_the_game() -> None:
    rows = tuple(Judged(n, n % 2, 0.5, 0.5 - n % 10 / 20, "a") for n in range(40))
    found = doubtful(rows)
    assert [one.n for one in found] == sorted(one.n for one in found)
    losses = [sorted(round(20 * one.loss) for one in found if one.seat == seat) for seat in (0, 1)]
    assert losses == [[6, 6, 8, 8, 8, 8], [7, 7, 9, 9, 9, 9]]
    assert doubtful(rows[:1]) == []


def test_long_games_are_sampled_evenly() -> None:
    decisions = [Decision(n, n, 0, MOVES[0], None, MOVES) for n in range(1000)]
    assert [one.n for one in sample(decisions, 4)] == [0, 250, 500, 750]
    assert sample(decisions[:3], 4) == decisions[:3]


def test_every_beginning_of_a_scattered_game_is_spread_over_it() -> None:
    order = list(scattered(range(90)))
    assert sorted(order) == list(range(90))
    for n in (3, 10, 30):
        begun = [0, *sorted(order[:n]), 90]
        assert max(after - before for before, after in pairwise(begun)) < 3 * 90 / n


def test_the_text_for_the_store_round_trips_and_nonsense_is_none() -> None:
    analysis = Analysis(9, (Judged(3, 1, 0.5, 0.25, "lay 3H 4H"),))
    assert Analysis.from_json(analysis.to_json()) == analysis
    for text in ("", "{}", "[]", '{"format": 2}', '{"format": 1, "decisions": 1, "judged": [[1]]}', "3"):
        assert Analysis.from_json(text) is None


def test_the_dearest_moves_are_those_that_cost_most_in_the_order_of_the_game() -> None:
    costs = [0.1, 0.3, 0.0, 0.01, 0.2, 0.4]
    rows = tuple(Judged(n, 0, 0.5, 0.5 - cost, "a") for n, cost in enumerate(costs))
    assert [one.n for one in costliest(Analysis(6, rows), 0)] == [1, 4, 5]
    assert costliest(Analysis(6, rows[2:4]), 0) == []
    assert costliest(Analysis(6, rows), 1) == []


@pytest.mark.parametrize(
    ("chances", "bars", "digits"),
    [
        ([0.0, 0.5, 1.0], "▁▅█", "059"),
        ([], "", ""),
        ([0.0, 1.0] * 28, "▅" * 28, "5" * 28),
        ([0.124, 0.126], "▁▂", "11"),
    ],
)
def test_chances_are_drawn_in_bars_or_digits(chances: list[float], bars: str, digits: str) -> None:
    assert chances_line(chances, 28) == bars
    assert chances_line(chances, 28, letters=True) == digits
