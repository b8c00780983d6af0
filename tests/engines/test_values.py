"""Frozen values: how they are made, compared, changed and taken apart."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import pytest

from engines.position import Transient
from engines.values import Value, fields_of, replace, replace_at


class Public(Value, kw_only=True):
    pile: tuple[str, ...] = ()
    turn: int = 0
    options: Transient[Mapping[str, str]]


class State(Public, kw_only=True):
    hands: tuple[tuple[str, ...], ...]


class View(Public, kw_only=True):
    seat: int | None
    hand: tuple[str, ...]


class Point(Value):
    kind: ClassVar = "point"
    x: int
    y: int = 2


@dataclass(frozen=True)
class Pair:
    first: str
    second: str = "b"


STATE = State(pile=("10H",), turn=1, options={"speed": "slow"}, hands=(("AS",), ()))


def test_fields_left_out_take_their_defaults() -> None:
    assert Point(1) == Point(1, 2)


def test_a_field_without_a_default_is_required() -> None:
    with pytest.raises(TypeError, match="options"):
        State(hands=())  # type: ignore[call-arg]


def test_a_value_is_frozen() -> None:
    with pytest.raises(AttributeError):
        STATE.turn = 2  # type: ignore[misc]


def test_values_are_equal_and_hashed_by_their_fields() -> None:
    assert (Point(1) == Point(1, 2), Point(1) == Point(2), hash(Point(1))) == (True, False, hash(Point(1, 2)))


def test_a_value_is_copied_and_pickled() -> None:
    assert copy.copy(STATE) == pickle.loads(pickle.dumps(STATE)) == STATE


def test_replace_keeps_the_class_and_leaves_the_original_unchanged() -> None:
    changed = replace(STATE, turn=2)
    assert (type(changed), changed.turn, STATE.turn, changed.hands) == (State, 2, 1, STATE.hands)


def test_an_unknown_field_is_refused() -> None:
    with pytest.raises(TypeError, match="z"):
        replace(Point(1), z=3)  # type: ignore[call-arg]


def test_dataclasses_are_changed_by_the_same_function() -> None:
    assert replace(Pair("a"), second="c") == Pair("a", "c")
    with pytest.raises(TypeError, match="third"):
        replace(Pair("a"), third="c")  # type: ignore[call-arg]


def test_a_value_is_taken_apart_by_its_fields() -> None:
    match Point(1, 3):
        case Point(x, y):
            assert (x, y) == (1, 3)


def test_a_part_has_the_fields_of_the_base_class_alone() -> None:
    assert fields_of(Public, STATE) == {"pile": ("10H",), "turn": 1, "options": {"speed": "slow"}}


def test_a_view_is_built_up_from_the_public_part() -> None:
    view = View(**fields_of(Public, STATE), seat=0, hand=STATE.hands[0])
    assert fields_of(Public, view) == fields_of(Public, STATE)
    assert not hasattr(view, "hands")


def test_one_entry_of_a_tuple_is_replaced() -> None:
    assert replace_at(("a", "b", "c"), 1, "x") == ("a", "x", "c")
