"""Scales the waits of a test's process: shorter to find dead processes sooner, longer on a slow machine."""

from __future__ import annotations

from bot.store.reading import reader
from bot.store.writing import leases, writer
from bot.table_service import keeper
from bot.tables import awaiting_table
from bot.times import delivery_deadline

HURRY = 2.5
"""The factor by which most tests speed up their processes.

With a larger factor, a process that a busy machine holds up would count as dead.
"""
SLOW = 10.0
"""The factor of the store's time limits in processes that tests start: others run beside them."""


def allow(times: float) -> None:
    """Multiplies the time that this process gives the store to answer."""
    delivery_deadline.REPLY_TIMEOUT *= times
    delivery_deadline.LOOKUP_TIME *= times
    for name in ("ANSWER", "ATTEMPT", "SHORT"):
        longer = getattr(writer, name) * times
        setattr(writer, name, longer)
        setattr(reader, name, longer)


def hurry(times: float) -> None:
    """Divides the intervals at which this process beats, finds dead processes and takes over their work."""
    leases.ALIVE /= times  # type: ignore[attr-defined]
    keeper.BEAT_EVERY /= times
    keeper.CLAIM_EVERY /= times
    keeper.SOON /= times
    awaiting_table.COMPUTER_OVERDUE /= times
