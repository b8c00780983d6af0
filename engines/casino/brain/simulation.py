"""A compact copy of a game of Casino, which search plays thousands of times: cards are small numbers.

A kind stands for all cards that no rule tells apart after the exchange of the 3♥ (rule 3), such as 3♥, 3♦
and 3♣, so that a search looks at them once.
"""

from __future__ import annotations

from collections.abc import Sequence

from engines.cards import Card
from engines.casino.state import (
    DECK,
    HAND_SIZES,
    MANY_CARDS,
    SPADE_GOALS,
    TEN_OF_DIAMONDS,
    TOP_VALUE,
    Cards,
    Public,
    scores_alone,
)

CardKind = int
"""A kind of cards as a number."""
KINDS = 21
"""The number of kinds: plain and spade for each value, and last the 10♦, the only plain ten that scores."""


def _kind_of(card: Card) -> CardKind:
    """The kind of a card; kinds are ordered by value."""
    return KINDS - 1 if card == TEN_OF_DIAMONDS else 2 * card.number - 2 + (card.suit == "S")


KIND = {card: _kind_of(card) for card in DECK}
_CARD_OF = {kind: card for card, kind in KIND.items()}
VALUE = tuple(_CARD_OF[kind].number for kind in range(KINDS))
"""The value of the cards of each kind."""
POINT = tuple(int(scores_alone(_CARD_OF[kind])) for kind in range(KINDS))
"""By kind: 1 if such a card scores a point by itself, else 0."""
SPADE = tuple(int(_CARD_OF[kind].suit == "S") for kind in range(KINDS))
"""By kind: 1 for spades, else 0."""

# A tally (of a pile, not of a leaderboard) is one int of bit fields, lowest first: cards, spades, points of
# single cards.
_FIELD_BITS = 6
_FIELD = (1 << _FIELD_BITS) - 1
RACES = (1 << 2 * _FIELD_BITS) - 1
"""The bits of a tally that count cards and spades, without the points."""
TALLY = tuple(1 + (SPADE[kind] << _FIELD_BITS) + (POINT[kind] << 2 * _FIELD_BITS) for kind in range(KINDS))
"""What a card of each kind adds to the tally of a pile."""
_FEWER_SPADES, _MORE_SPADES = SPADE_GOALS

THROW, CAPTURE, CAPTURE_BUILD, CAPTURE_ALL, BUILD, STEAL = range(6)
"""The actions of a `Step`."""
NO_STEALS, ON_HAND_CARD, ON_LOOSE_CARD = range(3)
"""What a stolen card is built on, in the order of the words in `Simulation.of`."""

Step = tuple[int, CardKind, int]
"""A move as three numbers: the action, a card, and the target.

The card is the hand card, in a steal the card built on. The target is the loose card, the build as `pair`
writes it, or the seat that is stolen from; 0 if there is none.
"""


def pair(first: CardKind, second: CardKind) -> int:
    """A build as a number: from bit 10 up its value, five bits with the first card, five with the second."""
    return VALUE[first] + VALUE[second] << 10 | first << 5 | second


def cards_of(build: int) -> tuple[CardKind, CardKind]:
    """The first and the second card of a build."""
    return build >> 5 & 31, build & 31


def points(tally: int) -> int:
    """The points of a pile with this tally (rule 12)."""
    cards, spades, single = fields(tally)
    return single + (spades >= _FEWER_SPADES) + (spades >= _MORE_SPADES) + (cards >= MANY_CARDS)


def fields(tally: int) -> tuple[int, int, int]:
    """The cards and the spades of a pile, and the points of its single cards."""
    return tally & _FIELD, tally >> _FIELD_BITS & _FIELD, tally >> 2 * _FIELD_BITS


class Simulation:
    """A game in the phase ``play``, all cards known. Unlike a state it changes in place, for speed."""

    __slots__ = (
        "at_once", "builds", "captured_on_top", "hands", "last", "loose", "piles", "steals", "stock",
        "tallies", "turn", "undealt", "unplayed", "unplayed_count",
    )  # fmt: skip

    hands: list[list[CardKind]]
    """Each hand in ascending order."""
    loose: list[CardKind]
    builds: list[int]
    """Each build as `pair` writes it."""
    piles: list[list[CardKind]]
    tallies: list[int]
    """The sum of `TALLY` over each pile; at the end the last capturer's also counts the rest of the table."""
    stock: list[CardKind]
    """The next card comes first; copies share this list, so it is never changed in place."""
    turn: int
    """The seat whose turn it is; -1 after the end."""
    last: int
    """The last capturer; -1 if there is none."""
    unplayed: list[int]
    """The number of cards of each value that are in hands or undealt."""
    unplayed_count: int
    """The number of cards that are in hands or undealt."""
    undealt: int
    """The number of cards in the stock, and of those that a loaded position leaves out."""
    steals: int
    """`NO_STEALS`, `ON_HAND_CARD` or `ON_LOOSE_CARD`."""
    captured_on_top: bool
    """Whether a captured card comes to lie on top of the pile, not the capturing one."""
    at_once: bool
    """Whether all cards of a value may be captured at once."""

    @classmethod
    def of(cls, state: Public, hands: Sequence[Cards], stock: Cards, unplayed: Sequence[Card]) -> Simulation:
        """The simulation of a state or a view with these cards in the hands and the stock.

        ``unplayed`` are all cards that are not on the table and in no pile.
        """
        table = cls()
        table.hands = [sorted(map(KIND.__getitem__, hand)) for hand in hands]
        table.loose = [KIND[card] for card in state.loose]
        table.builds = [pair(KIND[build.cards[0]], KIND[build.cards[1]]) for build in state.builds]
        table.piles = [[KIND[card] for card in pile] for pile in state.piles]
        table.tallies = [sum(map(TALLY.__getitem__, pile)) for pile in table.piles]
        table.stock = [KIND[card] for card in stock]
        table.turn = state.turn if stock or any(hands) else -1
        table.last = -1 if state.last_capturer is None else state.last_capturer
        table.steals = ("off", "hand", "table").index(state.options["steal_with"])
        table.captured_on_top = state.options["stack_top"] == "captured"
        table.at_once = state.options["multi_capture"] == "on"
        table.unplayed = [0] * (TOP_VALUE + 1)
        for card in unplayed:
            table.unplayed[card.number] += 1
        table.unplayed_count = len(unplayed)
        table.undealt = len(unplayed) - sum(map(len, hands))
        return table

    def copy(self) -> Simulation:
        other = Simulation()
        other.hands = [hand[:] for hand in self.hands]
        other.loose = self.loose[:]
        other.builds = self.builds[:]
        other.piles = [pile[:] for pile in self.piles]
        other.tallies = self.tallies[:]
        other.stock = self.stock
        other.turn = self.turn
        other.last = self.last
        other.unplayed = self.unplayed[:]
        other.unplayed_count = self.unplayed_count
        other.undealt = self.undealt
        other.steals = self.steals
        other.captured_on_top = self.captured_on_top
        other.at_once = self.at_once
        return other

    def play(self, step: Step) -> None:
        """Makes a legal move of the seat whose turn it is, and passes the turn."""
        action, card, target = step
        seat = self.turn
        hand = self.hands[seat]
        if action != STEAL or self.steals == ON_HAND_CARD:
            hand.remove(card)
            self.unplayed[VALUE[card]] -= 1
            self.unplayed_count -= 1
        if action == THROW:
            self.loose.append(card)
        elif action == CAPTURE:
            self.loose.remove(target)
            self._win(card, target)
        elif action == BUILD:
            self.loose.remove(target)
            self.builds.append(pair(card, target))
        elif action == CAPTURE_BUILD:
            self.builds.remove(target)
            self._win(card, *cards_of(target))
        elif action == STEAL:
            stolen = self.piles[target].pop()
            self.tallies[target] -= TALLY[stolen]
            if self.steals == ON_LOOSE_CARD:
                self.loose.remove(card)
            self.builds.append(pair(card, stolen))
        else:
            self._win_all(card)
        if not hand or not self.hands[(seat + 1) % len(self.hands)]:
            self._find_turn()
        else:
            self.turn = (seat + 1) % len(self.hands)

    def _win(self, card: CardKind, *captured: CardKind) -> None:
        """Puts a hand card and the cards that it captures on the pile of the seat whose turn it is."""
        pile = self.piles[self.turn]
        if self.captured_on_top:
            pile.append(card)
            pile.extend(captured)
        else:
            pile.extend(captured)
            pile.append(card)
        won = TALLY[card]
        for kind in captured:
            won += TALLY[kind]
        self.tallies[self.turn] += won
        self.last = self.turn

    def _win_all(self, card: CardKind) -> None:
        """Captures all loose cards and builds of the card's value (option ``multi_capture``)."""
        value = VALUE[card]
        captured = [kind for kind in self.loose if VALUE[kind] == value]
        self.loose = [kind for kind in self.loose if VALUE[kind] != value]
        for build in self.builds:
            if build >> 10 == value:
                captured += cards_of(build)
        self.builds = [build for build in self.builds if build >> 10 != value]
        self._win(card, *captured)

    def _find_turn(self) -> None:
        """Passes the turn when a hand is empty: skips that seat, deals the stock, or ends the game."""
        hands = self.hands
        if not any(hands):
            if not self.stock:
                self._end()
                return
            size = HAND_SIZES[len(hands)]
            for seat in range(len(hands)):
                hands[seat] = sorted(self.stock[seat * size : (seat + 1) * size])
            self.stock = self.stock[len(hands) * size :]
            self.undealt -= sum(map(len, hands))
        turn = (self.turn + 1) % len(hands)
        while not hands[turn]:
            turn = (turn + 1) % len(hands)
        self.turn = turn

    def _end(self) -> None:
        """Ends the game: the last capturer's tally gets the cards left on the table (rule 11)."""
        if self.last >= 0:
            left = self.loose + [kind for build in self.builds for kind in cards_of(build)]
            self.tallies[self.last] += sum(map(TALLY.__getitem__, left))
            self.loose, self.builds = [], []
        self.turn = -1
