"""Frozen values that are quick to make."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, TypeVar

T = TypeVar("T")


def quick(kind: type[T]) -> type[T]:
    """The frozen and slotted dataclass, made in about half the time.

    The initialiser that `dataclass` writes sets every field by its name, with
    ``object.__setattr__``; this one, which takes the same arguments, calls the slots.
    """
    whole: Any = kind
    named = [field.name for field in fields(whole) if field.kw_only]
    placed = [field.name for field in fields(whole) if not field.kw_only]
    parameters = ", ".join(["self", *placed, *(["*", *named] if named else [])])
    lines = [f"def __init__({parameters}):", *(f" _{name}(self, {name})" for name in placed + named)]
    slots = {f"_{name}": getattr(whole, name).__set__ for name in placed + named}
    exec("\n".join(lines), slots)
    initialise, standard = slots["__init__"], whole.__init__
    initialise.__defaults__, initialise.__kwdefaults__ = standard.__defaults__, standard.__kwdefaults__
    initialise.__annotations__, initialise.__qualname__ = standard.__annotations__, standard.__qualname__
    whole.__init__ = initialise
    return kind
