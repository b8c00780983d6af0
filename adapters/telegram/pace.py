"""How fast we write: no more to a group in a minute, and to all in a second, than Telegram takes.

The library's own limiter lets a whole minute's worth out at once and goes on from there, twice the
allowance in the first minute, and holds every chat back when one is told to wait.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Coroutine
from datetime import timedelta
from typing import Any

from telegram.error import RetryAfter
from telegram.ext import BaseRateLimiter

from bot.ports import Clock

_GROUPS = 512
"""Groups after which those are forgotten that nobody has written to lately."""


class Pace(BaseRateLimiter[int]):
    """A limiter for the library; what a call brings as ``rate_limit_args`` is how often to try again."""

    __slots__ = ("_chats", "_clock", "_group", "_overall", "_tries")

    def __init__(
        self,
        clock: Clock,
        *,
        group: tuple[int, float] = (20, 60.0),
        overall: tuple[int, float] = (30, 1.0),
        tries: int = 3,
    ) -> None:
        self._clock = clock
        self._group = group
        self._overall = _Window(*overall)
        self._tries = tries
        self._chats: dict[str, _Window] = {}

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
        rate_limit_args: int | None,
    ) -> Any:
        """Does a request when its turn has come. Raises `RetryAfter` where it was tried often enough."""
        if (chat := data.get("chat_id")) is None:
            return await callback(*args, **kwargs)
        tries = self._tries if rate_limit_args is None else rate_limit_args
        while True:
            await self._turn(str(chat))
            try:
                return await callback(*args, **kwargs)
            except RetryAfter as late:
                if not tries:
                    raise
                tries -= 1
                await self._clock.sleep(seconds_of(late))

    async def _turn(self, chat: str) -> None:
        """Waits for a place in the group's minute, then in everybody's second."""
        if chat.startswith("-"):
            await self._wait(self._window(chat))
        await self._wait(self._overall)

    async def _wait(self, window: _Window) -> None:
        now = self._clock.now()
        if (at := window.reserve(now)) > now:
            await self._clock.sleep(at - now)

    def _window(self, chat: str) -> _Window:
        if chat not in self._chats and len(self._chats) >= _GROUPS:
            now = self._clock.now()
            self._chats = {name: one for name, one in self._chats.items() if not one.is_idle(now)}
        return self._chats.setdefault(chat, _Window(*self._group))


class _Window:
    """So many requests in any stretch of so many seconds."""

    __slots__ = ("_span", "_times")

    def __init__(self, limit: int, span: float) -> None:
        self._times: deque[float] = deque(maxlen=limit)
        self._span = span

    def reserve(self, now: float) -> float:
        """When the next request may go; that time is taken then."""
        full = len(self._times) == self._times.maxlen
        at = max(now, self._times[0] + self._span) if full else now
        self._times.append(at)
        return at

    def is_idle(self, now: float) -> bool:
        """Whether it holds nothing back."""
        return not self._times or self._times[-1] + self._span <= now


def seconds_of(late: RetryAfter) -> float:
    """How long Telegram asks us to wait."""
    asked = late.retry_after
    return asked.total_seconds() if isinstance(asked, timedelta) else float(asked)
