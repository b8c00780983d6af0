"""Autocomplete: suggestions for the parameters of a command that is being typed."""

from __future__ import annotations

from collections.abc import Sequence

from bot.i18n import LANGUAGES
from bot.inbox.commands import command
from bot.inbox.context import Context
from bot.inbox.lookup import Arguments, mine, table_of
from bot.pages.menu import completions
from bot.ports import Suggestion
from bot.tables.lobby import playing_seat
from bot.tables.parsing import game_named
from bot.tables.table import AnyGame
from engines import games
from engines.game import Text


async def complete(
    context: Context, name: str, parameter: str, begun: str, arguments: Arguments
) -> Sequence[Suggestion]:
    """Suggestions for a parameter, best first."""
    one = command(name)
    kind = next((known.kind for known in one.parameters if known.name == parameter), "") if one else ""
    found = await _suggestions(context, kind, begun, arguments)
    meant = begun.casefold().strip()
    if kind == "move":
        return found
    return _fitting(found, meant)


async def _suggestions(context: Context, kind: str, begun: str, arguments: Arguments) -> list[Suggestion]:
    say = context.say
    match kind:
        case "game":
            return [Suggestion(say(game.title), key) for key, game in games().items()]
        case "players" if arguments.get("game"):
            return [Suggestion(str(n), str(n)) for n in game_named(arguments["game"], context.say).seats]
        case "level":
            return [Suggestion(say(Text("normal")), "normal"), Suggestion(say(Text("easy")), "easy")]
        case "rules" if arguments.get("game"):
            return _rule_suggestions(context, game_named(arguments["game"], context.say))
        case "table":
            listings = await context.service.store.tables(context.caller.place)
            return [
                Suggestion(f"{one.number} · {say(games()[one.key].title)}", str(one.number))
                for one in listings
            ]
        case "move":
            return await _move_suggestions(context, begun, arguments)
        case "player":
            table = await table_of(context, arguments, lambda one: True)
            called = context.at(table).say
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


def _rule_suggestions(context: Context, game: AnyGame) -> list[Suggestion]:
    return [
        Suggestion(
            f"{context.say(option.text)}: {context.say(option.values[value])}",
            f"{option.name}={value}",
        )
        for option in game.options
        for value in list(option.values)[1:]
    ]


async def _move_suggestions(context: Context, begun: str, arguments: Arguments) -> list[Suggestion]:
    """Legal moves labelled as their buttons are, then completions of the typed words."""
    table = await table_of(context, arguments, lambda one: one.status == "playing" and mine(context)(one))
    seat = playing_seat(table, context.person.id)
    say, game = context.at(table).say, table.game
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
    """The suggestions whose label contains the typed words, or whose value begins with them."""
    return [one for one in found if meant in one.label.casefold() or one.value.casefold().startswith(meant)]
