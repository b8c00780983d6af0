"""Counts and times what a process does; plain numbers in memory, which an adapter shows to the host.

A measurement costs less than a microsecond, takes no lock and never fails.
"""

from __future__ import annotations

import time
from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass, field

BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
"""Upper limits, in seconds, of the ranges in which durations are counted; the last range has none."""


def moment() -> float:
    """A monotonic time in seconds, for `Durations.since`."""
    return time.perf_counter()


class Durations:
    """A histogram of durations."""

    __slots__ = ("counts", "total")

    def __init__(self) -> None:
        self.counts = [0] * (len(BUCKETS) + 1)
        """How many durations were in each range."""
        self.total = 0.0
        """The sum of all durations, in seconds."""

    def add(self, seconds: float) -> None:
        """Counts a duration."""
        self.counts[bisect_left(BUCKETS, seconds)] += 1
        self.total += seconds

    def since(self, began: float) -> None:
        """Counts the duration from a `moment` until now."""
        self.add(time.perf_counter() - began)


@dataclass(slots=True)
class Measures:
    """The counts and times of a process since its start."""

    deliveries: Counter[tuple[str, ...]] = field(default_factory=Counter)
    """Deliveries received, by platform and kind, such as ``press`` or ``command``."""
    outcomes: Counter[tuple[str, ...]] = field(default_factory=Counter)
    """Deliveries that were not carried out, by platform and reason: ``refused``, ``repeated``, ``limited``
    (the sender goes too fast) or ``failed`` (their change may be stored all the same).
    """
    answers: Durations = field(default_factory=Durations)
    """From a delivery's arrival at the dispatcher to its reply."""
    entries: Counter[str] = field(default_factory=Counter)
    """Log entries that this process has stored, by kind, such as ``move`` or ``timeout``."""
    commits: Durations = field(default_factory=Durations)
    """From when the store is given a batch until the store returns its verdict, after the commit."""
    sends: Counter[tuple[str, ...]] = field(default_factory=Counter)
    """Tries to send a panel, a turn alert or an invitation, by platform and outcome: ``sent`` (also if
    nothing had changed), ``later`` (put off, mostly by the platform) or ``failed``.
    """
    sending: Durations = field(default_factory=Durations)
    """How long the tries took."""
    waits: float = 0.0
    """The sum of the pauses after tries that were put off, in seconds."""
    processes: int = 1
    """Processes that were alive at this one's last beat, itself included."""
    serving: Counter[str] = field(default_factory=Counter)
    """Living processes by platform; one of an older version names none and counts for all of this one's."""
    store_retries: int = 0
    """Transactions tried again: the database did not respond, or another process had just stored the row."""
    store_lost: int = 0
    """Changes that the database did not take."""
    store_refusal: str = ""
    """Why the database did not take the latest change; empty once it has stored one again."""
    store_damage: str = ""
    """The first error by a damaged page of the database's file; empty if none was met."""
    thoughts: Durations = field(default_factory=Durations)
    """From the query to a computer player to its move, where it had a choice."""
    unanswered: Counter[tuple[str, ...]] = field(default_factory=Counter)
    """Queries to computer players without an answer from a worker, by reason: ``late``, ``busy`` (too many
    wait) or ``failed``.
    """
