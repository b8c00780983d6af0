"""Runs the bot on one or more platforms, in one process with one store."""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import Coroutine, Mapping, Sequence
from contextlib import suppress

from adapters.hosting.garbage import short_collections
from adapters.hosting.monitor import Monitor
from adapters.shared.clock import AsyncioClock
from adapters.shared.platform_settings import Served
from bot.app import running
from bot.errors import reason
from bot.ports import Clock, NotAdmitted
from bot.settings.host_settings import Settings
from bot.store import open_store
from bot.table_service.bounds import Bounds
from bot.tables.turn_clock import DAY, Idle
from bot.thinking.pool import WorkerPool

log = logging.getLogger(__name__)

_MINUTE = 60
_HOUR = 60 * _MINUTE


async def serve(platforms: Sequence[Served], settings: Settings, clock: Clock | None = None) -> None:
    """Serves the platforms until SIGINT or SIGTERM arrives or all of them have failed.

    If one platform fails, that is logged and the others go on; at the end the first failure is raised. Raises
    `NotAdmitted` if nothing can listen at the monitor's port, and `StoreError` if the store cannot be opened.
    Messages still unsent at the end are sent by the next process.
    """
    monitor = Monitor()
    # The monitor's port is closed last, so that the host sees the process stopping until it has stopped.
    async with monitor.listening(settings):
        url = settings.database_url.get_secret_value()
        store = await open_store(url, monitor.measures, serving=True)
        clock = clock or AsyncioClock()
        thinker = WorkerPool(clock, settings.sobremesa_thinkers, monitor.measures)
        try:
            bot = running(
                store,
                clock,
                {platform.key: platform for platform in platforms},
                pace=settings.sobremesa_pace,
                language=settings.sobremesa_language or "en",
                bounds=bounds_of(settings),
                measures=monitor.measures,
                thinker=thinker,
            )
            async with bot as dispatcher:
                with monitor.watching(store, dispatcher, platforms), short_collections():
                    await _run_until_stopped(
                        {platform.key: platform.run(dispatcher) for platform in platforms}
                    )
        finally:
            await thinker.close()
            await store.close()
    log.info("stopped")


def bounds_of(settings: Settings) -> Bounds:
    """The limits on open tables that the host has set."""
    return Bounds(
        person=settings.sobremesa_tables_person,
        place=settings.sobremesa_tables_place,
        seats=settings.sobremesa_seats_person,
        days=settings.sobremesa_tables_days,
        idle=Idle(
            lobby=settings.sobremesa_idle_lobby * _MINUTE,
            live=settings.sobremesa_idle_live * _HOUR,
            unclocked=settings.sobremesa_idle_unclocked * DAY,
            correspondence=settings.sobremesa_idle_correspondence * DAY,
        ),
    )


async def _run_until_stopped(coroutines: Mapping[str, Coroutine[None, None, None]]) -> None:
    """Runs a coroutine for each platform's key, until all have ended or SIGINT or SIGTERM arrives.

    A failure leaves the others running, a signal cancels them; at the end the first failure is raised.
    """
    tasks = {asyncio.create_task(coroutine, name=key): key for key, coroutine in coroutines.items()}
    stop, unfinished, failures = asyncio.create_task(_wait_for_signal()), set(tasks), list[BaseException]()
    try:
        while unfinished and not stop.done():
            ended, _ = await asyncio.wait((*unfinished, stop), return_when=asyncio.FIRST_COMPLETED)
            unfinished -= ended
            # Failures are logged in the order of the platforms, which sets do not keep.
            for task in (known for known in tasks if known in ended):
                if not task.cancelled() and (error := task.exception()):
                    failures.append(error)
                    if unfinished or len(failures) > 1:
                        # The first failure is not logged if nothing is left to serve: the command shows it.
                        others = [key for other, key in tasks.items() if other in unfinished]
                        _log_failure(tasks[task], error, others)
    finally:
        for task in (*unfinished, stop):
            task.cancel()
        await asyncio.gather(*unfinished, stop, return_exceptions=True)
    if failures:
        raise failures[0]


def _log_failure(key: str, error: BaseException, others: Sequence[str]) -> None:
    """Logs the failure of a platform, and names the platforms that go on."""
    # The message of NotAdmitted is for the host, and says no secret.
    why = str(error).rstrip(".") if isinstance(error, NotAdmitted) else reason(error)
    consequence = f"still serving {' and '.join(others)}" if others else "nothing is left to serve"
    log.error("the bot stopped serving %s: %s; %s", key, why, consequence)


async def _wait_for_signal() -> None:
    """Waits for SIGINT or SIGTERM."""
    loop, stopped = asyncio.get_running_loop(), asyncio.Event()
    signals = (signal.SIGINT, signal.SIGTERM)
    for number in signals:
        # The loop takes no handlers outside the main thread, nor on Windows: there asyncio cancels the main
        # task at Ctrl+C.
        with suppress(NotImplementedError, RuntimeError, ValueError):
            loop.add_signal_handler(number, stopped.set)
    try:
        await stopped.wait()
        log.info("stopping")
    finally:
        for number in signals:
            with suppress(NotImplementedError, RuntimeError, ValueError):
                loop.remove_signal_handler(number)
