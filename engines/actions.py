"""A player's actions as frozen records, and their two written forms: words and messages.

A record declares its verb and its fields. The type of a field decides how it is written::

    class Throw(Action):
        verb: ClassVar = "throw"
        hand_card: Card

is ``throw 10H`` in words, and ``{"type": "throw", "playerId": "p1", "handCard": "10H"}`` as the message
of the game's PROTOCOL.md. Words come in the order of the fields; a message names the fields in camel case.

========================================= ============================== ========================
type                                      words                          message
========================================= ============================== ========================
``Card``                                  one word                       string
``Card | None = None``                    may be left out, at the end    may be left out, or null
``tuple[Card, ...]``                      one or more, in any order      list, not empty
``Literal["stock", "pile"]``              one of these                   string
``str``                                   any word, lowered when read    string
``bool``                                  ``yes`` or ``no``              boolean
``Annotated[tuple[Card, ...], Sum()]``    one word, ``6D+4C``            list
``Annotated[int | None, InMessage(int)]`` none                           may be left out, or null
``Annotated[X, MySpelling()]``            a `Spelling` that the game defines; it may fill several fields
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
"""Turns a spelling into a card of the game's pack, or refuses it as ``unknown-card``.

`Card`, the default of `MessageFields`, knows no pack, and raises `UnknownCard` instead of a refusal.
"""

_CACHE_SIZE = 10_000
"""The most actions that the cache of `parse_words` keeps."""
_LONGEST_CACHED = 30
"""The most words of an action that is cached; longer ones are rare, and would take much memory."""
_UNLIMITED = 1_000
"""More words than any action needs."""


def refuse_malformed() -> NoReturn:
    """Refuses an unknown verb, or malformed words or fields, as ``unknown-action``."""
    refuse("unknown-action", "That isn't a move in this game.")


def player_id(seat: Seat) -> str:
    """The name of a seat in messages; seat 0 is ``p1``."""
    return f"p{seat + 1}"


def seat_of(player: str, seats: int) -> Seat | None:
    """The seat of this name in messages, in capitals or not; None if no seat at the table has it."""
    ids = [player_id(seat) for seat in range(seats)]
    name = player.casefold()
    return ids.index(name) if name in ids else None


class Action(Value):
    """A well-formed action, not yet checked against the rules; each subclass is one verb of a game."""

    verb: ClassVar[str]
    wide: ClassVar[bool] = False
    """Whether the verb may have too many moves to list, so that the game's `moves` may list only some."""

    @classmethod
    def is_enabled(cls, options: Mapping[str, str]) -> bool:
        """Whether the verb exists under these house rules."""
        return True

    @classmethod
    def from_words(cls, words: Sequence[str], card: ReadCard) -> Self:
        """Reads an action from the words after the verb; checks their number first. Raises `IllegalMove`."""
        spellings = _spellings(cls).values()
        spare = len(words) - sum(spelling.least for spelling in spellings)
        if not 0 <= spare <= sum(spelling.most - spelling.least for spelling in spellings):
            refuse_malformed()
        values, start = [], 0
        for spelling in spellings:
            more = min(spare, spelling.most - spelling.least)
            end, spare = start + spelling.least + more, spare - more
            values.append(spelling.from_words(words[start:end], card))
            start = end
        return cls(*values)

    def to_words(self) -> tuple[str, ...]:
        """Writes the words after the verb, in their canonical spelling."""
        spelled = [
            spelling.to_words(getattr(self, name)) for name, spelling in _spellings(type(self)).items()
        ]
        return tuple([word for words in spelled for word in words])

    @classmethod
    def from_message(cls, message: MessageFields) -> Self:
        """Reads an action from a message. Raises `IllegalMove`; an unknown card is refused last."""
        named = _spellings(cls).items()
        values = [spelling.from_message(message, in_camel_case(name)) for name, spelling in named]
        message.end()
        return cls(*values)

    def to_message(self, options: Mapping[str, str]) -> dict[str, Any]:
        """Writes the fields of a message, without ``type`` and ``playerId``."""
        fields: dict[str, Any] = {}
        for name, spelling in _spellings(type(self)).items():
            fields |= spelling.to_message(getattr(self, name), in_camel_case(name), options)
        return fields

    def to_move(self) -> Move:
        """Writes the action as a move."""
        return Move(self.verb, self.to_words())


def parse_words(kind: type[A], words: tuple[str, ...], card: ReadCard) -> A:
    """`Action.from_words` with a cache, since the same words mean the same in every state."""
    return _parse_words(kind, words, card) if len(words) <= _LONGEST_CACHED else kind.from_words(words, card)


@lru_cache(_CACHE_SIZE)
def _parse_words(kind: type[A], words: tuple[str, ...], card: ReadCard) -> A:
    return kind.from_words(words, card)


class MessageFields:
    """Reads the fields of a message, without ``type`` and ``playerId``, each once and by its JSON type.

    Refuses as ``unknown-action`` a missing field, a field of another type, and a field unread at the `end`.
    """

    def __init__(
        self, fields: Mapping[str, Any], card: ReadCard = Card, options: Mapping[str, str] = {}
    ) -> None:
        self._unread = dict(fields)
        self._read_card = card
        self._unknown: IllegalMove | None = None
        """The refusal of the first unknown card, if there is one."""
        self.options = options
        """The house rules, on which the name of a field may depend."""
        self.seats = 0
        """The number of seats, set by a game whose messages name other players' seats; else 0."""

    def __contains__(self, name: str) -> bool:
        """Whether the field is given, is not null, and has not been read."""
        return self._unread.get(name) is not None

    def required(self, name: str, kind: type[T]) -> T:
        """Reads a field that is required."""
        value = self._unread.pop(name, None)
        # For Python a boolean is an integer too.
        if isinstance(value, kind) and (kind is bool or not isinstance(value, bool)):
            return value
        return refuse_malformed()

    def optional(self, name: str, kind: type[T]) -> T | None:
        """Reads a field that may be left out or null; None then."""
        return self.required(name, kind) if name in self else self._unread.pop(name, None)

    def strings(self, name: str) -> list[str]:
        """Reads a required field that is a list of strings."""
        items = self.required(name, list)
        return items if all(isinstance(item, str) for item in items) else refuse_malformed()

    def card(self, spelling: str) -> Card:
        """Reads a card; only `end` refuses an unknown one, because ``unknown-action`` has precedence."""
        try:
            return self._read_card(spelling)
        except IllegalMove as unknown:
            self._unknown = self._unknown or unknown
            return _PLACEHOLDER

    def end(self) -> None:
        """Refuses a message with unread fields, then one with an unknown card."""
        if self._unread:
            refuse_malformed()
        if self._unknown:
            raise self._unknown


_PLACEHOLDER = Card("AS")
"""Takes the place of an unknown card until `MessageFields.end` refuses the message."""


class Spelling(ABC, Generic[T]):
    """Reads and writes one field of an action, as words and as one or more fields of a message.

    Words are read in any letter case. A malformed value is refused by `refuse_malformed`.
    """

    least: int = 1
    most: int = 1
    """The least and most words of the field. Words beyond the least fill the first fields that take more."""

    @abstractmethod
    def from_words(self, words: Sequence[str], card: ReadCard) -> T: ...

    @abstractmethod
    def to_words(self, value: T) -> tuple[str, ...]: ...

    def from_message(self, message: MessageFields, name: str) -> T:
        """Reads the field from a string, as its only word; spellings of other JSON types override this."""
        return self.from_words((message.required(name, str),), message.card)

    def to_message(self, value: T, name: str, options: Mapping[str, str]) -> dict[str, Any]:
        return {name: self.to_words(value)[0]}


class OneCard(Spelling[Card]):
    """A card: one word, and a string in a message."""

    def from_words(self, words: Sequence[str], card: ReadCard) -> Card:
        return card(words[0])

    def to_words(self, value: Card) -> tuple[str, ...]:
        return (value,)


class Cards(Spelling[tuple[Card, ...]]):
    """One or more cards: words in any order, a list in a message; in the action sorted by ``order``."""

    most = _UNLIMITED

    def __init__(self, order: Callable[[Card], Any] = attrgetter("order")) -> None:
        self._order = order

    def from_words(self, words: Sequence[str], card: ReadCard) -> tuple[Card, ...]:
        return tuple(sorted(map(card, words), key=self._order))

    def to_words(self, value: tuple[Card, ...]) -> tuple[str, ...]:
        return value

    def from_message(self, message: MessageFields, name: str) -> tuple[Card, ...]:
        return self.from_words(message.strings(name) or refuse_malformed(), message.card)

    def to_message(self, value: tuple[Card, ...], name: str, options: Mapping[str, str]) -> dict[str, Any]:
        return {name: list(value)}


class Sum(Cards):
    """One or more cards: a single word such as ``6D+4C``, and a list in a message."""

    most = 1

    def from_words(self, words: Sequence[str], card: ReadCard) -> tuple[Card, ...]:
        return super().from_words(words[0].split("+"), card)

    def to_words(self, value: tuple[Card, ...]) -> tuple[str, ...]:
        return ("+".join(value),)

    def from_message(self, message: MessageFields, name: str) -> tuple[Card, ...]:
        return super().from_words(message.strings(name) or refuse_malformed(), message.card)


class Word(Spelling[str]):
    """One word in lower case, and a string in a message; if ``words`` are given, it must be one of them."""

    def __init__(self, *words: str) -> None:
        self._words = words

    def from_words(self, words: Sequence[str], card: ReadCard) -> str:
        word = words[0].casefold()
        return word if not self._words or word in self._words else refuse_malformed()

    def to_words(self, value: str) -> tuple[str, ...]:
        return (value,)


class YesOrNo(Spelling[bool]):
    """A boolean: the word ``yes`` or ``no``, and a boolean in a message."""

    def from_words(self, words: Sequence[str], card: ReadCard) -> bool:
        answer = words[0].casefold()
        return answer == "yes" if answer in ("yes", "no") else refuse_malformed()

    def to_words(self, value: bool) -> tuple[str, ...]:
        return ("yes" if value else "no",)

    def from_message(self, message: MessageFields, name: str) -> bool:
        return message.required(name, bool)

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

    def from_message(self, message: MessageFields, name: str) -> T | None:
        if name in message:
            return self._spelling.from_message(message, name)
        # An explicit null is taken out too: `MessageFields.end` would refuse it as unread.
        return message.optional(name, type(None))

    def to_message(self, value: T | None, name: str, options: Mapping[str, str]) -> dict[str, Any]:
        return {} if value is None else self._spelling.to_message(value, name, options)


class InMessage(Spelling[T | None]):
    """An optional value of a JSON type, which only messages can give: it has no words."""

    least = most = 0

    def __init__(self, kind: type[T]) -> None:
        self._kind = kind

    def from_words(self, words: Sequence[str], card: ReadCard) -> T | None:
        return None

    def to_words(self, value: T | None) -> tuple[str, ...]:
        return ()

    def from_message(self, message: MessageFields, name: str) -> T | None:
        return message.optional(name, self._kind)

    def to_message(self, value: T | None, name: str, options: Mapping[str, str]) -> dict[str, Any]:
        return {} if value is None else {name: value}


@cache
def _spellings(kind: type[Action]) -> Mapping[str, Spelling[Any]]:
    """The spelling of each field of an action type, in the order of the fields."""
    hints = get_type_hints(kind, include_extras=True)
    return {name: _spelling(hints[name]) for name in kind.__struct_fields__}


_BY_TYPE: Mapping[Any, Spelling[Any]] = {
    Card: OneCard(),
    tuple[Card, ...]: Cards(),
    str: Word(),
    bool: YesOrNo(),
}
"""The spelling of each plain type in the table at the top of the module."""


def _spelling(hint: Any) -> Spelling[Any]:
    """The spelling of a field with this type hint, as the table at the top of the module says."""
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
    """The name of a field in messages: ``hand_card`` becomes ``handCard``."""
    first, *others = name.split("_")
    return first + "".join(map(str.capitalize, others))
