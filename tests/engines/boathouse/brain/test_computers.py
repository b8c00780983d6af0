"""The computer player of Boathouse Rum: moves that it must find, and the end of games of computers."""

from __future__ import annotations

import pytest

from engines.boathouse.brain.outs import way_out
from engines.boathouse.brain.simulator import Simulation
from engines.boathouse.state import State
from engines.cards import Card
from engines.game import Level, Move
from engines.values import replace
from tests import luck
from tests.engines.boathouse.positions import BOATHOUSE, load, position
from tests.engines.thoughts import LEVELS
from tests.support.positions import Position


def thought(where: Position, level: Level = "normal", **options: str) -> str:
    return chosen(load(where, **options), level)


def chosen(state: State, level: Level = "normal") -> str:
    moves = list(BOATHOUSE.moves(state, state.turn))
    return str(BOATHOUSE.think(BOATHOUSE.view(state, state.turn), moves, luck.rng(), level))


@pytest.mark.parametrize("level", LEVELS)
def test_it_goes_out_when_it_can(level: Level) -> None:
    assert thought(position(hands=["9S 9H 9D KC", "2C 3D"]), level) == "meld 9S 9H 9D"


def test_it_lays_off_a_barred_card_before_melds_that_would_leave_only_it() -> None:
    # While the other hand is large, only a way to go out makes it lay anything off.
    where = position(hands=["8H KS KD KC", "2C 3D 4S 9S 9H"], melds=["5H 6H 7H"], barred="8H")
    assert thought(where) == "layoff meld_0 8H"


def test_it_lays_off_a_card_of_a_set_if_the_others_then_make_runs() -> None:
    # 8H completes the eights, but only with 8H on the table all other cards are in melds.
    where = position(hands=["8H 8S 8D 9D 10D 7S 9S", "2C 3D"], melds=["5H 6H 7H"])
    assert thought(where) in ("layoff meld_0 8H", "meld 7S 8S 9S", "meld 8D 9D 10D")


@pytest.mark.parametrize("level", LEVELS)
def test_a_card_that_others_go_on_from_is_not_laid_off_elsewhere(level: Level) -> None:
    # 9H can follow 8H on the run; with 8H on the eights it would stay in the hand.
    state = load(position(hands=["8H 9H 2C", "3D 4D"], melds=["8S 8D 8C", "5H 6H 7H"]))
    reason = BOATHOUSE.reason(BOATHOUSE.view(state, 0), Move.parse("layoff meld_0 8H"))
    assert reason.message != "You can go out in this turn."
    while state.turn == 0 and BOATHOUSE.result(state) is None and state.phase == "play":
        state = BOATHOUSE.act(state, 0, chosen(state, level))[1]
    assert not state.hands[0]


def test_two_cards_are_laid_off_at_once_if_the_second_may_not_be_left_over() -> None:
    state = load(position(hands=["8H 9H", "3D 4D"], melds=["5H 6H 7H"], barred="9H"))
    out = way_out(BOATHOUSE.view(state, 0), list(BOATHOUSE.moves(state, 0)))
    assert str(out) == "layoff meld_0 8H 9H"


def test_it_goes_out_by_adding_to_the_table() -> None:
    assert thought(position(hands=["8H KC", "2C 3D"], melds=["5H 6H 7H"])) == "layoff meld_0 8H"


def test_it_goes_out_in_a_closed_game() -> None:
    assert thought(position(hands=["9S 9H 9D KC", "2C 3D"]), going_out="closed") == "out 9S+9H+9D KC"


def test_it_takes_from_the_pile_what_makes_melds() -> None:
    where = position(hands=["9S 9H 5D 6D KC", "2C"], stock="AC 10S 6S", pile="9D 7D", phase="draw")
    assert thought(where) == "draw pile"


def test_it_leaves_a_useless_pile() -> None:
    where = position(hands=["9S 9H 5D 6D", "2C"], stock="AC 10S 6S", pile="KC QH", phase="draw")
    assert thought(where) == "draw stock"


LOST_HANDS = ["9S 9H 9D KC QH JD 10C 8D KH", "2C", "3D", "4H"]
"""Four hands; the first has a meld and 58 unmatched points, with which a blocked hand is lost."""


@pytest.mark.parametrize(
    ("hands", "stock", "going_out", "lays"),
    [
        (LOST_HANDS, "AC 10S", "open", True),
        (LOST_HANDS, "AC 10S AS AD AH", "open", False),
        (LOST_HANDS, "AC 10S", "closed", False),
        (LOST_HANDS[:3], "AC 10S", "open", False),
        (["9S 9H 9D KC QH", *LOST_HANDS[1:]], "AC 10S", "open", False),
    ],
)
def test_it_lays_its_melds_in_a_hand_that_it_would_lose_if_it_were_blocked(
    hands: list[str], stock: str, going_out: str, lays: bool
) -> None:
    move = thought(position(hands=hands, stock=stock), going_out=going_out)
    assert (move == "meld 9S 9H 9D") is lays


def test_it_discards_what_goes_with_nothing() -> None:
    assert thought(position(hands=["9S 9H 5D 6D KC 3S", "2C"], stock="AC 10S 6S")) == "discard KC"


WAITING = ["9S 9H 9D KC 2S 3S", "2C"]


@pytest.mark.parametrize("stock", ["4C 5C 6C JC QC", "4C 5C"])
def test_against_one_other_it_holds_its_melds_however_short_the_stock(stock: str) -> None:
    assert thought(position(hands=WAITING, stock=stock, pile="4D 8D")) == "discard KC"


def test_it_keeps_dear_cards_that_go_together_rather_than_a_cheap_one_alone() -> None:
    assert thought(position(hands=["KS KH QD JD 5C", "2C"])) == "discard 5C"


ALONE = "AS KD QH 9C 7D 5H 3C"
"""A hand without two cards that go together."""


def test_it_discards_the_dearest_of_cards_that_go_with_nothing() -> None:
    assert thought(position(hands=[ALONE, "2C 4S 6S"], pile="8C")) == "discard AS"


def test_it_discards_no_ace_onto_an_ace() -> None:
    assert thought(position(hands=[ALONE, "2C 4S 6S"], pile="AH")) != "discard AS"


def test_it_discards_nothing_that_completes_what_the_next_player_took() -> None:
    state = load(position(hands=[ALONE, "AC AD 6S"], stock="10S 6D", pile="8C"))
    taken = replace(state, known_cards=((), (Card("AC"), Card("AD"))))
    assert chosen(state) == "discard AS"
    assert chosen(taken) != "discard AS"


def test_it_discards_nothing_that_goes_with_what_the_next_player_took() -> None:
    state = load(position(hands=[ALONE, "AC KC 6S"], stock="10S 6D", pile="8C"))
    # With KC gone, KD is the card least worth keeping; but the next player, who took KC, could use it.
    assert chosen(replace(state, known_cards=((), (Card("KC"),)))) == "discard AS"


def test_it_adds_cards_to_the_table_once_another_player_is_close() -> None:
    where = position(hands=["8H KC 2S 3D 6C JD", "2C 3S"], melds=["5H 6H 7H"])
    assert thought(where) == "layoff meld_0 8H"


def test_it_adds_nothing_to_the_table_while_a_rummy_is_possible() -> None:
    where = position(hands=["8H KC 2S 3D 6C JD", "2C 3S 4S 9S 9H"], melds=["5H 6H 7H"])
    assert thought(where).startswith("discard")
    assert thought(where, rummy_double="off") == "layoff meld_0 8H"


def test_easy_discards_the_dearest_loose_card() -> None:
    assert thought(position(hands=["KS KH QD JD 5C", "2C"]), "easy") == "discard KH"


def test_easy_lays_what_it_sees_and_sometimes_overlooks_it() -> None:
    state = load(position(hands=["9S 9H 9D KC 2S 3S", "2C"]))
    moves = list(BOATHOUSE.moves(state, 0))
    view, rng = BOATHOUSE.view(state, 0), luck.rng()
    seen = {str(BOATHOUSE.think(view, moves, rng, "easy")) for _ in range(50)}
    assert seen == {"meld 9S 9H 9D", "discard KC"}


def test_easy_takes_the_pile_for_its_top_card() -> None:
    where = position(hands=["9S 9H 9D 5D KC", "2C"], stock="AC 10S 6S", pile="2H 9C", phase="draw")
    assert thought(where, "easy") == "draw pile"
    assert thought(where) == "draw stock"


def test_hard_sees_what_the_turned_over_pile_brings() -> None:
    hands = ["9S 9H 9D 4C 5C KD", "2H 7D QS QH"]
    where = position(hands=hands, stock="", pile="3C 6C KH KS", phase="draw")
    assert thought(where) == "draw pile"
    assert thought(where, "hard") == "flip"


@pytest.mark.parametrize("phase", ["draw", "play"])
def test_estimates_are_chances_of_legal_moves_with_the_choice_of_hard_among_them(phase: str) -> None:
    hands = ["9S 9H 5D 6D KC 2H 3S", "4H 4D 7D JC QS AS"]
    state = load(position(hands=hands, stock="AC 10S 6S 8S 8C", pile="9D 7C 3D", phase=phase))
    moves, view = list(BOATHOUSE.moves(state, 0)), BOATHOUSE.view(state, 0)
    chances = BOATHOUSE.estimate(view, moves, luck.rng())
    assert set(chances) <= set(moves)
    assert all(0 <= chance <= 1 for chance in chances.values())
    assert BOATHOUSE.think(view, moves, luck.rng(), "hard") in chances


def test_of_two_discards_only_these_are_played_out() -> None:
    hands = ["9S 9H 5D 6D KC 2H 3S", "4H 4D 7D JC QS AS"]
    state = load(position(hands=hands, stock="AC 10S 6S 8S 8C", pile="9D 7C 3D"))
    two = [move for move in BOATHOUSE.moves(state, 0) if str(move) in ("discard KC", "discard 2H")]
    assert set(BOATHOUSE.estimate(BOATHOUSE.view(state, 0), two, luck.rng())) == set(two)


def test_at_the_beginning_of_a_hand_each_move_leaves_a_nearly_even_chance() -> None:
    state = BOATHOUSE.new(4, b"open", {})
    view, moves = BOATHOUSE.view(state, state.turn), list(BOATHOUSE.moves(state, state.turn))
    chances = BOATHOUSE.estimate(view, moves, luck.rng())
    assert all(0.2 < chance < 0.3 for chance in chances.values())


def test_a_player_among_four_is_not_lost_before_a_hand_is_over() -> None:
    hands = ["KS KH QD JD 9C 7S", "2C", "2D", "2H"]
    state = load(position(hands=hands, stock="AC 10S 6S 8S 8C", pile="9D 4C 4D"))
    chances = BOATHOUSE.estimate(BOATHOUSE.view(state, 0), list(BOATHOUSE.moves(state, 0)), luck.rng())
    assert all(0.12 < chance < 0.63 for chance in chances.values())


def test_going_out_in_the_last_hand_is_a_sure_win() -> None:
    state = load(position(hands=["9S 9H 9D KC", "2C 3D"]))
    chances = BOATHOUSE.estimate(BOATHOUSE.view(state, 0), list(BOATHOUSE.moves(state, 0)), luck.rng())
    assert {str(move): chance for move, chance in chances.items()} == {"meld 9S 9H 9D": 1.0}


def test_a_lead_counts_the_more_the_fewer_hands_follow() -> None:
    state = load(position(hands=["9S 9H 9D KC", "2C 3D"], ledger=[40, -40]), hands="10")
    chances: list[float] = []
    for number in (1, 9, 10):
        view = BOATHOUSE.view(replace(state, hand_number=number), 0)
        chances += BOATHOUSE.estimate(view, list(BOATHOUSE.moves(state, 0)), luck.rng()).values()
    assert chances == sorted(chances)
    assert 0.5 < chances[0] < chances[1] < chances[2] == 1


def test_the_work_of_hard_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    played = 0

    def play(*_: object) -> list[int]:
        nonlocal played
        played += 1
        return [0, 0]

    monkeypatch.setattr(Simulation, "play", play)
    hands = ["9S 9H 5D 6D KC 2H 3S", "4H 4D 7D JC QS AS"]
    state = load(position(hands=hands, stock="AC 10S 6S 8S 8C", pile="9D 7C 3D"))
    chosen(state, "hard")
    assert 0 < played <= 80


def blocks(seats: int, n: int) -> int:
    """The blocked hands among ``n`` hands of computers."""
    blocked = 0
    for number in range(n):
        state, rng = BOATHOUSE.new(seats, b"block %d" % number, {}), luck.rng(number)
        while not BOATHOUSE.result(state):
            moves = list(BOATHOUSE.moves(state, state.turn))
            move = BOATHOUSE.think(BOATHOUSE.view(state, state.turn), moves, rng)
            state, _ = BOATHOUSE.apply(state, state.turn, move)
        blocked += all(state.hands)
    return blocked


def test_most_hands_of_computers_end_with_a_player_out() -> None:
    # Among two players one hand in a hundred is blocked, among six every other one.
    assert sum(blocks(seats, 12) for seats in BOATHOUSE.seats) < 24


@pytest.mark.parametrize("seats", BOATHOUSE.seats)
def test_games_of_computers_end(seats: int) -> None:
    state, rng = BOATHOUSE.new(seats, b"computers", {}), luck.rng(seats)
    for _ in range(1000):
        if BOATHOUSE.result(state):
            break
        moves = list(BOATHOUSE.moves(state, state.turn))
        move = BOATHOUSE.think(BOATHOUSE.view(state, state.turn), moves, rng)
        state, _ = BOATHOUSE.apply(state, state.turn, move)
    assert BOATHOUSE.result(state)
