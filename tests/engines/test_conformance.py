"""Plays every worked case in ``../shared/conformance`` through the engine contract.

Cases of scored columns or of dice ask a function of the game's ``rules`` instead. The folder of the
cases is not part of the repository. Without it these tests are skipped; in CI it must exist.
"""

from __future__ import annotations

import importlib
import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from engines import games
from engines.cards import is_card
from engines.game import Game, IllegalMove, Seat
from tests.engines.playing import declared

FOLDER = Path(__file__).parents[3] / "shared" / "conformance"
Case = dict[str, Any]
AnyGame = Game[Any, Any]


FILES = sorted(FOLDER.glob("*.json"))


def cases_in(file: Path) -> list[Case]:
    return json.loads(file.read_text("utf-8"))  # type: ignore[no-any-return]


def cases() -> Iterator[Any]:
    for file in FILES:
        yield from (pytest.param(case, id=f"{file.stem}-{case['id']}") for case in cases_in(file))


def test_the_cases_are_there() -> None:
    if not FOLDER.exists() and "CI" not in os.environ:
        pytest.skip("no ../shared/conformance here")
    assert FILES


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_file_has_cases_of_its_game(file: Path) -> None:
    keys = [case["game"] for case in cases_in(file)]
    assert len(keys) >= 10
    assert (set(keys), file.stem in games()) == ({file.stem}, True)


@pytest.mark.parametrize("case", list(cases()))
def test_a_case_ends_as_it_states(case: Case) -> None:
    game = games()[case["game"]]
    if "columns" in case:
        score = importlib.import_module(f"engines.{game.key}.rules").column_score
        assert [[cards, score(cards, case["options"])] for cards, _ in case["columns"]] == case["columns"]
        return
    if "dice" in case:
        starter = importlib.import_module(f"engines.{game.key}.rules").starter
        assert [[rounds, starter(rounds)] for rounds, _ in case["dice"]] == case["dice"]
        return
    state = begin(game, case)
    for step in case.get("steps", ()):
        state = carry_out(game, state, step)
    compare(game, state, case)


def begin(game: AnyGame, case: Case) -> Any:
    if "position" in case:
        return game.load(case["position"], case["seats"], case["options"])
    return game.new(case["seats"], b"any seed", case["options"])


def carry_out(game: AnyGame, state: Any, step: Mapping[str, Any]) -> Any:
    seat = step["seat"]
    if step.get("timeout"):
        return time_out(game, state, seat)
    before = game.dump(state)
    spellings = [step[spelling] for spelling in ("do", "json") if spelling in step]
    assert spellings
    if code := step.get("refused"):
        for spelling in spellings:
            with pytest.raises(IllegalMove) as refusal:
                game.act(state, seat, spelling)
            assert (spelling, refusal.value.code) == (spelling, code)
            assert game.dump(state) == before
        return state
    first, *others = [game.act(state, seat, spelling)[1] for spelling in spellings]
    assert others == [first] * len(others)
    return first


def time_out(game: AnyGame, state: Any, seat: Seat) -> Any:
    turn = game.turns(state)
    while game.turns(state) == turn and game.result(state) is None:
        state, _ = game.apply(state, seat, game.timeout(state, seat))
    return state


def compare(game: AnyGame, state: Any, case: Case) -> None:
    position = game.dump(state)
    for field, wanted in case.get("expect", {}).items():
        assert comparable(game.key, field, position[field]) == comparable(game.key, field, wanted), field
    for field, sizes in case.get("expect_sizes", {}).items():
        lists = position[field]
        assert (list(map(len, lists)) if isinstance(sizes, list) else len(lists)) == sizes, field
    for field, wanted in case.get("expect_contains", {}).items():
        for cards, contained in zip(position[field], wanted, strict=True):
            assert set(contained) <= set(cards)
    if case.get("expect_mirrored"):
        assert_mirrored(position)
    if "result" in case:
        result = game.result(state)
        assert (result is None) == (case["result"] is None)
        for field, wanted in (case["result"] or {}).items():
            assert result is not None
            assert result.to_json()[field] == wanted
    if "legal" in case:
        compare_legal(game, state, case["legal"], position["turn"])


def comparable(key: str, field: str, value: Any) -> Any:
    """Cards as multisets, except where their order counts; groups and melds by name."""
    if field in declared(key, "ORDERED") or not isinstance(value, list):
        return value
    if all(isinstance(item, dict) and "name" in item for item in value):
        return {item["name"]: {**item, "cards": sorted(item["cards"])} for item in value}
    if all(is_card(str(item)) for item in value):
        return Counter(value)
    return [sorted(item) if isinstance(item, list) else item for item in value]


def compare_legal(game: AnyGame, state: Any, legal: Mapping[str, Any], turn: Seat) -> None:
    seat = legal.get("seat", turn)
    unordered = partial(unordered_in, game)
    spelled = {unordered(str(move)) for move in game.moves(state, seat)}
    if "all" in legal:
        assert spelled == set(map(unordered, legal["all"]))
    assert spelled >= set(map(unordered, legal.get("some", ())))
    for spelling in legal.get("none", ()):
        assert unordered(spelling) not in spelled
        with pytest.raises(IllegalMove):
            game.act(state, seat, spelling)


def unordered_in(game: AnyGame, spelling: str) -> tuple[str, tuple[str, ...]]:
    """A spelled move to compare: equal for all orders of the cards of a wide verb."""
    verb, *words = spelling.split()
    if verb in game.wide:
        words = sorted("+".join(sorted(word.split("+"))) for word in words)
    return verb, tuple(words)


def assert_mirrored(position: Mapping[str, Any]) -> None:
    own, other = position["trumps"]
    left, right = (suit for suit in "SHDC" if suit not in (own, other))
    mirror = str.maketrans(own + other + left + right, other + own + right + left)
    mine, theirs = position["hands"]
    assert sorted(card.translate(mirror) for card in mine) == sorted(theirs)
