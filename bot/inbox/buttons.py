"""Handles presses on buttons, but for those of players' menus, which `bot.inbox.moves.presses` handles.

Any press may raise `Refused`, or `Refusal` if the table service refuses the change.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from bot.inbox.arguments.commands import command_named
from bot.inbox.arguments.typed_arguments import arguments
from bot.inbox.arguments.value_words import ANSWER_WORDS, meant
from bot.inbox.commands.run_command import run_command
from bot.inbox.confirming import still_holds
from bot.inbox.context import OUTDATED, Context
from bot.inbox.handlers import game_rules, privacy
from bot.inbox.handlers.finished_games import leaderboard, replays
from bot.inbox.handlers.finished_games.analyses import analyse
from bot.inbox.handlers.help import help_page
from bot.inbox.handlers.settings import place_settings
from bot.inbox.handlers.settings.preferences import change_preference
from bot.inbox.handlers.tables import (
    joining,
    opening,
    order_commands,
    question_commands,
    table_commands,
    watching,
)
from bot.inbox.handlers.tables.hints import hint
from bot.inbox.handlers.tables.leaving import leave
from bot.inbox.moves.menus import MENU_ACTIONS
from bot.inbox.moves.presses import press_menu
from bot.inbox.pending_confirmations import PendingConfirmations
from bot.model.ids import PersonId
from bot.model.tables import Refused
from bot.pages.callback_data import CallbackData, parse_number
from bot.pages.clock_page import USUAL
from bot.pages.table_page import HINTS, LEVEL, PACE
from bot.ports import NO_GAME, Action, Reply
from bot.tables import lobby
from bot.tables.names.levels import level_named
from bot.tables.names.paces import pace_named
from bot.tables.table import Table
from engines import games
from engines.game import Text
from engines.values import Value, replace

CUT_QUESTION = Text("A few words to cut the deck with")
"""The question that a sender answers before the deck is cut."""

_MODERATED: frozenset[Action] = frozenset(
    ("place", "speak", "unbar", "command", "open", "rematch", "start", "end", "end_sure")
)
"""The actions by which moderators may do more than other senders."""

_PRIVATE: frozenset[Action] = frozenset(("hand", "hint"))
"""The actions in `_HANDLERS` whose replies are private unless the handler makes them public.

The replies of all others in `_HANDLERS` are public.
"""


def asks_for_words(data: str) -> bool:
    """Whether a button asks for words before its press is sent."""
    callback = CallbackData.parse(data)
    return callback is not None and callback.action == "cut"


def depends_on_moderator(data: str) -> bool:
    """Whether moderators may do more with this press; an adapter then looks up whether the sender is one."""
    callback = CallbackData.parse(data)
    return callback is not None and callback.action in _MODERATED


async def press(context: Context, data: str, answer: str) -> Reply:
    """Answers a press; ``answer`` holds the words that the sender typed if the button asks for words."""
    callback = CallbackData.parse(data)
    if callback is None:
        raise Refused(OUTDATED)
    if callback.action == "command":
        return await _run_command(context, callback)
    if callback.game == NO_GAME:
        return await _press_page(context, callback)
    table = await context.present(await context.service.table(callback.game))
    context = context.at(table)
    context.panels.alerts.note_action(table, context.person.id)
    if callback.action in MENU_ACTIONS:
        return await press_menu(context, table, callback)
    if (handler := _HANDLERS.get(callback.action)) is None:
        raise Refused(OUTDATED)
    reply = await handler(context, table, callback, answer)
    return replace(reply, public=reply.public or callback.action not in _PRIVATE)


async def _run_command(context: Context, callback: CallbackData) -> Reply:
    """Runs the command in a button's words, for the table of the button.

    Unlike a command sent again, a second press of the button confirms nothing.
    """
    name, _, line = callback.words.partition(" ")
    if (declared := command_named(name)) is None:
        raise Refused(OUTDATED)
    table = {} if callback.game == NO_GAME else {"table": callback.game}
    context = replace(context, confirmations=PendingConfirmations())
    return await run_command(context, name, {**arguments(declared, line), **table})


async def _press_page(context: Context, callback: CallbackData) -> Reply:
    """Handles a press on a button that belongs to no table."""
    match callback.action, callback.words.split():
        case "open", [key] if key in games():
            return await run_command(context, "new", {"game": key})
        case "rules", [key, number] if key in games() and (page := parse_number(number)) is not None:
            return game_rules.rules_of(context, key, page)
        case "rules", []:
            return game_rules.which_rules(context)
        case "set", [name]:
            return await change_preference(context, name, "")
        case "set", [name, value]:
            return await change_preference(context, name, value)
        case "place", [extent, *chosen]:
            return await place_settings.press(context, extent, chosen)
        case "speak", [language]:
            return await place_settings.answer_language(context, language)
        case "history", _:
            return await replays.turn_page(context, callback.words)
        case "unbar", [person]:
            return await order_commands.unbar(context, person)
        case "commands", [number] if (page := parse_number(number)) is not None:
            return help_page(context, page)
        case "board", words if reply := await leaderboard.press_leaderboard(context, words):
            return reply
        case "boards", words if reply := leaderboard.press_leaderboards(context, words):
            return reply
        case "forget", [person, asked_at]:
            return await privacy.forget(context, person, asked_at)
        case _:
            raise Refused(OUTDATED)


class _Change(Value):
    """A handler that applies one transition to the table, such as adding a computer."""

    transition: Callable[[Table, PersonId], Table]

    async def __call__(self, context: Context, table: Table, callback: CallbackData, answer: str) -> Reply:
        after = await context.change(table, lambda table: self.transition(table, context.person.id))
        return await context.shown(after)


async def _join(context: Context, table: Table, callback: CallbackData, answer: str) -> Reply:
    return await joining.join(context, table)


async def _start(context: Context, table: Table, callback: CallbackData, answer: str) -> Reply:
    person, moderator = context.person.id, context.caller.moderator
    after = await context.change(table, lambda table: lobby.start(table, person, moderator=moderator))
    return await context.shown(after)


async def _leave(context: Context, table: Table, callback: CallbackData, answer: str) -> Reply:
    return await leave(context, table)


async def _leave_sure(context: Context, table: Table, callback: CallbackData, answer: str) -> Reply:
    """Leaves after confirmation; the button's words are the player who was asked, and the time."""
    person, _, asked_at = callback.words.partition(" ")
    if person != context.person.id:
        raise Refused(Text("That question was for another player."))
    return await leave(context, table, asked_at)


async def _cut(context: Context, table: Table, callback: CallbackData, answer: str) -> Reply:
    if not answer.strip():
        # A sender who may not cut at all is told so, instead of how to cut.
        lobby.cutting_seat(table, context.person.id)
        raise Refused(
            Text("To cut the deck, send {cut} and a few words of your own.", cut=context.command("cut"))
        )
    return await joining.cut(context, table, answer)


async def _hand(context: Context, table: Table, callback: CallbackData, answer: str) -> Reply:
    return await joining.hand(context, table)


async def _help(context: Context, table: Table, callback: CallbackData, answer: str) -> Reply:
    return game_rules.rules_of(context, table.key, 0)


async def _watch(context: Context, table: Table, callback: CallbackData, answer: str) -> Reply:
    return await watching.look_again(context, table)


async def _unwatch(context: Context, table: Table, callback: CallbackData, answer: str) -> Reply:
    return await watching.stop_watching(context, table)


async def _rematch(context: Context, table: Table, callback: CallbackData, answer: str) -> Reply:
    return await opening.rematch(context, table)


async def _house_rules(context: Context, table: Table, callback: CallbackData, answer: str) -> Reply:
    return table_commands.house_rules(context, table)


async def _set_rule(context: Context, table: Table, callback: CallbackData, answer: str) -> Reply:
    """Sets a house rule by the indices of rule and value; the computers' level or pace, or hints, by name."""
    about, _, value_word = callback.words.partition(" ")
    if about == LEVEL and (level := level_named(value_word)):
        return await table_commands.set_level(context, table, level)
    if about == PACE and (pace := pace_named(value_word)):
        return await table_commands.set_pace(context, table, pace)
    if about == HINTS and (hints := meant(ANSWER_WORDS, value_word)) is not None:
        return await table_commands.set_hints(context, table, hints)
    numbers = tuple(map(parse_number, callback.words.split()))
    options = table.game.options
    match numbers:
        case int(option), int(value) if option < len(options) and value < len(options[option].values):
            pass
        case _:
            raise Refused(OUTDATED)
    name, chosen = options[option].name, list(options[option].values)[value]
    return await table_commands.set_option(context, table, name, chosen)


async def _analyse(context: Context, table: Table, callback: CallbackData, answer: str) -> Reply:
    return await analyse(context, table)


class _Answer(Value):
    """A handler that answers a question; the button's words are the number of the entry that asked it."""

    yes: bool

    async def __call__(self, context: Context, table: Table, callback: CallbackData, answer: str) -> Reply:
        if (n := parse_number(callback.words)) is None:
            raise Refused(OUTDATED)
        return await question_commands.answer(context, table, n, self.yes)


async def _show(context: Context, table: Table, callback: CallbackData, answer: str) -> Reply:
    return await joining.show(context, table)


async def _end(context: Context, table: Table, callback: CallbackData, answer: str) -> Reply:
    return order_commands.ask_whether_to_end(context, table)


async def _end_sure(context: Context, table: Table, callback: CallbackData, answer: str) -> Reply:
    """Closes the table, or asks again; the button's words are the time of the question."""
    if not still_holds(context, table, callback.words):
        return order_commands.ask_whether_to_end(context, table, again=True)
    return await order_commands.end(context, table)


async def _sit(context: Context, table: Table, callback: CallbackData, answer: str) -> Reply:
    return await question_commands.sit_in(context, table)


async def _clock(context: Context, table: Table, callback: CallbackData, answer: str) -> Reply:
    return table_commands.clock(context, table)


async def _set_clock(context: Context, table: Table, callback: CallbackData, answer: str) -> Reply:
    """Sets the clock; the button's words are its seconds or `USUAL`, and the fate of players who vanish."""
    match callback.words.split():
        case [clock, ("computer" | "forfeit") as vanish]:
            seconds = None if clock == USUAL else parse_number(clock)
        case _:
            raise Refused(OUTDATED)
    if seconds is None and clock != USUAL:
        raise Refused(OUTDATED)
    return await table_commands.set_clock(context, table, seconds, vanish)


async def _return_seat(context: Context, table: Table, callback: CallbackData, answer: str) -> Reply:
    return await table_commands.return_seat(context, table)


async def _undo(context: Context, table: Table, callback: CallbackData, answer: str) -> Reply:
    return await table_commands.undo_move(context, table, callback.stamp)


async def _hint(context: Context, table: Table, callback: CallbackData, answer: str) -> Reply:
    return await hint(context, table)


async def _check(context: Context, table: Table, callback: CallbackData, answer: str) -> Reply:
    return await table_commands.check(context, table)


async def _replay(context: Context, table: Table, callback: CallbackData, answer: str) -> Reply:
    return await replays.replay(context, table.id, callback.words)


async def _export(context: Context, table: Table, callback: CallbackData, answer: str) -> Reply:
    return await replays.export(context, table, callback.words)


async def _log(context: Context, table: Table, callback: CallbackData, answer: str) -> Reply:
    return await table_commands.log(context, table, parse_number(callback.words))


_HANDLERS: Mapping[Action, Callable[[Context, Table, CallbackData, str], Awaitable[Reply]]] = {
    "join": _join,
    "leave": _leave,
    "leave_sure": _leave_sure,
    "show": _show,
    "end": _end,
    "end_sure": _end_sure,
    "back": _return_seat,
    "undo": _undo,
    "hint": _hint,
    "add_computer": _Change(lobby.add_computer),
    "remove_computer": _Change(lobby.remove_computer),
    "start": _start,
    "cut": _cut,
    "hand": _hand,
    "help": _help,
    "watch": _watch,
    "unwatch": _unwatch,
    "rematch": _rematch,
    "house_rules": _house_rules,
    "set_rule": _set_rule,
    "clock": _clock,
    "set_clock": _set_clock,
    "check": _check,
    "log": _log,
    "analyse": _analyse,
    "replay": _replay,
    "export": _export,
    "sit": _sit,
    "agree": _Answer(yes=True),
    "refuse": _Answer(yes=False),
}
