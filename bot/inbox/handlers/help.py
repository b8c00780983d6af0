"""The list of all commands."""

from __future__ import annotations

from bot.inbox.arguments.commands import COMMANDS
from bot.inbox.context import Context
from bot.inbox.lookup import Arguments
from bot.pages.long_text import text_page
from bot.ports import Reply
from engines.game import Text


def help_page(context: Context, number: int = 0) -> Reply:
    """All commands, those for an open table first; a page of them if a message has no room for all."""
    say, new, sign = context.say, context.command("new"), context.platform.limits.sign
    about = context.worded(
        Text("Card games for friends. Open a table with {new}; the others press Join.", new=new),
        Text(
            "Card games for friends. Open a table with {new}; the others type {join}.",
            new=new,
            join=context.command("join"),
        ),
    )
    lines = [f"{sign}{command.called(say.locale)} – {say(command.about)}" for command in COMMANDS]
    first_other = [command.name for command in COMMANDS].index("bar")
    text = "\n".join((about, "", *lines[:first_other], "", *lines[first_other:]))
    return Reply(page=text_page(text, number, "commands", "", context.platform.limits), public=True)


async def help_command(context: Context, arguments: Arguments) -> Reply:
    """The list of all commands."""
    return help_page(context)
