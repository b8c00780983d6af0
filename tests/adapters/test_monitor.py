"""The pages /healthz and /metrics: when a process counts as healthy, and what it shows."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import aiohttp
import pytest
from prometheus_client.parser import text_string_to_metric_families

from adapters.hosting.monitor import Monitor
from adapters.hosting.serve import serve
from bot.app import running
from bot.inbox.dispatcher import Dispatcher
from bot.measures import BUCKETS
from bot.model.people import Person
from bot.ports import Caller, NotAdmitted
from bot.storage import Store, StoreError
from bot.store.memory.store import MemoryStore
from bot.store.sql import opened
from tests import luck
from tests.adapters.test_registry import SETTING_NAMES
from tests.adapters.test_serve import IdlePlatform, settings
from tests.bot.store.test_faults import pragma
from tests.support.clock import VirtualClock
from tests.support.ports import reserved_port
from tests.words import ROOT

ANA = "Ana"


@pytest.fixture
def port() -> Iterator[int]:
    with reserved_port() as port:
        yield port


def samples(exposition: bytes) -> dict[tuple[str, ...], float]:
    """The values shown, by name and the values of the labels, whose names are sorted."""
    return {
        (sample.name, *(value for _, value in sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(exposition.decode())
        for sample in family.samples
    }


class BrokenStore(MemoryStore):
    """A store whose `missed`, which tells its health, fails or never answers; all else works."""

    def __init__(self, fault: Exception | None) -> None:
        super().__init__()
        self.fault = fault

    async def missed(self, *_: object) -> None:
        if self.fault:
            raise self.fault
        await asyncio.Event().wait()


@asynccontextmanager
async def watched(
    *platforms: IdlePlatform, store: MemoryStore | None = None, clock: VirtualClock | None = None
) -> AsyncIterator[Monitor]:
    """A monitor that watches a bot on these platforms."""
    monitor = Monitor()
    store = store or MemoryStore()
    named = {platform.key: platform for platform in platforms}
    bot = running(
        store,
        clock or VirtualClock(stopped=True),
        named,
        rng=luck.rng(),
        pace=0.0,
        measures=monitor.measures,
    )
    async with bot as dispatcher:
        with monitor.watching(store, dispatcher, platforms):
            yield monitor


async def test_a_process_with_a_store_and_a_platform_is_healthy() -> None:
    async with watched(IdlePlatform("one")) as monitor:
        assert await monitor.health() == (True, "ok", "the store answers, connected to one")


async def test_a_process_is_healthy_while_one_platform_is_connected() -> None:
    other = IdlePlatform("other", NotAdmitted("no entry"))
    async with watched(IdlePlatform("one"), other) as monitor:
        health = await monitor.health()
        assert health == (True, "ok", "the store answers, connected to one, not connected to other")


async def test_a_process_is_not_healthy_without_a_platform() -> None:
    async with watched(IdlePlatform("one", NotAdmitted("no entry"))) as monitor:
        health = await monitor.health()
        assert health == (False, "offline", "the store answers, but there is no connection to one")


async def test_a_process_is_not_healthy_while_the_store_fails() -> None:
    store = BrokenStore(StoreError("OperationalError: database is locked"))
    async with watched(IdlePlatform("one"), store=store) as monitor:
        reason = "the store has failed: OperationalError: database is locked"
        assert await monitor.health() == (False, "faulty", reason)


async def test_a_process_is_not_healthy_while_the_store_does_not_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("adapters.hosting.monitor._STORE_TIMEOUT", 0.01)
    async with watched(IdlePlatform("one"), store=BrokenStore(None)) as monitor:
        assert await monitor.health() == (False, "faulty", "the store has not answered for 0.01 s")


async def test_a_process_is_not_healthy_from_a_refused_change_to_the_next_stored_one(tmp_path: Path) -> None:
    monitor = Monitor()
    async with AsyncExitStack() as stack:
        store = await opened(str(tmp_path / "tables.db"), measures=monitor.measures)
        stack.push_async_callback(store.close)
        dispatcher = SimpleNamespace(service=SimpleNamespace(clock=VirtualClock(stopped=True)))
        with monitor.watching(store, cast("Dispatcher", dispatcher), [IdlePlatform("one")]):
            pragma(store, "max_page_count = 1")
            with pytest.raises(StoreError):
                await store.save_person(Person("1", "Bo" * 100_000))
            why = "the store answers, but it takes no changes: OperationalError: database or disk is full"
            refused = (False, "faulty", why)
            assert await monitor.health() == refused
            # Neither `health` nor a claim that finds no pending work has stored anything.
            await store.claim("a", ["one"], 2.0, 10)
            assert await monitor.health() == refused
            pragma(store, "max_page_count = 1000000")
            await store.beat("a", 3.0)
            assert (await monitor.health()).ok


async def test_a_damaged_page_that_costs_some_changes_leaves_the_process_healthy() -> None:
    async with watched(IdlePlatform("one")) as monitor:
        assert samples(monitor.exposition())[("sobremesa_store_damaged",)] == 0
        monitor.measures.store_damage = "DatabaseError: database disk image is malformed"
        ok, word, reason = await monitor.health()
        assert samples(monitor.exposition())[("sobremesa_store_damaged",)] == 1
    assert (ok, word) == (True, "ok")
    assert reason.endswith(
        "connected to one; its file is damaged, and some changes are refused: "
        "DatabaseError: database disk image is malformed"
    )


async def test_an_unexpected_error_of_the_store_is_shown_without_its_words() -> None:
    async with watched(IdlePlatform("one"), store=BrokenStore(RuntimeError("hidden: 7S"))) as monitor:
        assert "hidden" not in (await monitor.health()).reason


async def test_a_process_is_starting_before_its_bot_runs_and_stopping_afterwards() -> None:
    assert (await Monitor().health()).word == "starting"
    async with watched(IdlePlatform("one")) as monitor:
        pass
    assert (await monitor.health()).word == "stopping"


async def test_measures_are_shown() -> None:
    platform = IdlePlatform("one")
    place = platform.place("square", "ana")
    async with watched(platform) as monitor:
        assert monitor.measures.deliveries == {}
        logging.getLogger("bot.store").warning("the database does not respond")
        dispatcher = monitor._watched.dispatcher if monitor._watched else None
        assert dispatcher
        platform.senders.add("ana")
        await dispatcher.command(Caller("ana", ANA, place), "new", {"game": "casino"}, "one:1")
        await dispatcher.panels.lanes.idle()
        monitor.measures.waits, monitor.measures.store_lost = 2.5, 3
        shown = samples(await monitor.measured())
    assert shown["sobremesa_deliveries_total", "command", "one"] == 1
    assert shown["sobremesa_entries_total", "open"] == 1
    assert shown[("sobremesa_answer_seconds_count",)] == 1
    assert shown["sobremesa_answer_seconds_bucket", "+Inf"] == 1
    assert shown[("sobremesa_commit_seconds_count",)] == 1
    assert shown["sobremesa_sends_total", "sent", "one"] >= 1
    assert shown[("sobremesa_send_queue",)] == 0
    assert shown[("sobremesa_tables",)] == 1
    assert shown[("sobremesa_processes",)] == 1
    assert shown[("sobremesa_due_lag_seconds",)] == 0
    assert shown[("sobremesa_rate_limit_wait_seconds_total",)] == 2.5
    assert shown[("sobremesa_store_lost_changes_total",)] == 3
    assert shown["sobremesa_platform_connected", "one"] == 1


async def test_how_long_a_table_has_waited_is_shown() -> None:
    class Owing(MemoryStore):
        async def earliest_due(self) -> float:
            return clock.now() - 7.0

    clock = VirtualClock()
    async with watched(IdlePlatform("one"), store=Owing(), clock=clock) as monitor:
        assert samples(await monitor.measured())[("sobremesa_due_lag_seconds",)] == 7


@pytest.mark.parametrize("error", [StoreError("OperationalError"), RuntimeError("hidden: 7S")])
async def test_a_store_that_fails_costs_only_its_own_figure(
    error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    class Failing(MemoryStore):
        async def earliest_due(self) -> float:
            raise error

    async with watched(IdlePlatform("one"), store=Failing()) as monitor:
        shown = [samples(await monitor.measured()) for _ in range(2)][-1]
    assert ("sobremesa_due_lag_seconds",) not in shown
    assert ("sobremesa_send_queue",) in shown
    [line] = [record.getMessage() for record in caplog.records if record.name == "adapters.hosting.monitor"]
    assert line.startswith(f"the store did not tell its earliest due time: {type(error).__name__}, ")


def test_a_histogram_counts_all_durations_up_to_each_limit() -> None:
    monitor = Monitor()
    for seconds in (0.0005, 0.003, 99.0):
        monitor.measures.answers.add(seconds)
    shown = samples(monitor.exposition())
    counted = [shown["sobremesa_answer_seconds_bucket", str(limit)] for limit in BUCKETS]
    assert counted == [1, 1, *([2] * (len(BUCKETS) - 2))]
    assert shown["sobremesa_answer_seconds_bucket", "+Inf"] == 3
    assert shown[("sobremesa_answer_seconds_sum",)] == pytest.approx(99.0035)


def test_each_kind_of_delivery_on_each_platform_adds_one_row() -> None:
    monitor = Monitor()
    before = rows(monitor)
    for platform in range(4):
        for kind in range(20):
            monitor.measures.deliveries[f"p{platform}", f"k{kind}"] += 1
    assert rows(monitor) == before + 80


def rows(monitor: Monitor) -> int:
    """The number of values that a monitor shows."""
    return sum(not line.startswith(b"#") for line in monitor.exposition().splitlines())


@pytest.mark.real
async def test_both_pages_are_served_from_the_start_to_the_end(port: int, tmp_path: Path) -> None:
    one = IdlePlatform("one")
    given = settings(tmp_path, sobremesa_monitor_port=port)
    serving = asyncio.create_task(serve([one], given))
    await one.begun.wait()
    async with aiohttp.ClientSession(f"http://127.0.0.1:{port}") as session:
        async with session.get("/healthz") as answer:
            assert (answer.status, await answer.text()) == (200, "ok: the store answers, connected to one\n")
        one.is_connected = False
        async with session.get("/healthz") as answer:
            assert answer.status == 503
            assert (await answer.text()).startswith("offline: ")
        logging.getLogger("bot.store").warning("the database does not respond")
        async with session.get("/metrics") as answer:
            assert answer.status == 200
            assert (
                'sobremesa_log_records_total{level="warning",logger="bot.store"} 1.0' in await answer.text()
            )
        async with session.get("/elsewhere") as answer:
            assert answer.status == 404
    serving.cancel()
    await asyncio.gather(serving, return_exceptions=True)
    with pytest.raises(ConnectionRefusedError):
        await asyncio.open_connection("127.0.0.1", port)


class LoiteringStore(MemoryStore):
    """A store that takes its time to close."""

    def __init__(self) -> None:
        super().__init__()
        self.closing, self.may_close = asyncio.Event(), asyncio.Event()

    async def close(self) -> None:
        self.closing.set()
        await self.may_close.wait()


@pytest.mark.real
async def test_the_port_is_closed_last(port: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = LoiteringStore()

    async def open_store(*_: object, **__: object) -> Store:
        return store

    monkeypatch.setattr("adapters.hosting.serve.open_store", open_store)
    one = IdlePlatform("one")
    serving = asyncio.create_task(serve([one], settings(tmp_path, sobremesa_monitor_port=port)))
    await one.begun.wait()
    os.kill(os.getpid(), signal.SIGTERM)
    await store.closing.wait()
    url = f"http://127.0.0.1:{port}"
    async with aiohttp.ClientSession(url) as session, session.get("/healthz") as answer:
        assert (answer.status, (await answer.text()).partition(":")[0]) == (503, "stopping")
    store.may_close.set()
    await serving
    with pytest.raises(ConnectionRefusedError):
        await asyncio.open_connection("127.0.0.1", port)


@pytest.mark.real
async def test_a_port_that_is_taken_is_said_plainly(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(
            NotAdmitted, match=rf"^The bot can't listen at 127\.0\.0\.1, port {port} .* in SOBR"
        ):
            await serve([IdlePlatform("one")], settings(tmp_path, sobremesa_monitor_port=port))


async def test_without_a_port_nothing_listens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("adapters.hosting.monitor.open_listener", lambda *_: pytest.fail("it listens"))
    with pytest.raises(NotAdmitted, match="no entry"):
        await serve(
            [IdlePlatform("one", NotAdmitted("no entry"))], settings(tmp_path), VirtualClock(stopped=True)
        )


MOST_LOOKS = 2000
"""Requests for /healthz, 0.02 seconds apart, after which a test fails."""


@pytest.mark.real
def test_a_program_that_is_told_to_stop_ends_without_an_error(port: int, tmp_path: Path) -> None:
    env = {
        **{name: value for name, value in os.environ.items() if name not in SETTING_NAMES},
        "PYTHONPATH": str(ROOT),
        "SOBREMESA_MONITOR_PORT": str(port),
        "SOBREMESA_LOG": "json",
    }
    program = (sys.executable, "-m", "adapters", "run")
    with (
        reserved_port() as tavern,
        subprocess.Popen(
            program, cwd=tmp_path, env={**env, "TAVERN_PORT": str(tavern)}, stderr=subprocess.PIPE, text=True
        ) as running,
    ):
        looks = 0
        try:
            while asked(port) != 200:
                looks += 1
                assert looks < MOST_LOOKS, "the program was never healthy"
                with pytest.raises(subprocess.TimeoutExpired):
                    running.wait(0.02)
            running.send_signal(signal.SIGTERM)
            _, logged = running.communicate()
        finally:
            running.kill()
    assert running.returncode == 0
    records = [json.loads(line) for line in logged.splitlines()]
    assert [record["message"] for record in records][-2:] == ["stopping", "stopped"]
    assert asked(port) is None


def asked(port: int) -> int | None:
    """The status of /healthz; None if nothing listens there or no answer comes in time."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=5) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code
    except OSError:
        return None
