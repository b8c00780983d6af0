"""The rules of 40-card Casino; the numbers are those of ``RULES.md``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any, ClassVar, NoReturn, TypeAlias

from engines.cards import RANKS, Card, deck, without
from engines.game import (
    Event,
    Message,
    Move,
    Name,
    Result,
    Rules,
    Seat,
    Text,
    malformed,
    player_id,
    plural,
    refuse,
)
from engines.position import BadPosition, aside
from engines.position import dump as write_position
from engines.shuffle import shuffle, starter

DECK = deck(RANKS[:10])
TOP_VALUE = 10
"""The highest value of a card, and so of a build (rule 6)."""
HAND_SIZES = {2: 10, 3: 13}
THREE_OF_HEARTS = Card("3H")
TWO_OF_SPADES = Card("2S")
TEN_OF_DIAMONDS = Card("10D")
MANY_CARDS = 21
"""As many cards score a point (rule 12)."""

Pair = tuple[Card, Card]


@dataclass(frozen=True, slots=True)
class Build:
    """Two cards that are taken together (rule 6)."""

    cards: Pair
    """The builder's card, then the partner."""
    value: int

    def __str__(self) -> str:
        return "+".join(self.cards)


@dataclass(frozen=True, slots=True)
class State:
    """The whole truth."""

    hands: tuple[tuple[Card, ...], ...]
    loose: tuple[Card, ...] = ()
    """Oldest first, as are the builds."""
    builds: tuple[Build, ...] = ()
    piles: tuple[tuple[Card, ...], ...] = ()
    """A seat's captured cards, bottom first."""
    stock: tuple[Card, ...] = ()
    turn: Seat = 0
    phase: str = "play"
    """``exchange`` while the holder of the three of hearts is asked (rule 3), else ``play``."""
    last_capturer: Seat | None = None
    turns: int = aside(1)
    options: Mapping[str, str] = aside()


@dataclass(frozen=True, slots=True)
class View:
    """What a reader knows: the table, all piles, the sizes of what is hidden, the own hand."""

    seat: Seat | None
    hand: tuple[Card, ...]
    """Empty for a reader without a seat."""
    hand_sizes: tuple[int, ...]
    loose: tuple[Card, ...]
    builds: tuple[Build, ...]
    piles: tuple[tuple[Card, ...], ...]
    stock_size: int
    turn: Seat
    turns: int
    phase: str
    last_capturer: Seat | None
    options: Mapping[str, str]
    scores: tuple[int, ...]
    result: Result | None


Target: TypeAlias = "Card | tuple[Card, ...]"
"""A loose card, or the cards of a build."""


@dataclass(frozen=True, slots=True)
class Capture:
    """Rule 5. No targets stand for everything of the card's value."""

    card: Card
    targets: tuple[Target, ...]


@dataclass(frozen=True, slots=True)
class MakeBuild:
    """Rule 6."""

    card: Card
    table_card: Card
    claimed: int | None = None
    """The value that a message says the build has."""


@dataclass(frozen=True, slots=True)
class Steal:
    """Rule 7. The card comes from the hand, with ``steal_with=table`` from the table."""

    card: Card
    stolen: Card
    pile: Seat | None = None
    """The pile that a message names; by text it is the pile that the card lies in."""
    claimed: int | None = None


@dataclass(frozen=True, slots=True)
class Throw:
    """Rule 8."""

    card: Card


@dataclass(frozen=True, slots=True)
class Exchange:
    """Rule 3."""

    accept: bool


Action: TypeAlias = "Capture | MakeBuild | Steal | Throw | Exchange"


def pile_score(pile: Sequence[Card]) -> int:
    """The points in a pile (rule 12)."""
    return sum(points for _, points in tally(pile))


def tally(pile: Sequence[Card]) -> tuple[tuple[Text, int], ...]:
    """The points in a pile, by what they are for (rule 12)."""
    spades = sum(card.suit == "S" for card in pile)
    return (
        (Text("Aces"), sum(card.rank == "A" for card in pile)),
        (Text("{card}", card=TWO_OF_SPADES), int(TWO_OF_SPADES in pile)),
        (Text("{card}", card=TEN_OF_DIAMONDS), int(TEN_OF_DIAMONDS in pile)),
        (Text("Spades"), max(0, min(spades, 6) - 4)),
        (Text("Cards"), int(len(pile) >= MANY_CARDS)),
    )


class CasinoRules(Rules[State, View, Action]):
    """The rules; `engines.casino` adds the look and the computer player."""

    key = "casino"
    title = Text("Casino")
    pitch = Text("Capture cards of equal value from the table, build sums to come back for.")
    seats = range(2, 4)
    options: ClassVar = {
        "steal_with": ("hand", "table", "off"),
        "stack_top": ("captured", "capturing"),
        "exchange": ("ask", "auto", "off"),
        "multi_capture": ("off", "on"),
    }
    wordings: ClassVar = {
        "steal_with": Text("A stolen card is built on with"),
        "steal_with hand": Text("a hand card"),
        "steal_with table": Text("a loose card"),
        "steal_with off": Text("nothing: no stealing"),
        "stack_top": Text("On top of a pile comes"),
        "stack_top captured": Text("the captured card"),
        "stack_top capturing": Text("the capturing card"),
        "exchange": Text("The 3♥ for the starter card"),
        "exchange ask": Text("its holder decides"),
        "exchange auto": Text("always exchanged"),
        "exchange off": Text("never exchanged"),
        "multi_capture": Text("All cards of a value at once"),
        "multi_capture off": Text("no"),
        "multi_capture on": Text("yes"),
    }
    verbs = ("capture", "build", "steal-build", "throw", "exchange")
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
        size, shuffled = HAND_SIZES[seats], shuffle(seed, DECK)
        hands = tuple(shuffled[seat * size : (seat + 1) * size] for seat in range(seats))
        rest = shuffled[seats * size :]
        dealt = State(hands, piles=((),) * seats, stock=rest, turn=starter(seed, seats), options=settled)
        return dealt if seats == 2 else _turn_up_starter(dealt)

    def load(self, position: Mapping[str, Any], seats: int, options: Mapping[str, str]) -> State:
        state = super().load(position, seats, options)
        if state.phase == "exchange" and holder(state) is None:
            raise BadPosition("nobody holds 3H in the phase of the exchange")
        return state if state.phase == "play" else replace(state, turns=0)

    def blank(self, seats: int) -> dict[str, Any]:
        return {"hands": ((),) * seats, "piles": ((),) * seats}

    def opening(self, state: State) -> tuple[Event, ...]:
        size = HAND_SIZES[len(state.hands)]
        deal = plural("Everybody gets {n} card.", "Everybody gets {n} cards.", size)
        lot = Text("The lot falls on {who} to start.", who=Name(state.turn))
        return tuple(Event(text, None) for text in (deal, lot, *_tell_starter_card(state)))

    def result(self, state: State) -> Result | None:
        if state.stock or any(state.hands):
            return None
        return Result.of([pile_score(pile) for pile in state.piles])

    def may_act(self, state: State, seat: Seat, verb: str) -> bool:
        return seat == state.turn or (state.phase == "exchange" and verb == "exchange")

    def waiting(self, view: View) -> tuple[Seat, ...]:
        if view.phase == "play":
            return () if view.result else (view.turn,)
        if view.seat is not None and THREE_OF_HEARTS in view.hand:
            return (view.seat,)
        return tuple(seat for seat in range(len(view.hand_sizes)) if seat != view.seat)

    def moves(self, state: State, seat: Seat) -> tuple[Move, ...]:
        if state.phase == "exchange":
            return _EXCHANGES if seat == holder(state) else ()
        if seat != state.turn or not state.hands[seat]:
            return ()
        return (*_captures(state, seat), *_builds(state, seat), *_steals(state, seat), *_throws(state, seat))

    def timeout(self, state: State, seat: Seat) -> Move:
        if state.phase == "exchange":
            return Move("exchange", ("no",))
        lowest = min(state.hands[seat], key=lambda card: (card.number, "CDHS".index(card.suit)))
        return Move("throw", (lowest,))

    def from_words(self, state: State, verb: str, words: Sequence[str]) -> Action:
        match verb, words:
            case "capture", [card, *targets] if targets:
                return Capture(self.card(card), self._targets(targets))
            case "build", [card, table_card]:
                return MakeBuild(self.card(card), self.card(table_card))
            case "steal-build", [card, stolen] if state.options["steal_with"] != "off":
                return Steal(self.card(card), self.card(stolen))
            case "throw", [card]:
                return Throw(self.card(card))
            case "exchange", [word] if word.casefold() in ("yes", "no"):
                return Exchange(word.casefold() == "yes")
            case _:
                return malformed()

    def from_message(self, state: State, verb: str, message: Message) -> Action:
        from_table = state.options["steal_with"] == "table"
        said: tuple[str, ...]
        pile = claimed = None
        match verb:
            case "capture":
                said = (message.take("handCard", str), *_target_words(message.take("target", dict)))
            case "build":
                said = (message.take("handCard", str), message.take("tableCard", str))
                claimed = message.maybe("buildValue", int)
            case "steal-build":
                said = (
                    message.take("tableCard" if from_table else "handCard", str),
                    message.take("stolenCard", str),
                )
                pile = _seat(message.take("fromPlayer", str), len(state.hands))
                claimed = message.maybe("buildValue", int)
            case "throw":
                said = (message.take("handCard", str),)
            case "exchange":
                said = ("yes" if message.take("accept", bool) else "no",)
            case _:
                malformed()
        message.end()
        action = self.from_words(state, verb, said)
        if isinstance(action, MakeBuild):
            return replace(action, claimed=claimed)
        return replace(action, pile=pile, claimed=claimed) if isinstance(action, Steal) else action

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
                return _EXCHANGES[0 if accept else 1]

    def check(self, state: State, seat: Seat, action: Action) -> None:
        if isinstance(action, Exchange):
            if state.phase != "exchange" or seat != holder(state):
                refuse("exchange-not-allowed", "There is nothing for you to exchange.")
            return
        if state.phase == "exchange":
            refuse("exchange-pending", "The table waits for the exchange of the 3♥.")
        if not (isinstance(action, Steal) and state.options["steal_with"] == "table"):
            _check_held(state, seat, action.card)
        match action:
            case Capture():
                _check_capture(state, action)
            case MakeBuild(card, table_card, claimed):
                _check_on_table(state, table_card)
                _check_sum(state, seat, card, table_card, claimed)
            case Steal(card, stolen, _, claimed):
                _check_theft(state, seat, action)
                _check_sum(state, seat, card, stolen, claimed)

    def perform(self, state: State, seat: Seat, action: Action) -> tuple[State, tuple[Event, ...]]:
        if isinstance(action, Exchange):
            return _exchange(state, seat, accept=action.accept)
        match action:
            case Capture():
                after, news = _capture(state, seat, action)
            case MakeBuild():
                after, news = _make_build(state, seat, action)
            case Steal():
                after, news = _steal(state, seat, action)
            case Throw(card):
                after = replace(_played(state, seat, card), loose=(*state.loose, card))
                news = Text("{who} throws {card}.", who=Name(seat), card=card)
        after, more = _pass_turn(after)
        return after, (Event(news, None), *more)

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
        )

    def write_json(self, state: State, seat: Seat, move: Move) -> dict[str, Any]:
        head: dict[str, Any] = {"type": move.verb, "playerId": player_id(seat)}
        match self.from_words(state, move.verb, move.words):
            case Capture(card, targets):
                return {**head, "handCard": card, "target": _target_json(targets)}
            case MakeBuild(card, table_card):
                value = card.number + table_card.number
                return {**head, "handCard": card, "tableCard": table_card, "buildValue": value}
            case Steal(card, stolen):
                pile = next(pile for pile, lying in enumerate(state.piles) if stolen in lying)
                from_table = state.options["steal_with"] == "table"
                return {
                    **head,
                    "tableCard" if from_table else "handCard": card,
                    "fromPlayer": player_id(pile),
                    "stolenCard": stolen,
                    "buildValue": card.number + stolen.number,
                }
            case Throw(card):
                return {**head, "handCard": card}
            case Exchange(accept):
                return {**head, "accept": accept}

    def message(self, view: View) -> dict[str, Any]:
        if view.seat is not None:
            return {"type": "hand", "playerId": player_id(view.seat), "hand": list(view.hand)}
        return {
            "type": "state",
            "turn": player_id(view.turn),
            "phase": view.phase,
            "loose": list(view.loose),
            "builds": write_position(view.builds),
            "handSizes": list(view.hand_sizes),
            "stockSize": view.stock_size,
            "pileSizes": list(map(len, view.piles)),
            "pileTops": [pile[-1] if pile else None for pile in view.piles],
            "scores": list(view.scores),
            "result": view.result and view.result.to_json(),
        }

    def _targets(self, words: Sequence[str]) -> tuple[Target, ...]:
        """No targets for the word ``all``; every card named is looked at first, however many targets."""
        if [word.casefold() for word in words] == ["all"]:
            return ()
        return tuple(self._target(word) for word in words)

    def _target(self, word: str) -> Target:
        if word.casefold() == "all":
            return ()
        named = tuple(map(self.card, word.split("+")))
        return named if len(named) > 1 else named[0]


def holder(state: State) -> Seat | None:
    """The seat with the three of hearts in hand."""
    return next((seat for seat, hand in enumerate(state.hands) if THREE_OF_HEARTS in hand), None)


def unseen_cards(view: View) -> list[Card]:
    """The cards that a reader has not before their eyes, in canonical order."""
    seen = {*view.hand, *view.loose}
    seen.update(*view.piles, *(build.cards for build in view.builds))
    return [card for card in DECK if card not in seen]


_EXCHANGES = (Move("exchange", ("yes",)), Move("exchange", ("no",)))


def _captures(state: State, seat: Seat) -> Iterator[Move]:
    several = state.options["multi_capture"] == "on"
    for card in state.hands[seat]:
        value = card.number
        builds = [str(build) for build in state.builds if build.value == value]
        loose = [other for other in state.loose if other.number == value]
        if several and (builds or loose):
            yield Move("capture", (card, "all"))
        for target in (*builds, *loose):
            yield Move("capture", (card, target))


def _builds(state: State, seat: Seat) -> Iterator[Move]:
    hand = state.hands[seat]
    if not state.loose:
        return
    for card in hand:
        values = {other.number for other in hand if other is not card}
        for partner in state.loose:
            if card.number + partner.number in values:
                yield Move("build", (card, partner))


def _steals(state: State, seat: Seat) -> Iterator[Move]:
    if (mode := state.options["steal_with"]) == "off":
        return
    tops = [pile[-1] for owner, pile in enumerate(state.piles) if pile and owner != seat]
    hand = state.hands[seat]
    for card in hand if mode == "hand" else state.loose:
        values = {other.number for other in hand if other is not card}
        for top in tops:
            if card.number + top.number in values:
                yield Move("steal-build", (card, top))


def _throws(state: State, seat: Seat) -> Iterator[Move]:
    return (Move("throw", (card,)) for card in state.hands[seat])


def _check_held(state: State, seat: Seat, card: Card) -> None:
    if card not in state.hands[seat]:
        refuse("not-in-hand", "{card} is not in your hand.", card=card)


def _check_on_table(state: State, card: Card) -> None:
    if card not in state.loose:
        refuse("no-such-table-card", "{card} is no loose card on the table.", card=card)


def _check_capture(state: State, action: Capture) -> None:
    match action.targets:
        case () if state.options["multi_capture"] == "on":
            if not _of_value(state, action.card.number):
                refuse("no-such-table-card", "Nothing on the table has that value.")
        case (Card() as target,):
            _check_on_table(state, target)
            if target.number != action.card.number:
                _refuse_value(action.card, target.number)
        case (tuple(pair),) if pair:
            build = _find_build(state, pair)
            if build is None:
                refuse("no-such-build", "There is no such build; sums of loose cards cannot be captured.")
            if build.value != action.card.number:
                _refuse_value(action.card, build.value)
        case _:
            refuse("one-target-only", "Capture one loose card or one build at a time.")


def _refuse_value(card: Card, value: int) -> NoReturn:
    refuse("value-mismatch", "{card} does not capture a value of {value}.", card=card, value=value)


def _check_theft(state: State, seat: Seat, action: Steal) -> None:
    if state.options["steal_with"] == "table":
        _check_on_table(state, action.card)
    pile = _pile_of(state, seat, action)
    if pile == seat:
        refuse("own-pile", "You cannot steal from your own pile.")
    if pile is None or not state.piles[pile]:
        refuse("empty-pile", "There is no pile to steal from.")
    if state.piles[pile][-1] != action.stolen:
        refuse("not-top-card", "{card} is not on top of a pile.", card=action.stolen)


def _pile_of(state: State, seat: Seat, action: Steal) -> Seat | None:
    """The pile named or lain in; else any that is not empty, in which the card is not on top."""
    if action.pile is not None:
        return action.pile
    for owner, pile in enumerate(state.piles):
        if action.stolen in pile:
            return owner
    return next((owner for owner, pile in enumerate(state.piles) if pile and owner != seat), None)


def _check_sum(state: State, seat: Seat, card: Card, partner: Card, claimed: int | None) -> None:
    value = card.number + partner.number
    if value > TOP_VALUE:
        refuse("build-over-10", "{value} is too much: a build is worth 10 at most.", value=value)
    if claimed not in (None, value):
        refuse("build-sum-mismatch", "These two cards make {value}.", value=value)
    if not any(other.number == value and other != card for other in state.hands[seat]):
        refuse("no-capturing-card", "You hold no other card of {value} to capture it with.", value=value)


def _find_build(state: State, pair: Sequence[Card]) -> Build | None:
    wanted = sorted(pair)
    return next((build for build in state.builds if sorted(build.cards) == wanted), None)


def _played(state: State, seat: Seat, card: Card) -> State:
    hand = without(state.hands[seat], card)
    return replace(state, hands=(*state.hands[:seat], hand, *state.hands[seat + 1 :]))


def _of_value(state: State, value: int) -> tuple[Card | Build, ...]:
    loose = tuple(card for card in state.loose if card.number == value)
    return loose + tuple(build for build in state.builds if build.value == value)


def _capture(state: State, seat: Seat, action: Capture) -> tuple[State, Text]:
    card = action.card
    taken: list[Card | Build] = [
        target if isinstance(target, Card) else _known(_find_build(state, target))
        for target in action.targets
    ] or list(_of_value(state, card.number))
    captured = tuple(one for item in taken for one in (item.cards if isinstance(item, Build) else (item,)))
    gained = (*captured, card) if state.options["stack_top"] == "capturing" else (card, *captured)
    piles = (*state.piles[:seat], state.piles[seat] + gained, *state.piles[seat + 1 :])
    after = replace(
        _played(state, seat, card),
        loose=without(state.loose, *captured),
        builds=tuple(build for build in state.builds if build not in taken),
        piles=piles,
        last_capturer=seat,
    )
    return after, Text("{who} captures {cards} with {card}.", who=Name(seat), cards=captured, card=card)


def _known(build: Build | None) -> Build:
    assert build is not None
    return build


def _make_build(state: State, seat: Seat, action: MakeBuild) -> tuple[State, Text]:
    build = Build((action.card, action.table_card), action.card.number + action.table_card.number)
    after = replace(
        _played(state, seat, action.card),
        loose=without(state.loose, action.table_card),
        builds=(*state.builds, build),
    )
    return after, Text("{who} builds {value}: {cards}.", who=Name(seat), value=build.value, cards=build.cards)


def _steal(state: State, seat: Seat, action: Steal) -> tuple[State, Text]:
    robbed = next(owner for owner, pile in enumerate(state.piles) if action.stolen in pile)
    build = Build((action.card, action.stolen), action.card.number + action.stolen.number)
    pile = state.piles[robbed][:-1]
    after = replace(
        _played(state, seat, action.card),
        loose=without(state.loose, action.card),
        builds=(*state.builds, build),
        piles=(*state.piles[:robbed], pile, *state.piles[robbed + 1 :]),
    )
    return after, Text(
        "{who} steals {card} from {robbed} and builds {value}: {cards}.",
        who=Name(seat),
        card=action.stolen,
        robbed=Name(robbed),
        value=build.value,
        cards=build.cards,
    )


def _pass_turn(state: State) -> tuple[State, tuple[Event, ...]]:
    """On to the next seat that holds cards, after a second deal if it is time, or the end."""
    news: tuple[Event, ...] = ()
    if not any(state.hands):
        if not state.stock:
            return _sweep(state)
        seats = len(state.hands)
        size = HAND_SIZES[seats]
        hands = tuple(state.stock[seat * size : (seat + 1) * size] for seat in range(seats))
        state = replace(state, hands=hands, stock=state.stock[seats * size :])
        news = (Event(plural("Everybody gets {n} more card.", "Everybody gets {n} more cards.", size), None),)
    turn = (state.turn + 1) % len(state.hands)
    while not state.hands[turn]:
        turn = (turn + 1) % len(state.hands)
    return replace(state, turn=turn, turns=state.turns + 1), news


def _sweep(state: State) -> tuple[State, tuple[Event, ...]]:
    """What is left goes to the last capturer (rule 11)."""
    left = state.loose + tuple(card for build in state.builds for card in build.cards)
    last = state.last_capturer
    state = replace(state, turns=state.turns + 1)
    if not left:
        return state, ()
    if last is None:
        return state, (Event(Text("Nobody captured, so the table's cards go to nobody."), None),)
    piles = (*state.piles[:last], state.piles[last] + left, *state.piles[last + 1 :])
    text = Text("{who} captured last and gets the rest: {cards}.", who=Name(last), cards=left)
    return replace(state, loose=(), builds=(), piles=piles), (Event(text, None),)


def _turn_up_starter(dealt: State) -> State:
    """The last card of the deal goes on the table; perhaps the exchange is to come (rules 2 and 3)."""
    state = replace(dealt, loose=dealt.stock, stock=())
    holds = holder(state)
    if holds is None or state.options["exchange"] == "off":
        return state
    if state.options["exchange"] == "auto":
        return _swap(state, holds)
    return replace(state, phase="exchange", turns=0)


def _swap(state: State, seat: Seat) -> State:
    hand = tuple(state.loose[0] if card == THREE_OF_HEARTS else card for card in state.hands[seat])
    hands = (*state.hands[:seat], hand, *state.hands[seat + 1 :])
    return replace(state, hands=hands, loose=(THREE_OF_HEARTS, *state.loose[1:]))


def _exchange(state: State, seat: Seat, *, accept: bool) -> tuple[State, tuple[Event, ...]]:
    """Nobody is named, since only the holder is to know who holds the card (rule 3)."""
    after = replace(_swap(state, seat) if accept else state, phase="play", turns=state.turns + 1)
    kept = Text("The 3♥ stays where it is.")
    done = Text("The 3♥ was exchanged for {card}.", card=state.loose[0])
    starts = Text("{who} starts.", who=Name(state.turn))
    return after, (Event(done if accept else kept, None), Event(starts, None))


def _tell_starter_card(state: State) -> Iterator[Text]:
    if len(state.hands) == 2:
        return
    yield Text("The starter card is {card}.", card=state.loose[0])
    if state.phase == "exchange":
        yield Text("Whoever holds the 3♥ may exchange it for the starter card.")


def _target_words(target: Mapping[str, Any]) -> tuple[str, ...]:
    fields = Message(target)
    words: list[str] = []
    if "card" in fields:
        words.append(fields.take("card", str))
    if "build" in fields:
        pair = fields.take("build", list)
        if len(pair) < 2 or not all(isinstance(card, str) for card in pair):
            malformed()
        words.append("+".join(pair))
    if "all" in fields and fields.take("all", bool):
        words.append("all")
    fields.end()
    return tuple(words) or malformed()


def _target_json(targets: Sequence[Target]) -> dict[str, Any]:
    match targets:
        case ():
            return {"all": True}
        case (Card() as card,):
            return {"card": card}
        case _:
            return {"build": list(targets[0])}


def _seat(player: str, seats: int) -> Seat:
    ids = [player_id(seat) for seat in range(seats)]
    return ids.index(player.casefold()) if player.casefold() in ids else malformed()


def _take(waiting: list[Card], n: int) -> tuple[Card, ...]:
    taken = tuple(waiting[:n])
    del waiting[:n]
    return taken


def _move_within(row: list[Card], card: Card, index: int) -> None:
    at = row.index(card)
    row[at], row[index] = row[index], row[at]
