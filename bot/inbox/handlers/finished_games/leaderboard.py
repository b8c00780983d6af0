"""The leaderboard, by command and by its keys."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from bot.inbox.arguments.value_words import ORDER_WORDS, PERIOD_WORDS, SCOPE_WORDS, meant
from bot.inbox.context import Context
from bot.inbox.lookup import Arguments
from bot.model.leaderboards import ORDERS, PERIODS, Leaderboard, LeaderboardOrder, LeaderboardPage, periods
from bot.model.places import Room
from bot.model.results import scopes_in, tally_scope
from bot.pages.callback_data import parse_number
from bot.pages.results.leaderboard_page import (
    LAST_PAGE,
    ROWS,
    SCOPES,
    LeaderboardChoice,
    Scope,
    games_page,
    leaderboard_page,
)
from bot.ports import Reply
from bot.settings.choices import Period
from bot.tables.names.parsing import game_named
from engines import games
from engines.game import Text
from engines.values import replace

# The values of a key's words, which may be forged.
_SCOPES: Mapping[str, Scope] = {scope: scope for scope in SCOPES}
_PERIODS: Mapping[str, Period] = {period: period for period in PERIODS}
_ORDERS: Mapping[str, LeaderboardOrder] = {order: order for order in ORDERS}
_AGAINST = {"people": False, "computers": True}
"""`LeaderboardChoice.alone` by its word."""


async def leaderboard_command(context: Context, arguments: Arguments) -> Reply:
    """The leaderboard that a command asks for; of several that fit it, the nearest one that is not empty.

    If all are empty, the nearest. Raises `UnknownGame`.
    """
    typed = {name: words.strip() for name, words in arguments.items()}
    game = game_named(arguments["game"], context.say) if typed.get("game") else None
    order = meant(ORDER_WORDS, typed.get("order", "")) or "wins"
    period = meant(PERIOD_WORDS, typed.get("period", "")) or "all"
    scope = _SCOPES.get(meant(SCOPE_WORDS, typed.get("scope", "")) or "")
    if context.caller.private:
        context.leaderboard_places.pop(context.person.id)
    places = await _places(context)
    if scope and scope not in places:
        # A group without channels has no scope ``channel``; a private chat has only ``everywhere``.
        scope = "server" if "server" in places else "everywhere"
    base = LeaderboardChoice(game.key if game else "", scope or "everywhere", period, order)
    first = None
    for tried in _fitting(base, [scope] if scope else list(places)):
        chosen, found = await _found(context, tried, places)
        if found.lines:
            return _shown(context, chosen, found, places)
        first = first or (chosen, found)
    assert first is not None
    chosen, found = first
    return _shown(context, chosen, found, places, all_empty=True)


async def press_leaderboard(context: Context, words: Sequence[str]) -> Reply | None:
    """The leaderboard of a key's words, which may be forged; None if they are malformed.

    If the place in which the sender asked has no such scope, or is no longer known, the first page of the
    same leaderboard ``everywhere``.
    """
    if (chosen := _parsed(words)) is None:
        return None
    places = await _places(context)
    if chosen.scope in places:
        return _shown(context, *await _found(context, chosen, places), places)
    chosen = replace(chosen, scope="everywhere", page=0)
    shown = _shown(context, *await _found(context, chosen, places), places)
    if not context.caller.private:
        return shown
    notice = Text("I no longer know where you asked, so this is the leaderboard of all places.")
    return replace(shown, notice=context.say(notice))


def press_leaderboards(context: Context, words: Sequence[str]) -> Reply | None:
    """The page that asks for which game to show a key's leaderboard; None if its words are malformed."""
    return Reply(page=games_page(chosen, context.say), public=True) if (chosen := _parsed(words)) else None


def _fitting(base: LeaderboardChoice, scopes: Sequence[Scope]) -> Iterator[LeaderboardChoice]:
    """The leaderboards that may fit, the nearest scope first.

    In each scope the leaderboard of games with other people comes before the one of games against computers;
    by rating there is only the former.
    """
    for scope in scopes:
        yield replace(base, scope=scope)
        if base.order != "rating":
            yield replace(base, scope=scope, alone=True)


async def _places(context: Context) -> Mapping[Scope, str]:
    """The scopes of the place in which the sender asked, the nearest first, each with its `Tally.scope`.

    A press in the private chat can be on a page that was asked for elsewhere.
    """
    person, place = context.person.id, context.caller.place
    if not context.caller.private:
        context.leaderboard_places.put(person, place)
    elif asked := context.leaderboard_places.get(person):
        place = asked
    else:
        return {"everywhere": ""}
    room: Room = await context.people.room(place)
    channel, server = scopes_in(place, room)
    places: dict[Scope, str] = {}
    if channel != server:
        places["channel"] = tally_scope("channel", channel)
    if server:
        places["server"] = tally_scope("server", server)
    return {**places, "everywhere": ""}


async def _found(
    context: Context, chosen: LeaderboardChoice, places: Mapping[Scope, str]
) -> tuple[LeaderboardChoice, LeaderboardPage]:
    """A choice, with the game whose ratings it shows, and its lines.

    Ratings of all time are of one game: if none was chosen, of the game in which one person has the most
    wins in the scope, or of the first game if none was played there.
    """
    store, scope = context.store, places[chosen.scope]
    if chosen.order == "rating" and chosen.period == "all" and not chosen.key:
        chosen = replace(
            chosen, key=await store.game_with_most_wins(scope, list(games())) or next(iter(games()))
        )
    _, month, week = periods(context.service.clock.now())
    period = {"all": "", "month": month, "week": week}[chosen.period]
    leaderboard = Leaderboard(scope, period, chosen.key, chosen.order, chosen.alone)
    reader = "" if context.person.hidden else context.person.id
    return chosen, await store.leaderboard(leaderboard, reader, chosen.page * ROWS, ROWS)


def _shown(
    context: Context,
    chosen: LeaderboardChoice,
    found: LeaderboardPage,
    places: Mapping[Scope, str],
    *,
    all_empty: bool = False,
) -> Reply:
    """A leaderboard; ``all_empty`` if it has no lines, and no other that fits the command has any."""
    scopes, limits = list(places), context.platform.limits
    page = leaderboard_page(chosen, found, scopes, context.say, limits, all_empty=all_empty)
    return Reply(page=page, public=True)


def _parsed(words: Sequence[str]) -> LeaderboardChoice | None:
    if len(words) != 6:
        return None
    key, scope, period, order, against, number = words
    page = parse_number(number)
    if page is None or page > LAST_PAGE or (key != "-" and key not in games()):
        return None
    try:
        chosen = _SCOPES[scope], _PERIODS[period], _ORDERS[order], _AGAINST[against]
    except KeyError:
        return None
    return LeaderboardChoice("" if key == "-" else key, *chosen, page)
