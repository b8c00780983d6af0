"""What Trío y Escalera's guide says other than by naming cards: how many cards, and that none fits."""

from __future__ import annotations

from tests.engines.test_guides import moments, view_when_told


def test_the_numbers_of_cards_are_as_told() -> None:
    assert view_when_told("trio_escalera", "You have three cards left").hand_sizes == (3, 4)


def test_no_card_of_the_player_fits_before_the_draw_and_after_it() -> None:
    before_and_after = [
        moment
        for moment in moments("trio_escalera")
        if moment.step.move == "draw" or "doesn't fit" in moment.step.text.message
    ]
    assert len(before_and_after) == 2
    for game, _, state in before_and_after:
        assert not {move.verb for move in game.moves(state, 0)} & {"lay", "add"}
