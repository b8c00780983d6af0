"""A person's local time and quiet hours: how they are read, written and computed."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, time, timedelta

from bot.model.ids import PersonId
from bot.model.people import Person, Zone
from bot.times.time_zones import tz_of

QuietUntil = Callable[[PersonId, float], float | None]
"""Returns the end of the person's quiet hours in which the time falls; None if it falls in none."""

_MOST_QUIET_HOURS = 12
"""The most hours a day that may be quiet, so that the deadlines of a table cannot be put off for days."""
_OFFSET_FORM = re.compile(r"(?:utc|gmt)?\s*([+\-−])\s*(\d{1,2})(?::?([0134][05]))?", re.IGNORECASE)
"""Matches a distance from UTC, such as ``UTC+5:30``."""
_HOURS_FORM = re.compile(r"([01]?\d|2[0-4])(?::00)?\s*(?:-|–|a|to)\s*([01]?\d|2[0-4])(?::00)?", re.IGNORECASE)
"""Matches two full hours of a day, such as ``23-8``."""


def quiet_until(person: Person, at: float) -> float | None:
    """The end of a person's quiet hours in which a time falls; None if it falls in none.

    An unknown zone counts as UTC.
    """
    if not person.quiet:
        return None
    begin, end = map(int, person.quiet.split("-"))
    local = _local(at, person.zone)
    hour = local.hour
    if not (begin <= hour < end if begin < end else hour >= begin or hour < end):
        return None
    day = local.date() + timedelta(days=hour >= end)
    return datetime.combine(day, time(end), local.tzinfo).timestamp()


def quiet_of(words: str) -> str | None:
    """Quiet hours as stored, such as ``23-8``, from words such as “23:00–8:00”; None for other words.

    None also for the same hour twice, and for more than `_MOST_QUIET_HOURS`.
    """
    match = _HOURS_FORM.fullmatch(words.strip())
    begin, end = (int(hour) % 24 for hour in match.groups()) if match else (0, 0)
    return f"{begin}-{end}" if 0 < (end - begin) % 24 <= _MOST_QUIET_HOURS else None


def zone_of(words: str) -> int | None:
    """A distance from UTC in quarters of an hour, from words such as ``+5:30``.

    None for other words, and for distances that no zone has: beyond −12:00 and +14:00, or no whole quarters.
    """
    if words.strip().casefold() in ("utc", "gmt", "0"):
        return 0
    if (match := _OFFSET_FORM.fullmatch(words.strip())) is None:
        return None
    sign, hours, minutes = match.groups()
    quarters, remainder = divmod(int(hours) * 60 + int(minutes or 0), 15)
    zone = quarters if sign == "+" else -quarters
    return zone if not remainder and -48 <= zone <= 56 else None


def time_of_day(at: float, zone: Zone | None) -> str:
    """The time of day, such as ``08:05``; without a zone it is that of UTC, and says so."""
    return f"{_local(at, zone):%H:%M}" + (" (UTC)" if zone is None else "")


def day_and_time(at: float, zone: Zone | None, locale: str) -> str:
    """A day and its time, such as ``Mon 24 Nov, 08:05``; without a zone they are those of UTC."""
    when = _formatted(_local(at, zone), "EEE d MMM, HH:mm", locale)
    return f"{when} (UTC)" if zone is None else when


def weekday_and_time(at: float, zone: Zone, locale: str) -> str:
    """A weekday and its time, such as ``Mon 08:05``; in zones a day apart only the weekdays differ."""
    return _formatted(_local(at, zone), "EEE HH:mm", locale)


def _formatted(when: datetime, pattern: str, locale: str) -> str:
    # Imported only here: its import takes longer than a deal, and a terminal seldom shows a date.
    from babel.dates import format_datetime

    return format_datetime(when, pattern, locale=locale)


def _local(at: float, zone: Zone | None) -> datetime:
    return datetime.fromtimestamp(at, tz_of(zone))
