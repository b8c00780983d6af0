"""Runs commands: checks arguments, asks for missing ones, calls the handler; takes typed words as a move.

May raise `Refused`, or `Refusal` if the table service refuses a change.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from bot.inbox.arguments.commands import COMMANDS, Command, Parameter, ParameterKind, command_named
from bot.inbox.arguments.typed_arguments import checked
from bot.inbox.commands.asking import ask_for_table, ask_for_value
from bot.inbox.context import Context
from bot.inbox.handlers.finished_games.analyses import analyse_command
from bot.inbox.handlers.finished_games.leaderboard import leaderboard_command
from bot.inbox.handlers.finished_games.profiles import profile_command
from bot.inbox.handlers.finished_games.replays import history_command, replay_command
from bot.inbox.handlers.game_rules import rules_command
from bot.inbox.handlers.help import help_command, help_page
from bot.inbox.handlers.privacy import forget_command, privacy_command
from bot.inbox.handlers.settings.place_settings import channel_command, language_command
from bot.inbox.handlers.settings.preferences import settings_command
from bot.inbox.handlers.tables.hints import hint_command
from bot.inbox.handlers.tables.joining import (
    cut_command,
    hand_command,
    join_command,
    show_command,
    start_command,
)
from bot.inbox.handlers.tables.leaving import leave_command
from bot.inbox.handlers.tables.opening import games_to_open, new_command, rematch_command
from bot.inbox.handlers.tables.order_commands import (
    bar_command,
    end_command,
    kick_command,
    owner_command,
    unbar_command,
)
from bot.inbox.handlers.tables.question_commands import sit_command, vote_command
from bot.inbox.handlers.tables.table_commands import (
    check_command,
    clock_command,
    computers_command,
    log_command,
    options_command,
    return_command,
    undo_command,
)
from bot.inbox.handlers.tables.watching import watch_command
from bot.inbox.handlers.tables.wishes import notify_command
from bot.inbox.lookup import Arguments, NoTable, SeveralTables, own_lobby, own_tables, table_of
from bot.inbox.moves.typed_moves import play_command, why_not_now
from bot.inbox.no_table import without_table
from bot.model.tables import Refused
from bot.nearest import did_you_mean, nearest
from bot.pages.table_page import cut_page
from bot.ports import Reply
from bot.tables.names.parsing import UnknownGame
from engines.game import Text
from engines.values import replace


async def run_command(context: Context, name: str, arguments: Arguments) -> Reply:
    """Checks a command's arguments and calls its handler; asks for a missing argument, game or table."""
    declared = command_named(name)
    if declared is None:
        raise Refused(_unknown_command(context, name))
    arguments = checked(declared, arguments, context.say)
    try:
        required = (each for each in declared.parameters if each.required)
        missing = (each for each in required if not arguments.get(each.name, "").strip())
        if parameter := next(missing, None):
            reply = await _ask(context, declared, parameter, arguments)
        else:
            reply = await _HANDLERS[declared.name](context, arguments)
    except SeveralTables as several:
        reply = ask_for_table(context, declared, arguments, several)
    except UnknownGame as unknown:
        reply = await _ask_for_game(context, declared, arguments, unknown)
    except NoTable as none:
        reply = await without_table(context, context.say(none.reason))
    return replace(reply, public=reply.public or not declared.personal)


async def _ask(context: Context, declared: Command, parameter: Parameter, arguments: Arguments) -> Reply:
    """Asks for a parameter that a command needs, with keys; where a move is missing, shows the cards.

    Raises `Refused` if there is nothing to offer.
    """
    match parameter.kind:
        case "game":
            return games_to_open(context)
        case "move":
            return await hand_command(context, arguments)
        case "words":
            table = await table_of(context, arguments, own_lobby(context))
            return Reply(page=cut_page(table, context.at(table).say, context.platform.limits))
    question = _QUESTIONS[parameter.kind]
    if offer := await ask_for_value(context, declared, parameter, arguments, question):
        return offer
    raise Refused(question)


async def _ask_for_game(
    context: Context, declared: Command, arguments: Arguments, unknown: UnknownGame
) -> Reply:
    """Asks which game a command means. Raises ``unknown`` if no game can be offered."""
    for parameter in declared.parameters:
        if parameter.kind == "game" and (
            offer := await ask_for_value(context, declared, parameter, arguments, unknown.reason)
        ):
            return replace(offer, notice=context.say(unknown.reason))
    raise unknown


def _unknown_command(context: Context, name: str) -> Text:
    """The refusal of a command that does not exist, with the one that may have been meant, else the help."""
    reason = Text("There is no command “{name}”.", name=name)
    commands = {spelled: command for command in COMMANDS for spelled in (command.name, command.spanish)}
    if similar := nearest(name, commands):
        return did_you_mean(reason, context.command(commands[similar].name))
    return Text("{reason} {help} lists them all.", reason=reason, help=context.command("help"))


async def play_words(context: Context, text: str) -> Reply:
    """Handles words that were taken for no key and no command: as a move if their sender is playing.

    Else replies why a move is not possible now, and what the sender can do.
    """
    own = await own_tables(context)
    if any(listing.status == "playing" for listing in own):
        return await run_command(context, "play", {"move": text})
    reason = await why_not_now(context, text)
    if reason and not own:
        return await without_table(context, reason)
    return replace(help_page(context), notice=reason)


_QUESTIONS: Mapping[ParameterKind, Text] = {
    "player": Text("Which player?"),
    "person": Text("Which player? You can also add a name or a mention to the command."),
    "language": Text("Which language?"),
}
"""The questions for required parameters whose values are offered."""

_HANDLERS: Mapping[str, Callable[[Context, Arguments], Awaitable[Reply]]] = {
    "new": new_command,
    "join": join_command,
    "cut": cut_command,
    "computers": computers_command,
    "options": options_command,
    "clock": clock_command,
    "start": start_command,
    "hand": hand_command,
    "play": play_command,
    "hint": hint_command,
    "undo": undo_command,
    "table": show_command,
    "watch": watch_command,
    "leave": leave_command,
    "return": return_command,
    "sit": sit_command,
    "vote": vote_command,
    "owner": owner_command,
    "kick": kick_command,
    "end": end_command,
    "bar": bar_command,
    "unbar": unbar_command,
    "notify": notify_command,
    "rematch": rematch_command,
    "check": check_command,
    "analyse": analyse_command,
    "history": history_command,
    "replay": replay_command,
    "log": log_command,
    "rules": rules_command,
    "leaderboard": leaderboard_command,
    "profile": profile_command,
    "language": language_command,
    "settings": settings_command,
    "privacy": privacy_command,
    "forget": forget_command,
    "channel": channel_command,
    "help": help_command,
}
"""The handler of each command, by its English name."""
