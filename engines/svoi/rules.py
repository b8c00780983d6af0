"""The game Svoi Kozyri, assembled from its modules; rule numbers refer to ``RULES.md``."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from engines.cards import SUITS
from engines.game import Choices, Event, Game, Move, MoveStyle, Option, Result, Seat, Text
from engines.rules import Rules
from engines.shuffle import Seed, starter
from engines.svoi import SUMMARY, screen, texts
from engines.svoi import moves as listed
from engines.svoi.brain import computers
from engines.svoi.checks import check
from engines.svoi.deck import DECK
from engines.svoi.effects import perform
from engines.svoi.guide import GUIDE
from engines.svoi.history import imagine_hands, is_repeated
from engines.svoi.reasons import reason
from engines.svoi.state import (
    ACTION_LIMIT,
    REPETITION_LIMIT,
    AnyAction,
    Beat,
    ChooseTrump,
    Lead,
    Public,
    State,
    Take,
    View,
)
from engines.values import fields_of, replace

_SEED_BYTES = 32
"""The length of the seeds of imagined deals."""
_YES_OR_NO = {"off": Text("no"), "on": Text("yes")}


class Svoi(Rules[State, View, AnyAction]):
    """A game for two players with one open pile; each player has a trump suit of their own."""

    key = "svoi"
    title, pitch, seats = SUMMARY
    options = (
        Option("voluntary_take", Text("You may take even if you can beat"), _YES_OR_NO),
        Option("sixes_to_owner", Text("You get your own six of trumps"), _YES_OR_NO),
        Option("mirrored_deal", Text("Mirrored hands"), _YES_OR_NO),
        Option(
            "last_reply",
            Text("Saving a draw at the end"),
            {
                "one": Text("with one card"),
                "two": Text("with one or two cards"),
                "off": Text("never"),
            },
        ),
    )
    guide = GUIDE
    strengths = (1149, 1500, 2354)
    actions = (ChooseTrump, Lead, Beat, Take)
    forced_is_public = True
    state_type = State
    pack = frozenset(DECK)

    check = staticmethod(check)
    perform = staticmethod(perform)
    draw = staticmethod(screen.draw)
    arrange = staticmethod(screen.arrange)
    label = staticmethod(texts.label)
    think = staticmethod(computers.think)
    estimate = staticmethod(computers.estimate)
    reason = staticmethod(reason)

    def deal(
        self, seats: int, seed: bytes, options: Mapping[str, str], carry: Mapping[str, Any] | None
    ) -> State:
        dealer = int(carry["dealer"]) if carry else starter(seed, seats)
        return State(phase="trumps", turn=dealer, dealer=dealer, seed=Seed(seed), options=options)

    def opening(self, state: State) -> tuple[Event, ...]:
        return texts.public(texts.opening(state.dealer))

    def moves(self, state: State, seat: Seat) -> tuple[Move, ...]:
        return listed.moves(state, seat) if seat == state.turn and self.result(state) is None else ()

    def choices(self, state: State, seat: Seat, words: tuple[str, ...] = ()) -> Choices:
        if seat == state.turn and self.result(state) is None:
            return listed.choices(state, seat, words)
        return Choices((), False)

    def style(self, view: View, move: Move) -> MoveStyle:
        """A move that lays the last cards of a hand stands out: it wins, unless a last reply saves a draw."""
        return "finish" if move.verb in ("lead", "beat") and len(move.words) == len(view.hand) else "plain"

    def timeout(self, state: State, seat: Seat) -> Move:
        return self.moves(state, seat)[0]

    def result(self, state: State) -> Result | None:
        """The result of a game that an empty hand or a draw has ended (rules 7 and 8); else None."""
        if state.phase == "trumps":
            return None
        first, second = state.hands
        if not (first and second):
            return Result.of((int(not first and bool(second)), int(not second and bool(first))))
        if state.turns > ACTION_LIMIT or state.repeated:
            return Result.of((0, 0))
        return None

    def carry(self, state: State) -> Mapping[str, Any]:
        """The dealer of the next game: the loser; after a draw, the player who did not deal (rule 3)."""
        match self.result(state):
            case Result(winners=(winner,)):
                return {"dealer": 1 - winner}
            case _:
                return {"dealer": 1 - state.dealer}

    def view(self, state: State, seat: Seat | None) -> View:
        return View(
            **fields_of(Public, state),
            seat=seat,
            hand=() if seat is None else state.hands[seat],
            hand_sizes=tuple(map(len, state.hands)),
            result=self.result(state),
        )

    def imagine(self, view: View, rng: Random) -> State:
        return State(
            **fields_of(Public, view),
            hands=imagine_hands(view, rng),
            repeated=is_repeated(view.past, view.pile, REPETITION_LIMIT),
            seed=Seed(rng.randbytes(_SEED_BYTES) if view.phase == "trumps" else b""),
        )

    def load(self, position: Mapping[str, Any], seats: int, options: Mapping[str, str]) -> State:
        """Loads a position; one without a dealer was dealt by the seat before the one to play."""
        state = super().load(position, seats, options)
        return state if "dealer" in position else replace(state, dealer=1 - state.turn)

    def seat_defaults(self, seats: int) -> dict[str, Any]:
        return {"hands": ((),) * seats, "trumps": (None,) * seats}

    def find_fault(self, state: State, seats: int) -> str | None:
        chosen = [suit for suit in state.trumps if suit is not None]
        if fault := super().find_fault(state, seats):
            return fault
        if state.dealer not in range(seats):
            return f"dealer: no seat {state.dealer}"
        if not set(chosen) <= set(SUITS) or len(set(chosen)) < len(chosen):
            return "trumps: different suits of S H D C are wanted"
        if state.phase not in ("trumps", "play"):
            return "phase: trumps or play is wanted"
        if state.phase == "trumps" and (any(state.hands) or state.pile or state.trumps[state.turn]):
            return "phase: before the deal no card lies anywhere, and the seat to play has no trump suit"
        return None


game: Game[State, View] = Svoi()
