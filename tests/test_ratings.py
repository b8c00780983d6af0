"""The arithmetic of ratings, and that docs/ratings.md tells it as it is."""

from __future__ import annotations

import random
import re
from math import log, sqrt
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.ratings import (
    BETA,
    KAPPA,
    MOST_A_DAY,
    MU,
    NEWCOMER,
    PROVISIONAL,
    SHOWN_UNIT,
    SIGMA,
    TAU,
    Rating,
    rated,
    shown,
)
from engines import games
from tests.words import ROOT

DOCUMENT = (ROOT / "docs" / "ratings.md").read_text("utf-8")
STRENGTHS = (ROOT / "docs" / "computers.md").read_text("utf-8")


@pytest.fixture(scope="module")
def written() -> dict[str, Any]:
    """The names that the program in the document defines."""
    (program,) = re.findall(r"```python\n(.*?)```", DOCUMENT, re.DOTALL)
    names: dict[str, Any] = {}
    exec(program, names)
    return names


RATINGS = st.builds(Rating, st.floats(0, 50), st.floats(0.5, 9), st.just(0))


@given(st.lists(st.tuples(RATINGS, st.integers(1, 4)), min_size=2, max_size=6))
def test_the_document_computes_what_the_bot_does(
    written: dict[str, Any], players: list[tuple[Rating, int]]
) -> None:
    before, places = [one for one, _ in players], [place for _, place in players]
    after = [(one.mu, one.sigma) for one in rated(before, places, 0.0)]
    told = written["rate"]([(one.mu, one.sigma) for one in before], places)
    for one, other in zip(after, told, strict=True):
        assert one == pytest.approx(other, rel=1e-9)
        assert abs(shown(*one) - written["shown"](*other)) <= 1


def test_the_document_has_the_parameters_of_the_bot(written: dict[str, Any]) -> None:
    names = ("MU", "SIGMA", "BETA", "TAU", "KAPPA")
    assert [written[name] for name in names] == [MU, SIGMA, BETA, TAU, KAPPA]
    assert (MOST_A_DAY, PROVISIONAL) == (10, 6.0)
    assert "beyond **ten a day**" in DOCUMENT
    assert "σ is above 6" in DOCUMENT


def test_the_example_of_the_document_is_right() -> None:
    winner, loser = rated([NEWCOMER, NEWCOMER], [1, 2], 0.0)
    for name, one in (("winner", winner), ("loser", loser)):
        row = f"| {name} | μ 25, σ 8.3333 | μ {one.mu:.4f}, σ {one.sigma:.4f} | 1000 → {one.shown} |"
        assert row in DOCUMENT


@pytest.mark.parametrize(
    ("players", "games", "words"), [(2, 13, "about 13 games"), (4, 18, "with four for about 18")]
)
def test_a_rating_is_provisional_as_long_as_the_document_says(players: int, games: int, words: str) -> None:
    assert words in DOCUMENT
    rng, counts = random.Random(1), []
    for _ in range(10):
        ratings: tuple[Rating, ...] = (NEWCOMER,) * players
        count = 0
        while ratings[0].is_provisional:
            ratings, count = rated(ratings, rng.sample(range(players), players), 0.0), count + 1
        counts.append(count)
    assert round(sum(counts) / len(counts)) == games


def test_a_veteran_still_moves() -> None:
    ratings: tuple[Rating, ...] = (NEWCOMER, NEWCOMER)
    for n in range(2000):
        ratings = rated(ratings, [n % 2, (n + 1) % 2], 0.0)
    after, _ = rated(ratings, [1, 2], 0.0)
    assert after.shown - ratings[0].shown >= 5


def test_the_list_of_computers_follows_from_their_matches() -> None:
    measured = re.findall(r"^\| ([^|]+) \| ([\d.]+) [^|]*\| [^|]*\| ([\d.]+) ", STRENGTHS, re.MULTILINE)
    titles = {game.title.message for game in games().values()}
    listed = {}
    for title, *row in measured:
        if title in titles:
            beats, beaten = (SHOWN_UNIT * sqrt(2) * BETA * log(p / (100 - p)) for p in map(float, row))
            listed[title] = [str(round(1500 - beats)), "1500", str(round(1500 + beaten))]
    rows = re.findall(r"^\| ([^|]+) \| (\d+) \| (\d+) \| (\d+) \|$", DOCUMENT, re.MULTILINE)
    assert {title: row for title, *row in rows} == listed
    assert len(listed) >= 5
    known = {game.title.message: list(map(str, game.strengths)) for game in games().values()}
    assert {title: row for title, row in known.items() if row} == listed
    assert round(SHOWN_UNIT * sqrt(2) * BETA) == 236
