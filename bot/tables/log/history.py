"""An append-only sequence, such as a log, that may keep only its last items in memory."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar, overload

T = TypeVar("T")


class Dropped(LookupError):
    """An item of a history is no longer in memory: the table must be read whole from the store."""


class History(Sequence[T]):
    """An immutable sequence that may have dropped its first items; those after them keep their indexes.

    Histories share one list, of which each sees a part, so that appending costs the same at any length.
    """

    __slots__ = ("_items", "_stop", "first")

    def __init__(self, items: Sequence[T] = (), first: int = 0) -> None:
        self._items = list(items)
        self._stop = first + len(items)
        self.first = first
        """The index of the first item in memory; the length of the history if there is none."""

    def __len__(self) -> int:
        """The number of all items, with the dropped ones."""
        return self._stop

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[T, ...]: ...
    def __getitem__(self, index: int | slice) -> T | tuple[T, ...]:
        """An item or several. Raises `Dropped`."""
        if isinstance(index, slice):
            start, stop, step = index.indices(self._stop)
            assert step == 1
            if start >= stop:
                return ()
            self._check(start)
            return tuple(self._items[start - self.first : stop - self.first])
        n = index + self._stop if index < 0 else index
        if not 0 <= n < self._stop:
            raise IndexError(index)
        self._check(n)
        return self._items[n - self.first]

    def __iter__(self) -> Iterator[T]:
        return iter(self[:])

    def __reversed__(self) -> Iterator[T]:
        """The items, the last first. Raises `Dropped` after those in memory if there were others."""
        for n in range(self._stop - self.first - 1, -1, -1):
            yield self._items[n]
        self._check(0)

    def __eq__(self, other: object) -> bool:
        """Whether the lengths are equal, and the items that both have in memory."""
        if not isinstance(other, (History, tuple)):
            return NotImplemented
        first = max(self.first, other.first if isinstance(other, History) else 0)
        return len(self) == len(other) and (first >= len(self) or self[first:] == tuple(other[first:]))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"History({self._items[: self._stop - self.first]!r}, first={self.first})"

    def plus(self, *items: T) -> History[T]:
        """The history with more items at its end."""
        if not items:
            return self
        longer = self
        if len(self._items) != self._stop - self.first:
            # The list goes on with items of another history: it belongs to that one.
            longer = History(self._items[: self._stop - self.first], self.first)
        longer._items.extend(items)
        return longer._part(self.first, self._stop + len(items))

    def first_from(self, least: int, key: Callable[[T], int]) -> int:
        """The index of the first item in memory whose key, which never falls, is at least ``least``.

        The length of the history if there is none.
        """
        return self.first + bisect_left(self._items, least, 0, self._stop - self.first, key=key)

    def upto(self, stop: int) -> History[T]:
        """The history before an index. Raises `Dropped` if the item at the index is no longer in memory."""
        if stop < self.first:
            raise Dropped
        return self._part(self.first, min(stop, self._stop))

    def last(self, n: int) -> History[T]:
        """The history with at most its last n items in memory."""
        first = max(self.first, self._stop - n)
        return self if first == self.first else History(self[first:], first)

    def _part(self, first: int, stop: int) -> History[T]:
        part: History[T] = object.__new__(History)
        part._items, part.first, part._stop = self._items, first, stop
        return part

    def _check(self, n: int) -> None:
        """Raises `Dropped` for the index of an item that is not in memory."""
        if n < self.first:
            raise Dropped
