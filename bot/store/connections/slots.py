"""Parameters of prepared statements: slots for several ids, some of which may stay unused, and numbers."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import BindParameter, ColumnElement, Integer, bindparam

SLOTS = 12
"""The most ids of people, or keys of games, that a statement takes."""
_UNUSED = "-"
"""Fills unused slots: it is the id of no person and the key of no game."""


def in_slots(column: ColumnElement[str]) -> ColumnElement[bool]:
    """The condition that a column has one of the values that `slot_values` gives."""
    return column.in_([bindparam(f"one{n}") for n in range(SLOTS)])


def slot_values(ids: Iterable[str]) -> dict[str, str]:
    """The parameters of a statement with slots; asserts that the ids, or keys, are not too many."""
    known = list(ids)
    assert len(known) <= SLOTS
    return {f"one{n}": known[n] if n < len(known) else _UNUSED for n in range(SLOTS)}


def number_value(name: str) -> BindParameter[int]:
    """A parameter that is a number."""
    return bindparam(name, type_=Integer)
