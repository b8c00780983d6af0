"""Converts the measures of a process into Prometheus's metrics, when they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import accumulate

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from bot.measures import BUCKETS, Durations, Measures


@dataclass(frozen=True, slots=True)
class Gauges:
    """The figures besides `Measures`; the monitor looks them up when the metrics are asked for."""

    tables: int = 0
    """Tables in memory."""
    chats: int = 0
    """Chats whose leases this process holds, where the store is shared."""
    due_lag: float | None = None
    """Seconds for which the longest due table has waited, 0 if none is due; None if unknown."""
    queued: int = 0
    """Panels, turn alerts and invitations that wait to be sent."""
    connected: Mapping[str, bool] = field(default_factory=dict)
    """Whether each platform is connected."""
    log_records: Mapping[tuple[str, ...], int] = field(default_factory=dict)
    """Warnings and errors logged since the monitor began to listen, by logger and level."""


class Exposition(Collector):
    """Makes the metrics of a process from its measures; no label names a chat, a table or a person."""

    def __init__(self, measures: Measures, gauges: Callable[[], Gauges]) -> None:
        self._measures = measures
        self._gauges = gauges

    def collect(self) -> Iterator[Metric]:
        measures, gauges = self._measures, self._gauges()
        yield _counter("deliveries", "Deliveries received.", ("platform", "kind"), measures.deliveries)
        yield _counter(
            "unchanging_deliveries",
            "Deliveries that were refused, came too fast, had been handled before, or failed.",
            ("platform", "outcome"),
            measures.outcomes,
        )
        entries: dict[tuple[str, ...], int] = {(kind,): count for kind, count in measures.entries.items()}
        yield _counter("entries", "Log entries stored, such as moves and timeouts.", ("kind",), entries)
        yield _counter(
            "sends",
            "Tries to send a panel, a turn alert or an invitation.",
            ("platform", "outcome"),
            measures.sends,
        )
        yield CounterMetricFamily(
            "sobremesa_rate_limit_wait_seconds", "Pauses that platforms asked for.", measures.waits
        )
        yield CounterMetricFamily(
            "sobremesa_store_retries", "Transactions that were tried again.", measures.store_retries
        )
        yield CounterMetricFamily(
            "sobremesa_store_lost_changes", "Changes that the store did not take.", measures.store_lost
        )
        yield GaugeMetricFamily(
            "sobremesa_store_damaged", "Whether a damaged page was met.", bool(measures.store_damage)
        )
        yield _counter(
            "unanswered_thoughts",
            "Moves and hints that a normal computer chose, since no worker answered.",
            ("reason",),
            measures.unanswered,
        )
        yield _counter(
            "log_records", "Warnings and errors in the log.", ("logger", "level"), gauges.log_records
        )
        yield _histogram("answer_seconds", "From a delivery to its reply.", measures.answers)
        yield _histogram(
            "commit_seconds", "From when the store is given a change until its commit.", measures.commits
        )
        yield _histogram("send_seconds", "How long each try to send a message took.", measures.sending)
        yield _histogram("thinking_seconds", "From the question for a move to the answer.", measures.thoughts)
        yield GaugeMetricFamily(
            "sobremesa_send_queue", "Panels, turn alerts and invitations that wait.", gauges.queued
        )
        yield GaugeMetricFamily("sobremesa_tables", "Tables in memory.", gauges.tables)
        yield GaugeMetricFamily("sobremesa_chats", "Chats that this process keeps.", gauges.chats)
        yield GaugeMetricFamily("sobremesa_processes", "Processes that are alive.", measures.processes)
        if gauges.due_lag is not None:
            yield GaugeMetricFamily(
                "sobremesa_due_lag_seconds", "How long a table has waited for a process.", gauges.due_lag
            )
        connected = GaugeMetricFamily(
            "sobremesa_platform_connected", "Whether a platform is connected.", labels=("platform",)
        )
        for platform, is_connected in gauges.connected.items():
            connected.add_metric((platform,), is_connected)
        yield connected


def _counter(
    name: str, text: str, labels: tuple[str, ...], counts: Mapping[tuple[str, ...], int]
) -> CounterMetricFamily:
    family = CounterMetricFamily(f"sobremesa_{name}", text, labels=labels)
    for values, count in sorted(counts.items()):
        family.add_metric(values, count)
    return family


def _histogram(name: str, text: str, durations: Durations) -> HistogramMetricFamily:
    limits = [*map(str, BUCKETS), "+Inf"]
    buckets = list(zip(limits, map(float, accumulate(durations.counts)), strict=True))
    return HistogramMetricFamily(f"sobremesa_{name}", text, buckets, durations.total)
