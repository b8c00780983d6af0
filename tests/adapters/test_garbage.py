"""The collection of garbage in a process that serves: short, but no garbage is left for good."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest

from adapters.hosting import garbage
from adapters.hosting.garbage import short_collections


class Ring:
    """An object that only a collection frees."""

    def __init__(self) -> None:
        self.me = self


def test_objects_that_survive_a_full_collection_are_looked_at_no_more() -> None:
    with short_collections():
        kept = [Ring() for _ in range(1000)]
        before = gc.get_freeze_count()
        gc.collect()
        assert gc.get_freeze_count() >= before + len(kept)
        assert gc.collect(2) == 0
    assert gc.get_freeze_count() == 0


def test_a_cycle_that_was_in_use_at_one_collection_is_freed_by_a_later_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(garbage, "THAW_EVERY", 3)
    with short_collections():
        ring = Ring()
        gone = weakref.ref(ring)
        gc.collect()
        del ring
        gc.collect()
        assert gone()
        gc.collect()
        assert not gone()


@pytest.fixture
def pythons_thresholds() -> Iterator[tuple[int, int, int]]:
    """Sets the thresholds that Python has by default up to 3.12; those of the test run are others."""
    set_before, own = gc.get_threshold(), (700, 10, 10)
    gc.set_threshold(*own)
    yield own
    gc.set_threshold(*set_before)


def test_new_objects_are_looked_at_seldom_and_old_ones_often_but_only_during_the_block(
    pythons_thresholds: tuple[int, int, int],
) -> None:
    before = pythons_thresholds
    with short_collections():
        assert gc.get_threshold() == (garbage.YOUNG_THRESHOLD, before[1], garbage.OLD_THRESHOLD)
    assert gc.get_threshold() == before
    assert (before[0] < garbage.YOUNG_THRESHOLD, before[2] > garbage.OLD_THRESHOLD) == (True, True)
