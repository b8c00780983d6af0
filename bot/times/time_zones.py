"""Time zones by the names that people type: of the zone itself, a city or a country."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta, timezone, tzinfo
from functools import cache, lru_cache
from itertools import islice
from zoneinfo import ZoneInfo

from bot.i18n import folded
from bot.model.people import Zone
from bot.settings.choices import LANGUAGES

_QUARTER = 900
"""Seconds of a quarter of an hour, the unit of a `Zone` that is a distance from UTC."""
_HALF_YEAR = timedelta(days=182)
_SHORT_NAMES: Mapping[str, str] = {"usa": "US", "eeuu": "US", "ee. uu.": "US", "uk": "GB"}
"""The country codes of short names that the locale data lacks."""

_LARGE_CITIES = """
Asia/Tokyo Asia/Shanghai America/Sao_Paulo America/Mexico_City Africa/Cairo Asia/Dhaka
America/New_York Asia/Karachi America/Argentina/Buenos_Aires Europe/Istanbul Asia/Kolkata
Asia/Manila Africa/Lagos Africa/Kinshasa America/Los_Angeles Europe/Moscow Europe/Paris
America/Bogota Asia/Jakarta America/Lima Asia/Bangkok Asia/Seoul Europe/London Asia/Tehran
America/Chicago Asia/Ho_Chi_Minh Africa/Luanda Asia/Kuala_Lumpur Asia/Hong_Kong Asia/Riyadh
Asia/Baghdad America/Santiago Europe/Madrid America/Toronto Asia/Singapore Africa/Johannesburg
Africa/Abidjan Australia/Sydney Australia/Melbourne America/Monterrey Africa/Nairobi America/Phoenix
Europe/Rome Asia/Kabul America/Fortaleza America/Recife America/Bahia Africa/Casablanca
Europe/Berlin America/Detroit America/Asuncion America/Santo_Domingo Europe/Athens Europe/Lisbon
Europe/Kyiv America/Caracas America/Guayaquil America/Guatemala Asia/Dubai America/Denver
Africa/Algiers Asia/Taipei America/Vancouver America/Puerto_Rico Asia/Tashkent Australia/Brisbane
America/Belem America/Manaus America/Havana America/Tijuana Europe/Brussels Australia/Perth
Europe/Vienna America/La_Paz America/Panama Asia/Almaty Europe/Bucharest Europe/Warsaw
Europe/Budapest America/Montevideo Asia/Novosibirsk Europe/Stockholm Pacific/Auckland
America/Ciudad_Juarez Asia/Yekaterinburg Asia/Makassar America/Edmonton America/Tegucigalpa
America/Costa_Rica Europe/Zurich Europe/Copenhagen Europe/Prague Australia/Adelaide Europe/Helsinki
Europe/Dublin Asia/Omsk Europe/Samara Europe/Amsterdam America/El_Salvador Asia/Krasnoyarsk
Europe/Oslo America/Managua Asia/Jerusalem America/Cancun America/Hermosillo America/Winnipeg
Pacific/Honolulu Asia/Vladivostok Asia/Irkutsk America/Halifax America/Rio_Branco Asia/Chita
Asia/Yakutsk America/Anchorage Africa/Lubumbashi America/St_Johns Australia/Darwin
"""
"""Zones of large cities, roughly by inhabitants; a large country has a city in each of its time zones."""


@lru_cache(1 << 10)
def tz_of(zone: Zone | None) -> tzinfo:
    """The rules of a zone; those of UTC if it is unknown, or has a name that this machine does not know."""
    if not isinstance(zone, str):
        return timezone(timedelta(seconds=(zone or 0) * _QUARTER))
    try:
        return ZoneInfo(zone)
    except (KeyError, OSError, ValueError):
        return tz_of(None)


def is_zone(name: str) -> bool:
    """Whether this machine knows a zone of this name; names without a slash, such as ``EST``, don't count."""
    return "/" in name and tz_of(name) is not tz_of(None)


def zones_named(words: str, now: float) -> Sequence[str]:
    """The zones that typed words name; of several with the same time now and in half a year only one."""
    name = words.strip()
    found = [zone for zone in _names().get(folded(name), (name,)) if is_zone(zone)]
    return found if len(found) == 1 else _unlike(found, now)


def zones_beginning(words: str, most: int) -> Sequence[str]:
    """At most ``most`` zones with a name of which a word begins as typed, those of large cities first.

    Zones come last if the words begin only their technical name, such as ``America/Lima`` for "am".
    """
    begun = f" {folded(words.strip())}"
    if not begun.strip():
        return ()
    found = dict[str, bool]()
    for name, zones in _names().items():
        if begun in f" {name}":
            for zone in zones:
                found[zone] = found.get(zone, True) and name == folded(zone)
    known = filter(is_zone, sorted(found, key=lambda zone: (found[zone], _rank(zone))))
    return tuple(islice(known, most))


def city_of(zone: str, locale: str) -> str:
    """The city after which a zone is named, in a language if its name there is known."""
    from babel.core import Locale

    known = Locale(locale).time_zones.get(zone, {})
    return str(known.get("city") or zone.rpartition("/")[2].replace("_", " "))


@cache
def _names() -> Mapping[str, tuple[str, ...]]:
    """The zones that each name means; the names are `folded`, without case and accents."""
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
        for name in (
            zone,
            zone.rpartition("/")[2].replace("_", " "),
            *(city_of(zone, language) for language in LANGUAGES),
        ):
            cities.add(folded(name))
            yield name, zone
    for zone, code in countries.items():
        short = [name for name, country in _SHORT_NAMES.items() if country == code]
        for name in (*short, *(str(locale.territories.get(code, "")) for locale in locales)):
            if name and folded(name) not in cities:
                yield name, zone


def _unlike(zones: Sequence[str], now: float) -> Sequence[str]:
    """The zones; of several with the same time now and in half a year only the first by `_rank`."""
    chosen = dict[tuple[timedelta | None, ...], str]()
    for zone in sorted(zones, key=_rank):
        local = datetime.fromtimestamp(now, tz_of(zone))
        chosen.setdefault((local.utcoffset(), (local + _HALF_YEAR).utcoffset()), zone)
    return tuple(chosen.values())


def _rank(zone: str) -> tuple[int, str]:
    """Orders zones: those of large cities first, then the others by the name of their city."""
    large = _large_city_ranks()
    return large.get(zone, len(large)), zone.rpartition("/")[2]


@cache
def _large_city_ranks() -> Mapping[str, int]:
    return {zone: n for n, zone in enumerate(_LARGE_CITIES.split())}
