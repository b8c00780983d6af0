"""Sets Telegram's command menus, and parses typed commands."""

from __future__ import annotations

from dataclasses import dataclass

from telegram import Bot, BotCommand, BotCommandScopeAllGroupChats, BotCommandScopeAllPrivateChats, Message
from telegram.constants import MessageEntityType

from bot.i18n import LANGUAGES, Speech
from bot.inbox.commands import COMMANDS, Command
from bot.model import Language
from bot.ports import mention_of

START = "start"
"""The command that Telegram sends when a user opens the private chat, with the payload of the link."""

_ABOUT = 256
"""The most characters of a command's description."""


@dataclass(frozen=True, slots=True)
class TypedCommand:
    """A typed command."""

    name: str
    """The word after the slash, without the bot's name."""
    rest: str
    """The text after the command."""
    to_us: bool
    """Whether it names this bot, as ``/new@our_bot`` does, and so no other bot of the group."""


async def offer_commands(bot: Bot) -> None:
    """Sets the menus of commands: Spanish for Spanish clients, English for all others."""
    for language in LANGUAGES:
        code = "" if language == "en" else language
        for scope, private in (
            (BotCommandScopeAllPrivateChats(), True),
            (BotCommandScopeAllGroupChats(), False),
        ):
            await bot.set_my_commands(menu(language, private=private), scope=scope, language_code=code)


def menu(language: Language, *, private: bool) -> list[BotCommand]:
    """The commands for private chats or for groups, with names and descriptions in a language."""
    say = Speech(language)
    return [
        BotCommand(one.called(language), say(one.about)[:_ABOUT])
        for one in COMMANDS
        if _makes_sense(one, language, private=private)
    ]


def parse_command(message: Message, username: str) -> TypedCommand | None:
    """The command at the start of a message; None if there is none, or if it names another bot."""
    text, entities = _with_mentions(message), message.entities
    if not entities or entities[0].type != MessageEntityType.BOT_COMMAND or entities[0].offset:
        return None
    word, rest = text[: entities[0].length], text[entities[0].length :]
    name, at, bot = word.removeprefix("/").partition("@")
    if at and bot.casefold() != username.casefold():
        return None
    return TypedCommand(name, rest.strip(), bool(at))


def _with_mentions(message: Message) -> str:
    """The text of a message; people without a username, who are mentioned by name, go by their ids."""
    # Telegram counts in units of UTF-16.
    units = (message.text or "").encode("utf-16-le")
    for entity in reversed(message.entities):
        if entity.type == MessageEntityType.TEXT_MENTION and entity.user:
            mention = mention_of(str(entity.user.id)).encode("utf-16-le")
            units = units[: 2 * entity.offset] + mention + units[2 * (entity.offset + entity.length) :]
    return units.decode("utf-16-le")


def _makes_sense(one: Command, language: Language, *, private: bool) -> bool:
    # In a private chat ``/start`` is Telegram's own command, so ours of that name is left out.
    return one.called(language) != START if private else one.public
