"""The leases of the chats whose panels this process sends and whose computers it plays."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection
from typing import Protocol

from bot.model.ids import ProcessId
from bot.model.leases import ChatKey, Lease
from bot.model.places import Place

LEASES_KEPT = 50_000
"""The most leases kept in memory; the least recently noted are dropped first, as if they were lost."""


class LeaseListener(Protocol):
    """Called when chats change hands; must not fail."""

    def gained(self, lease: Lease) -> None:
        """This process keeps a chat from now on; the lease names any living process it was taken from.

        It names none if the answer to the commit that took it was lost. Called before the listeners of the
        change with which the lease was taken.
        """

    def lost(self, platform: str, chat: str) -> None:
        """This process no longer keeps a chat, so that it sends there no more."""


class Leases:
    """The leases that this process holds, as far as it knows; a look or a commit corrects them.

    Where no other process shares the store, every chat counts as this process's.
    """

    def __init__(self, process: ProcessId = "", *, shared: bool = False) -> None:
        self.process = process
        """The id of this process; empty if it takes no leases, such as a terminal."""
        self._shared = shared
        """Whether other processes may share the store, as `Store.shared` says."""
        self._fences: OrderedDict[ChatKey, int] = OrderedDict()
        """The fence of each lease that this process holds, by platform and chat."""
        self._listeners: list[LeaseListener] = []
        self._doubted: set[ChatKey] = set()
        """The chats of uncertain commits since the last call of `doubted`."""

    @property
    def count(self) -> int:
        """The number of leases that this process holds; the terminal takes none."""
        return len(self._fences)

    @property
    def checked_keeper(self) -> ProcessId:
        """This process's id, by which the store checks who keeps a chat when a panel is written.

        Empty where nothing is checked, since no other process shares the store.
        """
        return self.process if self._shared else ""

    def listen(self, listener: LeaseListener) -> None:
        """Adds a listener."""
        self._listeners.append(listener)

    def keeps(self, place: Place) -> bool:
        """Whether this process keeps the chat of a place."""
        return not self._shared or (place.platform, place.chat) in self._fences

    def note(self, lease: Lease) -> None:
        """Learns a stored lease, perhaps that of another process.

        A fence that has grown means that the lease was lost and taken again, or that `see` did not know it.
        """
        chat = (lease.platform, lease.chat)
        if lease.process != self.process:
            self.lose(*chat)
            return
        known = self._fences.get(chat)
        self._fences[chat] = lease.fence
        self._fences.move_to_end(chat)
        if known != lease.fence:
            for listener in self._listeners:
                listener.gained(lease)
        if len(self._fences) > LEASES_KEPT:
            self.lose(*next(iter(self._fences)))

    def fence(self, place: Place) -> int | None:
        """The fence of a chat's lease that this process holds; None if it does not hold it."""
        return self._fences.get((place.platform, place.chat))

    def see(self, place: Place, keeper: ProcessId | None, fence: int | None) -> None:
        """Learns the keeper of a chat from a look; ``fence`` is the one that was known before the look.

        Ignored if a lease was noted or lost during the look, since that is newer.
        """
        if self.fence(place) != fence:
            return
        if keeper != self.process:
            self.lose(place.platform, place.chat)
        elif fence is None and self.process:
            # The answer to the commit that took the lease was lost, and with it the fence.
            self.note(Lease(place.platform, place.chat, self.process, fence=0))

    def doubt(self, place: Place) -> None:
        """Learns that a commit in a chat is uncertain: it may have changed a table and taken the lease."""
        self._doubted.add((place.platform, place.chat))

    def doubted(self) -> Collection[ChatKey]:
        """The chats doubted since the last call; the store must be asked which tables have pending work."""
        chats, self._doubted = self._doubted, set()
        return chats

    def lose(self, platform: str, chat: str) -> None:
        """Learns that this process does not keep a chat."""
        if self._fences.pop((platform, chat), None) is not None:
            for listener in self._listeners:
                listener.lost(platform, chat)

    def start_anew(self, process: ProcessId) -> None:
        """Gives this process another id, under which it holds no lease."""
        for platform, chat in list(self._fences):
            self.lose(platform, chat)
        self.process = process
