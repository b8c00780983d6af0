"""A player's actions as frozen records, and the two ways they are spelled: words and messages.

A record declares its verb and its fields. How a field is spelled follows from its type::

    class Throw(Action):
        verb: ClassVar = "throw"
        hand_card: Card

is ``throw 10H`` in words, and ``{"type": "throw", "playerId": "p1", "handCard": "10H"}`` as the rule
book's message. Fields are spelled in their order; a message has their names in camel case.

========================================= ============================== ========================
type                                      words                          message
========================================= ============================== ========================
``Card``                                  one word                       string
``Card | None = None``                    may be left out, at the end    may be left out, or null
``tuple[Card, ...]``                      one or more, in any order      list, not empty
``Literal["stock", "pile"]``              one of these                   string
``str``                                   any word, in lower case        string
``bool``                                  ``yes`` or ``no``              boolean
``Annotated[tuple[Card, ...], Sum()]``    one word, ``6D+4C``            list
``Annotated[int | None, InMessage(int)]`` none                           may be left out
``Annotated[X, MySpelling()]``            a `Spelling` of the game's own of one field or several
========================================= ============================== ========================
"""

from __future__ import annotations

import types
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from operator import attrgetter
from typing import (
    Any,
    ClassVar,
    Generic,
    Literal,
    NoReturn,
    Self,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from engines.cards import Card
from engines.game import IllegalMove, Move, Seat, refuse
from engines.values import Value

T = TypeVar("T")
A = TypeVar("A", bound="Action")

ReadCard = Callable[[str], Card]
"""Turns a spelling into a card of the game's pack, or refuses it as ``unknown-card``."""

_UNDERSTOOD = 10_000
"""How many phrases are kept with the action that they mean."""
_MANY = 1_000
"""More words than any phrase has."""


def malformed() -> NoReturn:
    """Refuses an action that the game does not have, or whose words or fields are wrong."""
    refuse("unknown-action", "This game knows no such move.")


def player_id(seat: Seat) -> str:
    """The seat as messages name it: ``p1`` is seat 0."""
    return f"p{seat + 1}"


class Action(Value):
    """What a player asks for, well formed but not yet judged; a subclass is one verb of a game."""

    verb: ClassVar[str]
    wide: ClassVar[bool] = False
    """Too free to list all its moves: the game's `moves` only suggests some."""

    @classmethod
    def known(cls, options: Mapping[str, str]) -> bool:
        """Whether the verb exists under these house rules."""
        return True

    @classmethod
    def from_words(cls, words: Sequence[str], card: ReadCard) -> Self:
        """The action of the words after the verb. Raises `IllegalMove`, for their number first."""
        spellings = _spellings(cls).values()
        spare = len(words) - sum(spelling.least for spelling in spellings)
        if not 0 <= spare <= sum(spelling.most - spelling.least for spelling in spellings):
            malformed()
        values, start = [], 0
        for spelling in spellings:
            more = min(spare, spelling.most - spelling.least)
            end, spare = start + spelling.least + more, spare - more
            values.append(spelling.from_words(words[start:end], card))
            start = end
        return cls(*values)

    def to_words(self) -> tuple[str, ...]:
        """The words after the verb, in their one spelling."""
        spelled = [
            spelling.to_words(getattr(self, name)) for name, spelling in _spellings(type(self)).items()
        ]
        return tuple([word for words in spelled for word in words])

    @classmethod
    def from_message(cls, message: Message) -> Self:
        """The action of a message's fields. Raises `IllegalMove`, for an unknown card last."""
        named = _spellings(cls).items()
        values = [spelling.from_message(message, in_camel_case(name)) for name, spelling in named]
        message.end()
        return cls(*values)

    def to_message(self, options: Mapping[str, str]) -> dict[str, Any]:
        """The fields of the message besides its type and its sender."""
        fields: dict[str, Any] = {}
        for name, spelling in _spellings(type(self)).items():
            fields |= spelling.to_message(getattr(self, name), in_camel_case(name), options)
        return fields

    def to_move(self) -> Move:
        """The action as a move."""
        return Move(self.verb, self.to_words())


@lru_cache(_UNDERSTOOD)
def understand(kind: type[A], words: tuple[str, ...], card: ReadCard) -> A:
    """`Action.from_words`, remembered: a phrase means the same in every state."""
    return kind.from_words(words, card)


class Message:
    """The fields of a message besides its head, each taken once by its type.

    A field that is missing, of another type, or left at the end makes it ``unknown-action``.
    """

    def __init__(
        self, fields: Mapping[str, Any], card: ReadCard = Card, options: Mapping[str, str] = {}
    ) -> None:
        self._left = dict(fields)
        self._read_card = card
        self._unknown: IllegalMove | None = None
        self.options = options
        self.seats = 0
        """How many seats the table has, where a game's messages name another seat than the sender's."""

    def __contains__(self, name: str) -> bool:
        return self._left.get(name) is not None

    def take(self, name: str, kind: type[T]) -> T:
        """The value of a field that must be there."""
        value = self._left.pop(name, None)
        if isinstance(value, kind) and (kind is bool or not isinstance(value, bool)):
            return value
        return malformed()

    def maybe(self, name: str, kind: type[T]) -> T | None:
        """The value of a field that may be left out."""
        return self.take(name, kind) if name in self else self._left.pop(name, None)

    def strings(self, name: str) -> list[str]:
        """The value of a field that must be a list of strings."""
        items = self.take(name, list)
        return items if all(isinstance(item, str) for item in items) else malformed()

    def card(self, spelling: str) -> Card:
        """The card that is spelled; `end` refuses an unknown one, since ``unknown-action`` comes first."""
        try:
            return self._read_card(spelling)
        except IllegalMove as unknown:
            self._unknown = self._unknown or unknown
            return _STAND_IN

    def end(self) -> None:
        """Refuses fields that nobody took, then cards that are unknown."""
        if self._left:
            malformed()
        if self._unknown:
            raise self._unknown


_STAND_IN = Card("AS")
"""Stands for an unknown card until the message is refused for it."""


class Spelling(ABC, Generic[T]):
    """How one field of an action is spelled, as words and as one field of a message or several.

    Words are read in any case. What is malformed is refused by `malformed`.
    """

    least: int = 1
    most: int = 1
    """How many words the field has; those to spare go to the first field that takes more."""

    @abstractmethod
    def from_words(self, words: Sequence[str], card: ReadCard) -> T: ...

    @abstractmethod
    def to_words(self, value: T) -> tuple[str, ...]: ...

    def from_message(self, message: Message, name: str) -> T:
        """By default the message has a string, which is the field's one word."""
        return self.from_words((message.take(name, str),), message.card)

    def to_message(self, value: T, name: str, options: Mapping[str, str]) -> dict[str, Any]:
        return {name: self.to_words(value)[0]}


class OneCard(Spelling[Card]):
    """A card, as one word and as a string."""

    def from_words(self, words: Sequence[str], card: ReadCard) -> Card:
        return card(words[0])

    def to_words(self, value: Card) -> tuple[str, ...]:
        return (value,)


class Cards(Spelling[tuple[Card, ...]]):
    """One card or more, as words in any order and as a list; the action has them in one order."""

    most = _MANY

    def __init__(self, order: Callable[[Card], Any] = attrgetter("order")) -> None:
        self._order = order

    def from_words(self, words: Sequence[str], card: ReadCard) -> tuple[Card, ...]:
        return tuple(sorted(map(card, words), key=self._order))

    def to_words(self, value: tuple[Card, ...]) -> tuple[str, ...]:
        return value

    def from_message(self, message: Message, name: str) -> tuple[Card, ...]:
        return self.from_words(message.strings(name) or malformed(), message.card)

    def to_message(self, value: tuple[Card, ...], name: str, options: Mapping[str, str]) -> dict[str, Any]:
        return {name: list(value)}


class Sum(Cards):
    """Cards that are one word, ``6D+4C``, and a list in a message."""

    most = 1

    def from_words(self, words: Sequence[str], card: ReadCard) -> tuple[Card, ...]:
        return super().from_words(words[0].split("+"), card)

    def to_words(self, value: tuple[Card, ...]) -> tuple[str, ...]:
        return ("+".join(value),)

    def from_message(self, message: Message, name: str) -> tuple[Card, ...]:
        return super().from_words(message.strings(name) or malformed(), message.card)


class Word(Spelling[str]):
    """One word, in lower case and as a string: any word, or one of those named."""

    def __init__(self, *words: str) -> None:
        self._words = words

    def from_words(self, words: Sequence[str], card: ReadCard) -> str:
        word = words[0].casefold()
        return word if not self._words or word in self._words else malformed()

    def to_words(self, value: str) -> tuple[str, ...]:
        return (value,)


class YesOrNo(Spelling[bool]):
    """``yes`` or ``no``, and a boolean in a message."""

    def from_words(self, words: Sequence[str], card: ReadCard) -> bool:
        answer = words[0].casefold()
        return answer == "yes" if answer in ("yes", "no") else malformed()

    def to_words(self, value: bool) -> tuple[str, ...]:
        return ("yes" if value else "no",)

    def from_message(self, message: Message, name: str) -> bool:
        return message.take(name, bool)

    def to_message(self, value: bool, name: str, options: Mapping[str, str]) -> dict[str, Any]:
        return {name: value}


class Maybe(Spelling[T | None]):
    """A field that may be left out, in words and in a message."""

    least = 0

    def __init__(self, spelling: Spelling[T]) -> None:
        self._spelling = spelling
        self.most = spelling.most

    def from_words(self, words: Sequence[str], card: ReadCard) -> T | None:
        return self._spelling.from_words(words, card) if words else None

    def to_words(self, value: T | None) -> tuple[str, ...]:
        return () if value is None else self._spelling.to_words(value)

    def from_message(self, message: Message, name: str) -> T | None:
        if name in message:
            return self._spelling.from_message(message, name)
        return message.maybe(name, type(None))

    def to_message(self, value: T | None, name: str, options: Mapping[str, str]) -> dict[str, Any]:
        return {} if value is None else self._spelling.to_message(value, name, options)


class InMessage(Spelling[T | None]):
    """A value of a JSON type that a message may have and that no word says."""

    least = most = 0

    def __init__(self, kind: type[T]) -> None:
        self._kind = kind

    def from_words(self, words: Sequence[str], card: ReadCard) -> T | None:
        return None

    def to_words(self, value: T | None) -> tuple[str, ...]:
        return ()

    def from_message(self, message: Message, name: str) -> T | None:
        return message.maybe(name, self._kind)

    def to_message(self, value: T | None, name: str, options: Mapping[str, str]) -> dict[str, Any]:
        return {} if value is None else {name: value}


@cache
def _spellings(kind: type[Action]) -> Mapping[str, Spelling[Any]]:
    """How each field of a record is spelled, in the order of the fields."""
    hints = get_type_hints(kind, include_extras=True)
    return {name: _spelling(hints[name]) for name in kind.__struct_fields__}


_BY_TYPE: Mapping[Any, Spelling[Any]] = {
    Card: OneCard(),
    tuple[Card, ...]: Cards(),
    str: Word(),
    bool: YesOrNo(),
}


def _spelling(hint: Any) -> Spelling[Any]:
    for mark in getattr(hint, "__metadata__", ()):
        if isinstance(mark, Spelling):
            return mark
    inside = get_args(hint)
    if get_origin(hint) in (Union, types.UnionType):
        (kind,) = (one for one in inside if one is not type(None))
        return Maybe(_spelling(kind))
    return Word(*inside) if get_origin(hint) is Literal else _BY_TYPE[hint]


@cache
def in_camel_case(name: str) -> str:
    """A field's name as messages write it: ``hand_card`` is ``handCard``."""
    first, *others = name.split("_")
    return first + "".join(map(str.capitalize, others))
