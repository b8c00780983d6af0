"""Handlers of questions among the players of a running game, and of their answers.

Any may raise `Refused`, or `Refusal` if the table service refuses the change.
"""

from __future__ import annotations

from bot.inbox.admission import must_be_welcome
from bot.inbox.arguments.value_words import ANSWER_WORDS, meant
from bot.inbox.context import Context
from bot.inbox.lookup import (
    Arguments,
    NotATable,
    SeveralTables,
    listing_of,
    own_game,
    seat_named,
    table_of,
)
from bot.inbox.reaching import how_cards_come
from bot.model.tables import Listing, Refused
from bot.pages.composer import Composer
from bot.pages.question_parts import question_keys, question_lines
from bot.ports import Page, Reply
from bot.tables import questions
from bot.tables.seating import playing_seat
from bot.tables.table import Table
from engines.game import Seat, Text


async def answer(context: Context, table: Table, n: int, yes: bool) -> Reply:
    """Answers the question that entry ``n`` asked, for the sender.

    A person who has taken too many seats since they asked for one is not let in.
    """
    question, person = table.question, context.person.id
    if yes and question and question.kind == "sit" and await context.service.seats.is_full(question.person):
        raise Refused(Text("{who} already plays at too many tables.", who=question.name))
    after = await context.change(table, lambda table: questions.vote(table, person, n, yes))
    return await context.shown(after, context.say(Text("Your answer counts.")))


async def sit_in(context: Context, table: Table, seat: Seat | None = None) -> Reply:
    """Asks the players of a running game whether the sender may play in a computer's place."""
    person, tokens = context.person, context.caller.tokens
    await must_be_welcome(context, table.place)
    async with context.service.seats.one_more(person.id, table.id):
        after = await context.change(
            table, lambda table: questions.ask_to_sit(table, person.id, person.name, seat, tokens)
        )
    cards, keys = await how_cards_come(context, after, await context.panels.requests.reach(after, person.id))
    notice = context.say(Text("I've asked the players. You'll get a seat if they agree."))
    return Reply(notice, Page.note(notice, cards, keys=keys) if keys else None)


async def ask_to_end(context: Context, table: Table) -> Reply:
    """Asks the other players whether the game may end; ends it if there are none."""
    person = context.person.id
    after = await context.change(table, lambda table: questions.ask_to_end(table, person))
    if after.status == "over":
        return Reply(context.say(Text("The table is closed.")), done=True)
    return await context.shown(after, context.say(Text("I've asked the others. The game ends if all agree.")))


async def vote_command(context: Context, arguments: Arguments) -> Reply:
    """Answers the open question of the sender's table; without an answer, shows the question."""
    person = context.person.id

    def is_asked(table: Table) -> bool:
        question = questions.open_question(table)
        return question is not None and table.seat_of(person) in questions.unanswered(table, question)

    table = await table_of(context, arguments, own_game(context), is_asked)
    context = context.at(table)
    seat = playing_seat(table, context.person.id)
    if (question := questions.open_question(table)) is None:
        raise Refused(Text("There is no open question at this table."))
    if typed := arguments.get("answer", "").strip():
        yes = meant(ANSWER_WORDS, typed)
        return await answer(context, table, question.n, yes is True)
    composer = Composer(table, context.say, context.platform.limits)
    return Reply(page=Page.note(*question_lines(composer), keys=(question_keys(composer, seat),)))


async def sit_command(context: Context, arguments: Arguments) -> Reply:
    """As `sit_in`, at a running table, for the seat that is named or else any."""
    arguments = await _with_table(context, arguments)
    table = await table_of(context, arguments, _is_running)
    context = context.at(table)
    typed = arguments.get("seat", "").strip()
    return await sit_in(context, table, await seat_named(context, table, typed) if typed else None)


async def _with_table(context: Context, arguments: Arguments) -> Arguments:
    """The arguments; a number typed for a seat becomes a table's, if a table has it and it can be no seat's.

    Among several tables it becomes a table's even if it could be a seat's.
    """
    typed = arguments.get("seat", "").strip()
    if not typed.isdecimal() or arguments.get("table", "").strip():
        return arguments
    try:
        listing = await listing_of(context, {}, _is_running)
        if 0 < int(typed) <= len(listing.seats):
            return arguments
    except SeveralTables:
        pass
    try:
        await listing_of(context, {"table": typed}, _is_running)
    except NotATable:
        return arguments
    return {"table": typed}


def _is_running(listing: Listing) -> bool:
    """Whether the game of a table is running."""
    return listing.status == "playing"
