"""Gives finished games at a terminal their results and ratings, with players known by name alone."""

from __future__ import annotations

from collections.abc import Callable

from bot.model.batches import Stored
from bot.model.people import Person
from bot.model.places import HOME
from bot.model.results import Ending, Finish, Unrated, is_draw, place_of
from bot.model.tables import Seated
from bot.storage import Store, Unreadable
from bot.tables.names.levels import UNCOUNTED

_MOST_AT_ONCE = 50
"""The most games that are settled in one transaction."""

ALONE = "#"
"""Stands in the results for a player alone at the keyboard who has no name."""


def identity(name: str) -> str:
    """The id of a player in the results: the name with its case folded and with single spaces."""
    return " ".join(name.split()).casefold()


def ending_of(stored: Stored) -> Ending | None:
    """The end of a finished game as its listing has it, without replay; None without a result that counts."""
    listing = stored.listing
    if listing.uncounted or not listing.seats or any(seated.score is None for seated in listing.seats):
        return None
    finishes = {
        finish.person: finish for seated in listing.seats if (finish := _finish(seated, listing.seats))
    }
    people = tuple(finish for _, finish in sorted(finishes.items()))
    return Ending(listing.game, listing.key, listing.changed, people, _unrated(stored, len(people)))


async def settle(store: Store, is_enough: Callable[[], bool] = lambda: False) -> None:
    """Settles the finished games of a file that have no results yet, until ``is_enough`` is true.

    It stops at the first game of a chat, since only the bot knows the people of chats, by their accounts; and
    where another process has settled the same games meanwhile.
    """
    await store.adopt()
    while not is_enough() and (games := (await store.unsettled(_MOST_AT_ONCE)).games):
        endings, names, is_of_chat = [], dict[str, str](), False
        for number, game in games:
            stored = await _loaded(store, game)
            if stored and stored.listing.place.platform != HOME.platform:
                is_of_chat = True
                break
            ending = ending_of(stored) if stored else None
            endings.append((number, ending))
            if stored and ending:
                seats = stored.listing.seats
                names |= {finish.person: seats[finish.seat].player.name for finish in ending.finishes}
        for person, name in names.items():
            if await store.person(person) is None:
                await store.save_person(Person(person, name))
        if not await store.settle(endings) or is_of_chat:
            return


async def _loaded(store: Store, game: str) -> Stored | None:
    """A stored game; None if its log cannot be read."""
    try:
        return await store.load(game)
    except Unreadable:
        return None


def _unrated(stored: Stored, people: int) -> Unrated | None:
    """Why a game is not rated; None if it is."""
    players = [seated.player for seated in stored.listing.seats]
    if any(player.is_computer for player in players):
        return "computers"
    if people < len(players):
        # A player has no name, or two have the same.
        return "guests"
    return "chosen" if stored.seed_words is not None else None


def _finish(seated: Seated, seats: tuple[Seated, ...]) -> Finish | None:
    """How a game ended for the player in a seat; None for a computer or a player without an identity."""
    others = [other for other in seats if other is not seated]
    alone = all(other.player.is_computer for other in others)
    person = identity(seated.player.name) or (ALONE if alone else "")
    if seated.player.is_computer or not person:
        return None
    uncounted = alone and any(other.player.level in UNCOUNTED for other in others)
    score = seated.score or 0
    place = place_of(seated.won, score, ((other.won, other.score or 0) for other in others))
    won = seated.won and not is_draw(other.won for other in seats)
    return Finish(person, seated.seat, place, score, won, alone, counts=not uncounted)
