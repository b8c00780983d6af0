"""Processes of the bot that share one test program, and can be killed in the middle of any action."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast

from bot.inbox.dispatcher import Dispatcher

_T = TypeVar("_T")
Watch = Callable[[str, tuple[Any, ...]], None]
"""Called with the name and the positional arguments of a call."""
Pause = Callable[[], Awaitable[None]]
"""Awaited before and after a call: the time that it takes."""


class Killed(Exception):
    """The process that handled a delivery was killed before it had answered."""


@dataclass(eq=False)
class Process:
    """A process, which reaches the store, the clock and the platforms only by what `lent` returns.

    Once it is killed, each of its tasks ends as soon as it calls one of them, or one of them answers.
    """

    name: str
    work: AsyncExitStack = field(default_factory=AsyncExitStack, repr=False)
    """Closed when the process ends."""
    dispatcher: Dispatcher | None = None
    """Its dispatcher as platforms call it; see `serving`."""
    is_dead: bool = False
    _answering: set[asyncio.Task[Any]] = field(default_factory=set, repr=False)

    async def kill(self) -> None:
        """Kills the process; the senders whose deliveries it is handling get `Killed`."""
        self.is_dead = True
        for task in self._answering:
            task.cancel()
        # Closing stops the tasks that only wait; nothing that they do then reaches the store.
        with suppress(asyncio.CancelledError):
            await self.work.aclose()

    def lent(self, thing: _T, watch: Watch | None = None, pause: Pause | None = None) -> _T:
        """An object that processes share; ``watch`` is called before each of its coroutine functions."""

        async def call(name: str, given: tuple[Any, ...], make: Callable[[], Awaitable[Any]]) -> Any:
            self._live()
            if pause:
                await pause()
                self._live()
            if watch:
                watch(name, given)
            done = await make()
            if pause:
                await pause()
            self._live()
            return done

        return cast(_T, _Passing(thing, call))

    def serving(self, dispatcher: Dispatcher, watch: Watch) -> Dispatcher:
        """A dispatcher whose methods raise `Killed` if the process is killed meanwhile.

        ``watch`` is called after each call, with its answer as the last argument.
        """

        async def call(name: str, given: tuple[Any, ...], make: Callable[[], Awaitable[Any]]) -> Any:
            task = asyncio.ensure_future(make())
            self._answering.add(task)
            try:
                done = await task
            except asyncio.CancelledError:
                if not self.is_dead:
                    raise
                raise Killed from None
            finally:
                self._answering.discard(task)
            watch(name, (*given, done))
            return done

        return cast(Dispatcher, _Passing(dispatcher, call))

    def _live(self) -> None:
        """Ends the task that calls it, if the process was killed."""
        if self.is_dead:
            raise asyncio.CancelledError


class _Passing:
    """Forwards attributes to another object, and its coroutine functions through ``call``."""

    def __init__(self, thing: object, call: Callable[..., Coroutine[Any, Any, Any]]) -> None:
        self._thing = thing
        self._call = call

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._thing, name)
        if not inspect.iscoroutinefunction(found):
            return found
        return lambda *given, **named: self._call(name, given, lambda: found(*given, **named))
