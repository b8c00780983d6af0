"""Runs the bot on several platforms, in one process with one store, and sets up logging."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import signal
from collections.abc import Coroutine, Mapping, Sequence
from contextlib import suppress

from adapters.monitor import Monitor
from adapters.shared.clock import AsyncioClock
from adapters.shared.garbage import short_collections
from adapters.shared.served import Served
from bot.app import running
from bot.errors import origin
from bot.ports import Clock, NotAdmitted
from bot.settings import Settings
from bot.store import open_store
from bot.tables.bounds import Bounds
from bot.tables.turn_clock import DAY, Idle
from bot.thinking.pool import WorkerPool

log = logging.getLogger(__name__)

_TABLE = re.compile(r"\btable ([0-9a-f]{10})\b")
"""Finds the id of a table in the message of a log record."""
_PLATFORM = re.compile(r"adapters\.(?!shared\b|terminal\b)(\w+)\.")
"""Finds the key of a platform in the name of its logger."""


async def serve(platforms: Sequence[Served], settings: Settings, clock: Clock | None = None) -> None:
    """Serves the platforms until SIGINT or SIGTERM arrives or all of them have failed.

    If one platform fails, that is logged and the others go on; at the end the first failure is raised,
    such as `NotAdmitted`. Raises `StoreError` if the store cannot be opened. Messages still unsent at
    the end are sent by the next process.
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
                bounds=bounds(settings),
                measures=monitor.measures,
                thinker=thinker,
            )
            async with bot as dispatcher:
                with monitor.watching(dispatcher, platforms), short_collections():
                    await _together({platform.key: platform.run(dispatcher) for platform in platforms})
        finally:
            await thinker.close()
            await store.close()
    log.info("stopped")


def bounds(settings: Settings) -> Bounds:
    """The limits on open tables that the host has set."""
    return Bounds(
        settings.sobremesa_tables_person,
        settings.sobremesa_tables_place,
        settings.sobremesa_seats_person,
        settings.sobremesa_tables_days,
        Idle(
            settings.sobremesa_idle_lobby * 60,
            settings.sobremesa_idle_live * 3600,
            settings.sobremesa_idle_unclocked * DAY,
            settings.sobremesa_idle_correspondence * DAY,
        ),
    )


async def _together(works: Mapping[str, Coroutine[None, None, None]]) -> None:
    """Runs the platforms' coroutines concurrently until all have ended, or SIGINT or SIGTERM arrives.

    Raises the first failure after cancelling the others.
    """
    tasks = {asyncio.create_task(work, name=key): key for key, work in works.items()}
    stop, going, failures = asyncio.create_task(_signalled()), set(tasks), list[BaseException]()
    try:
        while going and not stop.done():
            ended, _ = await asyncio.wait((*going, stop), return_when=asyncio.FIRST_COMPLETED)
            going -= ended
            # The failures are logged in the platforms' order, which the set does not keep.
            for task in (known for known in tasks if known in ended):
                if not task.cancelled() and (error := task.exception()):
                    failures.append(error)
                    if going or len(failures) > 1:
                        # The caller shows the first failure at the end.
                        _tell(tasks[task], error, [tasks[other] for other in going])
    finally:
        for task in (*going, stop):
            task.cancel()
        await asyncio.gather(*going, stop, return_exceptions=True)
    if failures:
        raise failures[0]


def _tell(key: str, error: BaseException, others: Sequence[str]) -> None:
    """Logs the failure of a platform, and names the platforms that go on."""
    # Only the message of NotAdmitted is known to hold no secret.
    why = str(error) if isinstance(error, NotAdmitted) else origin(error)
    consequence = f"{' and '.join(others)} going on without it" if others else "nothing is left to serve"
    log.error("the bot stopped serving %s: %s; %s", key, why, consequence)


async def _signalled() -> None:
    """Waits for SIGINT or SIGTERM."""
    loop, stopped = asyncio.get_running_loop(), asyncio.Event()
    kinds = (signal.SIGINT, signal.SIGTERM)
    for kind in kinds:
        # Windows, and threads other than the main one, have no signal handlers: there the caller cancels.
        with suppress(NotImplementedError, RuntimeError, ValueError):
            loop.add_signal_handler(kind, stopped.set)
    try:
        await stopped.wait()
        log.info("stopping")
    finally:
        for kind in kinds:
            with suppress(NotImplementedError, RuntimeError, ValueError):
                loop.remove_signal_handler(kind)


class JsonLines(logging.Formatter):
    """Formats a log record as one line of JSON, for programs that read logs."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": self.formatTime(record, "%Y-%m-%dT%H:%M:%S%z"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if found := _TABLE.search(line["message"]):
            line["table"] = found[1]
        if found := _PLATFORM.match(record.name):
            line["platform"] = found[1]
        if record.exc_info and record.exc_info[1]:
            # The error's message may name hidden cards.
            line["error"] = origin(record.exc_info[1])
        return json.dumps(line, ensure_ascii=False)


class LineFormatter(logging.Formatter):
    """Formats a log record as one line of text; of an error it shows only the type and the line."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)-7s %(name)s: %(message)s", "%Y-%m-%d %H:%M:%S")

    def format(self, record: logging.LogRecord) -> str:
        return " ".join(super().format(record).splitlines())

    def formatException(self, ei: object) -> str:  # noqa: N802 – the library's name
        error = ei[1] if isinstance(ei, tuple) else None
        return origin(error) if isinstance(error, Exception) else ""


def log_to_stderr(settings: Settings) -> None:
    """Logs to standard error, as text or as JSON lines."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines() if settings.sobremesa_log == "json" else LineFormatter())
    level = settings.sobremesa_log_level.upper()
    logging.basicConfig(
        level=max(logging.INFO, logging.getLevelNamesMapping()[level]), handlers=[handler], force=True
    )
    # Below this level libraries log what they send, and so hands and tokens.
    for ours in ("adapters", "bot", "engines"):
        logging.getLogger(ours).setLevel(level)
    # These libraries log every statement or migration.
    for chatty in ("aiosqlite", "alembic"):
        logging.getLogger(chatty).setLevel(logging.WARNING)
