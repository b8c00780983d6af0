"""Results: how finished games ended for each person, and what leaderboards count."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from bot.model.ids import GameId, PersonId
from bot.model.places import Place, Room
from bot.ratings import Rating
from engines.game import Seat
from engines.values import Value

Unrated = Literal["computers", "guests", "chosen", "kicked", "taken_back", "often", "substitute", "log"]
"""Why a game is not rated: computers were dealt cards; a player had no account; the deal was chosen; a player
was kicked; moves were taken back; the same people had enough rated games that day; the person took a seat
only during the game; or the log cannot be read.
"""

ScopeKind = Literal["channel", "server"]
"""The scopes of tallies besides everywhere."""
_SCOPE_PREFIXES: Mapping[ScopeKind, str] = {"channel": "c:", "server": "s:"}


class Finish(Value):
    """How a game ended for one person."""

    person: PersonId
    seat: Seat
    place: int
    """From 1: winners before others, then by points; equals share a place, those who left the last one."""
    score: int
    won: bool
    """False after a draw, though the game then names all as winners."""
    alone: bool = False
    """Whether each other player was a computer, was kicked, or had no account."""
    counts: bool = True
    """Whether the leaderboard counts the game."""
    starter: bool = True
    """Whether the person was dealt cards; only such people are rated."""
    left: bool = False
    """Whether a computer or another person held the seat at the end."""


def place_of(won: bool, score: int, others: Iterable[tuple[bool, int]]) -> int:
    """The place of a player among others, each given as (won, score)."""
    return 1 + sum(other > (won, score) for other in others)


def is_draw(won: Iterable[bool]) -> bool:
    """Whether all players of a game have won it; it then counts as a win for none of them."""
    return all(won)


class Ending(Value):
    """The end of a game that has a result, as its log tells it."""

    game: GameId
    key: str
    """The key of the game that was played."""
    ended: float
    """In seconds since 1970."""
    finishes: tuple[Finish, ...]
    """By seat; computers and players without an account have none."""
    unrated: Unrated | None = None
    """Why the log forbids a rating, so never ``often`` or ``substitute``; None if it does not."""


class PlayerResult(Value):
    """The stored result of one person in one game."""

    game: GameId
    person: PersonId
    seat: Seat
    key: str
    """The key of the game that was played."""
    number: int
    """The number of the game in the order in which all games ended, from 1."""
    ended: float
    """In seconds since 1970."""
    channel: str
    """The channel's platform and chat, with a slash between them."""
    server: str
    """The platform and the id of the community; empty if the channel belongs to none."""
    place: int
    score: int
    won: bool
    alone: bool
    """As in `Finish`, like ``counts``."""
    counts: bool
    unrated: Unrated | None = None
    """Why the ratings are None; None if the game is rated for the person."""
    before: Rating | None = None
    """The rating before the game; its `games` and `changed` are not stored."""
    after: Rating | None = None
    """The rating after the game, likewise without `games` and `changed`."""

    @property
    def gained(self) -> int:
        """By how much the shown rating grew; 0 if the game is not rated."""
        return self.after.shown - self.before.shown if self.after and self.before else 0


class Tally(Value):
    """The games of a person within a scope and a period, as the leaderboard counts them."""

    scope: str
    """Empty for everywhere, else a `tally_scope`."""
    period: str
    """Empty for all time, a month such as ``2026-11``, or an ISO week such as ``2026-W47``, both of UTC."""
    key: str
    """The key of a game; empty for all games."""
    person: PersonId
    alone: bool
    """Whether these are the games that the person played ``alone``, as in `Finish`; else the others."""
    games: int
    wins: int
    gained: int
    """The sum of `PlayerResult.gained`."""


def tally_scope(kind: ScopeKind, name: str) -> str:
    """The `Tally.scope` of a channel or a server; ``name`` is a `PlayerResult.channel` or ``server``."""
    return f"{_SCOPE_PREFIXES[kind]}{name}"


def scopes_of(place: Place, community: str, channel: str) -> tuple[str, str]:
    """`PlayerResult.channel` and ``server`` of games in a place; a thread counts for its ``channel``."""
    server = f"{place.platform}/{community}" if community else ""
    return f"{place.platform}/{channel or place.chat}", server


def scopes_in(place: Place, room: Room | None) -> tuple[str, str]:
    """As `scopes_of`, of a place with this stored room; ``room`` is None if none is stored."""
    return scopes_of(place, room.community, room.channel) if room else scopes_of(place, "", "")


class Unsettled(Value):
    """The finished games whose results are not worked out yet."""

    games: tuple[tuple[int, GameId], ...]
    """The first unsettled games with their numbers, in the order in which they ended."""
    left: int
    """The number of all unsettled games."""
