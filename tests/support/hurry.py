"""Makes a process of a test give up a dead one sooner, or give a slow machine more time."""

from __future__ import annotations

from bot import delivery_deadline
from bot.store import leases, reader, writer
from bot.tables import awaiting_table, keeper

HURRY = 2.5
"""How many times as fast the processes of most tests are.

Were they faster, a busy machine would hold one up for so long that the others take it for dead.
"""


SLOW = 10.0
"""How many times as long the store may take in processes that tests start, since others run beside them."""


def allow(times: float) -> None:
    """Gives the store of this process so many times as long to answer."""
    delivery_deadline.REPLY *= times
    delivery_deadline.LOOKUP *= times
    for name in ("ANSWER", "ATTEMPT", "SHORT"):
        longer = getattr(writer, name) * times
        setattr(writer, name, longer)
        setattr(reader, name, longer)


def hurry(times: float) -> None:
    """Makes this process so many times as fast: in beating, giving up dead ones, and doing their work."""
    leases.ALIVE /= times  # type: ignore[attr-defined]
    keeper.BEAT_EVERY /= times
    keeper.CLAIM_EVERY /= times
    keeper.SOON /= times
    awaiting_table.COMPUTER_OVERDUE /= times
