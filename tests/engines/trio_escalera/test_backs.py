"""The backs that a typed line leaves out: written out where they decide nothing, else asked for."""

from __future__ import annotations

import pytest

from engines.trio_escalera.rules import game
from engines.trio_escalera.state import State
from tests.engines.trio_escalera.positions import position, reach, refusal

TABLE = {"trio_0": "KSr KHb KDb", "escalera_0": "9Cr 10Cr JCr QCr"}


def completed(state: State, line: str) -> str:
    verb, *words = line.split()
    return " ".join((verb, *game.complete(game.view(state, 0), verb, words)))


@pytest.mark.parametrize("spelling", ["KC", "kc", "K♣", "k♣\ufe0f"])
def test_the_one_card_in_hand_is_meant(spelling: str) -> None:
    assert completed(position("KCb 2Sb", TABLE), f"add trio_0 {spelling}") == "add trio_0 KCb"


def test_the_one_card_on_the_table_is_meant() -> None:
    state = position("6Hb 6Dr 2Cb", {"escalera_0": "3Sr 4Sr 5Sb 6Sr 7Sr 8Sr 9Sb"})
    assert completed(state, "lay 6H 6D 6S") == "lay 6Hb 6Dr 6Sr"


def test_a_back_that_is_named_stays() -> None:
    assert completed(position("KCb KSb", TABLE), "add trio_0 KCr KS") == "add trio_0 KCr KSb"


def test_a_card_of_the_destination_cannot_be_meant() -> None:
    assert completed(position("KSb 2Sb", TABLE), "add trio_0 KS") == "add trio_0 KSb"
    assert completed(position("KSb 2Sb", TABLE), "add TRÍO_0 KS") == "add TRÍO_0 KSb"
    state = position("2Sb", {**TABLE, "trio_1": "KSb KHr KDr KCr"}, movements_left=0)
    assert completed(state, "add trio_0 KS") == "add trio_0 KSb"


def test_a_card_that_is_named_already_is_not_meant_again() -> None:
    state = position("KSb KCb 2Sb", {"escalera_0": "JSr QSr KSr"})
    assert completed(state, "lay KSr KS KC") == "lay KSr KSb KCb"
    assert completed(position("KSr KSb KCb KHr"), "lay KSr KS KC KH") == "lay KSr KSb KCb KHr"


def test_both_cards_are_meant_where_both_are_named() -> None:
    assert completed(position("7Sr 7Sb 7Hr 7Dr"), "lay 7S 7H 7S 7D") == "lay 7Sr 7Hr 7Sb 7Dr"


def test_before_opening_a_card_of_the_table_cannot_be_meant() -> None:
    table = {"escalera_0": "9Cr 10Cr JCr QCr KCr"}
    state = position("KSr KHb KCb 2Sb", table, on=False)
    assert completed(state, "lay KS KH KC") == "lay KSr KHb KCb"


def test_where_cards_leave_no_group_a_card_of_the_table_cannot_be_meant() -> None:
    state = position("KCb 2Sb", {**TABLE, "trio_1": "KCr KHr KDr KSb"}, options={"table_moves": "off"})
    assert completed(state, "add trio_0 KC") == "add trio_0 KCb"


def test_of_two_in_hand_either_will_do() -> None:
    assert completed(position("KCr KCb 2Sb", TABLE), "add trio_0 KC") in ("add trio_0 KCr", "add trio_0 KCb")


@pytest.mark.parametrize("back", ["r", "b"])
def test_of_two_in_hand_the_drawn_one_is_meant(back: str) -> None:
    state = position("KCr KCb 2Sb", TABLE, drawn=f"KC{back}")
    assert completed(state, "add trio_0 KC") == f"add trio_0 KC{back}"


def test_of_two_in_one_group_either_will_do() -> None:
    state = position("JCb 2Sb", {"escalera_0": "8Cr 9Cr 10Cr", "trio_0": "QCr QCb QSr QHr"})
    assert refusal(state, completed(state, "add escalera_0 JC QC")) == ""


def test_a_choice_between_hand_and_table_is_left_to_the_player() -> None:
    state = position("KCb 2Sb", {**TABLE, "trio_1": "KCr KHr KDr KSb"})
    assert completed(state, "add escalera_0 KC") == "add escalera_0 KC"
    assert refusal(state, completed(state, "add escalera_0 KC")) == "unknown-card"


def test_a_choice_between_two_groups_is_left_to_the_player() -> None:
    table = {"trio_0": "5Hr 5Sr 5Dr 5Cr", "escalera_0": "3Hb 4Hb 5Hb 6Hb"}
    state = position("3Hr 4Hr 2Sb", table)
    assert completed(state, "lay 3H 4H 5H") == "lay 3H 4H 5H"
    assert completed(state, "lay 3Hr 4Hr 5H") == "lay 3Hr 4Hr 5H"
    assert completed(position("6Dr 7Dr 2Sb", {**table, "trio_1": "8Dr 8Sr 8Hr 8Cr"}), "lay 6D 7D 8D") == (
        "lay 6Dr 7Dr 8Dr"
    )


def test_only_the_cards_to_choose_are_left_to_the_player() -> None:
    state = position("KCb ACb 2Sb", {**TABLE, "trio_1": "KCr KHr KDr KSb"})
    assert completed(state, "add escalera_0 KC AC") == "add escalera_0 KC ACb"


def test_where_groups_must_stay_whole_the_card_that_may_leave_is_meant() -> None:
    table = {"trio_0": "5Hr 5Sr 5Dr 5Cr", "escalera_0": "4Hb 5Hb 6Hb"}
    state = position("3Hr 4Hr 2Sb", table, options={"strict": "on"})
    assert completed(state, "lay 3H 4Hr 5H") == "lay 3Hr 4Hr 5Hr"


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("lay KC 2S", "not-a-group"),
        ("add trio_0 2S", "not-a-group"),
        ("add trio_9 KC", "no-such-group"),
        ("lay KC 7D 7H", "card-not-yours"),
        ("lay KC KC KC", "card-twice"),
        ("lay KC ZZ", "unknown-card"),
        ("lay", "unknown-action"),
        ("add trio_0", "unknown-action"),
        ("add", "unknown-action"),
    ],
)
def test_no_back_is_asked_for_where_any_is_refused(line: str, code: str) -> None:
    state = position("KCb 2Sb", {**TABLE, "trio_1": "KCr KHr KDr KSb"})
    assert refusal(state, completed(state, line)) == code


def test_where_any_back_is_refused_the_card_in_hand_is_meant() -> None:
    state = position("KCb 2Sb", {**TABLE, "trio_1": "KCr KHr KDr KSb"})
    assert completed(state, "lay KC 2S") == "lay KCb 2Sb"


def test_before_opening_a_card_of_the_table_is_refused_for_that() -> None:
    state = position("KSb KCb 2Sb", TABLE, on=False)
    assert refusal(state, completed(state, "lay KS KC KH")) == "player-off"


@pytest.mark.parametrize(("most", "meant"), [("6", "2Hr 3Hr 4Hr 5Hr 6Hr"), ("7", "2Hr 3H 4H 5H 6H 7H")])
def test_of_more_than_four_choices_all_are_left_to_the_player(most: str, meant: str) -> None:
    """Only the whole run can be taken, for the trios must stay whole."""
    ranks = [rank for rank in "34567" if rank <= most]
    table = {
        "escalera_0": " ".join(f"{rank}Hr" for rank in ranks),
        **{f"trio_{n}": f"{rank}Hb {rank}Sb {rank}Db" for n, rank in enumerate(ranks)},
    }
    line = "lay 2H " + " ".join(f"{rank}H" for rank in ranks)
    assert completed(position("2Hr", table, options={"strict": "on"}), line) == f"lay {meant}"


@pytest.mark.parametrize("line", ["draw", "end", "reset", "dance KC", "draw KC"])
def test_lines_without_a_movement_stay(line: str) -> None:
    assert completed(position("KCb 2Sb", TABLE), line) == line


def test_out_of_turn_nothing_is_written_out() -> None:
    state = reach(position("KCb 2Sb", TABLE), "draw", "end")
    assert completed(state, "add trio_0 KC") == "add trio_0 KC"


@pytest.mark.parametrize(
    "action",
    ["add trio_0 KC", {"type": "add", "playerId": "p1", "group": "trio_0", "cards": ["KC"]}],
    ids=["text", "message"],
)
def test_actions_of_programs_name_every_back(action: str) -> None:
    assert refusal(position("KCb 2Sb", TABLE), action) == "unknown-card"
