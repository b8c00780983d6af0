"""The reasons for moves of Svoi Kozyri: each is true of its move and its view."""

from __future__ import annotations

import pytest

from engines.cards import cards, without
from engines.game import Move
from engines.svoi.deck import DECK
from engines.svoi.state import State
from tests import luck
from tests.engines.svoi.positions import at, choosing, english, game, spanish, whole


def reason(state: State, move: str) -> str:
    assert Move.parse(move) in set(game.moves(state, state.turn))
    return english(game.reason(game.view(state, state.turn), Move.parse(move)))


@pytest.mark.parametrize(
    ("own", "other", "top", "move", "sentence"),
    [
        ("9C 9H", "JC", "8C", "beat 9C 9H", "You run out of cards and win."),
        ("9C 9H", "JH", "8C", "beat 9C 9H", "You run out of cards, but your opponent still saves a draw."),
        (
            "9C AS 6D",
            "JC QC KS",
            "8C",
            "beat 9C AS",
            "Your opponent can't beat A♠ and must take the whole pile.",
        ),
        (
            "9C KS 6D",
            "JC QC QS",
            "8C",
            "beat 9C KS",
            "Your opponent can't beat K♠ and must take 5 cards.",
        ),
        (
            "9C KD 6D",
            "JC QC QD",
            "8C",
            "beat 9C KD",
            "Your opponent can't beat K♦ and must take 3 cards.",
        ),
        ("9C 7D 6D", "JC QC QD", "8C", "beat 9C 7D", "Your opponent has only one card that beats 7♦."),
        (
            "9C 9S 6D",
            "JC QC 10S JS",
            "8C",
            "beat 9C 9S",
            "9♠ is your opponent's trump: only a higher one beats it.",
        ),
        (
            "9C 7D 6H",
            "JC QC QD JD",
            "8C",
            "beat 9C 7D",
            "9♣ is the cheapest card that beats 8♣, and you keep your trumps.",
        ),
        ("9C 7D 6C", "JC QC QD JD", "8C", "beat 9C 7D", "9♣ is the cheapest card that beats 8♣."),
        ("9C 10C 7D 6H", "JC QC QD JD", "8C", "beat 10C 7D", "You keep all your trumps."),
        ("9C 10C 7D", "JC QC QD JD", "8C", "beat 10C 7D", "You get rid of 7♦, your cheapest card."),
        (
            "9C 10C 7D 8D",
            "JC QC QD JD",
            "8C",
            "beat 10C 8D",
            "None of your other cards is harder to beat than 8♦.",
        ),
        ("9C 10C 7D 8D AD", "JC QC QD JD", "8C", "beat 10C 8D", "You keep A♦, which is harder to beat."),
        (
            "9C 10C 7D KD",
            "JC QC JS QS 6H",
            "8C",
            "beat 10C KD",
            "Your opponent can beat K♦ only with a trump.",
        ),
        ("9D 10C 7D", "JC QC QD JD", "8C", "beat 10C 7D", "10♣ is the cheapest card that beats 8♣."),
        ("9D 10D 7D", "JC QC QD JD", "8C", "take", "You can't beat 8♣, so you take 3 cards."),
        ("9D 10D 7D", "JC QC QD JD", "6H", "take", "You can't beat 6♥, so you take 5 cards."),
    ],
)
def test_the_reason_for_beating_or_taking(own: str, other: str, top: str, move: str, sentence: str) -> None:
    assert reason(whole(own, other, top), move) == sentence


def test_the_reason_for_a_lead() -> None:
    state = at("6C 7C 8D 9H", "10C JC QD JD")
    assert reason(state, "lead 6C") == "6♣ is your cheapest card."
    assert reason(state, "lead 7C") == "You keep all your trumps."
    assert reason(state, "lead 9H") == "You have 3 cards left."


def test_a_lead_that_must_be_taken() -> None:
    half = DECK[:17]
    other = " ".join(without(DECK, *half, *cards("KS AS")))
    state = at(" ".join((*without(half, *cards("AS KS")), "AS", "KS")), other)
    assert reason(state, "lead AS") == "Your opponent can't beat A♠ and must take it."


def test_the_reason_for_taking_of_ones_own_will() -> None:
    state = whole("9H 7D 6D", "JC QC", "8C", voluntary_take="on")
    assert reason(state, "take") == "You take 3 cards, but keep your trumps."
    state = whole("9C 7D 6D", "JC QC", "8C", voluntary_take="on")
    assert reason(state, "take") == "You take 3 cards, but keep your cards that beat 8♣."


def test_before_the_deal_no_suit_is_better() -> None:
    sentence = reason(choosing(), "trump H")
    assert sentence == "No cards are dealt yet, so one suit is as good as another."


def test_without_all_cards_nothing_is_said_about_the_other_hand() -> None:
    assert reason(at("9C 9H", "JC", "8C"), "beat 9C 9H") == "That leaves you without cards."
    assert reason(at("9H 10H 7H", "JC QC", "8C"), "beat 10H 9H") == "You have 1 card left."
    sentence = reason(at("9C AS 7H", "JC QC", "8C"), "beat 9C AS")
    assert sentence == "A♠ is your opponent's trump: no card beats it."


def test_moves_of_a_random_game_have_reasons_in_both_languages() -> None:
    rng = luck.rng()
    state = game.new(2, rng.randbytes(8), {"voluntary_take": "on"})
    while game.result(state) is None:
        moves = list(game.moves(state, state.turn))
        view = game.view(state, state.turn)
        for move in rng.sample(moves, min(3, len(moves))):
            sentence = game.reason(view, move)
            assert english(sentence) != spanish(sentence)
        state, _ = game.apply(state, state.turn, rng.choice(moves))
