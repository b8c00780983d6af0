"""Judges a view's hand: the draw from the pile, the cards worth least, the danger of each discard."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from engines.boathouse.brain.deadwood import meldable, points_of, unmatched
from engines.boathouse.brain.simulator import PAIRS, left_over, runs_and_fourths, takes_pile, worth_of_keeping
from engines.boathouse.layings import bits
from engines.boathouse.state import DRAW_SIZE, View, unseen_cards
from engines.cards import Card, without

_BESIDE = 0.3
"""The danger of a discard for each unseen card that makes a meld of it and the pile's top card."""
_COLLECTED = 0.1
"""The danger of a discard for each unseen card that makes a meld of it and a card the next player took."""
_COMPLETED = 0.6
"""The danger of a discard for each meld that the next player can surely make with it."""


class Sight(NamedTuple):
    """What a view's reader sees, as sets of cards: ints as in `deadwood`."""

    view: View
    hand: int
    left: int
    """The cards in hand that neither its melds nor those on the table take, as `left_over` finds them."""
    barred: int
    """The cards in hand that may not be discarded in this turn."""
    unseen: int
    """The cards of the stock and those in other hands that the reader does not know."""
    known: int
    """The cards in the next player's hand that all players know."""
    pair: int
    """The two cards on top of the pile; fewer if it has no more."""
    runs: int
    """The cards of the runs on the table."""
    fourths: int
    """The cards missing in the sets on the table."""

    @classmethod
    def of(cls, view: View) -> Sight:
        assert view.seat is not None
        hand, (runs, fourths) = bits(view.hand), runs_and_fourths(view.melds)
        return cls(
            view=view,
            hand=hand,
            left=left_over(hand, runs, fourths),
            barred=bits(view.barred),
            unseen=bits(unseen_cards(view)),
            known=bits(view.known_cards[(view.seat + 1) % len(view.hand_sizes)]),
            pair=bits(view.pile[-DRAW_SIZE:]),
            runs=runs,
            fourths=fourths,
        )

    def takes_pile(self) -> bool:
        """Whether with the pile's top two the hand goes out, or has fewer left over and one to discard."""
        return takes_pile(self.hand, self.pair, self.runs, self.fourths)

    def melds_top(self) -> bool:
        """Whether the pile's top card makes a meld with the hand."""
        top = bits(self.view.pile[-1:])
        return bool(top & meldable(self.hand | top))

    def is_spare(self, cards: Iterable[str]) -> bool:
        """Whether the division of the hand that `unmatched` finds leaves all these cards over."""
        return not bits(map(Card, cards)) & ~unmatched(self.hand)

    def loose(self) -> Sequence[Card]:
        """The cards that may be discarded and are part of no meld of the hand."""
        return [card for card in self.view.hand if 1 << card.order & ~self.barred & ~meldable(self.hand)]

    def discards(self) -> list[Card]:
        """The cards that may be discarded, best first."""
        return sorted(without(self.view.hand, *self.view.barred), key=self._cost)

    def _cost(self, card: Card) -> tuple[int, float]:
        """The sort key of discards, cheapest first: a card of `left` before all others.

        A card of `left` costs the worth of keeping it plus its danger; any other, what it would leave over.
        """
        bit = 1 << card.order
        if bit & self.left:
            return 0, worth_of_keeping(bit, self.hand, self.left, self.unseen) + self.danger(card)
        rest = left_over(self.hand ^ bit, self.runs, self.fourths)
        return 1 + rest.bit_count(), points_of(rest)

    def danger(self, card: Card) -> float:
        """How much a discard helps the next player, who could take it together with the card under it."""
        top, danger = bits(self.view.pile[-1:]), 0.0
        has = self.known | top
        for pair in PAIRS[1 << card.order]:
            if not pair & ~has:
                danger += _COMPLETED
            elif pair & ~(has | self.unseen):
                continue
            elif pair & top:
                danger += _BESIDE
            elif pair & self.known:
                danger += _COLLECTED
        return danger
