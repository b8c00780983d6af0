"""Svoi Kozyri positions in short: ``at("7C KD", "8D 9S", "6C", turn=1)``. Ana is seat 0, Bob seat 1."""

from __future__ import annotations

from bot.i18n import Speech
from engines import games
from engines.cards import cards, without
from engines.game import Game
from engines.svoi.deck import DECK
from engines.svoi.state import State, View
from tests.support.positions import Positions

game: Game[State, View] = games()["svoi"]
english = Speech("en", ("Ana", "Bob"))
spanish = Speech("es", ("Ana", "Bob"))
POSITIONS, IN_SPANISH = Positions(game, english), Positions(game, spanish)
reach, legal = POSITIONS.reach, POSITIONS.legal
refusal, refusal_reason = POSITIONS.refusal, POSITIONS.refusal_reason
events, public_news = POSITIONS.events, POSITIONS.public_news


def at(own: str, other: str, pile: str = "", turn: int = 0, **options: str) -> State:
    """A position in which Ana has hearts and Bob spades for trumps."""
    position = {
        "trumps": ["H", "S"],
        "hands": [own.split(), other.split()],
        "pile": pile.split(),
        "turn": turn,
    }
    return POSITIONS.load(position, **options)


def whole(own: str, other: str, top: str, **options: str) -> State:
    """A position of all cards, Ana to play: those not named lie in the pile, below ``top``."""
    below = without(DECK, *cards(f"{own} {other} {top}"))
    return at(own, other, " ".join((*below, *cards(top))), 0, **options)


def choosing(dealer: int = 0, seed: bytes = b"seed", **options: str) -> State:
    """A new game, before the trump suits are chosen."""
    return game.new(2, seed, options, {"dealer": dealer})


def hands(state: State) -> list[set[str]]:
    """Both hands, as sets."""
    return [set(map(str, hand)) for hand in state.hands]
