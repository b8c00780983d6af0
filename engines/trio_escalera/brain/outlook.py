"""Judges a position between turns by what may follow: imagined hands of the others, and possible draws.

A hand is judged by the cards that its best turn would leave: the player who first leaves none wins.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from random import Random

from engines.trio_escalera.brain.plans import Start, best_turn
from engines.trio_escalera.brain.reach import Meld, Number, Piece, Reach
from engines.values import Value

_STEPS = 30
"""The steps of the search for each turn that is imagined."""
_FEW_CARDS = 4
"""The most cards in hand for which every draw is tried; with more, only some are."""
_CARD_WEIGHT = 0.35
"""How much a card less is worth, as the logarithm of the odds of winning."""
_OUT_WEIGHT = 2.0
"""How much it is worth to be able to go out in the next turn, as the logarithm of the odds of winning."""
_TURNS_EXPONENT, _SIZES_EXPONENT = 0.2, 0.8
"""The exponents, in `tempered`, of the odds by imagined turns and of those by the sizes of hands.

They are fitted to games of computers at ``normal``.
"""


class Outlook(Value):
    """What the reader of a view expects after the reader's turn."""

    draws: tuple[tuple[Number, int], ...]
    """The cards that the reader may draw next, one for each rank and suit, with how many are unseen."""
    deals: tuple[tuple[tuple[Number, ...], ...], ...]
    """Imagined deals, each with the hands of the other seats, the next to play first."""
    movements: int
    """How many movements a whole turn has."""
    reach: Reach
    have_opened: tuple[bool, ...]
    """Whether each of the other seats has opened, in the order of `deals`."""

    def chance(self, pieces: Sequence[Piece], hand: Sequence[Number], *, has_opened: bool) -> float:
        """The chance, from 0 to 1, that a reader who ends the turn with this hand wins."""
        if not hand:
            return 1.0
        own = self._own_odds(pieces, hand, has_opened)
        return sum([own / (own + self._odds_against(pieces, deal)) for deal in self.deals]) / len(self.deals)

    def _own_odds(self, pieces: Sequence[Piece], hand: Sequence[Number], has_opened: bool) -> float:
        """The odds of the hand after its next turn: their mean over the cards that it may draw.

        A turn that places no card must draw. The card drawn may be placed or kept.
        """
        left = self._left(pieces, hand, has_opened)
        draws = self.draws if len(hand) <= _FEW_CARDS else self.draws[:: len(hand) // 2]
        if not (left and draws):
            return _odds(left)
        without_use, odds = left + (left == len(hand)), 0.0
        for card, number in draws:
            with_use = self._left(pieces, (*hand, card), has_opened, card)
            odds += number * _odds(min(without_use, with_use))
        return odds / sum([number for _, number in draws])

    def _odds_against(self, pieces: Sequence[Piece], deal: Sequence[Sequence[Number]]) -> float:
        """The sum of the odds of the other hands of an imagined deal."""
        hands = zip(deal, self.have_opened, strict=True)
        return sum([_odds(self._left(pieces, held, has_opened)) for held, has_opened in hands])

    def _left(
        self, pieces: Sequence[Piece], hand: Sequence[Number], has_opened: bool, must: Number | None = None
    ) -> int:
        """How many cards the best turn leaves in this hand."""
        melds = best_turn(Start(pieces, hand, self.movements, self.reach, has_opened, must), _STEPS)
        return len(hand) - placed_from(hand, melds)


def _odds(left: int) -> float:
    return exp(_OUT_WEIGHT * (not left) - _CARD_WEIGHT * left)


def placed_from(hand: Sequence[Number], melds: Sequence[Meld]) -> int:
    """How many hand cards a turn places."""
    held = frozenset(hand)
    return sum([card in held for meld in melds for card in meld])


def tempered(chance: float, left: int, others: Sequence[int]) -> float:
    """A chance to win, moderated: by imagined turns alone it would be far too high or too low.

    ``left`` is the size of the hand after the best turn, ``others`` are the sizes of the other hands. Within
    one position the order of moves stays the same.
    """
    if chance >= 1.0:
        return chance
    n, chance = len(others), max(chance, 1e-6)
    size = (sum(others) / n + 1) / (left + 1)
    odds: float = (n * chance / (1 - chance)) ** _TURNS_EXPONENT * size**_SIZES_EXPONENT / n
    return odds / (1 + odds)


def unseen_faces(unseen: Sequence[Number]) -> tuple[tuple[Number, int], ...]:
    """One unseen card of each rank and suit, and how many cards of that rank and suit are unseen."""
    alike: dict[int, list[Number]] = {}
    for card in unseen:
        alike.setdefault(card // 2, []).append(card)
    return tuple((cards[0], len(cards)) for cards in alike.values())


def imagine_deals(
    unseen: Sequence[Number], sizes: Sequence[int], number: int, rng: Random
) -> tuple[tuple[tuple[Number, ...], ...], ...]:
    """Random deals of the unseen cards to the other seats."""
    deals = []
    for _ in range(number):
        dealt = iter(rng.sample(unseen, sum(sizes)))
        deals.append(tuple(tuple(sorted([next(dealt) for _ in range(size)])) for size in sizes))
    return tuple(deals)
