"""The deck of Svoi Kozyri: the strength of cards, the number of cards to take, the deal.

This module uses no other module of the game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from engines.cards import RANKS, SUITS, Card, deck, without
from engines.game import Seat
from engines.shuffle import SeededRandom, shuffle

RANKS_USED = ("A", *RANKS[5:])
DECK = deck(RANKS_USED)
HAND_SIZE = len(DECK) // 2

Hand = tuple[Card, ...]
Pile = tuple[Card, ...]
"""The cards of the pile, bottom first."""
Trumps = tuple[str | None, ...]
"""The trump suit of each seat; None until it is chosen."""
REPLY_SIZES = {"one": (1,), "two": (1, 2), "off": ()}
"""The hand sizes with which a last reply saves a draw (rule 7), by the value of the option ``last_reply``."""


def strength(card: Card) -> int:
    """The rank as a number, ace high."""
    return 14 if card.rank == "A" else card.number


def beats(card: Card, top: Card, trump: str | None) -> bool:
    """Whether the card beats the pile's top card for a player with this trump suit (rule 5)."""
    if card.suit == top.suit:
        return strength(card) > strength(top)
    return card.suit == trump


def beating(held: Sequence[Card], top: Card, trump: str | None) -> list[Card]:
    """The held cards that beat the pile's top card, in their order."""
    beaters = _beaters(top, trump)
    return [card for card in held if card in beaters]


@cache
def _beaters(top: Card, trump: str | None) -> frozenset[Card]:
    return frozenset(card for card in DECK if beats(card, top, trump))


def cheapest_first(held: Sequence[Card], trump: str | None) -> list[Card]:
    """Sorts cards from the cheapest to the dearest: own trumps last, then by rank, then by suit."""
    return sorted(held, key=_places(trump).__getitem__)


@cache
def _places(trump: str | None) -> Mapping[Card, int]:
    """The place of each card of the deck in the order of `cheapest_first`."""
    ordered = sorted(DECK, key=lambda card: (card.suit == trump, strength(card), "CDHS".index(card.suit)))
    return {card: place for place, card in enumerate(ordered)}


def take_size(pile: Pile, trump: str | None) -> int:
    """The number of cards that a player with this trump suit takes from the pile (rule 6)."""
    top = pile[-1]
    if top.suit != trump:
        return min(3, len(pile))
    return len(pile) if top.rank == "A" else min(5, len(pile))


def last_reply(hand: Hand, top: Card, trump: str | None, option: str) -> tuple[Card, ...]:
    """The cards with which a player saves a draw after the opponent has run out of cards (rule 7).

    The beating card comes first; the result is empty if there is no reply. ``option`` is the value of
    the house rule ``last_reply``.
    """
    if len(hand) not in REPLY_SIZES[option]:
        return ()
    if not (beaters := beating(cheapest_first(hand, trump), top, trump)):
        return ()
    return (beaters[0], *without(hand, beaters[0]))


def deal(seed: bytes, trumps: Trumps, *, mirrored: bool) -> tuple[Hand, ...]:
    """Deals both hands from the seed (rule 2); ``mirrored`` is the house rule ``mirrored_deal``."""
    if mirrored:
        return _deal_mirrored(seed, trumps)
    shuffled = shuffle(seed, DECK)
    return shuffled[:HAND_SIZE], shuffled[HAND_SIZE:]


def trump_six(trumps: Trumps, seat: Seat) -> Card:
    """The six of a seat's trump suit."""
    return Card(f"6{trumps[seat]}")


def give_sixes(hands: Sequence[Hand], trumps: Trumps) -> tuple[tuple[Hand, ...], tuple[Seat, ...]]:
    """Gives each six of a trump suit to its owner; returns the new hands and the seats that received one."""
    receivers = tuple(seat for seat in (0, 1) if trump_six(trumps, seat) in hands[1 - seat])
    for seat in receivers:
        six = trump_six(trumps, seat)
        changed = {seat: (*hands[seat], six), 1 - seat: without(hands[1 - seat], six)}
        hands = (changed[0], changed[1])
    return tuple(hands), receivers


def mirror(card: Card, trumps: Trumps) -> Card:
    """The card of equal rank in the paired suit; the trump suits are one pair, the other suits another."""
    pair = next(pair for pair in _pairs(trumps) if card.suit in pair)
    return Card(card.rank + pair[1 - pair.index(card.suit)])


def _deal_mirrored(seed: bytes, trumps: Trumps) -> tuple[Hand, ...]:
    draws = SeededRandom(seed, "mirror")
    hand: list[Card] = []
    for pair in _pairs(trumps):
        hand += [Card(rank + pair[draws.draw(2)]) for rank in RANKS_USED]
    return tuple(hand), tuple(mirror(card, trumps) for card in hand)


def _pairs(trumps: Trumps) -> tuple[tuple[str, ...], tuple[str, ...]]:
    chosen = tuple(suit for suit in trumps if suit)
    return chosen, tuple(suit for suit in SUITS if suit not in chosen)
