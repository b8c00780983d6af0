"""The records of a terminal, from its file of games: last games, leaderboards and profiles."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any, TypeVar, cast

from adapters.shared.clock import local_zone
from adapters.terminal.apology import unreadable
from adapters.terminal.saved_games.endings import ALONE, identity, settle
from adapters.terminal.saved_games.store import WriteBehindStore
from adapters.terminal.typed_lines import RecordsWord
from bot.file_errors import store_error_text
from bot.i18n import Speech
from bot.inbox.arguments.value_words import ORDER_WORDS, PERIOD_WORDS, meant
from bot.model.ids import GameId
from bot.model.leaderboards import Leaderboard, LeaderboardLine, LeaderboardOrder, periods
from bot.model.people import Person
from bot.model.places import HOME
from bot.model.tables import Listing, Refused
from bot.pages.callback_data import is_game, parse_number
from bot.pages.results.history_page import history_line
from bot.pages.results.leaderboard_page import (
    PERIOD_NAMES,
    ROWS,
    LeaderboardChoice,
    leaderboard_page,
    no_lines,
)
from bot.pages.results.profile_page import profile_page
from bot.ports import Limits, PagePanel
from bot.replays.export import game_file
from bot.replays.films import Film, film
from bot.replays.game_file import GameFile
from bot.settings.choices import LANGUAGES, Period
from bot.storage import Store, StoreError
from bot.store import open_store
from bot.table_service.loading import Loader
from bot.tables.names.parsing import game_named
from bot.tables.names.titles import title_of
from engines import games
from engines.game import Name, Text
from engines.values import replace

_FEWEST_COLUMNS, _MOST_COLUMNS = 20, 60
"""The least and the most columns of a page; between them it is as wide as the terminal."""
_MOST_LISTED = 20
"""The most games that are listed."""
_COUNTED = Text(
    "A game counts if you take no move back and don't play against easy computers alone; with others at one "
    "keyboard, each needs a name."
)
"""Says which finished games count."""

Lines = Sequence[str]
"""The lines of a page."""
_T = TypeVar("_T")


async def last_games(file: Path, key: str | None, start: int, count: int) -> Sequence[Listing]:
    """The last finished games of a file, the last one first, from index ``start`` on; at most ``count``."""
    async with _opened(file) as store:
        return await store.finished(place=HOME, key=key, start=start, count=count)


async def history_lines(file: Path, key: str | None, say: Speech) -> Lines:
    """The last finished games, each with its number and its id."""
    listed = await last_games(file, key, 0, _MOST_LISTED) if _is_there(file) else ()
    if not listed and key:
        return (say(Text("No game of {game} has been finished yet.", game=games()[key].title)),)
    if not listed:
        return (say(Text("No game has been finished yet.")),)
    lines = enumerate(listed, 1)
    return tuple(f"{n}. {history_line(listing, frozenset(), say)} ({listing.game})" for n, listing in lines)


async def game_id(name: str, file: Path) -> GameId | None:
    """The name if it is spelled like an id, else the id of the game with this number in the history."""
    if is_game(name):
        return name
    number = parse_number(name)
    found = await last_games(file, None, number - 1, 1) if number else ()
    return found[0].game if found else None


async def own_game(name: str, file: Path) -> GameFile | None:
    """The game with this number in the history or this id; None if it cannot be shown.

    A game that is missing, not over, damaged or a newer version's cannot. Raises `StoreError` if the file
    cannot be read.
    """
    if not _is_there(file) or (game := await game_id(name, file)) is None:
        return None
    try:
        async with _opened(file) as store:
            table = await Loader(store).load(game)
    except Refused:
        return None
    return game_file(table) if table.may_show_seed and not table.damaged else None


async def leaderboard_lines(
    file: Path,
    say: Speech,
    width: int,
    *,
    key: str = "",
    period: Period = "all",
    order: LeaderboardOrder = "wins",
) -> Lines:
    """The leaderboards against people and against computers, then that of the ratings, without empty ones.

    If all are empty, says why. With the order ``rating``, that of the ratings alone. Without a ``key`` the
    ratings of all time are those of the game with the most wins of one player against people, and those of a
    month or a week are what players gained in all games together.
    """
    async with _records(file) as store:
        if store is None:
            return _no_records(say)
        _, month, week = periods(time.time())
        period_name = {"all": "", "month": month, "week": week}[period]
        rated = key or (await store.game_with_most_wins("", list(games())) if period == "all" else "")
        shown: list[tuple[str, LeaderboardOrder, bool]] = [(rated, "rating", False)]
        if order != "rating":
            shown = [(key, order, False), (key, order, True), *shown]
        lines: list[str] = []
        is_nameless = False
        for game, by, alone in shown:
            if by == "rating" and period == "all" and not game:
                continue
            found = await store.leaderboard(Leaderboard("", period_name, game, by, alone), "", 0, ROWS)
            if found.lines:
                is_nameless = is_nameless or any(line.person == ALONE for line in found.lines)
                found = replace(found, lines=tuple(_with_reader_named(line, say) for line in found.lines))
                chosen = LeaderboardChoice(game, "everywhere", period, by, alone)
                page = leaderboard_page(chosen, found, (), say, _limits(width), all_empty=False)
                lines += ["", *_printed(page.panels)]
        if is_nameless:
            lines += [
                "",
                say(Text("{who} is you, without a name: add --name Ana to play as Ana.", who=Name(0))),
            ]
        return lines[1:] or await _none_counts(
            store, say, LeaderboardChoice(key, "everywhere", period, order)
        )


async def profile_lines(file: Path, say: Speech, width: int, name: str = "") -> Lines:
    """The profile of a player, by default the one with most games. Raises `Refused` for an unknown name."""
    async with _records(file) as store:
        if store is None:
            return _no_records(say)
        if name.strip():
            person = await store.person(identity(name)) or await _reader_alone(store, name)
        elif (person := await _most_active(store)) is None:
            return await _none_counts(store, say, LeaderboardChoice())
        if person is None:
            raise Refused(Text("Nobody called {name} has finished a game here.", name=name.strip()))
        known = await store.profile(person.id, person.id, list(games()))
    if person.id == ALONE:
        person = replace(person, name=say.name(0))
    page = profile_page(person, known, say, _limits(width), own=False, shared=True, counted=_COUNTED)
    return tuple(_printed(page.panels))


def _with_reader_named(line: LeaderboardLine, say: Speech) -> LeaderboardLine:
    """A line of a leaderboard; a player without a name gets the name of seat 0, such as “Player 1”."""
    return replace(line, name=say.name(0)) if line.person == ALONE else line


async def _reader_alone(store: Store, name: str) -> Person | None:
    """The player who gave no name, if the leaderboard calls them by this name; else None."""
    names = (identity(Speech(locale).name(0)) for locale in LANGUAGES)
    return await store.person(ALONE) if identity(name) in names else None


@asynccontextmanager
async def _records(file: Path) -> AsyncIterator[Store | None]:
    """Opens the file of games during the block, and first settles its games; yields None without a file."""
    if not _is_there(file):
        yield None
        return
    async with _opened(file) as store:
        await settle(store)
        yield store


@asynccontextmanager
async def _opened(file: Path) -> AsyncIterator[Store]:
    """Opens the file of games during the block. Raises `StoreError`, whose reason names the file."""
    try:
        store = await open_store(str(file))
        try:
            yield store
        finally:
            await store.close()
    except StoreError as error:
        raise StoreError(unreadable(file, store_error_text(error.why))) from None


def _is_there(file: Path) -> bool:
    """As `Path.exists`, which ruff forbids in a coroutine."""
    return file.exists()


async def _most_active(store: Store) -> Person | None:
    """The player with the most games, either against people or against computers; None if there is none."""
    best: tuple[int, str] = (0, "")
    for alone in (False, True):
        for line in (await store.leaderboard(Leaderboard(order="games", alone=alone), "", 0, 1)).lines:
            best = max(best, (line.games, line.person))
    return await store.person(best[1]) if best[1] else None


def _no_records(say: Speech) -> Lines:
    """Says that no game counts."""
    return (say(Text("No game that counts has been finished yet.")),)


async def _none_counts(store: Store, say: Speech, chosen: LeaderboardChoice) -> Lines:
    """Says why a leaderboard has no lines; if games were finished but none counts, also which do."""
    game, period = title_of(chosen.key, say), PERIOD_NAMES[chosen.period]
    if not await store.finished(place=HOME, key=chosen.key or None, count=1):
        none = Text("No game of {game} has been finished yet.", game=game)
        return (say(none),) if chosen.key else _no_records(say)
    if chosen.order == "rating":
        return (say(no_lines(chosen, all_empty=False)),)
    if chosen.period == "all" and not chosen.key:
        return *_no_records(say), say(_COUNTED)
    if chosen.period == "all":
        none = Text("No game of {game} that counts has been finished yet.", game=game)
    elif chosen.key:
        none = Text("No game of {game} that counts has been finished {period}.", game=game, period=period)
    else:
        none = Text("No game that counts has been finished {period}.", period=period)
    return say(none), say(_COUNTED)


def _limits(width: int) -> Limits:
    """The limits of a page: its width is the terminal's, within bounds."""
    return Limits(text=1 << 16, width=min(max(width, _FEWEST_COLUMNS), _MOST_COLUMNS))


def _printed(panels: Iterable[PagePanel]) -> Iterator[str]:
    """The lines of the panels of a page, each under its title."""
    for panel in panels:
        if panel.title:
            yield panel.title
        yield from panel.lines


async def record_lines(
    store: WriteBehindStore | None, word: RecordsWord, argument: str, say: Speech, width: int
) -> Lines:
    """The lines that a word about finished games asks for. Raises `Refused`."""
    # The names at the table are those of another game than those that the lines are about.
    nameless = replace(say, names=())
    return await _read(store, lambda file: _lines_of(file, word, argument, nameless, width))


async def film_of(store: WriteBehindStore | None, name: str) -> Film:
    """The film, with frames, of the finished game with this number in the history or this id.

    Raises `Refused` if there is none, or if it was played by older rules.
    """
    if (file := await _read(store, partial(own_game, name))) is None:
        raise Refused(Text("There is no game {name} in your history.", name=name))
    shown = await asyncio.to_thread(film, file)
    if not shown.frames:
        raise Refused(Text("An update has changed the rules, so this game can't be played again."))
    return shown


async def _read(store: WriteBehindStore | None, work: Callable[[Path], Coroutine[Any, Any, _T]]) -> _T:
    """Runs a read of the file of games in a thread of its own. Raises `Refused`."""
    try:
        return await asyncio.to_thread(lambda: asyncio.run(work(_written(store))))
    except StoreError as error:
        raise Refused(cast(Text, error.why)) from None


def _written(store: WriteBehindStore | None) -> Path:
    """The file of a store, after its writes or some seconds of waiting; raises `Refused` without a store."""
    if store is None:
        raise Refused(Text("Games aren't saved here, so there are no finished ones."))
    store.wait_until_written()
    return store.file


async def _lines_of(file: Path, word: RecordsWord, argument: str, say: Speech, width: int) -> Lines:
    """As `record_lines`, from a file."""
    match word:
        case "leaderboard":
            key, period, order = _chosen(argument, say)
            return await leaderboard_lines(file, say, width, key=key, period=period, order=order)
        case "profile":
            return await profile_lines(file, say, width, argument)
        case _:
            lines = await history_lines(file, None, replace(say, zone=local_zone()))
            return *lines, say(Text("To watch one again, type replay and its number, such as: replay 1"))


def _chosen(words: str, say: Speech) -> tuple[str, Period, LeaderboardOrder]:
    """The game, the period and the order that words name, in any order. Raises `Refused`."""
    period: Period = "all"
    order: LeaderboardOrder = "wins"
    game = []
    for word in words.casefold().split():
        if found := meant(PERIOD_WORDS, word):
            period = found
        elif by := meant(ORDER_WORDS, word):
            order = by
        else:
            game.append(word)
    return game_named(" ".join(game), say).key if game else "", period, order
