"""The example game in the rules: a whole game from a seed, of which the rules tell beginning and end."""

from __future__ import annotations

import pytest

from bot.settings.choices import LANGUAGES, Language
from engines.svoi.state import State
from tests.engines.rulebook import code_of, example, play, spelled, told_events, typed_moves
from tests.engines.svoi.positions import at, choosing, game

MOVES = (
    *("trump S", "trump H", "lead JC", "beat 10S 6C", "beat 10C 8S", "beat JS 6H", "beat 7H 9C"),
    *("beat 6S 7D", "beat JD 9D", "beat QS 8D", "beat 9H 7S", "beat AS 10D", "beat KH 6D", "beat KS 7C"),
    *("beat QC KC", "take", "beat 8H 9S", "take", "beat JH AC", "beat 9S 6D", "beat AH"),
)
LATE = MOVES.index("take")

every_language = pytest.mark.parametrize("locale", LANGUAGES)


def deal() -> State:
    """Luis, who has seat 1, deals."""
    return choosing(dealer=1, seed=b"rules 1197")


@every_language
def test_the_turns_that_the_example_tells_are_those_of_its_game(locale: Language) -> None:
    _, sentences = play(game, deal(), MOVES, locale)
    choices, turns, end = sentences[:2], sentences[3:8], sentences[-7:-1]
    assert told_events(game, locale) == [*choices, *turns, *end]


@every_language
def test_the_cards_are_as_the_example_says(locale: Language) -> None:
    text = example(game, locale)
    dealt, _ = play(game, deal(), MOVES[:2], locale)
    for hand, trump in zip(dealt.hands, "HS", strict=True):
        held = sorted(hand, key=lambda card: ("SHDC".index(card.suit), card.rank == "A", card.order))
        assert spelled(card for card in held if card.suit == trump) + "." in text
        assert spelled(card for card in held if card.suit != trump) + "." in text
    late, _ = play(game, deal(), MOVES[:LATE], locale)
    assert [spelled(hand) in text for hand in late.hands] == [True, True]
    assert spelled(late.pile[:-8:-1]) in text
    assert f" {len(late.pile)} " in text
    assert len(late.pile) == 25


def test_the_end_is_as_the_example_says() -> None:
    over, _ = play(game, deal(), MOVES, "en")
    result = game.result(over)
    assert result is not None
    assert (result.scores, [len(hand) for hand in over.hands]) == ((1, 0), [0, 12])


@every_language
def test_the_moves_can_be_typed_as_the_rules_say(locale: Language) -> None:
    states = [choosing(), at("7C", "8D"), at("JC 6D", "8D", "9C"), at("QD", "8D", "9D"), at("8S", "8D", "9D")]
    *moves, again = typed_moves(game, locale)
    assert [code_of(game, state, move, locale) for state, move in zip(states, moves, strict=True)] == [""] * 5
    assert code_of(game, at("7C", "8D"), again, locale) == ""
