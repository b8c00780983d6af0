"""Lists the legal moves.

With the option ``closed`` at most `_MOST_WAYS_OUT` ways to go out are listed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from engines.boathouse.layings import Laying, bits, by_points, lay_offs, melds_in
from engines.boathouse.state import (
    DECK,
    DRAW_SIZE,
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

_MOST_WAYS_OUT = 12
"""The most ways to go out that `moves` lists, since there may be many."""
_DRAW_STOCK, _DRAW_PILE, _FLIP = Draw("stock").to_move(), Draw("pile").to_move(), Flip().to_move()
_COSTLIEST_FIRST = sorted(DECK, key=lambda card: (-points(card), "CDHS".index(card.suit), -card.number))
"""All cards, those of most points first; among equals by suit C D H S, then the higher rank."""
_place = {card: place for place, card in enumerate(_COSTLIEST_FIRST)}.__getitem__
_DISCARDS = tuple(Discard(card).to_move() for card in _COSTLIEST_FIRST)
_BITS = tuple(bits((card,)) for card in _COSTLIEST_FIRST)
"""Two tables in the order of `_COSTLIEST_FIRST`: the discard of each card, and the card as bits."""


def moves(state: State, seat: Seat) -> tuple[Move, ...]:
    """The legal moves of the seat whose turn it is, roughly best first."""
    if state.phase == "draw":
        return _draws(state)
    held = bits(state.hands[seat])
    melds = melds_in(held)
    closed = state.options["going_out"] == "closed"
    laying = _ways_out(state, seat) if closed else _layings(state, held, melds)
    return (*laying, *_discards(state, seat, melds))


def in_canonical_spelling(words: Words) -> Words:
    """Sorts the cards of a meld or lay-off into canonical order; returns other words unchanged."""
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
    return (first, _DRAW_PILE) if len(state.pile) >= DRAW_SIZE else (first,)


def _layings(state: State, held: int, melds: Sequence[Laying]) -> list[Move]:
    """All melds and lay-offs that leave an empty hand or a card to discard, most points first."""
    found = [*melds, *lay_offs(held, state.melds)]
    if state.barred:
        barred = bits(state.barred)
        found = [one for one in found if one.cards == held or held & ~one.cards & ~barred]
    found.sort(key=by_points, reverse=True)
    return [one.move for one in found]


def _discards(state: State, seat: Seat, melds: Sequence[Laying]) -> list[Move]:
    """The legal discards: first of cards that are in none of the melds, then of others; most points first."""
    hand = without(state.hands[seat], *state.barred) if state.barred else state.hands[seat]
    useful = 0
    for meld in melds:
        useful |= meld.cards
    places = sorted(map(_place, hand))
    if not useful:
        return [_DISCARDS[place] for place in places]
    spare = [_DISCARDS[place] for place in places if not _BITS[place] & useful]
    return spare + [_DISCARDS[place] for place in places if _BITS[place] & useful]


def _ways_out(state: State, seat: Seat) -> list[Move]:
    """The first `_MOST_WAYS_OUT` ways to lay the whole hand at once, in the order of `choices_out`."""

    def spell(words: Words) -> Iterator[Words]:
        following, done = choices_out(state, seat, words)
        if done:
            yield words
        for word in following:
            yield from spell((*words, word))

    return [Move(GoOut.verb, words) for words in islice(spell(()), _MOST_WAYS_OUT)]


def choices_out(state: State, seat: Seat, words: Words) -> Choices:
    """The next words after ``out`` and ``words``: melds in the order of their lowest cards, then the discard.

    Because of that order, each way to go out has one spelling only.
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
    """Whether all named cards are in the hand, and none is named twice."""
    return len(set(named)) == len(named) and set(named) <= set(hand)


def _next_melds(state: State, left: Cards, floor: int) -> Iterator[str]:
    """The melds that may be named next; their lowest cards have a higher order than ``floor``.

    The next meld contains the lowest card left, unless that card is the discard.
    """
    ordered = in_canonical_order(left)
    passed = [card for card in ordered if card.order < floor]
    if len(left) < 3 or len(passed) > 1 or not _can_go_out(state, ordered, passed):
        return
    melds = [in_canonical_order(meld) for meld in MELDS.melds_in(left)]
    for lowest in ordered[len(passed) : len(passed) + 2]:
        skipped = [card for card in ordered if card.order < lowest.order]
        for meld in melds:
            if meld[0] == lowest and _can_go_out(state, without(ordered, *meld), skipped):
                yield "+".join(meld)
        if skipped:
            return


def _can_go_out(state: State, left: Cards, discarded: Sequence[Card]) -> bool:
    """Whether melds can take all cards left but the discard.

    A card in ``discarded`` must be the discard, so there can be only one. If ``discarded`` is empty, the
    discard may be any card left that is not barred, or there may be none.
    """
    if len(discarded) > 1 or any(card in state.barred for card in discarded):
        return False
    if discarded:
        return takes_all(without(left, *discarded), MELDS)
    if not takes_all(left, MELDS, but=1):
        return False
    free = without(left, *state.barred)
    return takes_all(left, MELDS) or any(takes_all(without(left, card), MELDS) for card in free)


def _cards(word: str) -> Cards:
    """The cards of a word after ``out``, such as ``5H+6H+7H``; empty if the word is malformed."""
    parts = word.split("+")
    return in_canonical_order(map(Card, parts)) if all(map(is_card, parts)) else ()
