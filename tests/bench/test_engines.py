"""The measurement of speed: that it can be made, not its figures."""

from __future__ import annotations

import re
import sys
from itertools import islice

import pytest

from bench import engines as bench
from engines import games


@pytest.mark.parametrize("key", games())
def test_every_game_begins_again_after_its_end(key: str) -> None:
    # Each game has ended by then at least once.
    assert len(list(islice(bench.play_ours(games()[key]), 400))) == 400


def test_a_ratio_is_the_median_of_ratios_of_the_same_round() -> None:
    fast, slow = bench.Figures((20.0, 90.0, 40.0)), bench.Figures((10.0, 30.0, 10.0))
    assert fast.ratio(slow) == 3.0


def test_a_yardstick_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("pyspiel", "rlcard", "rlcard.games", "rlcard.games.uno", "rlcard.games.gin_rummy"):
        monkeypatch.setitem(sys.modules, module, None)
    assert bench.find_yardsticks() == ({}, ("open_spiel", "rlcard"))


def test_each_target_is_of_a_game_that_exists() -> None:
    assert {key for key, *_ in (*bench.RATIO_TARGETS, *bench.RATE_TARGETS)} <= set(games())


def test_a_profile_names_functions_of_the_game(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bench, "PROFILE_SECONDS", 0.05)
    monkeypatch.setattr(bench, "WARM_UP_SECONDS", 0.0)
    bench.main(["--profile", "casino"])
    assert re.search(r"(checks|effects|moves|rules|state)\.py:\d+\(", capsys.readouterr().out)
