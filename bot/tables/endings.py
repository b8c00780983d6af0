"""The end of a game as its log tells it: who finished where, and why the game is not rated, if it is not."""

from __future__ import annotations

from collections.abc import Iterable

from bot.model.ids import PersonId
from bot.model.results import Ending, Finish, Unrated, is_draw, place_of
from bot.model.tables import Listing, Player
from bot.tables.log.commitment import ChosenSeed
from bot.tables.names.levels import UNCOUNTED
from bot.tables.table import Table
from engines.game import Result, Seat


def ending_of(table: Table, listing: Listing | None = None) -> Ending | None:
    """The end of a game; None if the game has no result.

    A table that cannot be replayed, because it is damaged or of older rules, has the result that its stored
    listing tells.
    """
    if table.ended not in ("", "damaged"):
        return None
    result = table.result or (listing.result if listing else None)
    if result is None:
        return None
    return Ending(
        table.id,
        table.key,
        table.changed,
        tuple(sorted(_finishes(table, result), key=lambda finish: (finish.seat, finish.person))),
        unrated(table),
    )


def unrated(table: Table) -> Unrated | None:
    """Why the game of a table is not rated, as far as its log tells; None if it is."""
    starters = table.starters
    people = {player.person for player in (*starters, *table.players)} | set(table.former)
    if not starters:
        return "log"
    if any(player.is_computer for player in starters):
        return "computers"
    if any(player.person is None for player in starters):
        return "guests"
    if isinstance(table.seed_source, ChosenSeed):
        return "chosen"
    if people & set(table.kicked):
        return "kicked"
    return "taken_back" if table.taken_back else None


def _finishes(table: Table, result: Result) -> Iterable[Finish]:
    """The finishes of the people who were dealt cards, and of others who held a seat at the end."""
    scores, winners, _ = result
    starters = table.starters or table.players
    gone = {seat: player.person for seat, player in enumerate(starters) if _has_left(table, seat, player)}
    stayed = [seat for seat, player in enumerate(table.players) if not player.is_held]
    behind, drawn = len(stayed) + 1, is_draw(seat in winners for seat in range(len(scores)))
    for seat, person in gone.items():
        if person is not None:
            place = min(behind, len(scores))
            yield _finish(table, seat, person, place, scores[seat], left=True)
    for seat in stayed:
        person = table.players[seat].person
        if person is not None and person not in gone.values():
            won = seat in winners
            place = place_of(won, scores[seat], ((other in winners, scores[other]) for other in stayed))
            starter = starters[seat].person == person
            yield _finish(table, seat, person, place, scores[seat], won=won and not drawn, starter=starter)


def _has_left(table: Table, seat: Seat, starter: Player) -> bool:
    """Whether a person who was dealt cards does not play their seat at the end."""
    holder = table.players[seat]
    return starter.person is not None and (holder.person != starter.person or holder.is_computer)


def _finish(
    table: Table,
    seat: Seat,
    person: PersonId,
    place: int,
    score: int,
    *,
    won: bool = False,
    starter: bool = True,
    left: bool = False,
) -> Finish:
    others = [player for other, player in enumerate(table.players) if other != seat]
    alone = all(other.kicked or other.person in (None, person) for other in others)
    counts = table.uncounted is None and not (alone and _have_uncounted(others))
    return Finish(person, seat, place, score, won, alone, counts, starter, left)


def _have_uncounted(players: Iterable[Player]) -> bool:
    """Whether a computer of a level that is too weak for the leaderboard has a seat of its own or a kicked
    player's.
    """
    # All computers at a table are of its level.
    return any(player.level in UNCOUNTED for player in players if player.kicked or not player.person)
