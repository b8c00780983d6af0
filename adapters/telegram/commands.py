"""The core's commands: Telegram's menus of them, and the parser of typed ones."""

from __future__ import annotations

from dataclasses import dataclass

from telegram import Bot, BotCommand, BotCommandScopeAllGroupChats, BotCommandScopeAllPrivateChats, Message
from telegram.constants import MessageEntityType

from bot.i18n import LANGUAGES, Speech
from bot.inbox.commands import COMMANDS, Command
from bot.model import Language

START = "start"
"""The command that Telegram sends when a user opens the private chat, with the payload of the link."""

_ABOUT = 256
"""Characters of a description."""


@dataclass(frozen=True, slots=True)
class Typed:
    """A typed command."""

    name: str
    rest: str
    to_us: bool
    """Whether it names this bot, so that no other bot of the group is meant."""


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
    """The commands for a kind of chat, under their names in a language."""
    say = Speech(language)
    return [
        BotCommand(one.called(language), say(one.about)[:_ABOUT])
        for one in COMMANDS
        if _makes_sense(one, language, private=private)
    ]


def typed(message: Message, username: str) -> Typed | None:
    """The command that a message begins with; None where there is none, or it is for another bot."""
    text, entities = message.text or "", message.entities
    if not entities or entities[0].type != MessageEntityType.BOT_COMMAND or entities[0].offset:
        return None
    word, rest = text[: entities[0].length], text[entities[0].length :]
    name, at, bot = word.removeprefix("/").partition("@")
    if at and bot.casefold() != username.casefold():
        return None
    return Typed(name, rest.strip(), bool(at))


def _makes_sense(one: Command, language: Language, *, private: bool) -> bool:
    # In a private chat Telegram itself uses one of the names.
    return one.called(language) != START if private else one.public
