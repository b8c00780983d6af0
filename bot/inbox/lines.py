"""Carries out typed lines: presses of keys offered to the sender, commands, moves, answers to questions.

The memory of the keys is lost at a restart; a number is then answered with the current keys.
"""

from __future__ import annotations

import logging
from collections import OrderedDict
from contextlib import suppress

from bot.errors import origin
from bot.inbox import buttons
from bot.inbox.commands.run_command import play_words, run_command
from bot.inbox.context import Context, Refusal
from bot.inbox.lookup import only_turn, own_tables, readable
from bot.inbox.moves.menus import Called, MenuReader, Menus, NoKey, Pressed, command_in, trim
from bot.model.tables import Refused
from bot.pages.callback_data import data_of
from bot.pages.menus.move_reading import begins_with_verb
from bot.pages.table_page import public_page
from bot.ports import Key, Reply
from bot.tables.lobby import cutting_seat

log = logging.getLogger(__name__)

_DATA_ROOM = 400
"""Bytes of the callback data of a key that a line presses; no platform limits it, since it is not sent."""


class LineReader:
    """Reads the lines of all senders."""

    def __init__(self, menus: Menus) -> None:
        self._menus = menus
        self._questions: OrderedDict[tuple[str, str], tuple[MenuReader, Key]] = OrderedDict()
        """By the sender's platform and user id: the `_reader` of the line that pressed a key, and the key.

        `_question` says which line answers the key's question.
        """
        self._deliveries_read: OrderedDict[str, None] = OrderedDict()
        """The deliveries read without an error; read again, a number could press a key of a later menu."""

    async def read(self, context: Context, text: str) -> Reply:
        """Carries out a line; a delivery is read again only if it raised an error, such as a refusal."""
        if context.delivery in self._deliveries_read:
            return Reply()
        reply = await (self._counted if context.caller.private else self._reply)(context, text.strip())
        if context.delivery:
            self._deliveries_read[context.delivery] = None
            trim(self._deliveries_read, context.delivery)
        return reply

    async def _counted(self, context: Context, text: str) -> Reply:
        """As `_reply`; counts the line and its answer among the messages of the private chat."""
        count, person, is_answered = context.panels.private_chats.count, context.person.id, True
        count(person)
        try:
            reply = await self._reply(context, text)
            is_answered = bool(reply.notice or reply.page)
        finally:
            if is_answered:
                count(person)
        return reply

    async def _reply(self, context: Context, text: str) -> Reply:
        sign, reader = context.platform.limits.sign, _reader(context)
        line = text.removeprefix(sign).strip()
        signed = line != text
        if not line:
            return await _current_page(context, "")
        question = self._question(context)
        if question and not (signed and command_in(line)):
            return await self._answer(context, question, line)
        match self._menus.read(reader, line):
            case Pressed(keys):
                turn = await only_turn(context) if len(keys) > 1 else ""
                return await self._press(context, next((key for key in keys if key.game == turn), keys[0]))
            case NoKey(reason):
                return await _current_page(context, context.say(reason))
            case Called(called, arguments) if signed or not await _begins_move(context, line):
                return await run_command(context, called.name, arguments)
        if signed:
            return await run_command(context, line.split()[0], {})
        return await play_words(context, line)

    def _question(self, context: Context) -> Key | None:
        """Removes and returns the key whose question a line from this place answers, if it answers one."""
        sender = context.caller.place.platform, context.caller.user
        # Only the sender may see a question, so one that was asked in a public place may have been shown in
        # the private chat, and can be answered there.
        if sender in self._questions and (
            context.caller.private or self._questions[sender][0] == _reader(context)
        ):
            return self._questions.pop(sender)[1]
        return None

    async def _answer(self, context: Context, question: Key, line: str) -> Reply:
        """Presses a key with the words of a line; if they are refused, the next line may give others."""
        try:
            return await buttons.press(context, _data(question), line)
        except (Refused, Refusal):
            with suppress(Refused):
                await self._ask(context, question)
            raise

    async def _ask(self, context: Context, key: Key) -> None:
        """Notes that the sender's next line gives the words of a cut. Raises `Refused` if they can't cut."""
        cutting_seat(await context.service.table(key.game), context.person.id)
        sender = context.caller.place.platform, context.caller.user
        self._questions[sender] = _reader(context), key
        trim(self._questions, sender)

    async def _press(self, context: Context, key: Key) -> Reply:
        """Presses a key; for a cut it first asks for words, which the sender's next line gives.

        A key that opens an address is answered with the address.
        """
        if key.url:
            return Reply(key.url)
        if key.action == "cut":
            await self._ask(context, key)
            return Reply(context.say(buttons.CUT_QUESTION))
        return await buttons.press(context, _data(key), "")


def _reader(context: Context) -> MenuReader:
    """The reader of the menus that a line from this place is about."""
    caller = context.caller
    return (caller.place.platform, caller.user) if caller.private else (caller.place, caller.user)


async def _current_page(context: Context, notice: str) -> Reply:
    """A reply with the page of the table that a line is most likely about; with the help if there is none."""
    limits, caller = context.platform.limits, context.caller
    if caller.private:
        tables = await readable(context, await own_tables(context))
        if not tables:
            return Reply(notice, (await run_command(context, "help", {})).page)
        turn = await only_turn(context)
        table = next((table for table in tables if table.id == turn), tables[0])
        return Reply(notice, await context.page(table))
    tables = await readable(context, (await context.store.tables(caller.place))[-1:])
    if not tables:
        return Reply(notice, (await run_command(context, "help", {})).page)
    [table] = tables
    return Reply(notice, public_page(table, context.at(table).say, limits), public=True)


async def _begins_move(context: Context, line: str) -> bool:
    """Whether a line begins with a verb of a game that the sender plays."""
    for table in await readable(context, await own_tables(context)):
        seat = table.seat_of(context.person.id)
        if table.status != "playing" or seat is None:
            continue
        try:
            if begins_with_verb(table.game, table.view(seat), line, context.at(table).say):
                return True
        except Exception as error:
            # A game that fails costs only its own table.
            log.error("table %s cannot read a line: %s", table.id, origin(error))
    return False


def _data(key: Key) -> str:
    return data_of(key, _DATA_ROOM)
