"""Finds a way to put down a whole hand in one turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from engines.boathouse.brain.deadwood import meldable, unmatched, unmatched_choices
from engines.boathouse.brain.simulator import fitting, goes_out, runs_and_fourths
from engines.boathouse.layings import bits, cards_of
from engines.boathouse.state import (
    MELDS,
    Cards,
    Discard,
    GoOut,
    Lay,
    LayOff,
    TableMeld,
    View,
    in_canonical_order,
    points,
)
from engines.divisions import divide
from engines.game import Move
from engines.values import replace

_MOST_PARTS = 64
"""The most choices of cards to lay off that are tried; each leaves the other cards for melds of the hand."""
_MOST_WAYS = 2_000
"""The most divisions of the hand that are tried in all."""


def way_out(view: View, moves: Sequence[Move]) -> Move | None:
    """The next move of a way to go out in this turn; None if none is found, or before the draw."""
    if view.phase != "draw" and view.options["going_out"] == "closed":
        return next((move for move in moves if move.verb == GoOut.verb), None)
    steps = steps_out(view)
    return next((move for move in moves if move in steps), None)


def steps_out(view: View) -> Sequence[Move]:
    """Moves that lead to going out in this turn, in an open game; empty before the draw or if none is found.

    Some of the moves may not be legal yet.
    """
    if view.phase == "draw" or view.options["going_out"] == "closed":
        return ()
    hand, barred, (runs, fourths) = bits(view.hand), bits(view.barred), runs_and_fourths(view.melds)
    fits = fitting(hand, runs, fourths)
    if unmatched(hand).bit_count() - fits.bit_count() > 1:
        return ()
    parts = _parts(fits, meldable(hand))
    # The cards that each way leaves beside the melds of the hand, to be laid off or discarded.
    ways = (left | part for part in parts for left in unmatched_choices(hand & ~part))
    for unmelded in islice(ways, _MOST_WAYS):
        last = unmelded & ~fitting(unmelded, runs, fourths)
        if goes_out(last, barred):
            return tuple(_steps(view, hand & ~unmelded, unmelded & ~last, last))
    return ()


def _parts(fits: int, melding: int) -> Iterator[int]:
    """Yields at most `_MOST_PARTS` choices of cards to lay off.

    Each has all cards that fit on the table only, and any of those that melds of the hand could take too.
    ``melding`` are the cards that could be in melds of the hand.
    """
    both = kept = fits & melding
    for _ in range(_MOST_PARTS):
        yield fits & ~kept
        if not kept:
            return
        kept = kept - 1 & both


def _steps(view: View, melds: int, added: int, last: int) -> Iterator[Move]:
    """Yields the moves that lay the melds, and those that lay off a card of ``added``, or all at one meld.

    A card that fits by itself is laid off only where the others still fit after it. If there is nothing to
    lay or lay off, yields the discard.
    """
    for cards in divide(cards_of(melds), MELDS, points).melds:
        yield Lay(in_canonical_order(cards)).to_move()
    for card in cards_of(added):
        for meld in view.melds:
            if _fits(view.melds, meld, (card,), added & ~bits((card,))):
                yield LayOff(meld.name, (card,)).to_move()
    # A single card may be one that must not be left over.
    if added & added - 1:
        for meld in view.melds:
            if _fits(view.melds, meld, cards_of(added), 0):
                yield LayOff(meld.name, in_canonical_order(cards_of(added))).to_move()
    if not melds and not added:
        yield Discard(*cards_of(last)).to_move()


def _fits(melds: Sequence[TableMeld], meld: TableMeld, cards: Cards, rest: int) -> bool:
    """Whether cards can be added to a meld so that each of the ``rest`` can be added to some meld then."""
    enlarged = replace(meld, cards=(*meld.cards, *cards))
    if not MELDS.is_meld(enlarged.cards):
        return False
    runs, fourths = runs_and_fourths([enlarged if one is meld else one for one in melds])
    return fitting(rest, runs, fourths) == rest
