"""The rate limiter: keeps Telegram's limits on messages per group and minute, and per second in all chats.

The library's own limiter allows twice the limit in the first minute, and delays every chat when Telegram
asks it to wait in one of them. It neither keeps room for panels beside answers, nor drops late answers. Only
the library's `ExtBot` calls it, which needs more CPU time for each request than the `Bot` used here.
"""

from __future__ import annotations

import math
from bisect import insort
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta
from typing import Literal, ParamSpec, TypeVar

from telegram.error import RetryAfter

from bot.ports import Clock
from engines.values import Value

_P = ParamSpec("_P")
_T = TypeVar("_T")

_MANY_GROUPS = 512
"""The number of known groups from which on idle ones are forgotten."""
_MANY_SENDERS = 32
"""The number of a group's known senders from which on idle ones are forgotten."""

Share = Literal["panel", "answer", "alone"]
"""The part of a group's limit that a request may use.

``panel`` may use the whole limit, ``answer`` at most `GroupLimits.answers` of it, and ``alone``, for edits
and deletions of ephemeral messages, at most `GroupLimits.alone`.
"""


class Priority(Value):
    """How long a request may wait, how often it is repeated, and what limits it may use."""

    tries: int = 3
    """How often the request is repeated, at most, after Telegram has asked to wait."""
    patience: float = math.inf
    """The most seconds that the request may wait; it is dropped as soon as it would have to wait longer."""
    share: Share = "panel"
    """The part of a group's limit that the request may use."""
    sender: str = ""
    """The user whom an answer is for, held to `GroupLimits.sender`; empty if no user's limit holds."""


class GroupLimits(Value):
    """The limits of a group, each as a number of requests and a span in seconds."""

    all: tuple[int, float] = (20, 60.0)
    """All requests together."""
    answers: tuple[int, float] = (8, 60.0)
    """The answers to all users together."""
    sender: tuple[int, float] = (3, 60.0)
    """The answers that are for one user."""
    alone: tuple[int, float] = (10, 60.0)
    """Edits and deletions of ephemeral messages; whether Telegram counts them is not documented."""


class RateLimiter:
    """Sends requests within limits, each a number of requests and a span in seconds.

    Telegram limits what is sent to chats: a request without a chat, or that only reads, need not come here.
    Processes that serve one bot share the limit of all chats, and a group's limits of answers and ephemeral
    messages, which any of them may send. A group's panels are sent only by the process that serves the group;
    it leaves the other processes their shares of the answers.
    """

    __slots__ = ("_again", "_chats", "_clock", "_limits", "_overall", "_processes")

    def __init__(
        self,
        clock: Clock,
        *,
        limits: GroupLimits | None = None,
        overall: tuple[int, float] = (30, 1.0),
        processes: Callable[[], int] = lambda: 1,
    ) -> None:
        """``processes`` returns how many processes serve the bot at this time."""
        self._clock = clock
        self._processes = processes
        self._limits = limits or GroupLimits()
        self._overall = _Window(*overall)
        self._again = 0.0
        """When the last of the requests that the limit of all chats has put off is tried again."""
        self._chats: dict[int, _Chat] = {}

    async def send(
        self,
        chat: int,
        priority: Priority,
        request: Callable[_P, Awaitable[_T]],
        /,
        *args: _P.args,
        **kwargs: _P.kwargs,
    ) -> _T:
        """Awaits ``request``, which sends something to a chat, as soon as the limits allow it.

        Raises `RetryAfter` after too many tries, or if the request would wait longer than its patience, and
        any other error of ``request``.
        """
        tries, until = priority.tries, self._clock.now() + priority.patience
        while True:
            await self._wait_for_limits(chat, until, priority)
            try:
                return await request(*args, **kwargs)
            except RetryAfter as late:
                again = self._clock.now() + seconds_of(late)
                if not tries or again > until:
                    raise
                tries -= 1
                await self._clock.sleep(seconds_of(late))

    async def _wait_for_limits(self, chat: int, until: float, priority: Priority) -> None:
        """Waits for the limits of the group, if it is one, then for the limit of all chats together.

        Raises `RetryAfter` if the request would be sent later than ``until``: at once if the group's limits
        are the reason, after the wait for them if the limit of all chats is.
        """
        # The id of a group is negative.
        if chat > 0:
            await self._wait_overall(until)
            return
        windows = self._chat(chat).windows(priority, self._clock.now())
        allowed = await self._wait(windows, until)
        try:
            sent = await self._wait_overall(until)
        except RetryAfter:
            for window in windows:
                window.give_back(allowed)
            raise
        for window in windows if sent > allowed else ():
            window.move(allowed, sent)

    async def _wait_overall(self, until: float) -> float:
        """Waits for the limit of all chats together; returns the time of the request. Raises as `_wait` does.

        Requests that are put off are told to come again one after another: if all came at once, most would be
        put off once more, and each is prepared anew whenever it comes.
        """
        try:
            return await self._wait((self._overall,), until)
        except RetryAfter as late:
            now = self._clock.now()
            self._again = max(now + seconds_of(late), self._again + self._overall.gap(self._processes()))
            raise RetryAfter(timedelta(seconds=self._again - now)) from None

    async def _wait(self, windows: Sequence[_Window], until: float) -> float:
        """Waits until all the windows allow a request, and counts it in each; returns the request's time.

        Raises `RetryAfter` at once if the request would be sent later than ``until``.
        """
        now = self._clock.now()
        processes = self._processes()
        at = max(window.free_at(now, processes) for window in windows)
        # A request that need not wait is sent even if its deadline has passed meanwhile.
        if at > max(until, now):
            raise RetryAfter(timedelta(seconds=at - now))
        for window in windows:
            window.take(at, now)
        if at > now:
            await self._clock.sleep(at - now)
        return at

    def _chat(self, chat: int) -> _Chat:
        """The windows of a group; where many groups are known, forgets the idle ones."""
        if chat not in self._chats and len(self._chats) >= _MANY_GROUPS:
            now = self._clock.now()
            self._chats = {
                name: windows for name, windows in self._chats.items() if not windows.all.is_idle(now)
            }
        if (known := self._chats.get(chat)) is None:
            known = self._chats[chat] = _Chat(self._limits)
        return known


class _Window:
    """A sliding window: at most ``limit`` requests in any ``span`` seconds, of all processes together.

    Each process has an equal share, but at least one request. With ``shared``, only that many of the requests
    are divided among the processes; this process has all requests but the shares of the others.
    """

    __slots__ = ("_limit", "_shared", "_span", "_times")

    def __init__(self, limit: int, span: float, *, shared: int = 0) -> None:
        self._times: deque[float] = deque(maxlen=limit)
        self._limit = limit
        self._span = span
        self._shared = shared

    def free_at(self, now: float, processes: int) -> float:
        """The earliest time at which the window allows this process a request."""
        share = self._share(processes)
        return max(now, self._times[-share] + self._span) if len(self._times) >= share else now

    def _share(self, processes: int) -> int:
        """The most requests of this process in a span."""
        if not self._shared:
            return max(1, self._limit // processes)
        others = (processes - 1) * max(1, self._shared // processes)
        return max(1, self._limit - min(others, self._shared))

    def take(self, at: float, now: float) -> None:
        """Counts a request at the time ``at``; drops those older than the span, and the oldest if full."""
        while self._times and self._times[0] + self._span <= now:
            self._times.popleft()
        if len(self._times) == self._times.maxlen:
            self._times.popleft()
        # The times may come out of order: an answer can be scheduled later than requests made after it.
        insort(self._times, at)

    def gap(self, processes: int) -> float:
        """The seconds between two requests of this process, if they are evenly spaced."""
        return self._span / self._share(processes)

    def give_back(self, at: float) -> None:
        """Stops counting a request at this time, since it is not sent."""
        if at in self._times:
            self._times.remove(at)

    def move(self, at: float, later: float) -> None:
        """Moves a counted request to a later time, since the limit of all chats has delayed it."""
        if at in self._times:
            self._times.remove(at)
            insort(self._times, later)

    def is_idle(self, now: float) -> bool:
        """Whether the window counts no request any more."""
        return not self._times or self._times[-1] + self._span <= now


class _Chat:
    """The windows of a group: one for each of the `GroupLimits`, but for ``sender`` one for each user."""

    __slots__ = ("_alone", "_answers", "_sender_limit", "_senders", "all")

    def __init__(self, limits: GroupLimits) -> None:
        self.all = _Window(*limits.all, shared=limits.answers[0])
        self._answers = _Window(*limits.answers)
        self._alone = _Window(*limits.alone)
        self._senders: dict[str, _Window] = {}
        self._sender_limit = limits.sender

    def windows(self, priority: Priority, now: float) -> Sequence[_Window]:
        """The windows that must allow a request of this priority."""
        if priority.share == "panel":
            return (self.all,)
        if priority.share == "alone":
            return (self.all, self._alone)
        if not priority.sender:
            return (self.all, self._answers)
        return (self.all, self._answers, self._sender(priority.sender, now))

    def _sender(self, sender: str, now: float) -> _Window:
        """The window of a user; where many users are known, forgets the idle ones."""
        if sender not in self._senders and len(self._senders) >= _MANY_SENDERS:
            self._senders = {
                user: window for user, window in self._senders.items() if not window.is_idle(now)
            }
        return self._senders.setdefault(sender, _Window(*self._sender_limit))


def seconds_of(late: RetryAfter) -> float:
    """The seconds that Telegram asks to wait."""
    wait = late.retry_after
    return wait.total_seconds() if isinstance(wait, timedelta) else float(wait)
