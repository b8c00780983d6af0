"""Hooks of pytest by which a test that waits for ever fails, and the tests after it run."""

from __future__ import annotations

import asyncio
import faulthandler
import signal
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from types import CoroutineType, FrameType
from typing import Any

import pytest
from _pytest.outcomes import Failed

from tests.support.long import LONG

RETRY_EVERY = 10.0
"""Seconds between further attempts to end a test that goes on after its time limit."""
_settings = pytest.StashKey[Any]()
"""The settings of pytest-timeout for a test, kept for its teardown."""


class TimeLimit(Failed, SystemExit):
    """A test has reached its time limit. It is a SystemExit, which ends the event loop, not only one task."""


@pytest.hookimpl(wrapper=True)
def pytest_timeout_set_timer(item: pytest.Item, settings: Any) -> Generator[None, object, object]:
    """Ends a test at its time limit whichever task is running then, and tells what its tasks wait for.

    Alone, pytest-timeout ends only the task that is running then, and the test may wait on for ever.
    """
    is_set = yield
    if hasattr(signal, "SIGALRM") and callable(fail := signal.getsignal(signal.SIGALRM)):
        signal.signal(signal.SIGALRM, _ending(fail))
        signal.setitimer(signal.ITIMER_REAL, settings.timeout, RETRY_EVERY)
        item.stash[_settings] = settings
    return is_set


def _ending(fail: Callable[[int, FrameType | None], object]) -> Callable[[int, FrameType | None], None]:
    """A signal handler that ends the whole test; ``fail`` is that of pytest-timeout, which ends one task.

    The first signal ends the event loop between two steps, so that its tasks can still be cancelled; a second
    one, or the first where no event loop runs, ends the code that is running.
    """
    asked: asyncio.Handle | None = None

    def end(number: int, frame: FrameType | None) -> None:
        nonlocal asked
        try:
            fail(number, frame)
        except Failed as reason:
            limit = TimeLimit(f"{reason.msg}\n{_waiting()}")
            loop = asyncio._get_running_loop()
            if loop and not asked:
                asked = loop.call_soon_threadsafe(_raise, limit)
                return
            if asked:
                asked.cancel()
            raise limit from None

    return end


def _raise(limit: TimeLimit) -> None:
    raise limit


def _waiting() -> str:
    """The calls in which each task of the running event loop is waiting, a task a line."""
    loop = asyncio._get_running_loop()
    tasks = asyncio.all_tasks(loop) if loop else ()
    return "\n".join(f"{task.get_name()}: {' > '.join(_calls(task.get_coro()))}" for task in tasks)


def _calls(awaited: object) -> Iterator[str]:
    """The functions that wait for one another, from a coroutine on, with their files and lines."""
    while isinstance(awaited, CoroutineType):
        if frame := awaited.cr_frame:
            yield f"{awaited.__name__} ({frame.f_code.co_filename}:{frame.f_lineno})"
        awaited = awaited.cr_await


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_setup() -> Generator[None, object, object]:
    """Lets tests take longer than ``faulthandler_timeout`` in the long mode."""
    if LONG:
        faulthandler.cancel_dump_traceback_later()
    with _ends_with_an_error():
        return (yield)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_call() -> Generator[None, object, object]:
    with _ends_with_an_error():
        return (yield)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item) -> Generator[None, object, object]:
    """Sets a time limit for the teardown too: pytest-timeout sets none once the test has failed."""
    if settings := item.stash.get(_settings, None):
        item.ihook.pytest_timeout_set_timer(item=item, settings=settings)
    with _ends_with_an_error():
        return (yield)


@contextmanager
def _ends_with_an_error() -> Iterator[None]:
    """Stops the timer if the block raises an error, so that it does not fire while pytest reports it."""
    try:
        yield
    except BaseException:
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, 0)
        raise
