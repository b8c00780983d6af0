"""The moves that players are offered: those that a game lists, and the next one of a plan that it finds."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bot.tables.log.table_state import AnyGame
from engines.game import Move, Plan, Say, Seat, Text


def offered_moves(game: AnyGame, state: Any, seat: Seat, view: Any = None) -> tuple[Move, ...]:
    """The legal moves of a seat, best first; ``view`` is the seat's, if the caller has it already.

    Moves with wide verbs are suggestions only. If the game finds a plan, the plan's next move comes first.
    """
    moves = tuple(game.moves(state, seat))
    if not (moves and game.wide):
        return moves
    return planned_first(moves, game.plan(game.view(state, seat) if view is None else view))


def planned_first(moves: Iterable[Move], plan: Plan | None) -> tuple[Move, ...]:
    """The moves, with the next one of a plan before all others; empty if there are no moves."""
    listed = tuple(moves)
    if not (listed and plan):
        return listed
    return (plan.moves[0], *(move for move in listed if move != plan.moves[0]))


def offer_label(game: AnyGame, view: Any, move: Move, say: Say, plan: Plan | None) -> str:
    """The label of an offered move; the next of a plan of several is labelled as a step: “Step 2 of 3: …”."""
    label = game.label(view, (move.verb, *move.words), say)
    if not plan or move != plan.moves[0] or (total := plan.made + len(plan.moves)) == 1:
        return label
    return say(Text("Step {n} of {total}: {move}", n=plan.made + 1, total=total, move=label))
