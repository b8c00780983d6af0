"""The sentences of Cardlebones: the events, which are all public, labels, and the names of bonuses."""

from __future__ import annotations

from functools import cache

from engines.cardlebones.state import Cell, View
from engines.cards import Card
from engines.game import Event, Name, Say, Seat, Text

RUN_OF_SUIT, RUN_OF_COLOUR = Text("run of one suit"), Text("run of one colour")
ONE_SUIT, ONE_COLOUR = Text("one suit"), Text("one colour")


def label(view: View, words: tuple[str, ...], say: Say) -> str:
    """The text of a button."""
    match words:
        case ("place",):
            return say(Text("Place"))
        case ("place", cell) if view.drawn:
            return say(Text("{card} to {cell}", card=view.drawn, cell=cell))
        case _:
            return " ".join(words)


# There are few different events, and every game repeats them: each is built once and cached.


@cache
def start(seat: Seat) -> Event:
    return Event(Text("{who} goes first (drawn at random).", who=Name(seat)), None)


@cache
def draw(seat: Seat, card: Card) -> Event:
    return Event(Text("{who} draws {card}.", who=Name(seat), card=card), None)


@cache
def placement(seat: Seat, card: Card, cell: Cell) -> Event:
    return Event(Text("{who} places {card} in {cell}.", who=Name(seat), card=card, cell=str(cell)), None)


@cache
def attack(attacked: Seat, removed: tuple[Card, ...]) -> Event:
    text = Text("The attack knocks {cards} off {who}'s board.", cards=removed, who=Name(attacked))
    return Event(text, None)


@cache
def full_board(seat: Seat) -> Event:
    return Event(Text("{who}'s board is full: the game is over.", who=Name(seat)), None)


@cache
def no_stock() -> Event:
    return Event(Text("The stock has run out: the game is over."), None)
