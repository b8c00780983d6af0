"""Leaderboards and profiles, and the order of a leaderboard's lines."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Literal, get_args

from bot.model.ids import PersonId
from bot.model.results import PlayerResult, Tally
from bot.ratings import Rating
from bot.settings.choices import Period
from engines.values import Value, replace

LeaderboardOrder = Literal["rating", "wins", "games"]
"""The number by which people are ranked."""
PERIODS: tuple[Period, ...] = get_args(Period)
"""All periods, the longest first."""
ORDERS: tuple[LeaderboardOrder, ...] = get_args(LeaderboardOrder)
"""All orders of a leaderboard."""

FORM = 6
"""How many of their last games a leaderboard shows of each person, whatever its scope and period."""
FORM_IN = 100
"""How many of a person's last games are searched for `FORM` games of the leaderboard's kind."""
RECENT = 2000
"""How many of a person's last games tell their streaks and the history of their ratings."""
RIVALS = 3
"""The most rivals on a profile."""


class Leaderboard(Value):
    """A leaderboard: which games count, and by what people are ranked."""

    scope: str = ""
    """As in a `Tally`."""
    period: str = ""
    """As in a `Tally`."""
    key: str = ""
    """The key of a game; empty for all games, but never where `is_by_rating`: ratings are of one game."""
    order: LeaderboardOrder = "wins"
    """``rating`` with a period ranks by the rating gained in the period."""
    alone: bool = False
    """Whether the games against computers alone count, instead of those with other people; but see
    `counts_alone`.
    """

    @property
    def is_by_rating(self) -> bool:
        """Whether it ranks by the rating itself, which has no period."""
        return self.order == "rating" and not self.period

    @property
    def counts_alone(self) -> bool:
        """Whether it counts the games against computers alone; never if it ranks by the rating itself."""
        return self.alone and not self.is_by_rating


class LeaderboardLine(Value):
    """A person's line of a leaderboard."""

    rank: int
    """From 1."""
    person: PersonId
    name: str
    games: int
    wins: int
    gained: int = 0
    """The rating gained in the period."""
    rating: Rating | None = None
    form: tuple[bool, ...] = ()
    """Whether the person won each of their last games of the leaderboard's kind, the latest at the end.

    The kind follows from `Leaderboard.key` and `Leaderboard.counts_alone`.
    """


class LeaderboardPage(Value):
    """Some lines of a leaderboard."""

    lines: tuple[LeaderboardLine, ...]
    own: LeaderboardLine | None
    """The reader's line; None if they have none, or are hidden."""
    more: bool
    """Whether there are lines after these."""


class Rival(Value):
    """A person whom a profile's reader has met in games, and how often each was ahead of the other."""

    person: PersonId
    name: str
    games: int
    """The games that count for both."""
    ahead: int
    """The games in which the reader was ahead of the rival."""
    behind: int


class Profile(Value):
    """The profile of a person."""

    tallies: tuple[Tally, ...] = ()
    """Of all time and everywhere, for each game and for all games."""
    ratings: Mapping[str, Rating] | None = None
    """By the key of the game."""
    recent: tuple[PlayerResult, ...] = ()
    """The results of the last `RECENT` games, without games that do not count; the latest at the end."""
    rivals: tuple[Rival, ...] = ()
    """The people whom the reader met most often; on another person's profile, only that person, if met."""


def periods(ended: float) -> tuple[str, str, str]:
    """All time, and the month and the week of a time (UTC), as `Tally.period` names them."""
    day = datetime.fromtimestamp(ended, UTC)
    week = day.isocalendar()
    return "", f"{day:%Y-%m}", f"{week.year:04}-W{week.week:02}"


def ranked(lines: list[LeaderboardLine], leaderboard: Leaderboard) -> list[LeaderboardLine]:
    """The lines in the order of a leaderboard, with their ranks; those without a value are left out."""
    kept = [line for line in lines if value_of(line, leaderboard) is not None]
    kept.sort(key=lambda line: sort_key(line, leaderboard))
    return [replace(line, rank=rank) for rank, line in enumerate(kept, 1)]


def value_of(line: LeaderboardLine, leaderboard: Leaderboard) -> int | None:
    """The number by which a line is ranked; None if the line is not on the leaderboard."""
    if leaderboard.is_by_rating:
        return line.rating.shown if line.rating else None
    if leaderboard.order == "rating":
        return line.gained or None
    return line.wins if leaderboard.order == "wins" else line.games


def sort_key(line: LeaderboardLine, leaderboard: Leaderboard) -> tuple[int, int, PersonId]:
    """The order of lines: the highest value first, then fewer games for as many wins."""
    return -(value_of(line, leaderboard) or 0), line.games if leaderboard.order == "wins" else 0, line.person
