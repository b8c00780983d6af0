"""The game of 40-card Casino: its options, its deal, its views, and the checks of loaded positions."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from engines.actions import MessageFields
from engines.cards import Card
from engines.casino import SUMMARY, checks, effects, moves, reasons, screen, texts
from engines.casino.actions import AnyAction, Capture, Exchange, MakeBuild, Steal, Throw
from engines.casino.brain import computers
from engines.casino.guide import GUIDE
from engines.casino.state import (
    DECK,
    HAND_SIZES,
    THREE_OF_HEARTS,
    Cards,
    Public,
    State,
    View,
    holder,
    owner,
    pile_score,
    scores_alone,
    unseen_cards,
)
from engines.game import Awaited, Event, Game, Move, Option, Result, Seat, Text
from engines.rules import Rules
from engines.shuffle import shuffle, starter
from engines.values import fields_of, replace

_THROW_ORDER = "CDHS"
"""The suits in the order in which a timeout throws one of several lowest cards."""
_IN_STATE_MESSAGE = (
    "type", "turn", "phase", "loose", "builds", "handSizes", "stockSize", "scores", "result",
)  # fmt: skip
"""The fields of the state message in ``PROTOCOL.md``, without those about the piles."""


class Casino(Rules[State, View, AnyAction]):
    """Cards capture cards of equal value; sums are built to be captured later."""

    key = "casino"
    title, pitch, seats = SUMMARY
    options = (
        Option(
            "steal_with",
            Text("Build a stolen card with"),
            {
                "hand": Text("a hand card"),
                "table": Text("a loose card"),
                "off": Text("nothing (no stealing)"),
            },
        ),
        Option(
            "stack_top",
            Text("Top card after a capture"),
            {"captured": Text("the captured card"), "capturing": Text("the capturing card")},
        ),
        Option(
            "exchange",
            Text("3♥ exchange"),
            {
                "ask": Text("the holder decides"),
                "auto": Text("always"),
                "off": Text("never"),
            },
        ),
        Option(
            "multi_capture", Text("Capture everything that matches"), {"off": Text("no"), "on": Text("yes")}
        ),
    )
    guide = GUIDE
    strengths = (921, 1500, 1970)
    actions = (Capture, MakeBuild, Steal, Throw, Exchange)
    state_type = State
    pack = frozenset(DECK)
    scoring = frozenset(filter(scores_alone, DECK))
    valued = frozenset((Capture.verb, Throw.verb))

    moves = staticmethod(moves.moves)
    check = staticmethod(checks.check)
    perform = staticmethod(effects.perform)
    draw = staticmethod(screen.draw)
    label = staticmethod(texts.label)
    think = staticmethod(computers.think)
    estimate = staticmethod(computers.estimate)
    reason = staticmethod(reasons.reason)
    worth = staticmethod(reasons.worth)

    def deal(
        self, seats: int, seed: bytes, options: Mapping[str, str], carry: Mapping[str, Any] | None
    ) -> State:
        size, shuffled = HAND_SIZES[seats], shuffle(seed, DECK)
        hands = tuple(shuffled[seat * size : (seat + 1) * size] for seat in range(seats))
        rest = shuffled[seats * size :]
        dealt = State(
            hands=hands, piles=((),) * seats, stock=rest, turn=starter(seed, seats), options=options
        )
        return dealt if seats == 2 else effects.turn_up_starter(dealt)

    def opening(self, state: State) -> tuple[Event, ...]:
        return tuple(texts.opening(state))

    def may_act(self, state: State, seat: Seat, verb: str) -> bool:
        return seat == state.turn or (state.phase == "exchange" and verb == "exchange")

    def awaited(self, view: View) -> Awaited:
        """The seat whose turn it is; in the exchange, every seat that may hold the three of hearts.

        Unless the reader holds it, each of the other seats may, since the reader sees no hand but their own.
        """
        if view.phase == "play":
            return super().awaited(view)
        if view.seat is not None and THREE_OF_HEARTS in view.hand:
            return Awaited((view.seat,))
        others = tuple(seat for seat in range(len(view.hand_sizes)) if seat != view.seat)
        return Awaited(others, secret=True)

    def timeout(self, state: State, seat: Seat) -> Move:
        if state.phase == "exchange":
            return Exchange(False).to_move()
        lowest = min(state.hands[seat], key=lambda card: (card.number, _THROW_ORDER.index(card.suit)))
        return Throw(lowest).to_move()

    def result(self, state: State) -> Result | None:
        if state.stock or any(state.hands):
            return None
        return Result.of([pile_score(pile) for pile in state.piles])

    def view(self, state: State, seat: Seat | None) -> View:
        return View(
            **fields_of(Public, state),
            seat=seat,
            hand=() if seat is None else state.hands[seat],
            hand_sizes=tuple(map(len, state.hands)),
            stock_size=len(state.stock),
            scores=tuple(map(pile_score, state.piles)),
            result=self.result(state),
        )

    def points(self, view: View) -> tuple[int, ...]:
        return view.scores

    def imagine(self, view: View, rng: Random) -> State:
        unseen = unseen_cards(view)
        rng.shuffle(unseen)
        sizes = [0 if seat == view.seat else size for seat, size in enumerate(view.hand_sizes)]
        if view.phase == "exchange" and THREE_OF_HEARTS in unseen:
            # The three of hearts is in a hand, not in the stock; hands are dealt from the front of the list.
            _swap(unseen, unseen.index(THREE_OF_HEARTS), rng.randrange(sum(sizes)))
        hands = [view.hand if seat == view.seat else _take(unseen, n) for seat, n in enumerate(sizes)]
        return State(**fields_of(Public, view), hands=tuple(hands), stock=_take(unseen, view.stock_size))

    def from_message(self, state: State, verb: str, message: MessageFields) -> AnyAction:
        message.seats = len(state.hands)
        return super().from_message(state, verb, message)

    def with_all_fields(self, state: State, action: AnyAction) -> AnyAction:
        match action:
            case MakeBuild(card, partner):
                return replace(action, build_value=card.number + partner.number)
            case Steal(card, stolen):
                value = card.number + stolen.number
                return replace(action, from_player=owner(state, stolen), build_value=value)
            case _:
                return action

    def message(self, view: View) -> dict[str, Any] | None:
        """The message of a view; of each pile the public message has only the size and the top card."""
        whole = super().message(view)
        if whole is None or view.seat is not None:
            return whole
        sizes, tops = list(map(len, view.piles)), [pile[-1] if pile else None for pile in view.piles]
        return {**{name: whole[name] for name in _IN_STATE_MESSAGE}, "pileSizes": sizes, "pileTops": tops}

    def load(self, position: Mapping[str, Any], seats: int, options: Mapping[str, str]) -> State:
        """Loads a position; in the exchange no turn has begun, so the count of turns is 0.

        A finished game gets the phase ``play``, whatever the position says.
        """
        state = super().load(position, seats, options)
        if state.phase == "play":
            return state
        return replace(state, phase="play") if self.result(state) else replace(state, turns=0)

    def find_fault(self, state: State, seats: int) -> str | None:
        if state.phase not in ("play", "exchange"):
            return f"phase: no phase {state.phase!r}"
        if state.last_capturer not in (None, *range(seats)):
            return f"last_capturer: no seat {state.last_capturer}"
        if any(sum(card.number for card in build.cards) != build.value for build in state.builds):
            return "builds: a value is not the sum of its cards"
        if fault := super().find_fault(state, seats):
            return fault
        if self.result(state):
            return None
        if state.phase == "exchange" and not (seats == 3 and state.options["exchange"] == "ask"):
            return "phase: an exchange is only for three seats with exchange=ask"
        if state.phase == "exchange" and not (holder(state) is not None and state.loose):
            return "phase: for an exchange a seat holds 3H, and a starter card lies on the table"
        return None if state.hands[state.turn] else "turn: the hand of this seat is empty"

    def seat_defaults(self, seats: int) -> dict[str, Any]:
        return {"hands": ((),) * seats, "piles": ((),) * seats}


def _take(cards: list[Card], n: int) -> Cards:
    """Removes the first ``n`` cards from the list and returns them."""
    taken = tuple(cards[:n])
    del cards[:n]
    return taken


def _swap(cards: list[Card], i: int, j: int) -> None:
    cards[i], cards[j] = cards[j], cards[i]


game: Game[State, View] = Casino()
