"""Logs what a stranger can cause any number of times, without filling the log."""

from __future__ import annotations

import logging

from bot.ports import Clock

SILENCE = 60.0
"""Seconds after a logged line in which events are only counted."""


class SeldomLog:
    """Logs a recurring event, at most once a minute; each line counts the events since the line before."""

    def __init__(self, clock: Clock, logger: logging.Logger, level: int) -> None:
        self._clock = clock
        self._logger = logger
        self._level = level
        self._logged = float("-inf")
        """When the last line was logged."""
        self._unsaid = 0
        """The events since the last line."""

    def log(self, message: str) -> None:
        """Logs an event, or only counts it."""
        now = self._clock.now()
        # If the last line lies in the future, the host's clock has been set back since: this event is logged.
        if 0 <= now - self._logged < SILENCE:
            self._unsaid += 1
            return
        more = f" ({self._unsaid} more since the last such line)" if self._unsaid else ""
        self._logged, self._unsaid = now, 0
        self._logger.log(self._level, "%s%s", message, more)
