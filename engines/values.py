"""Frozen values: the base of states, views, actions and events.

`Value` is a frozen `msgspec.Struct`: written in C, it is made and changed in a third of a frozen
dataclass's time, and fields are declared in the same way.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar, dataclass_transform

from msgspec import Struct
from msgspec.structs import replace

__all__ = ["Value", "part", "put", "replace"]

T = TypeVar("T")


@dataclass_transform(frozen_default=True)
class Value(Struct, frozen=True):
    """A frozen record; subclasses declare fields as a dataclass does, and add to those they inherit."""


def part(kind: type[Value], whole: Value) -> dict[str, Any]:
    """The fields that a base class declares, taken from a value of one of its subclasses.

    A view is built up from the public part of a state by ``View(**part(Public, state), …)``.
    """
    return {name: getattr(whole, name) for name in kind.__struct_fields__}


def put(row: Sequence[T], place: int, value: T) -> tuple[T, ...]:
    """A row, such as one entry a seat, with another value in one place."""
    changed = list(row)
    changed[place] = value
    return tuple(changed)
