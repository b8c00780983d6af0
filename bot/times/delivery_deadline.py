"""The time by which a delivery must be answered; its handler's calls to the store end earlier."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

REPLY_TIMEOUT = 4.8
"""Seconds from a delivery until its reply is due, even if an uncertain commit must be looked up."""
LOOKUP_TIME = 0.8
"""The last seconds of `REPLY_TIMEOUT`, kept for looking up in the store whether the delivery is stored."""


@dataclass(slots=True)
class DeliveryDeadline:
    """The deadlines of one delivery, as times of the event loop."""

    reply: float
    """The time at which the reply is due."""
    store: float | None
    """The time until which the store may work for the delivery; None once the delivery is answered."""

    @classmethod
    def begun(cls) -> DeliveryDeadline:
        """The deadline of a delivery that has just arrived."""
        now = asyncio.get_running_loop().time()
        return cls(now + REPLY_TIMEOUT, now + REPLY_TIMEOUT - LOOKUP_TIME)

    def extend(self) -> None:
        """Lets the store work until the reply is due, to look up whether the delivery is stored."""
        if self.store is not None:
            self.store = self.reply


_deadline: ContextVar[DeliveryDeadline | None] = ContextVar("deadline", default=None)


@contextmanager
def answering() -> Iterator[DeliveryDeadline]:
    """Sets the deadline of a delivery while it is handled.

    Tasks that the handler starts have it too, but only until the delivery is answered.
    """
    deadline = DeliveryDeadline.begun()
    token = _deadline.set(deadline)
    try:
        yield deadline
    finally:
        deadline.store = None
        _deadline.reset(token)


def until(seconds: float) -> float:
    """The event loop's time in some seconds, or the current delivery's `store` time if that is earlier."""
    then, deadline = asyncio.get_running_loop().time() + seconds, _deadline.get()
    return then if deadline is None or deadline.store is None else min(then, deadline.store)
