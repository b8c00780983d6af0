"""Casino's computer players in positions that have one best move, and what a beginner overlooks."""

from __future__ import annotations

import pytest

from engines.casino.brain import computers
from engines.casino.brain.endgame import Endgame
from engines.casino.brain.imagined_deals import Deals, any_deal, step_of
from engines.casino.brain.simulation import KIND, KINDS, Simulation
from engines.casino.brain.tree import grow
from engines.casino.state import DECK, View, unseen_cards
from engines.game import Level
from tests import luck
from tests.engines.casino.games import by_step, deals, ends, states
from tests.engines.casino.positions import CASINO, load, position
from tests.engines.thoughts import LEVELS
from tests.support.positions import Position


def ending(hands: list[str], loose: str) -> Position:
    """The end of a game for two: all cards are known, and those that lie nowhere else are in the piles."""
    lying = {*" ".join((*hands, loose)).split()}
    rest = [str(card) for card in DECK if card not in lying]
    return position(hands=hands, loose=loose, piles=[" ".join(rest[::2]), " ".join(rest[1::2])])


GOOD: tuple[Level, ...] = ("normal", "hard")
good = pytest.mark.parametrize("level", GOOD)


def choice(start: Position, seat: int = 0, number: int = 1, level: Level = "normal", **options: str) -> str:
    """The computer's move, with the luck of a number."""
    state = load(start, **options)
    view, moves = CASINO.view(state, seat), list(CASINO.moves(state, seat))
    return str(CASINO.think(view, moves, luck.rng(number), level))


def chances(start: Position, seat: int = 0, **options: str) -> dict[str, float]:
    state = load(start, **options)
    view, moves = CASINO.view(state, seat), list(CASINO.moves(state, seat))
    return {str(move): chance for move, chance in CASINO.estimate(view, moves, luck.rng()).items()}


@good
def test_it_captures_the_ten_of_diamonds(level: Level) -> None:
    start = ending(["10S 7C", "10C 3H"], "10H 10D 7D")
    assert choice(start, level=level) == "capture 10S 10D"


def test_it_captures_a_build_with_an_ace_rather_than_a_plain_card() -> None:
    assert choice(position(hands=["8C 2H", "9D 3H"], loose="8D", builds=["7H+AD"])) == "capture 8C 7H+AD"


def test_it_captures_a_spade_rather_than_a_plain_card() -> None:
    assert choice(position(hands=["8C 2H", "9D 3H"], loose="8D 8S")) == "capture 8C 8S"


def test_it_captures_with_a_spade_rather_than_with_a_plain_card() -> None:
    assert choice(position(hands=["8C 8S", "9D 3H"], loose="8D")) == "capture 8S 8D"


def test_it_captures_everything_of_a_value_where_the_option_allows() -> None:
    start = position(hands=["8C 2H", "9D 3H"], loose="8D 8H", builds=["7H+AD"])
    assert choice(start, multi_capture="on") == "capture 8C all"


@pytest.mark.parametrize("level", ["easy", "normal"])
def test_it_throws_a_plain_card_rather_than_a_point(level: Level) -> None:
    assert choice(position(hands=["AS AD 10D 2S 7C", "9D 3H 4C 5C"]), level=level) == "throw 7C"


def test_it_throws_a_card_that_no_other_seat_can_capture() -> None:
    """All other tens lie in piles; eights and nines are unseen. Of cards at equal risk the lowest goes."""
    start = position(hands=["8C 9C 10C", "9D 3H"], piles=["10S 10H", "10D 4D"], stock="9H 8S")
    assert choice(start) == "throw 10C"


def test_it_builds_on_an_ace_when_no_other_seat_can_capture_the_build() -> None:
    """The other nines lie in piles; while they are unseen, one is probably in the other hand."""
    hands = ["8C 9C", "2D 2H 3D 4C 4D 5D 5H 6D 6S 7S"]
    assert choice(position(hands=hands, loose="AD", piles=["9S 9H", "9D 7H"])) == "build 8C AD"
    assert choice(position(hands=hands, loose="AD", piles=["8S 8H", "8D 7H"])) != "build 8C AD"


@pytest.mark.parametrize(
    ("starter", "answer"), [("AD", "exchange yes"), ("10D", "exchange yes"), ("5S", "exchange yes")]
)
def test_it_exchanges_for_a_starter_card_that_is_worth_more(starter: str, answer: str) -> None:
    start = position(hands=["3H 5C", "9S 7H", "4D 6C"], loose=starter, phase="exchange")
    assert choice(start) == answer


@pytest.mark.parametrize("level", LEVELS)
def test_it_takes_its_only_move(level: Level) -> None:
    assert choice(position(hands=["AS", "9D"], loose="5H"), level=level) == "throw AS"


@pytest.mark.parametrize("level", LEVELS)
def test_hidden_cards_do_not_change_its_choice(level: Level) -> None:
    """The ten of spades is in the other hand or in the stock."""
    held = position(hands=["8C 7H 10C", "10S 3H"], loose="2D", stock="5D 4H")
    in_stock = position(hands=["8C 7H 10C", "5D 4H"], loose="2D", stock="10S 3H")
    assert [choice(held, number=number, level=level) for number in range(3)] == [
        choice(in_stock, number=number, level=level) for number in range(3)
    ]


@pytest.mark.parametrize("number", range(5))
def test_the_same_luck_gives_the_same_move(number: int) -> None:
    start = position(hands=["8C 8H 7C 7H", "9D 3H"])
    assert choice(start, number=number) == choice(start, number=number)


def test_equal_moves_are_chosen_by_chance() -> None:
    start = position(hands=["8C 8H", "9D 3H"])
    assert {choice(start, number=number) for number in range(30)} == {"throw 8C", "throw 8H"}


def test_its_luck_comes_from_the_generator_it_is_given() -> None:
    start = position(hands=["8C 8H", "9D 3H"])
    rng = luck.rng()
    state = load(start)
    view, moves = CASINO.view(state, 0), list(CASINO.moves(state, 0))
    row = [CASINO.think(view, moves, rng) for _ in range(20)]
    again = luck.rng()
    assert row == [CASINO.think(view, moves, again) for _ in range(20)]


def test_a_beginner_may_capture_more_cards_rather_than_a_spade() -> None:
    start = position(hands=["8C 2H", "9D 3H"], loose="8S", builds=["5H+3D"])
    chosen = {choice(start, number=number, level="easy") for number in range(60)}
    assert "capture 8C 5H+3D" in chosen


def test_a_beginner_overlooks_captures() -> None:
    start = position(hands=["8C 2H", "9D 3H"], loose="8D")
    rng, state = luck.rng(), load(start)
    view, moves = CASINO.view(state, 0), list(CASINO.moves(state, 0))
    verbs = {CASINO.think(view, moves, rng, "easy").verb for _ in range(100)}
    assert verbs == {"capture", "throw"}


def test_hard_plays_the_end_perfectly() -> None:
    for _, (state, table) in zip(range(10), ends(luck.rng()), strict=False):
        moves = by_step(state)
        values = Endgame(100_000).values(table, sorted(moves), exact=True)
        view, legal = CASINO.view(state, state.turn), list(CASINO.moves(state, state.turn))
        chosen = CASINO.think(view, legal, luck.rng(), "hard")
        assert values[step_of(view, chosen)] == max(values.values())


def test_the_estimate_of_a_known_end_is_certain() -> None:
    """p1 wins with any move."""
    start = ending(["10C 2C", "3H 4H"], "10D")
    found = chances(start, steal_with="off")
    assert set(found.values()) <= {0.0, 0.5, 1.0}
    assert found["capture 10C 10D"] == max(found.values())


@pytest.mark.parametrize("seats", [2, 3])
def test_the_estimate_is_a_chance_for_every_move(seats: int) -> None:
    rng = luck.rng(seats)
    every = list(states(next(deals(rng, seats)), rng))
    for state, seat, moves in (every[9], every[len(every) // 2], every[-4]):
        found = CASINO.estimate(CASINO.view(state, seat), moves, rng)
        assert set(found) == set(moves)
        assert all(0 <= chance <= 1 for chance in found.values())


def test_cards_that_no_rule_tells_apart_have_the_same_chance() -> None:
    found = chances(position(hands=["8C 8H 5D", "9D 3H 4C"], stock="9H 9S 7C 7D 7S 7H"))
    assert found["throw 8C"] == found["throw 8H"]


def test_hard_chooses_what_it_estimates_best() -> None:
    start = position(hands=["10S 7C 2D", "10C 3H 4H"], loose="10D", stock="9H 9S 9C 8C 8H 8S")
    found = chances(start)
    assert max(found, key=lambda move: found[move]) == choice(start, level="hard") == "capture 10S 10D"


@pytest.mark.parametrize(
    ("hand", "starter", "answer"),
    [
        ("3H 5C", "5D", "no"),
        ("3H 3C", "5D", "yes"),
        ("3H 3C 5C", "5D", "no"),
        ("3H 9C", "8D", "no"),
        ("3H 9C", "AC", "yes"),
    ],
)
@pytest.mark.parametrize("level", LEVELS)
def test_the_answer_to_the_exchange_follows_from_the_cards(
    hand: str, starter: str, answer: str, level: Level
) -> None:
    start = position(hands=[hand, "9S 7H", "4D 6C"], loose=starter, phase="exchange")
    assert choice(start, level=level) == f"exchange {answer}"
    found = chances(start)
    assert max(found, key=lambda move: found[move]) == f"exchange {answer}"


EARLY = position(hands=["8C 2H 5H 4H", "10C 3H 3C 3D"], loose="7D 9D", stock="9H 9S 7H 7S 8H 8S 6S 6H")
"""A position of the first deal, in which some cards are nowhere."""


def imagined(view: View) -> list[int]:
    """How often hidden cards of each kind were imagined in the other hand, in 300 deals."""
    deal, rng = Deals(view), luck.rng()
    held = [card for _ in range(300) for card in deal.imagine(rng).hands[1]]
    return [held.count(kind) for kind in range(KINDS)]


def kinds_of(rank: str) -> set[int]:
    return {KIND[card] for card in DECK if card.rank == rank}


def test_a_seat_probably_holds_no_card_of_a_value_that_lay_loose_in_its_turn() -> None:
    """Nobody captured the seven; the nine may have been thrown just now."""
    counts = imagined(CASINO.view(load(EARLY), 0))
    sevens, nines = (sum(counts[kind] for kind in kinds_of(rank)) for rank in ("7", "9"))
    assert sevens * 1.3 < nines


def test_imagined_deals_agree_with_the_view() -> None:
    rng = luck.rng()
    for deal, _ in zip(deals(rng, 2, 3), range(5), strict=False):
        for state, seat, _moves in states(deal, rng):
            view = CASINO.view(state, seat)
            table = Deals(view).imagine(rng)
            assert tuple(map(len, table.hands)) == view.hand_sizes
            assert len(table.stock) == view.stock_size
            rest = [
                *table.stock,
                *(kind for other, hand in enumerate(table.hands) if other != seat for kind in hand),
            ]
            assert sorted(rest) == sorted(KIND[card] for card in unseen_cards(view))


def test_hard_takes_no_more_than_its_budget_of_playouts(monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[int] = []
    real = computers._play_out

    def play_out(table: Simulation, seat: int) -> tuple[float, float]:
        played.append(seat)
        return real(table, seat)

    monkeypatch.setattr(computers, "_play_out", play_out)
    choice(EARLY, level="hard")
    assert 0 < len(played) <= computers._CHOICE.playouts


FAR_END = ending(["AS 2C 3C 4C 5C 6C 7C 10C", "AH 2H 3H 4H 5H 6H 7H 10H"], "10D 9C")
"""A position in which all cards are known, eight in each hand."""


def test_an_end_that_is_too_far_for_exact_search_is_judged_by_the_tree() -> None:
    assert choice(FAR_END, level="hard") == "capture 10C 10D"
    found = chances(FAR_END)
    assert found["capture 10C 10D"] == max(found.values())
    assert all(0 <= chance <= 1 for chance in found.values())


def test_moves_that_the_tree_hardly_visits_are_judged_too() -> None:
    assert min(chances(FAR_END).values()) > 0


def test_the_tree_looks_only_at_the_moves_to_judge() -> None:
    state = load(FAR_END)
    view, (*_, last) = CASINO.view(state, 0), CASINO.moves(state, 0)
    root = grow(any_deal(view), 20, lambda table: 0.5, [step_of(view, last)])
    assert root.steps == [step_of(view, last)]
    assert [child.visits for child in root.children if child] == [19]


def test_a_move_that_is_judged_alone_has_its_own_chance() -> None:
    state = load(FAR_END)
    view = CASINO.view(state, 0)
    for move in CASINO.moves(state, 0):
        assert CASINO.estimate(view, [move], luck.rng())[move] > 0


def test_with_three_seats_a_stock_does_not_end_playouts() -> None:
    """Only a loaded position has a stock then."""
    start = position(hands=["AC", "2C", "10C 3H"], loose="10D", stock="4C 5C 6C", turn=2)
    found = chances(start, seat=2)
    assert found["capture 10C 10D"] > found["throw 3H"]
