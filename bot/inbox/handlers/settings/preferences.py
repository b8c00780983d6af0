"""The preferences of a person, such as the order of their hand, and the pages that change them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from bot.i18n import Speech, folded
from bot.inbox.arguments.value_words import (
    LANGUAGE_WORDS,
    PREFERENCE_WORDS,
    SETTING_WORDS,
    as_read,
    meant,
)
from bot.inbox.context import Context
from bot.inbox.lookup import Arguments
from bot.model.people import AlertTiming, Person, Zone
from bot.model.tables import Refused
from bot.nearest import with_choices, wrong_value
from bot.pages.menus.rows import setting_label
from bot.ports import Key, Page, Reply
from bot.settings.choices import LANGUAGES, ForcedMoves, Language, SuggestedMoves
from bot.tables.clocks import play_forced
from bot.times.local_time import quiet_of, time_of_day, weekday_and_time, zone_of
from bot.times.time_zones import city_of, is_zone, zones_beginning, zones_named
from engines.game import IllegalMove, Pictures, Text
from engines.values import Value, replace


class Preference(Value):
    """A preference of a person: its label, and how its values are stored and shown."""

    about: Text
    values: Mapping[str, Text]
    """The values that have labels, each with its label."""
    read: Callable[[Person], str]
    write: Callable[[Person, str], Person]
    offers: Sequence[str] = ()
    """The values that its button offers in turn; if empty, all that have labels."""
    parse: Callable[[str], str | None] = lambda words: None
    """Reads a typed value that has no label; None if it is no value."""
    caption: Callable[[str, float, str], str] = lambda value, now, locale: value
    """Called with a value that has no label, the time and the language; returns its words for players."""

    def named(self, words: str) -> str | None:
        """The value that a player typed: itself, its label in any language, or words that only its label has.

        None if the words fit no value, or several.
        """
        typed, labels = folded(words), {value: _folded_labels(label) for value, label in self.values.items()}
        found = [value for value, folds in labels.items() if typed in (value, *folds)] or [
            value
            for value, folds in labels.items()
            if typed and any(set(typed.split()) <= set(label.split()) for label in folds)
        ]
        return found[0] if len(found) == 1 else None

    def shown(self, value: str, say: Speech, now: float) -> str:
        """A value as its button shows it."""
        return say(self.values[value]) if value in self.values else self.caption(value, now, say.locale)


def _folded_labels(label: Text) -> tuple[str, ...]:
    """A label in each language, folded as typed words are to be compared with it."""
    return tuple(folded(Speech(language)(label)) for language in LANGUAGES)


def _flag(field: str, about: Text, off: Text, on: Text) -> Preference:
    """A preference that is stored in a bool field of `Person`; its values are on and off."""

    def write(person: Person, value: str) -> Person:
        changed: Any = {field: value == "on"}
        return replace(person, **changed)

    return Preference(
        about, {"on": on, "off": off}, lambda person: "on" if getattr(person, field) else "off", write
    )


def _with_order(person: Person, value: str) -> Person:
    return replace(person, order="suit" if value == "suit" else "rank")


def _with_pictures(person: Person, value: str) -> Person:
    pictures: Pictures = "boxes" if value == "boxes" else "lines" if value == "lines" else "fits"
    return replace(person, pictures=pictures)


def _with_calls(person: Person, value: str) -> Person:
    turn_alerts: AlertTiming = "never" if value == "never" else "away" if value == "away" else "soon"
    return replace(person, turn_alerts=turn_alerts)


def _with_forced(person: Person, value: str) -> Person:
    forced: ForcedMoves = "always" if value == "always" else "never" if value == "never" else "open"
    return replace(person, forced=forced)


def _with_suggestions(person: Person, value: str) -> Person:
    suggestions: SuggestedMoves = "off" if value == "off" else "fewer" if value == "fewer" else "full"
    return replace(person, suggestions=suggestions)


def _with_quiet(person: Person, value: str) -> Person:
    return replace(person, quiet="" if value == "off" else value)


def _quiet_caption(value: str, now: float, locale: str) -> str:
    begin, _, end = value.partition("-")
    return f"{begin}:00–{end}:00"


def _with_zone(person: Person, value: str) -> Person:
    return replace(person, zone=_zone_in(value))


def _zone_in(value: str) -> Zone:
    """The zone that a value of the preference stands for: a number, or the name of a zone."""
    return value if is_zone(value) else int(value)


def _zone_value(words: str) -> str | None:
    """The value of the preference for a typed distance from UTC or name of a zone; None for other words."""
    if (zone := zone_of(words)) is not None:
        return str(zone)
    return words.strip() if is_zone(words.strip()) else None


def _zone_caption(value: str, now: float, locale: str) -> str:
    """The time in a zone, and its city if it has one; without a zone, the time in UTC."""
    if not value:
        return time_of_day(now, None)
    zone = _zone_in(value)
    shown = time_of_day(now, zone)
    return f"{shown} ({city_of(zone, locale)})" if isinstance(zone, str) else shown


_UNITS_AN_HOUR = 4
"""A zone that is a number is counted in quarters of an hour."""
_OFFERED_HOURS = range(-11, 13)
"""The hours ahead of UTC that are offered as local times."""
_MOST_CITIES = 20
"""The most time zones that are suggested while a city is typed."""
_NIGHTS = ("22-7", "23-8", "0-9")
"""The quiet hours that a button offers; others can be typed."""


PREFERENCES: Mapping[str, Preference] = {
    "order": Preference(
        Text("Your hand"),
        {"rank": Text("sorted by value"), "suit": Text("sorted by suit")},
        lambda person: person.order,
        _with_order,
    ),
    "letters": _flag("letters", Text("Suits"), Text("as symbols"), Text("as letters")),
    "pictures": Preference(
        Text("Cards"),
        {"fits": Text("boxes if few"), "boxes": Text("always boxes"), "lines": Text("always lines")},
        lambda person: person.pictures,
        _with_pictures,
    ),
    "careful": _flag("careful", Text("Before each move"), Text("don't ask"), Text("ask me first")),
    "calls": Preference(
        Text("Turn reminders"),
        {"soon": Text("soon"), "away": Text("only when I'm away"), "never": Text("never")},
        lambda person: person.turn_alerts,
        _with_calls,
    ),
    "quiet": Preference(
        Text("Quiet hours"),
        {"off": Text("none")},
        lambda person: person.quiet or "off",
        _with_quiet,
        offers=("off", *_NIGHTS),
        parse=quiet_of,
        caption=_quiet_caption,
    ),
    "zone": Preference(
        Text("Your local time"),
        {},
        lambda person: "" if person.zone is None else str(person.zone),
        _with_zone,
        parse=_zone_value,
        caption=_zone_caption,
    ),
    "forced": Preference(
        Text("Your only possible move"),
        {
            "open": Text("played for you if everybody can tell"),
            "always": Text("played for you (others may notice)"),
            "never": Text("left to you"),
        },
        lambda person: person.forced,
        _with_forced,
    ),
    "suggestions": Preference(
        Text("Suggested moves"),
        {"full": Text("as many as fit"), "fewer": Text("at most two"), "off": Text("none")},
        lambda person: person.suggestions,
        _with_suggestions,
    ),
}
"""All preferences by name, in the order of their page."""


def offered_values(name: str, now: float, say: Speech) -> Mapping[str, str]:
    """The offered values of a preference, each with its label; none for an unknown name."""
    if name == "zone":
        return {
            f"{hours:+}": weekday_and_time(now, hours * _UNITS_AN_HOUR, say.locale)
            for hours in _OFFERED_HOURS
        }
    if (preference := PREFERENCES.get(name)) is None:
        return {}
    return {value: preference.shown(value, say, now) for value in preference.offers or preference.values}


def offered_cities(begun: str, now: float, say: Speech) -> Mapping[str, str]:
    """Maps at most `_MOST_CITIES` zones to labels; a word of their name, city or country begins as typed."""
    zones = zones_beginning(begun, _MOST_CITIES)
    return {
        zone: f"{city_of(zone, say.locale)} ({weekday_and_time(now, zone, say.locale)})" for zone in zones
    }


async def preferences_page(context: Context) -> Page:
    """The page of the sender's preferences, each with a button for its next value."""
    keys, lines = [], []
    for name, preference in PREFERENCES.items():
        value, values = preference.read(context.person), list(preference.offers or preference.values)
        # After a typed value the button offers the first one; if none is offered, a page asks for a value.
        following = (
            [*values, *values[:1]][values.index(value) + 1] if value in values else "".join(values[:1])
        )
        shown = preference.shown(value, context.say, context.service.clock.now())
        label, line = setting_label(context.say(preference.about), shown, context.platform.limits)
        lines += [line] if line else []
        keys.append(Key(label, "set", f"{name} {following}".strip(), offer=True))
    return Page.note(
        context.worded(
            Text("Your settings. Press a button to change one."),
            Text("Your settings. Type a number to change one."),
        ),
        *lines,
        keys=(tuple(keys),),
    )


async def save_person(context: Context, person: Person) -> None:
    """Stores a person's preferences and sends their panels again, if a preference has changed."""
    if person != await context.people.person(person.id):
        await context.panels.resending.of_person(person.id, lambda: context.people.save(person))


def language_of(words: str) -> Language:
    """The language with this name or tag. Raises `Refused` if there is none."""
    if (chosen := meant(LANGUAGE_WORDS, words)) is None:
        raise Refused(Text("I speak {languages}.", languages=" / ".join(LANGUAGES.values())))
    return chosen


async def change_preference(context: Context, typed: str, value: str) -> Reply:
    """Changes the preference with a typed name, and replies with the page of all.

    Asks for the time zone if the typed one is not clear, or if quiet hours need it. Raises `Refused`.
    """
    name = meant(SETTING_WORDS, typed) or ""
    if (preference := PREFERENCES.get(name)) is None:
        known = as_read(SETTING_WORDS, context.say.locale)
        raise Refused(with_choices(Text("There is no setting “{name}”.", name=typed), typed, known))
    words = PREFERENCE_WORDS.get(name, {})
    chosen = meant(words, value) or preference.named(value) or preference.parse(value)
    if chosen is None and name == "zone":
        zones = zones_named(value, context.service.clock.now())
        if len(zones) != 1:
            return Reply(page=_local_times_page(context, zones))
        [chosen] = zones
    if chosen is None:
        offered = {night: night for night in preference.offers if night not in preference.values}
        raise Refused(wrong_value(typed, value, {**as_read(words, context.say.locale), **offered}))
    async with context.changing_settings():
        person = preference.write(await context.people.newest_person(context.person.id), chosen)
        await save_person(context, person)
    if name == "forced":
        await _play_forced_moves(context)
    if name == "quiet" and person.quiet and person.zone is None:
        return Reply(page=_local_times_page(context))
    return Reply(page=await preferences_page(replace(context, person=person)))


async def _play_forced_moves(context: Context) -> None:
    """Plays the sender's only possible move at each table, if their new preference says so."""
    own = context.person.id
    chosen = await context.people.plays_forced((own,))
    for listing in await context.store.tables_of(own):
        if listing.status == "playing":
            # The other tables go on even if one cannot be read or has just changed.
            with suppress(Refused, IllegalMove):
                await context.service.change(listing.game, partial(play_forced, plays_forced=chosen))


def _local_times_page(context: Context, zones: Sequence[str] = ()) -> Page:
    """The page that asks senders for their local time, with a key for each of these time zones.

    Without any, each key is a zone of whole hours, which has no summer time. Keys beyond `Limits.keys` are
    left out.
    """
    now, say = context.service.clock.now(), context.say
    labels: Mapping[str, tuple[Zone, str]]
    if zones:
        labels = {zone: (zone, city_of(zone, say.locale)) for zone in zones}
        question = say(Text("Where are you? Choose a place with your time."))
    else:
        labels = {f"{hours:+}": (hours * _UNITS_AN_HOUR, "") for hours in _OFFERED_HOURS}
        question = say(
            Text(
                "What time is it for you? If clocks change in summer, type your city or country: {command}.",
                command=_zone_command(context),
            )
        )
    keys = [
        Key(f"{weekday_and_time(now, zone, say.locale)} {city}".strip(), "set", f"zone {value}", offer=True)
        for value, (zone, city) in labels.items()
    ]
    return Page.note(question, keys=(tuple(keys[: context.platform.limits.keys]),))


def _zone_command(context: Context) -> str:
    """The command by which a sender sets a time zone that no key offers."""
    zone = as_read(SETTING_WORDS, context.say.locale)["zone"]
    return f"{context.command('settings')} {zone} Madrid"


async def settings_command(context: Context, arguments: Arguments) -> Reply:
    """Changes one of the sender's preferences, or shows them all."""
    if name := arguments.get("setting"):
        return await change_preference(context, name, arguments.get("value", ""))
    return Reply(page=await preferences_page(context))
