"""Lanes: queues of messages, one for each chat with tables, each player and each watcher.

Each sends in order, at the pace of its chat; a message that fails is tried again after those that wait.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from bot.errors import reason
from bot.measures import Measures, moment
from bot.model.ids import PUBLIC, GameId, ReaderId
from bot.model.panels import Invitation, Notification
from bot.ports import Clock, Later
from bot.storage import StoreError

log = logging.getLogger(__name__)


class LaneKey(NamedTuple):
    """Names a lane: the chat to which it sends."""

    platform: str
    kind: Literal["public", "player", "watcher"]
    """A chat of a table, or the private chat of a person, for their panels as a player or as a watcher."""
    id: str
    """The id of the public chat, or of the person."""


Outgoing = tuple[GameId, ReaderId | Notification]
"""A message to send: a table, and the reader of its panel, a turn alert or an invitation.

Its page is made when it is sent.
"""

_MOST_FAILURES = 6
"""At so many failures since a lane last sent or gave up a message, it gives up the one that has just failed,
unless the store is to blame.
"""
_BACKOFF = 2.0
"""Seconds of pause after a message is given up; before a retry it is doubled for each failure since the lane
last sent or gave up a message.
"""
_WAITS_UNTIL_WARNING = 6
"""Tries that were put off since a lane last sent a message, after which a warning is logged."""
_LONGEST_REST = 60.0
"""The most seconds that a lane rests because of another process, whose clock may differ."""
_LANES_SWEPT = 2
"""How many of the lanes used longest ago are checked, and forgotten if idle, whenever a lane has sent all but
must still rest.
"""


@dataclass(slots=True)
class _Lane:
    """One queue of messages."""

    gap: float
    """Seconds between two messages."""
    due: dict[Outgoing, None] = field(default_factory=dict)
    """The messages that wait, in order; one that is tried again goes to the end."""
    free_at: float = 0.0
    """The time before which no message is sent, in seconds since 1970."""
    pause: float = 0.0
    """Length in seconds of the pause that ends at ``free_at``."""
    failures: int = 0
    """Failures since a message was sent, or given up."""
    waits: int = 0
    """Tries that were put off since a message was sent."""
    task: asyncio.Task[None] | None = None

    def rest(self, now: float, seconds: float) -> None:
        """Pauses the lane for some seconds; a pause that ends later stays as it is."""
        if self.free_at < now + seconds:
            self.free_at, self.pause = now + seconds, seconds


class Lanes:
    """All lanes of this process. A waiting message is not queued twice: it will show the newest state.

    An idle lane is forgotten sooner or later, so that there are hardly more than are in use.
    """

    def __init__(
        self,
        clock: Clock,
        send: Callable[[Outgoing], Awaitable[int]],
        measures: Measures | None = None,
        drop: Callable[[Outgoing], None] = lambda _: None,
    ) -> None:
        """``send`` returns how many messages it sent; it raises `Later` to be called again after a pause.

        ``drop`` is called with each message that is given up after too many failures.
        """
        self._clock = clock
        self._send = send
        self._drop = drop
        self._measures = measures or Measures()
        self._lanes: OrderedDict[LaneKey, _Lane] = OrderedDict()

    def __len__(self) -> int:
        return len(self._lanes)

    def put(self, key: LaneKey, outgoing: Outgoing, gap: float = 0.0) -> None:
        """Queues a message; if its lane is new, it will send one message every ``gap`` seconds."""
        lane = self._lanes.get(key)
        if lane is None:
            lane = self._lanes[key] = _Lane(gap)
        self._lanes.move_to_end(key)
        lane.due[outgoing] = None
        if lane.task is None:
            lane.task = asyncio.create_task(self._run(key, lane))

    @property
    def waiting(self) -> int:
        """The number of messages that wait in all lanes."""
        return sum(len(lane.due) for lane in self._lanes.values())

    def rest(self, key: LaneKey, until: float, gap: float) -> None:
        """Pauses a lane until a time that another process has noted."""
        now = self._clock.now()
        if until > now:
            self._lanes.setdefault(key, _Lane(gap)).rest(now, min(until - now, _LONGEST_REST))

    def empty(self, key: LaneKey) -> Collection[Outgoing]:
        """Drops the messages that wait in a lane, but not one that is being sent, and returns them."""
        if (lane := self._lanes.get(key)) is None:
            return ()
        dropped = tuple(lane.due)
        lane.due.clear()
        return dropped

    async def idle(self) -> None:
        """Waits until nothing is queued."""
        while tasks := [lane.task for lane in self._lanes.values() if lane.task]:
            await asyncio.wait(tasks)

    async def close(self) -> None:
        """Stops sending."""
        tasks = [lane.task for lane in self._lanes.values() if lane.task]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _forget_or_sweep(self, key: LaneKey, lane: _Lane, now: float) -> None:
        """Forgets a lane that has sent all; if it must rest, the idle ones among those used longest ago."""
        if lane.free_at <= now:
            self._lanes.pop(key, None)
            return
        for _ in range(_LANES_SWEPT):
            oldest_key, oldest = next(iter(self._lanes.items()))
            if oldest.task is None and oldest.free_at <= now:
                del self._lanes[oldest_key]
            else:
                self._lanes.move_to_end(oldest_key)

    async def _run(self, key: LaneKey, lane: _Lane) -> None:
        clock = self._clock
        try:
            while lane.due:
                until = lane.free_at
                if (wait := until - clock.now()) > 0:
                    # The clock may be set back meanwhile: never wait longer than the pause.
                    await clock.sleep(min(wait, lane.pause))
                    if lane.free_at == until:
                        lane.free_at = clock.now()
                    continue
                outgoing = next(iter(lane.due))
                del lane.due[outgoing]
                await self._try(key[0], lane, outgoing)
        finally:
            lane.task = None
            if not lane.due:
                self._forget_or_sweep(key, lane, clock.now())

    async def _try(self, platform: str, lane: _Lane, outgoing: Outgoing) -> None:
        now, began, outcome = self._clock.now, moment(), "failed"
        try:
            messages = await self._send(outgoing)
            lane.failures, lane.waits, outcome = 0, 0, "sent"
            lane.rest(now(), lane.gap * messages)
        except Later as later:
            outcome = "later"
            self._measures.waits += later.seconds
            lane.due.setdefault(outgoing)
            lane.rest(now(), later.seconds)
            lane.waits += 1
            if lane.waits == _WAITS_UNTIL_WARNING:
                log.warning("table %s: %s waits: %s", outgoing[0], name_of(outgoing), reason(later))
        except Exception as error:
            log.warning("table %s: %s was not sent: %s", outgoing[0], name_of(outgoing), reason(error))
            lane.failures = min(lane.failures + 1, _MOST_FAILURES)
            if lane.failures < _MOST_FAILURES or isinstance(error, StoreError):
                lane.due.setdefault(outgoing)
            else:
                lane.failures = 0
                self._drop(outgoing)
            lane.rest(now(), _BACKOFF * 2**lane.failures)
        self._measures.sends[platform, outcome] += 1
        self._measures.sending.since(began)


def name_of(outgoing: Outgoing) -> str:
    """The words for a message in the log."""
    reader = outgoing[1]
    if isinstance(reader, Notification):
        return "an invitation" if isinstance(reader, Invitation) else "a turn alert"
    return "the public panel" if reader == PUBLIC else "a reader's panel"
