"""Makes tests reproducible: random numbers follow from a test's name, only `real` tests use real time."""

from __future__ import annotations

import asyncio
import gc
import itertools
import os
import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from unittest import mock

import hypothesis
import pytest

from adapters.shared.clock import AsyncioClock
from engines import games
from engines.game import Game
from tests import luck
from tests.support.games import registered
from tests.support.games.throw_in.rules import State, View, game
from tests.support.postgres import bare_postgres, left_databases, new_postgres, postgres
from tests.support.servers import close_late_connections
from tests.support.time_limit import (
    pytest_runtest_call,
    pytest_runtest_setup,
    pytest_runtest_teardown,
    pytest_timeout_set_timer,
)

__all__ = [
    "bare_postgres", "left_databases", "new_postgres", "postgres",
    "pytest_runtest_call", "pytest_runtest_setup", "pytest_runtest_teardown", "pytest_timeout_set_timer",
]  # fmt: skip

HASHES = "PYTHONHASHSEED"
BYTECODE = "PYTHONPYCACHEPREFIX"
NO_BYTECODE = "PYTHONDONTWRITEBYTECODE"

# Messages name the program as this variable says; no test depends on the command that started pytest.
os.environ.pop("SOBREMESA_COMMAND", None)

# A test does not fail because the machine is slow, and does not depend on examples of earlier runs.
hypothesis.settings.register_profile(
    "steady", database=None, deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("steady")

close_late_connections()


def pytest_cmdline_main() -> None:
    """Restarts pytest, on POSIX, with a fixed ``PYTHONHASHSEED`` (and order of sets) if none is set.

    Where no bytecode may be written beside the sources, it is kept in the virtual environment.
    """
    if HASHES not in os.environ and os.name == "posix":
        os.environ[HASHES] = str(luck.seed(HASHES) % 2**32)
        # Without bytecode, every worker and every process that a test starts compiles all modules again.
        if os.environ.pop(NO_BYTECODE, None):
            os.environ.setdefault(BYTECODE, str(Path(sys.prefix) / "bytecode"))
        os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])


@pytest.hookimpl(wrapper=True, optionalhook=True)
def pytest_xdist_auto_num_workers() -> Generator[None, int, int]:
    """Starts one worker more than the machine has cores, since tests marked as real mostly wait."""
    return (yield) + 1


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collects no garbage among the modules and tests, which all stay, and later seldom: it costs seconds.

    With Python's own thresholds, a fifth of the time of tests that play whole games is garbage collection.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(10_000, 20, 50)
        gc.enable()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Gives the last worker the tests marked as real first, so that one worker waits and the others compute.

    Workers that have nothing left take over from the end of what others have.
    """
    workers = getattr(config, "workerinput", {}).get("workercount", 1)
    if workers > 1:
        real = [item for item in items if item.get_closest_marker("real")]
        others = [item for item in items if not item.get_closest_marker("real")]
        # Each worker begins with an equal share of the items, in order.
        begin = min(len(items) * (workers - 1) // workers, len(others))
        items[:] = [*others[:begin], *real, *others[begin:]]


def pytest_report_header() -> str:
    return f"luck: {luck.SETTING}={luck.shift()} {HASHES}={os.environ.get(HASHES)}"


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Function) -> Generator[None, object, object]:
    luck.choose_examples(item.obj, item.nodeid)
    with luck.of(item.nodeid), nullcontext() if item.get_closest_marker("real") else _still_time():
        return (yield)


@contextmanager
def _still_time() -> Iterator[None]:
    """Replaces the time of `AsyncioClock` by invented times, a second apart, and forbids real waiting."""
    seconds = itertools.count(1_000_000_000.0)

    def now(_: AsyncioClock) -> float:
        return next(seconds)

    async def sleep(_: AsyncioClock, pause: float) -> None:
        assert pause <= 0, "a test that waits for real is marked as real"
        await asyncio.sleep(0)

    def call_later(*_: object) -> None:
        raise AssertionError("a test that waits for real is marked as real")

    with (
        mock.patch.object(AsyncioClock, "now", now),
        mock.patch.object(AsyncioClock, "sleep", sleep),
        mock.patch.object(AsyncioClock, "call_later", call_later),
    ):
        yield


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef: pytest.FixtureDef[object]) -> Generator[None, object, object]:
    if fixturedef.scope == "function":
        return (yield)
    # Several tests share the fixture, and any of them may be the first to need it.
    with luck.of(f"{fixturedef.baseid}::{fixturedef.argname}"):
        return (yield)


@pytest.fixture
def throw_in() -> Generator[Game[State, View], None, None]:
    """Throw-in, in which several players may act at once; `engines.games` finds it during the test."""
    with registered():
        yield game


@pytest.fixture
def key(request: pytest.FixtureRequest) -> Generator[str, None, None]:
    """The key of a game from `every_game`; `engines.games` finds the game during the test."""
    with nullcontext() if request.param in games() else registered():
        yield request.param
