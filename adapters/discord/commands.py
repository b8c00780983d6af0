"""Registers the bot's commands as slash commands, with names in both languages and autocompletion."""

from __future__ import annotations

import inspect
import logging
from collections.abc import Mapping, Sequence
from typing import Any, cast

import discord
from discord import Interaction, InteractionType, Permissions, app_commands
from discord.app_commands import AppCommandContext, AppInstallationType, Choice, CommandTree, locale_str
from discord.app_commands.translator import TranslationContextTypes

from adapters.discord.interactions import InteractionHandler
from adapters.discord.options import OptionType, arguments_of, choices_for, options_of, raw_typed
from bot.errors import origin
from bot.i18n import Speech
from bot.inbox.arguments.commands import COMMANDS, Command, Parameter
from bot.ports import Suggestion
from bot.settings.choices import language
from engines.game import Text

log = logging.getLogger(__name__)

_LEFT_OUT = frozenset(("choices", "autocomplete", "min_value", "max_value"))
"""The fields of an option that its payload leaves out while they have no value, in Discord's answers too."""


class CommandTranslator(app_commands.Translator):
    """Translates the names and descriptions of commands into the language of a Discord client."""

    async def translate(
        self, string: locale_str, locale: discord.Locale, context: TranslationContextTypes
    ) -> str | None:
        """The translation; None if the English name or description applies."""
        spoken = language(locale.value)
        if spoken == "en":
            return None
        if text := string.extras.get("text"):
            return Speech(spoken)(text)
        named = string.extras.get("named")
        return named.called(spoken) if named else None


def command_tree(client: discord.Client) -> CommandTree[discord.Client]:
    """The bot's slash commands, as the library's command tree; the client must be an `InteractionHandler`."""
    tree = _Tree(
        client,
        allowed_contexts=AppCommandContext(guild=True, dm_channel=True, private_channel=False),
        allowed_installs=AppInstallationType(guild=True, user=False),
    )
    for command in COMMANDS:
        tree.add_command(_slash(command))
    tree.error(_on_error)
    return tree


async def synchronise(tree: CommandTree[discord.Client]) -> bool:
    """Registers the commands with Discord if they have changed; returns whether they had."""
    client = tree.client
    assert client.application_id
    ours = [
        await command.get_translated_payload(tree, cast(CommandTranslator, tree.translator))
        for command in tree.get_commands()
    ]
    # The library's `fetch_commands` leaves the translations out.
    route = discord.http.Route(
        "GET", "/applications/{application_id}/commands", application_id=client.application_id
    )
    theirs = await client.http.request(route, params={"with_localizations": "true"})
    if _same(_by_name(ours), _by_name(theirs)) and len(ours) == len(theirs):
        return False
    await tree.sync()
    return True


async def _on_error(interaction: Interaction, error: app_commands.AppCommandError) -> None:
    """Passes a command that no longer exists, or has other options now, to the dispatcher, which refuses it.

    Logs any other error. Discord clients go on offering an old command for up to an hour.
    """
    if isinstance(error, app_commands.CommandNotFound | app_commands.CommandSignatureMismatch):
        data: Any = interaction.data
        typed = " ".join((f"/{data['name']}", *(option["name"] for option in data.get("options", ()))))
        await cast(InteractionHandler, interaction.client).command(interaction, typed, {})
    else:
        # The library raises its own error from that of the callback.
        log.error("the bot could not answer a command: %s", origin(error.__cause__ or error))


def _slash(declared: Command) -> app_commands.Command[Any, ..., None]:
    """A command for the library, which reads options and their types from the signature of its callback."""

    async def callback(interaction: Interaction, **given: str | None) -> None:
        filled = {name.removesuffix("_"): value for name, value in given.items() if value}
        await cast(InteractionHandler, interaction.client).command(
            interaction, declared.name, arguments_of(declared, filled)
        )

    interaction = inspect.Parameter(
        "interaction", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=Interaction
    )
    # The underscore is there because a parameter's name may be a Python keyword.
    options = {f"{name}_": parameter for name, parameter in options_of(declared).items()}
    types = {name: OptionType(option.kind) for name, option in options.items()}
    parameters = [_parameter(name, kind) for name, kind in types.items()]
    callback.__signature__ = inspect.Signature([interaction, *parameters])  # type: ignore[attr-defined]
    if options:
        callback = app_commands.rename(**{name: _name(option) for name, option in options.items()})(callback)
        callback = app_commands.describe(**{name: _text(option.about) for name, option in options.items()})(
            callback
        )
        callback = app_commands.autocomplete(
            **{name: _answered_by_tree for name, kind in types.items() if kind.is_completed}
        )(callback)
    command: app_commands.Command[Any, ..., None] = app_commands.Command(
        name=_name(declared), description=_text(declared.about), callback=callback
    )
    if declared.moderators:
        # A server can override the default permission, so the handlers check it as well.
        command.default_permissions = Permissions(manage_messages=True)
        command.allowed_contexts = AppCommandContext(guild=True, dm_channel=False, private_channel=False)
    return command


def _parameter(name: str, option: OptionType) -> inspect.Parameter:
    """A parameter for the library; it may be left out, since a bare command is answered with buttons."""
    return inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=option, default=None)


class _Tree(CommandTree[discord.Client]):
    """The library's command tree; it completes options as the sender's client knows them.

    Discord clients go on offering an old command for up to an hour, and the library logs an error when such
    a client completes an option that has another type now.
    """

    async def interaction_check(self, interaction: Interaction, /) -> bool:
        """Answers autocompletion; lets commands pass."""
        if interaction.type is not InteractionType.autocomplete:
            return True
        try:
            await self._complete(interaction)
        except Exception as error:
            # The library handles only errors of commands; an answer may be too late, or the network be down.
            log.warning("the bot could not complete an option: %s", origin(error))
        return False

    async def _complete(self, interaction: Interaction) -> None:
        """Answers with suggestions for the option that the user is typing."""
        data: Any = interaction.data
        options = {option["name"]: option for option in data.get("options") or ()}
        focused = next((option for option in options.values() if option.get("focused")), None)
        found: Sequence[Suggestion] = ()
        if focused:
            given = {name: raw_typed(option) for name, option in options.items() if option is not focused}
            found = await cast(InteractionHandler, interaction.client).complete(
                interaction, data["name"], focused["name"], str(focused["value"]), given
            )
        await interaction.response.autocomplete(choices_for(focused, found))


async def _answered_by_tree(interaction: Interaction, begun: str) -> list[Choice[str]]:
    """Tells the library that an option has autocompletion; `_Tree` answers before this would be called."""
    return []


def _name(named: Command | Parameter) -> locale_str:
    return locale_str(named.name, named=named)


def _text(text: Text) -> locale_str:
    return locale_str(Speech()(text), text=text)


def _by_name(commands: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Payloads of commands by name, without `dm_permission`, a field that `contexts` has replaced."""
    return {
        command["name"]: {key: value for key, value in command.items() if key != "dm_permission"}
        for command in commands
    }


def _same(ours: Any, theirs: Any) -> bool:
    """Whether Discord's payload has every value of ours.

    It may have fields that ours has not, except those of `_LEFT_OUT`. A value that is empty or false may be
    missing on either side, and a number may be its digits as text.
    """
    match ours:
        case Mapping():
            known = theirs if isinstance(theirs, Mapping) else {}
            return all(_same(ours.get(key), known.get(key)) for key in _LEFT_OUT.union(ours))
        case list():
            listed = theirs if isinstance(theirs, list) else []
            return len(ours) == len(listed) and all(map(_same, ours, listed))
        case _:
            return bool(ours == theirs) or not (ours or theirs) or str(ours) == str(theirs)
