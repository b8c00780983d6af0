"""Cards and decks, in the notation of the rule books: ``10H``, ``AS``, and ``KSr`` where backs matter."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

Colour = Literal["red", "black"]

SUITS = ("S", "H", "D", "C")
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
BACKS = ("r", "b")
STAR = "★"
"""Stands after the name of a card that scores a point of its own."""
SYMBOLS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}

_TO_LETTERS = str.maketrans("♠♤♥♡♦♢♣♧", "SSHHDDCC", "\ufe0e\ufe0f")
"""Translates suit symbols, filled or outlined, to letters; drops the variation selectors that phones add."""


class UnknownCard(ValueError):
    """The text is not the spelling of a card."""


class Card(str):
    """A playing card. It is the string of its spelling, and compares, hashes and is written to JSON as that.

    ``Card(text)`` reads letters of either case and suit symbols, and returns the same object for the
    same card. Raises `UnknownCard`. Sort cards by `order`, since ``<`` compares the spellings.
    """

    __slots__ = ("back", "colour", "number", "order", "rank", "suit")

    rank: str
    suit: str
    back: str
    """The pack, ``r`` (red) or ``b`` (blue), in games of two packs; else empty."""
    number: int
    """The rank as a number: ace 1, jack 11, queen 12, king 13."""
    colour: Colour
    order: int
    """The index in canonical order: red pack before blue pack, then suits S H D C, then ranks A to K."""

    def __new__(cls, text: str) -> Card:
        card = _CARDS.get(text) or _IN_CAPITALS.get(text.translate(_TO_LETTERS).upper())
        if card is None:
            raise UnknownCard(text)
        return card

    def __reduce__(self) -> tuple[type[Card], tuple[str]]:
        return Card, (str(self),)


def _make_card(rank: str, suit: str, back: str) -> Card:
    card = str.__new__(Card, rank + suit + back)
    card.rank, card.suit, card.back = rank, suit, back
    card.number = RANKS.index(rank) + 1
    card.colour = "red" if suit in "HD" else "black"
    pack = BACKS.index(back) if back else 0
    card.order = (pack * len(SUITS) + SUITS.index(suit)) * len(RANKS) + RANKS.index(rank)
    return card


_CARDS: dict[str, Card] = {}
_IN_CAPITALS: dict[str, Card] = {}
for _back in ("", *BACKS):
    for _suit in SUITS:
        for _rank in RANKS:
            _card = _make_card(_rank, _suit, _back)
            _CARDS[str(_card)] = _IN_CAPITALS[_card.upper()] = _card


def deck(ranks: Sequence[str] = RANKS, backs: Sequence[str] = ("",)) -> tuple[Card, ...]:
    """The cards of the given ranks in canonical order, one pack for each back."""
    return tuple(Card(rank + suit + back) for back in backs for suit in SUITS for rank in ranks)


def cards(spellings: str | Iterable[str]) -> tuple[Card, ...]:
    """Reads cards from one string, separated by blanks, or from one string for each card.

    Raises `UnknownCard`.
    """
    if isinstance(spellings, str):
        spellings = spellings.split()
    return tuple(map(Card, spellings))


def without(hand: Sequence[Card], *gone: Card) -> tuple[Card, ...]:
    """The cards of a hand in their order, without the cards in ``gone``."""
    return tuple([card for card in hand if card not in gone])


def remove_card(hand: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    """The cards of a hand in their order, without ``card``. Raises `ValueError` if it is not among them."""
    index = hand.index(card)
    return hand[:index] + hand[index + 1 :]


def is_card(word: str) -> bool:
    """Whether a word is a card exactly as the rule books spell it: ``10H``, ``AS``, ``KSr``."""
    return word in _CARDS


def card_spelled(word: str) -> Card | None:
    """The card that the rule books spell exactly so; None if there is none."""
    return _CARDS.get(word)


def by_rank(card: Card) -> tuple[int, int]:
    """The sort key for cards by rank, ace low, and within a rank in canonical order."""
    return card.number, card.order


def by_suit(card: Card) -> tuple[int, int, int]:
    """The sort key for cards by suit (S H C D, so that colours alternate), then by rank, ace low."""
    return _SUIT_ORDER[card.suit], card.number, card.order


_SUIT_ORDER = {suit: n for n, suit in enumerate("SHCD")}
