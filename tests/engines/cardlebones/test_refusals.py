"""What Cardlebones refuses: every code that occurs, their order where two fit; malformed positions too."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engines.cardlebones.positions import CARDLEBONES, load, play, position, refusal
from tests.support.positions import Action, Position, message

TABLE = position("7C . . / . 5H . / . . .", "3C . . / . . . / . . .", drawn="9S", stock="4D KC")
OVER = position("7C . . / . . . / . . .")


@pytest.mark.parametrize(
    ("seat", "action"), [(0, "place a2"), (1, "place a2"), (0, message(0, "place", row=1, col=0))], ids=str
)
def test_game_over(seat: int, action: Action) -> None:
    assert refusal(OVER, (seat, action)) == "game-over"


def test_game_over_for_both_seats_once_a_board_is_full() -> None:
    after = play(
        position("QH KH . / 4S 4C 9S / 2D 7D 10D", drawn="JH", stock="3C"),
        (0, "place a3"),
    )
    assert (refusal(after, (0, "place a1")), refusal(after, (1, "place a1"))) == ("game-over", "game-over")


def test_not_your_seat() -> None:
    assert refusal(TABLE, (0, message(1, "place", row=1, col=0))) == "not-your-seat"


@pytest.mark.parametrize("action", ["place a2", message(1, "place", row=1, col=0)], ids=["text", "json"])
def test_not_your_turn(action: Action) -> None:
    assert refusal(TABLE, (1, action)) == "not-your-turn"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "put a2",
        "a2",
        "place",
        "place a2 b2",
        "place a",
        "place 2",
        "place 2a",
        "place a 2",
        "place aa2",
        "place a2b",
        "place a+2",
        "place a2.0",
        "place 9S a2",
        "place -a2",
        "place _2",
        "place a²",
    ],
)
def test_unknown_action_in_text(text: str) -> None:
    assert refusal(TABLE, (0, text)) == "unknown-action"


@pytest.mark.parametrize(
    "sent",
    [
        {"playerId": "p1", "type": "put", "row": 1, "col": 0},
        message(0, "place", row=1),
        message(0, "place", col=0),
        message(0, "place", row=1, col=None),
        message(0, "place", row="1", col=0),
        message(0, "place", row=1, col="a"),
        message(0, "place", row=1.0, col=0),
        message(0, "place", row=1, col=False),
        message(0, "place", row=1, col=0, card="9S"),
        message(0, "place", cell="a2"),
    ],
    ids=str,
)
def test_unknown_action_in_json(sent: Action) -> None:
    assert refusal(TABLE, (0, sent)) == "unknown-action"


@pytest.mark.parametrize(
    "text",
    [
        "place d1",
        "place z3",
        "place a0",
        "place a4",
        "place a10",
        "place d9",
        "place a-1",
        "place é1",
        "place D1",
    ],
)
def test_cell_out_of_range_in_text(text: str) -> None:
    assert refusal(TABLE, (0, text)) == "cell-out-of-range"


@pytest.mark.parametrize(
    ("row", "col"), [(3, 0), (0, 3), (-1, 0), (0, -1), (-1, -1), (3, 3), (10**30, 0)], ids=str
)
def test_cell_out_of_range_in_json(row: int, col: int) -> None:
    assert refusal(TABLE, (0, message(0, "place", row=row, col=col))) == "cell-out-of-range"


@pytest.mark.parametrize(
    "action",
    [
        "place a1",
        "place b2",
        "PLACE A1",
        message(0, "place", row=0, col=0),
        message(0, "place", row=1, col=1),
    ],
    ids=str,
)
def test_cell_occupied(action: Action) -> None:
    assert refusal(TABLE, (0, action)) == "cell-occupied"


def test_a_cell_is_free_that_is_occupied_on_the_other_board() -> None:
    assert play(TABLE, (0, "place c1"), (1, "place b2"))["boards"][1][1] == [None, "4D", None]


ORDER: list[tuple[str, str, Position, int, Action]] = [
    ("game-over", "not-your-seat", OVER, 0, message(1, "place", row=1, col=0)),
    ("game-over", "not-your-turn", OVER, 1, "place a2"),
    ("game-over", "unknown-action", OVER, 0, "fly"),
    ("game-over", "cell-out-of-range", OVER, 0, "place d1"),
    ("game-over", "cell-occupied", OVER, 0, "place a1"),
    ("not-your-seat", "not-your-turn", TABLE, 1, message(0, "place", row=1, col=0)),
    ("not-your-seat", "unknown-action", TABLE, 0, {"type": "fly"}),
    ("not-your-seat", "cell-out-of-range", TABLE, 0, message(1, "place", row=3, col=0)),
    ("not-your-seat", "cell-occupied", TABLE, 0, message(1, "place", row=0, col=0)),
    ("not-your-turn", "unknown-action", TABLE, 1, "fly"),
    ("not-your-turn", "cell-out-of-range", TABLE, 1, "place d1"),
    ("not-your-turn", "cell-occupied", TABLE, 1, "place a1"),
    ("unknown-action", "cell-out-of-range", TABLE, 0, message(0, "place", row=3, col=0, extra=1)),
    ("unknown-action", "cell-out-of-range", TABLE, 0, message(0, "place", row=3, col=0.0)),
    ("unknown-action", "cell-occupied", TABLE, 0, "place a1 a2"),
]


@pytest.mark.parametrize(
    ("code", "start", "seat", "action"),
    [
        pytest.param(first, start, seat, action, id=f"{first} before {second}: {action}")
        for first, second, start, seat, action in ORDER
    ],
)
def test_of_codes_that_fit_the_first_is_given(code: str, start: Position, seat: int, action: Action) -> None:
    assert refusal(start, (seat, action)) == code


@pytest.mark.parametrize(
    "spelling",
    [
        "place b3",
        "PLACE B3",
        "Place b3",
        "  place\tb3 ",
        message(0, "place", row=2, col=1),
        {**message(0, "place", row=2, col=1), "type": "PLACE"},
    ],
    ids=str,
)
def test_a_lenient_spelling_is_read(spelling: Action) -> None:
    assert str(CARDLEBONES.act(load(TABLE), 0, spelling)[0]) == "place b3"


@pytest.mark.parametrize(
    "wrong",
    [
        {"drawn": "XX"},
        {"drawn": 9},
        {"boards": [[[["7C"], None, None], [None] * 3, [None] * 3], [[None] * 3] * 3]},
        {"hands": []},
    ],
    ids=["no card", "a number", "a list for a card", "no field"],
)
def test_a_malformed_position_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"."):
        CARDLEBONES.load({**TABLE, **wrong}, 2, {})
