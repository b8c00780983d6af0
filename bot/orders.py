"""What the commands do: one function each, from a visit to its answer."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from bot import lobby
from bot.commands import COMMANDS, command, level_of
from bot.hands import brief
from bot.i18n import LANGUAGES
from bot.layout import NO_GAME, rows_of
from bot.menu import completions, typed
from bot.model import EVERYBODY, GameId, Listing, Refused
from bot.pages import onlooker, private, rules
from bot.ports import Key, Page, Reply, Suggestion
from bot.presses import Press, counted
from bot.scores import leaderboard
from bot.table import AnyGame, Table
from bot.tastes import change as change_taste
from bot.tastes import language_of, settle, tastes
from bot.telling import sealed
from bot.visit import Visit
from engines import games
from engines.game import Seat, Text

Given = Mapping[str, str]


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
    playing = [one for one in await _own(visit) if one.status == "playing"]
    if not playing:
        return _help(visit)
    return await _play(visit, {"move": text})


async def arrive(visit: Visit, payload: str) -> Reply:
    """Shows somebody who has opened our chat their tables, whether or not they brought a payload."""
    own = await _own(visit)
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


async def complete(visit: Visit, name: str, parameter: str, begun: str, given: Given) -> Sequence[Suggestion]:
    """How a parameter may go on that somebody is typing."""
    one = command(name)
    kind = next((known.kind for known in one.parameters if known.name == parameter), "") if one else ""
    found = await _suggestions(visit, kind, begun, given)
    meant = begun.casefold().strip()
    if kind == "move":
        return found
    return _fitting(found, meant)


async def _new(visit: Visit, given: Given) -> Reply:
    _must_be_let_in(visit)
    room, person = await visit.people.room(visit.caller.place), visit.person
    if room.openers == "moderators" and not (visit.caller.moderator or room.private):
        raise Refused(Text("Here only moderators open tables."))
    if room.language is None and not room.private:
        await visit.people.save_room(replace(room, language=visit.say.locale))
    game = _game(given["game"], visit)
    said = given.get("players", "").strip()
    seats = counted(said) if said else 0
    if said and seats not in game.seats:
        raise Refused(
            Text("{game} is for {n} to {m} players.", game=game.title, n=game.seats[0], m=game.seats[-1])
        )
    level = level_of(given.get("level") or "normal")
    if level is None:
        raise Refused(Text("Computer players are easy or normal."))
    options = _options(game, given.get("rules", ""))

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
    return await join(visit, await _table(visit, given, _joinable))


async def _cut(visit: Visit, given: Given) -> Reply:
    return await cut(visit, await _table(visit, given, _own_lobby(visit)), given["words"])


async def _start(visit: Visit, given: Given) -> Reply:
    table = await _table(visit, given, _own_lobby(visit))
    person = visit.person.id
    await visit.change(table, lambda table: lobby.start(table, person))
    return Reply(visit.say(Text("The cards are dealt.")), done=True)


async def _hand(visit: Visit, given: Given) -> Reply:
    return await hand(visit, await _table(visit, given, _mine(visit)))


async def _play(visit: Visit, given: Given) -> Reply:
    if not given.get("table", "").strip():
        given = {**given, "table": await _only_turn(visit)}
    table = await _table(visit, given, lambda one: one.status == "playing" and _mine(visit)(one))
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
    table = await _table(visit, given, lambda one: True)
    if (await visit.people.room(table.place)).private:
        await visit.panels.repost(table, visit.person.id)
    elif table.place == visit.caller.place:
        await visit.panels.repost(table, EVERYBODY)
    return Reply(visit.say(Text("Here it is.")), done=True)


async def _watch(visit: Visit, given: Given) -> Reply:
    table = await _table(visit, given, lambda one: True)
    return Reply(page=onlooker(table, visit.at(table).say, visit.platform.limits))


async def _leave(visit: Visit, given: Given) -> Reply:
    table = await _table(visit, given, _mine(visit))
    person = visit.person.id
    await visit.change(table, lambda table: lobby.leave(table, person))
    return Reply(visit.say(Text("You have left. If the game goes on, a computer plays for you.")), done=True)


async def _kick(visit: Visit, given: Given) -> Reply:
    table = await _table(visit, given, lambda one: True)
    visit = visit.at(table)
    seat = _seat(visit, table, given["player"])
    person, moderator = visit.person.id, visit.caller.moderator
    await visit.change(table, lambda table: lobby.kick(table, seat, person, moderator=moderator))
    return Reply(visit.say(Text("They have left the table.")), done=True)


async def _end(visit: Visit, given: Given) -> Reply:
    person, moderator = visit.person.id, visit.caller.moderator
    table = await _table(visit, given, lambda one: moderator or one.owner == person)
    await visit.change(table, lambda table: lobby.end(table, person, moderator=moderator))
    return Reply(visit.say(Text("The table is closed.")), done=True)


async def _rematch(visit: Visit, given: Given) -> Reply:
    last = await visit.house.store.last_over(visit.caller.place)
    if last is None:
        raise Refused(Text("No game was played here yet."))
    return await rematch(visit, await visit.house.table(last.game))


async def _rules(visit: Visit, given: Given) -> Reply:
    if name := given.get("game"):
        return rules_of(visit, _game(name, visit).key, 0)
    limits = visit.platform.limits
    keys = [
        Key(visit.say(game.title), Press(NO_GAME, 0, "rules", f"{key} 0").spelled(limits.data))
        for key, game in games().items()
    ]
    return Reply(page=Page((visit.say(Text("Which game?")),), rows=rows_of(keys, limits, limits.rows)))


async def _leaderboard(visit: Visit, given: Given) -> Reply:
    game = _game(given["game"], visit) if given.get("game") else None
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
        "Card games for friends. Open a table with /{new}; the others press Join.", new=_named(visit, "new")
    )
    lines = [f"/{one.called(say.locale)} – {say(one.about)}" for one in COMMANDS]
    return Reply(page=Page((say(about), "", *lines)))


def _named(visit: Visit, name: str) -> str:
    one = command(name)
    assert one is not None
    return one.called(visit.say.locale)


async def _own(visit: Visit) -> list[Listing]:
    """The tables at which somebody sits, here, or anywhere if they are alone with us."""
    person = visit.person.id
    listings = await visit.house.store.tables_of(person)
    own = [one for one in listings if any(seated.player.person == person for seated in one.seats)]
    return [one for one in own if one.place.platform == visit.caller.place.platform]


async def _only_turn(visit: Visit) -> GameId:
    """Of several tables where somebody plays the one that waits for them; empty where that is not one."""
    own = [one for one in await _own(visit) if one.status == "playing"]
    here = [one for one in own if visit.caller.private or one.place == visit.caller.place]
    if len(here) < 2:
        return ""
    tables = [await visit.house.table(one.game) for one in here]
    waiting = [table.id for table in tables if table.seat_of(visit.person.id) in table.awaited()]
    return waiting[0] if len(waiting) == 1 else ""


async def _table(visit: Visit, given: Given, fits: Callable[[Listing], bool]) -> Table:
    """The table that a command means: the one it names, or the only one that it can be."""
    listings = list(await visit.house.store.tables(visit.caller.place))
    if visit.caller.private:
        listings = list(dict.fromkeys([*await _own(visit), *listings]))
    if not listings:
        raise Refused(Text("No table is open here. Open one with /{new}.", new=_named(visit, "new")))
    if number := given.get("table", "").strip():
        listings = [one for one in listings if number in (str(one.number), one.game)]
        if not listings:
            raise Refused(Text("There is no table {n} here.", n=number))
    person = visit.person.id
    fitting = [one for one in listings if fits(one)] or listings
    own = [one for one in fitting if any(seated.player.person == person for seated in one.seats)]
    candidates = own or fitting
    if len(candidates) > 1:
        # Tables of several places may have one number.
        numbers = [one.number for one in candidates]
        choice = tuple(
            Text(
                "{n} ({game})",
                n=one.number if numbers.count(one.number) == 1 else one.game,
                game=games()[one.key].title,
            )
            for one in candidates
        )
        raise Refused(Text("Several tables are open: say which, {tables}.", tables=choice))
    return await visit.house.table(candidates[0].game)


def _joinable(one: Listing) -> bool:
    return one.status == "lobby"


def _mine(visit: Visit) -> Callable[[Listing], bool]:
    person = visit.person.id
    return lambda one: any(seated.player.person == person for seated in one.seats)


def _own_lobby(visit: Visit) -> Callable[[Listing], bool]:
    mine = _mine(visit)
    return lambda one: one.status == "lobby" and mine(one)


def _game(name: str, visit: Visit) -> AnyGame:
    """The game that somebody names, by its key, its title, or the beginning of either."""
    meant = name.strip().casefold().replace("-", "_")
    known = {key: (key, visit.say(game.title).casefold()) for key, game in games().items()}
    exact = [key for key, called in known.items() if meant in called]
    fitting = exact or [key for key, called in known.items() if any(one.startswith(meant) for one in called)]
    if len(fitting) != 1:
        titles = tuple(game.title for game in games().values())
        raise Refused(Text("Which game? There are {games}.", games=titles))
    return games()[fitting[0]]


def _options(game: AnyGame, words: str) -> dict[str, str]:
    """House rules as somebody has typed them."""
    options = {}
    for pair in words.replace(",", " ").split():
        option, _, value = pair.partition("=")
        if value not in game.options.get(option, ()):
            known = ", ".join(f"{name}={'|'.join(values)}" for name, values in game.options.items()) or "–"
            raise Refused(Text("There is no house rule {rule}; there are: {rules}", rule=pair, rules=known))
        options[option] = value
    return options


def _seat(visit: Visit, table: Table, name: str) -> Seat:
    """The seat of a player who is named, or given by the number of the seat."""
    meant = name.strip().removeprefix("@").casefold()
    for seat in range(len(table.players)):
        # The number first: somebody may have called themselves by that of another.
        if meant == str(seat + 1):
            return seat
    for seat in range(len(table.players)):
        if meant == visit.say.name(seat).casefold():
            return seat
    raise Refused(Text("Nobody called {name} sits at that table.", name=name))


def _must_be_let_in(visit: Visit) -> None:
    """Refuses to lay a table in a place where nobody would see it."""
    if visit.caller.barred:
        raise Refused(
            Text("I may not write here: a moderator has to allow it, or the table has to be elsewhere.")
        )


def _title(table: Table) -> Text:
    return Text("{game}, table {n}", game=table.game.title, n=table.number)


async def _suggestions(visit: Visit, kind: str, begun: str, given: Given) -> list[Suggestion]:
    say = visit.say
    match kind:
        case "game":
            return [Suggestion(say(game.title), key) for key, game in games().items()]
        case "players" if given.get("game"):
            return [Suggestion(str(n), str(n)) for n in _game(given["game"], visit).seats]
        case "level":
            return [Suggestion(say(Text("normal")), "normal"), Suggestion(say(Text("easy")), "easy")]
        case "rules" if given.get("game"):
            return _rule_suggestions(visit, _game(given["game"], visit))
        case "table":
            listings = await visit.house.store.tables(visit.caller.place)
            return [
                Suggestion(f"{one.number} · {say(games()[one.key].title)}", str(one.number))
                for one in listings
            ]
        case "move":
            return await _move_suggestions(visit, begun, given)
        case "player":
            table = await _table(visit, given, lambda one: True)
            called = visit.at(table).say
            people = [seat for seat, player in enumerate(table.players) if player.person]
            return [Suggestion(called.name(seat), str(seat + 1)) for seat in people]
        case "scope":
            return [
                Suggestion(say(Text("this channel")), "channel"),
                Suggestion(say(Text("here")), "here"),
                Suggestion(say(Text("everywhere")), "everywhere"),
            ]
        case "openers":
            return [
                Suggestion(say(Text("everyone")), "everyone"),
                Suggestion(say(Text("moderators")), "moderators"),
            ]
        case "language":
            return [Suggestion(name, tag) for tag, name in LANGUAGES.items()]
        case "reader":
            return [
                Suggestion(say(Text("for me")), "me"),
                Suggestion(say(Text("for this channel")), "channel"),
            ]
    return []


def _rule_suggestions(visit: Visit, game: AnyGame) -> list[Suggestion]:
    return [
        Suggestion(
            f"{visit.say(game.wordings[option])}: {visit.say(game.wordings[f'{option} {value}'])}",
            f"{option}={value}",
        )
        for option, values in game.options.items()
        for value in values[1:]
    ]


async def _move_suggestions(visit: Visit, begun: str, given: Given) -> list[Suggestion]:
    """Legal moves as their buttons say them, then what the words so far may become."""
    table = await _table(visit, given, lambda one: one.status == "playing" and _mine(visit)(one))
    seat = table.seat_of(visit.person.id)
    if seat is None or table.status != "playing" or table.players[seat].is_away:
        return []
    say, game = visit.at(table).say, table.game
    view = table.view(seat)
    moves = [
        Suggestion(game.label(view, (move.verb, *move.words), say), str(move))
        for move in game.moves(table.state, seat)
    ]
    meant = begun.casefold().strip()
    fitting = [
        one for one in moves if meant in one.label.casefold() or one.value.casefold().startswith(meant)
    ]
    lines = completions(game, table.state, seat, begun, say)
    return [*fitting, *(Suggestion(line, line) for line in lines)]


def _fitting(found: Sequence[Suggestion], meant: str) -> list[Suggestion]:
    """Those that somebody may be typing: the label has the words, or the value begins with them."""
    return [one for one in found if meant in one.label.casefold() or one.value.casefold().startswith(meant)]


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
