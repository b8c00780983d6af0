"""The core's commands as slash commands: names in both languages, suggestions while somebody types."""

from __future__ import annotations

import inspect
import logging
from collections.abc import Mapping, Sequence
from typing import Any, cast

import discord
from discord import Interaction, Permissions, app_commands
from discord.app_commands import AppCommandContext, AppInstallationType, Choice, CommandTree, locale_str
from discord.app_commands.translator import TranslationContextTypes

from adapters.discord.front import Front
from bot.i18n import Speech, language
from bot.inbox.commands import COMMANDS, Command, Parameter
from engines.game import Text

log = logging.getLogger(__name__)

_CHOICES = 25
_CHOICE = 100
"""Characters of a choice's label, and of its value."""


class Words(app_commands.Translator):
    """Says the names and descriptions of commands in the language of a Discord client."""

    async def translate(
        self, string: locale_str, locale: discord.Locale, context: TranslationContextTypes
    ) -> str | None:
        """A translation, or None where the English words stand."""
        spoken = language(locale.value)
        if spoken == "en":
            return None
        if text := string.extras.get("text"):
            return Speech(spoken)(text)
        named = string.extras.get("named")
        return named.called(spoken) if named else None


def command_tree(client: discord.Client) -> CommandTree[discord.Client]:
    """All commands, for a client that is a `Front`."""
    tree = CommandTree(
        client,
        allowed_contexts=AppCommandContext(guild=True, dm_channel=True, private_channel=False),
        allowed_installs=AppInstallationType(guild=True, user=False),
    )
    for one in COMMANDS:
        tree.add_command(_slash(one))
    tree.error(_unknown)
    return tree


async def synchronise(tree: CommandTree[discord.Client]) -> bool:
    """Makes the commands known to Discord where they have changed, and says whether they had."""
    client = tree.client
    assert client.application_id
    ours = [
        await one.get_translated_payload(tree, cast(Words, tree.translator)) for one in tree.get_commands()
    ]
    # The library's own call leaves the translations out.
    route = discord.http.Route(
        "GET", "/applications/{application_id}/commands", application_id=client.application_id
    )
    theirs = await client.http.request(route, params={"with_localizations": "true"})
    if _same(_by_name(ours), _by_name(theirs)) and len(ours) == len(theirs):
        return False
    await tree.sync()
    return True


async def _unknown(interaction: Interaction, error: app_commands.AppCommandError) -> None:
    """Answers a command that we have no longer, or not in this form; clients know them for an hour more."""
    if isinstance(error, app_commands.CommandNotFound | app_commands.CommandSignatureMismatch):
        data: Any = interaction.data
        said = " ".join((f"/{data['name']}", *(one["name"] for one in data.get("options", ()))))
        await cast(Front, interaction.client).command(interaction, said, {})
    else:
        log.error("a command could not be answered: %s", type(error).__name__)


def _slash(one: Command) -> app_commands.Command[Any, ..., None]:
    async def callback(interaction: Interaction, **given: str | None) -> None:
        said = {name.removesuffix("_"): value for name, value in given.items() if value}
        await cast(Front, interaction.client).command(interaction, one.name, said)

    interaction = inspect.Parameter(
        "interaction", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=Interaction
    )
    # An underscore, since a parameter may be called like a word of the language's.
    named = {f"{parameter.name}_": parameter for parameter in one.parameters}
    parameters = [_parameter(name, parameter) for name, parameter in named.items()]
    callback.__signature__ = inspect.Signature([interaction, *parameters])  # type: ignore[attr-defined]
    if named:
        callback = app_commands.rename(**{name: _name(known) for name, known in named.items()})(callback)
        callback = app_commands.describe(**{name: _text(known.about) for name, known in named.items()})(
            callback
        )
        callback = app_commands.autocomplete(
            **{name: _completing(one, known) for name, known in named.items()}
        )(callback)
    command: app_commands.Command[Any, ..., None] = app_commands.Command(
        name=_name(one), description=_text(one.about), callback=callback
    )
    if not one.public:
        command.allowed_contexts = AppCommandContext(guild=False, dm_channel=True, private_channel=False)
    if one.moderators:
        # A server may show it to others too; the core asks them for the same permission.
        command.default_permissions = Permissions(manage_messages=True)
        command.allowed_contexts = AppCommandContext(guild=True, dm_channel=False, private_channel=False)
    return command


def _parameter(name: str, parameter: Parameter) -> inspect.Parameter:
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    if parameter.required:
        return inspect.Parameter(name, kind, annotation=str)
    return inspect.Parameter(name, kind, annotation=str | None, default=None)


def _completing(one: Command, parameter: Parameter) -> Any:
    async def complete(interaction: Interaction, begun: str) -> Sequence[Choice[str]]:
        found = await cast(Front, interaction.client).complete(interaction, one.name, parameter.name, begun)
        return [
            Choice(name=each.label[:_CHOICE], value=each.value)
            for each in found
            if len(each.value) <= _CHOICE
        ][:_CHOICES]

    return complete


def _name(named: Command | Parameter) -> locale_str:
    return locale_str(named.name, named=named)


def _text(text: Text) -> locale_str:
    return locale_str(Speech()(text), text=text)


def _by_name(commands: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    return {
        one["name"]: {key: value for key, value in one.items() if key != "dm_permission"} for one in commands
    }


def _same(ours: Any, theirs: Any) -> bool:
    """Whether all that we say is so already; what Discord adds does not matter."""
    match ours:
        case Mapping():
            known = theirs if isinstance(theirs, Mapping) else {}
            return all(_same(value, known.get(key)) for key, value in ours.items())
        case list():
            listed = theirs if isinstance(theirs, list) else []
            return len(ours) == len(listed) and all(map(_same, ours, listed))
        case _:
            return bool(ours == theirs) or not (ours or theirs) or str(ours) == str(theirs)
