"""Casino's refusals: each code, their order, and how words and messages are read."""

from __future__ import annotations

from typing import Any

import pytest

from engines.game import IllegalMove
from tests.engines.casino.positions import CASINO, load, play, position, refusal
from tests.engines.rulebook import refusal_codes
from tests.support.positions import Action, Position, message

TABLE = position(hands=["6H 2C 4H 10C", "9D 8C"], loose="6C 6D 9H", builds=["7S+3S", "5S+AS"])
STEAL = position(hands=["3C 8S 9C 7H", "9D 10D", "2D"], loose="7D AC", piles=["4H 4C", "5H 5D", ""])
ALONE = position(hands=["3C 8S", "9D"], loose="7D")
"""Nobody has a pile."""
EXCHANGE = position(hands=["AS 5C", "9S 3H", "4D 6C"], loose="9D", phase="exchange")
OVER = position(hands=["", ""], piles=["AS", ""])


def capture(seat: int, hand_card: str, /, **target: Any) -> dict[str, Any]:
    return message(seat, "capture", handCard=hand_card, target=target)


def build(card: str, table_card: str, value: object) -> dict[str, Any]:
    return message(0, "build", handCard=card, tableCard=table_card, buildValue=value)


def steal(
    card: str, player: str, stolen: str, value: object = None, *, field: str = "handCard"
) -> dict[str, Any]:
    sent = message(0, "steal-build", fromPlayer=player, stolenCard=stolen, **{field: card})
    return sent if value is None else {**sent, "buildValue": value}


@pytest.mark.parametrize(
    ("start", "seat", "action"),
    [
        (OVER, 0, "throw AS"),
        (OVER, 0, message(0, "throw", handCard="AS")),
        (OVER, 1, "exchange no"),
    ],
)
def test_game_over(start: Position, seat: int, action: Action) -> None:
    assert refusal(start, (seat, action)) == "game-over"


def test_not_your_seat() -> None:
    assert refusal(TABLE, (0, message(1, "throw", handCard="6H"))) == "not-your-seat"


@pytest.mark.parametrize(
    ("start", "seat", "action"),
    [
        (TABLE, 1, "throw 9D"),
        (TABLE, 1, message(1, "throw", handCard="9D")),
        (TABLE, 1, "exchange yes"),
        (EXCHANGE, 1, "throw 9S"),
        (EXCHANGE, 2, message(2, "throw", handCard="4D")),
    ],
    ids=["text", "json", "exchange in play", "the holder", "another seat in the exchange"],
)
def test_not_your_turn(start: Position, seat: int, action: Action) -> None:
    assert refusal(start, (seat, action)) == "not-your-turn"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "lay 6H",
        "steal 3C 5D",
        "capture 6H",
        "build 4H",
        "build 4H 6C 9H",
        "steal-build 3C 5D 5H",
        "exchange maybe",
        "exchange yes no",
        "6H",
    ],
)
def test_unknown_action_in_text(text: str) -> None:
    assert refusal(TABLE, (0, text)) == "unknown-action"


@pytest.mark.parametrize(
    "sent",
    [
        message(0, "lay", handCard="6H"),
        message(0, "throw"),
        message(0, "throw", handCard="6H", target={"card": "6C"}),
        message(0, "capture", handCard="6H"),
        message(0, "capture", target={"card": "6C"}),
        message(0, "capture", handCard="6H", target="6C"),
        message(0, "capture", handCard="6H", target=None),
        message(0, "capture", handCard="6H", target=["6C"]),
        capture(0, "6H"),
        capture(0, "6H", card=6),
        capture(0, "6H", card=["6C"]),
        capture(0, "6H", card=None),
        capture(0, "6H", loose="6C"),
        capture(0, "6H", card="6C", extra=1),
        capture(0, "6H", card="6C", playerId="p1"),
        capture(0, "6H", build=["6C"]),
        capture(0, "6H", build=["5S+AS"]),
        capture(0, "6H", build="7S+3S"),
        capture(0, "6H", build=[]),
        capture(0, "6H", build=["7S", 3]),
        capture(0, "6H", build=["7S", None]),
        capture(0, "6H", build={"cards": ["7S", "3S"]}),
        capture(0, "6H", all=1),
        capture(0, "6H", all="yes"),
        capture(0, "6H", all=False),
        capture(0, "6H", all=None),
        build("4H", "6C", "10"),
        build("4H", "6C", 10.0),
        build("4H", "6C", True),
        {**build("4H", "6C", 10), "target": {"card": "6C"}},
        message(0, "exchange", accept=True, handCard="6H"),
    ],
    ids=str,
)
def test_unknown_action_in_json(sent: Action) -> None:
    assert refusal(TABLE, (0, sent)) == "unknown-action"


@pytest.mark.parametrize(
    "sent",
    [
        message(0, "steal-build", handCard="3C", stolenCard="5D"),
        message(0, "steal-build", tableCard="3C", fromPlayer="p2", stolenCard="5D"),
        steal("3C", "p4", "5D"),
        steal("3C", "p0", "5D"),
        steal("3C", "2", "5D"),
        steal("3C", "", "5D"),
        message(0, "steal-build", handCard="3C", fromPlayer=2, stolenCard="5D"),
        message(0, "steal-build", handCard="3C", fromPlayer=None, stolenCard="5D"),
        steal("3C", "p2", "5D", "8"),
        steal("3C", "p2", "5D", True),
        {**steal("3C", "p2", "5D"), "extra": 1},
    ],
    ids=str,
)
def test_unknown_action_in_a_steal(sent: Action) -> None:
    assert refusal(STEAL, (0, sent)) == "unknown-action"


def test_unknown_action_where_a_steal_with_a_loose_card_names_a_hand_card() -> None:
    assert refusal(STEAL, (0, steal("AC", "p2", "5D")), steal_with="table") == "unknown-action"


@pytest.mark.parametrize("action", ["steal-build 3C 5D", steal("3C", "p2", "5D", 8)], ids=["text", "json"])
def test_unknown_action_where_stealing_is_off(action: Action) -> None:
    assert refusal(STEAL, (0, action), steal_with="off") == "unknown-action"


@pytest.mark.parametrize(
    "action",
    [
        "throw JD",
        "throw 6Hr",
        "throw all",
        "throw six",
        "throw 6C+6D",
        "capture JD 6C",
        "capture 6H JD",
        "capture 6H 7S+JD",
        "capture 6H 7S+",
        "capture 6H 6C JD",
        "capture all 6C",
        "build 4H JD",
        "build JD 6C",
        "steal-build 4H JD",
        "steal-build JD 4H",
        message(0, "throw", handCard="JD"),
        message(0, "throw", handCard=""),
        message(0, "throw", handCard="6H 2C"),
        capture(0, "6H", card="JD"),
        capture(0, "6H", build=["7S", "JD"]),
        build("4H", "JD", 10),
        steal("4H", "p2", "JD"),
    ],
    ids=str,
)
def test_unknown_card(action: Action) -> None:
    assert refusal(TABLE, (0, action)) == "unknown-card"


@pytest.mark.parametrize(
    "action", ["throw AS", "build AS 9D", message(0, "throw", handCard="AS")], ids=["throw", "build", "json"]
)
def test_exchange_pending(action: Action) -> None:
    assert refusal(EXCHANGE, (0, action)) == "exchange-pending"


def test_exchange_pending_for_the_holder_who_is_to_start() -> None:
    assert refusal({**EXCHANGE, "turn": 1}, (1, "throw 9S")) == "exchange-pending"


@pytest.mark.parametrize(
    ("start", "seat"), [(EXCHANGE, 0), (EXCHANGE, 2), (TABLE, 0)], ids=["the starter", "another", "in play"]
)
@pytest.mark.parametrize("accept", [True, False])
def test_exchange_not_allowed(start: Position, seat: int, accept: bool) -> None:
    assert refusal(start, (seat, message(seat, "exchange", accept=accept))) == "exchange-not-allowed"


def test_exchange_not_allowed_twice() -> None:
    declined = play(EXCHANGE, (1, "exchange no"))
    assert refusal({**declined, "turn": 1}, (1, "exchange yes")) == "exchange-not-allowed"


def test_exchange_not_allowed_for_two() -> None:
    assert refusal(position(hands=["3H 5C", "9S"], loose="9D"), (0, "exchange yes")) == "exchange-not-allowed"


@pytest.mark.parametrize(
    "action",
    ["throw 9D", "throw 6C", "throw AC", "capture 9D 9H", "build 9D 6C", "steal-build 9D 6C"],
)
def test_not_in_hand(action: str) -> None:
    assert refusal(TABLE, (0, action)) == "not-in-hand"


@pytest.mark.parametrize(
    "action",
    [
        "capture 6H 6C 6D",
        "capture 6H 6C 5S+AS",
        "capture 6H all",
        "capture 6H ALL",
        "capture 6H all all",
        "capture 6H 6C all",
        capture(0, "6H", card="6C", build=["5S", "AS"]),
        capture(0, "6H", all=True),
        capture(0, "6H", card="6C", all=True),
    ],
    ids=str,
)
def test_one_target_only(action: Action) -> None:
    assert refusal(TABLE, (0, action)) == "one-target-only"


@pytest.mark.parametrize("action", ["capture 6H 6C 6D", "capture 6H 6C all", "capture 6H all all"])
def test_one_target_only_with_multi_capture_too(action: str) -> None:
    assert refusal(TABLE, (0, action), multi_capture="on") == "one-target-only"


@pytest.mark.parametrize(
    "action",
    [
        "capture 6H 6S",
        "capture 6H AS",
        "capture 2C 2C",
        "build 4H 6S",
        "build 4H 3S",
        capture(0, "6H", card="6S"),
    ],
    ids=str,
)
def test_no_such_table_card(action: Action) -> None:
    assert refusal(TABLE, (0, action)) == "no-such-table-card"


def test_no_such_table_card_where_all_takes_nothing() -> None:
    assert refusal(TABLE, (0, "capture 2C all"), multi_capture="on") == "no-such-table-card"


def test_no_such_table_card_to_steal_with() -> None:
    assert refusal(STEAL, (0, "steal-build 3C 5D"), steal_with="table") == "no-such-table-card"


@pytest.mark.parametrize(
    "action",
    [
        "capture 10C 7S+3D",
        "capture 10C 6C+4H",
        "capture 10C 7S+AS",
        "capture 10C 7S+3S+9H",
        "capture 10C 7S+7S",
        "capture 10C 6C+4S",
        capture(0, "10C", build=["7S", "3D"]),
        capture(0, "10C", build=["7S", "3S", "9H"]),
    ],
    ids=str,
)
def test_no_such_build(action: Action) -> None:
    assert refusal(TABLE, (0, action)) == "no-such-build"


@pytest.mark.parametrize(
    "action",
    ["capture 6H 9H", "capture 6H 7S+3S", "capture 10C 5S+AS", "capture 10C 9H", capture(0, "2C", card="6C")],
    ids=str,
)
def test_value_mismatch(action: Action) -> None:
    assert refusal(TABLE, (0, action)) == "value-mismatch"


@pytest.mark.parametrize("action", ["steal-build 3C 4C", steal("3C", "p1", "4C", 7)], ids=["text", "json"])
def test_own_pile(action: Action) -> None:
    assert refusal(STEAL, (0, action)) == "own-pile"


@pytest.mark.parametrize(
    ("start", "action"),
    [(STEAL, steal("3C", "p3", "5D", 8)), (ALONE, steal("3C", "p2", "5D", 8)), (ALONE, "steal-build 3C 5D")],
    ids=["json", "json, no piles", "text, no piles"],
)
def test_empty_pile(start: Position, action: Action) -> None:
    assert refusal(start, (0, action)) == "empty-pile"


def test_empty_pile_where_the_only_pile_is_the_own_one() -> None:
    assert refusal({**ALONE, "piles": [["4H"], []]}, (0, "steal-build 3C 5D")) == "empty-pile"


@pytest.mark.parametrize(
    "action",
    ["steal-build 3C 5H", "steal-build 3C 5S", steal("3C", "p2", "5H", 8), steal("3C", "p2", "4C", 7)],
    ids=["below the top", "in no pile", "json", "on top of another pile"],
)
def test_not_top_card(action: Action) -> None:
    assert refusal(STEAL, (0, action)) == "not-top-card"


@pytest.mark.parametrize(
    ("start", "action"),
    [(TABLE, "build 2C 9H"), (TABLE, "build 10C 6C"), (STEAL, "steal-build 9C 5D")],
)
def test_build_over_10(start: Position, action: str) -> None:
    assert refusal(start, (0, action)) == "build-over-10"


@pytest.mark.parametrize(
    ("start", "action"),
    [
        (TABLE, build("4H", "6C", 9)),
        (TABLE, build("4H", "6C", 11)),
        (TABLE, build("4H", "6C", 0)),
        (TABLE, build("4H", "6C", -10)),
        (STEAL, steal("3C", "p2", "5D", 9)),
    ],
    ids=str,
)
def test_build_sum_mismatch(start: Position, action: Action) -> None:
    assert refusal(start, (0, action)) == "build-sum-mismatch"


@pytest.mark.parametrize(
    ("start", "action"),
    [
        (TABLE, "build 2C 6C"),
        (TABLE, build("2C", "6C", 8)),
        (position(hands=["4H 2C", "10C"], loose="6C"), "build 4H 6C"),
        (position(hands=["3C 9C", "8D"], piles=["", "5D"]), "steal-build 3C 5D"),
    ],
    ids=["text", "json", "in another hand only", "steal"],
)
def test_no_capturing_card(start: Position, action: Action) -> None:
    assert refusal(start, (0, action)) == "no-capturing-card"


def test_no_capturing_card_to_steal_with_a_loose_card() -> None:
    start = position(hands=["9C", "8D"], loose="3C", piles=["", "5D"])
    assert refusal(start, (0, "steal-build 3C 5D"), steal_with="table") == "no-capturing-card"


ORDER: list[tuple[str, str, Position, int, Action, dict[str, str]]] = [
    ("game-over", "not-your-seat", OVER, 0, message(1, "throw", handCard="AS"), {}),
    ("game-over", "not-your-turn", OVER, 1, "throw AS", {}),
    ("game-over", "unknown-action", OVER, 0, "fly", {}),
    ("game-over", "unknown-card", OVER, 0, "throw JD", {}),
    ("game-over", "exchange-not-allowed", OVER, 0, "exchange yes", {}),
    ("not-your-seat", "not-your-turn", TABLE, 1, message(0, "throw", handCard="6H"), {}),
    ("not-your-seat", "unknown-action", TABLE, 0, {"type": "fly"}, {}),
    ("not-your-seat", "unknown-card", TABLE, 0, message(1, "throw", handCard="JD"), {}),
    ("not-your-seat", "exchange-pending", EXCHANGE, 0, message(1, "throw", handCard="9S"), {}),
    ("not-your-seat", "exchange-not-allowed", EXCHANGE, 0, message(1, "exchange", accept=True), {}),
    ("not-your-turn", "unknown-action", TABLE, 1, "fly", {}),
    ("not-your-turn", "unknown-card", TABLE, 1, "throw JD", {}),
    ("not-your-turn", "exchange-pending", EXCHANGE, 2, "throw 4D", {}),
    ("not-your-turn", "exchange-not-allowed", TABLE, 1, "exchange yes", {}),
    ("not-your-turn", "not-in-hand", TABLE, 1, "throw 6H", {}),
    ("unknown-action", "unknown-card", TABLE, 0, message(0, "throw", handCard="JD", extra=1), {}),
    ("unknown-action", "unknown-card", STEAL, 0, steal("JD", "p9", "5D"), {}),
    ("unknown-action", "unknown-card", ALONE, 0, steal("JD", "p3", "5D"), {}),
    ("unknown-action", "unknown-card", TABLE, 0, capture(0, "JD", card="6C", extra=1), {}),
    ("unknown-action", "exchange-pending", EXCHANGE, 0, "throw", {}),
    ("unknown-action", "exchange-not-allowed", EXCHANGE, 2, "exchange maybe", {}),
    ("unknown-action", "not-in-hand", TABLE, 0, "throw 9D 9H", {}),
    ("unknown-card", "exchange-pending", EXCHANGE, 0, "throw JD", {}),
    ("unknown-card", "not-in-hand", TABLE, 0, "capture 9D JD", {}),
    ("unknown-card", "one-target-only", TABLE, 0, "capture 6H 6C JD", {}),
    ("unknown-card", "no-such-build", TABLE, 0, "capture 6H 6C+JD", {}),
    ("exchange-pending", "not-in-hand", EXCHANGE, 0, "throw 9S", {}),
    ("exchange-pending", "one-target-only", EXCHANGE, 0, "capture AS 9D all", {}),
    ("exchange-pending", "no-such-table-card", EXCHANGE, 0, "build AS 8D", {}),
    ("not-in-hand", "one-target-only", TABLE, 0, "capture 9D 6C 6D", {}),
    ("not-in-hand", "no-such-table-card", TABLE, 0, "capture 9D 9S", {}),
    ("not-in-hand", "no-such-build", TABLE, 0, "capture 9D 7S+2S", {}),
    ("not-in-hand", "value-mismatch", TABLE, 0, "capture 9D 6C", {}),
    ("not-in-hand", "own-pile", STEAL, 0, "steal-build 2D 4C", {}),
    ("not-in-hand", "empty-pile", ALONE, 0, "steal-build 9D 5D", {}),
    ("not-in-hand", "not-top-card", STEAL, 0, "steal-build 2D 5H", {}),
    ("not-in-hand", "build-over-10", TABLE, 0, "build 9D 6C", {}),
    ("not-in-hand", "build-sum-mismatch", TABLE, 0, build("AC", "9H", 9), {}),
    ("not-in-hand", "no-capturing-card", TABLE, 0, "build AC 6C", {}),
    ("one-target-only", "no-such-table-card", TABLE, 0, "capture 6H 6S 9S", {}),
    ("one-target-only", "no-such-build", TABLE, 0, "capture 6H 7S+2S 9H", {}),
    ("one-target-only", "value-mismatch", TABLE, 0, "capture 6H 9H 7S+3S", {}),
    ("one-target-only", "no-such-table-card", TABLE, 0, "capture 2C all", {}),
    ("no-such-table-card", "value-mismatch", TABLE, 0, "capture 6H 9S", {}),
    ("no-such-table-card", "own-pile", STEAL, 0, "steal-build 3C 4C", {"steal_with": "table"}),
    ("no-such-table-card", "empty-pile", ALONE, 0, "steal-build 3C 5D", {"steal_with": "table"}),
    ("no-such-table-card", "not-top-card", STEAL, 0, "steal-build 3C 5H", {"steal_with": "table"}),
    ("no-such-table-card", "build-over-10", TABLE, 0, "build 6H 9S", {}),
    ("no-such-table-card", "build-sum-mismatch", TABLE, 0, build("4H", "6S", 9), {}),
    ("no-such-table-card", "no-capturing-card", TABLE, 0, "build 4H 4S", {}),
    ("no-such-build", "value-mismatch", TABLE, 0, "capture 6H 7S+2S", {}),
    ("own-pile", "empty-pile", ALONE, 0, steal("3C", "p1", "5D", 8), {}),
    ("own-pile", "not-top-card", STEAL, 0, "steal-build 3C 4H", {}),
    ("own-pile", "build-over-10", STEAL, 0, "steal-build 9C 4C", {}),
    ("own-pile", "build-sum-mismatch", STEAL, 0, steal("3C", "p1", "4C", 8), {}),
    ("own-pile", "no-capturing-card", STEAL, 0, steal("3C", "p1", "2S"), {}),
    ("empty-pile", "not-top-card", STEAL, 0, steal("3C", "p3", "5H"), {}),
    ("empty-pile", "build-over-10", ALONE, 0, "steal-build 8S 5D", {}),
    ("empty-pile", "build-sum-mismatch", ALONE, 0, steal("3C", "p2", "5D", 9), {}),
    ("empty-pile", "no-capturing-card", ALONE, 0, "steal-build 3C 6D", {}),
    ("not-top-card", "build-over-10", STEAL, 0, "steal-build 9C 5H", {}),
    ("not-top-card", "build-sum-mismatch", STEAL, 0, steal("3C", "p2", "5H", 9), {}),
    ("not-top-card", "no-capturing-card", STEAL, 0, steal("3C", "p2", "2S"), {}),
    ("build-over-10", "build-sum-mismatch", TABLE, 0, build("6H", "9H", 14), {}),
    ("build-over-10", "no-capturing-card", TABLE, 0, "build 6H 9H", {}),
    ("build-sum-mismatch", "no-capturing-card", TABLE, 0, build("2C", "6C", 9), {}),
]


@pytest.mark.parametrize(
    ("code", "start", "seat", "action", "options"),
    [
        pytest.param(first, start, seat, action, options, id=f"{first} before {second}: {action}")
        for first, second, start, seat, action, options in ORDER
    ],
)
def test_the_first_code_in_the_list_wins(
    code: str, start: Position, seat: int, action: Action, options: dict[str, str]
) -> None:
    assert refusal(start, (seat, action), **options) == code


CODES = refusal_codes("casino")


def test_the_order_tested_is_the_rule_books() -> None:
    wrong = [
        pair
        for pair in ((case[0], case[1]) for case in ORDER)
        if CODES.index(pair[0]) >= CODES.index(pair[1])
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("spelling", "move"),
    [
        ("capture 6h 6c", "capture 6H 6C"),
        ("  capture   6H\t6C ", "capture 6H 6C"),
        ("capture 6♥ 6♣", "capture 6H 6C"),
        ("Capture 10c 3♠+7♤", "capture 10C 3S+7S"),
        ("capture 10C 7S+3S", "capture 10C 7S+3S"),
        ("build 4♥ 6♦\ufe0f", "build 4H 6D"),
    ],
)
def test_a_lenient_spelling_is_read_in_text(spelling: str, move: str) -> None:
    assert str(CASINO.act(load(TABLE), 0, spelling)[0]) == move


@pytest.mark.parametrize(
    ("sent", "move"),
    [
        ({"type": "THROW", "playerId": "P1", "handCard": "10♣"}, "throw 10C"),
        (capture(0, "6♥\ufe0f", card="6c"), "capture 6H 6C"),
        (capture(0, "10c", build=["3♠", "7s"]), "capture 10C 3S+7S"),
        (build("4♡", "6c", None), "build 4H 6C"),
    ],
    ids=str,
)
def test_a_lenient_spelling_is_read_in_json(sent: Action, move: str) -> None:
    assert str(CASINO.act(load(TABLE), 0, sent)[0]) == move


@pytest.mark.parametrize(
    "spelling", ["EXCHANGE YES", "Exchange yes", {**message(1, "Exchange", accept=True)}]
)
def test_a_lenient_spelling_of_the_exchange_is_read(spelling: Action) -> None:
    assert str(CASINO.act(load(EXCHANGE), 1, spelling)[0]) == "exchange yes"


def test_a_lenient_spelling_of_all_is_read() -> None:
    assert str(CASINO.act(load(TABLE, multi_capture="on"), 0, "capture 6H ALL")[0]) == "capture 6H all"


def test_a_lenient_spelling_of_a_steal_is_read() -> None:
    assert str(CASINO.act(load(STEAL), 0, steal("3♣", "P2", "5♦", 8))[0]) == "steal-build 3C 5D"


def test_a_reason_is_given_in_words() -> None:
    with pytest.raises(IllegalMove) as refused:
        CASINO.act(load(TABLE), 0, "capture 6H 9H")
    assert refused.value.reason.message == "{card} can't capture a {value}."
