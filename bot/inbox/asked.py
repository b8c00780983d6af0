"""Remembers who was asked whether they mean a command that cannot be undone."""

from __future__ import annotations

from dataclasses import dataclass

from bot.model.ids import GameId, PersonId
from bot.recent import Recent

_QUESTIONS = 1000


@dataclass(frozen=True, slots=True)
class Question:
    """A question that answered a delivery."""

    delivery: str
    time: str
    """When it was asked, as the words of its key have it."""


class Asked:
    """The last question about each table to each sender; another process asks again."""

    def __init__(self) -> None:
        self._questions: Recent[tuple[GameId, PersonId], Question] = Recent(_QUESTIONS)

    def take(self, game: GameId, person: PersonId) -> Question | None:
        """The question of a sender about a table, which is forgotten."""
        return self._questions.pop((game, person))

    def put(self, game: GameId, person: PersonId, question: Question) -> None:
        """Remembers a question."""
        self._questions.put((game, person), question)
