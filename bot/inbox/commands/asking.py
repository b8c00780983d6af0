"""Asks for an argument of a command that is missing or not clear: a page with keys for possible values.

A key's words are the command as its sender could have typed it.
"""

from __future__ import annotations

from collections.abc import Iterable

from bot.inbox.arguments.commands import Command, Parameter
from bot.inbox.commands.autocomplete import complete, table_label
from bot.inbox.context import Context
from bot.inbox.lookup import Arguments, SeveralTables, listing_of, mine
from bot.model.ids import GameId
from bot.pages.callback_data import data_of
from bot.ports import NO_GAME, Key, Page, Reply
from engines.game import Text

_MOST_OFFERED = 24
"""The most keys of a question."""


async def ask_for_value(
    context: Context, command: Command, parameter: Parameter, arguments: Arguments, question: Text
) -> Reply | None:
    """The question for a value that a command needs; None if no key for a known value fits."""
    found = await complete(context, command.name, parameter.name, "", arguments)
    game = NO_GAME
    if any(each.kind == "table" for each in command.parameters):
        # The key may be pressed elsewhere, where the command alone would mean another table.
        game = (await listing_of(context, arguments, lambda listing: True)).game
    keys = _fitting(
        context,
        (_key(command, each.label, {**arguments, parameter.name: each.value}, game) for each in found),
    )
    if not keys:
        return None
    return Reply(page=Page.note(context.say(question), keys=(keys,)), here=not command.personal)


def ask_for_table(context: Context, command: Command, arguments: Arguments, several: SeveralTables) -> Reply:
    """The question which of several tables a command means. Raises ``several`` if no key fits."""
    labels = [table_label(each, context.say) for each in several.listings]
    # Tables of two places may have the same number and players.
    labelled = (
        (each.game, label if labels.count(label) == 1 else f"{label} ({each.game})")
        for each, label in zip(several.listings, labels, strict=True)
    )
    keys = _fitting(context, (_key(command, label, arguments, game) for game, label in labelled))
    if not keys:
        raise several
    page = Page.note(context.say(Text("Which table?")), keys=(keys,))
    return Reply(page=page, here=not all(map(mine(context), several.listings)))


def _key(command: Command, label: str, arguments: Arguments, game: GameId = NO_GAME) -> Key:
    """A key that sends a command with these arguments to a table."""
    values = (
        arguments.get(parameter.name, "") for parameter in command.parameters if parameter.kind != "table"
    )
    return Key(label, "command", " ".join(filter(None, (command.name, *values))), game, offer=True)


def _fitting(context: Context, keys: Iterable[Key]) -> tuple[Key, ...]:
    """The first `_MOST_OFFERED` keys whose words fit in the callback data whole.

    A press with a hash of them could not be understood.
    """
    limits = context.platform.limits
    fitting = [key for key in keys if data_of(key, limits.data).endswith(f":{key.words}")]
    return tuple(fitting[:_MOST_OFFERED])
