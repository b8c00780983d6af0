"""Handlers that open tables: a new one, and a rematch."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager

from bot.inbox.admission import (
    must_allow_games,
    must_allow_posting,
    must_be_allowed_to_open,
    must_be_welcome,
)
from bot.inbox.arguments.house_rules import house_rules
from bot.inbox.arguments.value_words import VANISH_WORDS, meant
from bot.inbox.context import Context
from bot.inbox.handlers.settings import place_settings
from bot.inbox.handlers.tables.table_commands import last_table
from bot.inbox.lookup import Arguments
from bot.inbox.reaching import panel_keys
from bot.model.ids import PersonId
from bot.model.places import Place, RoomSettings
from bot.model.tables import Refused
from bot.pages.callback_data import parse_number
from bot.pages.seat_counts import players_caption
from bot.ports import Key, Page, Reply
from bot.table_service.seat_limit import SeatsFull
from bot.tables import lobby
from bot.tables.log.table_state import AnyGame
from bot.tables.names.levels import level_named
from bot.tables.names.parsing import (
    clock_named,
    game_named,
    guests_from,
    hints_from,
    pace_from,
)
from bot.tables.table import Table
from engines import games
from engines.game import Text


def games_to_open(context: Context) -> Reply:
    """The question which game to open a table for, with a key for each game."""
    keys = [Key(context.say(game.title), "open", key, offer=True) for key, game in games().items()]
    return Reply(page=Page.note(context.say(Text("Which game?")), keys=(tuple(keys),)), here=True)


async def new_command(context: Context, arguments: Arguments) -> Reply:
    """Opens a table for the sender. Raises `Refused`, also if they open too many."""
    must_allow_posting(context)
    with context.one_new_table():
        return await _open(context, arguments)


async def _open(context: Context, arguments: Arguments) -> Reply:
    """Opens a table and seats the sender. Raises `Refused`.

    If the table is not for named guests alone, the people who want to hear of new tables are invited.
    """
    settings, person = await must_be_allowed_to_open(context), context.person
    await place_settings.learn_language(context, settings)
    game = game_named(arguments["game"], context.say)
    guests, seats = _guests_and_seats(context, arguments, game)
    level = level_named(arguments.get("level", "")) or "normal"
    clock = clock_named(arguments["clock"]) if arguments.get("clock", "").strip() else settings.clock
    vanish = meant(VANISH_WORDS, arguments.get("vanish", "")) or "computer"
    hints, rules = hints_from(arguments.get("rules", "").split(), context.say)
    pace, rules = pace_from(rules, context.say)
    options = house_rules(rules, game, context.say)

    def made(number: int, place: Place) -> Table:
        table = Table.open(
            game.key,
            options,
            place=place,
            number=number,
            planned_seats=seats,
            level=level,
            hints=hints,
            pace=pace,
            owner=person.id,
            guests=guests,
            clock=clock,
            vanish=vanish,
        )
        return lobby.join(table, person.id, person.name)

    async with context.service.seats.one_more(person.id), _place_for(context, settings, game) as place:
        table = await context.open(place, lambda number: made(number, place))
    if not guests:
        # People who asked in the channel to be told of tables may not be members of this private thread.
        here = await context.people.room(context.caller.place)
        wishes = here.wishes if context.caller.members_only else settings.wishes
        context.panels.invitations.invite(
            table, [wisher for wisher in wishes if wisher != person.id], context.caller.place_name
        )
    context = context.at(table)
    if context.caller.private:
        await context.panels.requests.reach(table, person.id)
        return Reply()
    return await _answer(context, table, settings)


def _guests_and_seats(context: Context, arguments: Arguments, game: AnyGame) -> tuple[tuple[str, ...], int]:
    """The mentions of the only people who may join, and the number of seats; 0 if neither was typed.

    Raises `Refused`.
    """
    typed = arguments.get("players", "").strip()
    seats, others, guests = parse_number(typed) if typed else 0, 0, guests_from(arguments.get("with", ""))
    if guests:
        # The opener may leave and come back, though another player owns the table by then.
        guests = tuple(dict.fromkeys((*guests, *context.caller.tokens[:1])))
        others = len(set(guests) - set(context.caller.tokens))
        seats = seats if typed else max(others + 1, game.seats[0])
    if (typed or guests) and (seats not in game.seats or others + 1 > game.seats[-1]):
        raise Refused(Text("{game} is for {players}.", game=game.title, players=players_caption(game.seats)))
    return guests, seats or 0


async def _answer(context: Context, table: Table, settings: RoomSettings) -> Reply:
    """Tells the sender that their table is open, and its warnings.

    If their cards cannot reach them, asks them to open the private chat, if that has an address. Sometimes
    also asks which language the tables should speak.
    """
    reached = await context.panels.requests.reach(table, context.person.id)
    sentence = _opened_sentence(context, table, settings)
    lines, keys, must_be_read = [sentence], list(await panel_keys(context, table)), False
    if warned := [context.say(text) for text in lobby.warnings(table)]:
        lines, must_be_read = [*lines, *warned], True
    if not reached and (link := context.platform.link()):
        lines.append(context.say(Text("Open our private chat: I'll send your cards there.")))
        keys, must_be_read = [(Key(context.say(Text("Open our private chat")), url=link),)], True
    if question := await place_settings.language_question(context, settings):
        lines.append(question)
        keys.append(place_settings.language_keys())
        must_be_read = True
    # With a warning, a link or a question that must be read, the reply says more than the table shows.
    return Reply(
        sentence, Page.note(*lines, keys=tuple(keys)) if keys or warned else None, done=not must_be_read
    )


@asynccontextmanager
async def _place_for(context: Context, settings: RoomSettings, game: AnyGame) -> AsyncIterator[Place]:
    """Where a new table of the sender's is opened: in a thread of its own, or in the sender's place.

    The thread is given up if the table cannot be opened.
    """
    here, thread = context.caller.place, None
    if settings.threads and context.caller.threads:
        await context.service.bounds.check_place(context.store, here)
        thread = await context.panels.threads.open(here, game, context.person.name)
    try:
        yield thread or here
    except BaseException:
        if thread:
            await context.panels.threads.give_up(thread)
        raise


def _opened_sentence(context: Context, table: Table, settings: RoomSettings) -> str:
    """The sentence that a table is open, and where the others join it."""
    if table.place != context.caller.place:
        return context.say(Text("Your table is open, in a thread of its own. The others press Join."))
    sentence = context.worded(
        Text("Your table is open. The others press Join."),
        Text("Your table is open. The others type {join}.", join=context.command("join")),
    )
    if settings.threads and not context.caller.channel and context.platform.limits.threads:
        return f"{sentence} {context.say(_NO_THREAD if context.caller.threads else _NOT_ALLOWED)}"
    return sentence


_NO_THREAD = Text("I couldn't open a thread for it this time.")
_NOT_ALLOWED = Text("I couldn't open a thread for it: I need the “Create Public Threads” permission.")


async def rematch(context: Context, table: Table) -> Reply:
    """Opens a rematch for the players who are still at a table. Raises `Refused`."""
    must_allow_posting(context)
    person, seats = context.person.id, context.service.seats
    others = {player.person for player in table.players if player.person} - {person}
    settings = await must_be_welcome(context, table.place)
    must_allow_games(context, settings, table.place)
    with context.one_new_table():
        async with seats.one_more(person):
            try:
                await _follow(context, table, others, settings.barred)
            except SeatsFull as full:
                if full.person == person:
                    raise
                # Another process has just seated one of the others elsewhere.
                await _follow(context, table, others, settings.barred)
    return Reply(
        context.say(Text("There's a new table for the rematch. Start when everyone is ready.")), done=True
    )


async def _follow(
    context: Context, table: Table, others: Collection[PersonId], barred: Collection[PersonId]
) -> None:
    """Opens a rematch without the players who are barred or sit at too many tables.

    Raises `SeatsFull` if another process has seated one of the players meanwhile.
    """
    person, seats = context.person.id, context.service.seats
    out = [other for other in others if other in barred or await seats.is_full(other)]
    await context.follow(table, lambda table, number: lobby.rematch(table, person, number, without=out))


async def rematch_command(context: Context, arguments: Arguments) -> Reply:
    """Opens a rematch of the table that `last_table` finds."""
    return await rematch(context, await last_table(context))
