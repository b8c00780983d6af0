"""Pauses between tries double, up to a longest one, while a platform cannot be reached."""

from __future__ import annotations

import pytest

from adapters.shared.network.reconnect import Backoff, NotReached, until_reached
from bot.ports import NotAdmitted
from tests.support.clock import VirtualClock


class Login:
    """A login that fails so many times and then raises the error, if there is one."""

    def __init__(self, failures: int, error: Exception | None = None) -> None:
        self._failures = failures
        self._error = error
        self.tries = 0

    async def __call__(self) -> None:
        self.tries += 1
        if self.tries <= self._failures:
            raise NotReached("no network? OSError")
        if self._error:
            raise self._error


async def test_a_login_is_tried_until_the_platform_is_reached() -> None:
    clock, login = VirtualClock(), Login(3)
    await until_reached("Parlour", login, clock)
    assert (login.tries, clock.slept) == (4, [5.0, 10.0, 20.0])


async def test_no_pause_is_longer_than_five_minutes() -> None:
    clock = VirtualClock()
    await until_reached("Parlour", Login(9), clock)
    assert clock.slept[-3:] == [300.0, 300.0, 300.0]


async def test_each_failure_is_logged_with_its_reason(caplog: pytest.LogCaptureFixture) -> None:
    await until_reached("Parlour", Login(2), VirtualClock())
    assert [record.getMessage() for record in caplog.records] == [
        "Parlour cannot be reached (no network? OSError); next try in 5.0 s",
        "Parlour cannot be reached (no network? OSError); next try in 10.0 s",
    ]


async def test_a_platform_that_refuses_is_not_asked_again() -> None:
    clock, login = VirtualClock(), Login(1, NotAdmitted("a bad token"))
    with pytest.raises(NotAdmitted, match="a bad token"):
        await until_reached("Parlour", login, clock)
    assert (login.tries, clock.slept) == (2, [5.0])


async def test_after_a_success_pauses_begin_with_the_first() -> None:
    clock = VirtualClock()
    backoff = Backoff(clock, 1.0, 3.0)
    for _ in range(3):
        await backoff.pause()
    backoff.reset()
    await backoff.pause()
    assert clock.slept == [1.0, 2.0, 3.0, 1.0]
