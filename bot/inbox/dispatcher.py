"""The front door: presses, commands and words come in, and their sender is answered alone.

What everybody shall see comes from the panels. A refusal changes nothing and is told to its sender only.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

from bot.errors import where
from bot.i18n import Speech
from bot.inbox import handlers as orders
from bot.inbox.autocomplete import complete
from bot.inbox.context import Told, Visit
from bot.model import EVERYBODY, Draft, Refused
from bot.outbox.panels import Panels
from bot.pages.callback_data import Press, counted
from bot.pages.layout import NO_GAME
from bot.pages.menu import menu
from bot.pages.player_page import SURE
from bot.pages.table_page import check, house_rules, onlooker
from bot.people import People
from bot.ports import Caller, Platforms, Reply, StoreError, Suggestion
from bot.tables import lobby
from bot.tables.export import record
from bot.tables.service import House, Repeated, UnknownTable
from bot.tables.table import Table
from engines.game import IllegalMove, Seat, Text

log = logging.getLogger(__name__)

_SORRY = Text("Sorry: something went wrong. Please look at the table, and try again if nothing has happened.")
_QUOTED = 900
"""Characters of a refusal, which may repeat what somebody has typed."""


class Stale(Refused):
    """A button was from before the last move."""

    def __init__(self) -> None:
        super().__init__(Text("That button was from an earlier moment; here is the current menu."))


class Desk:
    """Where all that people send comes in."""

    def __init__(self, house: House, people: People, panels: Panels, platforms: Platforms) -> None:
        self.house = house
        self.people = people
        self.panels = panels
        self.platforms = platforms

    async def press(
        self,
        caller: Caller,
        data: str,
        delivery: str,
        *,
        own: bool = False,
        answer: str = "",
        message: str = "",
    ) -> Reply:
        """Somebody has pressed a button; ``own`` on a page that they alone see and the answer may replace.

        ``answer`` is what they said where the button `asks`; ``message`` is what they pressed on, and
        where that is a table's own nothing replaces it.
        """
        own = own and not (message and await self.shows_table(data, message))
        return await self._heard(caller, delivery, lambda visit: self._pressed(visit, data, answer), own=own)

    async def command(self, caller: Caller, name: str, given: Mapping[str, str], delivery: str) -> Reply:
        """Somebody has given a command, under its English names."""
        return await self._heard(caller, delivery, lambda visit: orders.obey(visit, name, given))

    async def words(self, caller: Caller, text: str, delivery: str) -> Reply:
        """Somebody has written to us alone."""
        return await self._heard(caller, delivery, lambda visit: orders.hear(visit, text))

    async def arrive(self, caller: Caller, payload: str, delivery: str) -> Reply:
        """Somebody has opened the chat with us, with what our link gave them if it was not lost."""
        return await self._heard(caller, delivery, lambda visit: orders.arrive(visit, payload))

    async def depart(self, caller: Caller) -> None:
        """Somebody has left the place: computers play on for them."""
        await self._heard(caller, "", orders.depart)

    async def complete(
        self, caller: Caller, name: str, parameter: str, begun: str, given: Mapping[str, str]
    ) -> Sequence[Suggestion]:
        """How a command that somebody is typing may go on, best first."""
        try:
            return await complete(await self._visit(caller, ""), name, parameter, begun, given)
        except (Refused, IllegalMove):
            return ()
        except Exception as error:
            log.error("nothing could be suggested on %s: %s", caller.place.platform, where(error))
            return ()

    async def asks(self, caller: Caller, data: str) -> str:
        """What a button asks for in words before it does anything; empty where it asks nothing."""
        press = Press.parse(data)
        if press is None or press.deed != "cut":
            return ""
        try:
            visit = await self._visit(caller, "")
        except StoreError:
            # The press itself will say that something is wrong.
            return ""
        return visit.say(Text("A few words to cut the deck with"))

    async def shows_table(self, data: str, message: str) -> bool:
        """Whether the message that a button stands under is a table's own, which no other page replaces."""
        press = Press.parse(data)
        try:
            panels = await self.house.store.panels(press.game) if press else ()
        except StoreError:
            # Nothing is replaced as long as that is not known.
            return True
        return any(panel.message == message for panel in panels)

    async def refresh(self, data: str) -> None:
        """Shows a table anew to all, because somebody has pressed on it too late to be answered."""
        press = Press.parse(data)
        if press and press.game != NO_GAME:
            with suppress(UnknownTable, StoreError):
                self.panels.refresh(await self.house.table(press.game), EVERYBODY)

    async def chat_moved(self, platform: str, chat: str, new: str) -> None:
        """A chat goes on under another name, and its tables with it."""
        await self.house.move_chat(platform, chat, new)
        self.people.forget_rooms()

    async def _heard(
        self, caller: Caller, delivery: str, work: Callable[[Visit], Awaitable[Reply]], *, own: bool = False
    ) -> Reply:
        """Does what was asked, and answers whatever comes of it."""
        say = Speech()
        try:
            visit = await self._visit(caller, delivery, own=own)
            say = visit.say
            return await work(visit)
        except Refused as refused:
            refusal = Reply(_quoted(say(refused.reason)), open=True)
        except IllegalMove as illegal:
            refusal = Reply(_quoted(say(illegal.reason)))
        except Told as told:
            refusal = Reply(_quoted(told.words), open=told.open)
        except Repeated:
            return Reply()
        except Exception as error:
            # The error's words may name hidden cards.
            log.error("something sent on %s could not be answered: %s", caller.place.platform, where(error))
            return Reply(say(_SORRY))
        return Reply() if await _was_done(self.house, delivery) else refusal

    async def _visit(self, caller: Caller, delivery: str, *, own: bool = False) -> Visit:
        person = await self.people.caller(caller)
        await self.people.entered(caller)
        if caller.private and (account := await self.people.account(caller.place.platform, caller.user)):
            await self.people.reached(account, True)
        say = await self.people.say_to(person.id, caller.place)
        platform = self.platforms[caller.place.platform]
        return Visit(self.house, self.people, self.panels, platform, caller, person, say, delivery, own)

    async def _pressed(self, visit: Visit, data: str, answer: str) -> Reply:
        press = Press.parse(data)
        if press is None:
            raise Refused(Text("That button leads nowhere any more."))
        if press.game == NO_GAME:
            return await orders.press(visit, press)
        table = await self.house.table(press.game)
        visit = visit.at(table)
        if press.deed in _MENU:
            return await _use_menu(visit, table, press)
        if press.deed in _DEEDS:
            reply = await _DEEDS[press.deed](visit, table, press, answer)
            return replace(reply, open=reply.open or press.deed != "hand")
        raise Refused(Text("That button leads nowhere any more."))


async def _was_done(house: House, delivery: str) -> bool:
    """Whether what is refused was done when it came for the first time."""
    try:
        return bool(delivery) and await house.store.heard(delivery)
    except StoreError:
        return False


def _quoted(words: str) -> str:
    return words if len(words) <= _QUOTED else words[: _QUOTED - 1] + "…"


async def _use_menu(visit: Visit, table: Table, press: Press) -> Reply:
    """A button of a player's own menu: a move, or a step on the way to one."""
    person = visit.person
    seat = lobby.seat_of(table, person.id)
    try:
        _must_sit(table, seat)
        if press.stamp != table.stamp:
            if _is_done(table, press, seat):
                raise Refused(Text("That is done already."))
            raise Stale
        if press.deed in ("move", "sure", "done"):
            return await _move(visit, table, press, seat)
        await visit.panels.draft(table, person.id, partial(_steps, table, seat, press, visit.say))
        return await visit.shown(table)
    except Told as told:
        why = told.words
    except (Refused, IllegalMove) as refused:
        why = visit.say(refused.reason)
    if await _was_done(visit.house, visit.delivery):
        return Reply()
    if await visit.house.caught_up(table.id):
        return await _use_menu(visit, await visit.house.table(table.id), press)
    visit.panels.refresh(table, person.id)
    return await visit.shown(await visit.house.table(table.id), why)


async def _move(visit: Visit, table: Table, press: Press, seat: Seat) -> Reply:
    """Makes a move, or asks first whether it is meant."""
    person, stamp = visit.person, press.stamp
    if press.deed == "done":
        path = (await visit.panels.draft_of(table, person.id)).path
        words = " ".join(path)
    else:
        moves = map(str, table.game.moves(table.state, seat)) if press.words.startswith("#") else ()
        words = press.meant(moves) or ""
    if not words:
        raise Stale
    if person.careful and press.deed != "sure":
        # What cannot be done is refused before it is asked about.
        _played(table, seat, stamp, words)
        asked = Draft(stamp, (SURE, *words.split()))
        await visit.panels.draft(table, person.id, lambda _: asked)
        return await visit.shown(table)
    after = await visit.change(table, partial(_played, seat=seat, stamp=stamp, words=words))
    return await visit.shown(after)


def _played(table: Table, seat: Seat, stamp: int, words: str) -> Table:
    if table.stamp != stamp:
        raise Stale
    return table.play(seat, words)


def _steps(table: Table, seat: Seat, press: Press, say: Speech, draft: Draft) -> Draft:
    """Where a player is in the menu after a press that is no move yet."""
    game, state, path = table.game, table.state, draft.path
    match press.deed:
        case "top":
            return Draft(table.stamp)
        case "page":
            return replace(draft, page=counted(press.words) or 0)
        case "pick":
            begun = menu(game, state, seat, say, stamp=table.stamp, room=0).buttons
            word = press.meant(button.words[0] for button in begun)
            if word not in [button.words[0] for button in begun if not button.done]:
                raise Stale
            return Draft(table.stamp, (word,))
        case "drop":
            return Draft(table.stamp, _without(table, seat, path, press.meant(path[1:]) or ""), draft.page)
        case _:
            if not path or path[0] not in game.wide or press.meant(path[1:]) in path[1:]:
                return draft
            word = press.meant(game.choices(state, seat, path).words)
            if word not in game.choices(state, seat, path).words:
                raise Stale
            return Draft(table.stamp, (*path, word), draft.page)


def _without(table: Table, seat: Seat, path: tuple[str, ...], word: str) -> tuple[str, ...]:
    """The words put together without one, and without those that cannot be said without it."""
    kept = path[:1]
    for said in path[1:]:
        if said != word and said in table.game.choices(table.state, seat, kept).words:
            kept = (*kept, said)
    return kept


def _must_sit(table: Table, seat: Seat) -> None:
    """Refuses where a player cannot play just now, whatever they press."""
    table.must_be_playing()
    if table.players[seat].kicked:
        raise Refused(Text("You were asked to leave this table."))
    if table.players[seat].is_away:
        raise Refused(Text("A computer player has your seat. Take it back first."))


def _is_done(table: Table, press: Press, seat: Seat) -> bool:
    """Whether a stale press is the second one of a move that was made."""
    moves = [entry for entry in table.entries if entry.kind in ("move", "timeout")]
    made = moves[press.stamp] if press.stamp < len(moves) else None
    return bool(made and made.seat == seat and press.deed in ("move", "sure", "done"))


@dataclass(frozen=True, slots=True)
class _Simple:
    """A button that does one deed of the lobby, and says so."""

    deed: Callable[[Table, str], Table]
    said: Text | None = None

    async def __call__(self, visit: Visit, table: Table, press: Press, answer: str) -> Reply:
        after = await visit.change(table, lambda table: self.deed(table, visit.person.id))
        return await visit.shown(after, visit.say(self.said) if self.said else "")


async def _join(visit: Visit, table: Table, press: Press, answer: str) -> Reply:
    return await orders.join(visit, table)


async def _cut(visit: Visit, table: Table, press: Press, answer: str) -> Reply:
    if not answer.strip():
        lobby.seat_of(table, visit.person.id)
        raise Refused(Text("To cut the deck, send /cut and a few words of your own."))
    return await orders.cut(visit, table, answer)


async def _hand(visit: Visit, table: Table, press: Press, answer: str) -> Reply:
    return await orders.hand(visit, table)


async def _help(visit: Visit, table: Table, press: Press, answer: str) -> Reply:
    return orders.rules_of(visit, table.key, 0)


async def _watch(visit: Visit, table: Table, press: Press, answer: str) -> Reply:
    return Reply(page=onlooker(table, visit.say, visit.platform.limits))


async def _rematch(visit: Visit, table: Table, press: Press, answer: str) -> Reply:
    return await orders.rematch(visit, table)


async def _house(visit: Visit, table: Table, press: Press, answer: str) -> Reply:
    if table.status != "lobby":
        raise Refused(Text("The game has begun."))
    return Reply(page=house_rules(table, visit.say, visit.platform.limits))


async def _rule(visit: Visit, table: Table, press: Press, answer: str) -> Reply:
    """The next value of a house rule, both given by their numbers."""
    numbers = tuple(map(counted, press.words.split()))
    options = list(table.game.options.items())
    match numbers:
        case int(option), int(value) if option < len(options) and value < len(options[option][1]):
            pass
        case _:
            raise Refused(Text("That button leads nowhere any more."))
    name, values = options[option]
    after = await visit.change(
        table, lambda table: lobby.set_option(table, visit.person.id, name, values[value])
    )
    return Reply(page=house_rules(after, visit.say, visit.platform.limits))


async def _check(visit: Visit, table: Table, press: Press, answer: str) -> Reply:
    _must_be_over(table)
    return Reply(page=check(table, visit.say, visit.platform.limits))


async def _log(visit: Visit, table: Table, press: Press, answer: str) -> Reply:
    _must_be_over(table)
    return Reply(file=record(table))


def _must_be_over(table: Table) -> None:
    """Refuses while the seed of a table is still a secret."""
    if not table.opened:
        raise Refused(Text("The game is not over."))


_MENU = frozenset(("move", "sure", "done", "pick", "add", "drop", "page", "top"))
_DEEDS: Mapping[str, Callable[[Visit, Table, Press, str], Awaitable[Reply]]] = {
    "join": _join,
    "leave": _Simple(lobby.leave, Text("You have left. If the game goes on, a computer plays for you.")),
    "back": _Simple(lobby.come_back, Text("You have your seat again.")),
    "fill": _Simple(lobby.add_computer),
    "thin": _Simple(lobby.remove_computer),
    "start": _Simple(lobby.start),
    "cut": _cut,
    "hand": _hand,
    "help": _help,
    "watch": _watch,
    "rematch": _rematch,
    "house": _house,
    "rule": _rule,
    "check": _check,
    "log": _log,
}
