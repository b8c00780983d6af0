"""The time until which a delivery must be answered; all that its handler asks of the store ends before."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

REPLY = 4.8
"""Seconds from a delivery to its reply, also where a commit is uncertain and was looked up."""
LOOKUP = 0.8
"""The last seconds of them, which are left for finding out whether the delivery is stored."""


@dataclass(slots=True)
class DeliveryDeadline:
    """The deadline of one delivery, in the time of the event loop."""

    reply: float
    """The time of the reply."""
    store: float | None
    """The time until which the store may work for the delivery; None once it is answered."""

    @classmethod
    def begun(cls) -> DeliveryDeadline:
        """The deadline of a delivery that has just come."""
        now = asyncio.get_running_loop().time()
        return cls(now + REPLY, now + REPLY - LOOKUP)

    def extend(self) -> None:
        """Lets the store work until the reply, to find out what became of a change."""
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
    """The time of the event loop in some seconds, or the deadline of the current delivery before."""
    then, deadline = asyncio.get_running_loop().time() + seconds, _deadline.get()
    return then if deadline is None or deadline.store is None else min(then, deadline.store)
