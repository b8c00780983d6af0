"""Quiet hours and local time: what players type, and when no alert is sent."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from bot.model.people import Person
from bot.times.local_time import day_and_time, quiet_of, quiet_until, time_of_day, weekday_and_time, zone_of
from bot.times.time_zones import (
    _LARGE_CITIES,
    _large_city_ranks,
    _names,
    city_of,
    is_zone,
    zones_beginning,
    zones_named,
)
from tests.golden import ROOT

DAY = 86_400.0
NOON = datetime(2026, 11, 23, 12, tzinfo=UTC).timestamp()


def at(hour: float) -> float:
    """The time so many hours after a Monday has begun, in UTC."""
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
    ("month", "day", "hour", "until"),
    [
        # Madrid is an hour ahead of UTC in winter, two in summer; the clock changes at 1:00 UTC.
        *((1, 15, 21.9, None), (1, 15, 22, 31), (1, 16, 6.9, 7), (1, 16, 7, None)),
        *((7, 15, 20.9, None), (7, 15, 21, 30), (7, 16, 5.9, 6), (7, 16, 6, None)),
        *((3, 28, 22.5, 30), (3, 29, 0.5, 6), (3, 29, 1.5, 6), (3, 29, 6, None)),
        *((10, 24, 21.5, 31), (10, 25, 0.5, 7), (10, 25, 1.5, 7), (10, 25, 6.5, 7)),
    ],
)
def test_quiet_hours_follow_summer_time(month: int, day: int, hour: float, until: float | None) -> None:
    midnight = datetime(2026, month, day, tzinfo=UTC).timestamp()
    person = Person("ana", "Ana", quiet="23-8", zone="Europe/Madrid")
    end = quiet_until(person, midnight + hour * 3600)
    assert end == (None if until is None else midnight + until * 3600)


def test_a_zone_that_this_machine_does_not_know_is_utc() -> None:
    person = Person("ana", "Ana", quiet="23-8", zone="Mars/Olympus")
    assert quiet_until(person, at(23)) == at(32)
    assert time_of_day(NOON, "../../etc/passwd") == "12:00"


@pytest.mark.parametrize(
    ("words", "zones"),
    [
        ("Europe/Madrid", ["Europe/Madrid"]),
        ("europe/madrid", ["Europe/Madrid"]),
        ("US/Eastern", ["US/Eastern"]),
        *((city, ["America/New_York"]) for city in ("New York", "nueva york", " NEW YORK ")),
        *((city, ["America/Mexico_City"]) for city in ("Mexico City", "Ciudad de México")),
        ("Londres", ["Europe/London"]),
        ("uk", ["Europe/London"]),
        ("Perú", ["America/Lima"]),
        ("argentina", ["America/Argentina/Buenos_Aires"]),
        *((country, ["Europe/Madrid", "Atlantic/Canary"]) for country in ("España", "spain")),
        *(
            (words, [])
            for words in ("", "Mars", "localtime", "../etc/passwd", "Etc/../x", "a\0/b", "/", "x" * 9999)
        ),
        *((words, []) for words in ("Etc/Unknown", "America/Argentina", "+2")),
    ],
)
def test_a_zone_is_typed_by_its_name_a_city_or_a_country(words: str, zones: list[str]) -> None:
    assert list(zones_named(words, NOON)) == zones


def test_no_two_zones_of_a_country_have_the_same_times() -> None:
    found = [zones_named(name, NOON) for name in ("usa", "Rusia", "Canadá", "Brasil", "Australia", "México")]
    for zones in found:
        assert 1 < len(zones) <= 12
        times = {(time_of_day(NOON, zone), time_of_day(NOON + 182 * DAY, zone)) for zone in zones}
        assert len(times) == len(zones)


@pytest.mark.parametrize(
    ("words", "zone"),
    [
        ("madr", "Europe/Madrid"),
        ("Londr", "Europe/London"),
        ("york", "America/New_York"),
        ("españ", "Europe/Madrid"),
        ("bogota", "America/Bogota"),
        ("europe/lis", "Europe/Lisbon"),
    ],
)
def test_a_begun_name_of_a_city_or_country_finds_its_zone(words: str, zone: str) -> None:
    assert zones_beginning(words, 20)[0] == zone


@pytest.mark.parametrize(
    ("words", "zones"),
    [
        ("lo", ["America/Los_Angeles", "Europe/London", "Africa/Lome"]),
        ("san", ["America/Santiago", "America/Santo_Domingo"]),
        ("me", ["America/Mexico_City", "Australia/Melbourne"]),
        ("brasil", ["America/Sao_Paulo", "America/Fortaleza"]),
        ("am", ["Europe/Amsterdam", "Asia/Amman", "Pacific/Pago_Pago", "America/Sao_Paulo"]),
    ],
)
def test_large_cities_come_first_and_those_found_by_the_continent_last(words: str, zones: list[str]) -> None:
    assert list(zones_beginning(words, len(zones))) == zones


@pytest.mark.parametrize(
    ("country", "zones"),
    [
        ("brasil", ["America/Sao_Paulo", "America/Manaus"]),
        ("australia", ["Australia/Sydney", "Australia/Brisbane"]),
        ("Canadá", ["America/Toronto", "America/Vancouver"]),
        ("usa", ["America/New_York", "America/Los_Angeles", "America/Chicago"]),
    ],
)
def test_the_times_of_a_country_are_those_of_its_large_cities(country: str, zones: list[str]) -> None:
    assert list(zones_named(country, NOON)[: len(zones)]) == zones


def test_every_large_city_is_one_that_can_be_typed() -> None:
    found = {zone for zones in _names().values() for zone in zones if is_zone(zone)}
    assert [zone for zone in _LARGE_CITIES.split() if zone not in found] == []
    assert len(_large_city_ranks()) == len(_LARGE_CITIES.split()) > 100


def test_a_few_zones_of_a_begun_name_are_enough() -> None:
    assert len(zones_beginning("a", 20)) == 20
    assert zones_beginning(" ", 20) == zones_beginning("xyzzy", 20) == ()


def test_a_city_is_named_in_the_readers_language() -> None:
    assert [city_of("Europe/London", one) for one in ("en", "es")] == ["London", "Londres"]
    assert city_of("America/Argentina/Buenos_Aires", "en") == "Buenos Aires"


def test_the_zones_are_a_dependency_for_machines_without_them() -> None:
    assert "tzdata" in (ROOT / "pyproject.toml").read_text("utf-8")
    locks = [(ROOT / f"requirements{kind}.lock").read_text("utf-8") for kind in ("", "-dev")]
    assert all("\ntzdata==" in lock for lock in locks)


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
def test_a_zone_is_typed_as_its_offset(words: str, zone: int | None) -> None:
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
