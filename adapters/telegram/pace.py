"""How fast we write: no more to a group in a minute, and to all in a second, than Telegram takes.

The library's own limiter lets a whole minute's worth out at once and goes on from there, twice the
allowance in the first minute, and holds every chat back when one is told to wait. Nor does it know that
a table comes before answers, nor that an answer is not worth waiting for any longer.
"""

from __future__ import annotations

import math
from bisect import insort
from collections import deque
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, NamedTuple

from telegram.error import RetryAfter
from telegram.ext import BaseRateLimiter

from bot.ports import Clock

_GROUPS = 512
"""Groups after which those are forgotten that nobody has written to lately."""


@dataclass(frozen=True, slots=True)
class Turn:
    """How a request waits for its turn; a call brings it as ``rate_limit_args``."""

    tries: int = 3
    """How often it is tried again when we are told to wait."""
    patience: float = math.inf
    """Seconds after which it is not worth sending any more."""
    aside: bool = False
    """Whether it is something beside the table, of which a group gets less."""


class Pace(BaseRateLimiter[Turn]):
    """A limiter for the library."""

    __slots__ = ("_asides", "_chats", "_clock", "_group", "_overall")

    def __init__(
        self,
        clock: Clock,
        *,
        group: tuple[int, float] = (20, 60.0),
        asides: tuple[int, float] = (8, 60.0),
        overall: tuple[int, float] = (30, 1.0),
    ) -> None:
        self._clock = clock
        self._group = group
        self._asides = asides
        self._overall = _Window(*overall)
        self._chats: dict[str, _Chat] = {}

    async def initialize(self) -> None:
        """Has nothing to open."""

    async def shutdown(self) -> None:
        """Has nothing to close."""

    async def process_request(
        self,
        callback: Callable[..., Coroutine[Any, Any, Any]],
        args: Any,
        kwargs: dict[str, Any],
        endpoint: str,
        data: dict[str, Any],
        rate_limit_args: Turn | None,
    ) -> Any:
        """Does a request when its turn has come.

        Raises `RetryAfter` where it was tried often enough, or would have to wait too long.
        """
        # Who only asks writes nothing.
        if (chat := data.get("chat_id")) is None or endpoint.startswith("get"):
            return await callback(*args, **kwargs)
        turn = rate_limit_args or Turn()
        tries, until = turn.tries, self._clock.now() + turn.patience
        while True:
            await self._turn(str(chat), until, aside=turn.aside)
            try:
                return await callback(*args, **kwargs)
            except RetryAfter as late:
                again = self._clock.now() + seconds_of(late)
                if not tries or again > until:
                    raise
                tries -= 1
                await self._clock.sleep(seconds_of(late))

    async def _turn(self, chat: str, until: float, *, aside: bool) -> None:
        """Waits for a place in the group's minute, then in everybody's second."""
        if chat.startswith("-"):
            group = self._chat(chat)
            await self._wait((group.all, group.asides) if aside else (group.all,), until)
        await self._wait((self._overall,), until)

    async def _wait(self, windows: Sequence[_Window], until: float) -> None:
        """Takes a place in all of these at the same moment."""
        now = self._clock.now()
        at = max(window.free_at(now) for window in windows)
        # Some time has passed since the patience began to run; where nothing has to wait, none was needed.
        if at > max(until, now):
            raise RetryAfter(timedelta(seconds=at - now))
        for window in windows:
            window.take(at)
        if at > now:
            await self._clock.sleep(at - now)

    def _chat(self, chat: str) -> _Chat:
        if chat not in self._chats and len(self._chats) >= _GROUPS:
            now = self._clock.now()
            self._chats = {name: one for name, one in self._chats.items() if not one.all.is_idle(now)}
        return self._chats.setdefault(chat, _Chat(_Window(*self._group), _Window(*self._asides)))


class _Window:
    """So many requests in any stretch of so many seconds."""

    __slots__ = ("_span", "_times")

    def __init__(self, limit: int, span: float) -> None:
        self._times: deque[float] = deque(maxlen=limit)
        self._span = span

    def free_at(self, now: float) -> float:
        """When the next request may go."""
        full = len(self._times) == self._times.maxlen
        return max(now, self._times[0] + self._span) if full else now

    def take(self, at: float) -> None:
        """A request goes then."""
        if len(self._times) == self._times.maxlen:
            self._times.popleft()
        # What is beside the table may go later than what comes after it.
        insort(self._times, at)

    def is_idle(self, now: float) -> bool:
        """Whether it holds nothing back."""
        return not self._times or self._times[-1] + self._span <= now


class _Chat(NamedTuple):
    """What a group gets."""

    all: _Window
    asides: _Window


def seconds_of(late: RetryAfter) -> float:
    """How long Telegram asks us to wait."""
    asked = late.retry_after
    return asked.total_seconds() if isinstance(asked, timedelta) else float(asked)
