"""The legal moves: all of an open game, some ways out of a closed one, and the move of the clock."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from engines.boathouse.layings import Laying, bits, by_points, lay_offs, melds_in
from engines.boathouse.state import (
    DECK,
    DRAWN,
    MELDS,
    Cards,
    Discard,
    Draw,
    Flip,
    GoOut,
    State,
    in_canonical_order,
    is_meld,
    points,
)
from engines.cards import Card, is_card, without
from engines.divisions import takes_all
from engines.game import Choices, Move, Seat

Words = tuple[str, ...]

_WAYS_OUT = 12
"""The most ways out that are suggested, since there may be many."""
_DRAW_STOCK, _DRAW_PILE, _FLIP = Draw("stock").to_move(), Draw("pile").to_move(), Flip().to_move()
_DEAREST = sorted(DECK, key=lambda card: (-points(card), "CDHS".index(card.suit), -card.number))
"""The cards by points, the dearest first; among equals by suit C D H S, then the higher rank."""
_PLACES = {card: place for place, card in enumerate(_DEAREST)}.__getitem__
_DISCARDS = tuple(Discard(card).to_move() for card in _DEAREST)
_BITS = tuple(bits((card,)) for card in _DEAREST)


def moves(state: State, seat: Seat) -> tuple[Move, ...]:
    """The moves of the seat whose turn it is, best first; of ways out not more than a few."""
    if state.phase == "draw":
        return _draws(state)
    held = bits(state.hands[seat])
    melds = melds_in(held)
    closed = state.options["going_out"] == "closed"
    laying = _ways_out(state, seat) if closed else _layings(state, held, melds)
    return (*laying, *_discards(state, seat, melds))


def on_timeout(state: State, seat: Seat) -> Move:
    """The move of the clock: a draw from the stock, else the best discard."""
    if state.phase == "draw":
        return _draws(state)[0]
    return _discards(state, seat, melds_in(bits(state.hands[seat])))[0]


def in_listed_order(words: Words) -> Words:
    """The words of a meld or lay-off with their cards in canonical order; others as they are."""
    if words[:1] not in (("meld",), ("layoff",)):
        return words
    head = 1 if words[0] == "meld" else 2
    if not all(map(is_card, words[head:])):
        return words
    return words[:head] + in_canonical_order(map(Card, words[head:]))


def _draws(state: State) -> tuple[Move, ...]:
    if not state.pile:
        return (_DRAW_STOCK,) if state.stock else ()
    first = _DRAW_STOCK if state.stock else _FLIP
    return (first, _DRAW_PILE) if len(state.pile) >= DRAWN else (first,)


def _layings(state: State, held: int, melds: Sequence[Laying]) -> list[Move]:
    """All melds and lay-offs, those of most points first."""
    found = [*melds, *lay_offs(held, state.melds)]
    if state.barred:
        barred = bits(state.barred)
        found = [one for one in found if one.cards == held or held & ~one.cards & ~barred]
    found.sort(key=by_points, reverse=True)
    return [one.move for one in found]


def _discards(state: State, seat: Seat, melds: Sequence[Laying]) -> list[Move]:
    """The legal discards: cards that are part of no meld first, and among them the dearest."""
    hand = without(state.hands[seat], *state.barred) if state.barred else state.hands[seat]
    useful = 0
    for meld in melds:
        useful |= meld.cards
    dearest = sorted(map(_PLACES, hand))
    if not useful:
        return [_DISCARDS[place] for place in dearest]
    spare = [_DISCARDS[place] for place in dearest if not _BITS[place] & useful]
    return spare + [_DISCARDS[place] for place in dearest if _BITS[place] & useful]


def _ways_out(state: State, seat: Seat) -> list[Move]:
    """Some ways to lay the whole hand at once, spelled in the one order of `choices_out`."""

    def spell(words: Words) -> Iterator[Words]:
        following, done = choices_out(state, seat, words)
        if done:
            yield words
        for word in following:
            yield from spell((*words, word))

    return [Move(GoOut.verb, words) for words in islice(spell(()), _WAYS_OUT)]


def choices_out(state: State, seat: Seat, words: Words) -> Choices:
    """The choices after ``out``: melds by their lowest cards, then the discard.

    So each way out has one spelling.
    """
    if state.options["going_out"] == "open" or state.phase == "draw":
        return Choices((), False)
    melds = list(map(_cards, words))
    discard = melds.pop() if melds and len(melds[-1]) == 1 else ()
    hand = state.hands[seat]
    named = tuple(card for meld in (*melds, discard) for card in meld)
    if not _holds(hand, named) or not all(map(is_meld, melds)):
        return Choices((), False)
    left = without(hand, *named)
    if discard:
        return Choices((), bool(melds) and not left and discard[0] not in state.barred)
    ends = left if melds and len(left) == 1 and left[0] not in state.barred else ()
    floor = max((min(card.order for card in meld) for meld in melds), default=-1)
    return Choices((*_next_melds(state, left, floor), *ends), not left and bool(melds))


def _holds(hand: Cards, named: Cards) -> bool:
    """Whether cards are all in the hand and none is named twice."""
    return len(set(named)) == len(named) and set(named) <= set(hand)


def _next_melds(state: State, left: Cards, floor: int) -> Iterator[str]:
    """The melds that may come next on a way out; all melds to come begin above the floor.

    The lowest card left is in the next meld, unless it is the discard.
    """
    ordered = in_canonical_order(left)
    passed = [card for card in ordered if card.order < floor]
    if len(left) < 3 or len(passed) > 1 or not _can_go(state, ordered, passed):
        return
    melds = [in_canonical_order(meld) for meld in MELDS.melds_in(left)]
    for lowest in ordered[len(passed) : len(passed) + 2]:
        skipped = [card for card in ordered if card.order < lowest.order]
        for meld in melds:
            if meld[0] == lowest and _can_go(state, without(ordered, *meld), skipped):
                yield "+".join(meld)
        if skipped:
            return


def _can_go(state: State, left: Cards, discarded: Sequence[Card]) -> bool:
    """Whether melds take all cards left but the discard: the chosen one, or any where none is chosen."""
    if len(discarded) > 1 or any(card in state.barred for card in discarded):
        return False
    if discarded:
        return takes_all(without(left, *discarded), MELDS)
    if not takes_all(left, MELDS, but=1):
        return False
    free = without(left, *state.barred)
    return takes_all(left, MELDS) or any(takes_all(without(left, card), MELDS) for card in free)


def _cards(word: str) -> Cards:
    """The cards of a word of a way out; none if it spells none."""
    parts = word.split("+")
    return in_canonical_order(map(Card, parts)) if all(map(is_card, parts)) else ()
