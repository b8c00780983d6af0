"""The processes and leases of the store in memory."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from bot.model.ids import ProcessId
from bot.model.leases import ChatKey, Lease, Outage
from bot.model.places import Place
from bot.storage import ALIVE, OUTAGES_KEPT
from bot.store.common import FORGET_PROCESS
from engines.values import replace


class MemoryLeases:
    """The lease of each chat, by platform and chat, and the last beat of each process."""

    def __init__(self) -> None:
        self._leases: dict[ChatKey, Lease] = {}
        self._seen: dict[ProcessId, float] = {}
        """The time of the last beat of each process, in the order in which they started."""
        self._platforms: dict[ProcessId, Collection[str]] = {}
        """The platforms that each process serves."""
        self._alive: float | None = None
        """The time of the last beat of any process."""
        self.outages: list[Outage] = []

    def beat(
        self, process: ProcessId, now: float, platforms: Collection[str]
    ) -> Mapping[ProcessId, Collection[str]]:
        """Notes a beat of a process, and the outage before it if there was one.

        Returns the living processes in the order of their starts, with their platforms.
        """
        if self._alive is not None and now - self._alive > ALIVE:
            self.outages = [one for one in self.outages if one.ended > now - OUTAGES_KEPT]
            self.outages.append(Outage(self._alive, now))
        self._alive = max(now, self._alive or now)
        self._seen[process] = now
        self._seen = {one: seen for one, seen in self._seen.items() if seen > now - FORGET_PROCESS}
        self._platforms[process] = sorted(platforms)
        self._platforms = {one: self._platforms[one] for one in self._seen}
        return {one: self._platforms[one] for one, seen in self._seen.items() if seen > now - ALIVE}

    def retire(self, process: ProcessId) -> None:
        """Forgets a process."""
        self._seen.pop(process, None)

    def release(self, process: ProcessId, chat: ChatKey) -> None:
        """Gives back the lease of a chat, if the process holds it."""
        if (lease := self._leases.get(chat)) and lease.process == process:
            self._leases[chat] = replace(lease, process="")

    def delete(self, chat: ChatKey) -> None:
        """Deletes the lease of a chat, whoever holds it."""
        self._leases.pop(chat, None)

    def holder(self, place: Place) -> ProcessId | None:
        """The holder of a chat's lease, dead or alive; empty if it was released, None if never held."""
        lease = self._leases.get((place.platform, place.chat))
        return lease.process if lease else None

    def holds(self, place: Place, process: ProcessId) -> bool:
        """Whether a process holds the lease of a chat."""
        return bool(process) and self.holder(place) == process

    def is_free(self, place: Place, now: float) -> bool:
        """Whether the lease of a chat is held by no living process."""
        holder = self.holder(place)
        return holder is None or self._seen.get(holder, -ALIVE) <= now - ALIVE

    def rest(self, place: Place, free_at: float) -> None:
        """Stores the time until which nothing may be sent to a chat, whose lease must exist."""
        chat = (place.platform, place.chat)
        self._leases[chat] = replace(self._leases[chat], free_at=free_at)

    def take(self, place: Place, process: ProcessId, now: float | None = None) -> Lease | None:
        """Gives the lease of a chat to a process; without a process, does nothing and returns None.

        Without ``now``, the newest beat tells the time: the process has just beaten.
        """
        if not process:
            return None
        chat = (place.platform, place.chat)
        old = self._leases.get(chat)
        if old and old.process == process:
            return old
        fence, free_at = (old.fence, old.free_at) if old else (0, 0.0)
        newest = max(self._seen.values(), default=0.0) if now is None else now
        rival = old.process if old and self._seen.get(old.process, -ALIVE) > newest - ALIVE else ""
        self._leases[chat] = Lease(*chat, process, fence + 1, free_at)
        return replace(self._leases[chat], is_new=True, taken_from=rival)
