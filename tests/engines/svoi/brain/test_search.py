"""The search of Svoi Kozyri against an exhaustive solution of positions with few cards."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import cycle
from random import Random

import pytest

from engines.cards import Card, cards
from engines.svoi.brain.bits import BIT, CARDS, BitPosition, Ruling, after, ruling, saves_draw
from engines.svoi.brain.policy import legal, no_luck, promising
from engines.svoi.brain.search import Search
from tests import luck

TRUMPS = ("H", "S")
FEW_CARDS = 7


def solve(rules: Ruling, root: BitPosition) -> Mapping[BitPosition, float]:
    """The value of ``root`` and of each position after it to its player to act; endless play is a draw."""
    following: dict[BitPosition, list[BitPosition]] = {}
    waiting = [root]
    while waiting:
        position = waiting.pop()
        if position in following:
            continue
        over = not position.other
        following[position] = (
            [] if over else [after(rules, position, laid) for laid in legal(rules, position)]
        )
        waiting += following[position]
    values = {
        position: 0.5 if saves_draw(rules, position) else 0.0 for position in following if not position.other
    }
    # An end that is a draw, and play without an end, are both worth a half: only wins and losses spread.
    changed = True
    while changed:
        changed = False
        for position, next_positions in following.items():
            if position in values:
                continue
            known = [1 - values[other] for other in next_positions if other in values]
            if 1.0 in known or (len(known) == len(next_positions) and max(known) == 0):
                values[position] = max(known)
                changed = True
    return {position: values.get(position, 0.5) for position in following}


def few_cards(number: int) -> BitPosition:
    """A random position with few cards, at least one in each hand."""
    rng = Random(number)
    chosen = rng.sample(range(len(CARDS)), FEW_CARDS)
    own, other = rng.randint(1, 3), rng.randint(1, 3)
    hands = [sum(1 << card for card in chosen[first:last]) for first, last in ((0, own), (own, own + other))]
    return BitPosition(rng.randrange(2), hands[0], hands[1], tuple(chosen[own + other :]))


def draw_outcomes(monkeypatch: pytest.MonkeyPatch, loser: int) -> None:
    """Makes a seat lose three of four playouts, which are not played."""
    # An outcome is the value to seat 0.
    outcomes = cycle((loser, loser, loser, 1 - loser))
    monkeypatch.setattr("engines.svoi.brain.search.play_out", lambda *_: float(next(outcomes)))


def all_cards() -> BitPosition:
    """A position before the first lead, seat 0 to play, which a short search cannot prove."""
    half = 18
    return BitPosition(0, (1 << half) - 1, (1 << 2 * half) - (1 << half), ())


@pytest.mark.parametrize("width", [1, 14])
@pytest.mark.parametrize(
    ("last_reply", "voluntary_take"), [("one", "off"), ("one", "on"), ("two", "on"), ("off", "off")]
)
def test_what_the_search_proves_is_true(
    width: int, last_reply: str, voluntary_take: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However few moves it looks at first, it proves nothing before it has looked at all that matter."""
    monkeypatch.setattr("engines.svoi.brain.search._MOST_MOVES", width)
    monkeypatch.setattr("engines.svoi.brain.search._MOST_ROOT_MOVES", width)
    rules = ruling(TRUMPS, {"last_reply": last_reply, "voluntary_take": voluntary_take})
    proven = 0
    for number in range(8):
        root = few_cards(number)
        values = solve(rules, root)
        search = Search(rules, root, legal(rules, root), (), 300)
        for judgement in search.run(200, Random(number).random):
            if judgement.proven:
                proven += 1
                assert judgement.value == 1 - values[after(rules, root, judgement.laid)]
    assert proven > 5


def test_the_search_proves_wins() -> None:
    rules = ruling(TRUMPS, {"last_reply": "one", "voluntary_take": "off"})
    won = 0
    for number in range(60):
        root = few_cards(number)
        if solve(rules, root)[root] == 1:
            won += 1
            judged = Search(rules, root, legal(rules, root), (), 300).run(1500, Random(number).random)
            assert max(judgement.value for judgement in judged if judgement.proven) == 1
    assert won > 20


def test_the_work_is_bounded_by_visits() -> None:
    rules = ruling(TRUMPS, {"last_reply": "one", "voluntary_take": "off"})
    judged = Search(rules, all_cards(), legal(rules, all_cards()), (), 300).run(50, luck.rng().random)
    assert sum(judgement.visits for judgement in judged) == 50


def test_a_position_that_comes_up_for_the_last_time_is_a_draw() -> None:
    rules = ruling(TRUMPS, {"last_reply": "one", "voluntary_take": "off"})
    root = few_cards(1)
    drawn = {after(rules, root, laid) for laid in legal(rules, root)}
    judged = Search(rules, root, legal(rules, root), drawn, 300).run(200, luck.rng().random)
    assert {(judgement.value, judgement.proven) for judgement in judged} == {(0.5, True)}


def test_after_the_last_action_the_game_is_a_draw() -> None:
    rules = ruling(TRUMPS, {"last_reply": "one", "voluntary_take": "off"})
    judged = Search(rules, all_cards(), legal(rules, all_cards()), (), 1).run(50, luck.rng().random)
    assert {judgement.value for judgement in judged if judgement.visits} == {0.5}


def test_a_move_that_mostly_loses_is_worth_its_own_mean_beside_a_proven_draw(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    draw_outcomes(monkeypatch, loser=0)
    rules = ruling(TRUMPS, {"last_reply": "one", "voluntary_take": "off"})
    root = all_cards()
    draw, try_, *_ = legal(rules, root)
    search = Search(rules, root, [draw, try_], [after(rules, root, draw)], 300)
    judged = {judgement.laid: judgement for judgement in search.run(400, luck.rng().random)}
    assert (judged[draw].value, judged[draw].proven) == (0.5, True)
    assert judged[try_].value == pytest.approx(0.25, abs=0.05)


def test_a_player_with_a_proven_draw_does_not_make_a_move_that_mostly_loses(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    draw_outcomes(monkeypatch, loser=1)
    rules = ruling(TRUMPS, {"last_reply": "one", "voluntary_take": "off"})
    root = all_cards()
    lead = legal(rules, root)[-1]
    position = after(rules, root, lead)
    _, draw = promising(rules, position, 1)[0]
    search = Search(rules, root, [lead], [after(rules, position, draw)], 300)
    (judgement,) = search.run(400, luck.rng().random)
    assert judgement.value == pytest.approx(0.5, abs=0.05)
    assert not judgement.proven


def test_visits_to_a_move_that_turns_out_lost_do_not_end_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engines.svoi.brain.search._CHECKED_EVERY", 1)
    rules = ruling(TRUMPS, {"last_reply": "one", "voluntary_take": "off"})
    lost, *_ = leads = [(BIT[card], 0) for card in cards("7C QD KD")]
    root = BitPosition(0, sum(bit for bit, _ in leads), BIT[Card("8C")], ())
    seems_won = after(rules, root, lost)
    monkeypatch.setattr(
        "engines.svoi.brain.search.play_out", lambda rules, position, luck: float(position == seems_won)
    )
    judged = {judgement.laid: judgement for judgement in Search(rules, root, leads, (), 300).run(5, no_luck)}
    assert (judged[lost].value, judged[lost].proven) == (0, True)
    assert sum(judgement.visits for judgement in judged.values()) == 5
