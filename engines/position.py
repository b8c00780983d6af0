"""A state as a position, the JSON of the rule books, and back; both drawn from the state's types."""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from engines.cards import Card

T = TypeVar("T")


class BadPosition(ValueError):
    """What was given is no position of this game."""


def aside(default: Any = dataclasses.MISSING, **more: Any) -> Any:
    """A field of a state that no position shows: house rules, counts of turns, the seed."""
    return dataclasses.field(default=default, kw_only=True, metadata={"aside": True}, **more)


def dump(value: object) -> Any:
    """The value as JSON takes it: dataclasses as objects, tuples as lists, cards as strings."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {name: dump(getattr(value, name)) for name in _shown(type(value))}
    if isinstance(value, tuple):
        return [dump(item) for item in value]
    return str(value) if isinstance(value, Card) else value


def cards_in(value: object) -> Iterator[Card]:
    """The cards that a position of the value names, each as often as it does."""
    if isinstance(value, Card):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from cards_in(item)
    elif dataclasses.is_dataclass(value):
        kind: Any = type(value)
        for name in _shown(kind):
            yield from cards_in(getattr(value, name))


def load(kind: type[T], data: Mapping[str, Any], **rest: Any) -> T:
    """The dataclass that the JSON object spells, its fields set aside given as ``rest``.

    Fields left out take their defaults. Raises `BadPosition`, `UnknownCard` for a card.
    """
    whole: Any = kind
    shown = _shown(whole)
    if strange := set(data) - set(shown):
        raise BadPosition(f"no such field: {', '.join(sorted(strange))}")
    given = {name: _read(shown[name], value, name) for name, value in data.items()}
    try:
        return kind(**given, **rest)
    except TypeError as error:
        raise BadPosition(str(error)) from None


@cache
def _shown(kind: Any) -> dict[str, Any]:
    hints = get_type_hints(kind)
    fields = dataclasses.fields(kind)
    return {field.name: hints[field.name] for field in fields if not field.metadata.get("aside")}


def _read(kind: Any, data: Any, where: str) -> Any:
    origin, inside = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        if data is None and type(None) in inside:
            return None
        (kind,) = (one for one in inside if one is not type(None))
        return _read(kind, data, where)
    if origin is tuple:
        return _read_tuple(inside, data, where)
    if isinstance(kind, type) and dataclasses.is_dataclass(kind) and isinstance(data, Mapping):
        return load(kind, data)
    if kind is Card and isinstance(data, str):
        return Card(data)
    if isinstance(kind, type) and type(data) is kind:
        return data
    raise BadPosition(f"{where}: {data!r} does not fit")


def _read_tuple(inside: tuple[Any, ...], data: Any, where: str) -> tuple[Any, ...]:
    if not isinstance(data, list | tuple):
        raise BadPosition(f"{where}: a list is wanted")
    if inside[-1] is Ellipsis:
        return tuple(_read(inside[0], item, where) for item in data)
    if len(inside) != len(data):
        raise BadPosition(f"{where}: {len(inside)} entries are wanted, not {len(data)}")
    return tuple(_read(kind, item, where) for kind, item in zip(inside, data, strict=True))
