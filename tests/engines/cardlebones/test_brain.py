"""Cardlebones' computer player in positions where the right cell is plain."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import permutations

import pytest

from engines.cardlebones.prospects import prospect
from engines.cardlebones.scoring import card_value, column_score
from engines.cards import Card, cards, deck
from engines.game import Level, Move
from tests import luck
from tests.engines.cardlebones.positions import CARDLEBONES, EMPTY, load, position
from tests.engines.thoughts import LEVELS
from tests.support.positions import Position


def choice(start: Position, number: int = 1, level: Level = "normal", **options: str) -> str:
    """The move for the seat whose turn it is."""
    state = load(start, **options)
    view, moves = CARDLEBONES.view(state, state.turn), list(CARDLEBONES.moves(state, state.turn))
    return str(CARDLEBONES.think(view, moves, luck.rng(number), level))


def others(start: Position) -> list[str]:
    """The cards that lie nowhere yet."""
    lying = {card for board in start["boards"] for column in board for card in column}
    return [str(card) for card in deck() if card not in lying and card != start["drawn"]]


def stocked(*boards: str, drawn: str, turn: int = 0) -> Position:
    """A position with all other cards in the stock."""
    start = position(*boards, drawn=drawn, turn=turn)
    return {**start, "stock": others(start)}


def exhausted(*boards: str, drawn: str) -> Position:
    """A position with all other cards discarded."""
    start = position(*boards, drawn=drawn)
    return {**start, "discard": others(start)}


@pytest.mark.parametrize("other", [EMPTY, "AH AD AC / . . . / . . ."], ids=["ahead", "behind"])
def test_it_takes_its_last_cell(other: str) -> None:
    assert choice(stocked("2S 4H 6D / 3S 5H 7D / 8S . 10H", other, drawn="9D")) == "place c2"


def test_it_places_the_last_card_where_it_wins() -> None:
    """Nothing is left to draw: the pair of queens makes 71 against 52, any other cell 47."""
    start = exhausted("QS . . / . . . / KH 10C .", "KS KC . / . . . / . . .", drawn="QH")
    assert choice(start)[:-1] == "place a"


def test_it_makes_a_pair() -> None:
    start = stocked("9S . . / 2C . . / . . .", EMPTY, drawn="9H")
    assert choice(start)[:-1] == "place a"


def test_it_makes_a_triple() -> None:
    start = stocked("AS AH . / 2C . . / . . .", EMPTY, drawn="AD")
    assert choice(start) == "place a3"


def test_it_finishes_a_run_of_one_suit() -> None:
    start = stocked("KH QH . / 2C 4D . / . . .", EMPTY, drawn="JH")
    assert choice(start) == "place a3"


def test_it_places_the_card_in_the_column_where_it_can_attack() -> None:
    """With the attack in the column only, b alone strikes the pair of kings."""
    start = stocked("2C . . / 4S . . / 6D . .", ". . . / KS KC . / . . .", drawn="KH")
    assert choice(start, attack_scope="column")[:-1] == "place b"


def test_it_decides_from_the_view_only() -> None:
    """The order of the stock makes no difference."""
    start = stocked("7C . . / . 5H . / . . .", "3C . . / . . . / . . .", drawn="9S")
    views = [
        CARDLEBONES.view(load({**start, "stock": stock}), 0)
        for stock in (start["stock"], start["stock"][::-1])
    ]
    moves = list(CARDLEBONES.moves(load(start), 0))
    first, second = (
        [CARDLEBONES.think(view, moves, luck.rng(number)) for number in range(5)] for view in views
    )
    assert first == second


@pytest.mark.parametrize("number", range(5))
def test_the_same_luck_gives_the_same_move(number: int) -> None:
    assert choice(stocked(EMPTY, EMPTY, drawn="9S"), number) == choice(
        stocked(EMPTY, EMPTY, drawn="9S"), number
    )


def test_among_equals_chance_decides() -> None:
    assert {choice(stocked(EMPTY, EMPTY, drawn="9S"), number)[-2] for number in range(30)} == {"a", "b", "c"}


@pytest.mark.parametrize("level", LEVELS)
def test_every_level_makes_a_pair(level: Level) -> None:
    start = stocked("9S . . / 2C . . / . . .", EMPTY, drawn="9H")
    assert choice(start, level=level)[:-1] == "place a"


@pytest.mark.parametrize("level", LEVELS)
def test_every_level_finishes_a_run_of_one_suit(level: Level) -> None:
    assert choice(stocked("KH QH . / 2C 4D . / . . .", EMPTY, drawn="JH"), level=level) == "place a3"


def test_easy_does_not_see_the_attack() -> None:
    """Three clubs earn a bonus of ten points; the attack on the kings would take fifty-two."""
    start = stocked("2C 4C . / 4S . . / 6D . .", ". . . / KS KD . / . . .", drawn="KC")
    assert choice(start, level="easy", attack_scope="column") == "place a3"
    assert choice(start, level="normal", attack_scope="column")[:-1] == "place b"


def test_hard_starts_a_column_and_keeps_two_of_one_suit_together() -> None:
    """Nine points count wherever they lie, but two diamonds beside a club lose their bonus."""
    start = stocked("4D 7D . / . . . / . . .", EMPTY, drawn="9C")
    assert "a" not in {choice(start, number, level="hard")[-2] for number in range(10)}


def estimate(start: Position, **options: str) -> dict[str, float]:
    """The chances of the seat whose turn it is."""
    state = load(start, **options)
    view, moves = CARDLEBONES.view(state, state.turn), list(CARDLEBONES.moves(state, state.turn))
    chances: Mapping[Move, float] = CARDLEBONES.estimate(view, moves, luck.rng())
    return {str(move): chance for move, chance in chances.items()}


@pytest.mark.parametrize(
    ("other", "chance"), [(EMPTY, 1.0), ("AH AD AC / . . . / . . .", 0.0)], ids=["ahead", "behind"]
)
def test_the_last_cell_decides(other: str, chance: float) -> None:
    start = stocked("2S 4H 6D / 3S 5H 7D / 8S . 10H", other, drawn="9D")
    assert estimate(start) == {"place c2": chance}


def test_a_placement_ends_a_loaded_game_in_which_the_other_board_is_full() -> None:
    start = stocked("KS . . / . . . / . . .", "2S 4H 6D / 3S 5H 7D / 8S 8D 10H", drawn="KC")
    assert set(estimate(start).values()) == {0.0}
    assert choice(start, level="hard")[:-1] == "place a"


def test_a_draw_is_half_a_win() -> None:
    """Nothing is left to draw: the pair of tens makes 40 against 20, two columns make 20."""
    chances = estimate(exhausted("10S . . / . . . / . . .", "QC . . / . . . / 8S . .", drawn="10H"))
    assert {chances["place a2"], chances["place a3"]} == {1.0}
    assert {chances["place b1"], chances["place c3"]} == {0.5}


LAST_REPLY = stocked("KS KC . / 2H 3H . / AH 4C 6D", "KD QD 3S / 5S 6C 8D / JS QH .", drawn="4H")
"""Wherever p1 places 4H, p2's last card may take cards from p1's board."""


@pytest.mark.parametrize("scope", ["board", "column"])
def test_before_the_last_reply_a_chance_is_the_share_of_cards_that_win(scope: str) -> None:
    state = load(LAST_REPLY, attack_scope=scope)
    for move, chance in estimate(LAST_REPLY, attack_scope=scope).items():
        wins = 0.0
        for card in LAST_REPLY["stock"]:
            rest = [other for other in LAST_REPLY["stock"] if other != card]
            after, _ = CARDLEBONES.apply(
                load({**LAST_REPLY, "stock": [card, *rest]}, **state.options), 0, Move.parse(move)
            )
            after, _ = CARDLEBONES.apply(after, 1, Move.parse("place c3"))
            result = CARDLEBONES.result(after)
            assert result
            wins += (0 in result.winners) / len(result.winners)
        assert chance == pytest.approx(wins / len(LAST_REPLY["stock"]))


def test_hard_places_where_the_most_last_replies_leave_it_ahead() -> None:
    chances = estimate(LAST_REPLY)
    assert len(set(chances.values())) == 2
    assert chances[choice(LAST_REPLY, level="hard")] == max(chances.values())


@pytest.mark.parametrize("number", range(3))
def test_hard_chooses_a_move_of_the_highest_chance(number: int) -> None:
    rng = luck.rng(number)
    state = CARDLEBONES.new(2, rng.randbytes(8), {})
    while CARDLEBONES.result(state) is None:
        view, moves = CARDLEBONES.view(state, state.turn), list(CARDLEBONES.moves(state, state.turn))
        chances, move = CARDLEBONES.estimate(view, moves, rng), CARDLEBONES.think(view, moves, rng, "hard")
        assert chances.keys() == set(moves)
        assert chances[move] == max(chances.values())
        state, _ = CARDLEBONES.apply(state, state.turn, move)


COLUMNS = ["", "9H", "9H 9S", "QD KD", "2C 3C", "8H 4S", "AS KS QS", "3D 3C 3H"]


@pytest.mark.parametrize("spelled", COLUMNS)
def test_without_turns_a_column_is_worth_its_points(spelled: str) -> None:
    assert prospect(cards(spelled), 0, {}) == column_score(cards(spelled), {})


@pytest.mark.parametrize("ace_low", ["on", "off"])
@pytest.mark.parametrize("spelled", COLUMNS)
def test_with_two_turns_a_column_is_worth_what_two_cards_bring_beyond_their_values(
    spelled: str, ace_low: str
) -> None:
    options = {"ace_low_run": ace_low}
    assert prospect(cards(spelled), 2, options) == pytest.approx(brute_force(cards(spelled), 2, options))


def brute_force(held: tuple[Card, ...], turns: int, options: Mapping[str, str]) -> float:
    """The worth of a column, without any short cut."""
    if not turns or len(held) == 3:
        return column_score(held, options)
    stay = brute_force(held, turns - 1, options)
    others = [card for card in deck() if card not in held]
    placed = [brute_force((*held, card), turns - 1, options) - card_value(card) for card in others]
    return sum(max(stay, points) for points in placed) / len(others)


@pytest.mark.parametrize("spelled", ["9H 9S", "QD KD", "8H 4S", "5C 6S"])
def test_only_ranks_and_likeness_of_suits_count(spelled: str) -> None:
    """Suits change places within a colour, and colours; the order of cells is irrelevant."""
    held = cards(spelled)
    worths = {
        prospect(
            cards("".join(names["SHDC".index(letter)] if letter in "SHDC" else letter for letter in line)),
            5,
            {},
        )
        for line in (spelled, " ".join(held[::-1]))
        for names in permutations("SHDC")
        if (names[0] in "SC") == (names[3] in "SC")
    }
    assert len(worths) == 1


@pytest.mark.parametrize("spelled", ["", "9H", "QD KD"])
def test_more_turns_are_never_worth_less(spelled: str) -> None:
    worths = [prospect(cards(spelled), turns, {}) for turns in range(9)]
    assert worths == sorted(worths)
