"""The computer players of Trío y Escalera.

`easy` makes one suggested movement after the other, and overlooks some. The other levels plan the whole turn
with `plans` from its last commit: `normal` breaks one group at a time and searches few steps, `hard` searches
many turns and compares the best. Both plan the same turn anew before each movement, so they need no memory to
finish it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from random import Random

from engines.cards import Card
from engines.game import Level, Move
from engines.trio_escalera.brain.outlook import Outlook, imagine_deals, placed_from, tempered, unseen_faces
from engines.trio_escalera.brain.plans import Start, after, best_turn, good_turns, movements_of
from engines.trio_escalera.brain.reach import CARDS, Meld, Number, Piece, Reach, is_whole
from engines.trio_escalera.groups import TableGroups, move_cards
from engines.trio_escalera.state import (
    Add,
    Commit,
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
from engines.values import Value, replace

_STEPS = 250
"""The steps of the search for a turn, where no other number is given."""
_NORMAL_STEPS = 15
"""The steps of a normal player's search, where cards may leave their groups."""
_NORMAL_BROKEN = 1
"""The most broken groups between two movements of a normal player."""
_HARD_STEPS = 400
"""The steps of a hard player's search, where turns are compared."""
_MOST_TURNS = 5
"""The most turns compared."""
_SHORTFALL = 2
"""A move not chosen is judged only if its turn leaves at most this many cards more than the best turn."""
_DEALS = 6
"""The number of imagined deals against one other player; against more, a share of it, at least 2."""
_CACHE_SIZE = 256
"""The planned turns that each cache keeps."""
_OVERLOOKED = 0.5
"""The chance that ``easy`` overlooks a movement of hand cards alone."""
_REARRANGEMENT_OVERLOOKED = 0.9
"""The chance that ``easy`` overlooks a movement that takes cards of the table."""
_FALLBACK_VERBS = (End.verb, Draw.verb, Reset.verb)
"""The verbs of the moves made if no movement is chosen, best first."""


def think(view: View, moves: Sequence[Move], rng: Random, level: Level = "normal") -> Move:
    """The next movement of the turn; after its last, the end of the turn, else a draw, else a reset.

    The first of ``moves`` if none of these is possible, as in a loaded position with a broken group.
    """
    if level == "easy":
        move = _seen_movement(view, moves, rng)
    else:
        rest = _rest_of_turn(view, _hard_plan if level == "hard" else _normal_plan)
        move = rest[0].to_move() if rest else None
    return move or _fallback(moves)


def _fallback(moves: Sequence[Move]) -> Move:
    of_one_word = {move.verb: move for move in moves if not move.words}
    return next((of_one_word[verb] for verb in _FALLBACK_VERBS if verb in of_one_word), moves[0])


def _seen_movement(view: View, moves: Sequence[Move], rng: Random) -> Move | None:
    """The first of the suggested movements that ``easy`` sees, if any; one of the whole hand is always seen.

    Left out are movements that keep the drawn card in hand: the turn could not end after them (rule 11).
    """
    held = frozenset(view.hand)
    for move in moves:
        if move.verb in (Lay.verb, Add.verb) and (view.own_draw not in held or view.own_draw in move.words):
            taken = set(_card_words(move)) - held
            if held.issubset(move.words) or rng.random() >= (
                _REARRANGEMENT_OVERLOOKED if taken else _OVERLOOKED
            ):
                return move
    return None


def _card_words(move: Move) -> tuple[str, ...]:
    """The cards of a movement, without the name of the group to which it adds."""
    return move.words[1:] if move.verb == Add.verb else move.words


class TurnPosition(Value):
    """The position from which a turn is planned: the table, the hand, the movements left."""

    table: TableGroups
    hand: tuple[Card, ...]
    has_opened: bool
    movements: int
    """The movements left in the turn."""
    drawn: Card | None
    """The drawn card if it is in hand."""
    placed: bool
    """Whether a hand card was placed in this turn."""
    reach: Reach
    movements_per_turn: int
    others: tuple[tuple[int, bool], ...]
    """For each other seat, the next to play first: the number of its cards, and whether it has opened."""
    stock: int

    @classmethod
    def now(cls, view: View) -> TurnPosition:
        """The current position."""
        return cls._of(view, view, view.hand)

    @classmethod
    def committed(cls, view: View) -> TurnPosition:
        """The position at the last commit."""
        if not (commit := view.commit):
            return cls.now(view)
        return cls._of(view, commit, sorted_hand((*view.hand, *placed_since_commit(view))))

    @classmethod
    def _of(cls, view: View, then: View | Commit, hand: tuple[Card, ...]) -> TurnPosition:
        assert view.seat is not None
        seats = len(view.hand_sizes)
        others = [(view.seat + n) % seats for n in range(1, seats)]
        return cls(
            table=then.table,
            hand=hand,
            has_opened=then.on[view.seat],
            movements=then.movements_left,
            drawn=view.own_draw if view.own_draw in hand else None,
            placed=then.placed > 0,
            reach=_reach(view),
            movements_per_turn=int(view.options["movements"]),
            others=tuple([(view.hand_sizes[seat], view.on[seat]) for seat in others]),
            stock=view.stock_size,
        )

    def after(self, made: Movement) -> TurnPosition:
        """The position after a movement."""
        table, _, _ = move_cards(self.table, made.cards, made.group, self.reach.ace)
        hand = tuple([card for card in self.hand if card not in made.cards])
        return replace(
            self,
            table=table,
            hand=hand,
            has_opened=True,
            movements=self.movements - 1,
            drawn=self.drawn if self.drawn in hand else None,
            placed=self.placed or len(hand) < len(self.hand),
        )

    @property
    def start(self) -> Start:
        """The same position, as the search takes it."""
        return Start.of(
            self.table, self.hand, self.movements, self.reach, has_opened=self.has_opened, must=self.drawn
        )


def _reach(view: View) -> Reach:
    return Reach(
        view.ace, rearranges=view.options["table_moves"] == "on", strict=view.options["strict"] == "on"
    )


Planner = Callable[[TurnPosition], tuple[Movement, ...]]
"""Plans the movements of a turn."""


def _rest_of_turn(view: View, plan: Planner) -> tuple[Movement, ...]:
    """The movements left of the turn planned at the last commit.

    If the player has departed from that plan, those of a turn planned anew.
    """
    for position in (TurnPosition.committed(view), TurnPosition.now(view)):
        table = position.table
        planned = plan(position)
        for n, made in enumerate((*planned, None)):
            if table.groups == view.groups:
                return planned[n:]
            if made:
                table, _, _ = move_cards(table, made.cards, made.group, view.ace)
    raise AssertionError("unreachable: a turn planned from the table as it is now begins with that table")


@lru_cache(_CACHE_SIZE)
def _normal_plan(position: TurnPosition) -> tuple[Movement, ...]:
    """The movements of the best turn that is found with few steps, with one broken group at a time.

    The turn of `_plan`, if no card may leave its group.
    """
    if not position.reach.rearranges:
        return _plan(position)
    melds = best_turn(position.start, _NORMAL_STEPS, mends=position.placed, broken=_NORMAL_BROKEN)
    return movements_of(position.table, melds, position.reach.ace)


@lru_cache(_CACHE_SIZE)
def _plan(position: TurnPosition) -> tuple[Movement, ...]:
    """The movements of the best turn found.

    If no card may leave its group, a turn that does not go out makes only groups that pass `_does_not_block`.
    """
    melds = _search(position)
    placed = {CARDS[number] for meld in melds for number in meld}.intersection(position.hand)
    if not position.reach.rearranges and len(placed) < len(position.hand):
        melds = _search(position, _does_not_block(position))
    return movements_of(position.table, melds, position.reach.ace)


@lru_cache(_CACHE_SIZE)
def _hard_plan(position: TurnPosition) -> tuple[Movement, ...]:
    """The movements of the turn with the best outlook, of those that place nearly the most cards.

    Other turns are not compared: to hold back cards, placing none or one a turn, loses far more games than it
    wins. The turn of `_plan`, if the player has not opened, no stock is left or no card may leave its group.
    """
    if not (position.reach.rearranges and position.stock and position.has_opened):
        return _plan(position)
    start = position.start
    turns = good_turns(start, _HARD_STEPS, _MOST_TURNS, mends=position.placed)
    if not turns[0] or placed_from(start.hand, turns[0]) == len(start.hand):
        return movements_of(position.table, turns[0], position.reach.ace)
    outlook = _outlook(position)
    chances = [outlook.chance(*after(start, melds), has_opened=True) for melds in turns]
    return movements_of(position.table, turns[chances.index(max(chances))], position.reach.ace)


def estimate(view: View, moves: Sequence[Move], rng: Random) -> Mapping[Move, float]:
    """The chance to win after each move, if the turn goes on as well as it then can.

    At most `_MOST_TURNS` moves are judged: that of `think` at ``hard``, and others after which the turn can
    end and places nearly as many cards as it could.
    """
    now = TurnPosition.now(view)
    chosen = think(view, moves, rng, "hard")
    found = {move: _end_after(view, now, move) for move in dict.fromkeys((chosen, *moves))}
    ends = {move: end for move, end in found.items() if end}
    if chosen not in ends:
        # The search of `_end_after`, mostly of fewer steps, may not find the rest of the planned turn.
        ends[chosen] = _end_of_plan(view, now)
    fewest = min(len(hand) for _, hand in ends.values())
    kept = sorted(ends, key=lambda move: (move != chosen, len(ends[move][1])))[:_MOST_TURNS]
    outlook, sizes = _outlook(now), [size for size, _ in now.others]
    chances = {
        move: outlook.chance(*ends[move], has_opened=now.has_opened or len(ends[move][1]) < len(now.hand))
        for move in kept
        if move == chosen or len(ends[move][1]) <= fewest + _SHORTFALL
    }
    left = len(ends[kept[0]][1])
    return {move: tempered(chance, left, sizes) for move, chance in chances.items()}


TurnEnd = tuple[Sequence[Piece], Sequence[Number]]
"""The pieces and the hand at the end of a turn."""


def _end_of_plan(view: View, now: TurnPosition) -> TurnEnd:
    """The end of the turn that ``hard`` has planned."""
    for made in _rest_of_turn(view, _hard_plan):
        now = now.after(made)
    return now.start.pieces, now.start.hand


def _end_after(view: View, now: TurnPosition, move: Move) -> TurnEnd | None:
    """The end of the best turn found that begins with a move; None if this turn could not end.

    A draw or an end leaves pieces and hand as they are.
    """
    if move.verb == Reset.verb:
        position = TurnPosition.committed(view)
    elif move.verb in (Lay.verb, Add.verb):
        into = move.words[0] if move.verb == Add.verb else None
        position = now.after(movement(tuple(map(Card, _card_words(move))), into))
    else:
        return now.start.pieces, now.start.hand
    start = position.start
    pieces, hand_left = after(start, _search(position))
    may_end = start.must not in hand_left or move.verb == Reset.verb
    return (pieces, hand_left) if may_end and all(map(is_whole, pieces)) else None


def _outlook(position: TurnPosition) -> Outlook:
    """The outlook of a position, which seeds the imagined deals: equal positions have equal outlooks."""
    start, sizes = position.start, [size for size, _ in position.others]
    seen = [*start.hand, *(card for piece in start.pieces for card in piece)]
    known, rng = frozenset(seen), Random(" ".join(map(str, seen)))
    unseen = [card for card in range(len(CARDS)) if card not in known]
    return Outlook(
        draws=unseen_faces(unseen) if position.stock else (),
        deals=imagine_deals(unseen, sizes, max(2, _DEALS // len(sizes)), rng),
        movements=position.movements_per_turn,
        reach=position.reach,
        have_opened=tuple(has_opened for _, has_opened in position.others),
    )


def _search(position: TurnPosition, accepts: Callable[[Meld], bool] | None = None) -> tuple[Meld, ...]:
    return best_turn(position.start, _STEPS, accepts, mends=position.placed)


def _does_not_block(position: TurnPosition) -> Callable[[Meld], bool]:
    """Makes a test of groups: whether a group does not block a game in which no card may leave its group.

    Every other card of a trio's rank can be added to the trio. A run uses up cards that later trios need; if
    those trios are never laid, players cannot place the other cards of their ranks. So once the player has
    opened, a run may take a hand card only if its rank has a trio, or if it is added to a run and is the only
    one of its rank in hand.
    """
    with_trio = {group.cards[0].rank for group in position.table.groups if _is_of_one_rank(group.cards)}
    held = Counter(card.rank for card in position.hand)

    def accepts(meld: Meld) -> bool:
        cards = [CARDS[number] for number in meld]
        if not position.has_opened or _is_of_one_rank(cards):
            return True
        own = [card for card in cards if card in position.hand]
        adds = len(own) < len(cards)
        return all(card.rank in with_trio or (adds and held[card.rank] == 1) for card in own)

    return accepts


def _is_of_one_rank(cards: Sequence[Card]) -> bool:
    return len({card.rank for card in cards}) == 1
