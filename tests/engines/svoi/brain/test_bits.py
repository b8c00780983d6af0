"""Positions as bits agree with the engine: the same moves, the same positions after them, the same ends."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engines.game import Move
from engines.svoi.brain.bits import (
    CARDS,
    BitPosition,
    after,
    each_bit,
    from_move,
    repeated,
    ruling,
    saves_draw,
    to_bits,
    to_move,
    to_position,
    unbeatable,
)
from engines.svoi.brain.policy import legal, promising
from engines.svoi.deck import beats, cheapest_first
from engines.svoi.history import count_occurrences
from engines.svoi.state import State
from tests import luck
from tests.engines.svoi.positions import at, game, reach

HOUSE_RULES: tuple[dict[str, str], ...] = (
    {},
    {"voluntary_take": "on", "last_reply": "two"},
    {"sixes_to_owner": "on", "last_reply": "off"},
    {"mirrored_deal": "on", "voluntary_take": "on"},
)


def playing(number: int, **options: str) -> Iterator[tuple[State, Move]]:
    """The states of a game with random moves after the deal, each with the move made in it."""
    rng = luck.rng(number)
    state = game.new(2, rng.randbytes(8), options)
    while game.result(state) is None:
        move = rng.choice(list(game.moves(state, state.turn)))
        if state.phase == "play":
            yield state, move
        state, _ = game.apply(state, state.turn, move)


def position_of(state: State) -> BitPosition:
    return to_position(state.turn, state.hands, state.pile)


@pytest.mark.parametrize("options", HOUSE_RULES)
def test_the_legal_moves_are_those_of_the_engine(options: dict[str, str]) -> None:
    for state, _ in playing(1, **options):
        rules, position = ruling(state.trumps, state.options), position_of(state)
        moves = {to_move(position, laid) for laid in legal(rules, position)}
        assert moves == set(game.moves(state, state.turn))
        assert {to_move(position, laid) for _, laid in promising(rules, position, 40)} <= moves


@pytest.mark.parametrize("options", HOUSE_RULES)
def test_a_move_leads_to_the_position_of_the_engine(options: dict[str, str]) -> None:
    for state, move in playing(2, **options):
        rules, position = ruling(state.trumps, state.options), position_of(state)
        reached, _ = game.apply(state, state.turn, move)
        found = after(rules, position, from_move(move))
        if found.other:
            assert found == position_of(reached)
        else:
            result = game.result(reached)
            assert result is not None
            assert saves_draw(rules, found) == (sum(result.scores) == 0)


@pytest.mark.parametrize("last_reply", ["one", "two", "off"])
@pytest.mark.parametrize("left", ["JD", "KD", "6H", "6S", "7C KD", "7C 8C", "7C KD AD"])
def test_a_last_reply_saves_a_draw_where_the_engine_plays_it(left: str, last_reply: str) -> None:
    state = at(left, "QD", "6C 10D", turn=1, last_reply=last_reply)
    (move,) = [move for move in game.moves(state, 1) if move.verb == "beat"]
    rules = ruling(state.trumps, state.options)
    result = game.result(game.apply(state, 1, move)[0])
    assert result is not None
    found = after(rules, position_of(state), from_move(move))
    assert saves_draw(rules, found) == (sum(result.scores) == 0)


def test_a_move_is_read_as_it_is_written() -> None:
    for state, move in playing(3, voluntary_take="on"):
        assert to_move(position_of(state), from_move(move)) == move


def test_the_lowest_bit_is_the_cheapest_plain_card() -> None:
    assert list(CARDS) == cheapest_first(CARDS, None)


def test_positions_are_counted_as_the_rule_book_counts_them() -> None:
    state, counts = at("AC", "7H 8C JD JS", "6C", turn=1), []
    for action in ("beat 8C 7H", "take", "lead JS", "beat 7H 8C", "take", "lead 6C") * 2:
        state = reach(state, action)
        position, times = position_of(state), count_occurrences(state.past, state.pile)
        counts.append(times)
        assert position in repeated(position, state.past, times)
        assert position not in repeated(position, state.past, times + 1)
    assert max(counts) == 3


def test_unbeatable_cards_are_those_that_no_card_of_the_opponent_beats() -> None:
    for state, _ in playing(8):
        rules, position = ruling(state.trumps, state.options), position_of(state)
        trump = state.trumps[1 - state.turn]
        found = unbeatable(position.own, position.other, rules.trumps[1 - state.turn])
        safe = [
            card
            for card in state.hands[state.turn]
            if not any(beats(other, card, trump) for other in state.hands[1 - state.turn])
        ]
        assert found == to_bits(safe)
        assert len(list(each_bit(found))) == len(safe)
