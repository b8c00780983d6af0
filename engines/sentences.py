"""Sentences of games before they are translated, and the protocol that writes them for one reader."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache, wraps
from inspect import signature
from typing import Final, Literal, ParamSpec, Protocol, TypeAlias, TypeVar

from engines.cards import Card
from engines.values import Value

_P = ParamSpec("_P")
_T = TypeVar("_T")

Seat = int
"""A place at the table, clockwise from 0. The rule books call seat 0 ``p1``."""


class Name(Value):
    """A placeholder value in a `Text`: the name of the player in the seat."""

    seat: Seat


Arg: TypeAlias = "Card | Name | Text | int | str | tuple[Card | Name | Text, ...]"
"""The value of a placeholder; a tuple is written as a list."""


@dataclass(slots=True, init=False)
class Text:
    """A sentence to be translated: English with ``{placeholders}``, and the values for them.

    Only mypy keeps its fields from being changed: a page makes dozens of sentences, and a frozen dataclass
    takes three times as long to make.
    """

    message: Final[str]
    args: Final[Mapping[str, Arg]]
    many: Final[str]
    """The English plural form, for counts other than one; empty in a sentence without a count."""
    count: Final[int]

    def __init__(self, message: str, many: str = "", count: int = 1, /, **args: Arg) -> None:
        self.message = message
        self.args = args
        self.many = many
        self.count = count


def plural(one: str, many: str, n: int, /, **args: Arg) -> Text:
    """A sentence with an English singular and plural form for ``n``, which replaces ``{n}``."""
    return Text(one, many, n, n=n, **args)


Pictures = Literal["fits", "boxes", "lines"]
"""How the reader prefers cards in drawings.

``fits``: as boxes where they fit, on a phone only a few; ``boxes``: as boxes wherever they fit; ``lines``:
always spelled.
"""


class Say(Protocol):
    """Writes texts and cards for one reader, in the reader's language and with the names of one table.

    A name is one line of visible characters, cut to a few cells; each platform escapes the markup in it.
    A `Say` that is a `Value` writes the same as every `Say` equal to it, so that `memoized` functions may
    keep its sentences.
    """

    @property
    def locale(self) -> str: ...
    def __call__(self, text: Text) -> str: ...
    def name(self, seat: Seat) -> str: ...
    def card(self, card: Card) -> str: ...
    @property
    def pictures(self) -> Pictures: ...
    def arrange(self, hand: Iterable[Card]) -> list[Card]:
        """Sorts a hand in the order that the reader prefers."""


def memoized(size: int) -> Callable[[Callable[_P, _T]], Callable[_P, _T]]:
    """Caches the results of a function with a parameter ``say``, at most ``size`` of them.

    ``say`` must be passed by position. The other parameters must hold everything else that the result depends
    on, so that no reader gets what only another may see. Results are not cached for a `Say` that is no
    `Value`, since it might change, nor for arguments without a hash.
    """

    def decorate(write: Callable[_P, _T]) -> Callable[_P, _T]:
        cached: Callable[..., _T] = lru_cache(size)(write)
        index = list(signature(write).parameters).index("say")

        @wraps(write)
        def written(*args: _P.args, **named: _P.kwargs) -> _T:
            if isinstance(args[index], Value):
                try:
                    return cached(*args, **named)
                except TypeError:
                    # A value that holds a list has no hash.
                    return write(*args, **named)
            return write(*args, **named)

        return written

    return decorate


class Event(Value):
    """A sentence about something that happened, for one seat or for the whole table."""

    text: Text
    to: Seat | None
    """The seat that reads the event; None for all players and watchers."""
    keep: bool = False
    """Whether the event gets its own message, which later events do not replace."""
    routine: bool = False
    """Whether the drawing shows it too, such as a hand size; a page with little room leaves it out first."""
