"""What a hint says about a placement in Cardlebones, and the points by which menus mark it."""

from __future__ import annotations

import pytest

from bot.i18n import Speech
from bot.settings.choices import LANGUAGES
from engines.game import Move
from tests import luck
from tests.engines.cardlebones.positions import CARDLEBONES, EMPTY, load, position
from tests.support.positions import Position

ENGLISH, SPANISH = Speech("en", ("Ana", "Luis")), Speech("es", ("Ana", "Luis"))
STOCK = ("3H", "4H", "6D", "8D", "10H")
ATTACKED = ". . . / KS KD . / . . ."


def reason(start: Position, move: str, say: Speech = ENGLISH, **options: str) -> str:
    state = load(start, **options)
    return say(CARDLEBONES.reason(CARDLEBONES.view(state, state.turn), Move.parse(move)))


def worth(start: Position, move: str) -> int:
    state = load(start)
    return CARDLEBONES.worth(CARDLEBONES.view(state, state.turn), Move.parse(move))


SCORING = {
    "9S 2D . | 9H": "Makes a pair in column a: 27 more points.",
    "9S 9D . | 9H": "Makes three of a kind in column a: 45 more points.",
    "9H JH . | 10H": "Completes column a (run of one suit): 35 more points.",
    "9H 2D . | QD": "Completes column a (one colour): 17 more points.",
}
PROMISING = {
    "9H . . | JH": "Column a can still earn a bonus: run of one suit.",
    "9H . . | 2D": "Column a can still earn a bonus: one colour.",
    "9H . . | 2S": "Scores 2 points at once.",
    "9H 3S . | QS": "Scores 12 points at once.",
    ". . . | QS": "Starts column a and leaves the others as they are.",
}


@pytest.mark.parametrize("start", [*SCORING, *PROMISING])
def test_a_reason_names_what_a_placement_scores_or_promises(start: str) -> None:
    column, drawn = start.split(" | ")
    own = f"{column} / . . . / 2C . ."
    free = column.split().index(".") + 1
    stock = " ".join(card for card in STOCK if card not in start.split())
    sentence = reason(position(own, ATTACKED, drawn=drawn, stock=stock), f"place a{free}")
    assert sentence == {**SCORING, **PROMISING}[start]


@pytest.mark.parametrize(
    ("other", "sentence"),
    [(EMPTY, "Ends the game while you lead."), ("AH AD AC / . . . / . . .", "Only this cell is left.")],
)
def test_in_the_last_cell_the_reason_is_a_lead_or_the_lack_of_a_choice(other: str, sentence: str) -> None:
    own = "2S 4H 6D / 3S 5H 7D / 8S . 10H"
    assert reason(position(own, other, drawn="9D", stock="2C 3C"), "place c2") == sentence


def test_an_attack_is_the_reason_with_its_points() -> None:
    start = position("2C . . / . . . / . . .", ATTACKED, drawn="KH", stock="3C 4C")
    assert reason(start, "place b1") == "Takes 52 points from the other board."


def test_with_the_attack_on_the_whole_board_a_pair_counts_more() -> None:
    """Every cell attacks alike, so the points of the pair are told, not those of the attack."""
    start = position("KC . . / . . . / . . .", ATTACKED, drawn="KH", stock="3C 4C")
    assert reason(start, "place a2") == "Makes a pair in column a: 39 more points."


@pytest.mark.parametrize(
    ("other", "sentence"),
    [
        ("8S . . / . . . / . . .", "Ends the game while you lead."),
        ("QC . . / . . . / 8S . .", "Ends the game in a draw."),
        ("AC . . / . . . / AS . .", "Starts column b and leaves the others as they are."),
    ],
)
def test_the_last_card_of_the_stock_ends_the_game(other: str, sentence: str) -> None:
    assert reason(position("10S . . / . . . / . . .", other, drawn="10H"), "place b1") == sentence


def test_with_the_attack_in_the_column_the_greater_of_two_reasons_is_told() -> None:
    """The pair of kings makes 39 points, of which 26 by being a pair; the attack takes 52."""
    start = position(". . . / KC . . / . . .", ATTACKED, drawn="KH", stock="2C 3C")
    assert reason(start, "place b2", attack_scope="column") == "Takes 52 points from the other board."


def test_a_reason_is_told_in_spanish_too() -> None:
    start = position("9S 2D . / . . . / . . .", EMPTY, drawn="9H", stock="3H")
    assert reason(start, "place a3", SPANISH) == "Hace pareja en la columna a: 27 puntos más."


@pytest.mark.parametrize("scope", ["board", "column"])
def test_every_legal_move_has_a_reason_in_every_language(scope: str) -> None:
    rng = luck.rng()
    state = CARDLEBONES.new(2, rng.randbytes(8), {"attack_scope": scope})
    while CARDLEBONES.result(state) is None:
        view, moves = CARDLEBONES.view(state, state.turn), list(CARDLEBONES.moves(state, state.turn))
        for move in moves:
            reason = CARDLEBONES.reason(view, move)
            sentences = {Speech(locale, ("Ana", "Luis"))(reason) for locale in LANGUAGES}
            assert len(sentences) == len(LANGUAGES)
        state, _ = CARDLEBONES.apply(state, state.turn, rng.choice(moves))


@pytest.mark.parametrize(
    ("column", "points"), [(". . .", 9), ("9S . .", 27), ("9S 9D .", 45), ("7H 8H .", 34), ("2S 3C .", 9)]
)
def test_a_placement_is_worth_what_it_adds_to_its_players_board(column: str, points: int) -> None:
    start = position(f"{column} / . . . / . . .", ". . . / 9C . . / . . .", drawn="9H", stock="2C")
    assert worth(start, f"place a{column.split().index('.') + 1}") == points
