"""The letters of groups: A to Z, then AA."""

from __future__ import annotations

import pytest

from engines.letters import index_of, letter


@pytest.mark.parametrize(
    ("index", "name"),
    [(0, "A"), (1, "B"), (25, "Z"), (26, "AA"), (27, "AB"), (51, "AZ"), (52, "BA"), (702, "AAA")],
)
def test_groups_are_lettered_in_order(index: int, name: str) -> None:
    assert letter(index) == name
    assert index_of(name) == index_of(name.lower()) == index


@pytest.mark.parametrize("word", ["", "A1", "trio_0", "Ñ", "É", "ß", "-"])
def test_other_words_are_no_letters(word: str) -> None:
    assert index_of(word) is None


def test_every_group_has_a_letter_of_its_own() -> None:
    assert [index_of(letter(index)) for index in range(1000)] == list(range(1000))
