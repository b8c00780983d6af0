"""What the commands do: one function each, from a visit to its answer."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import replace

from bot.inbox.commands import COMMANDS, command, level_of
from bot.inbox.context import Visit
from bot.inbox.leaderboard import leaderboard
from bot.inbox.lookup import (
    Given,
    game_of,
    joinable,
    mine,
    named,
    only_turn,
    options_of,
    own_lobby,
    own_tables,
    seat_named,
    table_of,
)
from bot.inbox.preferences import change as change_taste
from bot.inbox.preferences import language_of, settle, tastes
from bot.model import EVERYBODY, Refused
from bot.pages.callback_data import Press, counted
from bot.pages.captions import sealed
from bot.pages.layout import NO_GAME, rows_of
from bot.pages.menu import typed
from bot.pages.player_page import brief
from bot.pages.table_page import onlooker, private, rules
from bot.ports import Key, Page, Reply
from bot.tables import lobby
from bot.tables.table import Table
from engines import games
from engines.game import Text


async def obey(visit: Visit, name: str, given: Given) -> Reply:
    """Does what a command says."""
    one = command(name)
    if one is None:
        raise Refused(Text("There is no command {name}. /help lists them.", name=name))
    for parameter in one.parameters:
        if parameter.required and not given.get(parameter.name, "").strip():
            raise Refused(Text("Something is missing: {what}.", what=parameter.about))
    reply = await _ORDERS[one.name](visit, given)
    return replace(reply, open=reply.open or not one.secret)


async def press(visit: Visit, press: Press) -> Reply:
    """A button that belongs to no table: rules, settings."""
    words = press.words.split()
    match press.deed, words:
        case "rules", [key, number] if key in games() and (page := counted(number)) is not None:
            return rules_of(visit, key, page)
        case "set", [name, value]:
            return await change_taste(visit, name, value)
        case _:
            raise Refused(Text("That button leads nowhere any more."))


async def hear(visit: Visit, text: str) -> Reply:
    """Words that somebody has written to us alone: a move where one can be meant."""
    playing = [one for one in await own_tables(visit) if one.status == "playing"]
    if not playing:
        return _help(visit)
    return await _play(visit, {"move": text})


async def arrive(visit: Visit, payload: str) -> Reply:
    """Shows somebody who has opened our chat their tables, whether or not they brought a payload."""
    own = await own_tables(visit)
    for one in own:
        table = await visit.house.table(one.game)
        if table.place.platform == visit.caller.place.platform:
            await visit.panels.knock(table, visit.person.id)
    return _help(visit) if not own else Reply(visit.say(Text("Your tables are here. Good luck!")))


async def depart(visit: Visit) -> Reply:
    """Hands all seats in a chat on, in every thread of it, of somebody who has left it."""
    chat = replace(visit.caller.place, thread="")
    for one in await visit.house.store.tables_of(visit.person.id):
        if replace(one.place, thread="") != chat:
            continue
        # What goes wrong at one table keeps them from leaving no other.
        with suppress(Refused):
            await visit.house.change(one.game, lambda table: lobby.leave(table, visit.person.id))
    return Reply()


async def join(visit: Visit, table: Table) -> Reply:
    """Seats somebody, and sees to it that their cards can reach them."""
    person = visit.person
    after = await visit.change(table, lambda table: lobby.join(table, person.id, person.name))
    visit = visit.at(after)
    reached = await visit.panels.knock(after, person.id)
    lines = [visit.say(Text("You sit at {table}.", table=_title(after))), *map(visit.say, sealed(after))]
    keys: tuple[tuple[Key, ...], ...] = ()
    if reached:
        lines.insert(1, visit.say(Text("Your cards will come by private message.")))
    elif link := visit.platform.link(after.id):
        lines.insert(1, visit.say(Text("Open our private chat, and your cards will come there.")))
        keys = ((Key(visit.say(Text("Open our private chat")), url=link),),)
    else:
        lines.insert(
            1,
            visit.say(
                Text("You take no private messages: press “My hand” at the table, and only you will see it.")
            ),
        )
    if not visit.platform.limits.pages:
        return Reply("\n".join(lines[:2]), Page(tuple(lines), rows=keys), done=reached)
    return Reply(page=Page(tuple(lines), rows=keys))


async def cut(visit: Visit, table: Table, words: str) -> Reply:
    """Puts somebody's words into the shuffle."""
    person = visit.person.id
    await visit.change(table, lambda table: lobby.cut(table, person, words))
    return Reply(visit.say(Text("You cut the deck.")), done=True)


async def hand(visit: Visit, table: Table) -> Reply:
    """Somebody's own cards, by the best way that there is to show them to nobody else."""
    lobby.seat_of(table, visit.person.id)
    visit, limits = visit.at(table), visit.platform.limits
    if limits.pages and not visit.caller.private:
        draft = await visit.panels.draft_of(table, visit.person.id)
        return Reply(page=private(table, visit.person.id, visit.say, limits, draft))
    short = brief(table, visit.person.id, visit.say, limits)
    account = await visit.people.account_of(visit.person.id, visit.platform.key)
    if account and account.reachable:
        await visit.panels.repost(table, visit.person.id)
        if visit.caller.private:
            return Reply()
        return Reply(visit.say(Text("Your cards are in our private chat.")), brief=short, open=True)
    link = visit.platform.link(table.id)
    keys = ((Key(visit.say(Text("Open our private chat")), url=link),),) if link else ()
    told = visit.say(Text("Open our private chat, and your cards will come there."))
    return Reply(told, Page((told,), rows=keys), brief=short, open=True)


async def rematch(visit: Visit, table: Table) -> Reply:
    """Opens the same table once more for those who are still there."""
    _must_be_let_in(visit)
    person = visit.person.id
    await visit.house.follow(
        table.id, lambda table, number: lobby.rematch(table, person, number), visit.delivery
    )
    return Reply(visit.say(Text("The table is laid again: start when everybody is ready.")), done=True)


def rules_of(visit: Visit, key: str, number: int) -> Reply:
    """A page of a game's rules."""
    text = games()[key].help(visit.say)
    return Reply(page=rules(key, text, number, visit.say, visit.platform.limits))


async def _new(visit: Visit, given: Given) -> Reply:
    _must_be_let_in(visit)
    room, person = await visit.people.room(visit.caller.place), visit.person
    if room.openers == "moderators" and not (visit.caller.moderator or room.private):
        raise Refused(Text("Here only moderators open tables."))
    if room.language is None and not room.private:
        await visit.people.save_room(replace(room, language=visit.say.locale))
    game = game_of(given["game"], visit)
    said = given.get("players", "").strip()
    seats = counted(said) if said else 0
    if said and seats not in game.seats:
        raise Refused(
            Text("{game} is for {n} to {m} players.", game=game.title, n=game.seats[0], m=game.seats[-1])
        )
    level = level_of(given.get("level") or "normal")
    if level is None:
        raise Refused(Text("Computer players are easy or normal."))
    options = options_of(game, given.get("rules", ""))

    def made(number: int) -> Table:
        table = Table.open(
            game.key,
            options,
            place=visit.caller.place,
            number=number,
            wanted=seats or 0,
            level=level,
            owner=person.id,
        )
        return lobby.join(table, person.id, person.name)

    table = await visit.house.open(visit.caller.place, made, visit.delivery)
    visit = visit.at(table)
    if visit.caller.private:
        await visit.panels.knock(table, person.id)
        return Reply()
    reached = await visit.panels.knock(table, person.id)
    told = visit.say(Text("The table is open: the others press Join."))
    if not reached and (link := visit.platform.link(table.id)):
        more = visit.say(Text("Open our private chat, and your cards will come there."))
        keys = ((Key(visit.say(Text("Open our private chat")), url=link),),)
        return Reply(told, Page((told, more), rows=keys))
    return Reply(told, done=True)


async def _join(visit: Visit, given: Given) -> Reply:
    return await join(visit, await table_of(visit, given, joinable))


async def _cut(visit: Visit, given: Given) -> Reply:
    return await cut(visit, await table_of(visit, given, own_lobby(visit)), given["words"])


async def _start(visit: Visit, given: Given) -> Reply:
    table = await table_of(visit, given, own_lobby(visit))
    person = visit.person.id
    await visit.change(table, lambda table: lobby.start(table, person))
    return Reply(visit.say(Text("The cards are dealt.")), done=True)


async def _hand(visit: Visit, given: Given) -> Reply:
    return await hand(visit, await table_of(visit, given, mine(visit)))


async def _play(visit: Visit, given: Given) -> Reply:
    if not given.get("table", "").strip():
        given = {**given, "table": await only_turn(visit)}
    table = await table_of(visit, given, lambda one: one.status == "playing" and mine(visit)(one))
    visit = visit.at(table)
    person = visit.person.id

    def played(table: Table) -> Table:
        seat = lobby.seat_of(table, person)
        table.must_be_playing()
        if table.players[seat].is_away:
            raise Refused(Text("A computer player has your seat. Take it back first."))
        return table.play(seat, typed(table.game, table.state, seat, given["move"], visit.say))

    await visit.change(table, played)
    return Reply(visit.say(Text("Played.")) if not visit.caller.private else "", done=True, open=True)


async def _show(visit: Visit, given: Given) -> Reply:
    """Brings the table below what was written since."""
    table = await table_of(visit, given, lambda one: True)
    if (await visit.people.room(table.place)).private:
        await visit.panels.repost(table, visit.person.id)
    elif table.place == visit.caller.place:
        await visit.panels.repost(table, EVERYBODY)
    return Reply(visit.say(Text("Here it is.")), done=True)


async def _watch(visit: Visit, given: Given) -> Reply:
    table = await table_of(visit, given, lambda one: True)
    return Reply(page=onlooker(table, visit.at(table).say, visit.platform.limits))


async def _leave(visit: Visit, given: Given) -> Reply:
    table = await table_of(visit, given, mine(visit))
    person = visit.person.id
    await visit.change(table, lambda table: lobby.leave(table, person))
    return Reply(visit.say(Text("You have left. If the game goes on, a computer plays for you.")), done=True)


async def _kick(visit: Visit, given: Given) -> Reply:
    table = await table_of(visit, given, lambda one: True)
    visit = visit.at(table)
    seat = seat_named(visit, table, given["player"])
    person, moderator = visit.person.id, visit.caller.moderator
    await visit.change(table, lambda table: lobby.kick(table, seat, person, moderator=moderator))
    return Reply(visit.say(Text("They have left the table.")), done=True)


async def _end(visit: Visit, given: Given) -> Reply:
    person, moderator = visit.person.id, visit.caller.moderator
    table = await table_of(visit, given, lambda one: moderator or one.owner == person)
    await visit.change(table, lambda table: lobby.end(table, person, moderator=moderator))
    return Reply(visit.say(Text("The table is closed.")), done=True)


async def _rematch(visit: Visit, given: Given) -> Reply:
    last = await visit.house.store.last_over(visit.caller.place)
    if last is None:
        raise Refused(Text("No game was played here yet."))
    return await rematch(visit, await visit.house.table(last.game))


async def _rules(visit: Visit, given: Given) -> Reply:
    if name := given.get("game"):
        return rules_of(visit, game_of(name, visit).key, 0)
    limits = visit.platform.limits
    keys = [
        Key(visit.say(game.title), Press(NO_GAME, 0, "rules", f"{key} 0").spelled(limits.data))
        for key, game in games().items()
    ]
    return Reply(page=Page((visit.say(Text("Which game?")),), rows=rows_of(keys, limits, limits.rows)))


async def _leaderboard(visit: Visit, given: Given) -> Reply:
    game = game_of(given["game"], visit) if given.get("game") else None
    return Reply(page=await leaderboard(visit, game, given.get("scope", "")))


async def _language(visit: Visit, given: Given) -> Reply:
    chosen = language_of(given["language"])
    if given.get("for", "").casefold() in ("channel", "canal"):
        if not (visit.caller.moderator or visit.caller.private):
            raise Refused(Text("Only a moderator chooses the language of a channel."))
        async with visit.people.liking:
            room = replace(await visit.people.room(visit.caller.place), language=chosen)
            await visit.panels.refresh_place(room.place, lambda: visit.people.save_room(room))
    else:
        async with visit.people.liking:
            person = replace(await visit.people.person(visit.person.id), language=chosen)
            await visit.panels.refresh_own(person.id, lambda: visit.people.save(person))
    return Reply(replace(visit.say, locale=chosen)(Text("We speak English now.")))


async def _channel(visit: Visit, given: Given) -> Reply:
    return await settle(visit, given.get("language", ""), given.get("openers", ""))


async def _settings(visit: Visit, given: Given) -> Reply:
    if name := given.get("setting"):
        return await change_taste(visit, name, given.get("value", ""))
    return Reply(page=await tastes(visit))


async def _help_order(visit: Visit, given: Given) -> Reply:
    return _help(visit)


def _help(visit: Visit) -> Reply:
    say = visit.say
    about = Text(
        "Card games for friends. Open a table with /{new}; the others press Join.", new=named(visit, "new")
    )
    lines = [f"/{one.called(say.locale)} – {say(one.about)}" for one in COMMANDS]
    return Reply(page=Page((say(about), "", *lines)))


def _must_be_let_in(visit: Visit) -> None:
    """Refuses to lay a table in a place where nobody would see it."""
    if visit.caller.barred:
        raise Refused(
            Text("I may not write here: a moderator has to allow it, or the table has to be elsewhere.")
        )


def _title(table: Table) -> Text:
    return Text("{game}, table {n}", game=table.game.title, n=table.number)


_ORDERS: Mapping[str, Callable[[Visit, Given], Awaitable[Reply]]] = {
    "new": _new,
    "join": _join,
    "cut": _cut,
    "start": _start,
    "hand": _hand,
    "play": _play,
    "table": _show,
    "watch": _watch,
    "leave": _leave,
    "kick": _kick,
    "end": _end,
    "rematch": _rematch,
    "rules": _rules,
    "leaderboard": _leaderboard,
    "language": _language,
    "settings": _settings,
    "channel": _channel,
    "help": _help_order,
}
