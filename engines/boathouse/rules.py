"""The game Boathouse Rum: its options, its views, and the checks of loaded positions.

`state` declares the values and the actions. `moves` lists the legal moves, with the melds that `layings`
finds. `checks` refuses illegal actions, `effects` performs legal ones. `series` deals and settles hands.
`texts` has the sentences, `screen` draws views, `reasons` says why a move is good. `brain` has the computer
players: they judge hands by `sight`, `outs` and `deadwood`, and the best ask `search`, which plays imagined
hands in the `simulator`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from engines.boathouse import SUMMARY, checks, effects, reasons, screen, series, texts
from engines.boathouse import moves as listed
from engines.boathouse.brain import computers, search
from engines.boathouse.guide import GUIDE
from engines.boathouse.state import (
    DECK,
    AnyAction,
    Discard,
    Draw,
    Flip,
    GoOut,
    Lay,
    LayOff,
    Public,
    State,
    View,
    is_meld,
    is_over,
    shown_cards,
    unseen_cards,
)
from engines.cards import is_card
from engines.game import Choices, Game, Move, MoveStyle, Option, Result, Seat, Text
from engines.rules import Rules
from engines.shuffle import Seed, starter
from engines.values import fields_of, replace

_MELD_NAME = re.compile(r"meld_\d{1,6}")
_SEED_BYTES = 16
"""The size of the seed of an imagined state."""
_SOURCES = {"mazo": "stock", "pila": "pile"}
"""Where to draw from, as players type it in Spanish."""


class Boathouse(Rules[State, View, AnyAction]):
    """Draw two cards, lay melds, discard one; the first player without cards is paid by the others."""

    key = "boathouse"
    title, pitch, seats = SUMMARY
    turn_seconds = 90
    options = (
        Option(
            "going_out",
            Text("Lay melds"),
            {"open": Text("in any turn"), "closed": Text("only when going out")},
            # When computers play, 22 to 30 % of hands are blocked with four players, 55 to 59 % with six.
            dict.fromkeys(
                ("open", "closed"),
                (range(4, 7), Text("With so many players, hands often end blocked: nobody goes out.")),
            ),
        ),
        Option("hands", Text("Hands in a game"), {str(n): Text("{n}", n=n) for n in range(1, 11)}),
        Option(
            "flip",
            Text("A turned-over pile is"),
            {"unshuffled": Text("not shuffled"), "reshuffle": Text("shuffled")},
        ),
        Option("rummy_double", Text("Rummy pays double"), {"on": Text("yes"), "off": Text("no")}),
    )
    guide = GUIDE
    strengths = (872, 1500, 1679)
    actions = (Draw, Flip, Lay, LayOff, Discard, GoOut)
    compulsory = frozenset((Discard.verb,))
    state_type = State
    pack = frozenset(DECK)

    check = staticmethod(checks.check)
    perform = staticmethod(effects.perform)
    opening = staticmethod(texts.deal)
    draw = staticmethod(screen.draw)
    label = staticmethod(texts.label)
    think = staticmethod(computers.think)
    estimate = staticmethod(search.estimate)
    reason = staticmethod(reasons.reason)

    def deal(
        self, seats: int, seed: bytes, options: Mapping[str, str], carry: Mapping[str, Any] | None
    ) -> State:
        dealer = carry["dealer"] % seats if carry else starter(seed, seats)
        return series.deal(
            State(
                hands=((),) * seats,
                dealer=dealer,
                ledger=(0,) * seats,
                is_dealer_drawn=not carry,
                seed=Seed(seed),
                options=options,
            )
        )

    def result(self, state: State) -> Result | None:
        return Result.of(state.ledger) if is_over(state) and series.is_last_hand(state) else None

    def points(self, view: View) -> tuple[int, ...]:
        """The scores so far; empty while all are 0."""
        return view.ledger if any(view.ledger) else ()

    def carry(self, state: State) -> Mapping[str, Any]:
        return {"dealer": series.next_dealer(state) if self.result(state) else state.dealer}

    def style(self, view: View, move: Move) -> MoveStyle:
        """A draw is the usual first move of a turn; a move of all cards held ends the hand."""
        if move.verb == Draw.verb:
            return "main"
        played = [card for word in move.words for card in word.split("+") if is_card(card)]
        return "finish" if len(played) == len(view.hand) else "plain"

    def complete(self, view: View, verb: str, words: Sequence[str]) -> tuple[str, ...]:
        """Replaces a meld's letter by its name, or the Spanish word for stock or pile by the English one."""
        if not words or verb not in (LayOff.verb, Draw.verb):
            return tuple(words)
        first, *more = words
        typed = view.meld_called(first) if verb == LayOff.verb else _SOURCES.get(first.casefold(), first)
        return (typed, *more)

    def moves(self, state: State, seat: Seat) -> tuple[Move, ...]:
        return listed.moves(state, seat) if self._is_awaited(state, seat) else ()

    def choices(self, state: State, seat: Seat, words: tuple[str, ...] = ()) -> Choices:
        if words[:1] != (GoOut.verb,):
            return super().choices(state, seat, listed.in_canonical_spelling(words))
        if self._is_awaited(state, seat):
            return listed.choices_out(state, seat, words[1:])
        return Choices((), False)

    def timeout(self, state: State, seat: Seat) -> Move:
        """A draw from the stock, a flip if the stock is empty, or the discard that `moves` lists first."""
        verbs = (Discard.verb,) if state.phase == "play" else (Draw.verb, Flip.verb)
        return next(move for move in self.moves(state, seat) if move.verb in verbs)

    def view(self, state: State, seat: Seat | None) -> View:
        return View(
            **fields_of(Public, state),
            seat=seat,
            hand=() if seat is None else state.hands[seat],
            drawn=state.drawn if seat == state.turn else (),
            hand_sizes=tuple(map(len, state.hands)),
            stock_size=len(state.stock),
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
            **fields_of(Public, view),
            hands=tuple(hands),
            stock=tuple(unseen[: view.stock_size]),
            drawn=view.drawn,
            seed=Seed(rng.randbytes(_SEED_BYTES)),
        )

    def message(self, view: View) -> dict[str, Any] | None:
        # In messages, `hand` is the reader's hand; for a reader without a seat it is the number of the hand.
        message = super().message(view)
        return message and ({**message, "hand": view.hand_number} if view.seat is None else message)

    def load(self, position: Mapping[str, Any], seats: int, options: Mapping[str, str]) -> State:
        self.resolve_options(seats, options)
        turn = position.get("turn", 0)
        # A turn that is no number is refused by `Rules.load`.
        dealer = (turn - 1) % seats if isinstance(turn, int) else 0
        state = super().load({"dealer": dealer, **position}, seats, options)
        barred = () if self.result(state) else state.barred
        # A position does not list earlier draws; only the barred cards are known to come from the pile.
        known = tuple(barred if seat == state.turn else () for seat in range(seats))
        return replace(state, barred=barred, known_cards=known, drawn=barred)

    def seat_defaults(self, seats: int) -> dict[str, Any]:
        return {"hands": ((),) * seats, "laid_before": (False,) * seats, "ledger": (0,) * seats}

    def find_fault(self, state: State, seats: int) -> str | None:
        if fault := super().find_fault(state, seats):
            return fault
        if state.dealer not in range(seats):
            return f"dealer: no seat {state.dealer}"
        if state.hand_number not in range(1, int(state.options["hands"]) + 1):
            return f"hand: no hand {state.hand_number} in this game"
        if state.phase not in ("draw", "play"):
            return f"phase: no phase {state.phase!r}"
        for meld in state.melds:
            if not _MELD_NAME.fullmatch(meld.name) or meld.by not in range(seats) or not is_meld(meld.cards):
                return f"melds: {meld.name} has a wrong name, is no meld, or is nobody's"
        if len({meld.name for meld in state.melds}) < len(state.melds):
            return "melds: two have the same name"
        if self.result(state):
            # The phase and the barred cards of a finished game mean nothing.
            return None
        if is_over(state):
            return "hands: this hand is over, and the next one is not dealt"
        if state.phase == "draw" and not (state.stock or state.pile):
            return "stock: nothing is left to draw"
        if not set(state.barred) <= set(state.hands[state.turn]):
            return "barred: not in the hand whose turn it is"
        if len(set(state.barred)) < len(state.barred):
            return "barred: a card more than once"
        if state.phase == "play" and set(state.hands[state.turn]) <= set(state.barred):
            # Rule 7 never lets a player lay so many cards that only barred ones are left.
            return "barred: no card is left to discard"
        return None

    def _is_awaited(self, state: State, seat: Seat) -> bool:
        return seat == state.turn and self.result(state) is None


game: Game[State, View] = Boathouse()
