"""A test that waits for ever fails at its time limit, whichever of its tasks is running then."""

from __future__ import annotations

import asyncio
import faulthandler
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from tests.support import time_limit
from tests.words import ROOT

SUITE = """
import signal
import pytest

class Told(Exception):
    def __str__(self):
        return f"{signal.getitimer(signal.ITIMER_REAL)[0]} s are left"

@pytest.fixture
def limited():
    yield
    assert signal.getitimer(signal.ITIMER_REAL)[0] > 0

def test_that_fails(limited):
    raise Told
"""


def fail(*_: object) -> None:
    pytest.fail("Timeout")


async def waits_for_what_never_comes() -> None:
    await asyncio.Event().wait()


def test_a_test_ends_though_another_task_runs_at_its_limit() -> None:
    end = time_limit._ending(fail)

    async def other() -> None:
        with suppress(BaseException):
            end(signal.SIGALRM, None)

    async def work() -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(other())
            await waits_for_what_never_comes()

    with pytest.raises(time_limit.TimeLimit, match=r"> waits_for_what_never_comes \(.*:\d+\)"):
        asyncio.run(work())


def test_code_that_does_not_return_to_the_event_loop_is_ended_by_the_second_signal() -> None:
    end, has_returned = time_limit._ending(fail), []

    async def work() -> None:
        end(signal.SIGALRM, None)
        end(signal.SIGALRM, None)
        has_returned.append(True)

    with pytest.raises(time_limit.TimeLimit):
        asyncio.run(work())
    assert not has_returned


def test_without_an_event_loop_a_test_ends_at_once() -> None:
    with pytest.raises(time_limit.TimeLimit, match="Timeout"):
        time_limit._ending(fail)(signal.SIGALRM, None)


def test_the_timer_repeats_while_a_test_runs() -> None:
    left, again = signal.getitimer(signal.ITIMER_REAL)
    assert left > 0
    assert again == time_limit.RETRY_EVERY


def test_no_timer_runs_while_a_failure_is_reported_but_one_runs_in_the_teardown(tmp_path: Path) -> None:
    suite, settings = tmp_path / "test_suite.py", tmp_path / "pytest.ini"
    suite.write_text(SUITE)
    settings.write_text("[pytest]\ntimeout = 120\n")
    options = ["-c", str(settings), "-p", "no:simcord", "-p", "tests.support.time_limit"]
    line = [sys.executable, "-m", "pytest", *options, str(suite)]
    done = subprocess.run(line, cwd=ROOT, capture_output=True, text=True, check=False)
    assert "= 1 failed in" in done.stdout, done.stdout
    assert "Told: 0.0 s are left" in done.stdout


@pytest.mark.parametrize("is_long", [True, False])
def test_only_in_the_long_mode_tests_may_take_very_long(
    monkeypatch: pytest.MonkeyPatch, is_long: bool
) -> None:
    cancelled = []
    monkeypatch.setattr(time_limit, "LONG", is_long)
    monkeypatch.setattr(faulthandler, "cancel_dump_traceback_later", lambda: cancelled.append(True))
    # Dropped while the test runs, the hook would stop this test's own timer.
    hook = time_limit.pytest_runtest_setup()
    next(hook)
    assert cancelled == [True] * is_long
