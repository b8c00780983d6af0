"""Infers from earlier piles how often the present position has come up, and which seat holds which cards.

The players act in turn, one action each, so successive piles show which player laid or took each card.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from engines.cards import Card
from engines.game import Seat
from engines.svoi.deck import DECK, Hand, Pile, mirror, trump_six
from engines.svoi.state import View


def count_occurrences(past: Sequence[Pile], pile: Pile) -> int:
    """Counts how often the present position has come up, this time included (rule 8).

    If the pile and one hand are as they were at an earlier time, so is the other hand. So the count follows
    only the hand of the player who acted last, by the cards laid and taken.
    """
    if pile not in past:
        return 1
    count, later = 1, pile
    moved: set[Card] = set()
    for back, earlier in enumerate(reversed(past), 1):
        if back % 2:
            # Cards come and go only at the top, so the longer pile begins with the shorter one.
            moved.symmetric_difference_update(later[len(earlier) :] or earlier[len(later) :])
        elif earlier == pile and not moved:
            count += 1
        later = earlier
    return count


def is_repeated(past: Sequence[Pile], pile: Pile, times: int) -> bool:
    """Whether the present position has come up at least ``times`` times, this time included."""
    # A position includes the player to act, so only every other pile can repeat it. The quick count
    # comes first.
    return past[len(past) % 2 :: 2].count(pile) >= times - 1 and count_occurrences(past, pile) >= times


def imagine_hands(view: View, rng: Random) -> tuple[Hand, ...]:
    """Hands that agree with the view: the reader's own, cards whose holder is known, the rest at random."""
    unseen = [card for card in DECK if card not in view.hand and card not in view.pile]
    rng.shuffle(unseen)
    holders = _holders(view, rng)
    hands = [
        list(view.hand)
        if seat == view.seat
        else [card for card in unseen if holders.get(card) == seat][:size]
        for seat, size in enumerate(view.hand_sizes)
    ]
    rest = [card for card in unseen if not any(card in hand for hand in hands)]
    for hand, size in zip(hands, view.hand_sizes, strict=True):
        while len(hand) < size:
            hand.append(rest.pop())
    return tuple(map(tuple, hands))


def _holders(view: View, rng: Random) -> dict[Card, Seat]:
    """The holders of the cards that a player took openly, or that the house rules of the deal reveal.

    With the mirrored deal, if neither card of a pair was laid, each player gets one, drawn at random. The
    entries of cards that lie on the pile mean nothing.
    """
    laid_first, taken = _track_cards(view.past, view.pile, view.turn)
    if None in view.trumps:
        return taken
    holders: dict[Card, Seat] = {}
    if view.options["mirrored_deal"] == "on":
        for card in DECK:
            other = mirror(card, view.trumps)
            holders[card] = 1 - laid_first.get(other, holders.get(other, rng.randrange(2)))
    if view.options["sixes_to_owner"] == "on":
        holders |= {trump_six(view.trumps, seat): seat for seat in (0, 1)}
    return holders | taken


def _track_cards(past: Sequence[Pile], pile: Pile, turn: Seat) -> tuple[dict[Card, Seat], dict[Card, Seat]]:
    """The first seat to lay each card ever laid, and the holder of each card taken and not laid since."""
    laid_first: dict[Card, Seat] = {}
    taken: dict[Card, Seat] = {}
    for action, before in enumerate(past):
        after = past[action + 1] if action + 1 < len(past) else pile
        seat = (turn + len(past) - action) % 2
        for card in set(after) - set(before):
            laid_first.setdefault(card, seat)
            taken.pop(card, None)
        taken |= dict.fromkeys(set(before) - set(after), seat)
    return laid_first, taken
