"""Grab, a game for tests of a shared keyboard: simultaneous moves that can be secret and can conflict.

`tests.support.games.throw_in` has neither: its players act in public, and no move makes another illegal.

Every player grabs one of the numbers on the table, in any order; the highest wins. A player who has
grabbed may trade once for a number that is left, while the game waits for other players. With the option
``secret`` every player is asked, `awaited` tells no other player who has grabbed, and nobody trades. Views
and drawings show all numbers nevertheless.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any

from engines.cards import Card
from engines.game import (
    Awaited,
    Choices,
    Event,
    Game,
    Level,
    Move,
    MoveStyle,
    Name,
    Option,
    Result,
    Say,
    Seat,
    Text,
    refuse,
)
from engines.values import Value, replace, replace_at
from tests.adapters.terminal.games.grab import SUMMARY


class State(Value):
    """The number that each seat holds, or None; `reader` is set in the view of a seat only."""

    held: tuple[int | None, ...]
    traded: tuple[bool, ...]
    secret: bool = False
    reader: Seat | None = None


class Grab:
    """The rules of Grab."""

    key = "grab"
    title, pitch, seats = SUMMARY
    revision = 1
    turn_seconds = 60
    guide = None
    strengths = ()
    options = (Option("secret", Text("secret"), {"off": Text("no"), "on": Text("yes")}),)
    verbs = ("grab", "trade")
    wide: frozenset[str] = frozenset()
    compulsory: frozenset[str] = frozenset()
    valued: frozenset[str] = frozenset()
    forced_is_public = False
    hidden = True
    scoring = frozenset[Card]()

    def style(self, view: State, move: Move) -> MoveStyle:
        return "plain"

    def new(
        self,
        seats: int,
        seed: bytes,
        options: Mapping[str, str],
        carry: Mapping[str, Any] | None = None,
    ) -> State:
        return State((None,) * seats, (False,) * seats, options.get("secret") == "on")

    def opening(self, state: State) -> tuple[Event, ...]:
        return ()

    def moves(self, state: State, seat: Seat) -> list[Move]:
        left = [number for number in range(1, len(state.held) + 2) if number not in state.held]
        if self.result(state):
            return []
        if state.held[seat] is None:
            return [Move("grab", (str(number),)) for number in left]
        may_trade = not state.secret and not state.traded[seat]
        return [Move("trade", (str(number),)) for number in left] if may_trade else []

    def choices(self, state: State, seat: Seat, words: tuple[str, ...] = ()) -> Choices:
        phrases = [(move.verb, *move.words) for move in self.moves(state, seat)]
        n = len(words)
        following = dict.fromkeys(phrase[n] for phrase in phrases if phrase[:n] == words and phrase[n:])
        return Choices(tuple(following), words in phrases)

    def apply(self, state: State, seat: Seat, move: Move) -> tuple[State, tuple[Event, ...]]:
        if move not in self.moves(state, seat):
            refuse("taken", "{move} is not possible.", move=str(move))
        number = int(move.words[0])
        after = replace(state, held=replace_at(state.held, seat, number))
        if move.verb == "trade":
            after = replace(after, traded=replace_at(state.traded, seat, True))
        reader = seat if state.secret else None
        return after, (Event(Text("{who} takes {n}.", who=Name(seat), n=number), reader),)

    def act(
        self, state: State, seat: Seat, action: str | Mapping[str, Any]
    ) -> tuple[Move, State, tuple[Event, ...]]:
        move = Move.parse(str(action) or "?")
        return move, *self.apply(state, seat, move)

    def complete(self, view: State, verb: str, words: Sequence[str]) -> tuple[str, ...]:
        return tuple(words)

    def timeout(self, state: State, seat: Seat) -> Move:
        return self.moves(state, seat)[0]

    def turns(self, state: State) -> int:
        return 1 + sum(number is not None for number in state.held)

    def awaited(self, view: State) -> Awaited:
        seats = range(len(view.held))
        if self.result(view):
            return Awaited(())
        if view.secret:
            return Awaited(
                tuple(seat for seat in seats if seat != view.reader or view.held[seat] is None), secret=True
            )
        must = tuple(seat for seat in seats if view.held[seat] is None)
        return Awaited(must, tuple(seat for seat in seats if seat not in must and not view.traded[seat]))

    def result(self, state: State) -> Result | None:
        scores = [number for number in state.held if number is not None]
        return Result.of(scores) if len(scores) == len(state.held) else None

    def carry(self, state: State) -> Mapping[str, Any]:
        return {}

    def view(self, state: State, seat: Seat | None) -> State:
        return replace(state, reader=seat)

    def imagine(self, view: State, rng: Random) -> State:
        return replace(view, reader=None)

    def think(self, view: State, moves: Sequence[Move], rng: Random, level: Level = "normal") -> Move:
        return moves[0]

    def estimate(self, view: State, moves: Sequence[Move], rng: Random) -> Mapping[Move, float]:
        return {moves[0]: 1 / len(view.held)}

    def plan(self, view: State) -> None:
        return None

    def reason(self, view: State, move: Move) -> Text:
        return Text("takes {n}", n=move.words[0])

    def points(self, view: State) -> tuple[int, ...]:
        return ()

    def has_card(self, card: Card) -> bool:
        return False

    def worth(self, view: State, move: Move) -> int:
        return 0

    def draw(self, view: State, say: Say, width: int, height: int | None = None) -> str:
        return "numbers: " + " ".join(str(number or "-") for number in view.held)

    def arrange(self, view: State, cards: Iterable[Card], say: Say) -> list[Card]:
        return list(cards)

    def label(self, view: State, words: tuple[str, ...], say: Say) -> str:
        return " ".join(words)

    def help(self, say: Say) -> str:
        return "# Grab"

    def load(self, position: Mapping[str, Any], seats: int, options: Mapping[str, str]) -> State:
        raise NotImplementedError

    def dump(self, state: State) -> dict[str, Any]:
        raise NotImplementedError

    def write_json(self, state: State, seat: Seat, move: Move) -> dict[str, Any]:
        raise NotImplementedError

    def message(self, view: State) -> dict[str, Any] | None:
        return None


game: Game[State, State] = Grab()
