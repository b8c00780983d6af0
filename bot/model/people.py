"""People: their preferences, and their accounts on platforms."""

from __future__ import annotations

from typing import Literal

from bot.model.ids import PersonId
from bot.settings.choices import ForcedMoves, Language, SuggestedMoves
from engines.game import Pictures
from engines.values import Value

HandOrder = Literal["rank", "suit"]
"""The property of cards by which a person's hands are sorted first."""
AlertTiming = Literal["soon", "away", "never"]
"""When a person wants turn alerts: soon after their turn begins, only if they seem to be away, or never."""

Zone = int | str
"""A time zone: a fixed distance ahead of UTC, in quarters of an hour; or an IANA name.

Only a zone with a name may have summer time.
"""


class Person(Value):
    """A person and their preferences."""

    id: PersonId
    name: str
    language: Language | None = None
    order: HandOrder = "rank"
    """How the person's hand is sorted."""
    letters: bool = False
    """Whether suits are shown as letters."""
    careful: bool = False
    """Whether each move by a button must be confirmed; this does not hold for typed moves."""
    turn_alerts: AlertTiming = "soon"
    quiet: str = ""
    """The hours of the day in which no alert or invitation is sent, such as ``23-8``; empty for none.

    A turn that may last a day or more does not end in them either.
    """
    zone: Zone | None = None
    """The person's time zone; None if it is unknown."""
    pictures: Pictures = "fits"
    forced: ForcedMoves = "open"
    hidden: bool = False
    """Whether leaderboards and others' profiles leave the person out, and finished games hide their name."""
    suggestions: SuggestedMoves = "full"
    alias: PersonId = ""
    """The random id that replaces the person's own in stored games, once forgetting has begun; else empty."""


class Account(Value):
    """A person's account on a platform."""

    platform: str
    user: str
    person: PersonId
    reachable: bool = False
    """Whether private messages reach the account, as far as is known."""


def mention_of(user: str) -> str:
    """The mention of a user by id, which no username can imitate."""
    return f"<@{user}>"
