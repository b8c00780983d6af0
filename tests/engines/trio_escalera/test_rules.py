"""The rules of Trío y Escalera, clause by clause; the numbers are those of ``RULES.md``."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest

from bot.i18n import Speech
from bot.pages.menus.menu import PageRoom, menu
from engines.cards import Card, cards
from engines.game import IllegalMove, Move, Result, Text
from engines.shuffle import SeededRandom, shuffle
from engines.trio_escalera.dice import starter, throw_dice
from engines.trio_escalera.effects import points
from engines.trio_escalera.groups import Group, numbers_after, pieces
from engines.trio_escalera.moves import movements
from engines.trio_escalera.rules import game
from engines.trio_escalera.state import DECK, Add, State
from tests import luck
from tests.engines.trio_escalera.positions import events, groups, hand, position, reach, refusal

RUN = "AHr 2Hr 3Hr 4Hr 5Hr 6Hr 7Hr 8Hr 9Hr 10Hr JHr QHr KHr"


def spelled(text: str) -> tuple[Card, ...]:
    return tuple(map(Card, text.split()))


def left(run: str, gone: str, ace: str = "low_or_high") -> list[str]:
    """What is left of a run of hearts, its ranks alone."""
    rest = pieces(spelled(run), set(spelled(gone)), ace)  # type: ignore[arg-type]
    return [" ".join(card.rank for card in piece) for piece in rest]


def legal(*cards: str, **options: str) -> bool:
    return refusal(position(" ".join(cards), options=options), "lay " + " ".join(cards)) == ""


def is_accepted(state: State, action: str) -> bool:
    """Whether the first seat may act so; `refusal` also writes each reason, which is slow for thousands."""
    try:
        game.act(state, 0, action)
    except IllegalMove:
        return False
    return True


def test_1_each_player_gets_eight_cards_block_by_block() -> None:
    state = game.new(3, b"seed", {})
    shuffled = shuffle(b"seed", DECK)
    assert [set(dealt) for dealt in state.hands] == [set(shuffled[n : n + 8]) for n in (0, 8, 16)]
    assert state.stock == shuffled[24:]


def test_1_the_option_sets_the_size_of_the_hands() -> None:
    state = game.new(6, b"seed", {"hand_size": "12"})
    assert ([len(dealt) for dealt in state.hands], len(state.stock)) == ([12] * 6, 32)


def test_1_there_are_104_different_cards() -> None:
    assert (len(DECK), len(set(DECK))) == (104, 104)


def test_2_the_highest_throw_starts() -> None:
    assert starter([[3, 6, 1, 2]]) == 1


def test_2_only_those_tied_for_the_highest_throw_again() -> None:
    assert starter([[6, 6, 2], [3, 5]]) == 1
    assert starter([[2, 6, 6], [1, 1], [4, 2]]) == 1


def test_2_the_dice_come_from_the_seed_seat_by_seat_and_round_by_round() -> None:
    for seed in (b"1", b"2", b"3", b"4", b"5"):
        dice = SeededRandom(seed, "dice")
        rounds = throw_dice(seed, 4)
        assert [throw for throws in rounds for throw in throws] == [
            dice.draw(6) + 1 for throws in rounds for _ in throws
        ]
        assert rounds[-1].count(max(rounds[-1])) == 1
        for throws, again in pairwise(rounds):
            assert len(again) == throws.count(max(throws))


def test_2_every_throw_is_announced_and_in_every_view() -> None:
    seed = next(b"%d" % n for n in range(99) if len(throw_dice(b"%d" % n, 3)) == 2)
    state = game.new(3, seed, {})
    announced = [event.text.args["throws"] for event in game.opening(state) if "throws" in event.text.args]
    assert [[throw.args["n"] for throw in thrown] for thrown in announced] == [list(r) for r in state.rounds]  # type: ignore[union-attr]
    assert {game.view(state, seat).rounds for seat in (None, 0, 1, 2)} == {state.rounds}
    assert "rounds" not in game.dump(state)


def test_2_turns_go_clockwise() -> None:
    state = position("2Cb 9Dr", seats=3, turn=2)
    assert reach(state, (2, "draw"), (2, "end")).turn == 0


def test_3_no_player_has_opened_at_the_start() -> None:
    assert game.new(4, b"seed", {}).on == (False,) * 4


@pytest.mark.parametrize(
    ("cards", "is_trio"),
    [
        ("KSr KHb KDb", True),
        ("KSr KSb KHb KDb", True),
        ("7Sr 7Hr 7Dr 7Cr 7Sb 7Hb 7Db 7Cb", True),
        ("KSr KSb KDb", False),
        ("KSr KSb KDb KDr", False),
        ("KSr KHb", False),
        ("KSr KHb QDb", False),
    ],
)
def test_4_a_trio_is_three_to_eight_of_a_rank_in_three_suits(cards: str, is_trio: bool) -> None:
    assert legal(*cards.split()) is is_trio


@pytest.mark.parametrize(
    ("cards", "is_run"),
    [
        ("5Hr 3Hb 4Hr", True),
        ("AHr 2Hr 3Hr", True),
        ("QHr KHb AHr", True),
        (RUN, True),
        ("4Hr 5Hr", False),
        ("3Hr 4Hr 5Dr", False),
        ("3Hr 3Hb 4Hr 5Hr", False),
        ("3Hr 4Hr 6Hr", False),
        ("KHr AHr 2Hr", False),
        ("2Hr 3Hr 4Hr 5Hr 6Hr 7Hr 8Hr 9Hr 10Hr JHr QHr KHr AHr AHb", False),
    ],
)
def test_5_an_escalera_is_three_or_more_in_sequence_of_a_suit(cards: str, is_run: bool) -> None:
    assert legal(*cards.split()) is is_run


def test_5_with_low_the_ace_is_low_only() -> None:
    assert legal("AHr", "2Hr", "3Hr", ace="low")
    assert not legal("QHr", "KHr", "AHr", ace="low")


def test_5_with_wrap_runs_go_round_the_corner_without_a_rank_twice() -> None:
    assert legal("KHr", "AHr", "2Hr", ace="wrap")
    assert not legal(*RUN.split(), "AHb", ace="wrap")


def test_6_groups_are_named_by_one_counter_a_kind() -> None:
    state = position("7Sr 7Hr 7Dr 9Sb 9Hb 9Db 4Cr 5Cr 6Cr 2Sb")
    state = reach(state, "lay 7Sr 7Hr 7Dr", "lay 4Cr 5Cr 6Cr", "lay 9Sb 9Hb 9Db")
    assert list(groups(state)) == ["trio_0", "escalera_0", "trio_1"]


def test_6_a_number_is_never_used_again() -> None:
    state = position("8Cb 9Cb 2Sb", {"escalera_0": "5Cr 6Cr 7Cr", "escalera_1": "2Cr 3Cr 4Cr"})
    state = reach(state, "add escalera_0 2Cr 3Cr 4Cr", "lay 7Cr 8Cb 9Cb")
    assert groups(state) == {"escalera_0": "2Cr 3Cr 4Cr 5Cr 6Cr", "escalera_2": "7Cr 8Cb 9Cb"}


def test_7_a_movement_takes_cards_from_the_hand_and_from_several_groups() -> None:
    state = position("6Hb 2Db", {"trio_0": "5Hr 5Sr 5Dr 5Cr", "escalera_0": "7Hr 8Hr 9Hr 10Hr"})
    state = reach(state, "lay 5Hr 6Hb 7Hr")
    assert groups(state) == {
        "trio_0": "5Sr 5Dr 5Cr",
        "escalera_0": "8Hr 9Hr 10Hr",
        "escalera_1": "5Hr 6Hb 7Hr",
    }
    assert state.movements_left == 4


def test_7_a_movement_may_be_of_the_table_alone() -> None:
    state = position("2Hr 5Db", {"trio_0": "JSr JHr JDr JCb", "escalera_0": "8Cr 9Cb 10Cr"})
    state = reach(state, "add escalera_0 JCb")
    assert (groups(state)["escalera_0"], state.placed) == ("8Cr 9Cb 10Cr JCb", 0)


def test_7_a_group_without_cards_is_gone() -> None:
    state = position("8Cb 2Sb", {"escalera_0": "5Cr 6Cr 7Cr"})
    assert list(groups(reach(state, "lay 5Cr 6Cr 7Cr 8Cb"))) == ["escalera_1"]


def test_8_laying_a_group_from_the_hand_opens_and_the_turn_goes_on() -> None:
    state = position("2Cb 2Sb 2Hr KCb 7Dr", {"trio_0": "KSr KHb KDb"}, on=False)
    state = reach(state, "lay 2Cb 2Sb 2Hr")
    assert (state.on, state.turn, state.movements_left) == ((True, False), 0, 4)
    assert hand(reach(state, "add trio_0 KCb")) == "7Dr"


def test_8_who_has_opened_stays_open() -> None:
    state = reach(position("2Cb 2Sb 2Hr 7Dr", on=False), "lay 2Cb 2Sb 2Hr", "end")
    assert reach(state, (1, "draw"), (1, "end")).on == (True, False)


def test_9_a_run_with_a_hole_splits_at_no_cost() -> None:
    state = position("6Hb 6Dr JCr", {"escalera_0": "3Sr 4Sr 5Sb 6Sr 7Sr 8Sr 9Sb"})
    state = reach(state, "lay 6Hb 6Dr 6Sr")
    assert groups(state) == {
        "escalera_0": "3Sr 4Sr 5Sb",
        "trio_0": "6Sr 6Hb 6Dr",
        "escalera_1": "7Sr 8Sr 9Sb",
    }
    assert state.movements_left == 4


def test_9_pieces_may_be_too_short_until_the_turn_ends() -> None:
    state = position("6Hb 6Dr JCr", {"escalera_0": "5Sb 6Sr 7Sr 8Sr"})
    state = reach(state, "lay 6Hb 6Dr 6Sr")
    assert groups(state)["escalera_0"] == "5Sb"
    assert refusal(state, "end") == "table-illegal"


def test_9_an_ace_left_alone_joins_the_king() -> None:
    assert left(RUN, "2Hr") == ["3 4 5 6 7 8 9 10 J Q K A"]


def test_9_pieces_are_the_fewest_possible() -> None:
    assert left(RUN, "2Hr 5Hr") == ["6 7 8 9 10 J Q K A", "3 4"]


def test_9_on_equal_counts_the_line_from_the_ace_decides() -> None:
    assert left(RUN, "5Hr") == ["A 2 3 4", "6 7 8 9 10 J Q K"]


def test_9_with_low_an_ace_left_alone_stays_alone() -> None:
    assert left(RUN, "2Hr", "low") == ["A", "3 4 5 6 7 8 9 10 J Q K"]


def test_9_with_wrap_a_full_ring_less_one_card_stays_whole() -> None:
    assert left(RUN, "5Hr", "wrap") == ["6 7 8 9 10 J Q K A 2 3 4"]


def test_9_with_wrap_a_ring_less_two_cards_falls_into_two() -> None:
    assert left(RUN, "5Hr 9Hr", "wrap") == ["10 J Q K A 2 3 4", "6 7 8"]


def test_9_a_run_with_the_ace_high_splits_without_joining_its_ends() -> None:
    assert left("10Hr JHr QHr KHr AHr", "JHr") == ["10", "Q K A"]


def test_9_the_piece_that_begins_the_run_keeps_its_name() -> None:
    state = position("2Dr 2Cb 7Cb", {"escalera_0": RUN})
    state = reach(state, "lay 2Dr 2Cb 2Hr")
    assert groups(state)["escalera_0"] == "3Hr 4Hr 5Hr 6Hr 7Hr 8Hr 9Hr 10Hr JHr QHr KHr AHr"


def test_9_the_new_group_is_named_first_then_the_pieces_from_low_to_high() -> None:
    state = position("2Sb 7Cb", {"escalera_0": "3Cr 4Cr 5Cr 6Cr 7Cr 8Cr 9Cr 10Cr JCr QCr"})
    state = reach(state, "lay 6Cr 7Cb 8Cr")
    assert groups(state) == {
        "escalera_0": "3Cr 4Cr 5Cr",
        "escalera_1": "6Cr 7Cb 8Cr",
        "escalera_2": "7Cr",
        "escalera_3": "9Cr 10Cr JCr QCr",
    }


def test_9_several_runs_split_in_the_order_of_the_groups() -> None:
    table = {"escalera_5": "5Sr 6Sr 7Sr 8Sr 9Sr", "escalera_2": "5Hr 6Hr 7Hr 8Hr 9Hr"}
    state = reach(position("7Db 2Cb", table), "lay 7Sr 7Hr 7Db")
    assert groups(state) == {
        "escalera_5": "5Sr 6Sr",
        "escalera_2": "5Hr 6Hr",
        "trio_0": "7Sr 7Hr 7Db",
        "escalera_6": "8Sr 9Sr",
        "escalera_7": "8Hr 9Hr",
    }


def test_9_a_group_that_changes_its_kind_keeps_its_name() -> None:
    broken = position("7Db 7Cb 2Cb", {"escalera_0": "7Sr"})
    assert groups(reach(broken, "add escalera_0 7Db 7Cb")) == {"escalera_0": "7Sr 7Db 7Cb"}


def test_9_in_a_loaded_position_numbers_go_on_from_the_highest() -> None:
    assert numbers_after([Group("trio_3", ()), Group("escalera_1", ()), Group("trio_0", ())]) == (4, 2)


def test_10_table_cards_never_go_to_a_hand() -> None:
    state = position("6Hb 6Dr JCr", {"escalera_0": "3Sr 4Sr 5Sb 6Sr 7Sr 8Sr 9Sb"})
    assert hand(reach(state, "lay 6Hb 6Dr 6Sr", "reset")) == hand(state)


def test_11_drawing_commits_the_movements_before_it() -> None:
    state = position("9Cb 2Sb", {"trio_0": "9Sr 9Hr 9Dr"})
    state = reach(state, "add trio_0 9Cb", "draw")
    assert (state.placed, state.drawn, refusal(state, "reset")) == (1, "8Hr", "nothing-to-reset")


def test_11_after_a_draw_movements_stand_with_the_drawn_card_on_the_table() -> None:
    state = position("5Sr 5Hb 9Cr 2Db", on=False, stock="5Dr 8Hr")
    state = reach(state, "draw", "lay 5Sr 5Hb 5Dr", "end")
    assert (state.turn, hand(state)) == (1, "2Db 9Cr")


def test_11_the_drawn_card_may_stay_in_hand_where_nothing_was_moved_since() -> None:
    state = position("9Cb 2Sb", {"trio_0": "9Sr 9Hr 9Dr"})
    assert reach(state, "add trio_0 9Cb", "draw", "end").turn == 1


def test_11_a_drawn_card_is_announced_to_its_player_alone() -> None:
    state = position("9Cb 2Sb")
    news = events(state, (0, "draw"))
    assert [event.to for event in news if Card("8Hr") in event.text.args.values()] == [0]
    drawn = reach(state, "draw")
    assert [game.view(drawn, seat).own_draw for seat in (None, 0, 1)] == [None, "8Hr", None]


def test_12_who_has_placed_a_card_need_not_draw() -> None:
    state = position("9Cb 2Sb", {"trio_0": "9Sr 9Hr 9Dr"})
    assert reach(state, "add trio_0 9Cb", "end").turn == 1


def test_13_reset_takes_back_everything_since_the_turn_began() -> None:
    state = position("JHr QHb KHr KSb 2Db", {"trio_0": "7Sr 7Hr 7Dr"}, on=False)
    assert reach(state, "lay JHr QHb KHr", "reset") == state


def test_13_reset_takes_the_numbers_back_too() -> None:
    state = position("7Sr 7Hr 7Dr 2Sb")
    state = reach(state, "lay 7Sr 7Hr 7Dr", "reset", "lay 7Sr 7Hr 7Dr")
    assert list(groups(state)) == ["trio_0"]


def test_13_reset_goes_back_to_the_draw_and_no_further() -> None:
    state = position("9Cb 9Sb 2Sb", {"trio_0": "9Sr 9Hr 9Dr"})
    drawn = reach(state, "add trio_0 9Cb", "draw")
    assert reach(drawn, "add trio_0 9Sb", "reset") == drawn


def test_14_the_last_movement_does_not_end_the_turn() -> None:
    state = position("9Cb 2Sb", {"trio_0": "9Sr 9Hr 9Dr"}, movements_left=1)
    state = reach(state, "add trio_0 9Cb")
    assert (state.turn, state.movements_left) == (0, 0)


def test_14_the_next_turn_has_all_movements_again() -> None:
    state = position("9Cb 2Sb", {"trio_0": "9Sr 9Hr 9Dr"}, options={"movements": "3"})
    assert reach(state, "add trio_0 9Cb", "end").movements_left == 3


def test_15_an_empty_hand_at_the_end_of_a_legal_turn_wins() -> None:
    # The first hand of `OTHERS` is worth 19 points, the second 18.
    state = position("9Cb", {"trio_0": "9Sr 9Hr 9Dr"})
    state = reach(state, "add trio_0 9Cb")
    assert game.result(state) is None
    assert game.result(reach(state, "end")) == Result((19, -19), (0,))


def test_15_only_the_end_of_a_turn_wins() -> None:
    state = position("9Cb 2Db", {"trio_0": "9Sr 9Hr 9Dr"}, hands=[["9Cb", "2Db"], []])
    assert game.result(state) is None
    assert game.result(reach(state, "add trio_0 9Cb", "end")) is None


def test_16_without_stock_who_places_nothing_passes() -> None:
    state = position("KHr 3Db", stock="")
    assert reach(state, "end").passes == 1
    assert [event.text.message for event in events(state, "end")] == ["{who} passes."]


def test_16_when_all_have_passed_in_a_row_the_fewest_points_win() -> None:
    state = position("KHr 3Db", stock="", passes=1)
    assert game.result(reach(state, "end")) == Result((19, -19), (0,))


def test_16_placing_a_card_ends_the_row_of_passes() -> None:
    state = position("9Cb 2Sb", {"trio_0": "9Sr 9Hr 9Dr"}, stock="", passes=1)
    assert reach(state, "add trio_0 9Cb", "end").passes == 0


def test_16_a_turn_with_a_draw_is_no_pass() -> None:
    state = reach(position("KHr 3Db", stock="2Hr", passes=1), "draw", "end")
    assert (state.passes, game.result(state)) == (0, None)


def test_16_on_equal_points_the_fewest_cards_win() -> None:
    state = position("KHr 9Hr", stock="", passes=1)
    assert game.result(reach(state, "end")) == Result((0, 0), (0, 1))
    state = position("KHr 7Hr 2Hr", stock="", passes=1)
    assert game.result(reach(state, "end")) == Result((-19, 19), (1,))


def test_16_the_points_of_cards() -> None:
    expected = {"A": 11, "K": 10, "Q": 10, "J": 10, "10": 10, "9": 9, "2": 2}
    assert {rank: points([Card(rank + "Sr")]) for rank in expected} == expected


def test_17_a_winner_gets_what_the_non_winners_hold_and_they_lose_it() -> None:
    state = reach(position("9Cb", {"trio_0": "9Sr 9Hr 9Dr"}, seats=3), "add trio_0 9Cb", "end")
    assert game.result(state) == Result((37, -19, -18), (0,))


def test_17_those_who_share_the_win_do_not_pay_each_other() -> None:
    state = position("KHr 9Hr", stock="", passes=2, seats=3, turn=0, hands=[["KHr"], ["AHb", "9Cb"], ["QSb"]])
    assert game.result(state) is None
    assert game.result(reach(state, "end")) == Result((20, -20, 20), (0, 2))


def test_table_moves_off_leaves_cards_in_their_groups() -> None:
    state = position("QSr JSr KCr", {"trio_0": "KSr KHb KDb KSb"}, options={"table_moves": "off"})
    assert refusal(state, "lay JSr QSr KSb") == "table-moves-off"
    assert refusal(state, "add trio_0 KCr") == ""


def test_strict_wants_whole_groups_after_every_movement() -> None:
    table = {"escalera_0": "ADb 2Db 3Db 4Db 5Db"}
    state = position("KDb 4Cb 4Hb 5Cb 5Hb", table, options={"strict": "on"})
    assert refusal(state, "lay 4Cb 4Hb 4Db") == "table-illegal"
    assert "4Db" not in game.choices(state, 0, ("lay", "4Cb", "4Hb")).words
    assert refusal(reach(state, "lay 5Cb 5Hb 5Db"), "lay 4Cb 4Hb 4Db") == ""


def test_the_clock_resets_draws_and_ends() -> None:
    state = reach(position("JHr QHb KHr 2Db", on=False), "lay JHr QHb KHr")
    done = []
    while state.turn == 0:
        move = game.timeout(state, 0)
        done.append(str(move))
        state, _ = game.apply(state, 0, move)
    assert done == ["reset", "draw", "end"]


def test_the_clock_draws_nothing_where_a_card_was_placed_before_the_draw() -> None:
    state = reach(position("9Cb 2Sb", {"trio_0": "9Sr 9Hr 9Dr"}), "add trio_0 9Cb", "draw")
    assert str(game.timeout(state, 0)) == "end"
    assert str(game.timeout(position("9Cb 2Sb", placed=1), 0)) == "end"


def test_the_worked_example_of_the_rules() -> None:
    table = {"escalera_0": "5Hr 6Hr 7Hr 8Hr 9Hr 10Hr JHr"}
    state = position("KSr KHb KDb 8Sb 8Cr QHb 4Dr", table, on=False)
    state = reach(state, "lay KSr KHb KDb", "lay 8Sb 8Cr 8Hr", "add escalera_1 QHb", "end")
    assert groups(state) == {
        "escalera_0": "5Hr 6Hr 7Hr",
        "trio_0": "KSr KHb KDb",
        "trio_1": "8Sb 8Hr 8Cr",
        "escalera_1": "9Hr 10Hr JHr QHb",
    }
    assert hand(state) == "4Dr"


def full_table() -> dict[str, str]:
    """Ninety cards in short runs: the whole red pack, and most of the blue one."""
    runs = [
        " ".join(f"{rank}{suit}{back}" for rank in ranks.split())
        for back in "rb"
        for suit in "SHDC"
        for ranks in ("2 3 4", "5 6 7 8", "9 10 J", "Q K A")
    ]
    assert sum(len(run.split()) for run in runs) == 104
    kept = [
        run for run in runs if run not in ("5Sb 6Sb 7Sb 8Sb", "5Hb 6Hb 7Hb 8Hb", "2Cb 3Cb 4Cb", "QCb KCb ACb")
    ]
    assert sum(len(run.split()) for run in kept) == 90
    return {f"escalera_{n}": run for n, run in enumerate(kept)}


def press(state: State, *words: str) -> tuple[str, ...]:
    """Composes a movement by presses alone, each a button of the menu that the press before led to."""
    say = Speech("es")
    path: tuple[str, ...] = ()
    for word in words:
        shown = menu(game, state, 0, say, stamp=0, room=PageRoom(10), path=path)
        (path,) = [button.words for button in shown.items if button.words == (*path, word)]
    shown = menu(game, state, 0, say, stamp=0, room=PageRoom(10), path=path)
    (whole,) = [button.words for button in shown.items if button.done]
    return whole


def test_five_cards_of_hand_and_table_are_laid_by_presses_alone() -> None:
    state = position(
        "5Sb 6Sb 8Sb 5Hb", full_table(), stock="", hands=[["5Sb", "6Sb", "8Sb", "5Hb"], ["2Cb", "3Cb", "4Cb"]]
    )
    pressed = press(state, "lay", "5Sb", "6Sb", "8Sb", "7Sr", "9Sr")
    assert groups(reach(state, " ".join(pressed)))["escalera_28"] == "5Sb 6Sb 7Sr 8Sb 9Sr"


def test_additions_ask_for_the_group_first_as_they_are_spelled() -> None:
    state = position("7Hb JCr", {"escalera_0": "3Sr 4Sr 5Sb 6Sr", "trio_0": "7Sr 7Db 7Cb"})
    say = Speech("en")
    paths = [("add",), ("add", "trio_0"), ("add", "trio_0", "7Hb")]
    menus = [menu(game, state, 0, say, stamp=0, room=PageRoom(10), path=path) for path in paths]
    assert [[button.label for button in shown.items] for shown in menus] == [
        ["A: 3♠r–6♠r", "B: 7♠r 7♦b 7♣b"],
        ["7♥b"],
        ["Add 7♥b to B"],
    ]
    assert press(state, "add", "trio_0", "7Hb") == ("add", "trio_0", "7Hb")


def test_the_hand_is_offered_before_the_table() -> None:
    state = position("6Hb 6Dr JCr", {"escalera_0": "3Sr 4Sr 5Sb 6Sr 7Sr"})
    assert game.choices(state, 0, ("lay",)).words == ("6Hb", "6Dr", "3Sr", "4Sr", "5Sb", "6Sr", "7Sr")


def test_only_cards_that_still_lead_to_a_group_are_offered() -> None:
    state = position("6Hb 6Dr JCr", {"escalera_0": "3Sr 4Sr 5Sb 6Sr 7Sr"})
    assert game.choices(state, 0, ("lay", "6Hb")).words == ("6Dr", "6Sr")
    assert game.choices(state, 0, ("lay", "6Hb", "6Dr")) == (("6Sr",), False)
    assert game.choices(state, 0, ("lay", "6Hb", "6Dr", "6Sr")) == ((), True)


@pytest.mark.parametrize("strict", ["off", "on"])
@pytest.mark.parametrize("ace", ["low", "low_or_high", "wrap"])
@pytest.mark.parametrize(
    ("own", "table"),
    [
        ("6Hb 6Dr KSb", {"escalera_0": "3Sr 4Sr 5Sb 6Sr 7Sr", "trio_0": "KSr KHb KDb KCr"}),
        (
            "QSr 2Sr 2Hr",
            {"escalera_0": "AHr 2Hb 3Hr 4Hb", "trio_0": "ASr ADr ACr AHb", "trio_1": "2Dr 2Cr 2Sb"},
        ),
        (
            "5Sb 8Sr 4Dr",
            {"escalera_0": "3Sr 4Sr 5Sr", "escalera_1": "6Sb 7Sb 8Sb", "trio_0": "4Hr 4Cr 4Db 4Sb"},
        ),
        ("9Db 9Dr 9Sb", {"escalera_0": "10Db JDb QDb", "escalera_1": "7Hr 8Hb 9Hb"}),
    ],
)
def test_choices_offer_exactly_the_cards_of_legal_movements(
    own: str, table: dict[str, str], ace: str, strict: str
) -> None:
    state = position(own, table, options={"ace": ace, "strict": strict})
    before, refused = repr(state), dict[str, Text]()

    def accepts(words: str) -> bool:
        try:
            game.act(state, 0, words)
        except IllegalMove as illegal:
            refused.setdefault(illegal.code, illegal.reason)
            return False
        return True

    cards = [*state.hands[0], *(card for group in state.groups for card in group.cards)]
    for into in (None, *state.groups):
        others = [card for card in cards if not into or card not in into.cards]
        verb = ("add", into.name) if into else ("lay",)
        legal = [
            set(chosen)
            for n in range(1, 9)
            for chosen in combinations(others, n)
            if accepts(" ".join((*verb, *chosen)))
        ]
        for begun in ((), *((card,) for card in others)):
            wanted = set().union(*(chosen for chosen in legal if chosen.issuperset(begun))) - set(begun)
            assert set(game.choices(state, 0, (*verb, *begun)).words) == wanted
    # Checked once: `refusal` would check it for each of thousands of movements.
    assert repr(state) == before
    assert all(map(Speech("en"), refused.values()))


def test_cards_may_be_chosen_in_any_order() -> None:
    state = position("KSr QSr JSr 2Db")
    assert game.choices(state, 0, ("lay", "KSr")).words == ("JSr", "QSr")
    assert game.choices(state, 0, ("lay", "KSr", "JSr", "QSr")).done
    assert game.act(state, 0, "lay KSr JSr QSr")[0] == Move("lay", ("JSr", "QSr", "KSr"))


def test_a_player_who_has_not_opened_is_offered_hand_cards_alone() -> None:
    # To a player who has opened, 8Sr would be offered for the run, and 6Sr for the trio.
    state = position("6Hb 6Dr 6Cb 8Sr", {"escalera_0": "3Sr 4Sr 5Sb 6Sr 7Sr"}, on=False)
    assert game.choices(state, 0, ()).words == ("lay", "draw")
    assert game.choices(state, 0, ("lay",)).words == ("6Hb", "6Dr", "6Cb")


def test_a_broken_table_is_offered_to_be_mended() -> None:
    state = reach(position("6Hb 6Dr 5Hr 5Dr", {"escalera_0": "5Sb 6Sr 7Sr 8Sr 9Sr"}), "lay 6Hb 6Dr 6Sr")
    assert Add("escalera_0", cards("5Hr 5Dr")) in movements(state)


def test_a_card_is_added_to_a_group_rather_than_laid_with_cards_taken_from_it() -> None:
    state = position("KCr 2Sb", {"trio_0": "KSr KHb KDb KSb KHr"})
    assert movements(state) == (Add("trio_0", cards("KCr")),)


def test_after_a_draw_movements_with_the_drawn_card_come_first() -> None:
    state = position("9Cb 9Sb KCr", {"trio_0": "9Sr 9Hr 9Dr", "trio_1": "KSr KHb KDb"}, stock="KCb")
    assert movements(reach(state, "draw"))[0] == Add("trio_1", cards("KCb KCr"))


def test_a_computer_moves_nothing_where_the_drawn_card_would_stay_in_hand() -> None:
    state = position("9Cb 2Db", {"trio_0": "9Sr 9Hr 9Dr"}, stock="4Sr 5Hb", drawn="2Db")
    assert str(game.think(game.view(state, 0), list(game.moves(state, 0)), luck.rng())) == "end"


def test_a_computer_opens_plays_what_it_can_and_ends() -> None:
    state = position("5Sr 5Hb 5Dr 9Cr KCb", {"trio_0": "KSr KHb KDb"}, on=False)
    done = []
    while state.turn == 0:
        move = game.think(game.view(state, 0), list(game.moves(state, 0)), luck.rng())
        done.append(str(move))
        state, _ = game.apply(state, 0, move)
    assert done == ["lay 5Sr 5Hb 5Dr", "add trio_0 KCb", "end"]


def test_computers_alone_reach_a_natural_end() -> None:
    for seed in range(5):
        state, rng = game.new(3, b"%d" % seed, {}), luck.rng(seed)
        while game.result(state) is None:
            seat = state.turn
            move = game.think(game.view(state, seat), list(game.moves(state, seat)), rng)
            state, _ = game.apply(state, seat, move)
        assert [len(cards) for cards in state.hands].count(0) == 1
