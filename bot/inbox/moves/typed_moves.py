"""Handles moves that players type.

Any handler may raise `Refused`, or `Refusal` if the table service refuses the move.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence

from bot.errors import origin
from bot.i18n import Speech
from bot.inbox.arguments.commands import COMMANDS
from bot.inbox.context import Context
from bot.inbox.handlers.tables.joining import hand_command
from bot.inbox.lookup import (
    Arguments,
    NoTable,
    last_finished,
    only_turn,
    own_game,
    own_games,
    own_tables,
    readable,
    table_of,
)
from bot.model.ids import PersonId
from bot.model.panels import Draft
from bot.model.tables import Refused
from bot.pages.menus.menu import resumed
from bot.pages.menus.move_reading import begins_with_verb, corrected, impossible_verb, read, unfinished
from bot.ports import Reply
from bot.tables.seating import playing_seat, seat_of
from bot.tables.table import Table
from engines.game import IllegalMove, Move, Seat, Text

log = logging.getLogger(__name__)


async def play_command(context: Context, arguments: Arguments) -> Reply:
    """Makes the move that the sender has typed.

    Asks for the rest of an unfinished move, and for confirmation of one that cannot be undone. A line that
    is only the number of a table is answered with the cards there, as a command without a move is.
    """
    if not arguments.get("table", "").strip():
        arguments = await _with_table(context, arguments)
        if not arguments["move"]:
            return await hand_command(context, arguments)
    try:
        table = await table_of(context, arguments, own_game(context))
    except NoTable:
        # The sender may not know that the game has just ended.
        if (last := await last_finished(context)) is None:
            raise
        try:
            playing_seat(last, context.person.id)
        except Refused as over:
            raise NoTable(context, over.reason) from None
        raise
    context = context.at(table)
    person = context.person.id
    draft, before = await context.drafts.read(table, person), table
    asking: Draft | None = None

    def played(table: Table) -> Table:
        nonlocal before, asking
        before, seat, asking = table, playing_seat(table, person), None
        reading = read(table.game, table.state, seat, arguments["move"], context.say)
        if begun := unfinished(table, seat, reading):
            asking = Draft(table.stamp, begun)
            return table
        after = _must_play(table, seat, reading.action, context)
        words = _words_of(table, after, seat)
        sure = Draft(table.stamp, words, asked=True)
        if is_final(table, person, words) and resumed(table, seat, draft) != sure:
            asking = sure
            return table
        return after

    after = await context.change(table, played)
    if asking:
        return await _ask(context, after, asking, is_shown=asking == draft)
    if context.caller.private and not context.platform.limits.edits:
        # The next page is a new message, whose news tells the move.
        return Reply(done=True)
    # The move may name cards that only its player knows.
    return Reply(_played_caption(before, after, context), done=True)


async def _with_table(context: Context, arguments: Arguments) -> Arguments:
    """The arguments with the table that a typed line must be for; with no table if it may be for several.

    A line that is a possible move at only one table is for that table, unless the sender plays the same game
    at another table too. If it is a possible move at no table, but ends with a table's number, it is for that
    table if the words before the number are a possible move there, or if there are none; these words are then
    the move. Any other line is for the only one of several tables at which the sender may move.
    """
    tables, line = await own_games(context), arguments["move"].strip()
    move, _, number = line.rpartition(" ")
    if len(tables) < 2 and not number.isdecimal():
        return arguments
    if not (fitting := [table for table in tables if _is_possible(context, table, line)]):
        named = [table for table in tables if str(table.number) == number]
        if len(named) == 1 and (not move or _is_possible(context, named[0], move)):
            return {**arguments, "move": move, "table": named[0].id}
    if len(fitting) == 1 and [table.key for table in tables].count(fitting[0].key) == 1:
        return {**arguments, "table": fitting[0].id}
    return {**arguments, "table": await only_turn(context)}


def _is_possible(context: Context, table: Table, line: str) -> bool:
    """Whether a line is a move, or begins one, that the sender can make now at a table."""
    try:
        seat = playing_seat(table, context.person.id)
        reading = read(table.game, table.state, seat, line, context.at(table).say)
        return bool(unfinished(table, seat, reading)) or bool(table.play(seat, reading.action))
    except (Refused, IllegalMove):
        return False
    except Exception as error:
        # A game that fails costs only its own table.
        log.error("table %s cannot read a line: %s", table.id, origin(error))
        return False


async def why_not_now(context: Context, text: str) -> str:
    """Why the sender may not make a typed move at one of their tables or in their last game.

    Empty if the words are no move, or the sender may make it.
    """
    last = await last_finished(context)
    for table in (*await readable(context, await own_tables(context)), *((last,) if last else ())):
        seat, say = table.seat_of(context.person.id), context.at(table).say
        if seat is None or not _is_move(table, seat, text, say):
            continue
        try:
            playing_seat(table, context.person.id)
        except Refused as refused:
            return say(refused.reason)
    return ""


def _is_move(table: Table, seat: Seat, text: str, say: Speech) -> bool:
    """Whether a line begins with a verb of a table's game, or with a verb's label if the game has a state."""
    if table.state is None:
        return text.split()[:1] in ([verb] for verb in table.game.verbs)
    return begins_with_verb(table.game, table.view(seat), text, say)


def _must_play(table: Table, seat: Seat, action: str, context: Context) -> Table:
    """The table after a typed move.

    Raises `Refused` or `IllegalMove`. For an unknown action the reason of the latter is one by `corrected` or
    `impossible_verb`, if they have any.
    """
    try:
        return table.play(seat, action)
    except IllegalMove as illegal:
        if illegal.code != "unknown-action":
            raise
        commands = [command.called(context.say.locale) for command in COMMANDS]
        game, state, say = table.game, table.state, context.say
        reason = corrected(game, state, seat, action, say, illegal.reason, commands)
        if not (reason := reason or impossible_verb(game, state, seat, action, say)):
            raise
        raise IllegalMove(illegal.code, reason) from None


def is_final(table: Table, person: PersonId, words: Sequence[str]) -> bool:
    """Whether a move cannot be undone."""
    if not words:
        return False
    move = Move(words[0], tuple(words[1:]))
    return table.game.style(table.view(seat_of(table, person)), move) == "danger"


def _words_of(before: Table, after: Table, seat: Seat) -> tuple[str, ...]:
    """The words of the move that a seat has made at a table, as the game spells it; empty if it made none.

    ``before`` and ``after`` are the table before and after the delivery.
    """
    entry = after.move_at(before.stamp)
    return tuple(str(entry.body["move"]).split()) if entry and entry.seat == seat else ()


async def _ask(context: Context, table: Table, draft: Draft, *, is_shown: bool) -> Reply:
    """Asks for the rest of an unfinished move, or for confirmation of a whole one, and shows the choices.

    The reply shows them; but in a private chat where messages are edited, the panel does. If it shows them
    already (``is_shown``), it is posted anew, below the line that the sender has typed again.
    """
    person, in_panel = context.person.id, context.caller.private and context.platform.limits.edits
    await context.drafts.change(table, person, lambda _: draft)
    if in_panel and is_shown:
        await context.panels.requests.repost(table, person)
    else:
        context.panels.queue(table, person)
    label = table.game.label(table.view(playing_seat(table, person)), draft.path, context.say)
    confirmation = Text("Play “{move}”?", move=label)
    question = confirmation if draft.asked else Text("Finish your move: {begun} …", begun=label)
    return Reply(context.say(question), None if in_panel else await context.page(table))


def _played_caption(before: Table, after: Table, context: Context) -> str:
    """Says which move the sender has played, in the words of its button; “Done.” if that fails."""
    seat = playing_seat(before, context.person.id)
    if not (words := _words_of(before, after, seat)):
        return context.say(Text("Done."))
    try:
        move = before.game.label(before.view(seat), words, context.say)
    except Exception as error:
        log.error("table %s cannot say a move: %s", after.id, origin(error))
        return context.say(Text("Done."))
    return context.say(Text("You played: {move}", move=move))
