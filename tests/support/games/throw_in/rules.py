"""Throw-in, a game for tests: several players must act at once, and one player loses.

The leader leads a card; the others with cards must throw in or pass, in any order, until each of them has
passed. The leader may act meanwhile if the option ``stop`` is ``yes``, but the round does not wait for it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, ClassVar

from engines.actions import Action
from engines.cards import Card, by_rank, deck, remove_card
from engines.drawing import cut, wrap_words
from engines.game import Awaited, Event, Game, Move, Name, Option, Result, Say, Seat, Text, refuse
from engines.position import Transient
from engines.rules import Rules, rules_text
from engines.shuffle import shuffle, starter
from engines.values import Value, fields_of, replace, replace_at
from tests.support.games.throw_in import SUMMARY

DECK = deck(("A", "6", "7", "8", "9", "10", "J", "Q", "K"))
HAND = 5


class Lead(Action):
    verb: ClassVar = "lead"
    card: Card


class Throw(Action):
    verb: ClassVar = "throw"
    card: Card


class Pass(Action):
    verb: ClassVar = "pass"


class Stop(Action):
    verb: ClassVar = "stop"


class Public(Value, kw_only=True):
    """The part of the state that all readers see."""

    table: tuple[Card, ...] = ()
    """The card led and those thrown in."""
    passed: tuple[Seat, ...] = ()
    discard: tuple[Card, ...] = ()
    turn: Seat = 0
    """The seat of the leader; it changes when a round ends."""
    turns: Transient[int] = 1
    options: Transient[Mapping[str, str]]


class State(Public, kw_only=True):
    """The whole state, with all hidden cards."""

    hands: tuple[tuple[Card, ...], ...]
    stock: tuple[Card, ...] = ()
    """The cards that were not dealt."""


class View(Public, kw_only=True):
    """A reader's view: their own hand, and the number of cards in each hand."""

    seat: Seat | None
    hand: tuple[Card, ...] | None
    sizes: tuple[int, ...]
    stock_size: int
    result: Result | None


def find_awaited(public: Public, sizes: Sequence[int]) -> Awaited:
    """The seats that must act and may act; none if fewer than two hold cards.

    Before the lead the leader must act; then the others with cards who have not passed must, and the leader
    with cards may, whatever the option ``stop`` says.
    """
    holders = [seat for seat, size in enumerate(sizes) if size]
    if len(holders) < 2:
        return Awaited(())
    if not public.table:
        return Awaited((public.turn,))
    must = [seat for seat in holders if seat != public.turn and seat not in public.passed]
    return Awaited(tuple(must), tuple(seat for seat in holders if seat == public.turn))


def sizes_of(state: State) -> tuple[int, ...]:
    return tuple(map(len, state.hands))


class ThrowIn(Rules[State, View, Lead | Throw | Pass | Stop]):
    """A player leads a card; cards of its rank may be thrown in; the last player with cards loses."""

    key = "throw_in"
    title, pitch, seats = SUMMARY
    options = (
        Option(
            "stop",
            Text("The leader may stop"),
            {"yes": Text("yes"), "no": Text("no")},
            {"no": (range(4, 7), Text("With four or more a round without a stop is long."))},
        ),
    )
    actions = (Lead, Throw, Pass, Stop)
    state_type = State
    pack = frozenset(DECK)

    def deal(
        self, seats: int, seed: bytes, options: Mapping[str, str], carry: Mapping[str, Any] | None
    ) -> State:
        cards = shuffle(seed, DECK)
        hands = tuple(cards[seat * HAND : (seat + 1) * HAND] for seat in range(seats))
        return State(hands=hands, stock=cards[seats * HAND :], turn=starter(seed, seats), options=options)

    def opening(self, state: State) -> tuple[Event, ...]:
        return (Event(Text("{who} leads first.", who=Name(state.turn)), None),)

    def may_act(self, state: State, seat: Seat, verb: str) -> bool:
        must, may, _ = find_awaited(state, sizes_of(state))
        return seat in must or (seat in may and state.options["stop"] == "yes")

    def awaited(self, view: View) -> Awaited:
        must, may, _ = find_awaited(view, view.sizes)
        return Awaited(must, may if view.options["stop"] == "yes" else ())

    def moves(self, state: State, seat: Seat) -> tuple[Move, ...]:
        if not self.may_act(state, seat, ""):
            return ()
        if not state.table:
            return tuple(Lead(card).to_move() for card in sorted(state.hands[seat], key=by_rank))
        fitting = [Throw(card).to_move() for card in state.hands[seat] if card.rank == state.table[0].rank]
        return (*fitting, (Stop() if seat == state.turn else Pass()).to_move())

    def check(self, state: State, seat: Seat, action: Lead | Throw | Pass | Stop) -> None:
        if isinstance(action, Lead) and state.table:
            refuse("led-already", "The lead is {card} already.", card=state.table[0])
        if not isinstance(action, Lead) and not state.table:
            refuse("no-lead", "First lead a card.")
        if isinstance(action, Pass | Stop):
            if isinstance(action, Stop) != (seat == state.turn):
                refuse("wrong-seat", "Who leads stops, the others pass.")
        elif action.card not in state.hands[seat]:
            refuse("not-in-hand", "{card} is not in your hand.", card=action.card)
        elif isinstance(action, Throw) and action.card.rank != state.table[0].rank:
            refuse(
                "wrong-rank", "{card} is not of the rank of {lead}.", card=action.card, lead=state.table[0]
            )

    def perform(
        self, state: State, seat: Seat, action: Lead | Throw | Pass | Stop
    ) -> tuple[State, tuple[Event, ...]]:
        who = Name(seat)
        match action:
            case Lead(card) | Throw(card):
                hands = replace_at(state.hands, seat, remove_card(state.hands[seat], card))
                state = replace(state, hands=hands, table=(*state.table, card))
                news = Text("{who} plays {card}.", who=who, card=card)
            case Pass():
                state = replace(state, passed=(*state.passed, seat))
                news = Text("{who} passes.", who=who)
            case Stop():
                state = replace(state, passed=tuple(range(len(state.hands))))
                news = Text("{who} stops the round.", who=who)
        must = find_awaited(state, sizes_of(state)).must
        return (state if must else self._end_round(state)), (Event(news, None),)

    def _end_round(self, state: State) -> State:
        seats = len(state.hands)
        following = [(state.turn + n) % seats for n in range(1, seats + 1)]
        return replace(
            state,
            table=(),
            passed=(),
            discard=state.discard + state.table,
            turn=next(seat for seat in following if state.hands[seat]),
            turns=state.turns + 1,
        )

    def timeout(self, state: State, seat: Seat) -> Move:
        moves = self.moves(state, seat)
        return moves[-1] if state.table else moves[0]

    def result(self, state: State) -> Result | None:
        return find_result(sizes_of(state))

    def view(self, state: State, seat: Seat | None) -> View:
        return View(
            **fields_of(Public, state),
            seat=seat,
            hand=None if seat is None else state.hands[seat],
            sizes=sizes_of(state),
            stock_size=len(state.stock),
            result=self.result(state),
        )

    def imagine(self, view: View, rng: Random) -> State:
        seen = {*view.table, *view.discard, *(view.hand or ())}
        unseen = rng.sample(left := [card for card in DECK if card not in seen], len(left))
        hands = []
        for seat, size in enumerate(view.sizes):
            hands.append(view.hand if seat == view.seat and view.hand else tuple(unseen[:size]))
            unseen = unseen if seat == view.seat else unseen[size:]
        return State(**fields_of(Public, view), hands=tuple(hands), stock=tuple(unseen))

    def draw(self, view: View, say: Say, width: int, height: int | None = None) -> str:
        lines = [
            cut(f"{'>' if seat == view.turn else ' '} {size} {say.name(seat)}", width)
            for seat, size in enumerate(view.sizes)
        ]
        lines += wrap_words([say(Text("Table:")), *map(say.card, view.table)], width)
        if view.hand is not None:
            lines += wrap_words(
                [say(Text("Hand:")), *map(say.card, self.arrange(view, view.hand, say))], width
            )
        return "\n".join(lines)

    def label(self, view: View, words: tuple[str, ...], say: Say) -> str:
        return " ".join(words)

    def help(self, say: Say) -> str:
        return rules_text(__package__, say.locale)

    def seat_defaults(self, seats: int) -> dict[str, Any]:
        return {"hands": ((),) * seats}


def find_result(sizes: Sequence[int]) -> Result | None:
    """The result once a single player has cards: that player loses, all others win."""
    if sum(map(bool, sizes)) > 1:
        return None
    (loser,) = (seat for seat, size in enumerate(sizes) if size)
    winners = tuple(seat for seat in range(len(sizes)) if seat != loser)
    return Result(tuple(-size for size in sizes), winners, Text("{who} is left with cards.", who=Name(loser)))


game: Game[State, View] = ThrowIn()
