"""Positions of Trío y Escalera that are refused."""

from __future__ import annotations

from typing import Any

import pytest

from engines.trio_escalera.rules import game

SOUND: dict[str, Any] = {
    "hands": [["2Sr", "KHb"], ["9Dr"]],
    "groups": [{"name": "trio_0", "cards": ["3Sr", "3Dr", "3Hr"]}],
    "on": [True, True],
    "drawn": "2Sr",
}
FOURS = ["4Sr", "4Dr", "4Hr"]
FAULTS: list[tuple[dict[str, Any], str]] = [
    ({"groups": [*SOUND["groups"], {"name": "trio_0", "cards": FOURS}]}, "groups: two have the same name"),
    ({"groups": [*SOUND["groups"], {"name": "trio_1", "cards": []}]}, "groups: one has no cards"),
    ({"groups": [{"name": "fours", "cards": FOURS}]}, "groups are named trio_0 or escalera_0"),
    ({"movements_left": -1}, "movements_left"),
    ({"placed": -1}, "placed"),
    ({"passes": -1}, "passes"),
    ({"drawn": "9Dr"}, "drawn: neither in the hand of the seat to play nor on the table"),
    ({"on": [True]}, "on: one for each of 2 seats"),
]


@pytest.mark.parametrize(("change", "fault"), FAULTS, ids=[str(change) for change, _ in FAULTS])
def test_an_impossible_position_is_refused(change: dict[str, Any], fault: str) -> None:
    assert game.load(SOUND, 2, {})
    with pytest.raises(ValueError, match=fault):
        game.load({**SOUND, **change}, 2, {})
