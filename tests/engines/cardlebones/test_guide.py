"""What Cardlebones's guide says other than by naming cards: the points, and what an attack empties."""

from __future__ import annotations

from engines.cardlebones.rules import column_score
from tests.engines.test_guides import view_when_told


def test_the_scores_are_as_told() -> None:
    view = view_when_told("cardlebones", "{cards} are worth 18")
    assert view.scores == (51, 39)
    assert column_score(view.boards[0][2], view.options) == 18 + 25


def test_the_attacks_empty_a_cell_of_each_board() -> None:
    before, after = (
        view_when_told("cardlebones", "Go on with the run"),
        view_when_told("cardlebones", "{card} has knocked"),
    )

    def of_rank(rank: str, seat: int) -> list[list[str]]:
        columns = (view.boards[seat] for view in (before, after))
        return [
            [card for column in board for card in column if card and card.rank == rank] for board in columns
        ]

    assert of_rank("6", 1) == [["6S"], []]
    assert of_rank("4", 0) == [["4D"], []]
