"""Keeps answers to presses and commands: their tokens can edit the pressed message, or the answer itself."""

from __future__ import annotations

from collections import OrderedDict

from adapters.discord.answers import Answer, EphemeralAnswer

_SIZE = 5000
"""The most messages whose answers are kept."""


class AnswerCache:
    """For each message, by its id in the core, the answer with the newest token.

    The oldest answers are dropped when one is added, if they can edit no more or there are too many.
    """

    def __init__(self) -> None:
        self._answers: OrderedDict[str, Answer | EphemeralAnswer] = OrderedDict()

    def __len__(self) -> int:
        return len(self._answers)

    def get(self, message: str) -> Answer | EphemeralAnswer | None:
        """The answer that may edit a message; None if none is kept. Its token may have expired."""
        return self._answers.get(message)

    def put(self, message: str, answer: Answer | EphemeralAnswer) -> None:
        """Keeps an answer, whose token is newer than that of any other answer of the message."""
        self._answers[message] = answer
        self._answers.move_to_end(message)
        while len(self._answers) > 1:
            message, oldest = next(iter(self._answers.items()))
            if len(self._answers) <= _SIZE and oldest.lasts:
                break
            del self._answers[message]

    def pop(self, message: str) -> Answer | EphemeralAnswer | None:
        """Forgets the answer of a message, and returns it; None if none is kept."""
        return self._answers.pop(message, None)
