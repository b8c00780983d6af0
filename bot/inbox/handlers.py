"""Handlers of commands, typed words, arrivals and departures; all but `depart` return the sender's reply.

Those of commands and typed words may raise `Refused`, or `Refusal` if the table service refuses a change.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress

from bot.inbox import place_settings
from bot.inbox.admission import must_be_welcome
from bot.inbox.analyses import analyse_command
from bot.inbox.asking import ask_for_table, ask_for_value
from bot.inbox.commands import COMMANDS, Command, Parameter, ParameterKind, command_named
from bot.inbox.context import Context
from bot.inbox.game_rules import rules_command
from bot.inbox.hints import hint_command
from bot.inbox.leaderboard import leaderboard_command
from bot.inbox.leaving import leave
from bot.inbox.lookup import (
    Arguments,
    NoTable,
    SeveralTables,
    joinable,
    mine,
    own_lobby,
    own_tables,
    readable,
    table_of,
)
from bot.inbox.no_table import without_table
from bot.inbox.opening import games_to_open, new_command, rematch
from bot.inbox.order_commands import (
    bar_command,
    end_command,
    kick_command,
    owner_command,
    unbar_command,
)
from bot.inbox.preferences import (
    change_preference,
    language_of,
    preferences_page,
    save_person,
)
from bot.inbox.privacy import forget_command, privacy_command
from bot.inbox.profiles import profile_command
from bot.inbox.question_commands import sit_command, vote_command
from bot.inbox.reaching import how_cards_come
from bot.inbox.replays import history_command, replay_command
from bot.inbox.table_commands import (
    check_command,
    clock_command,
    computers_command,
    last_table,
    log_command,
    options_command,
    return_command,
    undo_command,
)
from bot.inbox.typed_arguments import checked
from bot.inbox.typed_moves import play_command, why_not_now
from bot.inbox.value_words import READER_WORDS, meant
from bot.inbox.watching import send_watcher_away, watch_command
from bot.inbox.wishes import forget_wish, notify_command
from bot.model.ids import PUBLIC
from bot.model.tables import Refused
from bot.nearest import did_you_mean, nearest
from bot.pages.long_text import text_page
from bot.pages.player_page import brief
from bot.pages.table_page import cut_page
from bot.ports import Key, Page, Reply
from bot.tables import lobby
from bot.tables.parsing import UnknownGame
from bot.tables.seating import seat_of
from bot.tables.table import Table
from engines.game import Text
from engines.values import replace

log = logging.getLogger(__name__)


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
            return await _hand(context, arguments)
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
    """The refusal of a command that does not exist, with the one that its sender may have meant."""
    reason = Text("There is no command “{name}”.", name=name)
    commands = {spelled: command for command in COMMANDS for spelled in (command.name, command.spanish)}
    if similar := nearest(name, commands):
        return did_you_mean(reason, context.command(commands[similar].name))
    return Text("{reason} {help} lists them all.", reason=reason, help=context.command("help"))


async def play_words(context: Context, text: str) -> Reply:
    """Handles words that are no key and no command: as a move if their sender is playing.

    Else replies why a move is not possible now, and what the sender can do.
    """
    own = await own_tables(context)
    if any(listing.status == "playing" for listing in own):
        return await play_command(context, {"move": text})
    reason = await why_not_now(context, text)
    if reason and not own:
        return await without_table(context, reason)
    return replace(help_page(context), notice=reason)


async def arrive(context: Context) -> Reply:
    """Sends a person who has opened the private chat their panels and links to their tables, or else help."""
    own = await own_tables(context)
    say, keys, lacks_link = context.say, list[Key](), False
    for table in await readable(context, own):
        context.panels.note_action(table, context.person.id)
        await context.panels.reach(table, context.person.id, anew=True)
        if link := await context.panels.link(table, PUBLIC):
            keys.append(Key(say(Text("Back to {table}", table=_title(table))), url=link))
        else:
            lacks_link = lacks_link or not (await context.people.room(table.place)).private
    if not own:
        return help_page(context)
    lines = [say(Text("Here are your tables. Good luck!"))]
    if lacks_link:
        lines.append(say(Text("I have no link to your group. Find it in your list of chats to go back.")))
    return Reply(lines[0], Page.note(*lines, keys=tuple((key,) for key in keys)))


async def depart(context: Context) -> None:
    """Takes a person who has left a chat from all its tables; ends their watching and their wish."""
    chat = replace(context.caller.place, thread="")
    for listing in await context.service.store.tables_of(context.person.id):
        if replace(listing.place, thread="") != chat:
            continue
        # If one table refuses or cannot be read, the person must still leave the others.
        with suppress(Refused):
            await context.service.change(listing.game, lambda table: lobby.leave(table, context.person.id))
    await send_watcher_away(context, context.person.id, chat)
    await forget_wish(context)


async def join(context: Context, table: Table) -> Reply:
    """Seats the sender, and tells them how their cards will reach them."""
    person, tokens = context.person, context.caller.tokens
    await must_be_welcome(context, table.place)
    async with context.service.seats.one_more(person.id, table.id):
        after = await context.change(table, lambda table: lobby.join(table, person.id, person.name, tokens))
    context = context.at(after)
    reached = await context.panels.reach(after, person.id)
    cards, keys = await how_cards_come(context, after, reached)
    lines = (context.say(Text("You're sitting at {table}.", table=_title(after))), cards)
    if not context.platform.limits.pages:
        return Reply("\n".join(lines), Page.note(*lines, keys=keys), done=reached)
    return Reply(page=Page.note(*lines, keys=keys))


async def cut(context: Context, table: Table, words: str) -> Reply:
    """Cuts the deck with the sender's words."""
    person = context.person.id
    await context.change(table, lambda table: lobby.cut(table, person, words))
    return Reply(context.say(Text("You cut the deck.")), done=True)


async def hand(context: Context, table: Table) -> Reply:
    """Shows the sender their cards: on a page that only they see, else in the private chat.

    The reply links to the private chat if the sender has not opened it. Raises `Refused` without a seat.
    """
    seat_of(table, context.person.id)
    context, limits = context.at(table), context.platform.limits
    if limits.pages and not context.caller.private:
        return Reply(page=await context.page(table), hand_table=await context.hand_table(table))
    short = brief(table, context.person.id, context.say, limits)
    account = await context.people.account_of(context.person.id, context.platform.key)
    if account and account.reachable:
        await context.panels.repost(table, context.person.id)
        if context.caller.private:
            return Reply()
        return Reply(context.say(Text("Your cards are in our private chat.")), brief=short, public=True)
    link = context.platform.link()
    keys = ((Key(context.say(Text("Open our private chat")), url=link),),) if link else ()
    sentence = context.say(Text("Open our private chat: I'll send your cards there."))
    how = context.say(Text("To play, open our private chat."))
    if len(short) + 1 + len(how) <= limits.brief:
        # The brief has no keys of moves.
        short = f"{short} {how}"
    return Reply(sentence, Page.note(sentence, keys=keys), brief=short, public=True, hand_table=table.id)


async def _join(context: Context, arguments: Arguments) -> Reply:
    return await join(context, await table_of(context, arguments, joinable))


async def _cut(context: Context, arguments: Arguments) -> Reply:
    return await cut(context, await table_of(context, arguments, own_lobby(context)), arguments["words"])


async def _start(context: Context, arguments: Arguments) -> Reply:
    table = await table_of(context, arguments, own_lobby(context))
    person, moderator = context.person.id, context.caller.moderator
    await context.change(table, lambda table: lobby.start(table, person, moderator=moderator))
    return Reply(context.say(Text("The cards have been dealt.")), done=True)


async def _hand(context: Context, arguments: Arguments) -> Reply:
    return await hand(context, await table_of(context, arguments, mine(context)))


async def _show(context: Context, arguments: Arguments) -> Reply:
    """Posts a panel of the table that the command names again, at the bottom of its chat."""
    return await show(context, await table_of(context, arguments, lambda _listing: True))


async def show(context: Context, table: Table) -> Reply:
    """Posts a panel again: the sender's own if the table is private or elsewhere, else the public one."""
    elsewhere = table.place != context.caller.place
    if elsewhere or (await context.people.room(table.place)).private:
        seat_of(table, context.person.id)
        await context.panels.repost(table, context.person.id)
    else:
        await context.panels.repost(table, PUBLIC)
    return Reply(context.say(Text("Here it is.")), done=True)


async def _leave(context: Context, arguments: Arguments) -> Reply:
    table = await table_of(context, arguments, mine(context))
    reply = await leave(context.at(table), table)
    # A reply without a notice asks a question, which must be shown.
    return replace(reply, done=bool(reply.notice))


async def _rematch(context: Context, arguments: Arguments) -> Reply:
    return await rematch(context, await last_table(context))


async def _language(context: Context, arguments: Arguments) -> Reply:
    chosen = language_of(arguments["language"])
    if meant(READER_WORDS, arguments.get("for", "")) == "channel":
        if not (context.caller.moderator or context.caller.private):
            raise Refused(Text("Only a moderator can choose the language of the tables here."))
        await place_settings.choose(context, "channel", "language", chosen)
    else:
        async with context.changing_settings():
            person = replace(await context.people.newest_person(context.person.id), language=chosen)
            await save_person(context, person)
    return Reply(replace(context.say, locale=chosen)(Text("We speak English now.")))


async def _channel(context: Context, arguments: Arguments) -> Reply:
    return await place_settings.channel_command(context, arguments)


async def _settings(context: Context, arguments: Arguments) -> Reply:
    if name := arguments.get("setting"):
        return await change_preference(context, name, arguments.get("value", ""))
    return Reply(page=await preferences_page(context))


async def _help_command(context: Context, arguments: Arguments) -> Reply:
    return help_page(context)


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


def _title(table: Table) -> Text:
    return Text("{game}, table {n}", game=table.game.title, n=table.number)


_QUESTIONS: Mapping[ParameterKind, Text] = {
    "player": Text("Which player?"),
    "person": Text("Which player? You can also add a name or a mention to the command."),
    "language": Text("Which language?"),
}
"""The questions for required parameters whose values are offered."""

_HANDLERS: Mapping[str, Callable[[Context, Arguments], Awaitable[Reply]]] = {
    "new": new_command,
    "join": _join,
    "cut": _cut,
    "computers": computers_command,
    "options": options_command,
    "clock": clock_command,
    "start": _start,
    "hand": _hand,
    "play": play_command,
    "hint": hint_command,
    "undo": undo_command,
    "table": _show,
    "watch": watch_command,
    "leave": _leave,
    "return": return_command,
    "sit": sit_command,
    "vote": vote_command,
    "owner": owner_command,
    "kick": kick_command,
    "end": end_command,
    "bar": bar_command,
    "unbar": unbar_command,
    "notify": notify_command,
    "rematch": _rematch,
    "check": check_command,
    "analyse": analyse_command,
    "history": history_command,
    "replay": replay_command,
    "log": log_command,
    "rules": rules_command,
    "leaderboard": leaderboard_command,
    "profile": profile_command,
    "language": _language,
    "settings": _settings,
    "privacy": privacy_command,
    "forget": forget_command,
    "channel": _channel,
    "help": _help_command,
}
"""The handler of each command, by its English name."""
