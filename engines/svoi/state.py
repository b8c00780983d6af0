"""The state of a game of Svoi Kozyri, what a reader sees of it, and what a player may do."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import TypeAlias

from engines import actions
from engines.cards import Card
from engines.game import Result, Seat
from engines.position import Aside
from engines.shuffle import Seed
from engines.svoi.deck import DECK, Hand, Pile, Trumps, mirror, own_six
from engines.svoi.record import follow
from engines.values import Value


class State(Value, kw_only=True):
    """The whole truth."""

    hands: tuple[Hand, ...] = ((), ())
    pile: Pile = ()
    trumps: Trumps = (None, None)
    turn: Seat = 0
    dealer: Seat = 1
    phase: str = "play"
    """``trumps`` while trump suits are chosen and nothing is dealt (rule 1), else ``play``."""
    turns: Aside[int] = 1
    """One more than the actions taken: each action is a turn."""
    past: Aside[tuple[Pile, ...]] = ()
    """The pile at the beginning of every earlier turn of the play, oldest first."""
    repeated: Aside[bool] = False
    """Whether the present position makes a draw, as ``past`` tells (rule 8); kept, for it is asked often."""
    seed: Aside[Seed] = Seed()
    """The luck of the deal to come; empty in a loaded position and once the cards are dealt."""
    options: Aside[Mapping[str, str]]


class View(Value, kw_only=True):
    """What a reader knows: the piles of now and of earlier turns, both trumps, the own hand."""

    seat: Seat | None
    hand: Hand
    """Empty for a reader without a seat."""
    hand_sizes: tuple[int, ...]
    pile: Pile
    trumps: Trumps
    turn: Seat
    dealer: Seat
    phase: str
    turns: int
    past: tuple[Pile, ...]
    options: Mapping[str, str]
    result: Result | None


class ChooseTrump(actions.Action):
    """Rule 1."""

    suit: str


class Lead(actions.Action):
    """Rule 4."""

    card: Card


class Beat(actions.Action):
    """Rule 5: the card that beats, and the second card on it."""

    card: Card
    second: Card | None = None


class Take(actions.Action):
    """Rule 6."""


Action: TypeAlias = "ChooseTrump | Lead | Beat | Take"


def imagine_hands(view: View, rng: Random) -> tuple[Hand, ...]:
    """The own hand, and for the others what they are known to hold, filled up by chance."""
    unseen = [card for card in DECK if card not in view.hand and card not in view.pile]
    rng.shuffle(unseen)
    known = _known(view, rng)
    hands = [
        list(view.hand) if seat == view.seat else [card for card in unseen if known.get(card) == seat][:size]
        for seat, size in enumerate(view.hand_sizes)
    ]
    rest = [card for card in unseen if not any(card in hand for hand in hands)]
    for hand, size in zip(hands, view.hand_sizes, strict=True):
        while len(hand) < size:
            hand.append(rest.pop())
    return tuple(map(tuple, hands))


def _known(view: View, rng: Random) -> dict[Card, Seat]:
    """Who holds the cards that all have seen taken, or that the house rules of the deal give away.

    Of two cards that mirror each other and were never laid, a lot says whose each is.
    """
    first, taken = follow(view.past, view.pile, view.turn)
    known: dict[Card, Seat] = {}
    if None in view.trumps or view.phase == "trumps":
        return known
    if view.options["mirrored_deal"] == "on":
        for card in DECK:
            other = mirror(card, view.trumps)
            known[card] = 1 - first.get(other, known.get(other, rng.randrange(2)))
    if view.options["sixes_to_owner"] == "on":
        known |= {own_six(view.trumps, seat): seat for seat in (0, 1)}
    return known | taken
