"""Positions of Cardlebones that are refused."""

from __future__ import annotations

import pytest

from tests.engines.cardlebones.positions import CARDLEBONES


def test_a_board_has_three_columns_of_three_cells() -> None:
    empty = [[None] * 3] * 3
    for boards in ([empty], [empty, empty[:2]], [empty, [[None] * 2] * 3]):
        with pytest.raises(ValueError, match="boards"):
            CARDLEBONES.load({"boards": boards, "drawn": "7C"}, 2, {})


def test_the_player_to_place_a_card_has_an_empty_cell() -> None:
    empty, full = [[None] * 3] * 3, [["2S", "3S", "4S"], ["5S", "6S", "7S"], ["8S", "9S", "10S"]]
    position = {"boards": [full, empty], "drawn": "7C", "stock": ["8C"]}
    with pytest.raises(ValueError, match="no empty cell"):
        CARDLEBONES.load(position, 2, {})
