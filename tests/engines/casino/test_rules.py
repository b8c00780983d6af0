"""Casino's rule book, clause by clause, played through the engine contract."""

from __future__ import annotations

from typing import Any

import pytest

from engines.game import Awaited, Choices, Result
from engines.values import replace
from tests import luck
from tests.engines import reference
from tests.engines.casino.positions import (
    CASINO,
    POSITIONS,
    legal,
    load,
    news,
    play,
    position,
    reach,
    time_out,
)
from tests.support.positions import Action, message

SEED = b"three 0"
"""Dealt to three: p3 holds 3H, 7S is the starter card, p2 goes first."""
STARTER_IS_3H = b"three 186"
SPADES_AND_HEARTS = "AS 2S 3S 4S 5S 6S 7S 8S 9S 10S AH 2H 3H 4H 5H 6H 7H 8H 9H 10H"

EXCHANGE = position(hands=["AS 5C", "9S 3H", "4D 6C"], loose="9D", phase="exchange")
"""p2 may exchange; then p1 goes first."""


def spelled_both_ways(text: str, json: dict[str, Any]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("action", [text, json], ids=["text", "json"])


def deal(seats: int, seed: bytes, **options: str) -> dict[str, Any]:
    return CASINO.dump(CASINO.new(seats, seed, options))


def test_rule_1_two_players_get_10_cards_each_and_20_are_the_stock() -> None:
    dealt = deal(2, b"seed")
    assert ([len(hand) for hand in dealt["hands"]], len(dealt["stock"])) == ([10, 10], 20)


def test_rule_1_the_table_of_two_is_empty_at_first() -> None:
    dealt = deal(2, b"seed")
    assert (dealt["loose"], dealt["builds"], dealt["piles"], dealt["phase"]) == ([], [], [[], []], "play")


def test_rule_1_the_stock_is_dealt_when_both_hands_are_empty() -> None:
    before = position(hands=["", "7C"], loose="2C", stock=SPADES_AND_HEARTS, turn=1)
    assert play(before, (1, "throw 7C")) == position(
        hands=["AS 2S 3S 4S 5S 6S 7S 8S 9S 10S", "AH 2H 3H 4H 5H 6H 7H 8H 9H 10H"], loose="2C 7C"
    )


def test_rule_1_table_builds_piles_and_last_capturer_carry_over() -> None:
    before = position(
        hands=["4D", ""],
        loose="2C",
        builds=["3C+4C"],
        piles=["9D 9C", "8D 8C"],
        stock=SPADES_AND_HEARTS,
        last_capturer=1,
    )
    assert play(before, (0, "throw 4D")) == position(
        hands=["AS 2S 3S 4S 5S 6S 7S 8S 9S 10S", "AH 2H 3H 4H 5H 6H 7H 8H 9H 10H"],
        loose="2C 4D",
        builds=["3C+4C"],
        piles=["9D 9C", "8D 8C"],
        turn=1,
        last_capturer=1,
    )


def test_rule_1_the_stock_waits_for_the_last_hand_card() -> None:
    before = position(hands=["4D", "7C"], stock=SPADES_AND_HEARTS)
    assert play(before, (0, "throw 4D")) == position(
        hands=["", "7C"], loose="4D", stock=SPADES_AND_HEARTS, turn=1
    )


def test_rule_1_the_second_deal_is_announced() -> None:
    before = position(hands=["", "7C"], stock=SPADES_AND_HEARTS, turn=1)
    assert news(before, (1, "throw 7C")) == [
        (None, "Ben throws 7C."),
        (None, "Everybody gets 10 more cards."),
    ]


def test_rule_2_three_players_get_13_cards_each_and_one_lies_on_the_table() -> None:
    dealt = deal(3, SEED)
    assert ([len(hand) for hand in dealt["hands"]], len(dealt["loose"]), dealt["stock"]) == ([13] * 3, 1, [])


def test_rule_2_the_starter_card_is_the_last_of_the_deal() -> None:
    assert deal(3, SEED)["loose"] == reference.shuffled(SEED, "deck", reference.SHORT_DECK)[39:]


def test_rule_4_the_deck_is_dealt_in_blocks_to_two() -> None:
    deck = reference.shuffled(b"any seed", "deck", reference.SHORT_DECK)
    dealt = deal(2, b"any seed")
    assert (dealt["hands"], dealt["stock"]) == ([deck[:10], deck[10:20]], deck[20:])


def test_rule_4_the_deck_is_dealt_in_blocks_to_three() -> None:
    deck = reference.shuffled(SEED, "deck", reference.SHORT_DECK)
    assert deal(3, SEED)["hands"] == [deck[:13], deck[13:26], deck[26:39]]


def test_rule_4_a_known_deal() -> None:
    assert [" ".join(hand) for hand in deal(2, b"sobremesa")["hands"]] == [
        "10C 7D 5C 9D 5S 4S 5H 3H 7S 6D",
        "3D 4H 8S AC 3S 7C 9H 4C AH 6C",
    ]


@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("seed", [b"three 0", b"three 1", b"three 2", b"three 6"])
def test_rule_4_the_starting_player_is_drawn_by_lot(seats: int, seed: bytes) -> None:
    assert deal(seats, seed)["turn"] == reference.starter(seed, seats)


def test_rule_4_turns_go_clockwise() -> None:
    before = position(hands=["AS 5C", "4D 6C", "9S 2D"], turn=2)
    after = play(before, (2, "throw 2D"), (0, "throw 5C"), (1, "throw 6C"))
    assert after == position(hands=["AS", "4D", "9S"], loose="2D 5C 6C", turn=2)


@pytest.mark.parametrize(
    ("seats", "seed", "sentences"),
    [
        (2, b"sobremesa", ["Everybody gets 10 cards.", "Ben goes first (drawn at random)."]),
        (
            3,
            SEED,
            [
                "Everybody gets 13 cards.",
                "Ben goes first (drawn at random).",
                "The starter card is 7S.",
                "The player with the 3H may exchange it for the starter card.",
            ],
        ),
        (
            3,
            STARTER_IS_3H,
            ["Everybody gets 13 cards.", "Cas goes first (drawn at random).", "The starter card is 3H."],
        ),
    ],
    ids=["two", "three", "starter is 3H"],
)
def test_the_deal_is_announced_to_everybody(seats: int, seed: bytes, sentences: list[str]) -> None:
    opening = CASINO.opening(CASINO.new(seats, seed, {}))
    assert POSITIONS.sentences(opening) == [(None, sentence) for sentence in sentences]


def test_rule_3_three_players_begin_with_the_exchange() -> None:
    assert deal(3, SEED)["phase"] == "exchange"


def test_rule_3_no_exchange_where_3h_is_the_starter_card() -> None:
    dealt = deal(3, STARTER_IS_3H)
    assert (dealt["loose"], dealt["phase"]) == (["3H"], "play")


@spelled_both_ways("exchange yes", message(1, "exchange", accept=True))
def test_rule_3_the_holder_may_exchange_3h_for_the_starter_card(action: Action) -> None:
    assert play(EXCHANGE, (1, action)) == position(hands=["AS 5C", "9S 9D", "4D 6C"], loose="3H")


@spelled_both_ways("exchange no", message(1, "exchange", accept=False))
def test_rule_3_the_holder_may_decline(action: Action) -> None:
    assert play(EXCHANGE, (1, action)) == position(hands=["AS 5C", "9S 3H", "4D 6C"], loose="9D")


def test_rule_3_a_starting_player_who_holds_3h_exchanges_and_then_starts() -> None:
    before = position(hands=["3H 5C", "9S 7H", "4D 6C"], loose="9D", phase="exchange")
    after = play(before, (0, "exchange yes"), (0, "throw 9D"))
    assert after == position(hands=["5C", "9S 7H", "4D 6C"], loose="3H 9D", turn=1)


def test_rule_3_no_answer_in_time_is_a_no() -> None:
    assert time_out(EXCHANGE, 1) == position(hands=["AS 5C", "9S 3H", "4D 6C"], loose="9D")


@pytest.mark.parametrize(
    ("seat", "choices"),
    [
        (0, Choices((), False)),
        (1, Choices(("exchange",), False)),
        (2, Choices((), False)),
    ],
)
def test_rule_3_only_the_holder_is_asked(seat: int, choices: Choices) -> None:
    assert CASINO.choices(load(EXCHANGE), seat) == choices


def test_rule_3_the_holder_is_asked_yes_or_no() -> None:
    assert legal(EXCHANGE, 1) == {"exchange yes", "exchange no"}


@pytest.mark.parametrize(
    ("reader", "awaited"),
    [
        (None, Awaited((0, 1, 2), secret=True)),
        (0, Awaited((1, 2), secret=True)),
        (1, Awaited((1,))),
        (2, Awaited((0, 1), secret=True)),
    ],
    ids=["everybody", "p1", "the holder", "p3"],
)
def test_rule_3_a_reader_awaits_all_who_may_be_the_holder(reader: int | None, awaited: Awaited) -> None:
    assert CASINO.awaited(CASINO.view(load(EXCHANGE), reader)) == awaited


@pytest.mark.parametrize("reader", [None, 0, 1, 2])
@pytest.mark.parametrize("answer", ["yes", "no"])
def test_rule_3_after_the_exchange_every_reader_awaits_the_starter_openly(
    answer: str, reader: int | None
) -> None:
    state = reach(EXCHANGE, (1, f"exchange {answer}"))
    assert CASINO.awaited(CASINO.view(state, reader)) == Awaited((0,))


@pytest.mark.parametrize("reader", [None, 0], ids=["everybody", "p1"])
def test_rule_3_a_view_of_others_does_not_depend_on_the_holder(reader: int | None) -> None:
    elsewhere = position(hands=["AS 5C", "9S 6C", "4D 3H"], loose="9D", phase="exchange")
    assert CASINO.view(load(elsewhere), reader) == CASINO.view(load(EXCHANGE), reader)


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [("yes", "The 3H was exchanged for 9D."), ("no", "The 3H stays where it is.")],
)
def test_rule_3_no_event_names_the_holder(answer: str, sentence: str) -> None:
    assert news(EXCHANGE, (1, f"exchange {answer}")) == [(None, sentence), (None, "Ana goes first.")]


@pytest.mark.parametrize("answer", ["yes", "no"])
def test_rule_3_the_events_do_not_depend_on_the_holder(answer: str) -> None:
    elsewhere = position(hands=["AS 5C", "9S 6C", "4D 3H"], loose="9D", phase="exchange")
    assert news(elsewhere, (2, f"exchange {answer}")) == news(EXCHANGE, (1, f"exchange {answer}"))


def test_rule_3_any_seat_is_imagined_as_the_holder() -> None:
    view = CASINO.view(load(EXCHANGE), None)
    imagined = [CASINO.imagine(view, luck.rng(seed)) for seed in range(30)]
    holders = {seat for state in imagined for seat, hand in enumerate(state.hands) if "3H" in hand}
    assert holders == {0, 1, 2}


def test_rule_3_the_clock_of_the_first_turn_starts_after_the_exchange() -> None:
    state = CASINO.new(3, SEED, {})
    after = reach(state, (2, "exchange no"))
    first = reach(after, (1, str(CASINO.timeout(after, 1))))
    assert [CASINO.turns(state), CASINO.turns(after), CASINO.turns(first)] == [0, 1, 2]


def test_rule_3_a_loaded_exchange_is_before_the_first_turn_too() -> None:
    assert CASINO.turns(load(EXCHANGE)) == 0


def test_rule_3_the_table_shows_the_phase_and_who_will_start() -> None:
    shown = CASINO.message(CASINO.view(load(EXCHANGE), None))
    assert shown is not None
    assert (shown["phase"], shown["turn"], shown["loose"], shown["handSizes"]) == (
        "exchange",
        "p1",
        ["9D"],
        [2, 2, 2],
    )


def test_option_exchange_auto_exchanges_at_the_deal() -> None:
    asked, dealt = deal(3, SEED), deal(3, SEED, exchange="auto")
    exchanged = ["7S" if card == "3H" else card for card in asked["hands"][2]]
    assert dealt == {**asked, "hands": [*asked["hands"][:2], exchanged], "loose": ["3H"], "phase": "play"}


def test_option_exchange_auto_leaves_3h_as_the_starter_card() -> None:
    assert deal(3, STARTER_IS_3H, exchange="auto") == deal(3, STARTER_IS_3H)


def test_option_exchange_off_starts_at_once() -> None:
    assert deal(3, SEED, exchange="off") == {**deal(3, SEED), "phase": "play"}


@pytest.mark.parametrize("value", ["ask", "auto", "off"])
def test_option_exchange_means_nothing_to_two(value: str) -> None:
    dealt = deal(2, b"three 1", exchange=value)
    assert "3H" in dealt["hands"][1]
    assert (dealt["loose"], dealt["phase"]) == ([], "play")
    assert dealt == deal(2, b"three 1")


@spelled_both_ways("capture 6H 6C", message(0, "capture", handCard="6H", target={"card": "6C"}))
def test_rule_5_captures_one_loose_card_of_equal_value(action: Action) -> None:
    before = position(hands=["6H 2C", "9D 8C"], loose="3C 6C")
    assert play(before, (0, action)) == position(
        hands=["2C", "9D 8C"], loose="3C", piles=["6H 6C", ""], turn=1, last_capturer=0
    )


@pytest.mark.parametrize(
    "action",
    [
        "capture 10S 4H+6C",
        "capture 10S 6C+4H",
        message(1, "capture", handCard="10S", target={"build": ["4H", "6C"]}),
        message(1, "capture", handCard="10S", target={"build": ["6C", "4H"]}),
    ],
    ids=["text", "text turned", "json", "json turned"],
)
def test_rule_5_captures_one_build_of_that_total(action: Action) -> None:
    before = position(hands=["5C", "10S 3C"], loose="9D", builds=["4H+6C"], turn=1)
    assert play(before, (1, action)) == position(
        hands=["5C", "3C"], loose="9D", piles=["", "10S 4H 6C"], last_capturer=1
    )


def test_rule_5_takes_one_target_even_if_several_match() -> None:
    before = position(hands=["6H 2C", "9D"], loose="6C 6D", builds=["4H+2D"])
    assert play(before, (0, "capture 6H 6D")) == position(
        hands=["2C", "9D"], loose="6C", builds=["4H+2D"], piles=["6H 6D", ""], turn=1, last_capturer=0
    )


def test_rule_5_names_its_target() -> None:
    start = position(hands=["6H", "9D"], loose="6C 6D", builds=["4H+2D"])
    assert legal(start, 0) == {"capture 6H 6C", "capture 6H 6D", "capture 6H 4H+2D", "throw 6H"}


def test_rule_5_an_ace_captures_an_ace() -> None:
    assert "capture AS AD" in legal(position(hands=["AS", "9D"], loose="AD"), 0)


def test_rule_5_sums_of_loose_cards_are_not_captured() -> None:
    assert legal(position(hands=["10S", "9D"], loose="4H 6C"), 0) == {"throw 10S"}


def test_rule_5_cards_of_a_build_are_not_captured_singly() -> None:
    assert legal(position(hands=["6H", "9D"], builds=["4H+6C"]), 0) == {"throw 6H"}


def test_rule_5_anyones_build_may_be_captured() -> None:
    before = position(hands=["4H 10C", "10S 8C"], loose="6C")
    after = play(before, (0, "build 4H 6C"), (1, "capture 10S 4H+6C"))
    assert after == position(hands=["10C", "8C"], piles=["", "10S 4H 6C"], last_capturer=1)


def test_rule_9_captured_cards_come_on_top_of_the_pile() -> None:
    before = position(hands=["6H 2C", "9D"], loose="6C", piles=["8H 8C", ""])
    assert play(before, (0, "capture 6H 6C"))["piles"] == [["8H", "8C", "6H", "6C"], []]


def test_rule_9_of_a_captured_build_the_card_from_the_table_is_on_top() -> None:
    before = position(hands=["4H 10C 10D", "9S 8C"], loose="6C")
    after = play(before, (0, "build 4H 6C"), (1, "throw 8C"), (0, "capture 10D 4H+6C"))
    assert after["piles"] == [["10D", "4H", "6C"], []]


def test_rule_9_everybody_sees_the_top_and_the_size_of_every_pile() -> None:
    start = position(hands=["2C", "9D", "3D"], piles=["8H 8C", "", "4D 4S 4C"])
    shown = CASINO.message(CASINO.view(load(start), None))
    assert shown is not None
    assert (shown["pileTops"], shown["pileSizes"]) == (["8C", None, "4C"], [2, 0, 3])


def test_option_stack_top_captured_is_the_default() -> None:
    before = position(hands=["6H 2C", "9D"], loose="6C")
    assert play(before, (0, "capture 6H 6C"), stack_top="captured") == play(before, (0, "capture 6H 6C"))


@pytest.mark.parametrize(
    ("action", "pile"),
    [("capture 6H 6C", "9H 6C 6H"), ("capture 10D 4H+6D", "9H 4H 6D 10D")],
    ids=["card", "build"],
)
def test_option_stack_top_capturing(action: str, pile: str) -> None:
    before = position(hands=["6H 10D 2C", "9D"], loose="6C", builds=["4H+6D"], piles=["9H", ""])
    assert play(before, (0, action), stack_top="capturing")["piles"] == [pile.split(), []]


@pytest.mark.parametrize(
    ("stack_top", "pile"), [("captured", "6H 6C 6D 4S 2S 5S AS"), ("capturing", "6C 6D 4S 2S 5S AS 6H")]
)
@spelled_both_ways("capture 6H all", message(0, "capture", handCard="6H", target={"all": True}))
def test_option_multi_capture_takes_loose_cards_first_then_builds(
    action: Action, stack_top: str, pile: str
) -> None:
    before = position(hands=["6H 2C", "9D"], loose="6C 9C 6D", builds=["4S+2S", "3D+4D", "5S+AS"])
    after = play(before, (0, action), multi_capture="on", stack_top=stack_top)
    assert after == position(
        hands=["2C", "9D"], loose="9C", builds=["3D+4D"], piles=[pile, ""], turn=1, last_capturer=0
    )


def test_option_multi_capture_leaves_single_targets_legal() -> None:
    start = position(hands=["6H 2C", "9D"], loose="6C 6D", builds=["4S+2S"])
    assert legal(start, 0, multi_capture="on") == {
        "capture 6H all",
        "capture 6H 6C",
        "capture 6H 6D",
        "capture 6H 4S+2S",
        "throw 6H",
        "throw 2C",
    }


def test_option_multi_capture_takes_one_target_where_one_is_named() -> None:
    before = position(hands=["6H 2C", "9D"], loose="6C 6D")
    assert play(before, (0, "capture 6H 6C"), multi_capture="on") == play(before, (0, "capture 6H 6C"))


CAPTURE = position(hands=["6H 2C", "9D"], loose="6C 6D", builds=["4S+2S"])
BUILD = position(hands=["4H 10C 2S", "10S 8C"], loose="9D 6C")


@pytest.mark.parametrize(
    "action",
    [
        "build 4H 6C",
        message(0, "build", handCard="4H", tableCard="6C", buildValue=10),
        message(0, "build", handCard="4H", tableCard="6C"),
    ],
    ids=["text", "json", "json without value"],
)
def test_rule_6_a_hand_card_and_a_loose_card_become_a_build(action: Action) -> None:
    assert play(BUILD, (0, action)) == position(
        hands=["10C 2S", "10S 8C"], loose="9D", builds=["4H+6C"], turn=1
    )


def test_rule_6_the_sum_is_the_value_of_another_card_in_hand() -> None:
    start = position(hands=["4H 10C 2S 5H", "10S 8C"], loose="6C 3C AD")
    builds = {move for move in legal(start, 0) if move.startswith("build")}
    assert builds == {"build 4H 6C", "build 4H AD", "build 2S 3C"}


@pytest.mark.parametrize(
    ("hand", "loose", "move"),
    [("AS 2C", "AD", "build AS AD"), ("5H 10C", "5D", "build 5H 5D"), ("9H 10C", "AD", "build 9H AD")],
)
def test_rule_6_sums_go_from_2_to_10(hand: str, loose: str, move: str) -> None:
    assert move in legal(position(hands=[hand, "3C"], loose=loose), 0)


def test_rule_6_a_build_is_not_built_upon() -> None:
    start = position(hands=["2S 9C 7C", "10S"], builds=["4H+3C"])
    assert legal(start, 0) == {"capture 7C 4H+3C", "throw 2S", "throw 9C", "throw 7C"}


def test_rule_6_equal_totals_stay_separate_builds() -> None:
    before = position(hands=["4H 10C", "8C"], loose="6C", builds=["7S+3S"])
    assert play(before, (0, "build 4H 6C")) == position(
        hands=["10C", "8C"], builds=["7S+3S", "4H+6C"], turn=1
    )


def test_rule_6_one_of_two_equal_builds_is_captured() -> None:
    before = position(hands=["10C 2C", "8C"], builds=["7S+3S", "4H+6C"])
    assert play(before, (0, "capture 10C 4H+6C")) == position(
        hands=["2C", "8C"], builds=["7S+3S"], piles=["10C 4H 6C", ""], turn=1, last_capturer=0
    )


def test_rule_6_the_builder_may_do_something_else_afterwards() -> None:
    after = play(BUILD, (0, "build 4H 6C"), (1, "throw 8C"), (0, "throw 10C"))
    assert after == position(hands=["2S", "10S"], loose="9D 8C 10C", builds=["4H+6C"], turn=1)


def test_rule_6_a_build_is_no_capture() -> None:
    assert play({**BUILD, "last_capturer": 1}, (0, "build 4H 6C"))["last_capturer"] == 1


STEAL = position(hands=["3C 8S 2D", "9D 10D"], loose="7D", piles=["4H 4C", "5H 5D"], last_capturer=1)


@pytest.mark.parametrize(
    "action",
    [
        "steal-build 3C 5D",
        message(0, "steal-build", handCard="3C", fromPlayer="p2", stolenCard="5D", buildValue=8),
        message(0, "steal-build", handCard="3C", fromPlayer="p2", stolenCard="5D"),
    ],
    ids=["text", "json", "json without value"],
)
def test_rule_7_a_hand_card_and_the_top_of_another_pile_become_a_build(action: Action) -> None:
    assert play(STEAL, (0, action)) == position(
        hands=["8S 2D", "9D 10D"],
        loose="7D",
        builds=["3C+5D"],
        piles=["4H 4C", "5H"],
        turn=1,
        last_capturer=1,
    )


def test_rule_7_only_the_top_of_others_piles_under_the_same_condition() -> None:
    start = position(hands=["3C 8S 2D 7H", "9D", "9S"], piles=["4H 4C", "6H 5D", "5H 6D"])
    steals = {move for move in legal(start, 0) if move.startswith("steal")}
    assert steals == {"steal-build 3C 5D", "steal-build 2D 5D", "steal-build 2D 6D"}


def test_rule_7_the_last_card_of_a_pile_can_be_stolen() -> None:
    before = position(hands=["3C 8S", "9D"], piles=["", "5D"])
    assert play(before, (0, "steal-build 3C 5D"))["piles"] == [[], []]


def test_rule_7_of_a_captured_build_the_stolen_card_is_on_top() -> None:
    after = play(STEAL, (0, "steal-build 3C 5D"), (1, "throw 9D"), (0, "capture 8S 3C+5D"))
    assert after["piles"] == [["4H", "4C", "8S", "3C", "5D"], ["5H"]]


TABLE_STEAL = position(hands=["8S 2H", "9D 10D"], loose="7D 3C", piles=["", "5H 5D"], last_capturer=1)


@spelled_both_ways(
    "steal-build 3C 5D",
    message(0, "steal-build", tableCard="3C", fromPlayer="p2", stolenCard="5D", buildValue=8),
)
def test_option_steal_with_table_builds_on_a_loose_card(action: Action) -> None:
    assert play(TABLE_STEAL, (0, action), steal_with="table") == position(
        hands=["8S 2H", "9D 10D"], loose="7D", builds=["3C+5D"], piles=["", "5H"], turn=1, last_capturer=1
    )


def test_option_steal_with_table_needs_a_card_of_the_total_in_hand() -> None:
    steals = {move for move in legal(TABLE_STEAL, 0, steal_with="table") if move.startswith("steal")}
    assert steals == {"steal-build 3C 5D"}


def test_option_steal_with_table_skips_an_empty_hand() -> None:
    before = position(hands=["8S", "", "9D"], loose="3C", piles=["", "5H 5D", ""])
    after = play(before, (0, "steal-build 3C 5D"), (2, "throw 9D"), (0, "throw 8S"), steal_with="table")
    assert after == position(hands=["", "", ""], loose="9D 8S", builds=["3C+5D"], piles=["", "5H", ""])


def test_option_steal_with_table_the_same_seat_goes_on_where_only_it_holds_cards() -> None:
    before = position(hands=["8S", ""], loose="3C", piles=["", "5H 5D"])
    assert play(before, (0, "steal-build 3C 5D"), steal_with="table")["turn"] == 0


def test_option_steal_with_off_leaves_no_steal() -> None:
    assert legal(STEAL, 0, steal_with="off") == {"throw 3C", "throw 8S", "throw 2D"}


@spelled_both_ways("throw 7D", message(0, "throw", handCard="7D"))
def test_rule_8_a_hand_card_is_laid_face_up(action: Action) -> None:
    before = position(hands=["7D 7C", "9D"], loose="3C")
    assert play(before, (0, action)) == position(hands=["7C", "9D"], loose="3C 7D", turn=1)


def test_rule_8_a_throw_is_always_allowed() -> None:
    start = position(hands=["10C 4H 6D", "9D"], loose="10D 6C", builds=["3C+7C"])
    assert {"throw 10C", "throw 4H", "throw 6D"} <= legal(start, 0)


def test_rule_8_throws_alone_are_left_on_an_empty_table() -> None:
    assert legal(position(hands=["AS 5C", "9D"]), 0) == {"throw AS", "throw 5C"}


def test_only_the_seat_whose_turn_it_is_has_moves() -> None:
    assert legal(BUILD, 1) == set()


@pytest.mark.parametrize(
    ("start", "action", "sentence"),
    [
        (BUILD, "throw 4H", "Ana throws 4H."),
        (BUILD, "build 4H 6C", "Ana builds 10 with 4H and 6C."),
        (STEAL, "steal-build 3C 5D", "Ana steals 5D from Ben and builds 8 with 3C and 5D."),
        (position(hands=["9H 2C", "3C"], loose="9D"), "capture 9H 9D", "Ana captures 9D with 9H."),
        (
            position(hands=["9H 2C", "3C"], builds=["4D+5D"]),
            "capture 9H 4D+5D",
            "Ana captures 4D and 5D with 9H.",
        ),
    ],
    ids=["throw", "build", "steal-build", "capture", "capture a build"],
)
def test_every_action_is_announced_to_everybody(start: dict[str, Any], action: str, sentence: str) -> None:
    assert news(start, (0, action)) == [(None, sentence)]


def result(start: dict[str, Any]) -> Result | None:
    return CASINO.result(load(start))


@pytest.mark.parametrize(
    "start",
    [
        position(hands=["AS", ""]),
        position(hands=["", "AS"], turn=1),
    ],
    ids=["a hand", "another hand"],
)
def test_rule_10_while_cards_are_left_there_is_no_result(start: dict[str, Any]) -> None:
    assert result(start) is None


def test_rule_10_while_the_stock_has_cards_there_is_no_result() -> None:
    state = load(position(hands=["AS", ""], stock="2S"))
    assert CASINO.result(replace(state, hands=((), ()))) is None


def test_rule_10_over_when_all_hands_and_the_stock_are_empty() -> None:
    assert result(position(hands=["", ""], loose="9C", builds=["2D+3D"])) == Result((0, 0), (0, 1))


def test_rule_10_nobody_is_awaited_after_the_end() -> None:
    assert CASINO.awaited(CASINO.view(load(position(hands=["", ""])), None)).must == ()


def test_rule_11_what_is_left_goes_to_the_last_capturer_loose_cards_first() -> None:
    before = position(
        hands=["9C", ""], loose="3S 10D", builds=["5C+2C", "4S+AS"], piles=["", "6C 6D"], last_capturer=1
    )
    assert play(before, (0, "throw 9C")) == position(
        hands=["", ""], piles=["", "6C 6D 3S 10D 9C 5C 2C 4S AS"], last_capturer=1
    )


def test_rule_11_a_capture_with_the_last_card_counts() -> None:
    before = position(hands=["", "3D"], loose="3S 9C", piles=["6C 6D", ""], turn=1, last_capturer=0)
    after = play(before, (1, "capture 3D 3S"))
    assert (after["piles"], after["loose"]) == ([["6C", "6D"], ["3D", "3S", "9C"]], [])


def test_rule_11_a_steal_is_not_a_capture() -> None:
    before = position(hands=["3C 8S", "8D"], loose="2C", piles=["", "5H 5D"], last_capturer=1)
    after = play(before, (0, "steal-build 3C 5D"), (1, "throw 8D"), (0, "throw 8S"))
    assert after["piles"] == [[], ["5H", "2C", "8D", "8S", "3C", "5D"]]


def test_rule_11_the_rest_goes_to_nobody_if_nobody_captured() -> None:
    after = play(position(hands=["9C", ""], loose="AS", builds=["5C+2C"]), (0, "throw 9C"))
    assert (after["loose"], after["builds"], after["piles"]) == (
        ["AS", "9C"],
        [{"cards": ["5C", "2C"], "value": 7}],
        [[], []],
    )


def test_rule_11_nothing_is_left_over_between_the_deals() -> None:
    before = position(
        hands=["4D", ""], loose="2C", piles=["9D 9C", ""], stock=SPADES_AND_HEARTS, last_capturer=0
    )
    assert play(before, (0, "throw 4D"))["loose"] == ["2C", "4D"]


@pytest.mark.parametrize(
    ("last_capturer", "sentences"),
    [
        (1, ["Ana throws 9C.", "Ben captured last and gets the rest: 3S and 9C."]),
        (None, ["Ana throws 9C.", "Nobody captured anything, so nobody gets the cards left on the table."]),
    ],
)
def test_rule_11_is_announced(last_capturer: int | None, sentences: list[str]) -> None:
    before = position(hands=["9C", ""], loose="3S", last_capturer=last_capturer)
    assert news(before, (0, "throw 9C")) == [(None, sentence) for sentence in sentences]


def test_rule_11_nothing_is_announced_if_no_card_is_left() -> None:
    before = position(hands=["9C", ""], loose="9D")
    assert news(before, (0, "capture 9C 9D")) == [(None, "Ana captures 9D with 9C.")]


PLAIN = "2H 3H 4H 5H 6H 7H 8H 9H 10H 2C 3C 4C 5C 6C 7C 8C 9C 10C 2D 3D 4D 5D"
"""Twenty-two cards worth nothing by themselves."""


@pytest.mark.parametrize(
    ("pile", "points"),
    [
        ("", 0),
        ("AS", 1),
        ("AH", 1),
        ("AD", 1),
        ("AC", 1),
        ("AS AH AD AC", 4),
        ("2S", 1),
        ("2H 2D 2C", 0),
        ("10D", 1),
        ("10S 10H 10C", 0),
        ("3S 4S 5S 6S", 0),
        ("3S 4S 5S 6S 7S", 1),
        ("3S 4S 5S 6S 7S 8S", 2),
        ("3S 4S 5S 6S 7S 8S 9S 10S", 2),
        ("AS 2S 3S 4S 5S", 3),
        (" ".join(PLAIN.split()[:20]), 0),
        (" ".join(PLAIN.split()[:21]), 1),
        (PLAIN, 1),
        (" ".join(reference.SHORT_DECK), 9),
    ],
)
def test_rule_12_points(pile: str, points: int) -> None:
    assert result(position(hands=["", ""], piles=[pile, ""])) == Result(
        (points, 0), (0,) if points else (0, 1)
    )


def test_rule_12_the_last_capturer_scores_the_cards_left_over() -> None:
    before = position(hands=["9C", ""], loose="10D AS", piles=["", "6C 6D"], last_capturer=1)
    state = reach(before, (0, "throw 9C"))
    assert CASINO.result(state) == Result((0, 2), (1,))


@pytest.mark.parametrize(
    ("piles", "expected"),
    [
        (["AS", "AH AD"], Result((1, 2), (1,))),
        (["AS AC", "AH AD"], Result((2, 2), (0, 1))),
        (["AS AH", "5C", "AC 10D"], Result((2, 0, 2), (0, 2))),
    ],
)
def test_rule_13_most_points_win_and_equal_ones_share(piles: list[str], expected: Result) -> None:
    assert result(position(hands=[""] * len(piles), piles=piles)) == expected


@pytest.mark.parametrize(
    ("hand", "thrown"),
    [
        ("10C 9S", "throw 9S"),
        ("2C AS", "throw AS"),
        ("AS AH AD AC", "throw AC"),
        ("AS AH AD", "throw AD"),
        ("AS AH", "throw AH"),
    ],
)
def test_the_clock_throws_the_lowest_card(hand: str, thrown: str) -> None:
    assert str(CASINO.timeout(load(position(hands=[hand, "3C"])), 0)) == thrown


def test_the_clock_only_throws() -> None:
    before = position(hands=["10D 2C", "3C"], loose="2D 10C")
    assert time_out(before, 0) == position(hands=["10D", "3C"], loose="2D 10C 2C", turn=1)


def test_the_state_message() -> None:
    start = position(
        hands=["2C 3C", "9C"],
        loose="9D",
        builds=["4D+6C"],
        piles=["8D AD", ""],
        stock=SPADES_AND_HEARTS,
        turn=1,
    )
    assert CASINO.message(CASINO.view(load(start), None)) == {
        "type": "state",
        "turn": "p2",
        "phase": "play",
        "loose": ["9D"],
        "builds": [{"cards": ["4D", "6C"], "value": 10}],
        "handSizes": [2, 1],
        "stockSize": 20,
        "pileSizes": [2, 0],
        "pileTops": ["AD", None],
        "scores": [1, 0],
        "result": None,
    }


def test_the_state_message_of_a_finished_game() -> None:
    shown = CASINO.message(CASINO.view(load(position(hands=["", ""], piles=["AS", "2C"])), None))
    assert shown is not None
    assert shown["result"] == {"scores": [1, 0], "winners": [0]}


def test_the_hand_goes_to_its_player_alone() -> None:
    start = position(hands=["2C 3C", "9H"])
    assert CASINO.message(CASINO.view(load(start), 1)) == {"type": "hand", "playerId": "p2", "hand": ["9H"]}


@pytest.mark.parametrize(("reader", "hand"), [(None, []), (0, ["2C", "3C"]), (1, ["9H"])])
def test_a_view_holds_no_hand_but_the_readers(reader: int | None, hand: list[str]) -> None:
    view = CASINO.view(load(position(hands=["2C 3C", "9H"], stock="10D")), reader)
    assert (list(view.hand), view.hand_sizes, view.stock_size) == (hand, (2, 1), 1)


@pytest.mark.parametrize("reader", [None, 0])
def test_what_is_hidden_changes_no_view(reader: int | None) -> None:
    dealt = position(hands=["2C 3C", "9H 8H"], loose="5D", stock="10D AS")
    dealt_otherwise = position(hands=["2C 3C", "AS 10D"], loose="5D", stock="8H 9H")
    assert CASINO.view(load(dealt), reader) == CASINO.view(load(dealt_otherwise), reader)


@pytest.mark.parametrize(
    ("options", "start", "move", "expected"),
    [
        ({}, BUILD, "build 4H 6C", message(0, "build", handCard="4H", tableCard="6C", buildValue=10)),
        ({}, BUILD, "throw 2S", message(0, "throw", handCard="2S")),
        ({}, CAPTURE, "capture 6H 6C", message(0, "capture", handCard="6H", target={"card": "6C"})),
        (
            {},
            CAPTURE,
            "capture 6H 4S+2S",
            message(0, "capture", handCard="6H", target={"build": ["4S", "2S"]}),
        ),
        (
            {"multi_capture": "on"},
            CAPTURE,
            "capture 6H all",
            message(0, "capture", handCard="6H", target={"all": True}),
        ),
        (
            {},
            STEAL,
            "steal-build 3C 5D",
            message(0, "steal-build", handCard="3C", fromPlayer="p2", stolenCard="5D", buildValue=8),
        ),
        (
            {"steal_with": "table"},
            TABLE_STEAL,
            "steal-build 3C 5D",
            message(0, "steal-build", tableCard="3C", fromPlayer="p2", stolenCard="5D", buildValue=8),
        ),
    ],
    ids=["build", "throw", "capture", "capture a build", "capture all", "steal", "steal with table"],
)
def test_moves_are_written_as_the_messages_of_the_rule_book(
    options: dict[str, str], start: dict[str, Any], move: str, expected: dict[str, Any]
) -> None:
    state = load(start, **options)
    assert CASINO.write_json(state, 0, CASINO.act(state, 0, move)[0]) == expected
