"""Values that are quick to make, or made of others, are the frozen dataclasses they were."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Mapping
from dataclasses import FrozenInstanceError, dataclass, field, replace

import pytest

from engines.position import aside
from engines.values import evolve, evolver, maker, quick


@dataclass(frozen=True, slots=True)
class Standard:
    hand: tuple[str, ...]
    turn: int = 0
    turns: int = aside(1)
    options: Mapping[str, str] = aside()


@quick
@dataclass(frozen=True, slots=True)
class Quick:
    hand: tuple[str, ...]
    turn: int = 0
    turns: int = aside(1)
    options: Mapping[str, str] = aside()


VALUE = Quick(("10H",), 1, turns=2, options={"speed": "slow"})


def test_every_field_has_what_it_was_given() -> None:
    assert (VALUE.hand, VALUE.turn, VALUE.turns, VALUE.options) == (("10H",), 1, 2, {"speed": "slow"})


def test_fields_left_out_take_their_defaults() -> None:
    assert Quick(("10H",), options={}) == Quick(("10H",), 0, turns=1, options={})


def test_the_arguments_are_those_of_the_dataclass() -> None:
    assert inspect.signature(Quick) == inspect.signature(Standard)


def test_what_has_no_default_is_wanted() -> None:
    with pytest.raises(TypeError, match="options"):
        Quick(("10H",))


make = maker(Standard)


def test_what_a_maker_makes_is_what_the_class_makes() -> None:
    made = make(("10H",), 1, turns=2, options={})
    assert made == Standard(("10H",), 1, turns=2, options={})
    assert type(made) is Standard


def test_a_maker_knows_the_defaults() -> None:
    assert make(("10H",), options={}) == Standard(("10H",), options={})
    with pytest.raises(TypeError, match="options"):
        make(("10H",))


def test_what_a_maker_makes_is_frozen() -> None:
    with pytest.raises(FrozenInstanceError):
        make(("10H",), options={}).turn = 2  # type: ignore[misc]


def test_a_quick_value_is_frozen() -> None:
    with pytest.raises(FrozenInstanceError):
        VALUE.turn = 2  # type: ignore[misc]


def test_a_quick_value_can_be_replaced_and_copied() -> None:
    assert replace(VALUE, turn=2) == Quick(("10H",), 2, turns=2, options={"speed": "slow"})
    assert copy.copy(VALUE) == VALUE


@dataclass(frozen=True, slots=True)
class Point:
    x: int
    y: int = 2
    name: str = field(default="", kw_only=True)


def test_a_copy_differs_in_what_was_changed() -> None:
    point = Point(1, name="a")
    assert evolve(point, y=5) == replace(point, y=5) == Point(1, 5, name="a")
    assert point == Point(1, 2, name="a")


def test_a_copy_is_of_the_same_class_and_frozen() -> None:
    copy = evolve(Point(1), x=3)
    assert (type(copy), repr(copy), hash(copy)) == (Point, "Point(x=3, y=2, name='')", hash(Point(3)))
    with pytest.raises(FrozenInstanceError):
        copy.x = 4  # type: ignore[misc]


def test_a_field_that_there_is_not_is_refused() -> None:
    with pytest.raises(TypeError, match="z"):
        evolve(Point(1), z=3)


def test_what_is_made_for_one_class_changes_what_is_named() -> None:
    move = evolver(Point)
    assert move(Point(1, name="a"), x=0, y=0) == Point(0, 0, name="a")
    assert move(Point(1)) == Point(1)
