"""Loading positions of Boathouse Rum: invalid ones are refused, missing fields get their defaults."""

from __future__ import annotations

from typing import Any

import pytest

from engines.game import Result
from tests import luck
from tests.engines.boathouse.positions import BOATHOUSE, STOCK, position

SOUND: dict[str, Any] = position(hands=["KC 3H", "9D"], melds=["5H 6H 7H"], barred="3H")
MELD = {"name": "meld_0", "cards": ["5H", "6H", "7H"], "by": 1}
FAULTS: list[tuple[dict[str, Any], str]] = [
    ({"phase": "bogus"}, "phase"),
    ({"phase": "draw", "stock": [], "pile": []}, "stock"),
    ({"turn": 2}, "turn"),
    ({"turn": "0"}, "turn"),
    ({"dealer": 2}, "dealer"),
    ({"hands": [["KC", "3H"]]}, "hands"),
    ({"ledger": [0]}, "ledger"),
    ({"barred": ["9D"]}, "barred"),
    ({"hands": [["3H"], ["9D"]]}, "barred: no card is left to discard"),
    ({"hands": [["4H", "8H"], ["9D"]], "barred": ["4H", "8H"]}, "barred: no card is left to discard"),
    ({"barred": ["3H", "3H"]}, "barred: a card more than once"),
    ({"hand": 0}, "hand: no hand 0"),
    ({"hand": 2}, "hand: no hand 2"),
    ({"thin_turns": -1}, "thin_turns"),
    ({"pile": ["KCr"]}, "not in this pack: KCr"),
    ({"pile": ["KC"]}, "more than once: KC"),
    ({"hands": [["KC", "3H", "5H"], ["9D"]]}, "more than once: 5H"),
    ({"stock": ["AC", "AC"]}, "more than once: AC"),
    ({"melds": [{**MELD, "name": "run"}]}, "melds"),
    ({"melds": [{**MELD, "by": 2}]}, "melds"),
    ({"melds": [MELD, {**MELD, "cards": ["2S", "2H", "2D"]}]}, "melds: two have the same name"),
    ({"melds": [{**MELD, "cards": ["5H", "6H"]}]}, "melds"),
    ({"seed": "x"}, "no such field: seed"),
]


def test_a_sound_position_is_loaded() -> None:
    assert BOATHOUSE.dump(BOATHOUSE.load(SOUND, 2, {})) == SOUND


@pytest.mark.parametrize(("change", "said"), FAULTS, ids=[str(change) for change, _ in FAULTS])
def test_an_impossible_position_is_refused(change: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        BOATHOUSE.load({**SOUND, **change}, 2, {})


@pytest.mark.parametrize("change", [{"hands": [[], ["9D"]]}, {"phase": "draw", "thin_turns": 6}])
def test_a_hand_that_is_over_is_refused_unless_the_game_is_over_too(change: dict[str, Any]) -> None:
    over = {**SOUND, "barred": [], **change}
    assert BOATHOUSE.result(BOATHOUSE.load(over, 2, {}))
    with pytest.raises(ValueError, match="this hand is over"):
        BOATHOUSE.load(over, 2, {"hands": "2"})


def test_fields_left_out_take_their_defaults() -> None:
    given = {"hands": [["KC"], ["9D"], ["2H"]], "stock": STOCK.split(), "turn": 1}
    full = position(hands=["KC", "9D", "2H"], pile="", turn=1, dealer=0, phase="play", hand=1)
    assert BOATHOUSE.dump(BOATHOUSE.load(given, 3, {})) == full


def test_in_a_finished_game_the_phase_and_the_barred_cards_mean_nothing() -> None:
    finished = BOATHOUSE.load({"hands": [[], ["9D"]], "phase": "draw", "barred": ["4C"], "turn": 1}, 2, {})
    view = BOATHOUSE.view(finished, 1)
    assert BOATHOUSE.result(finished) == Result.of((0, 0))
    assert (view.barred, view.drawn, view.known_cards) == ((), (), ((), ()))


def test_a_position_that_leaves_cards_out_is_imagined_with_as_many_cards() -> None:
    state = BOATHOUSE.load(SOUND, 2, {})
    for seat in (None, 0, 1):
        view = BOATHOUSE.view(state, seat)
        assert BOATHOUSE.view(BOATHOUSE.imagine(view, luck.rng()), seat) == view
