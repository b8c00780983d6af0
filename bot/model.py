"""The frozen values that everything about a table is told in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, get_args

from engines.game import Event, Seat

Json: TypeAlias = "bool | int | str | Sequence[Json] | Mapping[str, Json] | None"

Kind = Literal["open", "join", "computer", "cut", "start", "move", "timeout"]
"""What can happen to a table."""

Level = Literal["easy", "normal"]
LEVELS: tuple[Level, ...] = get_args(Level)
"""How well computer players play, the weakest first."""


@dataclass(frozen=True, slots=True)
class Player:
    """Who sits in a seat."""

    name: str
    level: Level | None = None
    """How well a computer player plays; None for a person."""

    @property
    def is_computer(self) -> bool:
        return self.level is not None


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a table's log; the log is the game."""

    n: int
    kind: Kind
    seat: Seat | None = None
    body: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class News:
    """Something that happened, and the entry it came with."""

    n: int
    event: Event
