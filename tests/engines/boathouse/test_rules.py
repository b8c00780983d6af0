"""The rule book of Boathouse Rum, clause by clause, played through the contract."""

from __future__ import annotations

from typing import Any

import pytest

from engines.cards import cards, deck
from engines.game import Choices
from engines.values import replace
from tests.engines import reference
from tests.engines.boathouse.positions import (
    BOATHOUSE,
    STOCK,
    events,
    legal,
    load,
    news,
    play,
    position,
    public_news,
    reach,
    scores,
)
from tests.support.positions import Step, message

WINNING = "9S 9H 9D KC"
OUT = ((0, "meld 9S 9H 9D"), (0, "discard KC"))


def test_rule_1_cards_are_dealt_one_at_a_time_from_the_dealers_left() -> None:
    dealt = BOATHOUSE.dump(BOATHOUSE.new(3, b"seed", {}))
    cards = reference.shuffled(b"seed", "deck", reference.DECK)
    first = (dealt["dealer"] + 1) % 3
    assert [dealt["hands"][(first + n) % 3] for n in range(3)] == [cards[n:21:3] for n in range(3)]


def test_rule_1_the_rest_is_the_stock_and_its_top_card_starts_the_pile() -> None:
    dealt = BOATHOUSE.dump(BOATHOUSE.new(3, b"seed", {}))
    cards = reference.shuffled(b"seed", "deck", reference.DECK)
    assert (dealt["pile"], dealt["stock"]) == (cards[21:22], cards[22:])


@pytest.mark.parametrize(
    ("seats", "hand", "stock"), [(2, 10, 31), (3, 7, 30), (4, 7, 23), (5, 6, 21), (6, 6, 15)]
)
def test_rule_1_sizes_of_hands_and_stock(seats: int, hand: int, stock: int) -> None:
    dealt = BOATHOUSE.dump(BOATHOUSE.new(seats, b"seed", {}))
    assert (list(map(len, dealt["hands"])), len(dealt["stock"])) == ([hand] * seats, stock)


def test_rule_2_the_player_left_of_the_dealer_starts() -> None:
    starts = [BOATHOUSE.dump(BOATHOUSE.new(4, bytes([n]), {})) for n in range(20)]
    assert {(dealt["turn"] - dealt["dealer"]) % 4 for dealt in starts} == {1}
    assert {dealt["dealer"] for dealt in starts} == {0, 1, 2, 3}


def test_rule_2_of_two_the_winner_deals_the_next_hand() -> None:
    before = position(hands=[WINNING, "7S 5D"], dealer=1)
    after = play(before, *OUT, hands="2")
    assert (after["dealer"], after["turn"], after["hand"], after["phase"]) == (0, 1, 2, "draw")


def test_rule_2_of_two_the_collector_of_a_blocked_hand_deals_the_next() -> None:
    before = position(hands=["KH", "8C"], stock="", pile="6S", phase="draw", thin_turns=5, dealer=0)
    assert play(before, (0, "flip"), (0, "discard KH"), hands="2")["dealer"] == 0
    assert play(before, (0, "flip"), (0, "discard 6S"), hands="2")["dealer"] == 1


def test_rule_2_of_more_the_deal_passes_left() -> None:
    before = position(hands=[WINNING, "7S 5D", "2S"], dealer=1)
    after = play(before, *OUT, hands="2")
    assert (after["dealer"], after["turn"]) == (2, 0)


def test_rule_2_after_a_void_hand_two_keep_the_dealer() -> None:
    before = position(hands=["KH", "QC"], stock="", pile="6S", phase="draw", thin_turns=5, dealer=1)
    after = play(before, (0, "flip"), (0, "discard 6S"), hands="2")
    assert (after["dealer"], after["ledger"], after["hand"]) == (1, [0, 0], 2)


def test_rule_2_the_second_hand_is_the_second_shuffle_of_the_whole_pack() -> None:
    state = BOATHOUSE.new(2, b"seed", {"hands": "2"})
    while state.hand_number == 1:
        state, _ = BOATHOUSE.apply(state, state.turn, BOATHOUSE.timeout(state, state.turn))
    dealt = BOATHOUSE.dump(state)
    cards = reference.shuffled(b"seed", "deck:2", reference.DECK)
    assert [dealt["hands"][dealt["turn"]], dealt["hands"][dealt["dealer"]]] == [cards[0:20:2], cards[1:20:2]]


@pytest.mark.parametrize(
    "meld", ["9S 9H 9D", "9S 9H 9D 9C", "5H 6H 7H", "AS 2S 3S", "QS KS AS", "KS AS 2S", "QS KS AS 2S 3S"]
)
def test_rule_3_melds(meld: str) -> None:
    after = play(position(hands=[meld + " 4D", "2C"]), (0, f"meld {meld}"))
    assert [one["cards"] for one in after["melds"]] == [meld.split()]


def test_rule_3_a_sequence_may_have_13_cards() -> None:
    suit = [str(card) for card in deck()[:13]]
    before = position(hands=[" ".join([*suit, "4D"]), "2C"], stock="AC 10H 6D")
    after = play(before, (0, " ".join(["meld", *suit])))
    assert after["melds"][0]["cards"] == suit


def test_rule_3_melds_are_named_in_the_order_in_which_they_come() -> None:
    before = position(hands=["9S 9H 9D KC", "2C"], melds=["5H 6H 7H"])
    assert play(before, (0, "meld 9S 9H 9D"))["melds"][1] == {
        "name": "meld_1",
        "cards": ["9S", "9H", "9D"],
        "by": 0,
    }


def test_rule_4_two_from_the_stock() -> None:
    after = play(position(hands=["KS", "2C"], phase="draw"), (0, "draw stock"))
    assert (after["hands"][0], after["stock"], after["phase"]) == (["KS", "AC", "10S"], ["6D"], "play")


def test_rule_4_two_from_the_top_of_the_pile() -> None:
    after = play(position(hands=["KS", "2C"], pile="3D 4C 9H", phase="draw"), (0, "draw pile"))
    assert (sorted(after["hands"][0]), after["pile"]) == (["4C", "9H", "KS"], ["3D"])


def test_rule_4_a_pile_of_one_card_is_not_drawn_from() -> None:
    assert legal(position(hands=["KS", "2C"], phase="draw")) == {"draw stock"}


def test_rule_5_both_cards_from_the_pile_are_barred() -> None:
    before = position(hands=["KS 7D", "2C"], pile="4C 9H", phase="draw")
    after = play(before, (0, "draw pile"))
    assert sorted(after["barred"]) == ["4C", "9H"]
    assert legal(after) == {"discard KS", "discard 7D"}


def test_rule_5_a_barred_card_that_is_melded_leaves_the_list() -> None:
    before = position(hands=["9S 9D 9H 4C KS", "2C"], pile="JD", barred="9H 4C")
    assert play(before, (0, "meld 9S 9D 9H"))["barred"] == ["4C"]


def test_rule_5_a_barred_card_that_is_laid_off_leaves_the_list() -> None:
    before = position(hands=["8H 4C KS", "2C"], pile="JD", melds=["5H 6H 7H"], barred="8H 4C")
    assert play(before, (0, "layoff meld_0 8H"))["barred"] == ["4C"]


def test_rule_5_nothing_is_barred_in_the_next_turn() -> None:
    before = position(hands=["9H 4C KS", "2C 3D"], pile="JD", barred="9H 4C")
    assert play(before, (0, "discard KS"))["barred"] == []


@pytest.mark.parametrize("added", ["JH", "QH JH", "7H", "7H 6H", "7H JH", "6H 7H JH QH"])
def test_rule_6_on_10_9_8(added: str) -> None:
    before = position(hands=["JH QH 7H 6H KC", "2C"], melds=["8H 9H 10H"])
    after = play(before, (0, f"layoff meld_0 {added}"))
    assert sorted(after["melds"][0]["cards"]) == sorted(["8H", "9H", "10H", *added.split()])


def test_rule_6_a_run_lies_in_order() -> None:
    before = position(hands=["AH JH QH KH 2C", "2D"], melds=["8H 9H 10H"])
    after = play(before, (0, "layoff meld_0 AH KH QH JH"))
    assert after["melds"][0]["cards"] == ["8H", "9H", "10H", "JH", "QH", "KH", "AH"]


def test_rule_6_on_anybodys_meld_without_an_own_one() -> None:
    before = position(hands=["9C KC", "2C", "3C"], melds=["9S 9H 9D"])
    after = play(before, (0, "layoff meld_0 9C"))
    assert after["melds"] == [{"name": "meld_0", "cards": ["9S", "9H", "9D", "9C"], "by": 2}]


def test_rule_6_as_often_as_wanted() -> None:
    before = position(hands=["4S 5H 6H 7H 8H JC JD JS KC 9D", "2C"], melds=["5S 6S 7S"])
    steps = ("layoff meld_0 4S", "meld 5H 6H 7H", "meld JC JD JS", "layoff meld_1 8H", "discard KC")
    after = play(before, *((0, step) for step in steps))
    assert (after["hands"][0], after["laid_before"], after["laid_now"]) == (["9D"], [True, False], False)


def test_rule_7_one_discard_ends_the_turn() -> None:
    after = play(position(hands=["KC 9D", "2C"]), (0, "discard KC"))
    assert (after["turn"], after["phase"], after["pile"]) == (1, "draw", ["4C", "KC"])


def test_rule_7_out_without_a_discard() -> None:
    assert scores(position(hands=["3S 3H 3D", "KC AD"], laid_before=[0]), (0, "meld 3S 3H 3D")) == (21, -21)


def test_rule_7_what_leaves_only_barred_cards_is_no_move() -> None:
    before = position(hands=["5H 6H 7H 8H KC", "2C"], barred="KC")
    assert "meld 5H 6H 7H" in legal(before)
    assert "meld 5H 6H 7H 8H" not in legal(before)


def test_rule_8_earlier_melds_do_not_matter_for_going_out() -> None:
    before = position(hands=["8H", "KC AD"], melds=["5H 6H 7H"], laid_before=[0])
    assert scores(before, (0, "layoff meld_0 8H")) == (21, -21)


def test_rule_9_an_empty_stock_leaves_the_pile_or_turning_it_over() -> None:
    before = position(hands=["KS", "2C"], stock="", pile="8C JD 2H", phase="draw")
    assert legal(before) == {"flip", "draw pile"}


def test_rule_9_the_pile_is_turned_over_unshuffled() -> None:
    before = position(hands=["KS", "2C"], stock="", pile="8C JD 2H", phase="draw")
    after = play(before, (0, "flip"))
    assert (after["hands"][0], after["stock"], after["pile"]) == (["KS", "8C", "JD"], ["2H"], [])


def test_rule_9_cards_drawn_after_turning_over_are_not_barred() -> None:
    before = position(hands=["KS", "2C"], stock="", pile="8C JD 2H", phase="draw")
    assert legal(play(before, (0, "flip"))) == {"discard KS", "discard 8C", "discard JD"}


def test_rule_9_a_draw_goes_on_in_the_turned_over_pile() -> None:
    before = position(hands=["KS", "2C"], stock="4D", pile="8C JD 2H", phase="draw")
    after = play(before, (0, "draw stock"))
    assert (after["hands"][0], after["stock"], after["pile"]) == (["KS", "4D", "8C"], ["JD", "2H"], [])


@pytest.mark.parametrize(
    ("stock", "pile", "draw"), [("", "6S", "flip"), ("6S", "", "draw stock")], ids=["pile", "stock"]
)
def test_rule_10_a_thin_turn_draws_the_one_card_there_is(stock: str, pile: str, draw: str) -> None:
    before = position(hands=["KS", "2C"], stock=stock, pile=pile, phase="draw")
    after = play(before, (0, draw))
    assert (after["hands"][0], after["thin_turns"]) == (["KS", "6S"], 1)


def test_rule_10_two_cards_in_stock_and_pile_make_no_thin_turn() -> None:
    before = position(hands=["KS", "2C"], stock="6S", pile="7S", phase="draw")
    assert play(before, (0, "draw stock"))["thin_turns"] == 0


def test_rule_10_the_block_is_looked_for_after_the_discard() -> None:
    before = position(hands=["KH", "8C"], stock="", pile="6S", phase="draw", thin_turns=5)
    drawn = reach(before, (0, "flip"))
    assert (drawn.thin_turns, BOATHOUSE.result(drawn)) == (6, None)
    assert scores(before, (0, "flip"), (0, "discard KH")) == (2, -2)


def test_rule_10_who_goes_out_in_the_last_thin_turn_wins() -> None:
    before = position(hands=["3S 3H", "8C"], stock="", pile="3D", phase="draw", thin_turns=5)
    assert scores(before, (0, "flip"), (0, "meld 3S 3H 3D"), rummy_double="off") == (8, -8)


@pytest.mark.parametrize(
    ("left", "paid"),
    [
        ("AC", 11),
        ("KC", 10),
        ("QC", 10),
        ("JC", 10),
        ("10C", 10),
        ("9C", 9),
        ("2C", 2),
        ("7S 7H 7D KC", 10),
        ("QH KH AH 2H 5C", 5),
        ("AS 2S 2H 2D 3S 4S 5S", 4),
        ("6C 7C 8C", 0),
    ],
)
def test_rule_11_the_unmatched_cards_of_the_cheapest_division_are_paid(left: str, paid: int) -> None:
    before = position(hands=["9S 9H 9D", left], stock="", pile="", laid_before=[0])
    assert scores(before, (0, "meld 9S 9H 9D")) == (paid, -paid)


def test_rule_11_melds_on_the_table_do_not_help() -> None:
    before = position(hands=["3S 3H 3D", "8H"], melds=["5H 6H 7H"], laid_before=[0])
    assert scores(before, (0, "meld 3S 3H 3D")) == (8, -8)


def test_rule_11_every_other_player_pays_the_winner() -> None:
    before = position(hands=[WINNING, "KH AD", "5C"], laid_before=[0])
    assert scores(before, *OUT) == (26, -21, -5)


def test_rule_12_rummy_is_paid_double() -> None:
    assert scores(position(hands=[WINNING, "KH AD", "5C"]), *OUT) == (52, -42, -10)


def test_rule_12_what_others_laid_before_does_not_matter() -> None:
    assert scores(position(hands=[WINNING, "KH AD"], laid_before=[1]), *OUT) == (42, -42)


def test_rule_12_a_lay_off_in_an_earlier_turn_is_no_rummy() -> None:
    before = position(hands=["7H 9S 9H 9D 2C", "KH 5D 3C"], stock="JS QS 9C KC", melds=["4H 5H 6H"])
    first = ((0, "layoff meld_0 7H"), (0, "discard 2C"), (1, "draw stock"), (1, "discard JS"))
    then = ((0, "draw stock"), (0, "meld 9S 9H 9D 9C"), (0, "discard KC"))
    assert scores(before, *first, *then) == (28, -28)


def test_rule_13_the_lowest_of_a_blocked_hand_collects_the_differences() -> None:
    hands = ["KH 3S 3H 3D", "KC QC 10D 7H", "AH AD KD QS JH", "8C 6D"]
    before = position(hands=hands, stock="", pile="6S", turn=3, phase="draw", thin_turns=11)
    assert scores(before, (3, "flip"), (3, "discard 6S")) == (73, -27, -42, -4)


def test_rule_13_a_tie_for_lowest_is_void() -> None:
    before = position(hands=["KH", "KC", "AD 9C"], stock="", pile="6S", turn=2, phase="draw", thin_turns=8)
    assert scores(before, (2, "flip"), (2, "discard 6S")) == (0, 0, 0)


def test_rule_13_a_void_hand_counts_as_played() -> None:
    before = position(
        hands=["KH", "QC"], stock="", pile="6S", phase="draw", thin_turns=5, hand=2, ledger=[4, -4]
    )
    assert scores(before, (0, "flip"), (0, "discard 6S"), hands="2") == (4, -4)


def test_rule_14_the_ledger_goes_on_through_the_series() -> None:
    before = position(hands=[WINNING, "7S 5D"], laid_before=[0], hand=3, ledger=[-30, 30])
    assert scores(before, *OUT, hands="3") == (-18, 18)


@pytest.mark.parametrize(
    ("hand", "out"), [(WINNING, OUT), ("9S 9H 9D", OUT[:1])], ids=["out with a discard", "out without one"]
)
def test_a_new_hand_begins_afresh(hand: str, out: tuple[Step, ...]) -> None:
    before = position(hands=[hand, "7S 5D"], melds=["4H 5H 6H"], thin_turns=2, laid_before=[1])
    after = reach(replace(load(before, hands="2"), known_cards=((), cards("7S"))), *out)
    assert (after.hand_number, after.melds, after.thin_turns, after.barred) == (2, (), 0, ())
    assert (after.laid_before, after.laid_now, after.known_cards) == ((False, False), False, ((), ()))


def test_option_closed_goes_out_at_once_and_never_double() -> None:
    before = position(hands=["5H 6H 7H 9S 9H 9D 8D", "KC AD", "5C"])
    assert scores(before, (0, "out 5H+6H+7H 9S+9H+9D 8D"), going_out="closed") == (26, -21, -5)


def test_option_closed_needs_no_discard() -> None:
    before = position(hands=["5H 6H 7H", "2C"])
    assert scores(before, (0, "out 7H+6H+5H"), going_out="closed") == (2, -2)


def test_option_closed_lists_ways_out_and_discards() -> None:
    before = position(hands=["5H 6H 7H 8H", "2C"])
    assert legal(before, going_out="closed") == {
        "out 5H+6H+7H 8H",
        "out 6H+7H+8H 5H",
        "out 5H+6H+7H+8H",
        *(f"discard {card}" for card in ("5H", "6H", "7H", "8H")),
    }


def test_option_closed_composes_a_way_out_word_by_word() -> None:
    state = load(position(hands=["5H 6H 7H 9S 9H 9D 8D", "2C"]), going_out="closed")
    assert BOATHOUSE.choices(state, 0, ("out",)) == Choices(("9S+9H+9D",), False)
    assert BOATHOUSE.choices(state, 0, ("out", "9S+9H+9D")).words == ("5H+6H+7H",)
    assert BOATHOUSE.choices(state, 0, ("out", "9S+9H+9D", "5H+6H+7H")) == Choices(("8D",), False)
    assert BOATHOUSE.choices(state, 0, ("out", "9S+9H+9D", "5H+6H+7H", "8D")) == Choices((), True)


def test_option_reshuffle_starts_from_the_pile_in_canonical_order() -> None:
    before = position(hands=["KS", "2C"], stock="", pile="8C JD 2H 5S 9D", phase="draw")
    after = play(before, (0, "flip"), flip="reshuffle")
    expected = reference.shuffled(b"", "deck:2", ["5S", "2H", "9D", "JD", "8C"])
    assert (after["hands"][0][1:], after["stock"]) == (expected[:2], expected[2:])


def test_option_rummy_double_off() -> None:
    assert scores(position(hands=[WINNING, "KH AD"]), *OUT, rummy_double="off") == (21, -21)


@pytest.mark.parametrize(
    ("hand", "barred", "card"),
    [
        ("5H 6H 7H KC AD", "", "AD"),
        ("5H 6H 7H KC AD 3C", "AD KC", "3C"),
        ("5H 6H 7H", "", "7H"),
        ("QS QC JD KD", "", "QC"),
        ("KD JC QC", "", "QC"),
    ],
    ids=["dearest", "not barred", "all melded", "clubs first", "higher rank first"],
)
def test_timeout_discards(hand: str, barred: str, card: str) -> None:
    state = load(position(hands=[hand, "2C"], barred=barred))
    assert str(BOATHOUSE.timeout(state, 0)) == f"discard {card}"


def test_timeout_draws_from_the_stock_or_turns_the_pile_over() -> None:
    states = [load(position(hands=["KS", "2C"], stock=stock, phase="draw")) for stock in (STOCK, "")]
    assert [str(BOATHOUSE.timeout(state, 0)) for state in states] == ["draw stock", "flip"]


def test_a_rematch_takes_over_who_deals() -> None:
    end = reach(position(hands=[WINNING, "KH AD", "5C"], dealer=1), *OUT)
    assert BOATHOUSE.carry(end) == {"dealer": 2}
    again = BOATHOUSE.new(3, b"seed", {}, BOATHOUSE.carry(end))
    assert (again.dealer, again.turn, again.ledger) == (2, 0, (0, 0, 0))


def test_order_of_cards_means_nothing() -> None:
    before = position(hands=["5H 6H 7H KC", "2C"])
    texts = [str(BOATHOUSE.act(load(before), 0, said)[0]) for said in ("meld 7h 5♥ 6H", "MELD 6H 7H 5H")]
    assert texts == ["meld 5H 6H 7H"] * 2


def test_a_meld_is_named_in_any_case() -> None:
    state = load(position(hands=["9C KC", "2C"], melds=["9S 9H 9D"]))
    assert str(BOATHOUSE.act(state, 0, "LayOff MELD_0 9♣")[0]) == "layoff meld_0 9C"


@pytest.mark.parametrize(
    ("text", "json"),
    [
        ("meld 5H 6H 7H", message(0, "meld", cards=["5H", "6H", "7H"])),
        ("layoff meld_0 9C", message(0, "layoff", meld="meld_0", cards=["9C"])),
        ("discard KC", message(0, "discard", card="KC")),
    ],
)
def test_text_and_message(text: str, json: dict[str, Any]) -> None:
    state = load(position(hands=["5H 6H 7H 9C KC", "2C"], melds=["9S 9H 9D"]))
    move = BOATHOUSE.act(state, 0, text)[0]
    assert (BOATHOUSE.act(state, 0, json)[0], BOATHOUSE.write_json(state, 0, move)) == (move, json)


def test_the_state_message() -> None:
    view = BOATHOUSE.view(load(position(hands=["KS 7D", "2C"], melds=["9S 9H 9D"], barred="7D")), None)
    assert BOATHOUSE.message(view) == {
        "type": "state",
        "turn": "p1",
        "phase": "play",
        "handSizes": [2, 1],
        "stockSize": 3,
        "pile": ["4C"],
        "melds": [{"name": "meld_0", "cards": ["9S", "9H", "9D"], "by": 1}],
        "barred": ["7D"],
        "laidBefore": [False, False],
        "laidNow": False,
        "thinTurns": 0,
        "dealer": 1,
        "hand": 1,
        "ledger": [0, 0],
        "result": None,
    }


def test_a_view_knows_who_took_what_from_the_pile() -> None:
    before = position(hands=["KS 7D", "2C"], pile="4C 9H", phase="draw")
    state = reach(before, (0, "draw pile"), (0, "discard KS"))
    assert BOATHOUSE.view(state, 1).known_cards == (("9H", "4C"), ())


def test_a_view_forgets_cards_that_leave_a_hand() -> None:
    before = position(hands=["KS 9S 9D", "2C"], pile="4C 9H", phase="draw")
    state = reach(before, (0, "draw pile"), (0, "meld 9S 9H 9D"))
    assert BOATHOUSE.view(state, 1).known_cards == (("4C",), ())


def test_rule_12_what_was_laid_once_counts_in_every_later_turn() -> None:
    after = play(position(hands=["KC 9D", "2C"], laid_before=[0]), (0, "discard KC"))
    assert after["laid_before"] == [True, False]


def test_only_the_drawer_sees_a_card_from_the_stock() -> None:
    state = reach(position(hands=["KS", "2C"], phase="draw"), (0, "draw stock"))
    assert [BOATHOUSE.view(state, seat).drawn for seat in (0, 1, None)] == [("AC", "10S"), (), ()]


def test_the_news_of_a_draw() -> None:
    assert news(position(hands=["KS", "2C"], phase="draw"), (0, "draw stock")) == [
        (None, "Ana draws 2 cards from the stock."),
        (0, "You draw AC and 10S."),
    ]


def test_the_news_of_payments_is_one_event_to_keep() -> None:
    before = position(hands=["KC", "KH AD", "6C 7C 8C"], laid_before=[0])
    assert [event.keep for event in events(before, (0, "discard KC"))] == [False, True]
    assert public_news(before, (0, "discard KC"))[1] == (
        "Ana is out. Ben pays 21 points for AD and KH. Cas pays nothing: all cards are in melds."
    )


def test_the_news_of_a_rummy() -> None:
    assert public_news(position(hands=["KC", "KH AD"]), (0, "discard KC"))[1] == (
        "Ana is out in a single turn. Rummy: everybody pays double. Ben pays 42, twice 21, for AD and KH."
    )


def test_the_news_of_a_blocked_hand() -> None:
    before = position(hands=["KH 6S", "8C"], stock="", thin_turns=6)
    assert public_news(before, (0, "discard KH"))[1] == (
        "The hand is blocked. Ana has the fewest points, 6, and collects the difference. "
        "Ben has 8 and pays 2 points."
    )


@pytest.mark.parametrize("value", ["open", "closed"])
@pytest.mark.parametrize(("seats", "warned"), [(2, False), (3, False), (4, True), (5, True), (6, True)])
def test_players_are_warned_of_tables_that_often_block(value: str, seats: int, warned: bool) -> None:
    option = next(option for option in BOATHOUSE.options if option.name == "going_out")
    assert (option.warning(value, seats) is not None) is warned
