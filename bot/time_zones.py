"""Time zones by the names that people type: of the zone itself, a city or a country."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta, timezone, tzinfo
from functools import cache, lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import islice
from pathlib import Path
from zoneinfo import TZPATH, ZoneInfo

from bot.i18n import LANGUAGES, folded
from bot.model.people import Zone

QUARTER = 900
"""Seconds of the unit of a `Zone` that is a distance from UTC."""
_HALF_YEAR = timedelta(days=182)
_SHORT: Mapping[str, str] = {"usa": "US", "eeuu": "US", "ee. uu.": "US", "uk": "GB"}
"""The country codes of short names that the locale data lacks."""


@lru_cache(1 << 10)
def tz_of(zone: Zone | None) -> tzinfo:
    """The rules of a zone; those of UTC if it is unknown, or has a name that this machine does not know."""
    if not isinstance(zone, str):
        return timezone(timedelta(seconds=(zone or 0) * QUARTER))
    try:
        return ZoneInfo(zone)
    except (KeyError, OSError, ValueError):
        return tz_of(None)


def is_zone(name: str) -> bool:
    """Whether this machine knows a time zone of this name."""
    return "/" in name and tz_of(name) is not tz_of(None)


def zones_named(words: str, now: float) -> Sequence[str]:
    """The names of the zones that typed words mean; of zones with the same time all year, only one."""
    name = words.strip()
    found = [zone for zone in _names().get(folded(name), (name,)) if is_zone(zone)]
    return found if len(found) == 1 else _unlike(found, now)


def zones_beginning(words: str, most: int) -> Sequence[str]:
    """At most ``most`` zones with a name in which the typed words begin a word, in the order of `_rows`."""
    begun = f" {folded(words.strip())}"
    if not begun.strip():
        return ()
    found = {zone for name, zones in _names().items() if begun in f" {name}" for zone in zones}
    order = _rows()
    known = filter(is_zone, sorted(found, key=lambda zone: (order.get(zone, len(order)), zone)))
    return tuple(islice(known, most))


def city_of(zone: str, locale: str) -> str:
    """The city after which a zone is named, in a language if its name there is known."""
    from babel.core import Locale

    known = Locale(locale).time_zones.get(zone, {})
    return str(known.get("city") or zone.rpartition("/")[2].replace("_", " "))


@cache
def _names() -> Mapping[str, tuple[str, ...]]:
    """The zones that each name means, without case and accents."""
    names: dict[str, tuple[str, ...]] = {}
    for name, zone in _spellings():
        known = names.get(folded(name), ())
        names[folded(name)] = known if zone in known else (*known, zone)
    return names


def _spellings() -> Iterator[tuple[str, str]]:
    """Each name of each zone: itself, its city, its country unless a city has the same name."""
    from babel.core import Locale, get_global

    countries: Mapping[str, str] = get_global("zone_territories")
    locales = [Locale(language) for language in LANGUAGES]
    cities = set()
    for zone in countries:
        for city in (
            zone,
            zone.rpartition("/")[2].replace("_", " "),
            *(city_of(zone, language) for language in LANGUAGES),
        ):
            cities.add(folded(city))
            yield city, zone
    for zone, code in countries.items():
        short = [name for name, country in _SHORT.items() if country == code]
        for name in (*short, *(str(locale.territories.get(code, "")) for locale in locales)):
            if name and folded(name) not in cities:
                yield name, zone


def _unlike(zones: Sequence[str], now: float) -> Sequence[str]:
    """The zones, but of those with the same time now and half a year later only the first in `_rows`."""
    order, chosen = _rows(), dict[tuple[timedelta | None, ...], str]()
    for zone in sorted(zones, key=lambda zone: (order.get(zone, len(order)), zone)):
        here = datetime.fromtimestamp(now, tz_of(zone))
        chosen.setdefault((here.utcoffset(), (here + _HALF_YEAR).utcoffset()), zone)
    return tuple(chosen.values())


@cache
def _rows() -> Mapping[str, int]:
    """The row of each zone in ``zone.tab``: by country code, in a country mostly the largest city first."""
    places: list[Traversable] = [Path(folder) for folder in TZPATH]
    with suppress(ModuleNotFoundError):
        places.append(files("tzdata.zoneinfo"))
    table = next((file for place in places if (file := place.joinpath("zone.tab")).is_file()), None)
    lines = table.read_text("utf-8").splitlines() if table else ()
    rows = (line.split("\t") for line in lines if not line.startswith("#"))
    return {row[2]: n for n, row in enumerate(rows) if len(row) > 2}
