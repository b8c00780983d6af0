"""The score of a match, against numbers worked out by hand."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from bot.matches.playing import GameRecord
from bot.matches.scores import Standing, half_width, share_interval, standing


def record(number: int, scores: tuple[int, ...], *winners: int, ms: tuple[float, ...] = ()) -> GameRecord:
    return GameRecord(number, scores, winners, 10, (ms, *[()] * (len(scores) - 1)))


def scored(records: Sequence[GameRecord], games_of_a_deal: int) -> Standing:
    score = standing(records, games_of_a_deal)
    assert score
    return score


def test_only_whole_deals_count() -> None:
    first, second, third = record(4, (1, 0), 0), record(1, (0, 1), 1), record(5, (2, 0), 0)
    assert scored([first, second, third], 2) == scored([first, third], 2)
    assert standing([first, second], 2) is None


def test_shared_wins_are_divided_and_counted() -> None:
    score = scored([record(0, (5, 5, 1), 0, 1), record(1, (9, 0, 0), 0), record(2, (3, 3, 3), 0, 1, 2)], 3)
    assert score.wins == pytest.approx((1 / 2 + 1 + 1 / 3, 1 / 2 + 1 / 3, 1 / 3))
    assert (score.games, score.draws, score.cut, score.moves) == (3, 2, 0, 30)


def test_points_are_means_and_margins_are_taken_from_the_mean_of_the_others() -> None:
    score = scored([record(0, (6, 1, 3), 0), record(1, (2, 4, 0), 1)], 1)
    assert score.points == (4.0, 2.5, 1.5)
    assert score.margins == pytest.approx((2.0, -0.25, -1.75))


def test_the_deal_is_the_unit_of_intervals() -> None:
    # Two deals: margins 4 and -2 make 1, margins 2 and 4 make 3; their deviation is the root of 2.
    games = [record(0, (4, 0), 0), record(1, (0, 2), 1), record(2, (2, 0), 0), record(3, (4, 0), 0)]
    assert scored(games, 2).margin_errors[0] == pytest.approx(1.96)
    assert scored(games, 2).margins[0] == 2.0
    assert scored(games, 2).intervals[0] == share_interval([0.5, 1.0])


def test_times_are_the_median_and_the_worst_of_all_decisions() -> None:
    games = [record(0, (1, 0), 0, ms=(1.0, 9.0)), record(1, (1, 0), 0, ms=(2.0,))]
    score = scored(games, 2)
    assert (score.median_ms, score.worst_ms) == ((2.0, 0.0), (9.0, 0.0))


def test_many_deals_have_a_normal_interval() -> None:
    # Half of 32 deals won, half shared: deviation √(32 × 0.25² ÷ 31) = 0.2540, error 1.96 × 0.2540 ÷ √32.
    assert share_interval([1.0, 0.5] * 16) == pytest.approx((0.75 - 0.08801, 0.75 + 0.08801), abs=1e-5)


def test_few_deals_have_wilsons_interval() -> None:
    # Wilson's interval of 8 wins in 10, as published in many tables.
    assert share_interval([1.0] * 8 + [0.0] * 2) == pytest.approx((0.4902, 0.9433), abs=1e-4)


def test_deals_that_all_ended_alike_have_wilsons_interval() -> None:
    low, high = share_interval([1.0] * 100)
    assert (low, high) == pytest.approx((100 / (100 + 1.96**2), 1.0))
    assert share_interval([0.5] * 50) == pytest.approx((0.3664, 0.6336), abs=1e-4)


def test_an_interval_stays_between_nothing_and_all() -> None:
    low, high = share_interval([1.0] * 39 + [0.5])
    assert 0 < low < 1 == high
    assert share_interval([0.0] * 39 + [0.5])[0] == 0.0


def test_a_game_that_was_cut_is_a_draw_and_is_counted() -> None:
    score = scored([GameRecord(0, (0, 0), (0, 1), 10, ((), ()), cut=True)], 1)
    assert (score.games, score.draws, score.cut) == (1, 1, 1)


def test_a_single_value_has_no_error() -> None:
    assert half_width([3.0]) == 0.0
