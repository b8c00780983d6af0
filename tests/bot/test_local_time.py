"""Quiet hours and local time: what players type, and when nothing rings."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from bot.local_time import day_and_time, quiet_of, quiet_until, time_of_day, weekday_and_time, zone_of
from bot.model import Person

DAY = 86_400.0
NOON = datetime(2026, 11, 23, 12, tzinfo=UTC).timestamp()


def at(hour: float) -> float:
    """A time on a Monday, in hours of UTC."""
    return NOON + (hour - 12) * 3600


@pytest.mark.parametrize(
    ("quiet", "zone", "hour", "until"),
    [
        ("", None, 3, None),
        ("23-8", None, 22.9, None),
        ("23-8", None, 23, 32),
        ("23-8", None, 3, 8),
        ("23-8", None, 8, None),
        ("1-7", 0, 0.5, None),
        ("1-7", 0, 1, 7),
        ("23-8", 8, 21, 30),
        ("23-8", 8, 6, None),
        ("23-8", -22, 4.5, 13.5),
        ("23-8", -22, 4, None),
    ],
)
def test_quiet_hours_end(quiet: str, zone: int | None, hour: float, until: float | None) -> None:
    person = Person("ana", "Ana", quiet=quiet, zone=zone)
    assert quiet_until(person, at(hour)) == (None if until is None else at(until))


@pytest.mark.parametrize(
    ("words", "quiet"),
    [
        ("23-8", "23-8"), ("23:00–8:00", "23-8"), (" 22 a 7 ", "22-7"), ("24-8", "0-8"), ("20-8", "20-8"),
        ("8-8", None), ("30-8", None), ("20-28", None), ("8-23", None), ("19-8", None), ("night", None),
        ("23", None), ("", None),
    ],
)  # fmt: skip
def test_quiet_hours_are_typed(words: str, quiet: str | None) -> None:
    assert quiet_of(words) == quiet


@pytest.mark.parametrize(
    ("words", "zone"),
    [
        ("+2", 8), ("-3:30", -14), ("UTC+5:45", 23), ("−11", -44), ("utc", 0), ("+0530", 22), ("+14", 56),
        ("+15", None), ("-13", None), ("+5:10", None), ("2", None), ("Madrid", None), ("", None),
    ],
)  # fmt: skip
def test_a_zone_is_typed(words: str, zone: int | None) -> None:
    assert zone_of(words) == zone


def test_times_are_written_in_the_readers_zone_and_language() -> None:
    assert [time_of_day(NOON, zone) for zone in (None, 0, 4, -14)] == [
        "12:00 (UTC)",
        "12:00",
        "13:00",
        "08:30",
    ]
    assert day_and_time(NOON, None, "en") == "Mon 23 Nov, 12:00 (UTC)"
    assert day_and_time(NOON, 52, "es") == "mar 24 nov, 01:00"
    assert weekday_and_time(NOON, 52, "en") == "Tue 01:00"
