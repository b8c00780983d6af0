"""Positions of Svoi Kozyri as tests write them, and what follows from them. Ana is seat 0, Bob seat 1."""

from __future__ import annotations

from typing import Any

from bot.i18n import Speech
from engines import games
from engines.game import Event
from engines.svoi.state import State

game = games()["svoi"]
english = Speech("en", ("Ana", "Bob"))
spanish = Speech("es", ("Ana", "Bob"))


def at(own: str, other: str, pile: str = "", *, turn: int = 0, **options: str) -> State:
    """A position in which Ana has hearts and Bob spades for trumps."""
    position = {
        "trumps": ["H", "S"],
        "hands": [own.split(), other.split()],
        "pile": pile.split(),
        "turn": turn,
    }
    state: State = game.load(position, 2, options)
    return state


def choosing(dealer: int = 0, seed: bytes = b"seed", **options: str) -> State:
    """A new game, before the trump suits are chosen."""
    state: State = game.new(2, seed, options, {"dealer": dealer})
    return state


def play(state: State, *actions: str | dict[str, Any]) -> State:
    """The state after the actions, each by the seat whose turn it is."""
    for action in actions:
        _, state, _ = game.act(state, state.turn, action)
    return state


def news(state: State, action: str) -> tuple[Event, ...]:
    """The news of an action by the seat whose turn it is."""
    *_, events = game.act(state, state.turn, action)
    return events


def told(state: State, action: str) -> list[str]:
    """The public sentences of that news, in English."""
    return [english(event.text) for event in news(state, action) if event.to is None]


def spelled(state: State) -> set[str]:
    """The legal moves of the seat whose turn it is, spelled."""
    return set(map(str, game.moves(state, state.turn)))


def hands(state: State) -> list[set[str]]:
    """Both hands, as sets."""
    return [set(map(str, hand)) for hand in state.hands]
