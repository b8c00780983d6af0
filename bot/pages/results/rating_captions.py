"""The sentences at the end of a game on its ratings: how they have changed, or why they have not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bot.model.results import PlayerResult, Unrated
from bot.ratings import Rating
from bot.tables.endings import unrated
from bot.tables.table import Table
from engines.game import Name, Seat, Text

_WHY: Mapping[Unrated, Text] = {
    "computers": Text("A computer played from the start, so this game isn't rated."),
    "guests": Text("Not every player has an account, so this game isn't rated."),
    "chosen": Text("The deal was chosen, so this game isn't rated."),
    "kicked": Text("A player was removed, so this game isn't rated."),
    "often": Text("These players have had ten rated games today, so this one isn't rated."),
    "log": Text("This game can't be replayed, so it isn't rated."),
}
"""Why a game is rated for nobody; without ``taken_back``, whose sentences are below."""
_TAKEN_BACK = Text("Moves were taken back, so this game doesn't count on the leaderboard.")
_TAKEN_BACK_UNRATED = Text(
    "Moves were taken back, so this game isn't rated and doesn't count on the leaderboard."
)
_CAME_LATER = Text("You came in during the game, so your rating stays as it was.")


def rating_captions(table: Table, reader: Seat | None) -> Iterator[Text]:
    """How a game has changed the reader's rating, or for the public those of all listed players; or why not.

    A game dealt to fewer than two people says nothing, unless moves were taken back.
    """
    people = [player for player in table.starters if player.person]
    why = _why(table)
    if len(people) < 2:
        if table.taken_back:
            yield _TAKEN_BACK
    elif why == "taken_back":
        yield _TAKEN_BACK_UNRATED
    elif why:
        yield _WHY[why]
    elif reader is None:
        listed = [result for result in table.results if result.after and result.person not in table.unlisted]
        if listed:
            yield Text("Ratings: {changes}.", changes=tuple(_change(table, result) for result in listed))
    else:
        yield from _own(table, reader)


def _why(table: Table) -> Unrated | None:
    """Why the game is rated for nobody, by its results if they are known, else by its log; None if rated."""
    stored = {result.unrated for result in table.results if result.unrated != "substitute"}
    return next(iter(stored)) if len(stored) == 1 else unrated(table)


def _change(table: Table, result: PlayerResult) -> Text:
    """The rating of a person after the game, and by how much it has changed."""
    assert result.after is not None
    # Another player may hold the seat of one who has left.
    holds = table.players[result.seat].person == result.person
    who: Name | str = Name(result.seat) if holds else table.starters[result.seat].name
    return Text(
        "{who} ({rating}, {change})", who=who, rating=marked(result.after), change=signed(result.gained)
    )


def _own(table: Table, reader: Seat) -> Iterator[Text]:
    """How the rating of the player in a seat has changed, or why it has not."""
    person = table.players[reader].person
    for result in table.results:
        if result.person == person and result.after:
            rating, change = str(result.after.shown), signed(result.gained)
            if result.after.is_provisional:
                yield Text(
                    "Your rating: {rating} ({change}), still provisional.", rating=rating, change=change
                )
            else:
                yield Text("Your rating: {rating} ({change}).", rating=rating, change=change)
        elif result.person == person:
            yield _CAME_LATER


def marked(rating: Rating) -> str:
    """The number of a rating; a provisional one has a question mark."""
    return f"{rating.shown}{'?' if rating.is_provisional else ''}"


def signed(change: int) -> str:
    """A change with its sign: a plus, a minus (not a hyphen), or ± for no change."""
    return f"+{change}" if change > 0 else f"−{-change}" if change < 0 else "±0"
