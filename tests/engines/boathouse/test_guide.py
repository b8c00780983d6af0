"""What Boathouse Rum's guide says other than by naming cards: the size of the pile, and the end."""

from __future__ import annotations

from tests.engines.test_guides import moments, view_when_told


def test_the_pile_has_one_card_when_the_player_must_draw_from_the_stock() -> None:
    assert len(view_when_told("boathouse", "Begin each turn").pile) == 1
    assert len(view_when_told("boathouse", "{card} alone lies on the pile").pile) == 1


def test_the_player_goes_out_and_is_paid() -> None:
    game, _, state = list(moments("boathouse"))[-1]
    result = game.result(state)
    assert result
    assert result.winners == (0,)
    assert result.scores[0] > 0
