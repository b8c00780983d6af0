"""The earlier states that a table keeps so that moves can be taken back, and the news of a take-back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any, NamedTuple

from bot.model.ids import PersonId
from bot.model.tables import Entry, News
from bot.tables.log.history import Dropped, History
from engines.game import Event, Name, Seat, Text


class OwnMove(NamedTuple):
    """The last move that a person made in a seat; they may take it back unless it was secret."""

    n: int
    """The number of its entry."""
    person: PersonId | None
    """None for a player at a keyboard."""
    secret: bool
    """Whether it was secret for whom the game waited; then nobody may learn who has made it."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The part of a table that is restored when a move is taken back, as it was before the move."""

    state: Any = field(repr=False)
    turn_lengths: Mapping[Seat, int]
    first_turns: Mapping[Seat, int]
    own_moves: Mapping[Seat, OwnMove]


def target(entry: Entry) -> int:
    """The number of the entry whose move a take-back takes back."""
    to = entry.body["to"]
    assert isinstance(to, int)
    return to


def take_back_events(entry: Entry, news: History[News]) -> list[Event]:
    """The events that announce a take-back; they repeat the first public news of the move, if it has any.

    Raises `Dropped` if that news may be missing in memory.
    """
    assert entry.seat is not None
    who, to = Name(entry.seat), target(entry)
    first = news.first_from(to, attrgetter("n"))
    if first == news.first > 0:
        raise Dropped
    told = (piece.event for piece in news[first:] if piece.n == to)
    public = next((event.text for event in told if event.to is None), None)
    if public:
        events = [Event(Text("{who} took this back: {what}", who=who, what=public), None)]
    else:
        events = [Event(Text("{who} took a move back.", who=who), None)]
    if "seen" in entry.body:
        events.append(Event(Text("{who} had already seen new cards.", who=who), None))
    return events
