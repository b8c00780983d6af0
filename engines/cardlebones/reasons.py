"""Says in one sentence why a placement is good."""

from __future__ import annotations

from engines.cardlebones.brain import cell_of, gain
from engines.cardlebones.effects import attack
from engines.cardlebones.scoring import board_score, card_value, score_with_reasons
from engines.cardlebones.state import LETTERS, SIZE, Cell, View, unseen_cards
from engines.cards import Card
from engines.game import Move, Text, plural


def reason(view: View, move: Move) -> Text:
    """The strongest reason that holds: the end, points scored or taken, then what the column may become."""
    cell = cell_of(move)
    boards, _ = attack(view.boards, view.turn, cell, _drawn(view), view.options)
    own, other = (board_score(boards[seat], view.options) for seat in (view.turn, 1 - view.turn))
    full = all(card for column in boards[view.turn] for card in column)
    if (full or not view.stock_size) and own >= other:
        return Text("Ends the game while you lead.") if own > other else Text("Ends the game in a draw.")
    if full:
        return Text("Only this cell is left.")
    taken = board_score(view.boards[1 - view.turn], view.options) - other
    extra = gain(view, cell) - card_value(_drawn(view))
    # An attack on the whole board takes the same points wherever the card goes, so extra points come first.
    if extra and (extra >= taken or view.options["attack_scope"] == "board"):
        return _extra(view, cell)
    if taken:
        return plural(
            "Takes {n} point from the other board.", "Takes {n} points from the other board.", taken
        )
    return _promise(view, cell)


def worth(view: View, move: Move) -> int:
    """The points that a placement adds to the player's own board."""
    return gain(view, cell_of(move))


def _extra(view: View, cell: Cell) -> Text:
    """Why the card scores more than its value: a pair or three of a rank, or else a bonus."""
    held, card = _held(view, cell), _drawn(view)
    column, n = LETTERS[cell.column], gain(view, cell)
    match sum(other.rank == card.rank for other in held):
        case 1:
            return plural(
                "Makes a pair in column {column}: {n} more point.",
                "Makes a pair in column {column}: {n} more points.",
                n,
                column=column,
            )
        case 2:
            return plural(
                "Makes three of a kind in column {column}: {n} more point.",
                "Makes three of a kind in column {column}: {n} more points.",
                n,
                column=column,
            )
    bonus = score_with_reasons((*held, card), view.options).reason
    assert bonus
    return plural(
        "Completes column {column} ({bonus}): {n} more point.",
        "Completes column {column} ({bonus}): {n} more points.",
        n,
        column=column,
        bonus=bonus,
    )


def _promise(view: View, cell: Cell) -> Text:
    """The column that the card starts, or the bonus that it may still earn; else the points of the card."""
    held, column = (*_held(view, cell), _drawn(view)), LETTERS[cell.column]
    if len(held) == 1:
        return Text("Starts column {column} and leaves the others as they are.", column=column)
    if len(held) < SIZE:
        scores = [score_with_reasons((*held, card), view.options) for card in unseen_cards(view)]
        best = max(scores, key=lambda score: score.bonus, default=None)
        if best and best.reason:
            return Text("Column {column} can still earn a bonus: {bonus}.", column=column, bonus=best.reason)
    n = gain(view, cell)
    return plural("Scores {n} point at once.", "Scores {n} points at once.", n)


def _held(view: View, cell: Cell) -> tuple[Card, ...]:
    return tuple(card for card in view.boards[view.turn][cell.column] if card)


def _drawn(view: View) -> Card:
    assert view.drawn is not None
    return view.drawn
