"""The front door: presses, commands and words come in, and their sender is answered alone.

What everybody shall see comes from the panels. A refusal changes nothing and is told to its sender only.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

from bot.errors import origin
from bot.i18n import Speech
from bot.inbox import handlers
from bot.inbox.autocomplete import complete
from bot.inbox.context import Context, Refusal
from bot.model import PUBLIC, Draft, Refused
from bot.outbox.panels import Panels
from bot.pages.callback_data import Action, CallbackData, counted
from bot.pages.layout import NO_GAME
from bot.pages.menu import menu
from bot.pages.player_page import SURE
from bot.pages.table_page import check, house_rules, onlooker
from bot.people import People
from bot.ports import Caller, Platforms, Reply, StoreError, Suggestion
from bot.tables import lobby
from bot.tables.export import record
from bot.tables.service import Repeated, TableService, UnknownTable
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


class Dispatcher:
    """Where all that people send comes in."""

    def __init__(self, service: TableService, people: People, panels: Panels, platforms: Platforms) -> None:
        self.service = service
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
        return await self._heard(
            caller, delivery, lambda context: self._pressed(context, data, answer), own=own
        )

    async def command(self, caller: Caller, name: str, arguments: Mapping[str, str], delivery: str) -> Reply:
        """Somebody has given a command, under its English names."""
        return await self._heard(
            caller, delivery, lambda context: handlers.run_command(context, name, arguments)
        )

    async def words(self, caller: Caller, text: str, delivery: str) -> Reply:
        """Somebody has written to us alone."""
        return await self._heard(caller, delivery, lambda context: handlers.hear(context, text))

    async def arrive(self, caller: Caller, payload: str, delivery: str) -> Reply:
        """Somebody has opened the chat with us, with what our link gave them if it was not lost."""
        return await self._heard(caller, delivery, lambda context: handlers.arrive(context, payload))

    async def depart(self, caller: Caller) -> None:
        """Somebody has left the place: computers play on for them."""
        await self._heard(caller, "", handlers.depart)

    async def complete(
        self, caller: Caller, name: str, parameter: str, begun: str, arguments: Mapping[str, str]
    ) -> Sequence[Suggestion]:
        """How a command that somebody is typing may go on, best first."""
        try:
            return await complete(await self._context(caller, ""), name, parameter, begun, arguments)
        except (Refused, IllegalMove):
            return ()
        except Exception as error:
            log.error("nothing could be suggested on %s: %s", caller.place.platform, origin(error))
            return ()

    async def asks(self, caller: Caller, data: str) -> str:
        """What a button asks for in words before it does anything; empty where it asks nothing."""
        callback = CallbackData.parse(data)
        if callback is None or callback.action != "cut":
            return ""
        try:
            context = await self._context(caller, "")
        except StoreError:
            # The press itself will say that something is wrong.
            return ""
        return context.say(Text("A few words to cut the deck with"))

    async def shows_table(self, data: str, message: str) -> bool:
        """Whether the message that a button stands under is a table's own, which no other page replaces."""
        callback = CallbackData.parse(data)
        try:
            panels = await self.service.store.panels(callback.game) if callback else ()
        except StoreError:
            # Nothing is replaced as long as that is not known.
            return True
        return any(panel.message == message for panel in panels)

    async def refresh(self, data: str) -> None:
        """Shows a table anew to all, because somebody has pressed on it too late to be answered."""
        callback = CallbackData.parse(data)
        if callback and callback.game != NO_GAME:
            with suppress(UnknownTable, StoreError):
                self.panels.refresh(await self.service.table(callback.game), PUBLIC)

    async def chat_moved(self, platform: str, chat: str, new: str) -> None:
        """A chat goes on under another name, and its tables with it."""
        await self.service.move_chat(platform, chat, new)
        self.people.forget_rooms()

    async def _heard(
        self, caller: Caller, delivery: str, work: Callable[[Context], Awaitable[Reply]], *, own: bool = False
    ) -> Reply:
        """Does what was asked, and answers whatever comes of it."""
        say = Speech()
        try:
            context = await self._context(caller, delivery, own=own)
            say = context.say
            return await work(context)
        except Refused as refused:
            refusal = Reply(_quoted(say(refused.reason)), open=True)
        except IllegalMove as illegal:
            refusal = Reply(_quoted(say(illegal.reason)))
        except Refusal as explained:
            refusal = Reply(_quoted(explained.words), open=explained.open)
        except Repeated:
            return Reply()
        except Exception as error:
            # The error's words may name hidden cards.
            log.error("something sent on %s could not be answered: %s", caller.place.platform, origin(error))
            return Reply(say(_SORRY))
        return Reply() if await _was_done(self.service, delivery) else refusal

    async def _context(self, caller: Caller, delivery: str, *, own: bool = False) -> Context:
        person = await self.people.caller(caller)
        await self.people.entered(caller)
        if caller.private and (account := await self.people.account(caller.place.platform, caller.user)):
            await self.people.reached(account, True)
        say = await self.people.say_to(person.id, caller.place)
        platform = self.platforms[caller.place.platform]
        return Context(self.service, self.people, self.panels, platform, caller, person, say, delivery, own)

    async def _pressed(self, context: Context, data: str, answer: str) -> Reply:
        callback = CallbackData.parse(data)
        if callback is None:
            raise Refused(Text("That button leads nowhere any more."))
        if callback.game == NO_GAME:
            return await handlers.run_callback(context, callback)
        table = await self.service.table(callback.game)
        context = context.at(table)
        if callback.action in _MENU_ACTIONS:
            return await _use_menu(context, table, callback)
        if callback.action in _HANDLERS:
            reply = await _HANDLERS[callback.action](context, table, callback, answer)
            return replace(reply, open=reply.open or callback.action != "hand")
        raise Refused(Text("That button leads nowhere any more."))


async def _was_done(service: TableService, delivery: str) -> bool:
    """Whether what is refused was done when it came for the first time."""
    try:
        return bool(delivery) and await service.store.heard(delivery)
    except StoreError:
        return False


def _quoted(words: str) -> str:
    return words if len(words) <= _QUOTED else words[: _QUOTED - 1] + "…"


async def _use_menu(context: Context, table: Table, callback: CallbackData) -> Reply:
    """A button of a player's own menu: a move, or a step on the way to one."""
    person = context.person
    seat = lobby.seat_of(table, person.id)
    try:
        _must_sit(table, seat)
        if callback.stamp != table.stamp:
            if _is_done(table, callback, seat):
                raise Refused(Text("That is done already."))
            raise Stale
        if callback.action in ("move", "sure", "done"):
            return await _move(context, table, callback, seat)
        await context.panels.draft(table, person.id, partial(_steps, table, seat, callback, context.say))
        return await context.shown(table)
    except Refusal as explained:
        why = explained.words
    except (Refused, IllegalMove) as refused:
        why = context.say(refused.reason)
    if await _was_done(context.service, context.delivery):
        return Reply()
    if await context.service.caught_up(table.id):
        return await _use_menu(context, await context.service.table(table.id), callback)
    context.panels.refresh(table, person.id)
    return await context.shown(await context.service.table(table.id), why)


async def _move(context: Context, table: Table, callback: CallbackData, seat: Seat) -> Reply:
    """Makes a move, or asks first whether it is meant."""
    person, stamp = context.person, callback.stamp
    if callback.action == "done":
        path = (await context.panels.draft_of(table, person.id)).path
        words = " ".join(path)
    else:
        moves = map(str, table.game.moves(table.state, seat)) if callback.words.startswith("#") else ()
        words = callback.meant(moves) or ""
    if not words:
        raise Stale
    if person.careful and callback.action != "sure":
        # What cannot be done is refused before it is asked about.
        _played(table, seat, stamp, words)
        asked = Draft(stamp, (SURE, *words.split()))
        await context.panels.draft(table, person.id, lambda _: asked)
        return await context.shown(table)
    after = await context.change(table, partial(_played, seat=seat, stamp=stamp, words=words))
    return await context.shown(after)


def _played(table: Table, seat: Seat, stamp: int, words: str) -> Table:
    if table.stamp != stamp:
        raise Stale
    return table.play(seat, words)


def _steps(table: Table, seat: Seat, callback: CallbackData, say: Speech, draft: Draft) -> Draft:
    """Where a player is in the menu after a press that is no move yet."""
    game, state, path = table.game, table.state, draft.path
    match callback.action:
        case "top":
            return Draft(table.stamp)
        case "page":
            return replace(draft, page=counted(callback.words) or 0)
        case "pick":
            begun = menu(game, state, seat, say, stamp=table.stamp, room=0).items
            word = callback.meant(item.words[0] for item in begun)
            if word not in [item.words[0] for item in begun if not item.done]:
                raise Stale
            return Draft(table.stamp, (word,))
        case "drop":
            return Draft(table.stamp, _without(table, seat, path, callback.meant(path[1:]) or ""), draft.page)
        case _:
            if not path or path[0] not in game.wide or callback.meant(path[1:]) in path[1:]:
                return draft
            word = callback.meant(game.choices(state, seat, path).words)
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


def _is_done(table: Table, callback: CallbackData, seat: Seat) -> bool:
    """Whether a stale press is the second one of a move that was made."""
    moves = [entry for entry in table.entries if entry.kind in ("move", "timeout")]
    made = moves[callback.stamp] if callback.stamp < len(moves) else None
    return bool(made and made.seat == seat and callback.action in ("move", "sure", "done"))


@dataclass(frozen=True, slots=True)
class _Simple:
    """A button that does one deed of the lobby, and says so."""

    transition: Callable[[Table, str], Table]
    said: Text | None = None

    async def __call__(self, context: Context, table: Table, callback: CallbackData, answer: str) -> Reply:
        after = await context.change(table, lambda table: self.transition(table, context.person.id))
        return await context.shown(after, context.say(self.said) if self.said else "")


async def _join(context: Context, table: Table, callback: CallbackData, answer: str) -> Reply:
    return await handlers.join(context, table)


async def _cut(context: Context, table: Table, callback: CallbackData, answer: str) -> Reply:
    if not answer.strip():
        lobby.seat_of(table, context.person.id)
        raise Refused(Text("To cut the deck, send /cut and a few words of your own."))
    return await handlers.cut(context, table, answer)


async def _hand(context: Context, table: Table, callback: CallbackData, answer: str) -> Reply:
    return await handlers.hand(context, table)


async def _help(context: Context, table: Table, callback: CallbackData, answer: str) -> Reply:
    return handlers.rules_of(context, table.key, 0)


async def _watch(context: Context, table: Table, callback: CallbackData, answer: str) -> Reply:
    return Reply(page=onlooker(table, context.say, context.platform.limits))


async def _rematch(context: Context, table: Table, callback: CallbackData, answer: str) -> Reply:
    return await handlers.rematch(context, table)


async def _house_rules(context: Context, table: Table, callback: CallbackData, answer: str) -> Reply:
    if table.status != "lobby":
        raise Refused(Text("The game has begun."))
    return Reply(page=house_rules(table, context.say, context.platform.limits))


async def _rule(context: Context, table: Table, callback: CallbackData, answer: str) -> Reply:
    """The next value of a house rule, both given by their numbers."""
    numbers = tuple(map(counted, callback.words.split()))
    options = table.game.options
    match numbers:
        case int(option), int(value) if option < len(options) and value < len(options[option].values):
            pass
        case _:
            raise Refused(Text("That button leads nowhere any more."))
    name, chosen = options[option].name, list(options[option].values)[value]
    after = await context.change(
        table, lambda table: lobby.set_option(table, context.person.id, name, chosen)
    )
    return Reply(page=house_rules(after, context.say, context.platform.limits))


async def _check(context: Context, table: Table, callback: CallbackData, answer: str) -> Reply:
    _must_be_over(table)
    return Reply(page=check(table, context.say, context.platform.limits))


async def _log(context: Context, table: Table, callback: CallbackData, answer: str) -> Reply:
    _must_be_over(table)
    return Reply(file=record(table))


def _must_be_over(table: Table) -> None:
    """Refuses while the seed of a table is still a secret."""
    if not table.opened:
        raise Refused(Text("The game is not over."))


_MENU_ACTIONS = frozenset(("move", "sure", "done", "pick", "add", "drop", "page", "top"))
_HANDLERS: Mapping[Action, Callable[[Context, Table, CallbackData, str], Awaitable[Reply]]] = {
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
    "house": _house_rules,
    "rule": _rule,
    "check": _check,
    "log": _log,
}
