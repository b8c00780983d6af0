"""Converts states to positions, the JSON of the rule books, and back, guided by the types of the fields."""

from __future__ import annotations

import types
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin, get_type_hints

from engines.cards import Card
from engines.values import Value

T = TypeVar("T")
V = TypeVar("V", bound=Value)


_TRANSIENT, _REFERENCE = "transient", "reference"
Transient = Annotated[T, _TRANSIENT]
"""A field that positions leave out, such as the house rules, the count of turns and the seed."""
Reference = Annotated[T, _REFERENCE]
"""A field that repeats cards of other fields, such as the card just drawn; `iter_cards` skips it."""


class Alias(Value):
    """Marks a field that has another name in positions: ``number: Annotated[int, Alias("hand")]``."""

    name: str


class BadPosition(ValueError):
    """The JSON does not describe a position of this game."""


def dump(value: object) -> Any:
    """Converts a value to JSON types: records to objects, tuples to lists, cards to strings."""
    if isinstance(value, Value):
        return {name: dump(getattr(value, field)) for name, (field, _) in _fields(type(value)).items()}
    if isinstance(value, tuple):
        return [dump(item) for item in value]
    return str(value) if isinstance(value, Card) else value


def iter_cards(value: object) -> Iterator[Card]:
    """Yields every card of a state or of a part of it, a card twice if two places hold it.

    Skips `Transient` and `Reference` fields.
    """
    if isinstance(value, Card):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from iter_cards(item)
    elif isinstance(value, Value):
        for field, _ in _fields(type(value)).values():
            if field not in _references(type(value)):
                yield from iter_cards(getattr(value, field))


def load(kind: type[V], data: Mapping[str, Any], **rest: Any) -> V:
    """Reads a record from a JSON object; ``rest`` gives the fields that positions leave out.

    Missing fields take their defaults. Raises `BadPosition`, or `UnknownCard` for a misspelled card.
    """
    fields = _fields(kind)
    if strange := set(data) - set(fields):
        raise BadPosition(f"no such field: {', '.join(sorted(strange))}")
    values = {fields[name][0]: _read(fields[name][1], value, name) for name, value in data.items()}
    try:
        return kind(**values, **rest)
    except TypeError as error:
        raise BadPosition(str(error)) from None


@cache
def _fields(kind: type[Value]) -> Mapping[str, tuple[str, Any]]:
    """Maps each name in a position to the record's field and the type of that field."""
    plain, marks = get_type_hints(kind), _marks(kind)
    aliases = {
        field: next((mark.name for mark in marks[field] if isinstance(mark, Alias)), field) for field in marks
    }
    return {aliases[field]: (field, plain[field]) for field in marks if _TRANSIENT not in marks[field]}


@cache
def _references(kind: type[Value]) -> frozenset[str]:
    return frozenset(field for field, marks in _marks(kind).items() if _REFERENCE in marks)


def _marks(kind: type[Value]) -> Mapping[str, tuple[Any, ...]]:
    """The `Annotated` metadata of each field, in the order of the fields."""
    hints = get_type_hints(kind, include_extras=True)
    return {field: getattr(hints[field], "__metadata__", ()) for field in kind.__struct_fields__}


def _read(kind: Any, data: Any, name: str) -> Any:
    """Reads a value of the type ``kind`` from JSON; ``name`` is its field, for errors."""
    origin, inside = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        if data is None and type(None) in inside:
            return None
        (kind,) = (member for member in inside if member is not type(None))
        return _read(kind, data, name)
    if origin is tuple:
        return _read_tuple(inside, data, name)
    if isinstance(kind, type) and issubclass(kind, Value) and isinstance(data, Mapping):
        return load(kind, data)
    if kind is Card and isinstance(data, str):
        return Card(data)
    if isinstance(kind, type) and type(data) is kind:
        return data
    raise BadPosition(f"{name}: {data!r} does not fit")


def _read_tuple(inside: tuple[Any, ...], data: Any, name: str) -> tuple[Any, ...]:
    if not isinstance(data, list | tuple):
        raise BadPosition(f"{name}: a list is wanted")
    if inside[-1] is Ellipsis:
        return tuple(_read(inside[0], item, name) for item in data)
    if len(inside) != len(data):
        raise BadPosition(f"{name}: {len(inside)} entries are wanted, not {len(data)}")
    return tuple(_read(kind, item, name) for kind, item in zip(inside, data, strict=True))
