"""Finds the rearrangements that players are offered: turns that break a group and mend it.

`moves` leaves them out, since programs that play many games at random would wait for each search. Here a
search weighs so few groups that a menu can wait for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from engines.game import Plan
from engines.trio_escalera.brain.computers import TurnPosition
from engines.trio_escalera.brain.plans import best_turn, movements_of
from engines.trio_escalera.groups import broken_groups, move_cards
from engines.trio_escalera.state import Movement, View

_STEPS = 50
"""The steps of a search, as `best_turn` counts them."""
_WORK = 500
"""The most groups that a search weighs, which is what takes time at a table with many cards."""
_WORK_WITHIN_A_TURN = 150
"""The same if the player has departed from the plan: then each movement left may take one more search."""
_SEARCHES = 3
"""The most searches at once if the player has departed from the plan; turns that need more are left out."""
_CACHE_SIZE = 256
"""The turns that each cache keeps."""


def plan(view: View) -> Plan | None:
    """The rearrangement that the reader has begun, or one to begin now; None if none was found."""
    if view.seat is None or view.seat != view.turn or view.result or not view.groups:
        return None
    now = TurnPosition.now(view)
    if not now.reach.rearranges:
        return None
    committed = TurnPosition.committed(view)
    begun = _left(committed, _rearrangement(committed, _WORK), view)
    if begun or committed == now:
        return begun
    return _left(now, _feasible(now), view)


def _left(position: TurnPosition, found: Sequence[Movement], view: View) -> Plan | None:
    """The movements of a planned turn that are still to be made.

    None if the table now is not the table before one of the planned movements, or if the player has too few
    movements left for the rest.
    """
    table = position.table
    for made, movement in enumerate(found):
        if table.groups == view.groups and len(found) - made <= view.movements_left:
            return Plan(tuple([left.to_move() for left in found[made:]]), made)
        table, _, _ = move_cards(table, movement.cards, movement.group, view.ace)
    return None


@lru_cache(_CACHE_SIZE)
def _rearrangement(position: TurnPosition, work: int) -> tuple[Movement, ...]:
    """The movements of the best turn found if a group is broken before one of them; else no movements."""
    melds = best_turn(position.start, _STEPS, mends=position.placed, work=work)
    found = movements_of(position.table, melds, position.reach.ace)
    return found if any(_breaks(position, found)) else ()


def _breaks(position: TurnPosition, found: Sequence[Movement]) -> Iterator[bool]:
    """Yields, for each movement of a turn, whether a group is broken before it."""
    table, ace = position.table, position.reach.ace
    for n, movement in enumerate(found, 1):
        yield bool(broken_groups(table.groups, ace))
        if n < len(found):
            table, _, _ = move_cards(table, movement.cards, movement.group, ace)


@lru_cache(_CACHE_SIZE)
def _feasible(position: TurnPosition, searches: int = _SEARCHES) -> tuple[Movement, ...]:
    """A rearrangement from the middle of a turn that can be carried out; empty if none is found.

    The turn is planned anew before every movement, and a search that is cut short may not find what the
    search before it found. So these searches are made in advance, until the turn may end.
    """
    found = _rearrangement(position, _WORK_WITHIN_A_TURN)
    if not found:
        return ()
    after = position.after(found[0])
    may_end = not (after.drawn or broken_groups(after.table.groups, after.reach.ace))
    ends = len(found) == 1 or may_end or (searches > 1 and _feasible(after, searches - 1))
    return found if ends else ()
