"""Handlers of finished games: the history of a place, the replay of a game, its export.

Each handler may raise `Refused`.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.inbox.context import OUTDATED, Context
from bot.inbox.handlers.hiding import hidden_among, hidden_at
from bot.inbox.lookup import Arguments
from bot.model.ids import GameId
from bot.model.tables import Listing, Refused
from bot.pages.callback_data import is_game, parse_number
from bot.pages.long_text import text_page
from bot.pages.results.history_page import PAGE, history_page, played_label, replays_page
from bot.pages.results.replay_page import frame_after, moves_page, replay_page
from bot.ports import Reply, Suggestion
from bot.replays.films import Film
from bot.replays.game_file import as_download
from bot.replays.readable import as_text_file, readable
from bot.tables.names.parsing import game_named
from bot.tables.table import Table
from engines import games
from engines.game import Text

_MOST_SUGGESTED = 24
"""The most games that are suggested for a command that is being typed."""
_MOST_PAGES = 1000
"""The most pages of a history that can be opened."""


async def history_command(context: Context, arguments: Arguments) -> Reply:
    """The last games of the sender's channel, with their results; in a private chat the sender's own."""
    key = game_named(arguments["game"], context.say).key if arguments.get("game", "").strip() else ""
    return await _listed(context, "all", 0, key)


async def replay_command(context: Context, arguments: Arguments) -> Reply:
    """The replay of a finished game, typed as its id, its number in the history, or a title for the last one.

    If nothing is typed, a list of the last games, with a key for each.
    """
    typed = arguments.get("game", "").strip()
    if not typed:
        return await _listed(context, "watch", 0, "")
    return await replay(context, await _game_named(context, typed), "")


async def turn_page(context: Context, words: str) -> Reply:
    """A page of a list of games; ``words`` are the mode, the page's index and perhaps a game's key."""
    match words.split():
        case [("all" | "watch") as mode, number, *rest] if (page := parse_number(number)) is not None:
            key = rest[0] if rest else ""
            if page < _MOST_PAGES and (not key or key in games()) and len(rest) < 2:
                return await _listed(context, mode, page, key)
    raise Refused(OUTDATED)


async def replay(context: Context, game: GameId, words: str) -> Reply:
    """A position of a finished game; the key's words are a step, and the position from which it is made.

    Without words, the first position. A game that can't be replayed has pages of its moves instead.
    """
    film = await _film(context, game)
    say, limits = context.say, context.platform.limits
    if not film.frames:
        number = parse_number(words.removeprefix("moves").strip()) or 0
        return Reply(page=moves_page(film, number, say, limits), public=True)
    if (n := frame_after(words, film)) is None:
        raise Refused(OUTDATED)
    return Reply(page=replay_page(film, n, say, limits), public=True)


async def export(context: Context, table: Table, words: str) -> Reply:
    """A finished game as a file for programs or as a text; as pages of the text where files can't be sent."""
    film, limits = await _film(context, table.id), context.platform.limits
    kind, _, number = words.partition(" ")
    if limits.files and not number:
        file = as_text_file(film, context.say) if kind == "text" else as_download(film.file)
        return Reply(file=file, public=True)
    text, n = "\n".join(readable(film, context.say)), parse_number(number) or 0
    return Reply(page=text_page(text, n, "export", "text", limits, table.id), public=True)


async def _listed(context: Context, mode: str, page: int, key: str) -> Reply:
    """A page of the last games: with their results if the mode is ``all``, without them if ``watch``."""
    found = await last_games(context, key, PAGE * page, PAGE + 1)
    listed, hidden = found[:PAGE], await hidden_among(context, found)
    make = history_page if mode == "all" else replays_page
    shown = make(listed, page, hidden, context.say, key=key, more=len(found) > PAGE)
    if context.caller.private:
        return Reply(page=shown)
    # In the private chat a key to another page would list the reader's own games, so the copy sent there
    # has no such keys.
    away = make(listed, page, hidden, context.say, key=key, more=None)
    return Reply(page=shown, here=True, away=away, all_may_read=True)


async def last_games(context: Context, key: str, start: int, count: int) -> Sequence[Listing]:
    """The last games of the sender's channel with its threads; in a private chat the sender's own."""
    store, only = context.store, key or None
    if context.caller.private:
        return await store.finished(person=context.person.id, key=only, start=start, count=count)
    channel = (await context.people.room(context.caller.place)).channel_place
    return await store.finished(place=channel, key=only, start=start, count=count)


async def played_suggestions(context: Context) -> list[Suggestion]:
    """The last games, as a command that is being typed suggests them."""
    found = await last_games(context, "", 0, _MOST_SUGGESTED)
    hidden = await hidden_among(context, found)
    return [Suggestion(played_label(listing, hidden, context.say), listing.game) for listing in found]


async def _game_named(context: Context, typed: str) -> GameId:
    """The game with this id or number in the history, or the last one of this title. Raises `Refused`."""
    if is_game(typed):
        return typed
    number = parse_number(typed)
    key = game_named(typed, context.say).key if number is None else ""
    nth = 1 if number is None else number
    found = await last_games(context, key, nth - 1, 1) if nth else ()
    if not found and number is not None:
        raise Refused(Text("There is no game {number} in the history here.", number=number))
    if not found:
        raise Refused(Text("{game} hasn't been played here yet.", game=games()[key].title))
    return found[0].game


async def _film(context: Context, game: GameId) -> Film:
    """The film of a finished game. Raises `Refused`."""
    table = await context.service.table(game)
    film = await context.films.film(game, await hidden_at(context, table))
    if not film.file.line:
        raise Refused(Text("No cards were dealt at that table."))
    return film
