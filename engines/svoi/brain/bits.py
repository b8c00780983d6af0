"""Positions of Svoi Kozyri as bits, for computer players that look at many positions a second.

A set of cards is a number with one bit a card. The bits ascend by rank, and within a rank in the order
C D H S, so that the lowest bit of a set without trumps is its cheapest card.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from engines.cards import Card
from engines.game import Move, Seat
from engines.svoi.deck import DECK, REPLY_SIZES, Hand, Pile, Trumps, beating, cheapest_first, take_size
from engines.svoi.moves import BEATS, LAST_BEATS, LEADS, TAKE

CARDS: tuple[Card, ...] = tuple(cheapest_first(DECK, None))
"""The card of each bit."""
BIT = {card: 1 << n for n, card in enumerate(CARDS)}
_NUMBER = {card: n for n, card in enumerate(CARDS)}
_SUITS = tuple(sum(BIT[card] for card in DECK if card.suit == suit) for suit in "SHDC")
"""The cards of each suit, as bits."""
NEXT_RANK = len(_SUITS)
"""How far to the left of a card's bit the next higher card of its suit has its bit."""

Laid = tuple[int, int]
"""A move: the bit of the first card and of the second card; zero for no card, and twice zero for taking."""
TAKEN: Laid = (0, 0)


class BitPosition(NamedTuple):
    """A position of the phase ``play`` in which both hands are known."""

    seat: Seat
    """The player to act."""
    own: int
    """The hand of the player to act, as bits."""
    other: int
    """The hand of the other player, as bits."""
    pile: tuple[int, ...]
    """The numbers of the bits of the pile's cards, bottom first."""


class Ruling(NamedTuple):
    """The rules for a game's trump suits and house rules; the first three fields have one entry a seat."""

    beaters: tuple[tuple[int, ...], ...]
    """The cards that beat each card, as bits."""
    sizes: tuple[tuple[int, ...], ...]
    """By the card on top of the pile, how many cards a player takes; all if the pile has fewer."""
    trumps: tuple[int, ...]
    """The cards of the trump suit, as bits; zero without a trump suit."""
    replies: tuple[int, ...]
    """The hand sizes with which a last reply saves a draw (rule 7)."""
    voluntary: bool
    """Whether a player who can beat may take instead."""


def ruling(trumps: Trumps, options: Mapping[str, str]) -> Ruling:
    """The `Ruling` of a game with these trump suits and house rules."""
    return _ruling(trumps, options["last_reply"], options["voluntary_take"] == "on")


@lru_cache(64)
def _ruling(trumps: Trumps, last_reply: str, voluntary: bool) -> Ruling:
    # With so many cards below the top card, the pile never has fewer than are to be taken.
    below = CARDS[:1] * len(DECK)
    return Ruling(
        beaters=tuple([tuple([to_bits(beating(DECK, card, trump)) for card in CARDS]) for trump in trumps]),
        sizes=tuple([tuple([take_size((*below, card), trump) for card in CARDS]) for trump in trumps]),
        trumps=tuple([to_bits(card for card in DECK if card.suit == trump) for trump in trumps]),
        replies=REPLY_SIZES[last_reply],
        voluntary=voluntary,
    )


def to_bits(cards: Iterable[Card]) -> int:
    """A set of cards as bits."""
    return sum(BIT[card] for card in cards)


def each_bit(cards: int) -> Iterator[int]:
    """The bits of a set one by one, from the lowest to the highest."""
    while cards:
        bit = cards & -cards
        yield bit
        cards ^= bit


def to_position(seat: Seat, hands: Sequence[Hand], pile: Pile) -> BitPosition:
    """The position with these hands and this pile."""
    own, other = to_bits(hands[seat]), to_bits(hands[1 - seat])
    return BitPosition(seat, own, other, tuple([_NUMBER[card] for card in pile]))


def to_move(position: BitPosition, laid: Laid) -> Move:
    """Writes the cards laid as a move."""
    first, second = laid
    if not first:
        return TAKE
    card = CARDS[first.bit_length() - 1]
    if second:
        return BEATS[card][CARDS[second.bit_length() - 1]]
    return LAST_BEATS[card] if position.pile else LEADS[card]


def from_move(move: Move) -> Laid:
    """Reads the cards that a move lays; a move that takes lays none."""
    first, second = (*(BIT[Card(word)] for word in move.words), 0, 0)[:2]
    return first, second


def after(rules: Ruling, position: BitPosition, laid: Laid) -> BitPosition:
    """The position after a legal move."""
    seat, own, other, pile = position
    first, second = laid
    if second:
        return BitPosition(
            1 - seat, other, own ^ first ^ second, (*pile, first.bit_length() - 1, second.bit_length() - 1)
        )
    if first:
        return BitPosition(1 - seat, other, own ^ first, (*pile, first.bit_length() - 1))
    size = rules.sizes[seat][pile[-1]]
    for number in pile[-size:]:
        own |= 1 << number
    return BitPosition(1 - seat, other, own, pile[:-size])


def saves_draw(rules: Ruling, position: BitPosition) -> bool:
    """Whether the player to act, whose opponent has run out of cards, has a last reply (rule 7)."""
    seat, own, _, pile = position
    return own.bit_count() in rules.replies and bool(own & rules.beaters[seat][pile[-1]])


def unbeatable(cards: int, hand: int, trumps: int) -> int:
    """Those of ``cards`` that a player with this hand and these trumps cannot beat."""
    if held := hand & trumps:
        # Any trump beats every card of another suit.
        size = held.bit_length()
        return (cards & trumps) >> size << size
    found = 0
    for suit in _SUITS:
        if those := cards & suit:
            size = (hand & suit).bit_length()
            found |= those >> size << size
    return found


def repeated(position: BitPosition, past: Sequence[Pile], times: int) -> frozenset[BitPosition]:
    """The positions that have come up at least ``times`` times, this time included (rule 8).

    ``past`` are the piles before each earlier action, from which the hands of those times follow.
    """
    seat, hand, other, pile = position
    came_up = Counter((position,))
    for earlier in reversed(past):
        before = tuple([_NUMBER[card] for card in earlier])
        seat, hand, other = 1 - seat, other, hand
        for number in (*pile[len(before) :], *before[len(pile) :]):
            hand ^= 1 << number
        pile = before
        came_up[BitPosition(seat, hand, other, pile)] += 1
    return frozenset(known for known, n in came_up.items() if n >= times)
