"""Plays a hand fast to its end, by rules of thumb for all seats, so that payments tell how good a move is.

Players of the simulation keep melds in hand, where they cost nothing (rule 11), until they go out, and only
then lay off. Cards are an int, as in `deadwood`. The rules are those of `effects`; a test compares the two.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from random import Random

from engines.boathouse.brain.deadwood import ALL, above, below, deadwood, of_ranks, points_of, unmatched
from engines.boathouse.layings import bits
from engines.boathouse.state import (
    DECK,
    DRAW_SIZE,
    HAND_SIZES,
    MELDS,
    MOST_THIN_TURNS,
    TableMeld,
    View,
    unseen_cards,
)
from engines.game import Seat

_WITH_LEFT, _WITH_TAKEN, _WITH_UNSEEN = 2.0, 0.5, 0.1
"""The worth of each meld of three that a card could make with two other cards: if one of the two is left over
in the hand; if one is in the hand, but another meld takes it; if both are still unseen.
"""
_POINT_COST = 0.1
"""The cost of keeping a card, for each of its points."""
_LEAST_GAIN = 1
"""How many fewer cards must be left over for a hand to take the pile's two cards, unless it goes out."""
_MOST_TRIES = 16
"""The largest number that `hands_to_imagine` returns."""
_CARD_COST = 10
"""The cost of an unmatched card, in the unit of `_POINT_COST`, if all cards left over are barred."""
_BITS = tuple(1 << card.order for card in DECK)
"""Every card as a bit."""
_POINTS = {card: points_of(card) for card in _BITS}
"""The points of each card, by its bit."""


def _pairs_with(card: int) -> tuple[int, ...]:
    """Every two cards that make a meld of three with this card."""
    up, down = above(card), below(card)
    alike = [other for other in _BITS if other & of_ranks(_rank_of(card)) and other != card]
    first, second, third = alike
    return (
        up | above(up),
        up | down,
        down | below(down),
        first | second,
        first | third,
        second | third,
    )


def _rank_of(card: int) -> int:
    """The rank of a card, as a bit of one suit."""
    return 1 << (card.bit_length() - 1) % 13


PAIRS = {card: _pairs_with(card) for card in _BITS}
"""Maps each card to every two others that make a meld of three with it."""


def runs_and_fourths(melds: Sequence[TableMeld]) -> tuple[int, int]:
    """The cards of the runs on the table, and the cards missing in its sets."""
    runs = fourths = 0
    for meld in melds:
        cards = bits(meld.cards)
        if MELDS.is_run(meld.cards):
            runs |= cards
        elif cards.bit_count() == 3:
            fourths |= of_ranks(_rank_of(cards & -cards)) & ~cards
    return runs, fourths


def fitting(cards: int, runs: int, fourths: int) -> int:
    """Which of the cards can be added to the melds on the table, one after the other."""
    reach, more = fourths & cards, (above(runs) | below(runs)) & cards & ~runs
    while more:
        reach |= more
        runs |= more
        more = (above(runs) | below(runs)) & cards & ~runs
    return reach


def left_over(cards: int, runs: int, fourths: int) -> int:
    """The cards that neither the hand's melds nor those on the table take; not always the fewest possible."""
    left = unmatched(cards)
    if not (runs or fourths) or not left:
        return left
    left &= ~fitting(left, runs, fourths)
    if left & left - 1:
        fits = fitting(cards, runs, fourths)
        other = unmatched(cards & ~fits)
        if other.bit_count() < left.bit_count():
            return other
    return left


def goes_out(left: int, barred: int) -> bool:
    """Whether a hand can go out: no card is left over, or a single one that may be discarded."""
    return not left & left - 1 and not left & barred


def takes_pile(hand: int, taken: int, runs: int, fourths: int) -> bool:
    """Whether a hand goes out with the pile's two cards, or has fewer left over and one to discard."""
    left = left_over(hand | taken, runs, fourths)
    if goes_out(left, taken):
        return True
    return left.bit_count() <= left_over(hand, runs, fourths).bit_count() - _LEAST_GAIN and bool(
        left & ~taken
    )


def worth_of_keeping(card: int, hand: int, left: int, unseen: int) -> float:
    """The worth of keeping a card: the melds that it may still be part of, less its points."""
    dead = ALL & ~(hand | unseen)
    worth = -_POINT_COST * _POINTS[card]
    for pair in PAIRS[card]:
        if pair & dead:
            continue
        if pair & left:
            worth += _WITH_LEFT
        elif pair & hand:
            worth += _WITH_TAKEN
        else:
            worth += _WITH_UNSEEN
    return worth


def least_useful(hand: int, left: int, barred: int, unseen: int) -> int:
    """The card to discard, never a barred one: of the cards left over, the one least worth keeping.

    If all cards left over are barred, the card whose discard makes the unmatched cards cheapest.
    """
    spare = left & ~barred
    best, least = 0, inf
    if not spare:
        spare = hand & ~barred
        while spare:
            card = spare & -spare
            spare ^= card
            rest = unmatched(hand ^ card)
            cost = _CARD_COST * rest.bit_count() + _POINT_COST * points_of(rest)
            if cost < least:
                best, least = card, cost
        return best
    if not spare & spare - 1:
        return spare
    while spare:
        card = spare & -spare
        spare ^= card
        worth = worth_of_keeping(card, hand, left, unseen)
        if worth < least:
            best, least = card, worth
    return best


class Simulation:
    """A hand in play, with all cards: mutable, for speed."""

    __slots__ = (
        "barred",
        "doubles",
        "drawn",
        "fourths",
        "hands",
        "known",
        "laid",
        "laid_now",
        "pile",
        "reshuffles",
        "runs",
        "seen",
        "stock",
        "thin_turns",
        "turn",
    )

    hands: list[int]
    stock: list[int]
    """The next card to draw comes last."""
    pile: list[int]
    """The top card comes last."""
    known: list[int]
    """Per seat, the cards in hand that all players know."""
    turn: Seat
    drawn: bool
    """Whether the player has drawn in this turn."""
    barred: int
    """The cards that the player has just drawn from the pile and may not discard."""
    seen: int
    """The cards in the pile and on the table."""
    runs: int
    """The cards of the runs on the table."""
    fourths: int
    """The cards missing in the sets on the table."""
    laid: list[bool]
    """Per seat, whether the player put cards down in an earlier turn, so that going out is no Rummy.

    Never mutated: copies share it.
    """
    laid_now: bool
    """Whether the player has put cards down in this turn."""
    thin_turns: int
    """Turns of the hand with fewer than two cards to draw (rule 10)."""
    doubles: bool
    """Whether a Rummy pays double."""
    reshuffles: bool
    """Whether a turned-over pile is shuffled."""

    def copy(self) -> Simulation:
        other = Simulation.__new__(Simulation)
        other.hands, other.stock, other.pile = self.hands[:], self.stock[:], self.pile[:]
        other.known, other.laid, other.laid_now = self.known[:], self.laid, self.laid_now
        other.turn, other.drawn, other.barred, other.seen = self.turn, self.drawn, self.barred, self.seen
        other.runs, other.fourths, other.thin_turns = self.runs, self.fourths, self.thin_turns
        other.doubles, other.reshuffles = self.doubles, self.reshuffles
        return other

    def draw(self, rng: Random, *, from_pile: bool) -> None:
        """Draws two cards, or the only one left, for the player whose turn it is (rules 4, 9 and 10)."""
        seat, self.drawn = self.turn, True
        if from_pile:
            taken = self.pile.pop() | self.pile.pop()
            self.hands[seat] |= taken
            self.known[seat] |= taken
            self.seen &= ~taken
            self.barred = taken
            return
        self.barred = 0
        if len(self.stock) + len(self.pile) < DRAW_SIZE:
            self.thin_turns += 1
        for _ in range(DRAW_SIZE):
            if not self.stock:
                if not self.pile:
                    return
                self._turn_over(rng)
            self.hands[seat] |= self.stock.pop()

    def _turn_over(self, rng: Random) -> None:
        self.stock = self.pile[::-1]
        self.pile = []
        for card in self.stock:
            self.seen &= ~card
        if self.reshuffles:
            rng.shuffle(self.stock)

    def discard(self, card: int) -> bool:
        """Discards a card; returns whether the hand goes on."""
        seat = self.turn
        self.hands[seat] &= ~card
        self.known[seat] &= ~card
        self.pile.append(card)
        self.seen |= card
        self.drawn = False
        if not self.hands[seat] or self.thin_turns >= MOST_THIN_TURNS * len(self.hands):
            return False
        if self.laid_now:
            self.laid = [laid or other == seat for other, laid in enumerate(self.laid)]
            self.laid_now = False
        self.turn = (seat + 1) % len(self.hands)
        return True

    def add_to_table(self, cards: int) -> None:
        """Adds cards of the player whose turn it is to melds on the table, to a set if one fits."""
        self.hands[self.turn] &= ~cards
        self.known[self.turn] &= ~cards
        self.barred &= ~cards
        self.seen |= cards
        self.runs |= cards & ~self.fourths
        self.fourths &= ~cards
        self.laid_now = True

    def unseen_by(self, seat: Seat) -> int:
        """The cards that the seat does not see: in the stock, or in other hands and not known to all."""
        known = self.hands[seat] | self.seen
        for other, cards in enumerate(self.known):
            if other != seat:
                known |= cards
        return ALL & ~known

    def play(self, rng: Random) -> list[int]:
        """Plays the hand to its end and returns the `payments`."""
        while True:
            hand = self.hands[self.turn]
            if not self.drawn:
                pile = self.pile
                from_pile = len(pile) >= DRAW_SIZE and takes_pile(
                    hand, pile[-1] | pile[-2], self.runs, self.fourths
                )
                self.draw(rng, from_pile=from_pile)
                hand = self.hands[self.turn]
            left = left_over(hand, self.runs, self.fourths)
            if goes_out(left, self.barred):
                self.hands[self.turn] = 0
                break
            card = least_useful(hand, left, self.barred, self.unseen_by(self.turn))
            if not self.discard(card):
                break
        return self.payments()

    def payments(self) -> list[int]:
        """The points that each seat receives for the hand; negative for a payer (rules 11 to 13)."""
        unmatched_points = [deadwood(hand) if hand else 0 for hand in self.hands]
        if all(self.hands):
            least = min(unmatched_points)
            if unmatched_points.count(least) > 1:
                return [0] * len(unmatched_points)
            winner, factor = unmatched_points.index(least), 1
        else:
            winner, least = self.hands.index(0), 0
            factor = 2 if self.doubles and not self.laid[winner] else 1
        received = [factor * (least - points) for points in unmatched_points]
        received[winner] = -sum(received)
        return received


def imagine(view: View, rng: Random, tries: int = 1) -> Simulation:
    """A simulation of the view's hand; hidden cards are dealt at random.

    Each other player holds the best of ``tries`` hands, since players keep what fits together.
    """
    simulation = Simulation.__new__(Simulation)
    unseen = [1 << card.order for card in unseen_cards(view)]
    simulation.known = [bits(cards) for cards in view.known_cards]
    simulation.hands = [bits(view.hand) if seat == view.seat else 0 for seat in range(len(view.hand_sizes))]
    for seat, size in enumerate(view.hand_sizes):
        if seat != view.seat:
            known = simulation.known[seat]
            hand = simulation.hands[seat] = _collected(known, size - known.bit_count(), unseen, tries, rng)
            unseen = [card for card in unseen if not card & hand]
    rng.shuffle(unseen)
    simulation.stock = unseen[: view.stock_size]
    simulation.pile = [1 << card.order for card in view.pile]
    simulation.runs, simulation.fourths = runs_and_fourths(view.melds)
    simulation.seen = bits(view.pile) | bits(card for meld in view.melds for card in meld.cards)
    simulation.turn, simulation.drawn = view.turn, view.phase != "draw"
    simulation.barred = bits(view.barred)
    simulation.laid, simulation.laid_now = list(view.laid_before), view.laid_now
    simulation.thin_turns = view.thin_turns
    simulation.doubles = view.options["rummy_double"] == "on" and view.options["going_out"] == "open"
    simulation.reshuffles = view.options["flip"] == "reshuffle"
    return simulation


def hands_to_imagine(view: View) -> int:
    """How many hands to imagine for each other player: twice as many after each round, up to `_MOST_TRIES`.

    The best of these hands has about as many unmatched points as a ``normal`` computer's in that round.
    """
    seats = len(view.hand_sizes)
    # Each turn takes two cards from stock and pile and puts one back.
    turns = len(DECK) - seats * HAND_SIZES[seats] - view.stock_size - len(view.pile)
    return min(_MOST_TRIES, 1 << max(0, turns // seats))


def _collected(known: int, size: int, unseen: Sequence[int], tries: int, rng: Random) -> int:
    """Known cards and ``size`` others: of ``tries`` random hands that with the fewest unmatched points."""
    hands = [known | sum(rng.sample(unseen, size)) for _ in range(tries)]
    return min(hands, key=lambda hand: points_of(unmatched(hand)))
