"""The rules of 40-card Casino; the numbers here and in its modules are those of ``RULES.md``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, ClassVar

from engines.actions import Message, malformed, player_id
from engines.cards import Card
from engines.casino import messages
from engines.casino.effects import perform, tell_starter_card, turn_up_starter
from engines.casino.moves import EXCHANGES, check, moves
from engines.casino.state import (
    DECK,
    HAND_SIZES,
    THREE_OF_HEARTS,
    Action,
    Capture,
    Exchange,
    MakeBuild,
    State,
    Steal,
    Throw,
    View,
    holder,
    pile_score,
    unseen_cards,
)
from engines.game import Awaited, Event, Move, Name, Option, Result, Seat, Text, plural
from engines.rules import Rules
from engines.shuffle import shuffle, starter
from engines.values import replace


class CasinoRules(Rules[State, View, Action]):
    """The rules; `engines.casino` adds the look and the computer player."""

    key = "casino"
    title = Text("Casino")
    pitch = Text("Capture cards of equal value from the table, build sums to come back for.")
    seats = range(2, 4)
    options = (
        Option(
            "steal_with",
            Text("A stolen card is built on with"),
            {"hand": Text("a hand card"), "table": Text("a loose card"), "off": Text("nothing: no stealing")},
        ),
        Option(
            "stack_top",
            Text("On top of a pile comes"),
            {"captured": Text("the captured card"), "capturing": Text("the capturing card")},
        ),
        Option(
            "exchange",
            Text("The 3♥ for the starter card"),
            {
                "ask": Text("its holder decides"),
                "auto": Text("always exchanged"),
                "off": Text("never exchanged"),
            },
        ),
        Option("multi_capture", Text("All cards of a value at once"), {"off": Text("no"), "on": Text("yes")}),
    )
    wide: ClassVar = frozenset[str]()
    verbs: ClassVar = ("capture", "build", "steal-build", "throw", "exchange")
    state_type = State
    pack = frozenset(DECK)

    moves = staticmethod(moves)
    check = staticmethod(check)
    perform = staticmethod(perform)

    def new(
        self,
        seats: int,
        seed: bytes,
        options: Mapping[str, str],
        carry: Mapping[str, Any] | None = None,
    ) -> State:
        settled = self.settle(seats, options)
        size, shuffled = HAND_SIZES[seats], shuffle(seed, DECK)
        hands = tuple(shuffled[seat * size : (seat + 1) * size] for seat in range(seats))
        rest = shuffled[seats * size :]
        dealt = State(
            hands=hands, piles=((),) * seats, stock=rest, turn=starter(seed, seats), options=settled
        )
        return dealt if seats == 2 else turn_up_starter(dealt)

    def load(self, position: Mapping[str, Any], seats: int, options: Mapping[str, str]) -> State:
        state = super().load(position, seats, options)
        return state if state.phase == "play" else replace(state, turns=0)

    def fault(self, state: State, seats: int) -> str | None:
        if state.phase not in ("play", "exchange"):
            return f"phase: no phase {state.phase!r}"
        if state.phase == "exchange" and (holder(state) is None or not state.loose):
            return "phase: for an exchange somebody holds 3H, and a starter card lies on the table"
        if state.last_capturer not in (None, *range(seats)):
            return f"last_capturer: no seat {state.last_capturer}"
        if any(sum(card.number for card in build.cards) != build.value for build in state.builds):
            return "builds: a value is not the sum of its cards"
        return super().fault(state, seats)

    def blank(self, seats: int) -> dict[str, Any]:
        return {"hands": ((),) * seats, "piles": ((),) * seats}

    def opening(self, state: State) -> tuple[Event, ...]:
        size = HAND_SIZES[len(state.hands)]
        deal = plural("Everybody gets {n} card.", "Everybody gets {n} cards.", size)
        lot = Text("The lot falls on {who} to start.", who=Name(state.turn))
        return tuple(Event(text, None) for text in (deal, lot, *tell_starter_card(state)))

    def result(self, state: State) -> Result | None:
        if state.stock or any(state.hands):
            return None
        return Result.of([pile_score(pile) for pile in state.piles])

    def may_act(self, state: State, seat: Seat, verb: str) -> bool:
        return seat == state.turn or (state.phase == "exchange" and verb == "exchange")

    def awaited(self, view: View) -> Awaited:
        if view.phase == "play":
            return super().awaited(view)
        if view.seat is not None and THREE_OF_HEARTS in view.hand:
            return Awaited((view.seat,))
        others = tuple(seat for seat in range(len(view.hand_sizes)) if seat != view.seat)
        return Awaited(others, secret=True)

    def timeout(self, state: State, seat: Seat) -> Move:
        if state.phase == "exchange":
            return Move("exchange", ("no",))
        lowest = min(state.hands[seat], key=lambda card: (card.number, "CDHS".index(card.suit)))
        return Move("throw", (lowest,))

    def from_words(self, state: State, verb: str, words: Sequence[str]) -> Action:
        if verb == "steal-build" and state.options["steal_with"] == "off":
            malformed()
        return messages.read_words(verb, tuple(words), self.card)

    def from_message(self, state: State, verb: str, message: Message) -> Action:
        return messages.read(state, verb, message, self.card)

    def spell(self, action: Action) -> Move:
        match action:
            case Capture(card, targets):
                words = [target if isinstance(target, Card) else "+".join(target) for target in targets]
                return Move("capture", (card, *(words or ["all"])))
            case MakeBuild(card, table_card):
                return Move("build", (card, table_card))
            case Steal(card, stolen):
                return Move("steal-build", (card, stolen))
            case Throw(card):
                return Move("throw", (card,))
            case Exchange(accept):
                return EXCHANGES[0 if accept else 1]

    def view(self, state: State, seat: Seat | None) -> View:
        return View(
            seat=seat,
            hand=() if seat is None else state.hands[seat],
            hand_sizes=tuple(map(len, state.hands)),
            loose=state.loose,
            builds=state.builds,
            piles=state.piles,
            stock_size=len(state.stock),
            turn=state.turn,
            turns=state.turns,
            phase=state.phase,
            last_capturer=state.last_capturer,
            options=state.options,
            exchanged=state.exchanged,
            scores=tuple(map(pile_score, state.piles)),
            result=self.result(state),
        )

    def imagine(self, view: View, rng: Random) -> State:
        unseen = unseen_cards(view)
        rng.shuffle(unseen)
        sizes = [0 if seat == view.seat else size for seat, size in enumerate(view.hand_sizes)]
        if view.phase == "exchange" and THREE_OF_HEARTS in unseen:
            _move_within(unseen, THREE_OF_HEARTS, rng.randrange(sum(sizes)))
        hands = [view.hand if seat == view.seat else _take(unseen, n) for seat, n in enumerate(sizes)]
        return State(
            hands=tuple(hands),
            loose=view.loose,
            builds=view.builds,
            piles=view.piles,
            stock=_take(unseen, view.stock_size),
            turn=view.turn,
            phase=view.phase,
            last_capturer=view.last_capturer,
            turns=view.turns,
            options=view.options,
            exchanged=view.exchanged,
        )

    def write_json(self, state: State, seat: Seat, move: Move) -> dict[str, Any]:
        action = self.from_words(state, move.verb, move.words)
        return {"type": move.verb, "playerId": player_id(seat), **messages.write(state, action)}

    def message(self, view: View) -> dict[str, Any]:
        return messages.write_view(view)


def _take(waiting: list[Card], n: int) -> tuple[Card, ...]:
    taken = tuple(waiting[:n])
    del waiting[:n]
    return taken


def _move_within(row: list[Card], card: Card, index: int) -> None:
    at = row.index(card)
    row[at], row[index] = row[index], row[at]
