"""Cardlebones' rule book, clause by clause, played through the contract."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import permutations
from typing import Any

import pytest

from engines.cardlebones.rules import column_score as score_of
from engines.cards import deck
from engines.game import Result
from tests import luck
from tests.engines import reference
from tests.engines.cardlebones.positions import (
    CARDLEBONES,
    EMPTY,
    load,
    news,
    play,
    position,
    reach,
    sentences,
)
from tests.support.positions import Step, message

SEED = b"sobremesa"
LAST_CELL = position(
    "QH KH . / 4S 4C 9S / 2D 7D 10D", "AC AS . / JS . . / 6H 6C .", drawn="JH", stock="3C", discard="5D"
)
"""One placement fills the board of p1."""


def deal(seed: bytes, **options: str) -> dict[str, Any]:
    return CARDLEBONES.dump(CARDLEBONES.new(2, seed, options))


def result(start: dict[str, Any], *steps: Step, **options: str) -> Result | None:
    return CARDLEBONES.result(reach(start, *steps, **options))


def column_score(cards: Iterable[str | None], *, ace_low_run: str = "off") -> int:
    return score_of(cards, {"ace_low_run": ace_low_run})


def test_rule_1_both_boards_are_empty_at_first() -> None:
    dealt = deal(SEED)
    assert (dealt["boards"], dealt["discard"]) == (position()["boards"], [])


def test_rule_1_the_shuffled_pack_is_the_stock() -> None:
    dealt = deal(SEED)
    assert [dealt["drawn"], *dealt["stock"]] == reference.shuffled(SEED, "deck", reference.DECK)


def test_rule_1_a_known_stock() -> None:
    dealt = deal(SEED)
    assert (dealt["drawn"], dealt["stock"][:4], dealt["stock"][-1]) == ("2S", ["QD", "AS", "4C", "8S"], "9H")


@pytest.mark.parametrize("seed", [b"three 0", b"three 1", b"three 2", b"three 6"])
def test_rule_2_the_starting_player_is_drawn_by_lot(seed: bytes) -> None:
    assert deal(seed)["turn"] == reference.starter(seed, 2)


def test_rule_2_the_starter_and_the_first_card_are_announced() -> None:
    opening = CARDLEBONES.opening(CARDLEBONES.new(2, SEED, {}))
    assert sentences(opening) == [(None, "Ben goes first (drawn at random)."), (None, "Ben draws 2S.")]


def test_rule_3_the_next_card_is_drawn_by_itself() -> None:
    before = position(drawn="7C", stock="KD 2S")
    assert play(before, (0, "place a1")) == position("7C . . / . . . / . . .", drawn="KD", stock="2S", turn=1)


@pytest.mark.parametrize("reader", [None, 0, 1], ids=["everybody", "p1", "p2"])
def test_rule_3_the_drawn_card_is_shown_to_everybody(reader: int | None) -> None:
    view = CARDLEBONES.view(load(position(drawn="7C", stock="KD 2S")), reader)
    assert (view.drawn, view.stock_size) == ("7C", 2)


def test_rule_3_nobody_sees_the_stock() -> None:
    view = CARDLEBONES.view(load(position(drawn="7C", stock="KD 2S")), 0)
    assert view == CARDLEBONES.view(load(position(drawn="7C", stock="5H 6D")), 0)


def test_rule_3_there_is_no_hand() -> None:
    view = CARDLEBONES.view(load(position(drawn="7C", stock="KD")), 0)
    assert CARDLEBONES.message(view) is None


@pytest.mark.parametrize(
    ("cell", "row", "col", "board"),
    [
        ("a1", 0, 0, "7C . . / . . . / . . ."),
        ("a2", 1, 0, ". 7C . / . . . / . . ."),
        ("a3", 2, 0, ". . 7C / . . . / . . ."),
        ("b1", 0, 1, ". . . / 7C . . / . . ."),
        ("b2", 1, 1, ". . . / . 7C . / . . ."),
        ("b3", 2, 1, ". . . / . . 7C / . . ."),
        ("c1", 0, 2, ". . . / . . . / 7C . ."),
        ("c2", 1, 2, ". . . / . . . / . 7C ."),
        ("c3", 2, 2, ". . . / . . . / . . 7C"),
    ],
)
@pytest.mark.parametrize("spelling", ["text", "json"])
def test_rule_4_the_card_goes_in_any_cell_of_the_own_board(
    cell: str, row: int, col: int, board: str, spelling: str
) -> None:
    action = f"place {cell}" if spelling == "text" else message(0, "place", row=row, col=col)
    before = position(drawn="7C", stock="KD 2S")
    assert play(before, (0, action)) == position(board, drawn="KD", stock="2S", turn=1)


def test_rule_4_each_seat_places_on_its_own_board() -> None:
    before = position(drawn="7C", stock="KD 2S 9H")
    assert play(before, (0, "place b3"), (1, "place c1")) == position(
        ". . . / . . 7C / . . .", ". . . / . . . / KD . .", drawn="2S", stock="9H"
    )


def test_rule_4_empty_cells_are_the_moves() -> None:
    state = load(position("7C KD 2S / . 5H . / QS . JD", "3C . . / . . . / . . .", drawn="9S", stock="4D"))
    assert list(map(str, CARDLEBONES.moves(state, 0))) == ["place b1", "place b3", "place c2"]


def test_rule_4_nobody_else_has_a_move() -> None:
    assert CARDLEBONES.moves(load(position(drawn="9S", stock="4D")), 1) == ()


def test_rule_4_a_placement_is_announced() -> None:
    assert news(position(drawn="7C", stock="KD"), (0, "place b3")) == [
        (None, "Ana places 7C in b3."),
        (None, "Ben draws KD."),
    ]


def test_rule_5_the_rank_is_discarded_from_the_opponents_whole_board() -> None:
    before = position(
        ". . . / 3C . . / . . .", "8S 5D . / QD . . / JC 2H 8C", drawn="8H", stock="KD", discard="4C"
    )
    assert play(before, (0, "place b2")) == position(
        ". . . / 3C 8H . / . . .", ". 5D . / QD . . / JC 2H .", drawn="KD", discard="4C 8S 8C", turn=1
    )


def test_rule_5_the_second_seat_attacks_the_first() -> None:
    before = position("8S 5D . / QD . . / JC 2H 8C", drawn="8H", stock="KD", turn=1)
    assert play(before, (1, "place b2")) == position(
        ". 5D . / QD . . / JC 2H .", ". . . / . 8H . / . . .", drawn="KD", discard="8S 8C"
    )


def test_rule_5_the_placers_own_cards_stay() -> None:
    before = position("8S . . / . 8C . / . . .", "5D . . / . . . / . . .", drawn="8D", stock="KD")
    assert play(before, (0, "place a2")) == position(
        "8S 8D . / . 8C . / . . .", "5D . . / . . . / . . .", drawn="KD", turn=1
    )


def test_rule_5_cards_of_other_ranks_stay() -> None:
    before = position(other="10D JH QS / AC . . / . . .", drawn="KH", stock="KD")
    assert play(before, (0, "place a1"))["discard"] == []


def test_rule_5_an_attack_can_take_three() -> None:
    before = position(other="8S . 8D / . . . / 8C . .", drawn="8H", stock="KD")
    assert play(before, (0, "place a1")) == position(
        "8H . . / . . . / . . .", EMPTY, drawn="KD", discard="8S 8D 8C", turn=1
    )


def test_rule_5_nothing_falls_into_emptied_cells() -> None:
    before = position(other="8S 5D 9C / . . . / . . .", drawn="8H", stock="KD")
    assert play(before, (0, "place a1"))["boards"][1][0] == [None, "5D", "9C"]


def test_rule_5_emptied_cells_can_be_filled_again() -> None:
    before = position(other="8S 5D 9C / . . . / . . .", drawn="8H", stock="KD 2S")
    assert play(before, (0, "place b1"), (1, "place a1"))["boards"][1][0] == ["KD", "5D", "9C"]


def test_rule_5_discards_lie_column_by_column_top_to_bottom() -> None:
    before = position(other="2S . 8C / . 8S . / 8D . .", drawn="8H", stock="KD", discard="9S")
    assert play(before, (0, "place a1"))["discard"] == ["9S", "8C", "8S", "8D"]


def test_rule_5_an_attack_is_announced() -> None:
    state = load(position(other="8S . . / . . . / 8C . .", drawn="8H", stock="KD"))
    assert news(state, (0, "place a1")) == [
        (None, "Ana places 8H in a1."),
        (None, "The attack knocks 8S and 8C off Ben's board."),
        (None, "Ben draws KD."),
    ]


def test_option_attack_scope_column_takes_from_the_same_column_only() -> None:
    before = position(other="8S . . / 8D . . / 2C 8C .", drawn="8H", stock="KD")
    assert play(before, (0, "place c1"), attack_scope="column") == position(
        ". . . / . . . / 8H . .", "8S . . / 8D . . / 2C . .", drawn="KD", discard="8C", turn=1
    )


def test_option_attack_scope_board_is_the_default() -> None:
    before = position(other="8S . . / 8D . . / 2C 8C .", drawn="8H", stock="KD")
    assert play(before, (0, "place c1"), attack_scope="board") == play(before, (0, "place c1"))


def test_rule_6_the_game_ends_when_a_board_is_full() -> None:
    assert result(LAST_CELL, (0, "place a3")) == Result((120, 80), (0,))


def test_rule_6_the_last_placement_still_attacks() -> None:
    after = play(LAST_CELL, (0, "place a3"))
    assert (after["boards"][1], after["discard"]) == (
        position(other="AC AS . / . . . / 6H 6C .")["boards"][1],
        ["5D", "JS"],
    )


def test_rule_6_a_full_board_of_the_second_seat_ends_the_game_too() -> None:
    own, other = "QH KH . / 4S 4C 9S / 2D 7D 10D", "AC AS . / JS . . / 6H 6C ."
    assert result(position(other, own, drawn="JH", stock="3C", turn=1), (1, "place a3")) == Result(
        (80, 120), (1,)
    )


def test_rule_6_eight_cards_are_not_a_full_board() -> None:
    before = position("QH KH . / 4S 4C 9S / 2D 7D .", drawn="JH", stock="3C")
    assert result(before, (0, "place a3")) is None


def test_rule_6_a_board_that_lost_a_card_is_not_full_after_the_next() -> None:
    """p1 has eight cards, loses one, and cannot fill the board with the next."""
    before = position("QH KH . / 4S 4C 9S / 2D 7D 10D", drawn="QS", stock="3C 5H 6H", turn=1)
    assert result(before, (1, "place a1"), (0, "place a3")) is None


def test_rule_6_the_end_is_announced() -> None:
    assert news(LAST_CELL, (0, "place a3")) == [
        (None, "Ana places JH in a3."),
        (None, "The attack knocks JS off Ben's board."),
        (None, "Ana's board is full: the game is over."),
    ]


def test_rule_6_in_a_loaded_position_the_end_names_the_player_whose_board_was_full() -> None:
    before = position(other="QH KH JC / 4S 4C 9S / 2D 7D 10D", drawn="3H", stock="3C")
    assert news(before, (0, "place a3"))[-1] == (None, "Ben's board is full: the game is over.")


def test_rule_7_the_game_ends_when_no_card_is_left_to_draw() -> None:
    before = position("KS . . / 2H . . / . . .", "9C 9D . / . . . / . . .", drawn="4S")
    assert result(before, (0, "place a2")) == Result((19, 36), (1,))


def test_rule_7_the_last_card_of_the_stock_is_played() -> None:
    assert result(position(drawn="4S", stock="9D"), (0, "place a2")) is None


def test_rule_7_after_the_end_nothing_is_drawn_and_the_stock_stays() -> None:
    after = play(LAST_CELL, (0, "place a3"))
    assert (after["drawn"], after["stock"]) == (None, ["3C"])


def test_rule_7_the_end_is_announced() -> None:
    assert news(position(drawn="4S"), (0, "place a2")) == [
        (None, "Ana places 4S in a2."),
        (None, "The stock has run out: the game is over."),
    ]


def test_nobody_is_awaited_after_the_end() -> None:
    assert CARDLEBONES.awaited(CARDLEBONES.view(load(position()), None)).must == ()


def test_the_turn_is_awaited() -> None:
    assert CARDLEBONES.awaited(CARDLEBONES.view(load(position(drawn="4S", turn=1)), 0)).must == (1,)


@pytest.mark.parametrize(
    ("card", "value"),
    [
        ("2S", 2),
        ("3H", 3),
        ("4D", 4),
        ("5C", 5),
        ("6S", 6),
        ("7H", 7),
        ("8D", 8),
        ("9C", 9),
        ("10S", 10),
        ("JH", 11),
        ("QD", 12),
        ("KC", 13),
        ("AS", 14),
    ],
)
def test_score_values(card: str, value: int) -> None:
    assert column_score([card]) == value


@pytest.mark.parametrize(
    ("column", "score"),
    [
        ("", 0),
        ("9D 10C", 19),
        ("9H 9S", 36),
        ("KS KC", 52),
        ("8H 8C 3H", 35),
        ("3H 8H 8C", 35),
        ("8S 8H 8D", 72),
        ("AS AH AD", 126),
        ("2S 7D JS", 20),
    ],
)
def test_score_base(column: str, score: int) -> None:
    assert column_score(column.split()) == score


@pytest.mark.parametrize(
    ("column", "score"),
    [
        ("KH QH JH", 36 + 25),
        ("QC KS AC", 39 + 15),
        ("4D 3H 5D", 12 + 15),
        ("2S 7S JS", 20 + 10),
        ("2S 7C JS", 20 + 5),
        ("2H 7D JH", 20 + 5),
        ("8H 8D 3H", 35 + 5),
        ("8S 8C 3S", 35 + 5),
        ("QC KC AC", 39 + 25),
        ("7H 8C 9H", 24),
        ("2H 3H AH", 19 + 10),
        ("2H 3D AH", 19 + 5),
        ("KC AC 2C", 29 + 10),
        ("2H 3H 5H", 10 + 10),
        ("9D 10D", 19),
        ("KS QS", 25),
        ("AS", 14),
    ],
)
def test_score_bonus_is_the_best_one_and_only_with_three_cards(column: str, score: int) -> None:
    assert column_score(column.split()) == score


@pytest.mark.parametrize(
    ("column", "score"),
    [
        ("2H 3H AH", 19 + 25),
        ("AS 2C 3S", 19 + 15),
        ("2H 3S AH", 19),
        ("KC AC 2C", 29 + 10),
        ("QC KC AC", 39 + 25),
        ("3H 4H 5H", 12 + 25),
    ],
)
def test_option_ace_low_run_on(column: str, score: int) -> None:
    assert column_score(column.split(), ace_low_run="on") == score


@pytest.mark.parametrize("order", list(permutations(["AC", "QC", "KS"])), ids=" ".join)
def test_score_has_no_order(order: tuple[str, ...]) -> None:
    assert column_score(order) == 54


def test_score_passes_over_empty_cells() -> None:
    assert column_score(["9H", None, "9S"]) == 36


def test_score_counts_columns_and_not_rows() -> None:
    before = position("2H 4S 6D / 2D 4C 6S / 2S 4H .", "AH AD AC / . . . / . . .", drawn="6C")
    assert result(before, (0, "place c3")) == Result((36, 126), (1,))


def test_score_the_higher_total_wins_whoever_filled_the_board() -> None:
    before = position("2S 4H 6D / 3S 5H 7D / 8S . 10H", "AH AD AC / . . . / . . .", drawn="9D", stock="KC")
    assert result(before, (0, "place c2")) == Result((54, 126), (1,))


def test_score_equal_totals_are_a_draw() -> None:
    before = position("2S 3H 4D / 5S 6H 7D / 8S 9H .", "KS AH . / KD AC . / . . .", drawn="10D", stock="QC")
    assert result(before, (0, "place c3")) == Result((54, 54), (0, 1))


def test_option_ace_low_run_changes_the_score_of_a_game() -> None:
    before = position("AH 2H . / . . . / . . .", drawn="3H")
    assert [
        result(before, (0, "place a3")),
        result(before, (0, "place a3"), ace_low_run="on"),
    ] == [Result((29, 0), (0,)), Result((44, 0), (0,))]


def test_the_running_scores_are_shown() -> None:
    start = position("9H 9S . / 2C . . / . . .", "KH QH JH / . . . / . . .", drawn="4S")
    assert CARDLEBONES.view(load(start), None).scores == (38, 61)


def test_the_clock_takes_the_first_empty_cell_column_by_column() -> None:
    state = load(position("7C . 2S / . 5H . / . . .", "3C QH JH / . . . / . . .", drawn="9S", stock="4D KC"))
    first = CARDLEBONES.timeout(state, 0)
    after, _ = CARDLEBONES.apply(state, 0, first)
    assert (str(first), str(CARDLEBONES.timeout(after, 1))) == ("place a2", "place b1")


def test_every_placement_begins_a_turn() -> None:
    state = load(position(drawn="9S", stock="4D KC"))
    after = reach(state, (0, "place a1"))
    assert CARDLEBONES.turns(after) == CARDLEBONES.turns(state) + 1


def test_a_view_tells_which_cells_the_last_attack_emptied() -> None:
    state = reach(position(other="8S . . / . . . / . 8C .", drawn="8H", stock="KD"), (0, "place b2"))
    last = CARDLEBONES.view(state, None).last
    assert last is not None
    assert (last.seat, str(last.cell), list(map(str, last.emptied))) == (0, "b2", ["a1", "c2"])


def test_the_state_message() -> None:
    start = position("7C . . / . . . / . . .", drawn="9S", stock="4D KC", discard="7H", turn=1)
    assert CARDLEBONES.message(CARDLEBONES.view(load(start), None)) == {
        "type": "state",
        "turn": "p2",
        "phase": "play",
        "boards": start["boards"],
        "drawn": "9S",
        "stockSize": 2,
        "discard": ["7H"],
        "scores": [7, 0],
        "result": None,
    }


def test_the_state_message_of_a_finished_game() -> None:
    shown = CARDLEBONES.message(CARDLEBONES.view(load(position("7C . . / . . . / . . .")), None))
    assert shown is not None
    assert shown["result"] == {"scores": [7, 0], "winners": [0]}


def test_a_move_is_written_as_a_message() -> None:
    state = load(position(drawn="9S", stock="4D KC"))
    assert CARDLEBONES.write_json(state, 0, CARDLEBONES.act(state, 0, "place b3")[0]) == message(
        0, "place", row=2, col=1
    )


def test_an_imagined_stock_has_none_of_the_cards_seen() -> None:
    # All other cards are in the stock: a few drawn at random would seldom have one of those seen.
    stock = [str(card) for card in deck() if card not in ("7C", "9S", "7H")]
    start = position("7C . . / . . . / . . .", drawn="9S", stock=" ".join(stock), discard="7H")
    imagined = CARDLEBONES.imagine(CARDLEBONES.view(load(start), 0), luck.rng())
    assert sorted(imagined.stock) == sorted(stock)
