"""The refusals of Boathouse Rum: every code, their order where two fit, and malformed messages."""

from __future__ import annotations

import pytest

from tests.engines.boathouse.positions import position, refusal, refusal_reason
from tests.support.positions import Action, Position, message

DRAW = position(hands=["5H 6H 7H 8D", "9H 2C"], phase="draw")
PLAY = position(hands=["5H 6H 7H 8D KC", "9H 2C"], melds=["9S 9D 9C"])
EMPTY = position(hands=["5H", "9H"], stock="", pile="4C 8C", phase="draw")
BARRED = position(hands=["5H 6H 7H 8H KC", "9H 2C"], melds=["KS KH KD"], barred="KC")
OVER = position(hands=["", "9H 2C"])
CLOSED = position(hands=["5H 6H 7H 8H JD KC", "9H 2C"], barred="KC")


@pytest.mark.parametrize(
    ("where", "seat", "action", "code"),
    [
        (OVER, 1, "draw stock", "game-over"),
        (OVER, 1, message(0, "flip"), "game-over"),
        (PLAY, 0, message(1, "discard", card="KC"), "not-your-seat"),
        (PLAY, 0, {"type": "discard", "card": "KC"}, "not-your-seat"),
        (PLAY, 1, message(0, "discard", card="9H"), "not-your-seat"),
        (PLAY, 1, "discard 9H", "not-your-turn"),
        (PLAY, 1, "knock", "not-your-turn"),
        (PLAY, 0, "knock", "unknown-action"),
        (PLAY, 0, "", "unknown-action"),
        (PLAY, 0, "draw both", "unknown-action"),
        (PLAY, 0, "draw stock pile", "unknown-action"),
        (PLAY, 0, "flip now", "unknown-action"),
        (PLAY, 0, "meld", "unknown-action"),
        (PLAY, 0, "layoff meld_0", "unknown-action"),
        (PLAY, 0, "discard KC 8D", "unknown-action"),
        (PLAY, 0, "out 5H+6H+7H 8D", "unknown-action"),
        (PLAY, 0, message(0, "out", melds=[["5H", "6H", "7H"]]), "unknown-action"),
        (PLAY, 0, "meld 5H 6H 7X", "unknown-card"),
        (PLAY, 0, "discard KCr", "unknown-card"),
        (DRAW, 0, "discard 9H", "draw-first"),
        (DRAW, 0, "layoff meld_4 9H", "draw-first"),
        (DRAW, 0, "meld 5H 5H 8D", "draw-first"),
        (PLAY, 0, "draw stock", "already-drawn"),
        (PLAY, 0, "draw pile", "already-drawn"),
        (PLAY, 0, "flip", "already-drawn"),
        (DRAW, 0, "draw pile", "discard-too-small"),
        (EMPTY, 0, "draw stock", "stock-empty"),
        (DRAW, 0, "flip", "stock-not-empty"),
        (PLAY, 0, "layoff meld_3 9H", "no-such-meld"),
        (PLAY, 0, "layoff nonsense 8D", "no-such-meld"),
        (PLAY, 0, "layoff meld_0 9H 9H", "not-in-hand"),
        (PLAY, 0, "meld 5H 5H 9H", "not-in-hand"),
        (PLAY, 0, "discard 9H", "not-in-hand"),
        (PLAY, 0, "meld 5H 5H 8D", "card-twice"),
        (PLAY, 0, "layoff meld_0 8D 8D", "card-twice"),
        (PLAY, 0, "meld 5H 6H 8D", "not-a-meld"),
        (PLAY, 0, "meld 5H 6H", "not-a-meld"),
        (PLAY, 0, "layoff meld_0 8D", "illegal-layoff"),
        (BARRED, 0, "discard KC", "barred-card"),
        (BARRED, 0, "meld 5H 6H 7H 8H", "no-discard-left"),
    ],
)  # fmt: skip
def test_an_action_is_refused_with_its_code(where: Position, seat: int, action: Action, code: str) -> None:
    assert refusal(where, (seat, action)) == code


def test_a_lay_off_that_leaves_only_barred_cards_is_refused() -> None:
    before = position(hands=["KC 2S", "9H"], melds=["KS KH KD"], barred="2S")
    assert refusal(before, (0, "layoff meld_0 KC")) == "no-discard-left"


@pytest.mark.parametrize(
    ("action", "code"),
    [
        ("meld 5H 6H 8H", "not-a-meld"),
        ("meld 5H 6H 9H", "not-in-hand"),
        ("meld 5H 6H 7H", "not-in-closed"),
        ("layoff meld_0 8H", "no-such-meld"),
        ("out", "unknown-action"),
        (message(0, "out", melds=[], discard="JD"), "unknown-action"),
        (message(0, "out", melds=[[]]), "unknown-action"),
        (message(0, "out", melds=["5H"]), "unknown-action"),
        ("out 5H+6H+7H 1C", "unknown-card"),
        ("out 5H+6H+7H 9H", "not-in-hand"),
        ("out 5H+6H+7H 7H", "card-twice"),
        ("out 5H+6H+7H 8H JD", "not-a-meld"),
        ("out 5H+6H+7H KC", "barred-card"),
        ("out 5H+6H+7H+8H JD", "must-go-out-at-once"),
        (message(0, "out", melds=[["5H", "6H", "7H", "8H"]], discard="JD"), "must-go-out-at-once"),
        ("out 5H+6H+7H JD", "must-go-out-at-once"),
        (message(0, "out", melds=[["5H", "6H", "7H", "8H"]]), "must-go-out-at-once"),
    ],
)
def test_an_action_in_a_closed_game_is_refused_with_its_code(action: Action, code: str) -> None:
    assert refusal(CLOSED, (0, action), going_out="closed") == code


def test_an_out_without_a_discard_that_leaves_only_barred_cards_is_refused() -> None:
    before = position(hands=["5H 6H 7H KC 2S", "9H 3D"], barred="KC 2S")
    assert refusal(before, (0, "out 5H+6H+7H"), going_out="closed") == "no-discard-left"


@pytest.mark.parametrize(
    "action",
    ["out 5H+6H+7H 8H", message(0, "out", melds=[["5H", "6H", "7H"]], discard="8H")],
    ids=["words", "message"],
)
def test_an_out_with_a_discard_that_leaves_barred_cards_is_refused_for_the_cards_left(action: Action) -> None:
    before = position(hands=["5H 6H 7H 8H KC 2S", "9H 3D"], barred="KC 2S")
    assert refusal(before, (0, action), going_out="closed") == "must-go-out-at-once"
    reason = refusal_reason(before, (0, action), going_out="closed")
    assert reason == "You can only go out with the whole hand: KC and 2S would be left."


@pytest.mark.parametrize(
    "action",
    [
        message(0, "draw"),
        message(0, "draw", source="both"),
        message(0, "draw", source=1),
        message(0, "flip", source="stock"),
        message(0, "meld"),
        message(0, "meld", cards=[]),
        message(0, "meld", cards="5H 6H 7H"),
        message(0, "meld", cards=["5H", 6, "7H"]),
        message(0, "meld", cards=["5H", "6H", "7H"], card="8D"),
        message(0, "layoff", cards=["8D"]),
        message(0, "layoff", meld=0, cards=["8D"]),
        message(0, "discard", card=None),
        message(0, "discard", cards=["KC"]),
    ],
)
def test_a_malformed_message_is_an_unknown_action(action: Action) -> None:
    assert refusal(PLAY, (0, action)) == "unknown-action"


@pytest.mark.parametrize(
    ("where", "action", "reason"),
    [
        (DRAW, "discard 8D", "Draw first: two cards from the stock, or two from the pile."),
        (DRAW, "draw pile", "There aren't two cards in the pile: draw from the stock."),
        (EMPTY, "draw stock", "The stock is used up: turn the pile over."),
        (DRAW, "flip", "The stock isn't used up yet: draw from it, or take two cards from the pile."),
        (PLAY, "layoff meld_3 8D", "There is no meld meld_3 on the table."),
        (PLAY, "discard 9H", "9H isn't in your hand."),
        (PLAY, "layoff meld_0 8D", "8D can't be added to A: it would not be a meld any more."),
        (
            BARRED,
            "discard KC",
            "You took KC from the pile in this turn: discard another card.",
        ),
        (
            BARRED,
            "meld 5H 6H 7H 8H",
            "You would only have KC left, from the pile, and can't discard it yet.",
        ),
    ],
)
def test_a_refusal_has_its_reason(where: Position, action: Action, reason: str) -> None:
    assert refusal_reason(where, (0, action)) == reason
