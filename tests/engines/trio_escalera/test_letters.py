"""The letters of groups: in the order in which they came, used again only after a reset, typed by people."""

from __future__ import annotations

import pytest

from bot.i18n import Speech
from engines.game import IllegalMove
from engines.trio_escalera.rules import game
from engines.trio_escalera.state import State
from engines.values import replace
from tests import luck
from tests.engines.trio_escalera.positions import events, position, reach, refusal

RUN = {"escalera_4": "3Sr 4Sr 5Sb 6Sr 7Sr 8Sr 9Sb"}
SAY = Speech("en", ("Ana", "Ben"))


def letters(state: State) -> dict[str, str]:
    return {state.letter(group.name): group.name for group in state.groups}


def typed(state: State, line: str) -> str:
    verb, *words = line.split()
    return " ".join((verb, *game.complete(game.view(state, state.turn), verb, words)))


def test_a_loaded_position_has_letters_in_the_order_of_its_groups() -> None:
    state = position("2Sb", {"trio_7": "KSr KHb KDb", "escalera_0": "9Cr 10Cr JCr", "trio_1": "QSr QHr QDr"})
    assert letters(state) == {"A": "trio_7", "B": "escalera_0", "C": "trio_1"}


def test_a_new_group_comes_before_the_pieces_that_split_off() -> None:
    state = reach(position("6Hb 6Dr 2Cb", RUN), "lay 6Hb 6Dr 6Sr")
    assert letters(state) == {"A": "escalera_4", "B": "trio_0", "C": "escalera_5"}


def test_a_letter_is_not_used_again() -> None:
    table = {"trio_0": "6Sr 6Cr 6Dr", "trio_1": "6Sb 6Cb 6Db"}
    state = reach(position("6Hb 2Cb 7Hr 7Sr 7Cr", table), "add trio_1 6Sr 6Cr 6Dr 6Hb", "lay 7Hr 7Sr 7Cr")
    assert letters(state) == {"B": "trio_1", "C": "trio_2"}


def test_a_reset_takes_letters_back() -> None:
    start = position("6Hb 6Dr 2Cb 7Hr 8Hb 9Hr", RUN)
    laid = reach(start, "lay 6Hb 6Dr 6Sr")
    assert letters(laid) == {"A": "escalera_4", "B": "trio_0", "C": "escalera_5"}
    assert letters(reach(laid, "reset")) == {"A": "escalera_4"}
    assert letters(reach(laid, "reset", "lay 7Hr 8Hb 9Hr")) == {"A": "escalera_4", "B": "escalera_5"}


def test_letters_are_public_and_no_part_of_positions() -> None:
    state = reach(position("6Hb 6Dr 2Cb", RUN), "lay 6Hb 6Dr 6Sr")
    imagined = game.imagine(game.view(state, None), luck.rng())
    assert letters(imagined) == letters(state)
    assert "came" not in game.dump(state)
    assert "came" not in str(game.message(game.view(state, None)))


def test_events_and_screens_call_groups_by_their_letters() -> None:
    state = position("6Hb 6Dr 2Cb", RUN)
    _, after, events = game.act(state, 0, "lay 6Hb 6Dr 6Sr")
    assert [SAY(event.text) for event in events] == [
        "Ana lays group B: 6♥b and 6♦r, with 6♠r from the table.",
        "Run A splits. New group C: 7♠r, 8♠r, and 9♠b.",
    ]
    drawing = game.draw(game.view(after, 0), SAY, 80).splitlines()
    assert any(line.split() == ["A", "B", "C"] for line in drawing)


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("add A 2S", "add escalera_4 2Sb"),
        ("add a 2S", "add escalera_4 2Sb"),
        ("add escalera_4 2S", "add escalera_4 2Sb"),
        ("add ESCALERA_4 2S", "add ESCALERA_4 2Sb"),
        ("add A AS 2S", "add escalera_4 ASr 2Sb"),
        ("lay AS AH AC", "lay ASr AHb ACb"),
        ("add C 2S", "add C 2Sb"),
        ("add", "add"),
    ],
)
def test_people_type_a_letter_or_a_name(line: str, action: str) -> None:
    assert typed(position("2Sb ASr AHb ACb", RUN), line) == action


def test_a_letter_that_looks_like_a_card_is_told_by_its_place() -> None:
    gone = tuple(f"trio_{n}" for n in range(28))
    state = replace(position("ACb JCb", {"trio_28": "ASr AHr ADr"}), came=(*gone, "trio_28"))
    assert state.letter("trio_28") == "AC"
    assert typed(state, "add AC AC") == "add trio_28 ACb"
    assert SAY(events(state, "add trio_28 ACb")[0].text) == "Ana adds A♣b to AC."


def test_a_group_that_is_gone_is_refused_by_its_letter() -> None:
    table = {"trio_0": "6Sr 6Cr 6Dr", "trio_1": "6Sb 6Cb 6Db"}
    state = reach(position("6Hb 6Hr 2Cb", table), "add trio_1 6Sr 6Cr 6Dr 6Hb")
    assert typed(state, "add A 6H") == "add A 6Hr"
    with pytest.raises(IllegalMove) as refused:
        game.act(state, 0, "add A 6Hr")
    assert refused.value.code == "no-such-group"
    assert SAY(refused.value.reason) == "There is no group A on the table."


def test_programs_name_groups_in_full() -> None:
    assert refusal(position("2Sb", RUN), "add A 2Sb") == "no-such-group"
    assert (
        refusal(position("2Sb", RUN), {"type": "add", "playerId": "p1", "group": "A", "cards": ["2Sb"]})
        == "no-such-group"
    )
