"""A mapping of bounded size, which keeps the items used most recently."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Recent(Generic[K, V]):
    """A mapping that, beyond its size, forgets the item unused for longest."""

    __slots__ = ("_items", "_size")

    def __init__(self, size: int) -> None:
        self._items: OrderedDict[K, V] = OrderedDict()
        self._size = size

    def __len__(self) -> int:
        return len(self._items)

    def __contains__(self, key: K) -> bool:
        return key in self._items

    def __iter__(self) -> Iterator[K]:
        return iter(self._items)

    def get(self, key: K) -> V | None:
        """The value of a key, which counts as used now; None if it is not kept."""
        value = self._items.get(key)
        if value is not None:
            self._items.move_to_end(key)
        return value

    def put(self, key: K, value: V) -> None:
        """Sets the value of a key, which counts as used now."""
        self._items[key] = value
        self._items.move_to_end(key)
        while len(self._items) > self._size:
            self._items.popitem(last=False)

    def pop(self, key: K) -> V | None:
        """Forgets a key; returns its value, or None if it is not kept."""
        return self._items.pop(key, None)

    def remove(self, unwanted: Callable[[V], bool]) -> None:
        """Forgets the keys of the unwanted values."""
        for key in [key for key, value in self._items.items() if unwanted(value)]:
            del self._items[key]

    def clear(self) -> None:
        """Forgets all keys."""
        self._items.clear()
