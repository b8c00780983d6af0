"""What Casino's guide says other than by naming cards: the points, the sums, the rank that a player lacks."""

from __future__ import annotations

from tests.engines.test_guides import view_when_told


def test_the_player_has_no_three_to_capture_with() -> None:
    view = view_when_told("casino", "You have no 3")
    assert all(card.number != 3 for card in view.hand)


def test_the_sums_are_seven() -> None:
    assert view_when_told("casino", "A build belongs to nobody").builds[0].value == 7
    assert view_when_told("casino", "Now capture them").builds[0].value == 7


def test_the_player_has_two_points() -> None:
    assert view_when_told("casino", "You have two points").scores[0] == 2
