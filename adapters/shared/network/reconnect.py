"""Tries again with pauses that double, while a platform cannot be reached."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable

from bot.ports import Clock

log = logging.getLogger(__name__)

_FIRST_PAUSE = 5.0
"""Seconds between the first failed login and the next."""
_LONGEST_PAUSE = 300.0
"""The most seconds between two logins that fail."""


class NotReached(Exception):
    """A platform cannot be reached at present; the message is the reason for the log, without secrets."""


class Backoff:
    """A pause that doubles with each failure in a row, up to a longest one."""

    def __init__(self, clock: Clock, first: float, longest: float) -> None:
        self._clock = clock
        self._first = first
        self._longest = longest
        self.seconds = first
        """The length of the next pause."""

    async def pause(self) -> None:
        """Sleeps; the next pause is twice as long."""
        seconds, self.seconds = self.seconds, min(2 * self.seconds, self._longest)
        await self._clock.sleep(seconds)

    def reset(self) -> None:
        """Begins with the first pause again, after a success."""
        self.seconds = self._first


async def until_reached(platform: str, log_in: Callable[[], Awaitable[None]], clock: Clock) -> None:
    """Calls ``log_in`` again after each `NotReached`; raises its other errors, such as `NotAdmitted`."""
    backoff = Backoff(clock, _FIRST_PAUSE, _LONGEST_PAUSE)
    while True:
        try:
            await log_in()
            return
        except NotReached as error:
            log.warning("%s cannot be reached (%s); next try in %s s", platform, error, backoff.seconds)
            await backoff.pause()
