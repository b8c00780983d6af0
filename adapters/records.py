"""The commands about the terminal's own records: the leaderboard and the profile of its players.

They are worked out from the games in the player's own file, in which a player is known by name alone.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path

import typer

from adapters.game_files import completed, last_games
from adapters.play import games_file
from bot.i18n import Speech, safe_name
from bot.model import Ending, Finish, Listing, Person, PersonId, Seated
from bot.pages.leaderboard_page import ROWS, Chosen, leaderboard_page
from bot.pages.profile_page import profile_page
from bot.ports import Limits, Page, PagePanel
from bot.standings import Board, BoardPage, Period
from bot.store import memory_standings
from bot.store.memory_endings import MemoryEndings
from bot.store.settling import periods
from bot.tables.levels import UNCOUNTED
from engines import games, values
from engines.game import Text

GAMES = 10_000
"""The most games that are counted, the last ones."""
_WIDEST = 60
"""The most columns of a page."""


class Records:
    """The results of the games in a file, and the people who played them by their folded names."""

    def __init__(self, listings: Iterable[Listing]) -> None:
        """The listings come in the order in which the games ended."""
        self.endings = MemoryEndings()
        self.people: dict[PersonId, Person] = {}
        self.games = 0
        """The games that were finished, also those that count for nobody."""
        for listing in listings:
            self.games += 1
            if ending := ending_of(listing):
                self.endings.end(ending, ("", ""))
                for finish in ending.finishes:
                    name = listing.seats[finish.seat].player.name
                    self.people[finish.person] = Person(finish.person, name)

    def board(self, board: Board) -> BoardPage:
        return memory_standings.board_page(self.endings, self.people, board, "", 0, ROWS)

    def named(self, name: str | None) -> Person | None:
        """The player of this name; without one, the player who has played most; None if there is none."""
        if name is not None:
            return self.people.get(name.strip().casefold())
        played = {person: len(self.endings.results_of(person)) for person in self.people}
        return self.people[max(played, key=lambda one: played[one])] if played else None


def ending_of(listing: Listing) -> Ending | None:
    """The end of a game at a terminal; None if it has no result. No such game is rated."""
    seats = listing.seats
    if not seats or any(one.score is None for one in seats):
        return None
    finishes = {finish.person: finish for one in seats if (finish := _finish(one, seats))}
    people = tuple(finish for _, finish in sorted(finishes.items()))
    return Ending(listing.game, listing.key, listing.changed, people, "guests")


def _finish(one: Seated, seats: Iterable[Seated]) -> Finish | None:
    """How a game ended for the person in a seat; None for a computer."""
    if one.player.is_computer or not one.player.name:
        return None
    others = [other for other in seats if other is not one]
    alone = all(other.player.is_computer for other in others)
    uncounted = alone and any(other.player.level in UNCOUNTED for other in others)
    rank = (one.won, one.score or 0)
    place = 1 + sum((other.won, other.score or 0) > rank for other in others)
    person = one.player.name.casefold()
    return Finish(person, one.seat, place, one.score or 0, one.won, alone, counts=not uncounted)


def records(file: Path | None) -> Records:
    """The records in a file of games, by default the player's own."""
    kept = games_file(file)
    listings = completed(last_games(kept, None, 0, GAMES)) if kept.exists() else ()
    return Records(reversed(listings))


def leaderboard(found: Records, say: Speech, key: str, period: Period, now: float, *, by_games: bool) -> None:
    """Prints who has won or played most, against people and against computers."""
    _, month, week = periods(now)
    names = {"all": "", "month": month, "week": week}
    limits = _limits()
    chosen = Chosen(key, "everywhere", period, "games" if by_games else "wins")
    pages: list[Page] = []
    for alone in (False, True):
        board = Board("", names[period], key, chosen.order, alone)
        if (lines := found.board(board)).lines:
            one = Chosen(key, "everywhere", period, chosen.order, alone)
            pages.append(leaderboard_page(one, lines, (), say, limits, none=False))
    if not pages:
        _print_none(found, say)
    for n, page in enumerate(pages):
        typer.echo("\n".join((*([""] if n else []), *_printed(page.panels))))


def profile(found: Records, say: Speech, name: str | None) -> bool:
    """Prints the profile of a player; False if there is none of this name."""
    if not found.people:
        _print_none(found, say)
        return True
    if (person := found.named(name)) is None:
        typer.echo(say(Text("Nobody called {name} has finished a game here.", name=name or "")), err=True)
        return False
    known = memory_standings.profile(found.endings, found.people, person.id, person.id, list(games()))
    page = profile_page(person, known, say, _limits(), own=True)
    # The reader of a terminal may be any of its players.
    head, *others = page.panels
    titled = values.replace(head, title=safe_name(person.name))
    typer.echo("\n".join(_printed((titled, *others))))
    return True


def _print_none(found: Records, say: Speech) -> None:
    """Says that no game counts, and which games do if the file has others."""
    typer.echo(say(Text("No game that counts has been finished yet.")))
    if found.games:
        typer.echo(say(Text("A game counts if you play it under a name and take no move back.")))


def _limits() -> Limits:
    """The limits of a page that is printed: its width is the terminal's, within bounds."""
    return Limits(text=1 << 16, width=min(max(shutil.get_terminal_size().columns, 20), _WIDEST))


def _printed(panels: Iterable[PagePanel]) -> Iterator[str]:
    """The lines of the panels of a page, each under its title."""
    for panel in panels:
        if panel.title:
            yield panel.title
        yield from panel.lines
