"""Sets Telegram's command menus, and parses typed commands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from telegram import (
    Bot,
    BotCommand,
    BotCommandScope,
    BotCommandScopeAllChatAdministrators,
    BotCommandScopeAllGroupChats,
    BotCommandScopeAllPrivateChats,
    Message,
)
from telegram.constants import MessageEntityType

from bot.i18n import Speech
from bot.inbox.arguments.commands import COMMANDS, Command, Parameter, ParameterKind, command_named
from bot.model.people import mention_of
from bot.settings.choices import LANGUAGES, Language
from engines.values import Value

START = "start"
"""The command that Telegram sends when a user opens the private chat, with the payload of a link, if any."""

_NAMING_KINDS: tuple[ParameterKind, ...] = ("person", "barred", "player")
"""The kinds of parameters that name a person."""
_MOST_DESCRIPTION = 256
"""The most characters of a command's description."""
_BEFORE_PARAMETERS = " · "
"""Stands between a command's description and its parameters."""
_EPHEMERAL = {"is_ephemeral": True}
"""The field that marks a command which only its sender and the bot see; the library does not know it."""


class TypedCommand(Value):
    """A typed command."""

    name: str
    """The word after the slash, without the bot's name."""
    rest: str
    """The text after the command.

    If there is none and a command about a person replies to a message, the mention of that message's sender.
    """
    to_us: bool
    """Whether the command names this bot, as ``/new@our_bot`` does, so that it is meant for no other bot."""


Readers = Literal["private", "members", "moderators"]
"""The readers of a menu: a person in their private chat, or the members or the administrators of a group."""

_SCOPES: Mapping[Readers, BotCommandScope] = {
    "private": BotCommandScopeAllPrivateChats(),
    "members": BotCommandScopeAllGroupChats(),
    "moderators": BotCommandScopeAllChatAdministrators(),
}


async def offer_commands(bot: Bot, *, ephemeral: bool = False) -> None:
    """Sets the menus of commands: Spanish for Spanish clients, English for all others.

    With ``ephemeral``, for a server that knows ephemeral messages, a group's command that shows a person's
    own page is marked as one that only its sender and the bot see.
    """
    for language in LANGUAGES:
        code = "" if language == "en" else language
        for readers, scope in _SCOPES.items():
            commands = menu(language, readers, ephemeral=ephemeral)
            await bot.set_my_commands(commands, scope=scope, language_code=code)


def menu(language: Language, readers: Readers, *, ephemeral: bool = False) -> list[BotCommand]:
    """The commands for some readers, with names, descriptions and parameters in a language."""
    return [
        BotCommand(
            offered.called(language),
            _described(offered, language),
            api_kwargs=_EPHEMERAL if ephemeral and offered.personal and readers != "private" else None,
        )
        for offered in COMMANDS
        if _is_offered(offered, language, readers)
    ]


def _described(command: Command, language: Language) -> str:
    """A command's description and its parameters; those in brackets may be left out.

    The number of the table, needed only where there are several, is not shown. If all is too long, the last
    parameters are left out.
    """
    about = Speech(language)(command.about)
    parameters = [
        _shown(parameter, language) for parameter in command.parameters if parameter.kind != "table"
    ]
    while parameters and len(about) + len(_BEFORE_PARAMETERS) + len(" ".join(parameters)) > _MOST_DESCRIPTION:
        parameters.pop()
    return (about + _BEFORE_PARAMETERS + " ".join(parameters) if parameters else about)[:_MOST_DESCRIPTION]


def _shown(parameter: Parameter, language: Language) -> str:
    name = parameter.called(language)
    return name if parameter.required else f"[{name}]"


def parse_command(message: Message, username: str) -> TypedCommand | None:
    """The command at the start of a message; None if there is none, or if it names another bot."""
    text, entities = _with_mentions(message), message.entities
    if not entities or entities[0].type != MessageEntityType.BOT_COMMAND or entities[0].offset:
        return None
    word, rest = text[: entities[0].length], text[entities[0].length :]
    name, at, bot = word.removeprefix("/").partition("@")
    if at and bot.casefold() != username.casefold():
        return None
    return TypedCommand(name, rest.strip() or _person_answered(message, name), bool(at))


def _person_answered(message: Message, name: str) -> str:
    """The mention of the person to whose message a command about a person replies; else empty."""
    meant, answered = command_named(name), message.reply_to_message
    if meant is None or not any(parameter.kind in _NAMING_KINDS for parameter in meant.parameters):
        return ""
    # In a topic, a message that is no reply comes as a reply to the message that opened the topic.
    if answered is None or answered.forum_topic_created or not answered.from_user:
        return ""
    return "" if answered.from_user.is_bot else mention_of(str(answered.from_user.id))


def _with_mentions(message: Message) -> str:
    """The text of a message; where it mentions a person without a username, their id replaces their name."""
    # Telegram counts offsets and lengths in units of UTF-16.
    units = (message.text or "").encode("utf-16-le")
    for entity in reversed(message.entities):
        if entity.type == MessageEntityType.TEXT_MENTION and entity.user:
            mention = mention_of(str(entity.user.id)).encode("utf-16-le")
            units = units[: 2 * entity.offset] + mention + units[2 * (entity.offset + entity.length) :]
    return units.decode("utf-16-le")


def _is_offered(command: Command, language: Language, readers: Readers) -> bool:
    """Whether a command is in the menu of these readers."""
    if readers == "private":
        # In a private chat ``/start`` is Telegram's own command, so ours of that name is left out.
        return command.called(language) != START and not command.moderators
    return readers == "moderators" or not command.moderators
