"""The turns that break groups and mend them, as players are offered them step by step."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from bot.i18n import Speech
from bot.pages.menus.menu import PageRoom, menu
from bot.pages.menus.offered_moves import offered_moves
from bot.settings.choices import Language, SuggestedMoves
from engines.game import Move, Plan
from engines.trio_escalera.brain import plans, reach, rearranging
from engines.trio_escalera.brain.plans import Start, best_turn
from engines.trio_escalera.brain.rearranging import _STEPS, _WORK
from engines.trio_escalera.groups import broken_groups
from engines.trio_escalera.rules import game
from engines.trio_escalera.state import DECK, State
from engines.values import replace
from tests import luck
from tests.engines.trio_escalera.positions import position

TABLE = {"escalera_0": "3Sb 4Sr 5Sb", "trio_0": "6Sr 6Hb 6Db 6Cr"}
HAND = "3Hb 3Cr"
"""Both cards fit if the 3♠ leaves its run, and the 6♠ of the trio joins what is left of it."""
FULL_TABLE = """
10Sr 10Hb 10Dr 10Cr, KSb KDb KCb, 6Sr 6Sb 6Hb 6Dr, JSr JHb JDr JDb JCr, 9Sb 9Hr 9Hb 9Db, QDb KDr ADb,
JCb QCb KCr ACb, 4Sr 4Hb 4Cr, 3Dr 4Dr 5Db, 4Cb 5Cb 6Cr, QHb QDr QCr, 7Sr 7Hb 7Cb, 8Sb 9Sr 10Sb,
5Sr 5Sb 5Hr 5Hb 5Cr, 8Cr 9Cr 10Cb, 3Sb 3Hr 3Db, 6Db 7Dr 8Dr, 6Cb 7Cr 8Cb, QSb KSr ASb, 2Sr 3Sr 4Sb,
7Sb 7Hr 7Db, 2Sb 2Hr 2Hb 2Db, QHr KHr AHr, ACr 2Cr 3Cr
"""
FIRST, SECOND = Move.parse("lay 3Sb 3Hb 3Cr"), Move.parse("add escalera_0 6Sr")


def offered(state: State, locale: Language = "en", suggested: SuggestedMoves = "full") -> list[str]:
    """The labels of a menu, in their order."""
    speech = Speech(locale, ("Ana", "Beto"))
    shown = menu(game, state, 0, speech, stamp=0, room=PageRoom(20, suggested=suggested))
    return [item.label for item in shown.items]


def made(state: State, *moves: Move) -> State:
    for move in moves:
        state, _ = game.apply(state, 0, move)
    return state


@pytest.mark.parametrize(
    ("locale", "first", "second"),
    [
        ("en", "Step 1 of 2: Lay 3♥b 3♣r + 3♠b", "Step 2 of 2: Move 6♠r to A"),
        ("es", "Paso 1 de 2: Bajar 3♥b 3♣r + 3♠b", "Paso 2 de 2: Llevar 6♠r a A"),
    ],
)
def test_a_menu_begins_with_the_first_step_and_goes_on_with_the_second(
    locale: Language, first: str, second: str
) -> None:
    state = position(HAND, TABLE)
    assert FIRST not in game.moves(state, 0)
    assert offered(state, locale=locale)[0] == first
    assert offered(made(state, FIRST), locale=locale)[0] == second
    done = made(state, FIRST, SECOND)
    assert game.plan(game.view(done, 0)) is None
    assert not broken_groups(done.groups, done.ace)


def test_a_step_is_a_suggestion() -> None:
    state = position(HAND, TABLE)
    assert offered(state, suggested="fewer")[0].startswith("Step 1 of 2: ")
    assert not any("Step" in label for label in offered(state, suggested="off"))


def test_after_another_movement_than_planned_the_turn_is_planned_anew() -> None:
    """Only the 3♠ is left without a group; one movement mends that, and a single step has no number."""
    left = made(position(HAND, TABLE), Move.parse("lay 4Sr 5Sb 6Sr"))
    planned = game.plan(game.view(left, 0))
    assert planned == Plan((Move.parse("add escalera_0 3Hb 3Cr"),), 0)
    assert offered(left)[0] == "Add 3♥b 3♣r to A"


def test_a_detour_that_left_too_few_movements_is_offered_no_step() -> None:
    state = position("3Hb 3Cr 3Hr", TABLE, options={"movements": "2"})
    planned = game.plan(game.view(state, 0))
    assert planned
    first, second = planned.moves
    detour = made(state, FIRST, Move.parse("add trio_1 3Hr"))
    assert detour.groups == made(state, first).groups
    assert second not in offered_moves(game, detour, 0)


def test_a_plan_to_go_out_is_found_at_a_full_table() -> None:
    """The search weighs more than 400 groups before it finds the plan."""
    table = {f"trio_{n}": " ".join(cards.split()) for n, cards in enumerate(FULL_TABLE.split(","))}
    state = position("8Sr 10Hr 10Db", table, stock="", hands=[["8Sr", "10Hr", "10Db"], ["9Cb", "JSb"]])
    planned = game.plan(game.view(state, 0))
    assert planned
    assert not made(state, *planned.moves).hands[0]


@pytest.mark.parametrize("options", [{"table_moves": "off"}, {"strict": "on"}])
def test_where_groups_may_not_break_there_is_no_plan(options: dict[str, str]) -> None:
    assert game.plan(game.view(position(HAND, TABLE, options=options), 0)) is None


def test_the_others_get_no_plan() -> None:
    state = position("9Cr JDb", TABLE, on=(True, True), hands=[["9Cr", "JDb"], HAND.split()])
    assert game.plan(game.view(replace(state, turn=1), 1))
    assert game.plan(game.view(state, 1)) is None
    assert game.plan(game.view(state, None)) is None


def crowded(rng: Random) -> State:
    """A position from the middle of a game with long hands and many groups."""
    state = game.new(6, rng.randbytes(8), {"hand_size": "12", "ace": "wrap", "movements": "10"})
    for _ in range(150):
        if game.result(state) is None:
            moves = tuple(game.moves(state, state.turn))
            state, _ = game.apply(state, state.turn, rng.choice(moves[:3]))
    return state


def test_every_step_is_legal_and_the_last_leaves_all_groups_whole() -> None:
    rng, found = luck.rng(), 0
    for _ in range(500):
        state = crowded(rng)
        planned = game.plan(game.view(state, state.turn))
        if not planned or state.commit:
            continue
        found += 1
        for n, move in enumerate(planned.moves):
            assert game.plan(game.view(state, state.turn)) == Plan(planned.moves[n:], n)
            state, _ = game.apply(state, state.turn, move)
        assert not broken_groups(state.groups, state.ace)
        assert state.placed
        if found == 3:
            return
    raise AssertionError(f"only {found} of 500 positions have a plan")


@pytest.mark.parametrize("deal", ["73", "177", "359"])
def test_steps_that_are_offered_within_a_turn_never_leave_it_unfinished(deal: str) -> None:
    """Groups would stay broken here if each step came from one search, within `_WORK_WITHIN_A_TURN`."""
    state = crowded(Random(deal))
    seat = state.turn
    assert state.commit
    assert game.plan(game.view(state, seat))
    while state.turn == seat and (planned := game.plan(game.view(state, seat))):
        state, _ = game.apply(state, seat, planned.moves[0])
    assert not broken_groups(state.groups, state.ace)


@pytest.mark.parametrize("deal", ["22", "109", "232"])
def test_a_plan_takes_a_bounded_number_of_searches(deal: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In these turns each step leads to a search that finds several more steps."""
    state = crowded(Random(deal))
    searches = 0

    def counted(*args: Any, **kwargs: Any) -> tuple[reach.Meld, ...]:
        nonlocal searches
        searches += 1
        return best_turn(*args, **kwargs)

    monkeypatch.setattr(rearranging, "best_turn", counted)
    rearranging._rearrangement.cache_clear()
    rearranging._feasible.cache_clear()
    assert state.commit
    assert not game.plan(game.view(state, state.turn))
    assert searches == 1 + rearranging._SEARCHES


def test_a_plan_takes_a_bounded_number_of_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = weighed = 0
    decide, weigh = plans._Search._decide, reach.SearchTable.weigh

    def counted(*args: object) -> None:
        nonlocal steps
        steps += 1
        decide(*args)  # type: ignore[arg-type]

    def counted_weigh(*args: object) -> reach.Weighed:
        nonlocal weighed
        weighed += 1
        return weigh(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(plans._Search, "_decide", counted)
    monkeypatch.setattr(reach.SearchTable, "weigh", counted_weigh)
    numbers, rng = list(range(len(DECK))), luck.rng()
    runs = [
        tuple(range(suit * 26 + first, suit * 26 + first + 8, 2)) for suit in range(4) for first in (0, 10)
    ]
    # Some hands have so few groups that a search with no bound on its work weighs at most `_WORK`.
    while weighed <= _WORK:
        rng.shuffle(numbers)
        hand = [number for number in numbers if not any(number in run for run in runs)][:20]
        start = Start(runs, hand, 10, reach.Reach("wrap"), has_opened=True)
        weighed = 0
        best_turn(start, 10 * _STEPS)
    steps = weighed = 0
    best_turn(start, _STEPS, work=_WORK)
    assert 0 < steps <= 2 * _STEPS
    assert 0 < weighed <= _WORK
