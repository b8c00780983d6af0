"""The game Trío y Escalera: its options, its deal, its views and loaded positions.

`groups` has the groups on the table, `dice` chooses the first player, `moves` lists moves, `choices` lists
the words that may follow in a move, and `backs` adds the backs that a typed line leaves out. Rule numbers,
here and in the other modules, are those of ``RULES.md``.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from engines.cards import Card, UnknownCard
from engines.game import Choices, Event, Game, IllegalMove, Move, MoveStyle, Option, Result, Seat, Text
from engines.rules import Rules
from engines.shuffle import shuffle
from engines.trio_escalera import SUMMARY, backs, checks, effects, moves, reasons, screen, texts
from engines.trio_escalera.brain import computers, rearranging
from engines.trio_escalera.choices import next_words
from engines.trio_escalera.dice import starter, throw_dice
from engines.trio_escalera.groups import Group, in_table_order, numbers_after
from engines.trio_escalera.guide import GUIDE
from engines.trio_escalera.state import (
    DECK,
    Add,
    AnyAction,
    Draw,
    End,
    Lay,
    Public,
    Reset,
    State,
    View,
    on_table,
    placed_since_commit,
    sorted_hand,
)
from engines.values import fields_of, replace

# Checkers of worked cases, such as `tests.engines.test_conformance`, look for `starter` here.
__all__ = ["TrioEscalera", "game", "starter"]

_OFFERED = (Lay.verb, Add.verb, End.verb, Draw.verb, Reset.verb)
"""The verbs in the order of the buttons."""


class TrioEscalera(Rules[State, View, AnyAction]):
    """Players go out by laying groups on a common table, which every player may rearrange."""

    key = "trio_escalera"
    title, pitch, seats = SUMMARY
    turn_seconds = 90
    options = (
        Option(
            "table_moves",
            Text("Rearrange the table"),
            {"on": Text("yes"), "off": Text("no")},
            {
                "off": (
                    range(3, 7),
                    Text("With three or more players, most games end blocked if cards can't move."),
                )
            },
        ),
        Option(
            "ace",
            Text("The ace in a run"),
            {
                "low_or_high": Text("low or high"),
                "low": Text("low only"),
                "wrap": Text("also round the corner: K-A-2"),
            },
        ),
        Option(
            "movements",
            Text("Movements per turn"),
            {str(n): Text("{n}", n=n) for n in (5, *range(1, 5), *range(6, 11))},
        ),
        Option(
            "hand_size",
            Text("Cards dealt to each player"),
            {str(n): Text("{n}", n=n) for n in (8, *range(5, 8), *range(9, 13))},
        ),
        Option(
            "strict",
            Text("Groups must be complete"),
            {"off": Text("at the end of the turn"), "on": Text("after every movement")},
        ),
    )
    guide = GUIDE
    strengths = (1213, 1500, 1638)
    actions = (Lay, Add, Draw, Reset, End)
    state_type = State
    pack = frozenset(DECK)

    check = staticmethod(checks.check)
    complete = staticmethod(backs.complete)
    draw = staticmethod(screen.draw)
    label = staticmethod(texts.label)
    estimate = staticmethod(computers.estimate)
    moves = staticmethod(moves.moves)
    perform = staticmethod(effects.perform)
    plan = staticmethod(rearranging.plan)
    reason = staticmethod(reasons.reason)
    think = staticmethod(computers.think)

    def deal(
        self, seats: int, seed: bytes, options: Mapping[str, str], carry: Mapping[str, Any] | None
    ) -> State:
        size, shuffled = int(options["hand_size"]), shuffle(seed, DECK)
        hands = (shuffled[seat * size : (seat + 1) * size] for seat in range(seats))
        rounds = throw_dice(seed, seats)
        return State(
            hands=tuple(map(sorted_hand, hands)),
            stock=shuffled[seats * size :],
            on=(False,) * seats,
            turn=starter(rounds),
            movements_left=int(options["movements"]),
            rounds=rounds,
            options=options,
        )

    def opening(self, state: State) -> tuple[Event, ...]:
        return texts.deal(len(state.hands[0])), *texts.dice(state.rounds), texts.start(state.turn)

    def choices(self, state: State, seat: Seat, words: tuple[str, ...] = ()) -> Choices:
        """The words that may follow; a movement names its cards in any order, and hand cards come first."""
        if seat != state.turn or state.points is not None:
            return Choices((), False)
        if not words:
            return Choices(tuple(verb for verb in _OFFERED if _begins(state, verb)), False)
        try:
            self.judge_words(state, seat, words[0], words[1:])
            done = True
        except IllegalMove:
            done = False
        return Choices(tuple(next_words(state, words[0], words[1:])), done)

    def style(self, view: View, move: Move) -> MoveStyle:
        """A draw and the end of the turn are usual next moves; a movement of the whole hand stands out too.

        A reset is dangerous because nothing takes it back.
        """
        match move.verb:
            case Draw.verb | End.verb:
                return "main"
            case Reset.verb:
                return "danger"
        return "finish" if view.hand and set(view.hand) <= set(move.words) else "plain"

    def timeout(self, state: State, seat: Seat) -> Move:
        """A reset if there are movements to take back; then the draw that the turn needs; then its end."""
        if state.commit:
            return Move(Reset.verb)
        idle = state.drawn is None and not state.placed
        return Move(Draw.verb if idle and state.stock else End.verb)

    def result(self, state: State) -> Result | None:
        """The result of an ended game, None before its end (rules 15 to 17).

        The hand with the fewest points wins, among equals the one with the fewest cards; an empty hand has
        both.
        """
        if state.points is None:
            return None
        holdings = list(zip(state.points, map(len, state.hands), strict=True))
        won = [holding == min(holdings) for holding in holdings]
        prize = sum(count for count, winner in zip(state.points, won, strict=True) if not winner)
        return Result.of(
            [prize if winner else -count for count, winner in zip(state.points, won, strict=True)]
        )

    def card(self, spelling: str) -> Card:
        """Reads a card as in every game; refuses a card without its back with a reason of its own."""
        try:
            if not (card := Card(spelling)).back:
                checks.refuse_without_back(card)
        except UnknownCard:
            pass
        return super().card(spelling)

    def view(self, state: State, seat: Seat | None) -> View:
        return View(
            **fields_of(Public, state),
            seat=seat,
            hand=() if seat is None else state.hands[seat],
            own_draw=state.drawn if seat == state.turn else None,
            has_drawn=state.drawn is not None,
            hand_sizes=tuple(map(len, state.hands)),
            stock_size=len(state.stock),
            result=self.result(state),
        )

    def imagine(self, view: View, rng: Random) -> State:
        seen = {*view.hand, *on_table(view)}
        unseen = [card for card in DECK if card not in seen]
        rng.shuffle(unseen)
        hands = tuple(
            view.hand if seat == view.seat else sorted_hand([unseen.pop() for _ in range(size)])
            for seat, size in enumerate(view.hand_sizes)
        )
        stock, drawn = tuple(unseen[: view.stock_size]), view.own_draw
        if view.has_drawn and drawn is None:
            # The card that another player drew is in that player's hand, or among the cards placed since. A
            # loaded position does not say which cards were placed, and that hand may be empty.
            drawn = rng.choice((*hands[view.turn], *placed_since_commit(view)) or on_table(view))
        return State(**fields_of(Public, view), hands=hands, stock=stock, drawn=drawn)

    def load(self, position: Mapping[str, Any], seats: int, options: Mapping[str, str]) -> State:
        limit = int(self.resolve_options(seats, options)["movements"])
        state = super().load({"movements_left": limit, **position}, seats, options)
        return replace(
            state,
            hands=tuple(map(sorted_hand, state.hands)),
            groups=tuple(Group(group.name, in_table_order(group.cards, state.ace)) for group in state.groups),
            numbers=numbers_after(state.groups),
            came=tuple(group.name for group in state.groups),
        )

    def find_fault(self, state: State, seats: int) -> str | None:
        if fault := super().find_fault(state, seats):
            return fault
        if state.drawn and state.drawn not in (*state.hands[state.turn], *on_table(state)):
            return "drawn: neither in the hand of the seat to play nor on the table"
        if not all(group.cards for group in state.groups):
            return "groups: one has no cards"
        if len({group.name for group in state.groups}) < len(state.groups):
            return "groups: two have the same name"
        if state.movements_left > (limit := int(state.options["movements"])):
            return f"movements_left: more than the {limit} of a turn"
        return "passes: more than seats" if state.passes > seats else None

    def seat_defaults(self, seats: int) -> dict[str, Any]:
        return {"hands": ((),) * seats, "on": (False,) * seats}


def _begins(state: State, verb: str) -> bool:
    """Whether any legal move begins with the verb."""
    match verb:
        case Draw.verb:
            return checks.may_draw(state)
        case End.verb:
            return checks.may_end(state, state.turn)
        case Reset.verb:
            return checks.may_reset(state)
    # The movements are mostly cached, since a menu has listed them; finding all cards that may be named
    # takes longer.
    return any(made.verb == verb for made in moves.movements(state)) or any(next_words(state, verb, ()))


game: Game[State, View] = TrioEscalera()
