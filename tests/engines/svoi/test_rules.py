"""The rules of Svoi Kozyri, clause by clause; the numbers are those of the rule book."""

from __future__ import annotations

import pytest

from engines.cards import SUITS, Card, cards
from engines.position import BadPosition
from engines.shuffle import SeededRandom, shuffle
from engines.svoi.deck import DECK, beats, cheapest_first, deal, mirror, take_size
from engines.svoi.history import count_occurrences
from engines.svoi.state import State
from engines.values import replace
from tests import luck
from tests.engines.svoi.positions import at, choosing, events, game, hands, legal, public_news, reach


def test_the_deck_has_36_cards_in_canonical_order() -> None:
    assert " ".join(DECK[:9]) == "AS 6S 7S 8S 9S 10S JS QS KS"
    assert [card.suit for card in DECK[::9]] == list(SUITS)
    assert len(DECK) == 36


def test_1_the_dealer_of_a_first_game_is_drawn_at_random() -> None:
    for seed in (b"a", b"b", b"c", b"d"):
        assert game.new(2, seed, {}).dealer == SeededRandom(seed, "start").draw(2)


def test_1_the_dealer_chooses_first() -> None:
    assert [game.new(2, b"x", {}, {"dealer": dealer}).turn for dealer in (0, 1)] == [0, 1]


def test_1_nothing_is_dealt_before_both_have_chosen() -> None:
    state = reach(choosing(), "trump H")
    assert (state.phase, state.hands, state.trumps) == ("trumps", ((), ()), ("H", None))


def test_1_the_suits_must_differ() -> None:
    assert legal(reach(choosing(), "trump H")) == {"trump S", "trump D", "trump C"}


@pytest.mark.parametrize("spelling", ["trump h", "TRUMP H", "trump ♥", "trump ♡"])
def test_1_a_suit_may_be_spelled_in_any_case_and_by_its_symbol(spelling: str) -> None:
    assert reach(choosing(), spelling).trumps == ("H", None)


def test_2_all_cards_are_dealt_block_by_block_from_the_shuffle() -> None:
    state = reach(choosing(seed=b"luck"), "trump H", "trump S")
    assert state.hands[0] + state.hands[1] == shuffle(b"luck", DECK)
    assert list(map(len, state.hands)) == [18, 18]


def test_2_a_loaded_position_deals_from_a_fixed_seed() -> None:
    position = {"phase": "trumps", "trumps": ["D", None], "turn": 1}
    dealt = [reach(game.load(position, 2, {}), "trump S").hands for _ in range(2)]
    assert dealt[0] == dealt[1]
    assert list(map(len, dealt[0])) == [18, 18]


@pytest.mark.parametrize("dealer", [0, 1])
def test_3_the_non_dealer_leads(dealer: int) -> None:
    state = reach(choosing(dealer), "trump H", "trump S")
    assert (state.phase, state.turn) == ("play", 1 - dealer)


def test_3_the_loser_deals_next() -> None:
    assert game.carry(reach(at("7C", "8D 9D"), "lead 7C")) == {"dealer": 1}
    assert game.carry(reach(at("8D 9D", "7C", turn=1), "lead 7C")) == {"dealer": 0}


def test_3_after_a_draw_the_deal_alternates() -> None:
    drawn = reach(at("7C", "8C"), "lead 7C")
    assert drawn.dealer == 1
    assert game.carry(drawn) == {"dealer": 0}


def test_3_a_rematch_begins_with_the_dealer_carried() -> None:
    ended = (reach(at("7C", "8D 9D"), "lead 7C"), reach(at("8D 9D", "7C", turn=1), "lead 7C"))
    assert [game.new(2, b"seed", {}, game.carry(state)).dealer for state in ended] == [1, 0]


def test_4_on_an_empty_pile_any_one_card_is_laid() -> None:
    state = at("7C KD 6H", "8D 9S")
    assert legal(state) == {"lead 7C", "lead KD", "lead 6H"}
    assert reach(state, "lead KD").pile == cards("KD")


@pytest.mark.parametrize(
    ("card", "top", "trump", "beaten"),
    [
        ("10C", "9C", "H", True),
        ("AC", "KC", "H", True),
        ("8C", "9C", "H", False),
        ("6C", "AC", "H", False),
        ("6H", "AC", "H", True),
        ("6H", "7H", "H", False),
        ("8H", "7H", "H", True),
        ("AC", "7H", "H", False),
        ("AS", "9C", "H", False),
        ("AD", "9C", "H", False),
    ],
)
def test_5_what_beats_what(card: str, top: str, trump: str, beaten: bool) -> None:
    assert beats(Card(card), Card(top), trump) == beaten


def test_5_beating_and_second_card_are_one_action() -> None:
    state = reach(at("KH 8H", "JC 6D 7S AH", "7D 9C", turn=1), "beat JC 6D")
    assert (state.pile, state.hands[1], state.turn) == (cards("7D 9C JC 6D"), cards("7S AH"), 0)


def test_5_the_second_card_may_be_of_any_kind() -> None:
    state = at("KH 8H", "JC 6D 7S AH", "7D 9C", turn=1)
    assert {move for move in legal(state) if "beat JC" in move} == {
        "beat JC 6D",
        "beat JC 7S",
        "beat JC AH",
    }


def test_5_nobody_has_to_follow_suit() -> None:
    assert "beat 7S 6D" in legal(at("KH 8H", "JC 6D 7S AH", "7D 9C", turn=1))


def test_5_the_opponents_trump_means_nothing() -> None:
    assert legal(at("KH 8H", "8C AH 6D", "7D 9C", turn=1)) == {"take"}


def test_5_with_a_single_card_beating_alone_is_right() -> None:
    assert legal(at("KD 7C", "QD", "6C 10D", turn=1)) == {"beat QD"}


def test_5_a_player_who_can_beat_may_not_take() -> None:
    assert "take" not in legal(at("KH 8H", "JC 6D", "7D 9C", turn=1))


def test_5_with_the_option_a_player_who_can_beat_may_take() -> None:
    assert legal(at("KH 8H", "JC 6D", "7D 9C", turn=1, voluntary_take="on")) == {"beat JC 6D", "take"}


@pytest.mark.parametrize(
    ("pile", "size"),
    [
        ("6C 8D 9D KD AC", 3),
        ("9D KD AD", 3),
        ("9D", 1),
        ("6C 7D 9S 10S 8C QC KH", 5),
        ("8D KH", 2),
        ("6C 7D 9S 10S 8C QC KS 8D 9D AH", 10),
        ("6C 7D 9S 10S 8C AS", 3),
    ],
)
def test_6_how_many_cards_are_taken(pile: str, size: int) -> None:
    assert take_size(cards(pile), "H") == size


def test_6_the_top_cards_go_to_the_hand() -> None:
    state = reach(at("7C 8S", "QS 10S", "6C 8D 9D KD AC"), "take")
    assert (state.pile, hands(state)[0]) == (cards("6C 8D"), {"7C", "8S", "9D", "KD", "AC"})


def test_6_the_other_player_must_then_beat_the_new_top_card() -> None:
    assert legal(reach(at("7C 8S", "QS 10S", "6C 8D 9D KD AC"), "take")) == {"beat 10S QS", "beat QS 10S"}


def test_6_on_an_empty_pile_the_other_player_leads_next() -> None:
    assert legal(reach(at("7C 8S", "QS 10S", "9D"), "take")) == {"lead 10S", "lead QS"}


def test_7_a_player_without_cards_wins() -> None:
    result = game.result(reach(at("KD 7C", "QD", "6C 10D", turn=1), "beat QD"))
    assert result is not None
    assert result.to_json() == {"scores": [0, 1], "winners": [1]}


def test_7_one_card_that_beats_makes_a_draw() -> None:
    state = reach(at("KD", "QD", "6C 10D", turn=1), "beat QD")
    result = game.result(state)
    assert result is not None
    assert result.to_json() == {"scores": [0, 0], "winners": [0, 1]}
    assert (state.hands, state.pile[-1]) == (((), ()), "KD")


def test_7_one_card_that_does_not_beat_stays_in_hand() -> None:
    assert reach(at("JD", "QD", "6C 10D", turn=1), "beat QD").hands == (cards("JD"), ())


def test_7_the_last_reply_may_beat_with_a_trump_of_its_own_player() -> None:
    assert reach(at("6H", "QD", "6C 10D", turn=1), "beat QD").hands == ((), ())
    assert reach(at("6S", "QD", "6C 10D", turn=1), "beat QD").hands == (cards("6S"), ())


def test_7_a_last_lead_and_a_last_second_card_count_too() -> None:
    assert reach(at("9C", "7S 6C", "8D KD", turn=1), "beat 7S 6C").hands == ((), ())
    assert reach(at("9D", "6D", turn=1), "lead 6D").hands == ((), ())


@pytest.mark.parametrize(
    ("left", "drawn"), [("KD", True), ("7C KD", True), ("7C 8C", False), ("7C KD AD", False)]
)
def test_7_last_reply_two(left: str, drawn: bool) -> None:
    state = reach(at(left, "QD", "6C 10D", turn=1, last_reply="two"), "beat QD")
    assert (state.hands[0] == ()) == drawn


def test_7_last_reply_two_lays_the_beating_card_first_and_the_cheaper_of_two() -> None:
    for left, pile in (("7C KD", "KD 7C"), ("6H KD", "KD 6H"), ("AD KD", "KD AD"), ("7H 6H", "6H 7H")):
        state = reach(at(left, "QD", "6C 10D", turn=1, last_reply="two"), "beat QD")
        assert state.pile == cards("6C 10D QD") + cards(pile)


def test_7_last_reply_one_leaves_two_cards_alone() -> None:
    assert reach(at("7C KD", "QD", "6C 10D", turn=1), "beat QD").hands == (cards("7C KD"), ())


def test_7_last_reply_off() -> None:
    assert reach(at("KD", "QD", "6C 10D", turn=1, last_reply="off"), "beat QD").hands == (cards("KD"), ())


ROUND = ("beat 8C 7H", "take", "lead JS", "beat 7H 8C", "take", "lead 6C")
"""Six actions that lead back to the same position."""


def around() -> list[int]:
    """How often each position has come up, over two rounds."""
    state = at("AC", "7H 8C JD JS", "6C", turn=1)
    counts = [count_occurrences(state.past, state.pile)]
    for action in ROUND * 2:
        state = reach(state, action)
        counts.append(count_occurrences(state.past, state.pile))
    return counts


def test_8_a_loaded_position_has_come_up_once() -> None:
    assert around()[0] == 1


def test_8_positions_are_counted() -> None:
    assert around() == [1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 3]


def test_8_the_third_time_is_a_draw() -> None:
    state = reach(at("AC", "7H 8C JD JS", "6C", turn=1), *ROUND, *ROUND[:-1])
    assert game.result(state) is None
    result = game.result(reach(state, ROUND[-1]))
    assert result is not None
    assert result.to_json() == {"scores": [0, 0], "winners": [0, 1]}


def test_8_an_imagined_third_time_is_a_draw_too() -> None:
    before = reach(at("AC", "7H 8C JD JS", "6C", turn=1), *ROUND, *ROUND[:-1])
    for state in (before, reach(before, ROUND[-1])):
        assert game.result(game.imagine(game.view(state, 0), luck.rng())) == game.result(state)


@pytest.mark.parametrize(("second", "count"), [("8C", 2), ("AC", 1)])
def test_8_another_card_in_a_hand_makes_another_position(second: str, count: int) -> None:
    """The pile is 6C again and Bob is to act; if Ana has laid AC instead of 8C, Bob holds it now."""
    piles = ("6C", "6C 8C 7H", "", "JS", f"JS 7H {second}", "")
    assert count_occurrences(tuple(map(cards, piles)), cards("6C")) == count


def test_8_another_player_to_act_makes_another_position() -> None:
    assert count_occurrences((cards("6C"),), cards("6C")) == 1


def test_8_three_hundred_actions_make_a_draw() -> None:
    state = replace(at("AC KD", "8D 9H"), turns=299)
    state = reach(state, "lead AC")
    assert game.result(state) is None
    assert public_news(state, "take")[-1] == "That was action number 300: it's a draw."
    result = game.result(reach(state, "take"))
    assert result is not None
    assert result.to_json() == {"scores": [0, 0], "winners": [0, 1]}


def test_8_rule_7_comes_first() -> None:
    result = game.result(reach(replace(at("7C", "8D 9S"), turns=300), "lead 7C"))
    assert result is not None
    assert result.winners == (0,)


def test_sixes_to_owner() -> None:
    for seed in map(str, range(8)):
        plain, swapped = (
            hands(reach(choosing(seed=seed.encode(), sixes_to_owner=option), "trump H", "trump S"))
            for option in ("off", "on")
        )
        assert swapped[0] == plain[0] - {"6S"} | {"6H"}
        assert swapped[1] == plain[1] - {"6H"} | {"6S"}


def test_sixes_to_owner_names_the_sixes_to_both_players_only() -> None:
    # The reader of each private event, and the number of events that the same choice caused.
    private = set()
    for seed in map(str, range(8)):
        state = reach(choosing(seed=seed.encode(), sixes_to_owner="on"), "trump H")
        private |= {
            (event.to, len(events(state, "trump S")))
            for event in events(state, "trump S")
            if event.to is not None
        }
        assert public_news(state, "trump S")[-1] == "Both players now have the six of their own trumps."
    # Three public events, and one for each player for each six that changes hands.
    assert private == {(0, 5), (1, 5), (0, 7), (1, 7)}


def test_mirrored_deal_gives_each_card_its_mirror_in_the_other_hand() -> None:
    state = reach(choosing(mirrored_deal="on"), "trump D", "trump S")
    assert {mirror(card, state.trumps) for card in state.hands[0]} == set(state.hands[1])


def test_mirrored_deal_can_be_recomputed_from_the_seed() -> None:
    """The pair of the two trump suits is drawn first, in deck order; 0 gives seat 0 the pair's first suit."""
    draws = SeededRandom(b"seed", "mirror")
    wanted = {
        rank + suits[draws.draw(2)]
        for suits in ("DS", "HC")
        for rank in ("A", "6", "7", "8", "9", "10", "J", "Q", "K")
    }
    assert set(deal(b"seed", ("D", "S"), mirrored=True)[0]) == wanted


def test_the_clock_chooses_the_first_free_suit() -> None:
    state = choosing()
    assert str(game.timeout(state, 0)) == "trump S"
    assert str(game.timeout(reach(state, "trump S"), 1)) == "trump H"


def test_the_clock_leads_the_cheapest_card() -> None:
    assert str(game.timeout(at("7S 7C 6H 9D", "8D"), 0)) == "lead 7C"


def test_the_clock_beats_cheaply() -> None:
    assert str(game.timeout(at("KH", "QC JC 7S 6D AH", "7D 9C", turn=1), 1)) == "beat JC 6D"


def test_the_clock_beats_cheaply_with_the_option_to_take() -> None:
    state = at("KH", "QC JC 7S 6D AH", "7D 9C", turn=1, voluntary_take="on")
    assert str(game.timeout(state, 1)) == "beat JC 6D"


def test_the_clock_takes_when_it_must() -> None:
    assert str(game.timeout(at("7C 8S", "QS", "KD AC"), 0)) == "take"


def test_cheap_is_no_trump_then_rank_then_suit() -> None:
    held = cards("6H AS 7S 7C 7D 7H 9D")
    assert cheapest_first(held, "H") == list(cards("7C 7D 7S 9D AS 6H 7H"))


def test_each_action_is_a_turn() -> None:
    state = choosing()
    later = (state, reach(state, "trump H"), reach(state, "trump H", "trump S"))
    assert [game.turns(after) for after in later] == [1, 2, 3]


def test_the_seed_is_forgotten_once_it_has_dealt() -> None:
    state = choosing(seed=b"secret")
    assert "secret" not in repr(state)
    assert reach(state, "trump H", "trump S").seed == b""


def test_an_imagined_game_before_the_deal_has_a_seed_of_its_own() -> None:
    view = game.view(choosing(seed=b"secret"), 0)
    dealt = [reach(game.imagine(view, luck.rng(number)), "trump H", "trump S").hands for number in (1, 2)]
    assert dealt[0] != dealt[1]
    assert reach(choosing(seed=b"secret"), "trump H", "trump S").hands not in dealt


def test_a_watcher_imagines_taken_cards_in_the_hand_that_took_them() -> None:
    state = reach(choosing(), "trump H", "trump S")
    rng = luck.rng()
    while "take" not in legal(state):
        state = reach(state, str(rng.choice(list(game.moves(state, state.turn)))))
    taker, size = state.turn, take_size(state.pile, state.trumps[state.turn])
    taken = set(state.pile[-size:])
    after = reach(state, "take")
    for number in range(5):
        assert taken <= set(game.imagine(game.view(after, None), luck.rng(number)).hands[taker])


def test_a_watcher_knows_who_took_a_six() -> None:
    state = reach(at("6H KD", "8D 9D", sixes_to_owner="on"), "lead 6H", "take")
    for number in range(5):
        assert "6H" in game.imagine(game.view(state, None), luck.rng(number)).hands[1]


def test_a_watcher_knows_who_took_a_card_in_a_position_without_trumps() -> None:
    # With trumps, these house rules would tell who was dealt the card.
    options = {"mirrored_deal": "on", "sixes_to_owner": "on"}
    position = {"hands": [["6H", "KD"], ["8D", "9D"]], "turn": 0}
    state = reach(game.load(position, 2, options), "lead 6H", "take")
    for number in range(5):
        assert "6H" in game.imagine(game.view(state, None), luck.rng(number)).hands[1]


def test_a_watcher_imagines_hands_that_the_house_rules_allow() -> None:
    state = reach(choosing(mirrored_deal="on", sixes_to_owner="on"), "trump H", "trump S", "lead 6S")
    imagined = game.imagine(game.view(state, None), luck.rng())
    own, other = (set(hand) for hand in imagined.hands)
    assert {mirror(card, state.trumps) for card in own} == other | {"6S"}
    assert "6H" in own


@pytest.mark.parametrize(
    "position",
    [
        {"turn": 2},
        {"dealer": -1},
        {"dealer": 2},
        {"phase": "bidding"},
        {"trumps": ["H", "H"]},
        {"trumps": ["X", "H"]},
        {"hands": [[], [], []]},
        {"hands": [["6H"], ["6H"]]},
        {"phase": "trumps", "hands": [["6H"], []]},
        {"phase": "trumps", "trumps": ["H", "S"]},
        {"phase": "trumps", "pile": ["6H"]},
        {"colour": "red"},
    ],
)
def test_an_impossible_position_is_refused(position: dict[str, object]) -> None:
    whole = {"trumps": ["H", "S"]} | position if position.get("phase") != "trumps" else position
    with pytest.raises(BadPosition):
        game.load(whole, 2, {})


def test_a_position_without_a_dealer_was_dealt_by_the_seat_before() -> None:
    assert [at("7C", "8C", turn=turn).dealer for turn in (0, 1)] == [1, 0]


def test_the_pick_up_is_explained() -> None:
    assert public_news(at("7C 8S", "QS", "6C 8D 9D KD AC"), "take") == [
        "A♣ isn't Ana's trump: Ana takes three cards, A♣, K♦, and 9♦."
    ]
    assert public_news(at("7C 8S", "QS", "KD AC"), "take") == [
        "A♣ isn't Ana's trump: three to take, but the pile has fewer. Ana takes A♣ and K♦."
    ]
    assert public_news(at("7C 8S", "QS", "6C 8D 9D KD AC KH"), "take") == [
        "K♥ is Ana's trump: Ana takes five cards, K♥, A♣, K♦, 9♦, and 8♦."
    ]
    assert public_news(at("7C 8S", "QS", "KD KH"), "take") == [
        "K♥ is Ana's trump: five to take, but the pile has fewer. Ana takes K♥ and K♦."
    ]
    assert public_news(at("7C 8S", "QS", "KD 9D AH"), "take") == [
        "A♥ is Ana's ace of trumps: Ana takes the whole pile, A♥, 9♦, and K♦."
    ]


@pytest.mark.parametrize(
    ("state", "action", "sentences"),
    [
        (at("7C KD", "QD 6H"), "lead 7C", ["Ana leads 7♣."]),
        (at("9C KD 7H", "QD 6H", "7C"), "beat 9C KD", ["Ana beats 7♣ with 9♣ and lays K♦."]),
        (at("9C KD 7H", "QD 6H", "7C"), "beat 7H KD", ["Ana beats 7♣ with the trump 7♥ and lays K♦."]),
        (
            at("9C", "QD 6H", "7C"),
            "beat 9C",
            ["Ana beats 7♣ with their last card, 9♣.", "Ana has no cards left."],
        ),
        (
            at("7H", "8D", "7C"),
            "beat 7H",
            ["Ana beats 7♣ with their last card, the trump 7♥.", "Ana has no cards left."],
        ),
        (
            at("7C", "8C"),
            "lead 7C",
            [
                "Ana leads 7♣.",
                "Ana has no cards left.",
                "But Bob's only card, 8♣, beats 7♣: it's a draw.",
            ],
        ),
        (
            at("7C", "8C 6D", last_reply="two"),
            "lead 7C",
            [
                "Ana leads 7♣.",
                "Ana has no cards left.",
                "But Bob has only two cards, beats 7♣ with 8♣ and lays 6♦: it's a draw.",
            ],
        ),
    ],
)
def test_the_sentences_of_an_action(state: State, action: str, sentences: list[str]) -> None:
    assert public_news(state, action) == sentences


def test_the_opening_says_who_deals_and_chooses() -> None:
    (event,) = game.opening(choosing(1))
    assert (event.text.message, event.to) == ("{who} deals and chooses a trump suit first.", None)


def test_the_deal_is_announced_when_trumps_are_chosen() -> None:
    assert public_news(reach(choosing(), "trump H"), "trump S") == [
        "Bob chooses spades as trumps.",
        "All 36 cards are dealt, 18 each. Bob leads.",
    ]


def test_a_draw_by_repetition_is_announced() -> None:
    state = reach(at("AC", "7H 8C JD JS", "6C", turn=1), *ROUND, *ROUND[:-1])
    assert (
        public_news(state, "lead 6C")[-1] == "The same position has come up for the third time: it's a draw."
    )


def test_the_state_message_shows_sizes_of_hands() -> None:
    state = reach(at("7C KD 6H", "8D 9S"), "lead 7C")
    assert game.message(game.view(state, None)) == {
        "type": "state",
        "turn": "p2",
        "phase": "play",
        "trumps": ["H", "S"],
        "handSizes": [2, 2],
        "pile": ["7C"],
        "dealer": 1,
        "result": None,
    }


def test_the_hand_message() -> None:
    state = at("7C KD 6H", "8D 9S")
    assert game.message(game.view(state, 1)) == {"type": "hand", "playerId": "p2", "hand": ["8D", "9S"]}
