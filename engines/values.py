"""Frozen values: the base of states, views, actions and events.

A `Value` is a frozen `msgspec.Struct`. It declares its fields as a dataclass does, but creating one, or a
changed copy, takes at most a third of the time. `dataclasses.replace` cannot copy it; `replace` of this
module copies both values and dataclasses, so ruff forbids those of `dataclasses` and `msgspec.structs`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace as replace_dataclass  # noqa: TID251
from typing import TYPE_CHECKING, Any, TypeVar, dataclass_transform

from msgspec import Struct
from msgspec.structs import replace as replace_value  # noqa: TID251

__all__ = ["Value", "fields_of", "replace", "replace_at"]

T = TypeVar("T")


@dataclass_transform(frozen_default=True)
class Value(Struct, frozen=True):
    """A frozen record; a subclass declares its fields as a dataclass does, and inherits those of its base."""


if TYPE_CHECKING:
    # Mypy checks the names and types of replaced fields only for `dataclasses.replace`.
    from dataclasses import replace  # noqa: TID251
else:

    def replace(whole: T, /, **changes: Any) -> T:
        """A copy of a value or a dataclass with some fields changed. Raises `TypeError` for other fields."""
        if hasattr(whole, "__struct_fields__"):
            return replace_value(whole, **changes)
        return replace_dataclass(whole, **changes)


def fields_of(kind: type[Value], whole: Value) -> dict[str, Any]:
    """The fields that a base class declares, taken from a value of one of its subclasses.

    A game builds a view from the public part of a state: ``View(**fields_of(Public, state), …)``.
    """
    return {name: getattr(whole, name) for name in kind.__struct_fields__}


def replace_at(entries: Sequence[T], index: int, entry: T) -> tuple[T, ...]:
    """A copy of a tuple, such as one with an entry for each seat, with the entry at ``index`` replaced."""
    changed = list(entries)
    changed[index] = entry
    return tuple(changed)
