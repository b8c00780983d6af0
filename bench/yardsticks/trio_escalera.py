"""A computer player for Trío y Escalera: it searches for the turn that leaves the fewest cards in hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from random import Random

from engines.cards import Card
from engines.game import Move
from engines.trio_escalera.groups import move_cards
from engines.trio_escalera.moves import movements
from engines.trio_escalera.state import Draw, End, Movement, Reset, State, View, known_state
from engines.values import replace

_BREADTH = 4
"""The most movements tried at each step of a turn, best first."""
_MOST_POSITIONS = 40
"""The most positions of one search; the choice of a movement takes at most two searches."""

Score = tuple[bool, int]
"""Whether the turn can end here, and if so, minus the number of cards in hand; greater is better."""
_FALLBACK_VERBS = (End.verb, Draw.verb, Reset.verb)
"""The moves made if no movement is worth making, best first."""

MovementSource = Callable[[State], tuple[Movement, ...]]

_OUT_OF_CARDS: Score = (True, 0)
"""The score of a turn that leaves no card in hand."""


def think(view: View, moves: Sequence[Move], rng: Random) -> Move:
    """The first movement of the best turn found; if none, the end of the turn, else a draw, else a reset."""
    movement = _first_movement(known_state(view)) if view.hand else None
    if movement and (move := movement.to_move()) in moves:
        return move
    of_one_word = {move.verb: move for move in moves if not move.words}
    return next((of_one_word[verb] for verb in _FALLBACK_VERBS if verb in of_one_word), moves[0])


def _first_movement(state: State) -> Movement | None:
    """The movement that begins the best turn; None if it is best to make no movement."""
    score, movement = _best_turn(state, movements)
    if score == _OUT_OF_CARDS or state.options["table_moves"] == "on":
        return movement
    return _best_turn(state, _movements_that_do_not_block)[1]


def _best_turn(state: State, movements_of: MovementSource) -> tuple[Score, Movement | None]:
    """The score of the best turn tried, and the movement that begins it.

    Searches depth-first; after each movement the best `_BREADTH` movements are tried next, best first.
    """
    best, best_first = _score(state), None
    seen = {(state.hands, state.groups)}
    stack: list[tuple[State, Movement | None]] = [(state, None)]
    for _ in range(_MOST_POSITIONS):
        if not stack:
            break
        position, first = stack.pop()
        successors = []
        for movement in movements_of(position)[:_BREADTH]:
            after = _after(position, movement)
            if (after.hands, after.groups) not in seen:
                seen.add((after.hands, after.groups))
                successors.append((after, first or movement))
        for after, begun_with in successors:
            if _score(after) > best:
                best, best_first = _score(after), begun_with
        stack += reversed(successors)
    return best, best_first


def _movements_that_do_not_block(state: State) -> tuple[Movement, ...]:
    """The movements that do not block a game in which no card may leave its group.

    Every other card of a trio's rank can be added to the trio. A run uses up cards that later trios need;
    if those trios are never laid, players cannot place the other cards of their ranks.
    """
    taken = {group.cards[0].rank for group in state.groups if _is_of_one_rank(group.cards)}
    held = Counter(card.rank for card in state.hands[state.turn])

    def blocks(movement: Movement) -> bool:
        group = state.table.find(movement.group) if movement.group else None
        if not state.on[state.turn] or _is_of_one_rank((*movement.cards, *(group.cards if group else ()))):
            return False
        return any(card.rank not in taken and not (group and held[card.rank] == 1) for card in movement.cards)

    return tuple(movement for movement in movements(state) if not blocks(movement))


def _is_of_one_rank(cards: Sequence[Card]) -> bool:
    return len({card.rank for card in cards}) == 1


def _score(state: State) -> Score:
    """The score of ending the turn in this state: fewer cards in hand are better.

    It is worst while the drawn card is in hand, since the turn cannot end so (rule 11).
    """
    hand = state.hands[state.turn]
    return (False, 0) if state.drawn in hand else (True, -len(hand))


def _after(state: State, movement: Movement) -> State:
    table, _, _ = move_cards(state.table, movement.cards, movement.group, state.ace)
    hand = tuple(card for card in state.hands[state.turn] if card not in movement.cards)
    return replace(
        state,
        hands=tuple(hand if seat == state.turn else other for seat, other in enumerate(state.hands)),
        groups=table.groups,
        numbers=table.numbers,
        on=tuple(on or seat == state.turn for seat, on in enumerate(state.on)),
        movements_left=state.movements_left - 1,
    )
