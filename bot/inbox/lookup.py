"""What the words of a command mean: which game, which table, whose seat, which house rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bot.inbox.commands import command
from bot.inbox.context import Context
from bot.model import GameId, Listing, Refused
from bot.tables.table import AnyGame, Table
from engines import games
from engines.game import Seat, Text

Arguments = Mapping[str, str]
"""The parameters of a command that were given, by their names."""


def named(context: Context, name: str) -> str:
    """What somebody calls a command in their language."""
    one = command(name)
    assert one is not None
    return one.called(context.say.locale)


async def own_tables(context: Context) -> list[Listing]:
    """The tables at which somebody sits, here, or anywhere if they are alone with us."""
    person = context.person.id
    listings = await context.service.store.tables_of(person)
    own = [one for one in listings if any(seated.player.person == person for seated in one.seats)]
    return [one for one in own if one.place.platform == context.caller.place.platform]


async def only_turn(context: Context) -> GameId:
    """Of several tables where somebody plays the one that waits for them; empty where that is not one."""
    own = [one for one in await own_tables(context) if one.status == "playing"]
    here = [one for one in own if context.caller.private or one.place == context.caller.place]
    if len(here) < 2:
        return ""
    tables = [await context.service.table(one.game) for one in here]
    waiting = [table.id for table in tables if table.seat_of(context.person.id) in table.awaited()]
    return waiting[0] if len(waiting) == 1 else ""


async def table_of(context: Context, arguments: Arguments, fits: Callable[[Listing], bool]) -> Table:
    """The table that a command means: the one it names, or the only one that it can be."""
    listings = list(await context.service.store.tables(context.caller.place))
    if context.caller.private:
        listings = list(dict.fromkeys([*await own_tables(context), *listings]))
    if not listings:
        raise Refused(Text("No table is open here. Open one with /{new}.", new=named(context, "new")))
    if number := arguments.get("table", "").strip():
        listings = [one for one in listings if number in (str(one.number), one.game)]
        if not listings:
            raise Refused(Text("There is no table {n} here.", n=number))
    person = context.person.id
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
    return await context.service.table(candidates[0].game)


def joinable(one: Listing) -> bool:
    """Whether a table waits for players."""
    return one.status == "lobby"


def mine(context: Context) -> Callable[[Listing], bool]:
    """Whether a table is one at which somebody sits."""
    person = context.person.id
    return lambda one: any(seated.player.person == person for seated in one.seats)


def own_lobby(context: Context) -> Callable[[Listing], bool]:
    """Whether somebody sits at a table that waits for players."""
    sits = mine(context)
    return lambda one: one.status == "lobby" and sits(one)


def game_of(name: str, context: Context) -> AnyGame:
    """The game that somebody names, by its key, its title, or the beginning of either."""
    meant = name.strip().casefold().replace("-", "_")
    known = {key: (key, context.say(game.title).casefold()) for key, game in games().items()}
    exact = [key for key, called in known.items() if meant in called]
    fitting = exact or [key for key, called in known.items() if any(one.startswith(meant) for one in called)]
    if len(fitting) != 1:
        titles = tuple(game.title for game in games().values())
        raise Refused(Text("Which game? There are {games}.", games=titles))
    return games()[fitting[0]]


def options_of(game: AnyGame, words: str) -> dict[str, str]:
    """House rules as somebody has typed them."""
    options = {}
    for pair in words.replace(",", " ").split():
        option, _, value = pair.partition("=")
        if value not in game.options.get(option, ()):
            known = ", ".join(f"{name}={'|'.join(values)}" for name, values in game.options.items()) or "–"
            raise Refused(Text("There is no house rule {rule}; there are: {rules}", rule=pair, rules=known))
        options[option] = value
    return options


def seat_named(context: Context, table: Table, name: str) -> Seat:
    """The seat of a player who is named, or given by the number of the seat."""
    meant = name.strip().removeprefix("@").casefold()
    for seat in range(len(table.players)):
        # The number first: somebody may have called themselves by that of another.
        if meant == str(seat + 1):
            return seat
    for seat in range(len(table.players)):
        if meant == context.say.name(seat).casefold():
            return seat
    raise Refused(Text("Nobody called {name} sits at that table.", name=name))
