"""The rules of Svoi Kozyri; the numbers are those of ``RULES.md``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, ClassVar

from engines.actions import Message, malformed, player_id
from engines.cards import SUITS, Card, UnknownCard, without
from engines.game import Choices, Event, Move, Option, Result, Seat, Text
from engines.position import BadPosition
from engines.rules import Rules
from engines.shuffle import Seed, starter
from engines.svoi import telling
from engines.svoi.deck import (
    DECK,
    beating,
    cheapest_first,
    deal,
    give_sixes,
    last_reply,
    take_size,
)
from engines.svoi.record import has_come
from engines.svoi.refusals import check
from engines.svoi.state import Action, Beat, ChooseTrump, Lead, State, Take, View, imagine_hands
from engines.values import put, replace

LIMIT = 300
"""So many actions, choices of trumps included, make a draw (rule 8)."""
REPEATS = 3
"""So many times the same position makes a draw (rule 8)."""
_SEED_BYTES = 32

_TAKE = Move("take")
_LEADS = {card: Move("lead", (card,)) for card in DECK}
_BEATS = {card: {second: Move("beat", (card, second)) for second in DECK} for card in DECK}
"""Of the moves that are listed again and again there is one of each."""


class SvoiRules(Rules[State, View, Action]):
    """The rules; `engines.svoi` adds the look and the computer player."""

    key = "svoi"
    title = Text("Svoi Kozyri")
    pitch = Text("Each with a trump suit of their own: beat the pile's top card or take cards. Go out first.")
    seats = range(2, 3)
    options = (
        Option(
            "voluntary_take", Text("Who can beat may take instead"), {"off": Text("no"), "on": Text("yes")}
        ),
        Option(
            "sixes_to_owner",
            Text("The six of trumps goes to its owner"),
            {"off": Text("no"), "on": Text("yes")},
        ),
        Option("mirrored_deal", Text("Both hands mirror each other"), {"off": Text("no"), "on": Text("yes")}),
        Option(
            "last_reply",
            Text("Who is left behind saves a draw"),
            {
                "one": Text("with one card that beats"),
                "two": Text("with one or two cards"),
                "off": Text("never"),
            },
        ),
    )
    wide: ClassVar = frozenset[str]()
    verbs: ClassVar = ("trump", "lead", "beat", "take")
    state_type = State
    pack = frozenset(DECK)

    def new(
        self,
        seats: int,
        seed: bytes,
        options: Mapping[str, str],
        carry: Mapping[str, Any] | None = None,
    ) -> State:
        settled = self.settle(seats, options)
        dealer = int(carry["dealer"]) if carry else starter(seed, seats)
        return State(phase="trumps", turn=dealer, dealer=dealer, seed=Seed(seed), options=settled)

    def load(self, position: Mapping[str, Any], seats: int, options: Mapping[str, str]) -> State:
        state = super().load(position, seats, options)
        if "dealer" not in position:
            state = replace(state, dealer=1 - state.turn)
        if fault := _fault(state):
            raise BadPosition(fault)
        return state

    def opening(self, state: State) -> tuple[Event, ...]:
        return telling.public(telling.opening(state.dealer))

    def result(self, state: State) -> Result | None:
        if state.phase == "trumps":
            return None
        if not all(state.hands):
            return Result.of([int(not hand and any(state.hands)) for hand in state.hands])
        if state.turns > LIMIT or state.repeated:
            return Result.of([0] * len(state.hands))
        return None

    def carry(self, state: State) -> Mapping[str, Any]:
        """Who deals next: the loser, after a draw the other one (rule 3)."""
        result = self.result(state)
        alone = result is not None and len(result.winners) == 1
        return {"dealer": 1 - (result.winners[0] if result and alone else state.dealer)}

    def choices(self, state: State, seat: Seat, words: tuple[str, ...] = ()) -> Choices:
        if seat != state.turn or self.result(state):
            return Choices((), False)
        hand, trump = cheapest_first(state.hands[seat], state.trumps[seat]), state.trumps[seat]
        good = beating(hand, state.pile[-1], trump) if state.pile else []
        match words:
            case ():
                return Choices(_verbs(state, bool(good)), False)
            case ("trump", *suits) if state.phase == "trumps":
                return _list(_free_suits(state), suits)
            case ("lead", *cards) if state.phase == "play" and not state.pile:
                return _list(hand, cards)
            case ("beat", card, *cards) if card in good and len(hand) > 1:
                return _list([other for other in hand if other != card], cards)
            case ("beat", *cards):
                return _list(good, cards)
            case _:
                return Choices((), words == ("take",) and "take" in _verbs(state, bool(good)))

    def moves(self, state: State, seat: Seat) -> tuple[Move, ...]:
        if seat != state.turn or self.result(state):
            return ()
        if state.phase == "trumps":
            return tuple(Move("trump", (suit,)) for suit in _free_suits(state))
        trump = state.trumps[seat]
        hand = cheapest_first(state.hands[seat], trump)
        if not state.pile:
            return tuple([_LEADS[card] for card in hand])
        good = beating(hand, state.pile[-1], trump)
        take = (_TAKE,) if "take" in _verbs(state, bool(good)) else ()
        return (*_beats(hand, good), *take)

    def timeout(self, state: State, seat: Seat) -> Move:
        return self.moves(state, seat)[0]

    def from_words(self, state: State, verb: str, words: Sequence[str]) -> Action:
        match verb, words:
            case "trump", [suit]:
                return ChooseTrump(_suit(suit))
            case "lead", [card]:
                return Lead(self.card(card))
            case "beat", [card]:
                return Beat(self.card(card))
            case "beat", [card, second]:
                return Beat(self.card(card), self.card(second))
            case "take", []:
                return Take()
            case _:
                return malformed()

    def from_message(self, state: State, verb: str, message: Message) -> Action:
        said: tuple[str, ...]
        match verb:
            case "trump":
                said = (message.take("suit", str),)
            case "lead":
                said = (message.take("card", str),)
            case "beat":
                card, second = message.take("card", str), message.maybe("next", str)
                said = (card,) if second is None else (card, second)
            case _:
                said = ()
        message.end()
        return self.from_words(state, verb, said)

    def spell(self, action: Action) -> Move:
        match action:
            case ChooseTrump(suit):
                return Move("trump", (suit,))
            case Lead(card):
                return Move("lead", (card,))
            case Beat(card, second):
                return Move("beat", (card, second) if second else (card,))
            case Take():
                return Move("take")

    def check(self, state: State, seat: Seat, action: Action) -> None:
        check(state, seat, action)

    def perform(self, state: State, seat: Seat, action: Action) -> tuple[State, tuple[Event, ...]]:
        trump = state.trumps[seat]
        match action:
            case ChooseTrump(suit):
                return _choose(state, seat, suit)
            case Lead(card):
                after, news = _lay(state, seat, card), telling.led(seat, card)
            case Beat(card, second):
                after = _lay(state, seat, card, *([second] if second else []))
                news = telling.beaten(seat, state.pile[-1], card, second, trump)
            case Take():
                after, news = _take(state, seat), telling.taken(seat, state.pile, trump)
        after = replace(after, turn=1 - seat, turns=state.turns + 1, past=(*state.past, state.pile))
        after, more = _finish(after, seat)
        return after, telling.public(news, *more)

    def view(self, state: State, seat: Seat | None) -> View:
        return View(
            seat=seat,
            hand=() if seat is None else state.hands[seat],
            hand_sizes=tuple(map(len, state.hands)),
            pile=state.pile,
            trumps=state.trumps,
            turn=state.turn,
            dealer=state.dealer,
            phase=state.phase,
            turns=state.turns,
            past=state.past,
            options=state.options,
            result=self.result(state),
        )

    def imagine(self, view: View, rng: Random) -> State:
        """A state that the view allows, before the deal with a seed made up."""
        return State(
            hands=imagine_hands(view, rng),
            pile=view.pile,
            trumps=view.trumps,
            turn=view.turn,
            dealer=view.dealer,
            phase=view.phase,
            turns=view.turns,
            past=view.past,
            repeated=has_come(view.past, view.pile, REPEATS),
            seed=Seed(rng.randbytes(_SEED_BYTES) if view.phase == "trumps" else b""),
            options=view.options,
        )

    def write_json(self, state: State, seat: Seat, move: Move) -> dict[str, Any]:
        head: dict[str, Any] = {"type": move.verb, "playerId": player_id(seat)}
        match self.from_words(state, move.verb, move.words):
            case ChooseTrump(suit):
                return {**head, "suit": suit}
            case Lead(card) | Beat(card, None):
                return {**head, "card": card}
            case Beat(card, second):
                return {**head, "card": card, "next": second}
            case Take():
                return head

    def message(self, view: View) -> dict[str, Any]:
        if view.seat is not None:
            return {"type": "hand", "playerId": player_id(view.seat), "hand": list(view.hand)}
        return {
            "type": "state",
            "turn": player_id(view.turn),
            "phase": view.phase,
            "trumps": list(view.trumps),
            "handSizes": list(view.hand_sizes),
            "pile": list(view.pile),
            "dealer": view.dealer,
            "result": view.result and view.result.to_json(),
        }


def _fault(state: State) -> str | None:
    """What makes a position none of this game, if anything does."""
    chosen = [suit for suit in state.trumps if suit is not None]
    if state.turn not in (0, 1) or state.dealer not in (0, 1):
        return "turn and dealer are seats, 0 or 1"
    if (len(state.hands), len(state.trumps)) != (2, 2):
        return "there are two hands and two trumps"
    if not set(chosen) <= set(SUITS) or len(set(chosen)) < len(chosen):
        return "trumps are different suits of S H D C"
    if state.phase not in ("trumps", "play"):
        return "the phase is trumps or play"
    if state.phase == "trumps" and (any(state.hands) or state.pile or state.trumps[state.turn]):
        return "in the phase trumps no card is dealt, and who is to play has yet to choose"
    return None


def _suit(word: str) -> str:
    """The suit that is spelled, in any case or by its symbol, as behind a rank."""
    try:
        card = Card("A" + word)
    except UnknownCard:
        malformed()
    return malformed() if card.back else card.suit


def _free_suits(state: State) -> list[str]:
    return [suit for suit in SUITS if suit not in state.trumps]


def _verbs(state: State, can_beat: bool) -> tuple[str, ...]:
    """The verbs that lead to a legal move of the seat whose turn it is."""
    if state.phase == "trumps":
        return ("trump",)
    if not state.pile:
        return ("lead",)
    if not can_beat:
        return ("take",)
    return ("beat", "take") if state.options["voluntary_take"] == "on" else ("beat",)


def _list(fitting: Sequence[str], said: Sequence[str]) -> Choices:
    """One word of those that fit is wanted, and then no more."""
    return Choices(() if said else tuple(fitting), len(said) == 1 and said[0] in fitting)


def _beats(hand: Sequence[Card], good: Sequence[Card]) -> list[Move]:
    """Every card that beats with every other one; a last card by itself."""
    if len(hand) == 1:
        return [Move("beat", (card,)) for card in good]
    return [_BEATS[card][second] for card in good for second in hand if second is not card]


def _choose(state: State, seat: Seat, suit: str) -> tuple[State, tuple[Event, ...]]:
    """A trump suit is chosen; after the last one the cards are dealt (rules 1 to 3)."""
    trumps = (*state.trumps[:seat], suit, *state.trumps[seat + 1 :])
    after = replace(state, trumps=trumps, turn=1 - seat, turns=state.turns + 1)
    news = telling.public(telling.chosen(seat, suit))
    if None in trumps:
        return after, news
    hands = deal(state.seed, trumps, mirrored=state.options["mirrored_deal"] == "on")
    leader = 1 - state.dealer
    news += telling.public(telling.dealt(leader))
    if state.options["sixes_to_owner"] == "on":
        hands, receivers = give_sixes(hands, trumps)
        news += telling.sixes(trumps, receivers)
    return replace(after, hands=hands, turn=leader, phase="play", seed=Seed()), news


def _lay(state: State, seat: Seat, *laid: Card) -> State:
    hands = put(state.hands, seat, without(state.hands[seat], *laid))
    return replace(state, hands=hands, pile=(*state.pile, *laid))


def _take(state: State, seat: Seat) -> State:
    left = len(state.pile) - take_size(state.pile, state.trumps[seat])
    hands = put(state.hands, seat, state.hands[seat] + state.pile[left:])
    return replace(state, hands=hands, pile=state.pile[:left])


def _finish(state: State, seat: Seat) -> tuple[State, tuple[Text, ...]]:
    """The state after the last reply, if there is one, and why the game is over, if it is (rules 7 and 8)."""
    if not state.hands[seat]:
        news: tuple[Text, ...] = (telling.out(seat),)
        other = 1 - seat
        hand, top, trump = state.hands[other], state.pile[-1], state.trumps[other]
        if reply := last_reply(hand, top, trump, state.options["last_reply"]):
            news += (telling.replied(other, top, reply),)
        return _lay(state, other, *reply), news
    if has_come(state.past, state.pile, REPEATS):
        return replace(state, repeated=True), (telling.third_time(),)
    return state, (telling.used_up(LIMIT),) if state.turns > LIMIT else ()
