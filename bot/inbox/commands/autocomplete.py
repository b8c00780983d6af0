"""Autocomplete: suggests values for a command that is being typed, or that asks for an argument."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from bot.i18n import Speech, folded, safe_name
from bot.inbox.arguments.commands import ParameterKind, command_named
from bot.inbox.commands.values import fixed_values, number_range, spoken
from bot.inbox.context import Context
from bot.inbox.handlers.finished_games.profiles import GAMES_SEARCHED
from bot.inbox.handlers.finished_games.replays import last_games, played_suggestions
from bot.inbox.handlers.hiding import hidden_among
from bot.inbox.handlers.settings.preferences import offered_cities, offered_values
from bot.inbox.lookup import (
    Arguments,
    joinable,
    mine,
    only_turn,
    own_game,
    own_lobby,
    reachable_listings,
    table_argument,
    table_of,
)
from bot.model.ids import PersonId
from bot.model.people import mention_of
from bot.model.tables import Listing
from bot.pages.clock_page import CLOCKS, clock_caption
from bot.pages.menus.move_reading import completions
from bot.pages.menus.offered_moves import offered_moves
from bot.pages.table_page import HINTS, PACE, YES_OR_NO
from bot.ports import Suggestion
from bot.tables.log.table_state import AnyGame
from bot.tables.names.paces import PACES
from bot.tables.names.parsing import game_named
from bot.tables.names.titles import title_of
from bot.tables.questions import free_seats
from bot.tables.seating import playing_seat
from bot.tables.turn_clock import DAY, is_correspondence
from engines.game import Text


async def complete(
    context: Context, name: str, parameter: str, begun: str, arguments: Arguments
) -> Sequence[Suggestion]:
    """Suggestions for a parameter of a command that is being typed.

    ``begun`` is the part of its value that is typed already; ``arguments`` holds the other parameters.
    Raises `Refused`, such as for an unknown game or table.
    """
    declared = command_named(name)
    kind = (
        next((known.kind for known in declared.parameters if known.name == parameter), None)
        if declared
        else None
    )
    if kind is None:
        return ()
    if kind == "move":
        return await _move_suggestions(context, begun, arguments)
    found = _matching(await _suggestions(context, name, kind, arguments), folded(begun))
    if kind == "value" and arguments.get("setting") == "zone":
        cities = offered_cities(begun, context.service.clock.now(), context.say)
        found += [Suggestion(label, value) for value, label in cities.items()]
    return found


async def _suggestions(
    context: Context, name: str, kind: ParameterKind, arguments: Arguments
) -> list[Suggestion]:
    """All suggestions for a command's parameter of a kind, not yet compared with the typed words."""
    say = context.say
    match kind:
        case "players" if arguments.get("game"):
            return [Suggestion(str(n), str(n)) for n in game_named(arguments["game"], say).seats]
        case "players":
            return [Suggestion(str(n), str(n)) for n in number_range(kind) or ()]
        case "rules" if arguments.get("game"):
            return _rule_suggestions(context, game_named(arguments["game"], say))
        case "option":
            table = await table_of(context, arguments, own_lobby(context))
            return _rule_suggestions(context, table.game, defaults=True)
        case "computers":
            return await _computer_suggestions(context, arguments)
        case "clock":
            return [Suggestion(say(clock_caption(n)), _clock_value(n)) for n in CLOCKS]
        case "table":
            return await _table_suggestions(context, name)
        case "played":
            return await played_suggestions(context)
        case "player":
            return await _player_suggestions(context, arguments)
        case "barred" if context.caller.moderator:
            barred = (await context.people.settings(context.caller.place)).barred
            return [Suggestion((await context.people.person(person)).name, person) for person in barred]
        case "person":
            listings = await context.store.tables(context.caller.place)
            played = await last_games(context, "", 0, GAMES_SEARCHED) if name == "profile" else ()
            players = [seated.player for listing in (*listings, *played) for seated in listing.seats]
            names = {player.person: player.name for player in players if player.person}
            hidden = await hidden_among(context, played)
            if name == "bar":
                names.pop(context.person.id, None)
            return await _person_suggestions(
                context, {person: name for person, name in names.items() if person not in hidden}
            )
        case "seat":
            return await _seat_suggestions(context, arguments)
        case "value" if arguments.get("setting"):
            offered = offered_values(arguments["setting"], context.service.clock.now(), say)
            return [Suggestion(label, value) for value, label in offered.items()]
    return [Suggestion(spoken(label, say), value) for value, label in fixed_values(kind).items()]


def _clock_value(seconds: int) -> str:
    """A clock as it is typed."""
    if is_correspondence(seconds):
        return f"{seconds // DAY}d"
    return str(seconds) if seconds else "off"


async def _table_suggestions(context: Context, name: str) -> list[Suggestion]:
    """The tables that fit a command, the sender's own first; in a private chat also their own elsewhere."""
    listings = list(await reachable_listings(context))
    fits = _FITTING.get(name)
    fitting = [listing for listing in listings if fits is None or fits(context)(listing)]
    fitting.sort(key=lambda listing: not mine(context)(listing))
    return [
        Suggestion(table_label(listing, context.say), table_argument(listing, listings))
        for listing in fitting
    ]


def table_label(listing: Listing, say: Speech) -> str:
    """A table by its game, its number and its players, such as ``Casino 1: Ana, Luis``."""
    players = ", ".join(safe_name(seated.player.name) for seated in listing.seats)
    return f"{title_of(listing.key, say)} {listing.number}: {players}"


_FITTING: Mapping[str, Callable[[Context], Callable[[Listing], bool]]] = {
    "play": own_game, "hint": own_game, "undo": own_game, "return": own_game, "vote": own_game,
    "start": own_lobby, "computers": own_lobby, "options": own_lobby,
    "hand": mine, "leave": mine, "owner": mine, "clock": mine,
    "join": lambda context: joinable, "sit": lambda context: lambda listing: listing.status == "playing",
}  # fmt: skip
"""By command, which open tables are suggested for its parameter ``table``; without an entry, all."""


async def _player_suggestions(context: Context, arguments: Arguments) -> list[Suggestion]:
    """The other people with seats at the table, as mentions: the number of a seat may soon mean another."""
    table = await table_of(context, arguments, lambda _listing: True)
    say, own = context.at(table).say, context.person.id
    seats = {player.person: seat for seat, player in enumerate(table.players) if player.person}
    names = {person: say.name(seat) for person, seat in seats.items() if person != own}
    return await _person_suggestions(context, names)


async def _person_suggestions(context: Context, names: Mapping[PersonId, str]) -> list[Suggestion]:
    """People with an account here, suggested by name; typed as mentions, since several may have one name."""
    accounts = {person: await context.people.account_of(person, context.platform.key) for person in names}
    return [Suggestion(names[one], mention_of(account.user)) for one, account in accounts.items() if account]


async def _seat_suggestions(context: Context, arguments: Arguments) -> list[Suggestion]:
    """The seats of a running game that a person may ask for."""
    table = await table_of(context, arguments, lambda listing: listing.status == "playing")
    say = context.at(table).say
    return [Suggestion(say.name(seat), str(seat + 1)) for seat in free_seats(table)]


async def _computer_suggestions(context: Context, arguments: Arguments) -> list[Suggestion]:
    """The numbers of computer players for which the table has room."""
    table = await table_of(context, arguments, own_lobby(context))
    people = sum(not player.is_computer for player in table.players)
    return [Suggestion(str(n), str(n)) for n in range(table.game.seats[-1] - people + 1)]


def _rule_suggestions(context: Context, game: AnyGame, *, defaults: bool = False) -> list[Suggestion]:
    """The values of house rules, computers' pace and hints; with ``defaults`` also the default ones."""
    rules = [
        Suggestion(
            f"{context.say(option.text)}: {context.say(option.values[value])}",
            f"{option.name}={value}",
        )
        for option in game.options
        for value in list(option.values)[0 if defaults else 1 :]
    ]
    of_computers = context.say(Text("Computers' pace"))
    paces = [
        Suggestion(f"{of_computers}: {context.say(record.label)}", f"{PACE}={pace}")
        for pace, record in list(PACES.items())[0 if defaults else 1 :]
    ]
    label = context.say(Text("Hints"))
    hints = [
        Suggestion(f"{label}: {context.say(YES_OR_NO[allowed])}", f"{HINTS}={'yes' if allowed else 'no'}")
        for allowed in ((True, False) if defaults else (False,))
    ]
    return [*rules, *paces, *hints]


async def _move_suggestions(context: Context, begun: str, arguments: Arguments) -> list[Suggestion]:
    """Legal moves that fit the typed words, labelled as on their buttons, then completions of the words."""
    if not arguments.get("table", "").strip():
        arguments = {**arguments, "table": await only_turn(context)}
    table = await table_of(context, arguments, own_game(context))
    seat = playing_seat(table, context.person.id)
    say, game = context.at(table).say, table.game
    view = table.view(seat)
    moves = [
        Suggestion(game.label(view, (move.verb, *move.words), say), str(move))
        for move in offered_moves(game, table.state, seat, view)
    ]
    lines = completions(game, table.state, seat, begun, say)
    meant = f" {folded(begun)}"
    fitting = [
        move for move in moves if meant in f" {folded(move.value)}" or meant in f" {folded(move.label)}"
    ]
    return [*fitting, *(Suggestion(line, line) for line in lines)]


def _matching(found: Sequence[Suggestion], meant: str) -> list[Suggestion]:
    """The suggestions whose label contains the typed words, or whose value begins with them."""
    return [
        suggestion
        for suggestion in found
        if meant in folded(suggestion.label) or folded(suggestion.value).startswith(meant)
    ]
