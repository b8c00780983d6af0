"""Cards: their notation, lenient reading, and canonical order."""

from __future__ import annotations

import copy
import json
import pickle

import pytest

from engines.cards import Card, UnknownCard, by_rank, cards, deck, is_card, remove_card, without


@pytest.mark.parametrize(
    ("spelling", "card"),
    [
        ("10H", "10H"),
        ("10h", "10H"),
        ("as", "AS"),
        ("jD", "JD"),
        ("10♥", "10H"),
        ("10♡", "10H"),
        ("10♥\ufe0f", "10H"),
        ("10♥\ufe0e", "10H"),
        ("a♠", "AS"),
        ("A♤", "AS"),
        ("3♦", "3D"),
        ("3♢", "3D"),
        ("k♣", "KC"),
        ("k♧", "KC"),
        ("KSr", "KSr"),
        ("ksR", "KSr"),
        ("k♠\ufe0fB", "KSb"),
    ],
)
def test_any_case_and_suit_symbols_are_read(spelling: str, card: str) -> None:
    assert str(Card(spelling)) == card


@pytest.mark.parametrize(
    "nonsense",
    [
        "",
        " ",
        "10",
        "H",
        "1H",
        "11S",
        "0D",
        "H10",
        "10H ",
        "10 H",
        "10HH",
        "10X",
        "TH",
        "♥",
        "KSg",
        "KSrb",
        "١H",
    ],
)
def test_a_spelling_of_no_card_is_refused(nonsense: str) -> None:
    with pytest.raises(UnknownCard):
        Card(nonsense)


def test_an_unknown_card_is_a_value_error() -> None:
    with pytest.raises(ValueError, match="nonsense"):
        Card("nonsense")


def test_there_is_one_object_a_card() -> None:
    assert Card("10♥") is Card("10H")


def test_a_card_is_its_spelling() -> None:
    assert Card("10H") == "10H"
    assert json.dumps([Card("10H"), Card("KSr")]) == '["10H", "KSr"]'


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda card: pickle.loads(pickle.dumps(card))])
def test_a_copy_is_the_card_itself(copied: object) -> None:
    assert callable(copied)
    assert copied(Card("KSb")) is Card("KSb")


@pytest.mark.parametrize(
    ("card", "rank", "suit", "back", "number", "colour"),
    [
        ("AS", "A", "S", "", 1, "black"),
        ("10H", "10", "H", "", 10, "red"),
        ("JD", "J", "D", "", 11, "red"),
        ("QC", "Q", "C", "", 12, "black"),
        ("KSr", "K", "S", "r", 13, "black"),
        ("2Hb", "2", "H", "b", 2, "red"),
    ],
)
def test_a_card_has_its_attributes(
    card: str, rank: str, suit: str, back: str, number: int, colour: str
) -> None:
    known = Card(card)
    assert (known.rank, known.suit, known.back, known.number, known.colour) == (
        rank,
        suit,
        back,
        number,
        colour,
    )


def test_a_deck_is_in_canonical_order() -> None:
    assert " ".join(deck()) == (
        "AS 2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS KS AH 2H 3H 4H 5H 6H 7H 8H 9H 10H JH QH KH "
        "AD 2D 3D 4D 5D 6D 7D 8D 9D 10D JD QD KD AC 2C 3C 4C 5C 6C 7C 8C 9C 10C JC QC KC"
    )


def test_a_deck_has_the_ranks_given() -> None:
    assert " ".join(deck(["6", "A"])) == "6S AS 6H AH 6D AD 6C AC"


def test_the_red_pack_comes_before_the_blue() -> None:
    assert " ".join(deck(["A"], ("r", "b"))) == "ASr AHr ADr ACr ASb AHb ADb ACb"


@pytest.mark.parametrize("backs", [("",), ("r", "b")], ids=["one pack", "two packs"])
def test_order_is_the_index_in_the_deck(backs: tuple[str, ...]) -> None:
    whole = deck(backs=backs)
    assert [card.order for card in whole] == list(range(len(whole)))


@pytest.mark.parametrize("spellings", ["10h a♠", ["10h", "a♠"]], ids=["string", "list"])
def test_several_cards_are_read_at_once(spellings: str | list[str]) -> None:
    assert cards(spellings) == (Card("10H"), Card("AS"))


def test_one_unknown_card_among_several_is_refused() -> None:
    with pytest.raises(UnknownCard, match="XX"):
        cards("10H XX")


def test_one_card_is_dropped() -> None:
    assert remove_card(cards("10H 2S 3D"), Card("2S")) == cards("10H 3D")


def test_without_keeps_the_order() -> None:
    assert without(cards("10H 2S 3D AC"), Card("2S"), Card("AC")) == cards("10H 3D")


@pytest.mark.parametrize(
    ("word", "spells"), [("10H", True), ("KSr", True), ("10h", False), ("10♥", False), ("all", False)]
)
def test_a_word_is_a_card_in_the_rule_books_spelling_only(word: str, spells: bool) -> None:
    assert is_card(word) == spells


def test_by_rank_sorts_by_rank_then_suit_ace_low() -> None:
    assert sorted(cards("KS 2C 10H AC 2S AS JD"), key=by_rank) == list(cards("AS AC 2S 2C 10H JD KS"))
