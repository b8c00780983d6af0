"""A lock for each key, such as a person or a place."""

from __future__ import annotations

import asyncio
from typing import Generic, TypeVar
from weakref import WeakValueDictionary

K = TypeVar("K")


class Locks(Generic[K]):
    """One lock for each key; a lock that no task holds or waits for takes no memory."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[K, asyncio.Lock] = WeakValueDictionary()

    def __len__(self) -> int:
        return len(self._locks)

    def __contains__(self, key: object) -> bool:
        """Whether a task holds the lock of a key or waits for it."""
        return key in self._locks

    def of(self, key: K) -> asyncio.Lock:
        """The lock of a key; tasks that wait for it get it in the order in which they came."""
        lock = self._locks.get(key)
        if lock is None:
            lock = self._locks[key] = asyncio.Lock()
        return lock
