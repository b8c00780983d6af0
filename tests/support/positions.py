"""Positions of a game in tests: load one, play from it, ask which moves are legal and which are refused."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Generic

from bot.i18n import Speech
from engines.game import Event, Game, IllegalMove, S, Seat, V

Action = str | Mapping[str, Any]
"""A move as text, or as a message of the game's `PROTOCOL.md`."""
Step = Action | tuple[Seat, Action]
"""An action of a seat; without a seat, of the only seat that must act."""
Position = dict[str, Any]
"""A state as the JSON object of the game's `PROTOCOL.md`."""

ENGLISH = Speech("en", ("Ana", "Ben", "Cas", "Dan"), letters=True)


@dataclass(frozen=True, slots=True)
class Positions(Generic[S, V]):
    """Questions about the positions of one game.

    ``start`` is a state, or a position; then ``options`` are its house rules, by default the usual ones.
    """

    game: Game[S, V]
    say: Speech = ENGLISH
    """The language and the players' names in sentences."""
    seats_field: str = "hands"
    """The name of a field of positions that has one value for each seat; its length gives the seats."""

    def load(self, position: Mapping[str, Any], **options: str) -> S:
        """The state of a position; the field named by ``seats_field`` tells the number of seats."""
        return self.game.load(position, len(position[self.seats_field]), options)

    def reach(self, start: S | Mapping[str, Any], *steps: Step, **options: str) -> S:
        """The state after the steps."""
        state = self._state(start, options)
        for step in steps:
            _, state, _ = self.game.act(state, *self._acting(state, step))
        return state

    def play(self, start: S | Mapping[str, Any], *steps: Step, **options: str) -> Position:
        """The position after the steps."""
        return self.game.dump(self.reach(start, *steps, **options))

    def scores(self, start: S | Mapping[str, Any], *steps: Step, **options: str) -> tuple[int, ...]:
        """The scores of the game that the steps end."""
        result = self.game.result(self.reach(start, *steps, **options))
        assert result is not None
        return result.scores

    def time_out(self, start: S | Mapping[str, Any], seat: Seat, **options: str) -> Position:
        """The position after the first move that is made for a seat whose clock has run out."""
        state = self._state(start, options)
        return self.game.dump(self.game.apply(state, seat, self.game.timeout(state, seat))[0])

    def legal(self, start: S | Mapping[str, Any], seat: Seat | None = None, **options: str) -> set[str]:
        """The legal moves of a seat, spelled; without a seat, of the only seat that must act.

        Of verbs that are `wide` only the suggested moves.
        """
        state = self._state(start, options)
        return set(map(str, self.game.moves(state, self._turn(state) if seat is None else seat)))

    def refusal(self, start: S | Mapping[str, Any], step: Step, **options: str) -> str:
        """The code of the refusal; empty if the step is accepted."""
        refused = self._refused(start, step, options)
        return refused.code if refused else ""

    def refusal_reason(self, start: S | Mapping[str, Any], step: Step, **options: str) -> str:
        """The sentence of the refusal; empty if the step is accepted."""
        refused = self._refused(start, step, options)
        return self.say(refused.reason) if refused else ""

    def events(self, start: S | Mapping[str, Any], step: Step, **options: str) -> tuple[Event, ...]:
        """The events of a step."""
        state = self._state(start, options)
        *_, events = self.game.act(state, *self._acting(state, step))
        return events

    def news(self, start: S | Mapping[str, Any], step: Step, **options: str) -> list[tuple[Seat | None, str]]:
        """Each event of a step: its reader (None: the whole table) and its sentence."""
        return self.sentences(self.events(start, step, **options))

    def public_news(self, start: S | Mapping[str, Any], step: Step, **options: str) -> list[str]:
        """The sentences that a step tells the whole table."""
        return [sentence for reader, sentence in self.news(start, step, **options) if reader is None]

    def sentences(self, events: Iterable[Event]) -> list[tuple[Seat | None, str]]:
        """The reader and the sentence of each event."""
        return [(event.to, self.say(event.text)) for event in events]

    def _refused(
        self, start: S | Mapping[str, Any], step: Step, options: Mapping[str, str]
    ) -> IllegalMove | None:
        """The refusal of a step; asserts that the state is unchanged and that the reason has a sentence.

        A position must have all fields: `dump` must write it again as it was given.
        """
        state = self._state(start, options)
        before = repr(state)
        try:
            self.game.act(state, *self._acting(state, step))
        except IllegalMove as illegal:
            refused = illegal
        else:
            return None
        assert repr(state) == before
        assert not isinstance(start, Mapping) or self.game.dump(state) == start
        assert self.say(refused.reason)
        return refused

    def _state(self, start: S | Mapping[str, Any], options: Mapping[str, str]) -> S:
        if isinstance(start, Mapping):
            return self.load(start, **options)
        assert not options, "a state has its options already"
        return start

    def _acting(self, state: S, step: Step) -> tuple[Seat, Action]:
        return step if isinstance(step, tuple) else (self._turn(state), step)

    def _turn(self, state: S) -> Seat:
        """The only seat that must act, as the public sees it; fails if there are several or none."""
        (seat,) = self.game.awaited(self.game.view(state, None)).must
        return seat


def message(seat: Seat, verb: str, **fields: Any) -> dict[str, Any]:
    """An action as a message of `PROTOCOL.md`."""
    return {"type": verb, "playerId": f"p{seat + 1}", **fields}
