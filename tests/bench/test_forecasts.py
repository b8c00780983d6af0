"""Tests the measurement of forecasts in one game; the figures themselves are the bench's matter."""

from __future__ import annotations

from bench import forecasts


def test_a_game_gives_more_than_eight_placements_with_one_final_lead() -> None:
    seen = list(forecasts.play(1))
    finals = {one.final for one in seen}
    assert len(seen) > 8
    assert {one.turns for one in seen} <= set(range(1, 9))
    # The lead of one player is the other's lag; this game is no draw.
    assert finals == {max(finals), -max(finals)}
    assert max(finals) > 0
