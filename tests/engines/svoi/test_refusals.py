"""The refusals of Svoi Kozyri: every code, and the order where two fit."""

from __future__ import annotations

from typing import Any

import pytest

from engines.svoi.state import State
from tests.engines.rulebook import refusal_codes
from tests.engines.svoi.positions import (
    at,
    choosing,
    game,
    reach,
    refusal,
    refusal_reason,
)

OVER = reach(at("7C", "8D 9D"), "lead 7C")
LEADING = at("7C KD 6H", "8D 9S")
BEATING = at("KH 8H", "JC 6D 7S AH", "7D 9C", turn=1)
CHOOSING = choosing()
LAST = at("KD 7C", "QD", "6C 10D", turn=1)
OWN_TRUMP_ON_TOP = at("9H AD", "QS", "6C 10H")


CASES: list[tuple[str, State, int, str | dict[str, Any]]] = [
    ("game-over", OVER, 1, "lead 8D"),
    ("game-over", OVER, 0, {"type": "lead", "playerId": "p2"}),
    ("not-your-seat", LEADING, 0, {"type": "lead", "playerId": "p2", "card": "7C"}),
    ("not-your-seat", LEADING, 0, {"type": "lead", "card": "7C"}),
    ("not-your-seat", LEADING, 1, {"type": "lead", "playerId": "p1", "card": "7C"}),
    ("not-your-turn", LEADING, 1, "lead 8D"),
    ("not-your-turn", LEADING, 1, "nonsense"),
    ("not-your-turn", CHOOSING, 1, "trump S"),
    ("unknown-action", LEADING, 0, ""),
    ("unknown-action", LEADING, 0, "fold"),
    ("unknown-action", LEADING, 0, "lead"),
    ("unknown-action", LEADING, 0, "lead 7C KD"),
    ("unknown-action", LEADING, 0, "lead 5H 7C"),
    ("unknown-action", LEADING, 0, "take 7C"),
    ("unknown-action", LEADING, 0, "beat"),
    ("unknown-action", BEATING, 1, "beat JC 6D 7S"),
    ("unknown-action", CHOOSING, 0, "trump"),
    ("unknown-action", CHOOSING, 0, "trump X"),
    ("unknown-action", CHOOSING, 0, "trump Sr"),
    ("unknown-action", CHOOSING, 0, "trump H S"),
    ("unknown-action", LEADING, 0, "trump X"),
    ("unknown-action", CHOOSING, 0, {"type": "trump", "playerId": "p1", "suit": 7}),
    ("unknown-action", CHOOSING, 0, {"type": "trump", "playerId": "p1", "suit": ""}),
    ("unknown-action", LEADING, 0, {"type": "lead", "playerId": "p1"}),
    ("unknown-action", LEADING, 0, {"type": "lead", "playerId": "p1", "card": "7C", "next": "KD"}),
    ("unknown-action", BEATING, 1, {"type": "take", "playerId": "p2", "card": "JC"}),
    ("unknown-action", BEATING, 1, {"type": "beat", "playerId": "p2", "next": "JC"}),
    ("unknown-card", LEADING, 0, "lead 5H"),
    ("unknown-card", LEADING, 0, "lead 1H"),
    ("unknown-card", CHOOSING, 0, "lead 2C"),
    ("unknown-card", BEATING, 1, "beat JC 2C"),
    ("unknown-card", BEATING, 1, "beat JCr 6D"),
    ("choose-trump-first", CHOOSING, 0, "lead 7C"),
    ("choose-trump-first", CHOOSING, 0, "take"),
    ("choose-trump-first", CHOOSING, 0, "beat 7C 7C"),
    ("trumps-are-chosen", LEADING, 0, "trump D"),
    ("trumps-are-chosen", LEADING, 0, "trump S"),
    ("trump-taken", reach(CHOOSING, "trump H"), 1, "trump H"),
    ("pile-empty", LEADING, 0, "take"),
    ("pile-empty", LEADING, 0, "beat 7C 7C"),
    ("pile-empty", LEADING, 0, "beat AC AC"),
    ("pile-not-empty", BEATING, 1, "lead JC"),
    ("pile-not-empty", BEATING, 1, "lead AC"),
    ("second-card-not-allowed", LAST, 1, "beat QD 7C"),
    ("second-card-not-allowed", LAST, 1, "beat QD QD"),
    ("second-card-not-allowed", LAST, 1, "beat AD AD"),
    ("not-in-hand", LEADING, 0, "lead 8D"),
    ("not-in-hand", BEATING, 1, "beat JC 8D"),
    ("not-in-hand", BEATING, 1, "beat QC QC"),
    ("not-in-hand", BEATING, 1, "beat QC"),
    ("not-in-hand", LAST, 1, "beat AD"),
    ("same-card-twice", BEATING, 1, "beat JC JC"),
    ("same-card-twice", BEATING, 1, "beat 6D 6D"),
    ("does-not-beat", BEATING, 1, "beat 6D JC"),
    ("does-not-beat", BEATING, 1, "beat AH"),
    ("does-not-beat", OWN_TRUMP_ON_TOP, 0, "beat AD 9H"),
    ("second-card-required", BEATING, 1, "beat JC"),
    ("must-beat", BEATING, 1, "take"),
]


@pytest.mark.parametrize(("code", "state", "seat", "action"), CASES)
def test_actions_are_refused_by_code(
    code: str, state: State, seat: int, action: str | dict[str, Any]
) -> None:
    assert refusal(state, (seat, action)) == code


def test_every_code_of_the_rule_book_is_here() -> None:
    assert refusal_codes("svoi") == list(dict.fromkeys(code for code, *_ in CASES))


@pytest.mark.parametrize(
    ("state", "seat", "action", "reason"),
    [
        (BEATING, 1, "take", "You can't take: you can beat 9♣ with J♣."),
        (BEATING, 1, "beat JC", "Now lay any second card on J♣."),
        (
            BEATING,
            1,
            "beat 6D JC",
            "6♦ doesn't beat 9♣: only higher clubs or your trumps (spades) do.",
        ),
        (OWN_TRUMP_ON_TOP, 0, "beat AD 9H", "A♦ doesn't beat 10♥: only higher hearts do."),
        (reach(CHOOSING, "trump H"), 1, "trump H", "Ana already has hearts: choose another suit."),
    ],
)
def test_reasons_name_cards_and_suits(state: State, seat: int, action: str, reason: str) -> None:
    assert refusal_reason(state, (seat, action)) == reason


def test_a_refused_action_changes_nothing() -> None:
    before = repr(BEATING)
    assert refusal(BEATING, (1, "take"))
    assert repr(BEATING) == before


@pytest.mark.parametrize("spelling", ["beat jc 6d", "BEAT J♣ 6♦", "Beat J♧ 6♢", " beat  JC   6D "])
def test_moves_are_read_in_any_case_and_with_symbols(spelling: str) -> None:
    assert str(game.act(BEATING, 1, spelling)[0]) == "beat JC 6D"


def test_a_message_may_leave_out_the_second_card_or_say_null() -> None:
    head = {"type": "beat", "playerId": "p2", "card": "QD"}
    for message in (head, {**head, "next": None}):
        assert str(game.act(LAST, 1, message)[0]) == "beat QD"


@pytest.mark.parametrize(
    ("own", "voluntary_take", "advice"),
    [("9C 7D", "off", "beat 8♣."), ("9C 7D", "on", "beat 8♣, or take."), ("9D 7D", "off", "take.")],
)
def test_a_refused_lead_advises_what_can_be_done(own: str, voluntary_take: str, advice: str) -> None:
    state = at(own, "JC QC", "8C", voluntary_take=voluntary_take)
    reason = refusal_reason(state, f"lead {own.split()[0]}")
    assert reason == f"You can lead only when the pile is empty: {advice}"
