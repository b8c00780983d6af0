"""The sentences that tell why a move is good, its chance to win, and the warning of a house rule."""

from __future__ import annotations

import pytest

from bot.i18n import Speech
from bot.settings.choices import LANGUAGES
from engines.game import Move
from engines.trio_escalera.brain.outlook import tempered
from engines.trio_escalera.rules import game
from engines.trio_escalera.state import State
from tests import luck
from tests.engines.trio_escalera.positions import position, reach

SAY = Speech("en")
KINGS = {"trio_0": "KSr KHb KDb"}
WIN = {"escalera_4": "3Sb 4Sr 5Sb", "trio_5": "6Sr 6Hb 6Db 6Cr"}


def reason(state: State, move: str) -> str:
    return SAY(game.reason(game.view(state, 0), Move.parse(move)))


@pytest.mark.parametrize(
    ("state", "move", "sentence"),
    [
        (position("KCr 2Sb", KINGS), "add trio_0 KCr", "You're left with 1 card."),
        (
            position("KCr", KINGS),
            "add trio_0 KCr",
            "That's the last of your cards: end the turn, and you win.",
        ),
        (
            position("5Sr 5Hb 5Dr 9Cr", KINGS, on=False),
            "lay 5Sr 5Hb 5Dr",
            "You open, so you can add to groups from now on. It leaves you 1 card.",
        ),
        (
            position("KCr 2Sb", KINGS, drawn="KCr"),
            "add trio_0 KCr",
            "The card you drew fits at once: 1 card left in your hand.",
        ),
        (
            position("3Hb 3Cr", WIN),
            "lay 3Sb 3Hb 3Cr",
            "A first step: 4♠r and 5♠b need a new place before the turn ends.",
        ),
        (
            reach(position("3Hb 3Cr 9Sr", WIN), "lay 3Sb 3Hb 3Cr"),
            "add escalera_4 6Sr",
            "That makes every group complete again.",
        ),
        (
            reach(position("3Hb 3Cr 6Sb 9Cr", WIN), "lay 3Sb 3Hb 3Cr"),
            "add escalera_4 6Sb",
            "That makes every group complete again: 1 card left in your hand.",
        ),
        (
            position("7Sr 7Hr 2Db", {"escalera_0": "4Cr 5Cr 6Cr 7Cr"}),
            "lay 7Sr 7Hr 7Cr",
            "With 7♣r from the table it fits, and every group is complete: 1 card left.",
        ),
        (
            position("2Db 9Cr", KINGS),
            "draw",
            "You haven't placed a card, so you must draw; if the card fits, you can play it now.",
        ),
        (
            reach(position("KCr 2Sb", KINGS), "add trio_0 KCr"),
            "draw",
            "One more card: if it fits, you can play it now.",
        ),
        (
            reach(position("KCr 2Sb", KINGS), "add trio_0 KCr"),
            "reset",
            "K♣r comes back to your hand, and you can try another way.",
        ),
        (
            reach(position("KCr 2Sb", KINGS), "add trio_0 KCr"),
            "end",
            "You still have 1 card, and there is no place in sight for it.",
        ),
        (
            reach(position("KCr KCb 2Sb", KINGS), "add trio_0 KCr"),
            "end",
            "The turn is done: you keep 2 cards.",
        ),
        (
            reach(position("KCr 2Sb", KINGS, movements_left=1), "add trio_0 KCr"),
            "end",
            "You have no movements left: you keep 1 card.",
        ),
        (reach(position("KCr", KINGS), "add trio_0 KCr"), "end", "You're out of cards: you win."),
        (position("2Sb", KINGS, stock=""), "end", "You pass: there is nothing to draw."),
    ],
)
def test_a_move_has_this_reason(state: State, move: str, sentence: str) -> None:
    assert reason(state, move) == sentence


def test_every_legal_move_has_a_reason_in_every_language_and_a_chance_where_it_is_judged() -> None:
    rng = luck.rng()
    state = game.new(2, rng.randbytes(8), {})
    for number in range(150):
        moves = list(game.moves(state, state.turn))
        if not moves:
            break
        view = game.view(state, state.turn)
        for move in moves:
            assert all(Speech(locale)(game.reason(view, move)) for locale in LANGUAGES)
        if number % 30 == 0:
            chances = game.estimate(view, moves, luck.rng())
            assert game.think(view, moves, luck.rng(), "hard") in chances
            assert all(0 <= chance <= 1 for chance in chances.values())
        state, _ = game.apply(state, state.turn, rng.choice(moves))


def test_a_chance_is_even_where_all_hands_are_alike_and_certain_only_if_it_was_before() -> None:
    for others in ([8], [5, 5], [9, 9, 9]):
        even = 1 / (1 + len(others))
        assert tempered(even, others[0], others) == pytest.approx(even)
    assert tempered(1.0, 0, [3]) == 1.0
    assert 0 < tempered(0.0, 9, [3]) < tempered(0.2, 9, [3]) < tempered(0.2, 3, [9]) < 1


def test_imagined_turns_alone_move_a_chance_little() -> None:
    """In games of normal computers, players with 10 to 20 % by imagined turns won nearly half."""
    assert 0.35 < tempered(0.14, 6, [6]) < 0.5 < tempered(0.86, 6, [6]) < 0.65


def test_a_win_in_reach_is_certain() -> None:
    state = position("3Hb 3Cr", WIN)
    chances = game.estimate(game.view(state, 0), list(game.moves(state, 0)), luck.rng())
    assert chances[Move.parse("lay 3Sb 3Hb 3Cr")] == 1
    assert max(chance for move, chance in chances.items() if move.verb == "draw") < 1


@pytest.mark.parametrize(
    ("value", "seats", "warned"), [("off", 3, True), ("off", 2, False), ("on", 6, False)]
)
def test_players_are_warned_of_tables_that_mostly_block(value: str, seats: int, warned: bool) -> None:
    option = next(option for option in game.options if option.name == "table_moves")
    assert (option.warning(value, seats) is not None) is warned
