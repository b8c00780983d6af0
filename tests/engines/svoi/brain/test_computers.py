"""The computer players of Svoi Kozyri: what each level sees, what it overlooks, and how much it works."""

from __future__ import annotations

import pytest

from engines.game import Level, Move
from engines.svoi.brain import computers
from engines.svoi.brain.bits import BitPosition, Ruling, from_move
from engines.svoi.brain.policy import Luck
from engines.svoi.brain.search import SearchedMove
from engines.svoi.state import ACTION_LIMIT, State
from tests import luck
from tests.engines.svoi.positions import at, choosing, game, reach, whole

WINS = (
    ("QS AH 6C", "QD 6D 7H 6S", "10S JH 9D 7D 9C KH 6H 8S", "beat QS 6C"),
    ("8D 7S 7H AC", "KC QH AD", "AS QD 9H 9C JC 7C AH 6S", "beat 7H 7S"),
    ("10S JC KC 8D", "8S QC 9C", "7D KD AH AS 9H KH 10D 8C", "beat JC 8D"),
)
"""Ana's hand, Bob's hand, the top of the pile, and a move that wins for Ana; in the last, KC 8D wins too."""


def choice(state: State, level: Level, number: int = 1) -> str:
    moves = list(game.moves(state, state.turn))
    return str(game.think(game.view(state, state.turn), moves, luck.rng(number), level))


def test_hard_finds_a_move_that_wins() -> None:
    for own, other, top, winning in WINS:
        assert choice(whole(own, other, top), "hard") == winning


def test_normal_overlooks_wins_that_hard_finds() -> None:
    found = [choice(whole(own, other, top), "normal") for own, other, top, _ in WINS]
    assert found != [winning for *_, winning in WINS]


@pytest.mark.parametrize("level", ["normal", "hard"])
def test_the_last_two_cards_are_laid_so_that_no_reply_saves_a_draw(level: Level) -> None:
    assert choice(whole("9C JC", "10C", "8C"), level) == "beat 9C JC"
    assert choice(whole("9C 9H", "JC", "8C"), level) == "beat 9C 9H"
    assert choice(whole("9H 9C", "JH", "8C"), level) == "beat 9H 9C"


@pytest.mark.parametrize("level", ["normal", "hard"])
def test_a_card_that_cannot_be_beaten_makes_the_opponent_take_the_pile(level: Level) -> None:
    state = whole("9C AS 6D 10D 7C", "JC QC KC KS", "8C")
    assert choice(state, level).endswith("AS")


def test_easy_lays_cheap_cards_and_slips() -> None:
    state = whole("9C 10C JC QC AC 6D 7D 8D 9D 10D JD", "KC KS", "8C")
    found = {choice(state, "easy", number) for number in range(300)}
    assert "beat 9C 6D" in found
    assert len(found) > 1
    assert not any("AC" in move or move.endswith(("10D", "JD")) for move in found)


@pytest.mark.parametrize("level", ["easy", "normal", "hard"])
def test_before_the_deal_any_suit_is_chosen(level: Level) -> None:
    found = {choice(reach(choosing(), "trump H"), level, number) for number in range(100)}
    assert found == {"trump S", "trump D", "trump C"}


def test_estimates_are_chances_of_all_moves() -> None:
    state = whole("QS AH 6C", "QD 6D 7H 6S", "10S JH 9D 7D 9C KH 6H 8S")
    moves = list(game.moves(state, 0))
    chances = game.estimate(game.view(state, 0), moves, luck.rng())
    assert set(chances) == set(moves)
    assert all(0 <= chance <= 1 for chance in chances.values())
    assert chances[Move.parse("beat QS 6C")] == 1


def test_no_estimate_is_higher_than_that_of_hards_choice() -> None:
    state = reach(choosing(), "trump H", "trump S")
    moves = list(game.moves(state, state.turn))
    view = game.view(state, state.turn)
    chances = game.estimate(view, moves, luck.rng())
    first = next(iter(chances))
    assert chances[first] == max(chances.values())
    assert first == game.think(view, moves, luck.rng(), "hard")


def test_estimates_count_a_draw_as_half_a_win() -> None:
    state = whole("9C", "JC", "8C")
    moves = list(game.moves(state, 0))
    assert game.estimate(game.view(state, 0), moves, luck.rng()) == {moves[0]: 0.5}


def test_a_move_that_is_judged_alone_has_its_own_chance() -> None:
    state = whole("QS AH 6C", "QD 6D 7H 6S", "10S JH 9D 7D 9C KH 6H 8S")
    win, loss = (move for move in game.moves(state, 0) if str(move) in ("beat QS 6C", "beat AH QS"))
    view = game.view(state, 0)
    assert game.estimate(view, [win], luck.rng())[win] == 1
    assert game.estimate(view, [loss], luck.rng())[loss] < 1


def test_an_imagined_hand_in_which_a_move_was_not_visited_says_nothing_about_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    state = at("9C 10D KS", "JC QD 8S")
    first, second, _ = moves = list(game.moves(state, 0))
    a, b = from_move(first), from_move(second)
    good = {a: SearchedMove(a, 30, 0.8, proven=False)}
    won = {a: SearchedMove(a, 0, 0.0, proven=False), b: SearchedMove(b, 3, 1.0, proven=True)}
    monkeypatch.setattr(computers, "_search", lambda *_: [good, good, won])
    chances = game.estimate(game.view(state, 0), moves[:2], luck.rng())
    assert chances[first] == pytest.approx(0.8)


@pytest.mark.parametrize(
    "state",
    [
        reach(choosing(), "trump H", "trump S"),
        at("6C 7C 8D 9H 10S JD QC", "6D 8C 9S 10D JC QD KH", "9C"),
    ],
    ids=["all cards known", "some imagined"],
)
def test_a_hard_player_looks_at_no_more_positions_than_its_budget(
    state: State, monkeypatch: pytest.MonkeyPatch
) -> None:
    played = []

    def play_out(rules: Ruling, position: BitPosition, luck: Luck) -> float:
        played.append(position)
        return 0.5

    monkeypatch.setattr("engines.svoi.brain.search.play_out", play_out)
    choice(state, "hard")
    assert 0 < len(played) <= computers._VISITS


def test_hard_players_imagine_cards_that_are_missing() -> None:
    state = at("9C 10D KS", "JC QD 8S", "8C")
    moves = list(game.moves(state, 0))
    assert game.think(game.view(state, 0), moves, luck.rng(), "hard") in moves


def test_games_among_hard_players_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(computers, "_VISITS", 20)
    state = game.new(2, b"seed", {})
    rng = luck.rng()
    while game.result(state) is None:
        moves = list(game.moves(state, state.turn))
        state, _ = game.apply(state, state.turn, game.think(game.view(state, state.turn), moves, rng, "hard"))
    assert state.turns <= ACTION_LIMIT + 1
