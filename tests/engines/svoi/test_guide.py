"""What the guide of Svoi Kozyri says in words: the cards that the players lack or take."""

from __future__ import annotations

from tests.engines.test_guides import view_when_told


def test_the_player_has_no_diamonds() -> None:
    assert all(card.suit != "D" for card in view_when_told("svoi", "You have no diamonds").hand)


def test_both_players_take_five_cards() -> None:
    before, between = (
        view_when_told("svoi", "You have no diamonds"),
        view_when_told("svoi", "Taking your own trump"),
    )
    last, after = (
        view_when_told("svoi", "Now it's your turn to take"),
        view_when_told("svoi", "Five cards more"),
    )
    assert between.hand_sizes[1] - before.hand_sizes[1] == 5
    assert after.hand_sizes[0] - last.hand_sizes[0] == 5
