"""A computer player for Svoi Kozyri: it guesses unknown cards and plays out each promising move."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from engines.cards import Card
from engines.game import Move
from engines.svoi.deck import Hand, beats, cheapest_first, last_reply, take_size
from engines.svoi.history import imagine_hands
from engines.svoi.state import View

_MOST_TRIED = 3
"""The most plain cards that are tried as the first card, and the most trumps.

With each of them, also the most second cards that are tried because they are cheap, or because they are safe.
"""
_LONGEST_PLAYOUT = 60
"""The number of actions after which a playout counts as a draw."""
_LONG_GAME = 40
"""The turn after which the cheapest move is made ever more often, so that self-play ends."""


def think(view: View, moves: Sequence[Move], rng: Random) -> Move:
    """The move with the best end if both players then lay their cheapest cards; a random one among equals."""
    if view.phase == "trumps" or len(moves) == 1:
        return rng.choice(moves)
    if rng.random() < (view.turns - _LONG_GAME) / _LONG_GAME:
        return moves[0]
    hands = imagine_hands(view, rng)
    tried = _promising(view, hands, moves)
    worth = {move: _play_out(view, hands, move) for move in tried}
    best = max(worth.values())
    return rng.choice([move for move in tried if worth[move] == best])


def _promising(view: View, hands: Sequence[Hand], moves: Sequence[Move]) -> list[Move]:
    """The moves worth a playout: those with the cheapest cards, and some whose last card is safe.

    A card is safe if no card in the opponent's hand, as imagined, beats it. ``moves`` come cheapest first;
    `_MOST_TRIED` limits the first and the second cards.
    """
    seat = view.turn
    safe = {
        card
        for card in hands[seat]
        if not any(beats(reply, card, view.trumps[1 - seat]) for reply in hands[1 - seat])
    }
    found: list[Move] = []
    for kind in _kinds(moves, view.trumps[seat]):
        for first in kind[:_MOST_TRIED]:
            same = [move for move in moves if move.words[:1] == first]
            found += same[:_MOST_TRIED]
            found += [move for move in same[_MOST_TRIED:] if move.words and move.words[-1] in safe][
                :_MOST_TRIED
            ]
    return list(dict.fromkeys(found))


def _kinds(moves: Sequence[Move], trump: str | None) -> list[list[tuple[str, ...]]]:
    """The first words of the moves, in two lists: plain cards (or no card, for taking), and trumps."""
    firsts = list(dict.fromkeys(move.words[:1] for move in moves))
    trumps = [first for first in firsts if first and Card(first[0]).suit == trump]
    return [[first for first in firsts if first not in trumps], trumps]


def _play_out(view: View, hands: Sequence[Hand], move: Move) -> float:
    """The value of a move to its player: 1 for a win at once, less for a later one, 0 for a draw.

    Losses have the same values below 0.
    """
    held = [cheapest_first(hand, trump) for hand, trump in zip(hands, view.trumps, strict=True)]
    pile = list(view.pile)
    seat = view.turn
    laid = tuple(map(Card, move.words))
    for n in range(_LONGEST_PLAYOUT):
        trump = view.trumps[seat]
        if laid:
            pile += laid
            for card in laid:
                held[seat].remove(card)
        else:
            left = len(pile) - take_size(tuple(pile), trump)
            held[seat] = cheapest_first([*held[seat], *pile[left:]], trump)
            del pile[left:]
        other = 1 - seat
        if not held[seat]:
            if last_reply(tuple(held[other]), pile[-1], view.trumps[other], view.options["last_reply"]):
                return 0.0
            return (1 if seat == view.turn else -1) * (1 - n / _LONGEST_PLAYOUT)
        seat = other
        laid = _cheapest(held[seat], pile, view.trumps[seat])
    return 0.0


def _cheapest(held: Sequence[Card], pile: Sequence[Card], trump: str | None) -> tuple[Card, ...]:
    """The cheapest cards to lay, those that `Game.timeout` plays; empty if the player must take."""
    if not pile:
        return (held[0],)
    for card in held:
        if beats(card, pile[-1], trump):
            second = [other for other in held[:2] if other is not card]
            return (card, *second[:1])
    return ()
