"""Every level of computer players has one record, and is found by its name in each language."""

from __future__ import annotations

from typing import get_args

import pytest

from bot.tables.names.levels import LEVELS, level_named
from engines.game import Level


def test_every_level_has_a_record() -> None:
    assert tuple(LEVELS) == get_args(Level)


@pytest.mark.parametrize(
    ("word", "level"),
    [
        ("easy", "easy"),
        ("FÁCIL", "easy"),
        ("facil", "easy"),
        ("Normal", "normal"),
        ("perfect", None),
        ("", None),
    ],
)
def test_a_level_is_named_in_both_languages(word: str, level: Level | None) -> None:
    assert level_named(word) == level
