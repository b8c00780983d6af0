"""The leaderboard: games and wins of each person, against people and against computers apart."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from bot.inbox.context import Context
from bot.model import Refused, Standing
from bot.ports import Page, PagePanel
from bot.tables.table_state import AnyGame
from engines import games
from engines.drawing import columns
from engines.game import Text

_PLACES = 10
"""Rows of a leaderboard."""
_SCOPES: Mapping[str, str] = {"canal": "channel", "aquí": "here", "aqui": "here", "todas": "everywhere"}
"""The scopes by their Spanish names."""


async def leaderboard(context: Context, game: AnyGame | None, scope: str) -> Page:
    """The leaderboard of a game or of all games.

    ``scope`` is channel, here (the community) or everywhere; empty means the channel, or everywhere in a
    private chat. Raises `Refused` for another scope.
    """
    place, say = context.caller.place, context.say
    store, key = context.service.store, game.key if game else None
    match _SCOPES.get(scope.casefold(), scope.casefold()):
        case "channel" | "" if not context.caller.private:
            channel = (await context.people.room(place)).channel_place
            rows, where = await store.standings(key=key, place=channel), say(Text("this channel"))
        case "here" if context.caller.community:
            community = context.caller.community
            rows = await store.standings(key=key, platform=place.platform, community=community)
            where = say(Text("here"))
        case "everywhere" | "" | "here":
            rows, where = await store.standings(key=key), say(Text("everywhere"))
        case _:
            raise Refused(Text("Choose: channel, here, everywhere."))
    title = say(game.title) if game else say(Text("all games"))
    head = say(Text("{title}, {where}", title=title, where=where))
    if not rows:
        return Page.note(head, say(Text("No game has been finished yet.")))
    titles = {False: Text("Against people"), True: Text("Against computers")}
    drawn: list[str] = []
    for alone, about in titles.items():
        if listed := _summed([row for row in rows if row.alone == alone])[:_PLACES]:
            lines = [[say(Text("name")), say(Text("games")), say(Text("wins"))]]
            lines += [[name, str(played), str(won)] for name, played, won in listed]
            blank = [""] if drawn else []
            drawn += [*blank, say(about), *columns(lines, context.platform.limits.width)]
    return Page(panels=(PagePanel(head, tuple(drawn), wraps=False),))


def _summed(rows: Iterable[Standing]) -> list[tuple[str, int, int]]:
    """Each person's name, games and wins, summed over all games; most wins first, then fewest games."""
    people: dict[str, tuple[str, int, int]] = {}
    for row in rows:
        if row.key in games():
            _, played, won = people.get(row.person, ("", 0, 0))
            people[row.person] = (row.name, played + row.games, won + row.wins)
    return sorted(people.values(), key=lambda one: (-one[2], one[1], one[0]))
