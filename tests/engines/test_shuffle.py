"""The verifiable shuffle against fixed vectors, a second implementation and the laws of chance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.cards import RANKS, deck
from engines.shuffle import SeededRandom, shuffle, starter
from tests.engines import reference

SEED = b"sobremesa"
SHUFFLED = (
    "10C 7D 5C 9D 5S 4S 5H 3H 7S 6D 3D 4H 8S AC 3S 7C 9H 4C AH 6C "
    "3C 10D 6S 10H 9S 6H 4D 2C 9C 5D AD 8H 2D AS 8D 7H 8C 10S 2H 2S"
)
"""Ace to ten of four suits, shuffled with SEED by another program."""

seeds = st.binary(min_size=1, max_size=100)
labels = st.sampled_from(["deck", "deck:2", "start", "dice", "mirror"])


def drawing(monkeypatch: pytest.MonkeyPatch, *numbers: int) -> SeededRandom:
    """A `SeededRandom` that reads the given numbers instead of those of its seed."""

    def given_numbers(seed: bytes, label: str) -> Iterator[int]:
        return iter(numbers)

    monkeypatch.setattr("engines.shuffle._numbers", given_numbers)
    return SeededRandom(SEED, "deck")


def test_the_numbers_are_those_of_hmac_sha256() -> None:
    """``printf deck:0 | openssl dgst -sha256 -mac HMAC -macopt key:sobremesa``"""
    digest = "6a9dc5db8bc30c01fcb1e50f4839d3728502bca1798392e3756467607948321c"
    draws = SeededRandom(SEED, "deck")
    assert "".join(f"{draws.draw(2**64):016x}" for _ in range(4)) == digest


def test_the_second_counter_follows_the_first() -> None:
    draws = SeededRandom(SEED, "deck")
    assert [draws.draw(2**64) for _ in range(5)][4] == 0xBD40B924289099E4


def test_a_known_seed_gives_a_known_deal() -> None:
    assert " ".join(shuffle(SEED, deck(RANKS[:10]))) == SHUFFLED


def test_a_known_seed_gives_known_dice() -> None:
    draws = SeededRandom(SEED, "dice")
    assert [draws.draw(6) + 1 for _ in range(12)] == [2, 6, 1, 5, 4, 3, 4, 5, 5, 2, 2, 1]


@pytest.mark.parametrize(("seats", "seat"), [(2, 1), (3, 0)])
def test_a_known_seed_gives_a_known_starter(seats: int, seat: int) -> None:
    assert starter(SEED, seats) == seat


@settings(deadline=None)
@given(seeds, st.lists(st.integers(), max_size=60))
def test_anybody_can_recompute_a_shuffle(seed: bytes, cards: list[int]) -> None:
    expected = reference.shuffled(seed, "deck", [str(card) for card in cards])
    assert shuffle(seed, [str(card) for card in cards]) == tuple(expected)


@settings(deadline=None)
@given(seeds, st.integers(2, 9))
def test_later_shuffles_have_labels_of_their_own(seed: bytes, nth: int) -> None:
    expected = reference.shuffled(seed, f"deck:{nth}", reference.DECK)
    assert shuffle(seed, deck(), nth) == tuple(expected)


@settings(deadline=None)
@given(seeds, st.integers(1, 6))
def test_anybody_can_recompute_the_starter(seed: bytes, seats: int) -> None:
    assert starter(seed, seats) == reference.starter(seed, seats)


@settings(deadline=None)
@given(seeds, labels, st.integers(1, 2**64))
def test_a_draw_is_within_its_bounds(seed: bytes, label: str, n: int) -> None:
    assert SeededRandom(seed, label).draw(n) in range(n)


@settings(deadline=None)
@given(seeds, labels)
def test_half_of_the_numbers_are_skipped_where_they_would_be_unfair(seed: bytes, label: str) -> None:
    """Of 2^64 numbers only the first half, and one more, are fair to 2^63 + 1 outcomes."""
    n = 2**63 + 1
    draws, numbers = SeededRandom(seed, label), reference.numbers(seed, label)
    assert [draws.draw(n) for _ in range(5)] == [reference.draw(numbers, n) for _ in range(5)]


def test_the_last_fair_number_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    assert drawing(monkeypatch, 2**64 // 10 * 10 - 1, 3).draw(10) == 9


@pytest.mark.parametrize("biased", [2**64 // 10 * 10, 2**64 - 1], ids=["first", "last"])
def test_a_biased_number_is_skipped(monkeypatch: pytest.MonkeyPatch, biased: int) -> None:
    assert drawing(monkeypatch, biased, 3).draw(10) == 3


def test_no_number_is_biased_where_n_divides_them_all(monkeypatch: pytest.MonkeyPatch) -> None:
    assert drawing(monkeypatch, 2**64 - 1, 3).draw(16) == 15


def test_a_draw_is_the_remainder(monkeypatch: pytest.MonkeyPatch) -> None:
    assert drawing(monkeypatch, 27).draw(10) == 7


def test_fisher_and_yates_go_from_the_last_index_down_to_1(monkeypatch: pytest.MonkeyPatch) -> None:
    """abcd: 0 of 4 swaps d and a, 2 of 3 nothing, 0 of 2 swaps b and d."""
    assert "".join(drawing(monkeypatch, 0, 2, 0).shuffle("abcd")) == "bdca"


def test_a_shuffle_skips_biased_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    """The last number is unfair to three cards, and fair to two."""
    assert "".join(drawing(monkeypatch, 2**64 - 1, 0, 2**64 - 1).shuffle("abc")) == "cba"


def test_nothing_is_drawn_for_index_0(monkeypatch: pytest.MonkeyPatch) -> None:
    assert drawing(monkeypatch).shuffle("a") == ("a",)


@settings(deadline=None)
@given(seeds)
def test_a_shuffle_keeps_every_card(seed: bytes) -> None:
    assert Counter(shuffle(seed, deck())) == Counter(deck())


def test_every_card_comes_first_about_equally_often() -> None:
    """In 2,000 shuffles of five cards each comes first about 400 times; the standard deviation is 18."""
    firsts = Counter(shuffle(str(number).encode(), "abcde")[0] for number in range(2000))
    assert {card: 320 < times < 480 for card, times in firsts.items()} == dict.fromkeys("abcde", True)


def test_each_label_has_draws_of_its_own() -> None:
    rows = {tuple(SeededRandom(SEED, label).shuffle(deck())) for label in ("deck", "deck:2", "start", "dice")}
    assert len(rows) == 4
