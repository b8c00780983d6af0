"""Works out the results, ratings and tallies after the end of a game; without a database, for all stores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

from bot.model.ids import PersonId
from bot.model.leaderboards import periods
from bot.model.results import Ending, PlayerResult, Tally, tally_scope
from bot.ratings import MOST_A_DAY, NEWCOMER, Rating, rated
from engines.values import Value

DAY = 86_400.0
"""The seconds of a day."""


class Settlement(Value):
    """The rows that a game adds or changes."""

    results: tuple[PlayerResult, ...]
    """By seat."""
    ratings: Mapping[PersonId, Rating]
    """The new ratings; empty if the game is not rated."""
    tallies: tuple[Tally, ...]
    """The amounts to add to each tally."""


def candidates(ending: Ending) -> tuple[PersonId, ...]:
    """The people who are rated, unless they have had enough games that day.

    Empty if the game is not rated, or if fewer than two of its people were dealt cards.
    """
    if ending.unrated or len(starters := [one.person for one in ending.finishes if one.starter]) < 2:
        return ()
    return tuple(starters)


def day_of(ended: float) -> float:
    """The beginning of the day (UTC) of a time."""
    return ended - ended % DAY


def settled(
    ending: Ending,
    number: int,
    scopes: tuple[str, str],
    before: Mapping[PersonId, Rating],
    that_day: int,
) -> Settlement:
    """The settlement of a game.

    ``scopes`` are the channel and the server of its results; ``before`` has the ratings of its `candidates`,
    except those of newcomers; ``that_day`` is the number of rated games that exactly these people have had
    that day.
    """
    people = candidates(ending)
    unrated = ending.unrated
    if people and that_day >= MOST_A_DAY:
        people, unrated = (), "often"
    finishes = {one.person: one for one in ending.finishes}
    old = [before.get(person, NEWCOMER) for person in people]
    # People who left are behind all others; `Finish.place` ties them with a player who came last behind a
    # substitute.
    ranks = [len(finishes) + one.place if one.left else one.place for one in map(finishes.get, people) if one]
    new = rated(old, ranks, ending.ended) if people else ()
    changes = dict(zip(people, zip(map(_bare, old), map(_bare, new), strict=True), strict=True))
    why = dict.fromkeys(people, unrated)
    results = [
        PlayerResult(
            ending.game, one.person, one.seat, ending.key, number, ending.ended, *scopes, one.place,
            one.score, one.won, one.alone, one.counts, why.get(one.person, unrated or "substitute"),
            *changes.get(one.person, ()),
        )
        for one in ending.finishes
    ]  # fmt: skip
    tallies = [tally for result in results if result.counts for tally in _tallies(result)]
    return Settlement(tuple(results), dict(zip(people, new, strict=True)), tuple(tallies))


def _bare(rating: Rating) -> Rating:
    """A rating with only the numbers that a result stores."""
    return Rating(rating.mu, rating.sigma)


def _tallies(result: PlayerResult) -> Sequence[Tally]:
    """The additions of a result to tallies: one for each scope, period and key that it counts in.

    The scopes are everywhere, its channel and its server if it has one, the periods all time, its month and
    its week, the keys all games and its own.
    """
    scopes = ["", tally_scope("channel", result.channel)]
    scopes += [tally_scope("server", result.server)] if result.server else []
    return [
        Tally(scope, period, key, result.person, result.alone, 1, int(result.won), result.gained)
        for scope, period, key in product(scopes, periods(result.ended), ("", result.key))
    ]
