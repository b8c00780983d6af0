"""The core's commands in Telegram's menus, by chat and language, and as people type them."""

from __future__ import annotations

from dataclasses import dataclass

from telegram import Bot, BotCommand, BotCommandScopeAllGroupChats, BotCommandScopeAllPrivateChats, Message
from telegram.constants import MessageEntityType

from bot.i18n import LANGUAGES, Speech
from bot.inbox.commands import COMMANDS, Command
from bot.model import Language

HELLO = "start"
"""What Telegram sends when somebody opens our chat, with what our link gave them."""

_ABOUT = 256
"""Characters of a description."""


@dataclass(frozen=True, slots=True)
class Typed:
    """A command as somebody has typed it."""

    name: str
    rest: str
    to_us: bool
    """Whether it names us, so that no other bot of the group is meant."""


async def offer_commands(bot: Bot) -> None:
    """Puts the commands into the menus: English for all, Spanish for those who have it."""
    for language in LANGUAGES:
        code = "" if language == "en" else language
        for scope, private in (
            (BotCommandScopeAllPrivateChats(), True),
            (BotCommandScopeAllGroupChats(), False),
        ):
            await bot.set_my_commands(menu(language, private=private), scope=scope, language_code=code)


def menu(language: Language, *, private: bool) -> list[BotCommand]:
    """The commands that make sense in a kind of chat, as a language calls them."""
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
    # Alone with us, Telegram has a use of its own for one of the names.
    return one.called(language) != HELLO if private else one.public
