"""Settings of a channel and of its server or group: language, openers, clock and threads of new tables.

A channel without a setting of its own takes the server's; threads take all settings of their channel.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

from bot.inbox.arguments.value_words import EXTENT_WORDS, FLAG_WORDS, OPENER_WORDS, READER_WORDS, meant
from bot.inbox.context import OUTDATED, Context
from bot.inbox.handlers.settings.preferences import language_of, save_person
from bot.inbox.lookup import Arguments
from bot.model.places import USUAL_CLOCK, Place, Room, RoomSettings
from bot.model.tables import Refused
from bot.pages.clock_page import CLOCKS, USUAL, clock_caption
from bot.ports import Key, Limits, Page, Reply
from bot.settings.choices import LANGUAGES, language
from bot.tables.names.parsing import clock_named
from engines.game import Text
from engines.values import Value, replace

Extent = Literal["channel", "everywhere"]
"""The place whose settings are meant: the sender's channel, or its server or group."""
EXTENTS: Mapping[str, Text] = {"channel": Text("this channel"), "everywhere": Text("all channels")}
OPENERS: Mapping[str, Text] = {
    "everyone": Text("everyone"),
    "moderators": Text("moderators"),
    "nobody": Text("nobody"),
}
MODERATORS_CHOOSE = Text("Only a moderator can choose the language of the tables here.")
ON_OFF: Mapping[str, Text] = {"on": Text("on"), "off": Text("off")}
_INHERITED = "-"
"""The word of a key that removes the channel's own setting, so that the server's applies."""


class PlaceSetting(Value):
    """A setting of a place: the `Room` field that stores it, its label, and its values as words."""

    field: str
    about: Text
    """The label."""
    offers: Sequence[str]
    """The values that its button offers in turn."""
    value: Callable[[str], Any]
    """The field's value that a word stands for. Raises `Refused` for another word."""
    word: Callable[[Any], str]
    """The word of a field's value."""
    caption: Callable[[str], Text | str]
    """The value of a word as players read it."""
    applies: Callable[[RoomSettings], Any]
    """The value that applies in a place."""
    is_offered: Callable[[Limits], bool] = lambda limits: True
    """Whether a platform with these limits has the setting."""


def _openers(word: str) -> str:
    if (chosen := meant(OPENER_WORDS, word)) is None:
        raise Refused(Text("Choose who may open tables: everyone, moderators or nobody."))
    return chosen


def _clock(word: str) -> int:
    return USUAL_CLOCK if word == USUAL else clock_named(word)


def _clock_word(seconds: int | None) -> str:
    return USUAL if seconds is None or seconds == USUAL_CLOCK else str(seconds) if seconds else "off"


def _clock_caption(word: str) -> Text:
    return Text("as usual") if word == USUAL else clock_caption(_clock(word))


def _threads(word: str) -> bool:
    if (on := meant(FLAG_WORDS, word)) is None:
        raise Refused(Text("Choose whether each table gets a thread: on or off."))
    return on


PLACE_SETTINGS: Mapping[str, PlaceSetting] = {
    "language": PlaceSetting(
        field="language",
        about=Text("Language"),
        offers=tuple(LANGUAGES),
        value=language_of,
        word=str,
        caption=lambda word: LANGUAGES[language_of(word)],
        applies=lambda settings: settings.language,
    ),
    "openers": PlaceSetting(
        field="openers",
        about=Text("Who may open tables"),
        offers=tuple(OPENERS),
        value=_openers,
        word=str,
        caption=lambda word: OPENERS[word],
        applies=lambda settings: settings.openers,
    ),
    "clock": PlaceSetting(
        field="clock",
        about=Text("Clock"),
        offers=(USUAL, *map(_clock_word, CLOCKS)),
        value=_clock,
        word=_clock_word,
        caption=_clock_caption,
        applies=lambda settings: settings.clock,
    ),
    "threads": PlaceSetting(
        field="threads",
        about=Text("A thread for each table"),
        offers=tuple(ON_OFF),
        value=_threads,
        word=lambda on: "on" if on else "off",
        caption=lambda word: ON_OFF[word],
        applies=lambda settings: settings.threads,
        is_offered=lambda limits: limits.threads,
    ),
}


async def channel_command(context: Context, arguments: Arguments) -> Reply:
    """Changes the settings that are named, and replies with the page of all. Raises `Refused`."""
    extent = _extent(arguments.get("where", ""))
    given = {name: arguments[name].strip() for name in PLACE_SETTINGS if arguments.get(name, "").strip()}
    _must_moderate(context, extent)
    # Nothing is changed if one of them is refused.
    values = {name: PLACE_SETTINGS[name].value(word) for name, word in given.items()}
    if values:
        await _change(context, extent, values)
    return Reply(page=await place_page(context, extent), here=True)


async def press(context: Context, extent: str, chosen: Sequence[str]) -> Reply:
    """Changes a setting to the value that a button of the page chooses, or shows the page of another extent.

    Raises `Refused`.
    """
    _must_moderate(context, _extent(extent))
    match chosen:
        case [name, word] if name in PLACE_SETTINGS:
            await choose(context, _extent(extent), name, word)
        case []:
            pass
        case _:
            raise Refused(OUTDATED)
    return Reply(page=await place_page(context, _extent(extent)), here=True)


async def choose(context: Context, extent: Extent, name: str, word: str) -> None:
    """Changes a setting of the sender's channel, or of its server.

    If it has changed, sends the public panels there again. Raises `Refused` for an unknown or impossible
    value.
    """
    await _change(context, extent, {name: None if word == _INHERITED else PLACE_SETTINGS[name].value(word)})


async def _change(context: Context, extent: Extent, values: Mapping[str, Any]) -> None:
    """Changes settings, given by name, as one change. Raises `Refused` for an impossible value."""
    for name, value in values.items():
        _must_be_possible(context, name, value)
    place = await _place(context, extent)
    changed = {PLACE_SETTINGS[name].field: value for name, value in values.items()}
    async with context.changing_settings(place):
        await _save(context, replace(await context.people.newest_room(place), **changed))


async def place_page(context: Context, extent: Extent) -> Page:
    """The page of a place's settings, each with a button for its next value."""
    server = (await context.people.room(context.caller.place)).server
    place = await _place(context, extent)
    room, settings = await context.people.room(place), await context.people.settings(place)
    inherits = bool(server) and extent == "channel"
    keys = [
        _key(context, extent, name, room, settings, inherits=inherits)
        for name, setting in PLACE_SETTINGS.items()
        if setting.is_offered(context.platform.limits)
    ]
    if not server:
        about = Text("The tables here:")
    elif extent == "channel":
        about = Text("The tables of this channel:")
    else:
        about = Text("The tables of all channels, unless a channel has its own setting:")
    other: Extent = "everywhere" if extent == "channel" else "channel"
    switch = (
        (Key(context.say(EXTENTS[other]), "place", other),) if server and not context.caller.only_here else ()
    )
    return Page.note(context.say(about), keys=(tuple(keys), switch))


def _key(
    context: Context, extent: Extent, name: str, room: Room, settings: RoomSettings, *, inherits: bool
) -> Key:
    """The button of a setting: its label shows the value that applies, its words choose the next one."""
    setting, say = PLACE_SETTINGS[name], context.say
    is_inherited = inherits and getattr(room, setting.field) is None
    value = setting.applies(settings)
    if value is None and name == "language":
        value = say.locale
    caption = setting.caption(setting.word(value))
    shown = caption if isinstance(caption, str) else say(caption)
    if is_inherited:
        shown = say(Text("{value} (as everywhere)", value=shown))
    offers = [*((_INHERITED,) if inherits else ()), *setting.offers]
    current = _INHERITED if is_inherited else setting.word(value)
    following = offers[(offers.index(current) + 1) % len(offers)] if current in offers else offers[0]
    return Key(f"{say(setting.about)}: {shown}", "place", f"{extent} {name} {following}", offer=True)


async def learn_language(context: Context, settings: RoomSettings) -> None:
    """Lets a group's tables speak the first opener's language, if none is chosen or told by the platform."""
    if settings.language is None and not context.caller.private:
        place = (await context.people.room(context.caller.place)).outermost
        async with context.changing_settings(place):
            room = await context.people.newest_room(place)
            await context.people.save_room(replace(room, language=room.language or context.say.locale))


async def language_question(context: Context, settings: RoomSettings) -> str:
    """The question which language the tables should speak; empty if there is nothing to ask.

    It is asked once in a channel, if no language is chosen and the opener's client has another one than its
    tables speak so far.
    """
    own = language(context.caller.locale) if context.caller.locale else None
    if context.caller.private or settings.is_chosen or not own or own == (settings.language or own):
        return ""
    place = (await context.people.room(context.caller.place)).channel_place
    async with context.people.preference_locks.of(place):
        room = await context.people.newest_room(place)
        if room.asked:
            return ""
        await context.people.save_room(replace(room, asked=True))
    return context.say(Text("Which language should the tables here speak?"))


def language_keys() -> tuple[Key, ...]:
    """The answers to `language_question`."""
    return tuple(Key(name, "speak", tag, offer=True) for tag, name in LANGUAGES.items())


async def answer_language(context: Context, tag: str) -> Reply:
    """Sets the language of the sender's channel. Only moderators change one that is stored.

    Raises `Refused`.
    """
    chosen = language_of(tag)
    place = (await context.people.room(context.caller.place)).channel_place
    async with context.changing_settings(place):
        settings = await context.people.newest_settings(place)
        if settings.is_chosen and not context.caller.moderator:
            raise Refused(MODERATORS_CHOOSE)
        await _save(context, replace(await context.people.newest_room(place), language=chosen))
    return Reply(context.say(Text("The tables here speak {language}.", language=LANGUAGES[chosen])))


def _must_be_possible(context: Context, name: str, value: Any) -> None:
    """Raises `Refused` for a setting that the platform does not have, or that the bot may not carry out."""
    if not PLACE_SETTINGS[name].is_offered(context.platform.limits):
        raise Refused(Text("There is no setting “{name}” here.", name=name))
    if name == "threads" and value and not (context.caller.threads or context.caller.channel):
        raise Refused(Text("I can't open threads here without the “Create Public Threads” permission."))


async def _save(context: Context, room: Room) -> None:
    """Stores a place's settings and sends the public panels in it again, if a setting has changed."""
    if room != await context.people.room(room.place):
        # Rooms get their community from deliveries, but none comes from a server's own place.
        room = replace(room, community=context.caller.community)
        await context.panels.resending.at_place(room.place, lambda: context.people.save_room(room))


async def _place(context: Context, extent: Extent) -> Place:
    """The place that an extent means."""
    here = await context.people.room(context.caller.place)
    return here.outermost if extent == "everywhere" else here.channel_place


def _extent(word: str) -> Extent:
    """The extent that a word names; the channel if it names none."""
    return "everywhere" if meant(EXTENT_WORDS, word) == "everywhere" else "channel"


def _must_moderate(context: Context, extent: Extent) -> None:
    """Raises `Refused` unless the sender is a moderator of the places that an extent means."""
    caller = context.caller
    if not caller.moderator:
        raise Refused(Text("Only a moderator can change that."))
    if extent == "everywhere" and caller.only_here and caller.server:
        raise Refused(Text("You moderate only this channel. Ask a moderator of the whole server."))


async def language_command(context: Context, arguments: Arguments) -> Reply:
    """Chooses the language of the sender, or of the tables here."""
    chosen = language_of(arguments["language"])
    if meant(READER_WORDS, arguments.get("for", "")) == "channel":
        if not (context.caller.moderator or context.caller.private):
            raise Refused(MODERATORS_CHOOSE)
        await choose(context, "channel", "language", chosen)
    else:
        async with context.changing_settings():
            person = replace(await context.people.newest_person(context.person.id), language=chosen)
            await save_person(context, person)
    return Reply(replace(context.say, locale=chosen)(Text("We speak English now.")))
