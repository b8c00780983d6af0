"""Preferences of a person and settings of a place: sorting, suits, confirmation, alerts, openers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from bot.i18n import LANGUAGES
from bot.inbox.commands import openers_of
from bot.inbox.context import Context
from bot.model import Language, Person, Refused, Room
from bot.people import known_language
from bot.ports import Key, Page, Reply
from engines.game import Text


@dataclass(frozen=True, slots=True)
class Preference:
    """A preference of a person or a setting of a place: its label, its values and their labels."""

    about: Text
    values: Mapping[str, Text]
    read: Callable[[Person, Room], str]
    write: Callable[[Person, Room, str], tuple[Person, Room]]
    of_room: bool = False
    """Whether it is a setting of the place, which only moderators change."""


def _flag(field: str, about: Text, off: Text, on: Text) -> Preference:
    """A preference that is stored in a bool field of `Person`; its values are on and off."""

    def write(person: Person, room: Room, value: str) -> tuple[Person, Room]:
        changed: Any = {field: value == "on"}
        return replace(person, **changed), room

    return Preference(
        about, {"on": on, "off": off}, lambda person, _: "on" if getattr(person, field) else "off", write
    )


def _order(person: Person, room: Room, value: str) -> tuple[Person, Room]:
    return replace(person, order="suit" if value == "suit" else "rank"), room


def _openers(person: Person, room: Room, value: str) -> tuple[Person, Room]:
    return person, replace(room, openers="moderators" if value == "moderators" else "everyone")


PREFERENCES: Mapping[str, Preference] = {
    "order": Preference(
        Text("Your hand"),
        {"rank": Text("sorted by value"), "suit": Text("sorted by suit")},
        lambda person, _: person.order,
        _order,
    ),
    "letters": _flag("letters", Text("Suits"), Text("as symbols"), Text("as letters")),
    "careful": _flag("careful", Text("Before each move"), Text("don't ask"), Text("ask me first")),
    "calls": _flag("calls", Text("When it's your turn"), Text("no reminder"), Text("remind me")),
    "openers": Preference(
        Text("Who may open tables here"),
        {"everyone": Text("everyone"), "moderators": Text("moderators")},
        lambda _, room: room.openers,
        _openers,
        of_room=True,
    ),
}


async def preferences_page(context: Context) -> Page:
    """The page of all preferences that the sender may change, each with a button for its next value."""
    room = await context.people.room(context.caller.place)
    keys = []
    for name, preference in PREFERENCES.items():
        if preference.of_room and (room.private or not context.caller.moderator):
            continue
        now, values = preference.read(context.person, room), list(preference.values)
        following = values[(values.index(now) + 1) % len(values)]
        label = f"{context.say(preference.about)}: {context.say(preference.values[now])}"
        keys.append(Key(label, "set", f"{name} {following}", offer=True))
    return Page.note(
        context.worded(
            Text("Your settings. Press a button to change one."),
            Text("Your settings. Type a number to change one."),
        ),
        keys=(tuple(keys),),
    )


async def change_place_settings(context: Context, language: str, openers: str) -> Reply:
    """Changes the language and the openers of a place, and replies with both; an empty one stays as it is.

    Raises `Refused` for unknown values and for senders who are not moderators.
    """
    if not context.caller.moderator:
        raise Refused(Text("Only a moderator can change that."))
    known, chosen = language_of(language) if language else None, openers_of(openers) if openers else None
    if openers and chosen is None:
        raise Refused(Text("Choose who may open tables: everyone or moderators."))
    async with context.changing_settings():
        room = await context.people.newest_room(context.caller.place)
        room = replace(room, language=known or room.language, openers=chosen or room.openers)
        await save_room(context, room)
    preference, spoken = PREFERENCES["openers"], await context.people.say_in(context.caller.place)
    lines = (
        context.say(Text("The tables here speak {language}.", language=LANGUAGES[spoken.locale])),
        f"{context.say(preference.about)}: {context.say(preference.values[room.openers])}.",
    )
    return Reply(page=Page.note(*lines))


async def save_person(context: Context, person: Person) -> None:
    """Stores a person's preferences and sends their panels again, if a preference has changed."""
    if person != await context.people.person(person.id):
        await context.panels.resend_own(person.id, lambda: context.people.save(person))


async def save_room(context: Context, room: Room) -> None:
    """Stores the settings of a place and sends its public panels again, if a setting has changed."""
    if room != await context.people.room(room.place):
        await context.panels.resend_public(room.place, lambda: context.people.save_room(room))


def language_of(words: str) -> Language:
    """The language with this name or tag. Raises `Refused` if there is none."""
    if (chosen := known_language(words)) is None:
        raise Refused(Text("I speak {languages}.", languages=" / ".join(LANGUAGES.values())))
    return chosen


async def change_preference(context: Context, name: str, value: str) -> Reply:
    """Changes one preference or setting, and replies with the page of all. Raises `Refused`."""
    preference = PREFERENCES.get(name)
    if preference is None:
        raise Refused(
            Text(
                "There is no setting {name}. You can change: {names}", name=name, names=", ".join(PREFERENCES)
            )
        )
    if value not in preference.values:
        raise Refused(Text("{name} can be: {values}", name=name, values=", ".join(preference.values)))
    if preference.of_room and not context.caller.moderator:
        raise Refused(Text("Only a moderator can change that."))
    async with context.changing_settings():
        room = await context.people.newest_room(context.caller.place)
        person = await context.people.newest_person(context.person.id)
        person, changed = preference.write(person, room, value)
        if changed != room:
            await context.people.save_room(changed)
        await save_person(context, person)
    return Reply(page=await preferences_page(replace(context, person=person)))
