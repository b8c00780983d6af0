"""What the guide of Svoi Kozyri says in words: the cards that the players lack or take."""

from __future__ import annotations

from tests.engines.test_guides import told


def test_the_player_has_no_diamonds() -> None:
    assert all(card.suit != "D" for card in told("svoi", "You have no diamonds").hand)


def test_both_players_take_five_cards() -> None:
    before, between = told("svoi", "You have no diamonds"), told("svoi", "An own trump costs more")
    last, after = told("svoi", "Now it's your turn to take"), told("svoi", "Five cards more")
    assert between.hand_sizes[1] - before.hand_sizes[1] == 5
    assert after.hand_sizes[0] - last.hand_sizes[0] == 5
