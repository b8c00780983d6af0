"""Plays positions of Svoi Kozyri on by rules of thumb, and lists the moves worth looking at."""

from __future__ import annotations

from collections.abc import Callable

from engines.svoi.brain.bits import (
    NEXT_RANK,
    TAKEN,
    BitPosition,
    Laid,
    Ruling,
    each_bit,
    saves_draw,
    unbeatable,
)

_WHIM = 0.3
"""The chance that a playout passes over the cheapest card for the next one, or a good second card."""
_MOST_ACTIONS = 60
"""The most actions of a playout."""

Luck = Callable[[], float]
"""Draws a number from 0 up to 1, like `random.random`."""


def no_luck() -> float:
    """The luck of a playout in which both players always follow the rules of thumb."""
    return 1.0


def legal(rules: Ruling, position: BitPosition) -> list[Laid]:
    """All legal moves."""
    seat, own, _, pile = position
    if not pile:
        return [(card, 0) for card in each_bit(own)]
    beaters = own & rules.beaters[seat][pile[-1]]
    found = [TAKEN] if rules.voluntary or not beaters else []
    for first in each_bit(beaters):
        found += [(first, second) for second in each_bit(own ^ first)] or [(first, 0)]
    return found


def promising(rules: Ruling, position: BitPosition, most: int) -> list[tuple[float, Laid]]:
    """The moves worth looking at, best first, each with a weight; ``most`` limits their number.

    Of several cards in a row in one suit, only the lowest is tried, as `_lowest_of_runs` says; among second
    cards, those that cannot be beaten are rows of their own.
    """
    seat, own, other, pile = position
    found: list[tuple[float, Laid]] = []
    if not pile:
        weight = 1.0
        safe = unbeatable(own, other, rules.trumps[1 - seat])
        for card in _cheapest_first(_lowest_of_runs(own), rules.trumps[seat]):
            found.append((weight * 1.5 if card & safe else weight, (card, 0)))
            weight *= 0.8
    else:
        weight = 1.0
        beaters = own & rules.beaters[seat][pile[-1]]
        if rules.voluntary or not beaters:
            found.append((0.3 if beaters else 1.0, TAKEN))
        for first in _cheapest_first(_lowest_of_runs(beaters), rules.trumps[seat]):
            seconds = _weigh_seconds(rules, seat, own ^ first, other)
            found += [(weight * share, (first, second)) for share, second in seconds]
            weight *= 0.6
    found.sort(reverse=True)
    return found[:most]


def play_out(rules: Ruling, position: BitPosition, luck: Luck) -> float:
    """The value to seat 0, from 0 to 1, if both players play on by rules of thumb.

    A playout of `_MOST_ACTIONS` actions is judged by the sizes of the hands.
    """
    seat, own, other, pile_before = position
    pile = list(pile_before)
    for _ in range(_MOST_ACTIONS):
        trumps = rules.trumps[seat]
        if not pile:
            card = _cheap(own, trumps, luck)
            own ^= card
            pile.append(card.bit_length() - 1)
        elif beaters := own & rules.beaters[seat][pile[-1]]:
            card = _cheap(beaters, trumps, luck)
            own ^= card
            pile.append(card.bit_length() - 1)
            if own:
                card = _good_second(own, other, trumps, rules.trumps[1 - seat], luck)
                own ^= card
                pile.append(card.bit_length() - 1)
        else:
            size = rules.sizes[seat][pile[-1]]
            for number in pile[-size:]:
                own |= 1 << number
            del pile[-size:]
        seat, own, other = 1 - seat, other, own
        if not other:
            return 0.5 if saves_draw(rules, BitPosition(seat, own, other, (pile[-1],))) else float(seat)
    mine, theirs = own.bit_count(), other.bit_count()
    value = 0.5 + 0.4 * (theirs - mine) / (theirs + mine)
    return 1 - value if seat else value


def _cheap(cards: int, trumps: int, luck: Luck) -> int:
    """The cheapest of the cards; now and then the next one, if both are trumps or neither is."""
    kind = cards & ~trumps or cards
    card = kind & -kind
    if luck() < _WHIM and (rest := kind ^ card):
        return rest & -rest
    return card


def _good_second(own: int, other: int, trumps: int, feared: int, luck: Luck) -> int:
    """A good second card: one that cannot be beaten, else the highest of the ``feared``, else a cheap card.

    The ``feared`` are the cards of the opponent's trump suit; an opponent who holds none of them cannot
    beat any of them. Luck may pass over either good card.
    """
    if (safe := unbeatable(own, other, feared)) and luck() > _WHIM:
        return safe & -safe
    if other & feared and (high := own & feared) and luck() > _WHIM:
        return 1 << high.bit_length() - 1
    return _cheap(own, trumps, luck)


def _weigh_seconds(rules: Ruling, seat: int, held: int, other: int) -> list[tuple[float, int]]:
    """The cards worth laying as the second, with weights; 0 for no card, if none is left."""
    if not held:
        return [(1.0, 0)]
    trumps, feared = rules.trumps[seat], rules.trumps[1 - seat]
    safe = unbeatable(held, other, feared)
    found = [
        (3 * (1.3 if card & feared else 1.0) * (0.4 if card & trumps else 1.0), card)
        for card in each_bit(_lowest_of_runs(safe))
    ]
    rest = _lowest_of_runs(held) & ~safe
    if high := rest & feared:
        card = 1 << high.bit_length() - 1
        found.append((1.5, card))
        rest ^= card
    weight = 1.0
    for card in _cheapest_first(rest, trumps):
        found.append((weight, card))
        weight *= 0.75
    return found


def _lowest_of_runs(cards: int) -> int:
    """The lowest card of each row of neighbours in a suit; of fewer than four cards, all of them."""
    return cards if cards.bit_count() < 4 else cards & ~(cards << NEXT_RANK)


def _cheapest_first(cards: int, trumps: int) -> list[int]:
    return [*each_bit(cards & ~trumps), *each_bit(cards & trumps)]
