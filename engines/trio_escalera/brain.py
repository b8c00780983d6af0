"""The computer player of Trío y Escalera.

`easy` makes one suggested movement after the other, and overlooks some. The other levels plan the whole turn
with `plans` at its last commit. Since they plan the same turn anew before each movement, they carry it out
to its end without a memory.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from random import Random

from engines.cards import Card
from engines.game import Level, Move
from engines.melds import Ace
from engines.trio_escalera.groups import Table, move_cards
from engines.trio_escalera.plans import CARDS, NUMBERS, Meld, Reach, best_turn
from engines.trio_escalera.state import (
    Add,
    Draw,
    End,
    Lay,
    Movement,
    Reset,
    View,
    movement,
    placed_since_commit,
    sorted_hand,
)
from engines.values import Value

_STEPS = 150
"""The steps of the search for a turn."""
_CACHE_SIZE = 256
"""The planned turns that are remembered."""
_OVERLOOKED = 0.25
"""How often a beginner does not see a movement of hand cards alone."""
_REARRANGEMENT_OVERLOOKED = 0.6
"""How often a beginner does not see a movement that takes cards of the table."""
_FALLBACK_VERBS = (End.verb, Draw.verb, Reset.verb)
"""The moves made if no movement is worth making, best first."""


def think(view: View, moves: Sequence[Move], rng: Random, level: Level = "normal") -> Move:
    """The next movement of the turn; after its last, the end of the turn, else a draw, else a reset."""
    if level == "easy":
        move = _seen_movement(view, moves, rng)
    else:
        next_movement = _next_movement(view)
        move = next_movement.to_move() if next_movement else None
    return move or _fallback(moves)


def _fallback(moves: Sequence[Move]) -> Move:
    of_one_word = {move.verb: move for move in moves if not move.words}
    return next((of_one_word[verb] for verb in _FALLBACK_VERBS if verb in of_one_word), moves[0])


def _seen_movement(view: View, moves: Sequence[Move], rng: Random) -> Move | None:
    """The best of the suggested movements that a beginner sees; one that goes out is always seen.

    A movement that leaves the drawn card in hand is none, since the turn could not end after it (rule 11).
    """
    held = frozenset(view.hand)
    for move in moves:
        if move.verb in (Lay.verb, Add.verb) and (view.own_draw not in held or view.own_draw in move.words):
            taken = set(move.words[move.verb == Add.verb :]) - held
            if held.issubset(move.words) or rng.random() >= (
                _REARRANGEMENT_OVERLOOKED if taken else _OVERLOOKED
            ):
                return move
    return None


class Position(Value):
    """What a turn is planned from: the table, the hand and the movements left."""

    table: Table
    hand: tuple[Card, ...]
    on: bool
    movements: int
    drawn: Card | None
    """The drawn card if it is in hand."""
    reach: Reach

    @classmethod
    def now(cls, view: View) -> Position:
        """The position as it is."""
        assert view.seat is not None
        drawn = view.own_draw if view.own_draw in view.hand else None
        return cls(view.table, view.hand, view.on[view.seat], view.movements_left, drawn, _reach(view))

    @classmethod
    def committed(cls, view: View) -> Position:
        """The position at the last commit."""
        if not (commit := view.commit):
            return cls.now(view)
        assert view.seat is not None
        hand = sorted_hand((*view.hand, *placed_since_commit(view)))
        drawn = view.own_draw if view.own_draw in hand else None
        return cls(commit.table, hand, commit.on[view.seat], commit.movements_left, drawn, _reach(view))


def _reach(view: View) -> Reach:
    return Reach(view.ace, view.options["table_moves"] == "on", view.options["strict"] == "on")


def _next_movement(view: View) -> Movement | None:
    """The next movement of the turn planned at the last commit, or of one planned now if it was left."""
    for position in (Position.committed(view), Position.now(view)):
        table = position.table
        planned = _plan(position)
        for made in (*planned, None):
            if table.groups == view.groups:
                return made
            if made:
                table, _, _ = move_cards(table, made.cards, made.group, view.ace)
    return None


@lru_cache(_CACHE_SIZE)
def _plan(position: Position) -> tuple[Movement, ...]:
    """The movements of the best turn found."""
    melds = _search(position)
    placed = {CARDS[number] for meld in melds for number in meld}.intersection(position.hand)
    if not position.reach.rearranges and len(placed) < len(position.hand):
        melds = _search(position, _does_not_block(position))
    return _movements(position.table, melds, position.reach.ace)


def _search(position: Position, suits: Callable[[Meld], bool] | None = None) -> tuple[Meld, ...]:
    return best_turn(
        [tuple([NUMBERS[card] for card in group.cards]) for group in position.table.groups],
        [NUMBERS[card] for card in position.hand],
        position.movements,
        position.reach,
        on=position.on,
        must=NUMBERS[position.drawn] if position.drawn else None,
        steps=_STEPS,
        suits=suits,
    )


def _movements(table: Table, melds: Sequence[Meld], ace: Ace) -> tuple[Movement, ...]:
    """The movements that make these groups one after the other.

    A group that contains a whole group of the table is added to it; any other is laid.
    """
    made: list[Movement] = []
    for meld in melds:
        cards = {CARDS[number] for number in meld}
        inside = [group for group in table.groups if cards.issuperset(group.cards)]
        into = max(inside, key=lambda group: len(group.cards), default=None)
        lying = into.cards if into else ()
        made.append(movement([card for card in cards if card not in lying], into.name if into else None))
        table, _, _ = move_cards(table, made[-1].cards, made[-1].group, ace)
    return tuple(made)


def _does_not_block(position: Position) -> Callable[[Meld], bool]:
    """Whether a group does not block a game in which no card may leave its group.

    Every other card of a trio's rank can be added to the trio. A run uses up cards that later trios need;
    if those trios are never laid, players cannot place the other cards of their ranks.
    """
    taken = {group.cards[0].rank for group in position.table.groups if _is_of_one_rank(group.cards)}
    held = Counter(card.rank for card in position.hand)

    def suits(meld: Meld) -> bool:
        cards = [CARDS[number] for number in meld]
        if not position.on or _is_of_one_rank(cards):
            return True
        own = [card for card in cards if card in position.hand]
        adds = len(own) < len(cards)
        return all(card.rank in taken or (adds and held[card.rank] == 1) for card in own)

    return suits


def _is_of_one_rank(cards: Sequence[Card]) -> bool:
    return len({card.rank for card in cards}) == 1
