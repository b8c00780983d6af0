"""Keeps the deliveries of each person in order."""

from __future__ import annotations

import asyncio
from weakref import WeakValueDictionary


class PersonOrder:
    """One lock for each person; a lock that no delivery holds or waits for takes no memory."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def __len__(self) -> int:
        return len(self._locks)

    def turn(self, user: str) -> asyncio.Lock:
        """The lock of a person; held while a delivery is handled, it lets the next one in afterwards."""
        return self._locks.setdefault(user, asyncio.Lock())
