"""A game over JSON lines: every message is checked, and a hand stands only in messages to its owner."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adapters.command_line.games.referee import Referee
from bot.i18n import Speech
from engines import games
from engines.cards import Card, is_card
from tests import luck
from tests.engines.playing import cards_in as cards_of
from tests.engines.reference import DECK, SHORT_DECK, shuffled, starter
from tests.support.games import every_game

SEED = hashlib.sha256(b"S").digest()


def referee(key: str = "casino", seats: int = 0, say: Speech | None = None, **options: str) -> Referee:
    game = games()[key]
    return Referee(game, seats or game.seats[0], SEED, options, say or Speech())


def applied(judge: Referee, message: object) -> list[dict[str, Any]]:
    """The answers to a message."""
    return list(judge.apply(json.dumps(message)))


def turn(judge: Referee) -> str:
    return str(next(judge.messages())["turn"])


def legal(key: str, judge: Referee) -> Iterator[dict[str, Any]]:
    """The legal actions now, as messages; reads the referee's private state."""
    game, state = games()[key], judge._state
    for seat in range(judge._seats):
        for move in game.moves(state, seat):
            yield json.loads(json.dumps(game.write_json(state, seat, move)))


def cards_in(value: object) -> set[str]:
    if isinstance(value, Mapping):
        return set().union(*map(cards_in, value.values()))
    if isinstance(value, list):
        return set().union(*map(cards_in, value))
    return {value} if isinstance(value, str) and is_card(value) else set()


def test_the_deal_is_told_and_equals_an_independent_recomputation() -> None:
    deck = shuffled(SEED, "deck", SHORT_DECK)
    table, *hands = json.loads(json.dumps(list(referee().messages())))
    assert hands == [
        {"type": "hand", "playerId": "p1", "hand": deck[:10]},
        {"type": "hand", "playerId": "p2", "hand": deck[10:20]},
    ]
    assert (table["type"], table["stockSize"], table["handSizes"]) == ("state", 20, [10, 10])


def test_the_first_card_of_cardlebones_is_recomputed() -> None:
    (table,) = referee("cardlebones").messages()
    assert table["drawn"] == shuffled(SEED, "deck", DECK)[0]
    assert table["turn"] == f"p{starter(SEED, 2) + 1}"


@every_game
def test_a_game_is_played_to_its_end(key: str) -> None:
    for seats in games()[key].seats:
        judge, rng = referee(key, seats), luck.rng()
        answer = list(judge.messages())
        while actions := list(legal(key, judge)):
            assert answer[0]["result"] is None
            answer = applied(judge, rng.choice(actions))
            assert answer[0]["type"] == "state"
        assert set(answer[0]["result"]) == {"scores", "winners"}
        (refusal,) = applied(judge, {"type": "throw", "playerId": "p1"})
        assert refusal["code"] == "game-over"


def seen_by_all(judge: Referee) -> set[Card]:
    return cards_of(judge._game.view(judge._state, None))


@every_game
def test_a_hand_is_told_to_its_owner_and_the_state_names_only_what_all_may_see(key: str) -> None:
    for seats in games()[key].seats:
        judge, rng = referee(key, seats), luck.rng()
        while actions := list(legal(key, judge)):
            table, *hands = judge.messages()
            assert table["type"] == "state"
            assert [hand["type"] for hand in hands] == ["hand"] * len(hands)
            assert [hand["playerId"] for hand in hands] in ([], [f"p{n + 1}" for n in range(seats)])
            assert all(set(hand) == {"type", "playerId", "hand"} for hand in hands)
            assert cards_in(json.loads(json.dumps(table))) <= set(map(str, seen_by_all(judge)))
            applied(judge, rng.choice(actions))


def test_a_legal_move_is_answered_with_the_new_state_and_the_hands() -> None:
    judge = referee()
    mine = next(action for action in legal("casino", judge) if action["type"] == "throw")
    answer = applied(judge, mine)
    assert [message["type"] for message in answer] == ["state", "hand", "hand"]
    assert answer[0]["loose"] == [mine["handCard"]]


def test_an_upper_case_sender_is_known() -> None:
    judge = referee()
    mine = next(action for action in legal("casino", judge) if action["type"] == "throw")
    assert applied(judge, {**mine, "playerId": mine["playerId"].upper()})[0]["type"] == "state"


def test_who_is_not_awaited_is_refused() -> None:
    judge = referee()
    other = "p2" if turn(judge) == "p1" else "p1"
    (refusal,) = applied(judge, {"type": "throw", "playerId": other, "handCard": "AS"})
    assert refusal == {
        "type": "refused",
        "playerId": other,
        "code": "not-your-turn",
        "reason": "It isn't your turn.",
    }


def test_a_refusal_gives_its_reason_in_the_language() -> None:
    english, spanish = referee(), referee(say=Speech("es"))
    action = {"type": "throw", "playerId": turn(english), "handCard": "KS"}
    (one,), (other,) = applied(english, action), applied(spanish, action)
    assert one["code"] == other["code"] == "unknown-card"
    assert one["reason"] == "There is no KS in this game."
    assert other["reason"] != one["reason"]
    assert "KS" in other["reason"]


BAD_SENDERS: list[object] = ["p3", "p0", "p", "", "1", "p1 ", 1, None, True, ["p1"], {"id": "p1"}, 0.5, "p١"]


@pytest.mark.parametrize("sender", BAD_SENDERS, ids=repr)
def test_a_wrong_sender_is_refused(sender: object) -> None:
    (refusal,) = applied(referee(), {"type": "throw", "playerId": sender, "handCard": "AS"})
    assert (refusal["code"], refusal["playerId"]) == (
        "not-your-seat",
        sender if isinstance(sender, str) else None,
    )


def test_a_missing_sender_is_refused() -> None:
    (refusal,) = applied(referee(), {"type": "throw", "handCard": "AS"})
    assert (refusal["code"], refusal["playerId"]) == ("not-your-seat", None)


@pytest.mark.parametrize("message", [{}, {"type": "throw"}, {"playerId": None}], ids=str)
def test_the_reason_says_that_the_sender_is_missing(message: Mapping[str, Any]) -> None:
    (refusal,) = applied(referee(), message)
    assert refusal["reason"] == "The message doesn't say which seat it comes from."


@pytest.mark.parametrize(
    "line",
    [
        "",
        "\n",
        "throw AS",
        "{",
        "{'type': 'throw'}",
        "null",
        "true",
        "3",
        '"throw AS"',
        "[]",
        '[{"type": "throw"}]',
        "NaN",
        "1" * 5000,
        '{"playerId": ' + "1" * 5000 + "}",
        "[" * 100_000,
        '{"a":' * 100_000,
        "[" * 5000 + "]" * 5000,
        "\ufffd\ufffd",
        '\ufeff{"type": "throw", "playerId": "p1"}',
        "\x00",
    ],
    ids=lambda line: f"{line[:12]!r}{len(line)}",
)
def test_a_line_that_is_no_message_is_refused(line: str) -> None:
    judge = referee()
    before = list(judge.messages())
    (refusal,) = judge.apply(line)
    assert (refusal["type"], refusal["code"], refusal["playerId"]) == ("refused", "unknown-action", None)
    assert refusal["reason"]
    assert list(judge.messages()) == before


@pytest.mark.parametrize("depth", [1, 50, 300, 600, 800, 900, 950, 970, 980, 990, 1000])
def test_a_field_nested_however_deep_is_refused(depth: int) -> None:
    judge = referee()
    for line in (
        '{"playerId": ' + "[" * depth + "]" * depth + "}",
        '{"playerId": "p1", "type": "throw", "handCard": ' + '{"a":' * depth + "1" + "}" * depth + "}",
    ):
        (refusal,) = judge.apply(line)
        assert refusal["type"] == "refused"
        assert json.dumps(refusal)


SMALL = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
VERBS = ["capture", "build", "steal-build", "throw", "exchange", "place"]
WORDS = st.sampled_from([*VERBS, "p1", "p2", "AS", "5H", "5D", "10D", "all", "4H+6C"])
FIELDS = st.sampled_from(
    [
        *("type", "playerId", "handCard", "tableCard", "target", "buildValue", "fromPlayer", "stolenCard"),
        *("accept", "row", "col", "card", "build", "all", "x"),
    ]
)
VALUES = st.recursive(
    SMALL | WORDS,
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(FIELDS, inside, max_size=3),
    max_leaves=6,
)


@every_game
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(messages=st.lists(st.dictionaries(FIELDS, VALUES, max_size=6), min_size=1, max_size=4))
def test_no_message_crashes_the_referee(key: str, messages: list[dict[str, Any]]) -> None:
    judge = referee(key)
    for message in messages:
        message.setdefault("playerId", turn(judge))
        before = list(judge.messages())
        first, *rest = applied(judge, message)
        assert first["type"] in ("state", "refused")
        if first["type"] == "refused":
            assert rest == []
            assert set(first) == {"type", "playerId", "code", "reason"}
            assert list(judge.messages()) == before


@every_game
def test_a_message_with_one_field_spoiled_never_crashes_and_one_too_many_is_refused(key: str) -> None:
    judge = referee(key)
    spoils: list[object] = [None, True, 7, -1, 10**30, 0.5, "", "p9", "ZZ", "\x00", "\ud800", [], {}, [[]]]
    for action in list(legal(key, judge)):
        for field in action:
            for spoil in spoils:
                (answer, *_) = applied(referee(key), {**action, field: spoil})
                assert answer["type"] in ("refused", "state")
            (answer,) = applied(referee(key), {**action, "more": 1})
            assert answer["code"] == "unknown-action"


def test_house_rules_hold() -> None:
    judge = referee(steal_with="off")
    (refusal,) = applied(
        judge,
        {
            "type": "steal-build",
            "playerId": turn(judge),
            "handCard": "AS",
            "fromPlayer": "p1",
            "stolenCard": "2S",
            "buildValue": 3,
        },
    )
    assert refusal["code"] == "unknown-action"


def test_cards_in_messages_are_those_of_the_rule_books() -> None:
    _, first, _ = json.loads(json.dumps(list(referee().messages())))
    assert first["hand"]
    assert [card for card in first["hand"] if not is_card(card)] == []
