"""Shows the health and the measures of a process to its host over HTTP, at ``/healthz`` and ``/metrics``."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from typing import NamedTuple

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, GCCollector, ProcessCollector
from prometheus_client.exposition import generate_latest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from adapters.hosting.exposition import Exposition, Gauges
from adapters.shared.network.http_server import HttpServer
from adapters.shared.network.listener import open_listener
from adapters.shared.platform_settings import Served
from bot.errors import origin
from bot.inbox.dispatcher import Dispatcher
from bot.measures import Measures
from bot.ports import NO_GAME
from bot.seldom_log import SeldomLog
from bot.settings.host_settings import Settings
from bot.storage import Store, StoreError

log = logging.getLogger(__name__)

_STORE_TIMEOUT = 3.0
"""Seconds after which a store that does not answer counts as failed, and its measure as unknown."""


class Health(NamedTuple):
    """Whether a process can serve, in one word and a reason."""

    ok: bool
    word: str
    reason: str


class Watched(NamedTuple):
    """The parts of a running process that a monitor asks."""

    store: Store
    dispatcher: Dispatcher
    platforms: Sequence[Served]
    log: SeldomLog
    """Logs that the store did not answer when it was asked for a measure."""


class Monitor:
    """Knows the health and the measures of this process."""

    def __init__(self) -> None:
        self.measures = Measures()
        self._watched: Watched | None = None
        self._phase = "starting"
        self._due_lag: float | None = None
        """Seconds that the longest due table had waited when the store was last asked; None if unknown."""
        self._log_counts = _LogCounts()
        self._registry = CollectorRegistry()
        self._registry.register(Exposition(self.measures, self._gauges))
        for kind in (ProcessCollector, GCCollector):
            kind(registry=self._registry)

    @contextmanager
    def watching(self, store: Store, dispatcher: Dispatcher, platforms: Sequence[Served]) -> Iterator[None]:
        """Reports on these parts during the block; before it the process is starting, after it stopping."""
        log_seldom = SeldomLog(dispatcher.service.clock, log, logging.WARNING)
        self._watched = Watched(store, dispatcher, platforms, log_seldom)
        try:
            yield
        finally:
            self._watched, self._phase = None, "stopping"

    async def health(self) -> Health:
        """Whether the store answers and takes changes, and at least one platform is connected.

        The keeper stores a beat every few seconds, so that a store which takes no changes is soon noticed.
        """
        if self._watched is None:
            return Health(False, self._phase, "the bot serves no platform at present")
        store, _, platforms, _ = self._watched
        try:
            async with asyncio.timeout(_STORE_TIMEOUT):
                # This changes nothing, but the store's writer answers it, which also makes every change.
                await store.missed(NO_GAME, 0, "")
        except TimeoutError:
            return Health(False, "faulty", f"the store has not answered for {_STORE_TIMEOUT:g} s")
        except StoreError as error:
            return Health(False, "faulty", f"the store has failed: {error}")
        except Exception as error:
            return Health(False, "faulty", f"the store has failed: {origin(error)}")
        if why := self.measures.store_refusal:
            return Health(False, "faulty", f"the store answers, but it takes no changes: {why}")
        connected = ", ".join(platform.key for platform in platforms if platform.is_connected)
        others = ", ".join(platform.key for platform in platforms if not platform.is_connected)
        if not connected:
            return Health(False, "offline", f"the store answers, but there is no connection to {others}")
        addition = f", not connected to {others}" if others else ""
        if damage := self.measures.store_damage:
            # A damaged file counts as healthy: a restart would mend nothing, and tables without damaged pages
            # go on.
            addition += f"; its file is damaged, and some changes are refused: {damage}"
        return Health(True, "ok", f"the store answers, connected to {connected}{addition}")

    async def measured(self) -> bytes:
        """All measures in the text format of Prometheus, after the store was asked for its own."""
        self._due_lag = await self._measure_due_lag()
        return self.exposition()

    def exposition(self) -> bytes:
        """All measures in the text format of Prometheus, without asking the store."""
        return generate_latest(self._registry)

    @asynccontextmanager
    async def listening(self, settings: Settings) -> AsyncIterator[None]:
        """Serves the pages during the block, if a port is set. Raises `NotAdmitted` if it cannot listen."""
        host, port = settings.sobremesa_monitor_host, settings.sobremesa_monitor_port
        if port is None:
            yield
            return
        listener = open_listener(host, port, "SOBREMESA_MONITOR_PORT")
        server = HttpServer(self.app)
        serving = asyncio.create_task(server.serve(sockets=[listener]))
        logging.getLogger().addHandler(self._log_counts)
        try:
            yield
        finally:
            logging.getLogger().removeHandler(self._log_counts)
            server.should_exit = True
            await serving

    @property
    def app(self) -> Starlette:
        """The web application with both pages."""

        async def show_health(_: Request) -> Response:
            ok, word, reason = await self.health()
            return PlainTextResponse(f"{word}: {reason}\n", 200 if ok else 503)

        async def show_measures(_: Request) -> Response:
            return Response(await self.measured(), media_type=CONTENT_TYPE_LATEST)

        return Starlette(routes=[Route("/healthz", show_health), Route("/metrics", show_measures)])

    async def _measure_due_lag(self) -> float | None:
        if self._watched is None:
            return None
        watched = self._watched
        try:
            async with asyncio.timeout(_STORE_TIMEOUT):
                due = await watched.store.earliest_due()
        except Exception as error:
            # What this process knows by itself is shown all the same.
            watched.log.log(f"the store did not tell its earliest due time: {origin(error)}")
            return None
        return max(0.0, watched.dispatcher.service.clock.now() - due) if due is not None else 0.0

    def _gauges(self) -> Gauges:
        if self._watched is None:
            return Gauges(log_records=self._log_counts.counts)
        _, dispatcher, platforms, _ = self._watched
        return Gauges(
            tables=dispatcher.service.loaded,
            chats=dispatcher.service.leases.count,
            due_lag=self._due_lag,
            queued=dispatcher.panels.lanes.waiting,
            connected={platform.key: platform.is_connected for platform in platforms},
            log_records=self._log_counts.counts,
        )


class _LogCounts(logging.Handler):
    """Counts the log's records from WARNING up, by logger and level."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.counts: Counter[tuple[str, ...]] = Counter()

    def emit(self, record: logging.LogRecord) -> None:
        self.counts[record.name, record.levelname.lower()] += 1
