"""Changed copies are what `dataclasses.replace` would make."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, dataclass, field, replace

import pytest

from engines.evolve import evolve


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
    with pytest.raises(AttributeError):
        evolve(Point(1), z=3)
