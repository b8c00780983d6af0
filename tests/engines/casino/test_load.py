"""Positions of Casino that are loaded, and those that are refused; a position need not have all cards."""

from __future__ import annotations

from typing import Any

import pytest

from engines import games
from engines.game import Result

SOUND: dict[str, Any] = {"hands": [["3H"], ["9D"]], "loose": ["6C"], "piles": [[], ["2C"]], "turn": 1}
FAULTS: list[tuple[dict[str, Any], str]] = [
    ({"phase": "bogus"}, "phase"),
    ({"turn": 2}, "turn"),
    ({"turn": -1}, "turn"),
    ({"turn": True}, "turn"),
    ({"turn": "p1"}, "turn"),
    ({"hands": [["3H"]]}, "hands"),
    ({"hands": [["3H"], []]}, "turn: the hand of this seat is empty"),
    ({"hands": [[], []], "stock": ["9D"]}, "turn: the hand of this seat is empty"),
    ({"piles": [[], [], []]}, "piles"),
    ({"loose": ["JD"]}, "not in this pack: JD"),
    ({"loose": ["nonsense"]}, "nonsense"),
    ({"hands": [["XX"], []]}, "XX"),
    ({"loose": ["9D"]}, "more than once: 9D"),
    ({"builds": [{"cards": ["4H", "6S"], "value": 3}]}, "builds"),
    ({"builds": [{"cards": ["4H"], "value": 4}]}, "cards"),
    ({"last_capturer": 9}, "last_capturer"),
    ({"seed": "x"}, "no such field: seed"),
    ({"colour": 1}, "no such field: colour"),
    ({"turns": 3}, "no such field: turns"),
]


def test_a_sound_position_is_loaded() -> None:
    casino = games()["casino"]
    assert casino.dump(casino.load(SOUND, 2, {}))["turn"] == 1


@pytest.mark.parametrize(("change", "fault"), FAULTS, ids=[str(change) for change, _ in FAULTS])
def test_an_impossible_position_is_refused_with_its_fault(change: dict[str, Any], fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        games()["casino"].load({**SOUND, **change}, 2, {})


@pytest.mark.parametrize(
    ("change", "options", "fault"),
    [
        ({"loose": []}, {}, "holds 3H"),
        ({"hands": [["2H"], ["9D"], ["AC"]]}, {}, "holds 3H"),
        ({"hands": [["3H"], [], ["AC"]]}, {}, "turn: the hand of this seat is empty"),
        ({"hands": [["3H"], ["9D"]], "piles": [[], []]}, {}, "only for three seats"),
        ({}, {"exchange": "off"}, "exchange=ask"),
        ({}, {"exchange": "auto"}, "exchange=ask"),
    ],
)
def test_an_impossible_exchange_is_refused(
    change: dict[str, Any], options: dict[str, str], fault: str
) -> None:
    sound = {**SOUND, "hands": [["3H"], ["9D"], ["AC"]], "piles": [[], [], []], "phase": "exchange"}
    casino, position = games()["casino"], {**sound, **change}
    assert casino.load(sound, 3, {})
    with pytest.raises(ValueError, match=fault):
        casino.load(position, len(position["hands"]), options)


def test_in_a_finished_game_the_phase_means_nothing() -> None:
    casino = games()["casino"]
    finished = casino.load({"piles": [["AS"], []], "phase": "exchange"}, 2, {})
    assert casino.result(finished) == Result((1, 0), (0,))
    assert casino.moves(finished, 0) == ()
    assert casino.awaited(casino.view(finished, None)).must == ()


def test_a_build_of_more_than_10_is_never_captured() -> None:
    build = {"cards": ["10S", "10H"], "value": 20}
    casino = games()["casino"]
    state = casino.load({"hands": [["10D", "AS"], ["2S"]], "builds": [build]}, 2, {})
    assert list(map(str, casino.moves(state, 0))) == ["throw AS", "throw 10D"]
