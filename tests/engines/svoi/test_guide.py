"""What Svoi Kozyri's guide says other than by naming cards: the cards that the players lack or take."""

from __future__ import annotations

from tests.engines.test_guides import view_when_told


def test_the_player_has_no_diamonds() -> None:
    assert all(card.suit != "D" for card in view_when_told("svoi", "You have no diamonds").hand)


def test_both_players_take_five_cards() -> None:
    before_lola, after_lola = (
        view_when_told("svoi", "You have no diamonds"),
        view_when_told("svoi", "Taking your own trump"),
    )
    before_player, after_player = (
        view_when_told("svoi", "Now it's your turn to take"),
        view_when_told("svoi", "Five cards more"),
    )
    assert after_lola.hand_sizes[1] - before_lola.hand_sizes[1] == 5
    assert after_player.hand_sizes[0] - before_player.hand_sizes[0] == 5
