"""Lanes: one queue of deliveries for each chat, sent in order at the chat's pace, retried after failures."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from bot.errors import origin
from bot.measures import Measures, moment
from bot.model import Alert, GameId, ReaderId
from bot.ports import Clock, Later

log = logging.getLogger(__name__)

Chat = tuple[str, str]
"""A platform and the name of a chat: ``#`` and its id if it is public, its person's id if it is private."""
Delivery = tuple[GameId, ReaderId | Alert]
"""A table, and the reader of a panel or a turn alert; the content is computed when it is sent."""

_TRIES = 6
"""Failures in a row after which a delivery is dropped."""
_BACKOFF = 2.0
"""Seconds of pause after a dropped delivery; before a retry, doubled for each failure in a row."""


@dataclass(slots=True)
class _Lane:
    """The queue of one chat."""

    gap: float
    """Seconds between two messages."""
    due: dict[Delivery, None] = field(default_factory=dict)
    """The deliveries that wait, in order."""
    free_at: float = 0.0
    """The time of the next message, in seconds since 1970."""
    pause: float = 0.0
    """Length in seconds of the pause that ends at ``free_at``."""
    tries: int = 0
    """Failures in a row."""
    task: asyncio.Task[None] | None = None

    def rest(self, now: float, seconds: float) -> None:
        """Pauses the lane for some seconds."""
        self.free_at, self.pause = now + seconds, seconds


class Lanes:
    """The lanes of all chats. A waiting delivery is not queued twice: it will show the newest state."""

    def __init__(
        self, clock: Clock, send: Callable[[Delivery], Awaitable[int]], measures: Measures | None = None
    ) -> None:
        """``send`` returns how many messages it sent; it raises `Later` to be called again after a pause."""
        self._clock = clock
        self._send = send
        self._measures = measures or Measures()
        self._lanes: dict[Chat, _Lane] = {}

    def put(self, chat: Chat, delivery: Delivery, gap: float = 0.0) -> None:
        """Queues a delivery for a chat that takes one message every ``gap`` seconds."""
        lane = self._lanes.get(chat)
        if lane is None:
            lane = self._lanes[chat] = _Lane(gap)
        lane.due[delivery] = None
        if lane.task is None:
            lane.task = asyncio.create_task(self._run(chat, lane))

    @property
    def waiting(self) -> int:
        """The number of deliveries that wait in all lanes."""
        return sum(len(lane.due) for lane in self._lanes.values())

    async def idle(self) -> None:
        """Waits until nothing is queued."""
        while tasks := [lane.task for lane in self._lanes.values() if lane.task]:
            await asyncio.wait(tasks)

    async def close(self) -> None:
        """Stops sending, and drops the queued deliveries."""
        tasks = [lane.task for lane in self._lanes.values() if lane.task]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _run(self, chat: Chat, lane: _Lane) -> None:
        clock = self._clock
        try:
            while lane.due:
                if (wait := lane.free_at - clock.now()) > 0:
                    # The clock may be set back meanwhile: never wait longer than the pause.
                    await clock.sleep(min(wait, lane.pause))
                    lane.free_at = clock.now()
                    continue
                delivery = next(iter(lane.due))
                del lane.due[delivery]
                await self._try(chat[0], lane, delivery)
        finally:
            lane.task = None
            if not lane.due and lane.free_at <= clock.now():
                self._lanes.pop(chat, None)

    async def _try(self, platform: str, lane: _Lane, delivery: Delivery) -> None:
        now, began, outcome = self._clock.now, moment(), "failed"
        try:
            messages = await self._send(delivery)
            lane.tries, outcome = 0, "sent"
            lane.rest(now(), lane.gap * messages)
        except Later as later:
            outcome = "later"
            self._measures.waits += later.seconds
            lane.due.setdefault(delivery)
            lane.rest(now(), later.seconds)
        except Exception as error:
            # The error's message may hold the page and its hidden cards, so that only its origin is logged.
            log.warning("table %s: the bot could not send a panel: %s", delivery[0], origin(error))
            lane.tries += 1
            if lane.tries < _TRIES:
                lane.due.setdefault(delivery)
            else:
                lane.tries = 0
            lane.rest(now(), _BACKOFF * 2**lane.tries)
        self._measures.sends[platform, outcome] += 1
        self._measures.sending.since(began)
