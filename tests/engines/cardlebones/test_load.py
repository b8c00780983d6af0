"""Positions of Cardlebones that are refused."""

from __future__ import annotations

import pytest

from tests.engines.cardlebones.positions import CARDLEBONES


def test_a_board_has_three_columns_of_three_cells() -> None:
    empty = [[None] * 3] * 3
    for boards in ([empty], [empty, empty[:2]], [empty, [[None] * 2] * 3]):
        with pytest.raises(ValueError, match="boards"):
            CARDLEBONES.load({"boards": boards, "drawn": "7C"}, 2, {})
