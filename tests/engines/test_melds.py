"""Sets, runs and divisions of a hand, against the slowest search for them."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.cards import BACKS, RANKS, SUITS, Card, cards, deck
from engines.divisions import divide, takes_all
from engines.melds import Ace, Melds
from tests import luck

RING = Melds(ace="wrap")
TWO_PACKS = Melds(ace="low_or_high", set_sizes=range(3, 9))
EVERY = [
    RING,
    Melds(),
    Melds(ace="low_or_high"),
    Melds(ace="wrap", longest=5),
    TWO_PACKS,
    Melds(ace="low", set_sizes=range(3, 9)),
    Melds(ace="wrap", set_sizes=range(3, 9)),
    Melds(ace="wrap", longest=6, set_sizes=range(3, 5), least_suits=2),
]
RANKS_OF_RUNS = {"low": ["A23456789TJQK"], "low_or_high": ["A23456789TJQK", "23456789TJQKA"]}
every_rules = pytest.mark.parametrize("rules", EVERY, ids=str)


def points(card: Card) -> int:
    return 11 if card.rank == "A" else min(card.number, 10)


def slow_is_meld(rules: Melds, meld: Sequence[Card]) -> bool:
    ranks = [card.rank.replace("10", "T") for card in meld]
    if len(set(ranks)) == 1:
        return len(meld) in rules.set_sizes and len({card.suit for card in meld}) >= rules.least_suits
    lines = RANKS_OF_RUNS.get(rules.ace, ["A23456789TJQK" * 2])
    spelled = {"".join(sorted(line[i : i + len(meld)])) for line in lines for i in range(len(line))}
    return (
        3 <= len(meld) <= rules.longest
        and len({card.suit for card in meld}) == 1
        and len(set(ranks)) == len(ranks)
        and "".join(sorted(ranks)) in spelled
    )


def slow_melds(rules: Melds, hand: Sequence[Card]) -> Iterator[frozenset[Card]]:
    alike = [[card for card in hand if card.suit == suit] for suit in SUITS]
    alike += [[card for card in hand if card.rank == rank] for rank in RANKS]
    for group in alike:
        for n in range(3, len(group) + 1):
            yield from (frozenset(meld) for meld in combinations(group, n) if slow_is_meld(rules, meld))


def slow_points(rules: Melds, hand: Sequence[Card]) -> int:
    melds = list(slow_melds(rules, hand))

    @cache
    def least(left: frozenset[Card]) -> int:
        if not left:
            return 0
        card = min(left, key=lambda card: card.order)
        ways = [points(card) + least(left - {card})]
        ways += [least(left - meld) for meld in melds if card in meld and meld <= left]
        return min(ways)

    return least(frozenset(hand))


ONE_PACK, BOTH_PACKS = deck(), deck(backs=BACKS)
NARROW = [card for card in BOTH_PACKS if card.rank in ("A", "2", "3", "Q", "K") and card.suit in "SHD"]
hands = st.one_of(
    st.lists(st.sampled_from(ONE_PACK), max_size=11, unique=True),
    st.lists(st.sampled_from([card for card in ONE_PACK if card.suit in "SH"]), max_size=11, unique=True),
    st.lists(st.sampled_from(BOTH_PACKS), max_size=11, unique=True),
    st.lists(st.sampled_from(NARROW), max_size=11, unique=True),
)
some_rules = st.sampled_from(EVERY)


def test_a_set_is_of_one_rank_in_three_suits() -> None:
    assert [
        TWO_PACKS.is_set(cards(spelled))
        for spelled in (
            "KSr KHr KDr",
            "KSr KHr KDr KSb",
            "KSr KHr KSb",
            "KSr KHr",
            "KSr KHr QDr",
            "KSr KSr KHr KDr",
        )
    ] == [True, True, False, False, False, False]


def test_a_set_of_one_pack_has_three_or_four_cards() -> None:
    assert [RING.is_set(cards(spelled)) for spelled in ("9S 9H", "9S 9H 9D", "9S 9H 9D 9C")] == [
        False,
        True,
        True,
    ]


@pytest.mark.parametrize(
    ("ace", "runs"),
    [("low", ["A23"]), ("low_or_high", ["A23", "QKA"]), ("wrap", ["A23", "QKA", "KA2"])],
)
def test_an_ace_stands_where_the_rules_let_it(ace: Ace, runs: list[str]) -> None:
    rules = Melds(ace=ace)
    assert [run for run in ("A23", "QKA", "KA2") if rules.is_run([Card(rank + "S") for rank in run])] == runs


def test_a_run_is_of_one_suit_without_a_rank_twice() -> None:
    assert [TWO_PACKS.is_run(cards(run)) for run in ("3Sr 5Sb 4Sr", "3Sr 4Hr 5Sr", "3Sr 3Sb 4Sr 5Sr")] == [
        True,
        False,
        False,
    ]


def test_a_run_has_at_most_the_longest_number_of_cards() -> None:
    assert [Melds(longest=5).is_run(deck()[:n]) for n in (5, 6)] == [True, False]


@pytest.mark.parametrize(
    ("rules", "cards_", "ordered"),
    [
        (RING, "AS 2S KS QS", "QS KS AS 2S"),
        (RING, "9C 9S 9D", "9S 9D 9C"),
        (TWO_PACKS, "AHr KHb QHr", "QHr KHb AHr"),
        (TWO_PACKS, "KSb KHr KSr KDr", "KSr KSb KHr KDr"),
        (TWO_PACKS, "KS QS JS 10S 9S 8S 7S 6S 5S 4S 3S 2S AS", "AS 2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS KS"),
    ],
)
def test_the_cards_of_a_meld_are_put_in_table_order(rules: Melds, cards_: str, ordered: str) -> None:
    assert rules.in_order(cards(cards_)) == cards(ordered)


def test_lay_offs_are_those_of_the_rule_book() -> None:
    lay_offs = RING.lay_offs(cards("10H 9H 8H"), cards("JH QH 7H 6H JS 5C"))
    assert {" ".join(sorted(added)) for added in lay_offs} == {
        "JH", "JH QH", "7H", "6H 7H", "7H JH", "6H 7H JH", "7H JH QH", "6H 7H JH QH",
    }  # fmt: skip


@every_rules
@settings(max_examples=30, deadline=None)
@given(hand=hands)
def test_all_melds_of_a_hand_are_found_once(rules: Melds, hand: list[Card]) -> None:
    found = list(rules.melds_in(hand))
    assert len(found) == len(set(map(frozenset, found)))
    assert set(map(frozenset, found)) == set(slow_melds(rules, hand))
    assert all(rules.in_order(meld) == meld for meld in found)


@settings(max_examples=100, deadline=None)
@given(rules=some_rules, hand=hands)
def test_without_backs_melds_that_look_alike_are_found_once(rules: Melds, hand: list[Card]) -> None:
    def look(meld: Sequence[Card]) -> tuple[str, ...]:
        return tuple(sorted(card.rank + card.suit for card in meld))

    looks = [look(meld) for meld in rules.melds_in(hand, backs=False)]
    assert len(looks) == len(set(looks))
    assert set(looks) == {look(tuple(meld)) for meld in slow_melds(rules, hand)}


@settings(max_examples=200, deadline=None)
@given(rules=some_rules, hand=hands, data=st.data())
def test_all_lay_offs_are_found_once(rules: Melds, hand: list[Card], data: st.DataObject) -> None:
    melds = sorted(map(sorted, slow_melds(rules, hand)))
    if not melds:
        return
    meld = list(map(Card, data.draw(st.sampled_from(melds))))
    rest = [card for card in hand if card not in meld]
    found = [frozenset(added) for added in rules.lay_offs(meld, rest)]
    assert len(found) == len(set(found))
    assert set(found) == {whole - set(meld) for whole in slow_melds(rules, hand) if whole > set(meld)}


@settings(max_examples=200, deadline=None)
@given(rules=some_rules, hand=hands, n=st.integers(0, 4))
def test_the_cards_that_can_join_others_in_a_meld_are_found(rules: Melds, hand: list[Card], n: int) -> None:
    chosen, others = hand[:n], hand[n:]
    assert rules.joining(chosen, others) == tuple(
        card for card in others if any({*chosen, card} <= meld for meld in slow_melds(rules, hand))
    )


def test_runs_are_listed_by_their_ranks() -> None:
    assert [run for run in RING.runs if run[0] == 11][:2] == [(11, 12, 0), (11, 12, 0, 1)]


@every_rules
@settings(max_examples=60, deadline=None)
@given(hand=hands)
def test_the_division_with_the_fewest_points_is_found(rules: Melds, hand: list[Card]) -> None:
    division = divide(hand, rules, points)
    assert sorted([*division.unmatched, *(card for meld in division.melds for card in meld)]) == sorted(hand)
    assert all(slow_is_meld(rules, meld) and rules.in_order(meld) == meld for meld in division.melds)
    assert division.points == sum(map(points, division.unmatched)) == slow_points(rules, hand)


@settings(max_examples=200, deadline=None)
@given(rules=some_rules, hand=hands, but=st.integers(0, 4))
def test_whether_melds_take_all_but_some_cards_is_found(rules: Melds, hand: list[Card], but: int) -> None:
    left = divide(hand, rules, lambda _: 1).unmatched
    assert takes_all(hand, rules, but=but) == (len(left) <= but)


@every_rules
def test_nearly_a_pack_and_a_suit_of_two_packs_divide_into_melds(rules: Melds) -> None:
    assert divide(ONE_PACK[:26] + ONE_PACK[30:], rules, points).points == 0
    assert divide([card for card in BOTH_PACKS if card.suit == "S"], rules, points).points == 0


@pytest.mark.parametrize(("rules", "pack"), [(RING, ONE_PACK), (TWO_PACKS, BOTH_PACKS)], ids=str)
@pytest.mark.parametrize(("size", "most"), [(8, 100), (12, 200), (26, 6000)])
def test_a_division_is_little_work(rules: Melds, pack: tuple[Card, ...], size: int, most: int) -> None:
    rng, calls = luck.rng(), 0

    def count(_frame: object, event: str, _arg: object) -> None:
        nonlocal calls
        calls += event == "call"

    hands = [rng.sample(pack, size) for _ in range(40)]
    sys.setprofile(count)
    for hand in hands:
        divide(hand, rules, points)
    sys.setprofile(None)
    assert calls / len(hands) < most
