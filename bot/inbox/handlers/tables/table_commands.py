"""Handlers of a lobby's computers, clock and rules, of seats and moves taken back, of deals and logs.

Any may raise `Refused`, or `Refusal` if the table service refuses the change.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from bot.i18n import Speech
from bot.inbox.arguments.house_rules import house_rule, value_after
from bot.inbox.arguments.value_words import VANISH_WORDS, meant
from bot.inbox.context import Context, Refusal, Stale
from bot.inbox.handlers.hiding import hidden_at
from bot.inbox.lookup import Arguments, NotATable, last_finished, mine, own_game, own_lobby, table_of
from bot.model.ids import PersonId
from bot.model.tables import Refused, Vanish
from bot.nearest import by_words, wrong_value
from bot.pages.callback_data import parse_number
from bot.pages.clock_page import clock_page, clock_sentence
from bot.pages.table_page import (
    HINTS,
    LEVEL,
    PACE,
    check_page,
    computers_page,
    house_rules_page,
    log_lines,
    log_page,
)
from bot.ports import Reply
from bot.replays.export import game_file
from bot.replays.game_file import as_download
from bot.replays.readable import readable
from bot.settings.choices import Pace
from bot.tables import clocks, lobby, questions
from bot.tables.names.levels import LEVELS, level_named
from bot.tables.names.paces import PACES, pace_named
from bot.tables.names.parsing import CLOCK_LIMITS, clock_named, hints_named
from bot.tables.seating import playing_seat
from bot.tables.table import Table
from bot.tables.turn_clock import is_allowed
from engines.game import Level, Text
from engines.values import replace


def house_rules(context: Context, table: Table) -> Reply:
    """The page of a lobby's house rules; refused after the start."""
    if table.status != "lobby":
        raise Refused(Text("The game has already begun."))
    return Reply(page=house_rules_page(table, context.person.id, context.say, context.platform.limits))


async def set_option(context: Context, table: Table, option: str, value: str) -> Reply:
    """Sets a house rule of a lobby, and replies with the page of its house rules."""
    person = context.person.id
    after = await context.change(table, lambda table: lobby.set_option(table, person, option, value))
    return Reply(page=house_rules_page(after, person, context.say, context.platform.limits))


async def set_level(context: Context, table: Table, level: Level) -> Reply:
    """Sets the level of a lobby's computers, and replies with the page of its house rules."""
    person = context.person.id
    after = await context.change(table, lambda table: lobby.set_level(table, person, level))
    return Reply(page=house_rules_page(after, person, context.say, context.platform.limits))


async def set_hints(context: Context, table: Table, hints: bool) -> Reply:
    """Sets whether players of a lobby may ask for hints, and replies with the page of its house rules."""
    person = context.person.id
    after = await context.change(table, lambda table: lobby.set_hints(table, person, hints))
    return Reply(page=house_rules_page(after, person, context.say, context.platform.limits))


async def set_pace(context: Context, table: Table, pace: Pace) -> Reply:
    """Sets how fast a lobby's computers move, and replies with the page of its house rules."""
    person = context.person.id
    after = await context.change(table, lambda table: lobby.set_pace(table, person, pace))
    return Reply(page=house_rules_page(after, person, context.say, context.platform.limits))


def clock(context: Context, table: Table) -> Reply:
    """The page of a lobby's clock; after the start only its caption."""
    if table.status != "lobby":
        return Reply(context.say(clock_sentence(table.turn_seconds)))
    return Reply(page=clock_page(table, context.person.id, context.say, context.platform.limits))


async def set_clock(context: Context, table: Table, seconds: int | None, vanish: Vanish) -> Reply:
    """Sets a lobby's clock, and replies with its page."""
    person = context.person.id
    await context.service.check_clock(table.place, seconds, but=table.id)
    after = await context.change(table, lambda table: clocks.set_clock(table, person, seconds, vanish))
    return Reply(page=clock_page(after, person, context.say, context.platform.limits))


async def check(context: Context, table: Table) -> Reply:
    """The page for checking the deal: its whole fingerprint and, once the game is over, the seed."""
    hidden = await hidden_at(context, table) if table.may_show_seed else ()
    return Reply(page=check_page(table, _naming(context, table, hidden), context.platform.limits))


async def log(context: Context, table: Table, number: int | None = None) -> Reply:
    """The log of a table that is over, as a file; where pages fold, also as a page.

    As a page alone on a platform without files, or if ``number`` says which page, counted from 0.
    """
    table.must_be_over()
    table = await context.service.whole(table.id)
    limits, hidden = context.platform.limits, await hidden_at(context, table)
    page = log_page(table.id, await _log_lines(context, table, hidden), number or 0, limits)
    if limits.files and number is None:
        file = game_file(table, hidden)
        return Reply(file=as_download(file), page=page if limits.folds else None)
    return Reply(page=page)


async def _log_lines(context: Context, table: Table, hidden: Collection[PersonId]) -> Sequence[str]:
    """The events of a whole table that is over, without the names of ``hidden`` people."""
    if hidden and table.deal:
        # News of a seat taken over spells out both names, so `_naming` cannot hide them; a film can.
        return tuple(readable(await context.films.film(table.id, hidden), context.say))
    return log_lines(table, _naming(context, table, hidden))


def _naming(context: Context, table: Table, hidden: Collection[PersonId]) -> Speech:
    """The sender's speech, in which ``hidden`` people at a table have no names."""
    names = ("" if player.person in hidden else player.name for player in table.players)
    return replace(context.say, names=tuple(names))


async def return_seat(context: Context, table: Table) -> Reply:
    """Gives the sender the seat back that a computer holds for them."""
    person = context.person.id
    async with context.service.seats.one_more(person, table.id):
        after = await context.change(table, lambda table: lobby.come_back(table, person))
    return await context.shown(after, context.say(Text("You have your seat back.")))


async def undo_move(context: Context, table: Table, stamp: int | None = None) -> Reply:
    """Takes the sender's last move back, or asks the others for it.

    ``stamp`` is that of the button, if one was pressed. The button is outdated once the sender has moved or
    any move was taken back, so that a second press takes no other move back.
    """
    person = context.person.id

    def undone(table: Table) -> Table:
        seat = playing_seat(table, person)
        if stamp is not None and (stamp > table.stamp or table.acted_since(seat, stamp)):
            raise Stale
        return questions.ask_to_take_back(table, person)

    try:
        after = await context.change(table, undone)
    except Refusal as refusal:
        table = await context.service.table(table.id)
        return await context.shown(table, refusal.words, refused=True)
    notice = (
        Text("I've asked the others whether you may take your move back.")
        if after.question and after.question.kind == "undo"
        else Text("You took your move back. This game no longer counts on the leaderboard.")
    )
    return await context.shown(after, context.say(notice))


async def computers_command(context: Context, arguments: Arguments) -> Reply:
    """Sets the number of computer players and their level; without either, offers to add or remove one."""
    table = await table_of(context, arguments, own_lobby(context))
    context, person = context.at(table), context.person.id
    typed_number, typed_level = arguments.get("number", "").strip(), arguments.get("level", "").strip()
    level = level_named(typed_level) if typed_level else None
    number = parse_number(typed_number)
    if typed_number and number is None:
        raise Refused(Text("How many computers? Send a number."))
    if number is None and level is None:
        return Reply(page=computers_page(table, context.say, context.platform.limits))

    def changed(table: Table) -> Table:
        after = table if number is None else lobby.set_computers(table, person, number)
        return after if level is None else lobby.set_level(after, person, level)

    after = await context.change(table, changed)
    if level or number is None:
        return Reply(page=house_rules_page(after, context.person.id, context.say, context.platform.limits))
    return Reply(context.say(Text("Computers at the table: {n}.", n=number)), done=True)


async def clock_command(context: Context, arguments: Arguments) -> Reply:
    """Sets a lobby's clock and what becomes of players who vanish; without either, replies as `clock`."""
    typed, vanish = arguments.get("clock", "").strip(), arguments.get("vanish", "").strip()
    try:
        table = await table_of(context, arguments, own_lobby(context) if typed or vanish else mine(context))
    except NotATable as unknown:
        if typed or not unknown.number.isdecimal() or is_allowed(int(unknown.number)):
            raise
        # A typed number that no clock can have was taken for a table's.
        raise Refused(
            Text(
                "There is no table {n} here, and the clock can't be {n}. {limits}",
                n=unknown.number,
                limits=CLOCK_LIMITS,
            )
        ) from None
    context = context.at(table)
    if not (typed or vanish):
        return clock(context, table)
    seconds = clock_named(typed) if typed else table.clock
    return await set_clock(context, table, seconds, meant(VANISH_WORDS, vanish) or table.vanish)


async def options_command(context: Context, arguments: Arguments) -> Reply:
    """Sets a house rule, the pace or level of the computers, or whether there are hints.

    Without a rule, shows the page of all of these.
    """
    table = await table_of(context, arguments, own_lobby(context))
    context = context.at(table)
    if not (line := arguments.get("rule", "").strip()):
        return house_rules(context, table)
    line, say = " ".join(line.replace("=", " ").replace(":", " ").split()), context.say
    of_pace = value_after(Text("Computers' pace"), (PACE, "ritmo"), line)
    if value := of_pace:
        if (pace := pace_named(value)) is None:
            raise _wrong_value(value, line, (record.label for record in PACES.values()), say)
        return await set_pace(context, table, pace)
    # The name of the pace begins with that of the level.
    if of_pace is None and (value := value_after(Text("Computers"), (LEVEL, "nivel"), line)):
        if (level := level_named(value)) is None:
            raise _wrong_value(value, line, (record.label for record in LEVELS.values()), say)
        return await set_level(context, table, level)
    if value := value_after(Text("Hints"), (HINTS, "pistas"), line):
        return await set_hints(context, table, hints_named(value, _before(value, line), say))
    others = (Text("Computers"), Text("Computers' pace"), Text("Hints"))
    return await set_option(context, table, *house_rule(line, table.game, say, others))


def _before(value: str, line: str) -> str:
    """A line without the value at its end."""
    return line.removesuffix(value).strip()


def _wrong_value(value: str, line: str, labels: Iterable[Text], say: Speech) -> Refused:
    """The refusal of a value at the end of a line."""
    return Refused(wrong_value(_before(value, line), value, by_words(labels, say)))


async def check_command(context: Context, arguments: Arguments) -> Reply:
    """Shows how to check the deal of the game that ended last, or of an open table if none has ended."""
    try:
        table = await last_table(context)
    except Refused:
        if not await context.store.tables(context.caller.place):
            raise
        table = await table_of(context, arguments, mine(context))
    return await check(context.at(table), table)


async def log_command(context: Context, arguments: Arguments) -> Reply:
    """Shows the log of the game that ended last."""
    table = await last_table(context)
    return await log(context.at(table), table)


async def return_command(context: Context, arguments: Arguments) -> Reply:
    """Gives the sender their seat back."""
    table = await table_of(context, arguments, own_game(context))
    return await return_seat(context.at(table), table)


async def undo_command(context: Context, arguments: Arguments) -> Reply:
    """As `undo_move`, for the sender's running game."""
    table = await table_of(context, arguments, own_game(context))
    reply = await undo_move(context.at(table), table)
    return replace(reply, done=True, public=True)


async def last_table(context: Context) -> Table:
    """The table of the sender's place that ended last. Raises `Refused` if there is none.

    In a private chat in which none has ended, the table of the sender's last game on this platform.
    """
    last = await context.store.last_over(context.caller.place)
    if last is not None:
        return await context.service.table(last.game)
    if context.caller.private and (own := await last_finished(context)):
        return own
    raise Refused(Text("No game has ended here yet."))
