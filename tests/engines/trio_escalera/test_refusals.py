"""Every refusal of Trío y Escalera, and which comes first where two fit."""

from __future__ import annotations

import pytest

from bot.i18n import Speech
from bot.settings.choices import LANGUAGES
from engines.game import IllegalMove
from engines.position import BadPosition
from engines.trio_escalera.rules import game
from engines.trio_escalera.state import State
from tests.engines.trio_escalera.positions import position, reach, refusal

TABLE = {"trio_0": "KSr KHb KDb", "escalera_0": "4Sr 5Sb 6Sr 7Sr"}
HAND = "KSb KCr 2Cb 2Sb QDr 6Hb"


def common(**more: object) -> State:
    """The position of most tests, with other fields if given."""
    return position(HAND, TABLE, **more)  # type: ignore[arg-type]


def after_a_table_movement() -> State:
    return reach(
        position("2Hr 5Db", {"trio_0": "JSr JHr JDr JCb", "escalera_0": "8Cr 9Cb 10Cr"}), "add escalera_0 JCb"
    )


@pytest.mark.parametrize(
    ("action", "code"),
    [
        ("add trio_9 KSb", "no-such-group"),
        ("add KSb KCr", "no-such-group"),
        ("lay 2Cb 2Cb 2Sb", "card-twice"),
        ("add trio_0 KSr", "card-twice"),
        ("lay JDb 2Cb 2Sb", "card-not-yours"),
        ("lay 8Hr 2Cb 2Sb", "card-not-yours"),
        ("lay 2Cb 2Sb", "not-a-group"),
        ("lay 2Cb 2Sb QDr", "not-a-group"),
        ("add trio_0 QDr", "not-a-group"),
        ("add escalera_0 6Hb", "not-a-group"),
        ("end", "must-draw"),
        ("reset", "nothing-to-reset"),
        ("dance", "unknown-action"),
        ("", "unknown-action"),
        ("lay", "unknown-action"),
        ("add trio_0", "unknown-action"),
        ("draw 8Hr", "unknown-action"),
        ("lay KS KH KD", "unknown-card"),
    ],
)
def test_an_action_is_refused_with_its_code(action: str, code: str) -> None:
    assert refusal(common(), action) == code


@pytest.mark.parametrize("action", ["add trio_0 KCr", "lay KSb KCr KHb"])
def test_player_off(action: str) -> None:
    assert refusal(common(on=False), action) == "player-off"


def test_no_movements() -> None:
    assert refusal(common(movements_left=0), "add trio_0 KCr") == "no-movements"


def test_table_moves_off() -> None:
    state = common(options={"table_moves": "off"})
    assert refusal(state, "lay 2Cb 2Sb KSr") == "not-a-group"
    assert refusal(state, "lay KCr KSb KHb") == "table-moves-off"


def test_already_drawn() -> None:
    assert refusal(reach(common(), "draw"), "draw") == "already-drawn"


def test_stock_empty() -> None:
    assert refusal(common(stock=""), "draw") == "stock-empty"


@pytest.mark.parametrize("action", ["draw", "end"])
def test_no_hand_card(action: str) -> None:
    assert refusal(after_a_table_movement(), action) == "no-hand-card"


@pytest.mark.parametrize("action", ["draw", "end"])
def test_table_illegal(action: str) -> None:
    assert refusal(reach(position("6Hb 6Dr 2Cb", TABLE), "lay 6Hb 6Dr 6Sr"), action) == "table-illegal"


def test_table_illegal_with_strict_after_a_movement() -> None:
    state = position("6Hb 6Dr 2Cb", TABLE, options={"strict": "on"})
    assert refusal(state, "lay 6Hb 6Dr 6Sr") == "table-illegal"


def test_drawn_card_unused() -> None:
    assert refusal(reach(common(), "draw", "add trio_0 KCr"), "end") == "drawn-card-unused"


def test_must_draw_only_while_there_is_a_stock() -> None:
    assert refusal(common(stock=""), "end") == ""


def test_game_over_comes_before_everything() -> None:
    state = reach(position("KCr", TABLE), "add trio_0 KCr", "end")
    assert refusal(state, (0, {"type": "dance", "playerId": "p9"})) == "game-over"


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ({"type": "draw"}, "not-your-seat"),
        ({"type": "draw", "playerId": "p2"}, "not-your-seat"),
        ({"type": "lay", "playerId": "p1"}, "unknown-action"),
        ({"type": "lay", "playerId": "p1", "cards": "KSb"}, "unknown-action"),
        ({"type": "lay", "playerId": "p1", "cards": [1, 2, 3]}, "unknown-action"),
        ({"type": "lay", "playerId": "p1", "cards": []}, "unknown-action"),
        ({"type": "add", "playerId": "p1", "cards": ["KSb"]}, "unknown-action"),
        ({"type": "add", "playerId": "p1", "group": "", "cards": ["KSb"]}, "no-such-group"),
        ({"type": "add", "playerId": "p1", "group": None, "cards": ["KSb"]}, "unknown-action"),
        ({"type": "add", "playerId": "p1", "group": "", "cards": ["KSg"]}, "unknown-card"),
        ({"type": "end", "playerId": "p1", "cards": []}, "unknown-action"),
        ({"type": "lay", "playerId": "p1", "cards": ["KSg"]}, "unknown-card"),
    ],
)
def test_a_message_is_refused_with_its_code(message: dict[str, object], code: str) -> None:
    assert refusal(common(), message) == code


def test_another_seat_waits_for_its_turn() -> None:
    assert refusal(common(), (1, "dance")) == "not-your-turn"


@pytest.mark.parametrize(
    ("first", "then", "action", "more"),
    [
        ("unknown-card", "no-such-group", "add trio_9 KXr", {}),
        ("no-such-group", "card-twice", "add trio_9 KSb KSb", {}),
        ("card-twice", "card-not-yours", "lay 2Cb 2Cb JDb", {}),
        ("card-not-yours", "player-off", "add trio_0 JDb", {"on": False}),
        ("player-off", "no-movements", "add trio_0 KCr", {"on": False, "movements_left": 0}),
        ("player-off", "not-a-group", "lay KHb QDr", {"on": False}),
        ("no-movements", "not-a-group", "lay 2Cb 2Sb", {"movements_left": 0}),
        ("not-a-group", "table-moves-off", "lay 2Cb KHb", {"options": {"table_moves": "off"}}),
        ("already-drawn", "stock-empty", "draw", {"stock": "", "drawn": "KSb"}),
    ],
)
def test_the_first_of_two_codes_that_fit(first: str, then: str, action: str, more: dict[str, object]) -> None:
    assert refusal(common(**more), action) == first != then


def test_stock_empty_before_no_hand_card() -> None:
    table = {"trio_0": "JSr JHr JDr JCb", "escalera_0": "8Cr 9Cb 10Cr"}
    state = reach(position("2Hr 5Db", table, stock=""), "add escalera_0 JCb")
    assert refusal(state, "draw") == "stock-empty"
    assert refusal(state, "end") == "no-hand-card"


def test_no_hand_card_before_table_illegal() -> None:
    state = reach(
        position("2Hr 5Db", {"trio_0": "JSr JHr JCb", "escalera_0": "8Cr 9Cb 10Cr"}), "add escalera_0 JCb"
    )
    assert refusal(state, "end") == "no-hand-card"


def test_table_illegal_before_drawn_card_unused() -> None:
    state = reach(position("6Hb 6Dr 2Cb", TABLE), "draw", "lay 6Hb 6Dr 6Sr")
    assert refusal(state, "end") == "table-illegal"


def test_what_is_refused_changes_nothing() -> None:
    state = common()
    before = repr(state)
    for action in ("lay 2Cb 2Sb", "add trio_0 QDr", "end", "reset", "add trio_9 KSb"):
        assert refusal(state, action)
    assert repr(state) == before


def test_a_reason_names_the_cards_that_it_is_about() -> None:
    with pytest.raises(IllegalMove) as illegal:
        game.act(common(), 0, "lay 2Cb 2Sb KSb")
    assert (
        Speech("en")(illegal.value.reason)
        == "2♠b, 2♣b, and K♠b aren't a group: they are neither of one rank nor in a row of one suit."
    )


def test_input_is_read_in_any_case_with_symbols_and_accents() -> None:
    assert refusal(common(), "ADD Trío_0 k♣R") == ""
    assert refusal(common(), {"type": "Add", "playerId": "P1", "group": "TRIO_0", "cards": ["k♣r"]}) == ""


@pytest.mark.parametrize("locale", LANGUAGES)
def test_reasons_can_be_said_in_every_language(locale: str) -> None:
    for state, action in (
        (common(), "lay 2Cb 2Sb"),
        (common(), "lay KSb KCr 2Cb"),
        (common(on=False), "add trio_0 KCr"),
        (after_a_table_movement(), "end"),
    ):
        with pytest.raises(IllegalMove) as illegal:
            game.act(state, 0, action)
        sentence = Speech(locale)(illegal.value.reason)  # type: ignore[arg-type]
        assert sentence
        assert "{" not in sentence


@pytest.mark.parametrize("spelling", ["KS", "ks", "K♠"])
def test_the_refusal_of_a_card_without_its_back_says_how_to_spell_it(spelling: str) -> None:
    with pytest.raises(IllegalMove) as refused:
        game.act(position("KSb"), 0, f"lay {spelling}")
    assert refused.value.code == "unknown-card"
    assert (refused.value.reason.args["red"], refused.value.reason.args["blue"]) == ("KSr", "KSb")


@pytest.mark.parametrize(
    "more",
    [
        {"hands": [["KSr"], ["KSr"]]},
        {"stock": ["4Cb", "4Cb"]},
        {"groups": [{"name": "trio_0", "cards": ["KSr", "KHb", "KDb", "KSb"]}]},
    ],
    ids=lambda more: next(iter(more)),
)
def test_a_position_with_a_card_twice_is_refused(more: dict[str, object]) -> None:
    with pytest.raises(BadPosition, match="more than once"):
        game.load({"hands": [["KSb"], ["9Cr"]], **more}, 2, {})
