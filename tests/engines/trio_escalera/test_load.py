"""Positions of Trío y Escalera that are loaded or refused; a position need not have all cards."""

from __future__ import annotations

from typing import Any

import pytest

from engines.trio_escalera.rules import game
from tests import luck

SOUND: dict[str, Any] = {
    "hands": [["5Hr", "9Hr"], ["2Sb"]],
    "stock": ["8Cb"],
    "groups": [{"name": "trio_0", "cards": ["KSr", "KHr", "KDr"]}],
    "on": [True, False],
    "drawn": "9Hr",
}
KINGS, QUEENS = ({"name": "trio_0", "cards": [f"{rank}Sb", f"{rank}Hb", f"{rank}Db"]} for rank in "KQ")
FAULTS: list[tuple[dict[str, Any], str]] = [
    ({"drawn": "8Cb"}, "drawn"),
    ({"drawn": "2Sb"}, "drawn"),
    ({"drawn": "AHb"}, "drawn"),
    ({"groups": [KINGS, QUEENS]}, "groups: two have the same name"),
    ({"groups": [{"name": "trio_0", "cards": []}]}, "groups: one has no cards"),
    ({"groups": [KINGS], "stock": ["KSb"]}, "more than once: KSb"),
    ({"groups": [{"name": "trio_0", "cards": ["KSb", "KSb", "KHb", "KDb"]}]}, "more than once: KSb"),
    ({"groups": [{"name": "kings", "cards": KINGS["cards"]}]}, "groups"),
    ({"hands": [["5Hr", "9Hr", "9Hr"], ["2Sb"]]}, "more than once: 9Hr"),
    ({"hands": [["5Hr", "9Hr"], ["5Hr"]]}, "more than once: 5Hr"),
    ({"on": [True]}, "on"),
    ({"turn": 2}, "turn"),
    ({"turn": -1}, "turn"),
    ({"passes": -4}, "passes"),
    ({"passes": 3}, "passes"),
    ({"movements_left": -1}, "movements_left"),
    ({"movements_left": 6}, "movements_left"),
    ({"placed": -1}, "placed"),
]


def test_a_sound_position_is_loaded() -> None:
    assert game.dump(game.load(SOUND, 2, {})).items() >= SOUND.items()


@pytest.mark.parametrize("drawn", ["5Hr", "KSr"])
def test_the_drawn_card_may_be_in_hand_or_on_the_table(drawn: str) -> None:
    assert game.dump(game.load({**SOUND, "drawn": drawn}, 2, {}))["drawn"] == drawn


@pytest.mark.parametrize(("change", "said"), FAULTS, ids=[str(change) for change, _ in FAULTS])
def test_an_impossible_position_is_refused(change: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        game.load({**SOUND, **change}, 2, {})


def test_a_card_drawn_and_placed_with_all_others_is_imagined_on_the_table() -> None:
    state = game.load({**SOUND, "hands": [[], ["2Sb"]], "drawn": "KSr"}, 2, {})
    for seat in (None, 1):
        view = game.view(state, seat)
        assert game.view(game.imagine(view, luck.rng()), seat) == view
