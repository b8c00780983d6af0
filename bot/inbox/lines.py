"""Reads typed lines: numbers and labels of the keys offered to the sender, commands, moves, answers.

The memory of what was offered is lost at a restart; a number is then answered with the keys anew.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from dataclasses import dataclass, replace
from typing import Any

from bot.inbox import buttons, handlers
from bot.inbox.commands import Command, arguments, command
from bot.inbox.context import Context
from bot.inbox.lookup import only_turn, own_tables
from bot.inbox.moves import MENU_ACTIONS
from bot.model import Account, GameId, Place
from bot.pages.callback_data import parse_number, spelled
from bot.pages.menu import begins_with_verb, is_named
from bot.pages.table_page import private_page, public_page
from bot.ports import Clock, Key, Page, Reply
from bot.tables.lobby import seat_of
from engines.game import Text

LONGEST = 400
"""The most characters of a line that are read."""
READING = 1.0
"""Seconds for which a reader has hardly read a new menu: a number still answers the one before."""
_KEPT = 5000
"""The most readers whose menus are kept in memory, and likewise questions and deliveries."""
_MENUS = 4
"""The menus that are kept for a reader, who may play at several tables."""

Reader = Place | tuple[str, str]
"""The reader of a menu: a place, or the platform and the user id of an account."""


@dataclass(frozen=True, slots=True)
class Menu:
    """The keys of a page, and when they were shown."""

    at: float
    """In seconds since 1970."""
    keys: tuple[Key, ...]

    def key(self, number: int) -> Key | None:
        """The key with this number; None if there is none."""
        return self.keys[number - 1] if 0 < number <= len(self.keys) else None


class Menus:
    """The menus shown last to each reader; those of the readers not heard of for longest are forgotten."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._shown: OrderedDict[Reader, deque[Menu]] = OrderedDict()

    def show(self, to: Account | Place, page: Page) -> None:
        """Records that a page was shown to everybody in a place, or to one account alone."""
        keys = page.numbered
        if not keys:
            return
        reader = (to.platform, to.user) if isinstance(to, Account) else to
        menus = self._shown.setdefault(reader, deque(maxlen=_MENUS))
        if not menus or menus[-1].keys != keys:
            menus.append(Menu(self._clock.now(), keys))
        _trim(self._shown, reader)

    def is_known(self, reader: Reader) -> bool:
        """Whether any menu of a reader is in memory."""
        return reader in self._shown

    def numbered(self, reader: Reader, number: int) -> Key | None:
        """The key with this number in the menu that the reader has read; None if there is none.

        That is the menu before the newest if the newest was shown only a moment ago: then only a key that
        makes a move or a step, since its stamp tells whether it is still meant, or one that both menus have.
        """
        menus = list(self._shown.get(reader, ()))
        if not self.has_just_changed(reader):
            return menus[-1].key(number) if menus else None
        key, newest = menus[-2].key(number), menus[-1].key(number)
        if key and (key.action in MENU_ACTIONS or (newest and replace(newest, stamp=key.stamp) == key)):
            return key
        return None

    def has_just_changed(self, reader: Reader) -> bool:
        """Whether the reader can hardly have read the newest menu."""
        menus = list(self._shown.get(reader, ()))
        return len(menus) > 1 and self._clock.now() - menus[-1].at < READING

    def labelled(self, reader: Reader, label: str) -> list[Key]:
        """The keys with this label, or for this word, in the newest menu of each table, the newest first."""
        found, seen = list[Key](), set[GameId]()
        for menu in reversed(self._shown.get(reader, ())):
            keys = [key for key in menu.keys if key.game not in seen]
            seen.update(key.game for key in keys)
            found += [key for key in keys if is_named(label, key.label, _word(key))]
        return found


class Lines:
    """Reads the lines of all senders."""

    def __init__(self, menus: Menus) -> None:
        self._menus = menus
        self._questions: OrderedDict[tuple[str, str], tuple[Reader, Key]] = OrderedDict()
        """For each platform and user id, where a question was asked, and the key that asks it."""
        self._read: OrderedDict[str, None] = OrderedDict()
        """The deliveries that were read: in another menu, their numbers would mean other keys."""

    async def read(self, context: Context, text: str) -> Reply:
        """Carries out a line; a delivery that was read before is not read again."""
        if context.delivery in self._read:
            return Reply()
        reply = await self._reply(context, text[:LONGEST].strip())
        if context.delivery:
            self._read[context.delivery] = None
            _trim(self._read, context.delivery)
        return reply

    async def _reply(self, context: Context, text: str) -> Reply:
        sign, reader = context.platform.limits.sign, _reader(context)
        line = text.removeprefix(sign).strip()
        signed, named = line != text, _command(line)
        question = self._question(context)
        if question and line and not (signed and named):
            return await buttons.press(context, _data(question), line)
        if not line:
            return await _anew(context, "")
        if (number := parse_number(line)) is not None:
            return await self._press_number(context, number)
        if keys := self._menus.labelled(reader, line):
            turn = await only_turn(context) if len(keys) > 1 else ""
            return await self._press(context, next((key for key in keys if key.game == turn), keys[0]))
        if named and (signed or not await _begins_move(context, line)):
            return await handlers.run_command(context, named.name, arguments(named, _rest(line)))
        if signed:
            return await handlers.run_command(context, line.split()[0], {})
        return await handlers.play_words(context, line)

    def _question(self, context: Context) -> Key | None:
        """The key whose question a line answers, where it was asked or in the private chat; asked no more."""
        asked = context.caller.place.platform, context.caller.user
        # The sender alone sees a question, so that a platform may show one from a public place in private.
        if asked in self._questions and (
            context.caller.private or self._questions[asked][0] == _reader(context)
        ):
            return self._questions.pop(asked)[1]
        return None

    async def _press_number(self, context: Context, number: int) -> Reply:
        reader = _reader(context)
        if not self._menus.is_known(reader):
            lost = Text("I've lost track of what {n} meant. These are your choices now.", n=number)
            return await _anew(context, context.say(lost))
        if key := self._menus.numbered(reader, number):
            return await self._press(context, key)
        if self._menus.has_just_changed(reader):
            return await _anew(context, context.say(Text("The choices have just changed; here they are.")))
        return await _anew(context, context.say(Text("There is no {n} in the menu.", n=number)))

    async def _press(self, context: Context, key: Key) -> Reply:
        """Presses a key; asks for the words of a cut first, which the sender's next line has."""
        if key.url:
            return Reply(key.url)
        if key.action == "cut":
            seat_of(await context.service.table(key.game), context.person.id)
            asked = context.caller.place.platform, context.caller.user
            self._questions[asked] = _reader(context), key
            _trim(self._questions, asked)
            return Reply(context.say(buttons.CUT_QUESTION))
        return await buttons.press(context, _data(key), "")


def _reader(context: Context) -> Reader:
    """The reader of the menus that a line from this place is about."""
    caller = context.caller
    return (caller.place.platform, caller.user) if caller.private else caller.place


async def _anew(context: Context, notice: str) -> Reply:
    """A reply with the page of the table that a line is most likely about; with the help if there is none."""
    limits, caller = context.platform.limits, context.caller
    if caller.private:
        own = await own_tables(context)
        if not own:
            return Reply(notice, (await handlers.run_command(context, "help", {})).page)
        table = await context.service.table(await only_turn(context) or own[0].game)
        person, say = context.person.id, context.at(table).say
        draft, room = await context.drafts.read(table, person), await context.people.room(table.place)
        page = private_page(table, person, say, limits, draft, alone=room.private)
        return Reply(notice, page)
    listings = await context.service.store.tables(caller.place)
    if not listings:
        return Reply(notice, (await handlers.run_command(context, "help", {})).page)
    table = await context.service.table(listings[-1].game)
    return Reply(notice, public_page(table, context.at(table).say, limits), public=True)


async def _begins_move(context: Context, line: str) -> bool:
    """Whether a line begins with a verb of a game that the sender plays."""
    for one in await own_tables(context):
        table = await context.service.table(one.game)
        seat = table.seat_of(context.person.id)
        if table.status != "playing" or seat is None:
            continue
        if begins_with_verb(table.game, table.view(seat), line, context.at(table).say):
            return True
    return False


def _command(line: str) -> Command | None:
    """The command with whose name a line begins."""
    words = line.split(maxsplit=1)
    return command(words[0]) if words else None


def _rest(line: str) -> str:
    """The line without its first word."""
    return line.partition(line.split()[0])[2].strip()


def _word(key: Key) -> str:
    """The word that a step in the menu adds to a move; empty for any other key."""
    return key.words if key.action in ("pick", "add") else ""


def _data(key: Key) -> str:
    return spelled(key, LONGEST)


def _trim(kept: OrderedDict[Any, Any], key: object) -> None:
    """Makes a key the newest, and forgets the oldest beyond `_KEPT`."""
    kept.move_to_end(key)
    while len(kept) > _KEPT:
        kept.popitem(last=False)
