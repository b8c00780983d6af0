"""The rules of Boathouse Rum: what is asked for, whether it is allowed, and who may know what."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Any, ClassVar

from engines.actions import Message, malformed, player_id
from engines.boathouse import checks, effects
from engines.boathouse import moves as listed
from engines.boathouse.series import deal, next_dealer, tell_deal
from engines.boathouse.state import (
    DECK,
    MELDS,
    Action,
    Discard,
    Draw,
    Flip,
    GoOut,
    Lay,
    LayOff,
    State,
    View,
    in_canonical_order,
    is_over,
)
from engines.cards import Card
from engines.game import Choices, Event, Move, Option, Result, Seat, Text
from engines.position import dump as write_position
from engines.rules import Rules
from engines.shuffle import Seed, starter
from engines.values import replace

_NAME = re.compile(r"meld_\d{1,6}")
_SEED_BYTES = 16
_UNDERSTOOD = 10_000
"""How many texts are kept with their meaning."""


class BoathouseRules(Rules[State, View, Action]):
    """The rules; `engines.boathouse` adds the look and the computer player."""

    key = "boathouse"
    title = Text("Boathouse Rum")
    pitch = Text("Draw two, discard one, meld everything; the others pay for what they still hold.")
    seats = range(2, 7)
    options = (
        Option(
            "going_out",
            Text("Melds go on the table"),
            {"open": Text("whenever you like"), "closed": Text("only all at once")},
        ),
        Option("hands", Text("Hands"), {str(n): Text("{n}", n=n) for n in range(1, 11)}),
        Option(
            "flip",
            Text("A turned-over pile is"),
            {"unshuffled": Text("not shuffled"), "reshuffle": Text("shuffled")},
        ),
        Option("rummy_double", Text("Rummy is paid double"), {"on": Text("yes"), "off": Text("no")}),
    )
    verbs: ClassVar = ("draw", "flip", "meld", "layoff", "discard", "out")
    wide: ClassVar = frozenset({"meld", "layoff", "out"})
    state_type = State
    twice = True
    pack = frozenset(DECK)

    def new(
        self,
        seats: int,
        seed: bytes,
        options: Mapping[str, str],
        carry: Mapping[str, Any] | None = None,
    ) -> State:
        settled = self.settle(seats, options)
        dealer = carry["dealer"] % seats if carry else starter(seed, seats)
        return deal(
            State(
                hands=((),) * seats,
                dealer=dealer,
                ledger=(0,) * seats,
                by_lot=not carry,
                seed=Seed(seed),
                options=settled,
            )
        )

    def load(self, position: Mapping[str, Any], seats: int, options: Mapping[str, str]) -> State:
        self.settle(seats, options)
        turn = position.get("turn", 0)
        dealer = (turn - 1) % seats if isinstance(turn, int) else 0
        return _with_knowledge(super().load({"dealer": dealer, **position}, seats, options))

    def fault(self, state: State, seats: int) -> str | None:
        if fault := super().fault(state, seats):
            return fault
        if state.dealer not in range(seats):
            return f"dealer: no seat {state.dealer}"
        if state.phase not in ("draw", "play"):
            return f"phase: no phase {state.phase!r}"
        if state.phase == "draw" and not (state.stock or state.pile):
            return "stock: nothing is left to draw"
        if not set(state.barred) <= set(state.hands[state.turn]):
            return "barred: not in the hand whose turn it is"
        for meld in state.melds:
            if not _NAME.fullmatch(meld.name) or meld.by not in range(seats) or not MELDS.is_meld(meld.cards):
                return f"melds: {meld.name} has no such name, is no meld, or is nobody's"
        return None

    def blank(self, seats: int) -> dict[str, Any]:
        return {"hands": ((),) * seats, "laid_before": (False,) * seats, "ledger": (0,) * seats}

    def opening(self, state: State) -> tuple[Event, ...]:
        return tell_deal(state)

    def result(self, state: State) -> Result | None:
        if is_over(state) and state.hand >= int(state.options["hands"]):
            return Result.of(state.ledger)
        return None

    def carry(self, state: State) -> Mapping[str, Any]:
        return {"dealer": next_dealer(state) if self.result(state) else state.dealer}

    def moves(self, state: State, seat: Seat) -> tuple[Move, ...]:
        return listed.moves(state, seat) if self._is_awaited(state, seat) else ()

    def choices(self, state: State, seat: Seat, words: tuple[str, ...] = ()) -> Choices:
        if not self._is_awaited(state, seat):
            return Choices((), False)
        return listed.choices(state, seat, words)

    def timeout(self, state: State, seat: Seat) -> Move:
        if state.phase == "draw":
            return Move("draw", ("stock",)) if state.stock else Move("flip")
        return listed.discard(state, seat)

    def from_words(self, state: State, verb: str, words: Sequence[str]) -> Action:
        if verb != "out":
            return _understand(verb, tuple(words), self.card)
        if not words or state.options["going_out"] == "open":
            malformed()
        return self._going_out([word.split("+") for word in words])

    def from_message(self, state: State, verb: str, message: Message) -> Action:
        match verb:
            case "draw":
                words = [message.take("source", str)]
            case "flip":
                words = []
            case "meld":
                words = _strings(message.take("cards", list))
            case "layoff":
                words = [message.take("meld", str), *_strings(message.take("cards", list))]
            case "discard":
                words = [message.take("card", str)]
            case "out" if state.options["going_out"] == "closed":
                melds = [_strings(meld) for meld in message.take("melds", list)]
                discard = message.maybe("discard", str)
                message.end()
                return self._out(melds, discard)
            case _:
                malformed()
        message.end()
        return self.from_words(state, verb, words)

    def spell(self, action: Action) -> Move:
        match action:
            case Draw(from_pile):
                return Move("draw", ("pile" if from_pile else "stock",))
            case Flip():
                return Move("flip")
            case Lay(cards):
                return Move("meld", cards)
            case LayOff(meld, cards):
                return Move("layoff", (meld, *cards))
            case Discard(card):
                return Move("discard", (card,))
            case GoOut(melds, discard):
                words = ["+".join(meld) for meld in melds]
                return Move("out", (*words, discard) if discard else tuple(words))

    def check(self, state: State, seat: Seat, action: Action) -> None:
        checks.check(state, seat, action)

    def perform(self, state: State, seat: Seat, action: Action) -> tuple[State, tuple[Event, ...]]:
        return effects.perform(state, seat, action)

    def view(self, state: State, seat: Seat | None) -> View:
        return View(
            seat=seat,
            hand=() if seat is None else state.hands[seat],
            drawn=state.drawn if seat == state.turn else (),
            hand_sizes=tuple(map(len, state.hands)),
            known=state.known,
            stock_size=len(state.stock),
            pile=state.pile,
            melds=state.melds,
            turn=state.turn,
            turns=state.turns,
            phase=state.phase,
            barred=state.barred,
            laid_before=state.laid_before,
            laid_now=state.laid_now,
            thin_turns=state.thin_turns,
            dealer=state.dealer,
            number=state.hand,
            ledger=state.ledger,
            settled=state.settled,
            options=state.options,
            result=self.result(state),
        )

    def imagine(self, view: View, rng: Random) -> State:
        unseen = unseen_cards(view)
        rng.shuffle(unseen)
        hands = []
        for seat, size in enumerate(view.hand_sizes):
            cards = view.hand if seat == view.seat else shown_cards(view, seat)
            dealt, unseen = unseen[: size - len(cards)], unseen[size - len(cards) :]
            hands.append((*cards, *dealt))
        return State(
            hands=tuple(hands),
            stock=tuple(unseen),
            pile=view.pile,
            melds=view.melds,
            turn=view.turn,
            phase=view.phase,
            barred=view.barred,
            laid_before=view.laid_before,
            laid_now=view.laid_now,
            thin_turns=view.thin_turns,
            dealer=view.dealer,
            hand=view.number,
            ledger=view.ledger,
            drawn=view.drawn,
            known=view.known,
            settled=view.settled,
            turns=view.turns,
            seed=Seed(rng.randbytes(_SEED_BYTES)),
            options=view.options,
        )

    def write_json(self, state: State, seat: Seat, move: Move) -> dict[str, Any]:
        head: dict[str, Any] = {"type": move.verb, "playerId": player_id(seat)}
        match self.from_words(state, move.verb, move.words):
            case Draw(from_pile):
                return {**head, "source": "pile" if from_pile else "stock"}
            case Flip():
                return head
            case Lay(cards):
                return {**head, "cards": list(cards)}
            case LayOff(meld, cards):
                return {**head, "meld": meld, "cards": list(cards)}
            case Discard(card):
                return {**head, "card": card}
            case GoOut(melds, discard):
                last = {"discard": discard} if discard else {}
                return {**head, "melds": [list(meld) for meld in melds], **last}

    def message(self, view: View) -> dict[str, Any]:
        if view.seat is not None:
            return {"type": "hand", "playerId": player_id(view.seat), "hand": list(view.hand)}
        return {
            "type": "state",
            "turn": player_id(view.turn),
            "phase": view.phase,
            "handSizes": list(view.hand_sizes),
            "stockSize": view.stock_size,
            "pile": list(view.pile),
            "melds": write_position(view.melds),
            "barred": list(view.barred),
            "laidBefore": list(view.laid_before),
            "laidNow": view.laid_now,
            "thinTurns": view.thin_turns,
            "dealer": view.dealer,
            "hand": view.number,
            "ledger": list(view.ledger),
            "result": view.result and view.result.to_json(),
        }

    def _is_awaited(self, state: State, seat: Seat) -> bool:
        return seat == state.turn and self.result(state) is None

    def _cards(self, words: Sequence[str]) -> tuple[Card, ...]:
        return in_canonical_order(map(self.card, words))

    def _going_out(self, words: Sequence[Sequence[str]]) -> GoOut:
        """A single card at the end is the discard."""
        *melds, last = words
        return self._out(melds, last[0]) if len(last) == 1 else self._out(words, None)

    def _out(self, melds: Sequence[Sequence[str]], discard: str | None) -> GoOut:
        if not melds:
            malformed()
        read = sorted(map(self._cards, melds), key=lambda meld: meld[0].order)
        return GoOut(tuple(read), None if discard is None else self.card(discard))


@lru_cache(_UNDERSTOOD)
def _understand(verb: str, words: tuple[str, ...], card: Callable[[str], Card]) -> Action:
    """What the words mean in every state. What was understood once need not be read again."""
    match verb, words:
        case "draw", [source] if source.casefold() in ("stock", "pile"):
            return Draw(source.casefold() == "pile")
        case "flip", []:
            return Flip()
        case "meld", [_, *_]:
            return Lay(in_canonical_order(map(card, words)))
        case "layoff", [name, _, *_]:
            return LayOff(name.casefold(), in_canonical_order(map(card, words[1:])))
        case "discard", [discarded]:
            return Discard(card(discarded))
        case _:
            return malformed()


def unseen_cards(view: View) -> list[Card]:
    """The cards of which a reader does not know where they are, in canonical order."""
    seen = {*view.hand, *view.pile}
    seen.update(*(meld.cards for meld in view.melds))
    seen.update(*(shown_cards(view, seat) for seat in range(len(view.hand_sizes))))
    return [card for card in DECK if card not in seen]


def shown_cards(view: View, seat: Seat) -> tuple[Card, ...]:
    """What everybody knows of a hand: cards from the pile, and all when it is laid open at the end."""
    if view.result and view.settled:
        division = view.settled.divisions[seat]
        return (*(card for meld in division.melds for card in meld), *division.unmatched)
    return view.known[seat]


def _with_knowledge(state: State) -> State:
    """A loaded state, in which nothing is known of hands but the barred cards."""
    known = tuple(state.barred if seat == state.turn else () for seat in range(len(state.hands)))
    return replace(state, known=known, drawn=state.barred)


def _strings(items: Any) -> list[str]:
    if not isinstance(items, list) or not items or not all(isinstance(item, str) for item in items):
        malformed()
    return items
