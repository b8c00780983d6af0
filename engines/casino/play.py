"""What an action does at a table of Casino, and what everybody is told of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache, lru_cache
from typing import NamedTuple

from engines.cards import Card, without
from engines.casino.state import (
    HAND_SIZES,
    THREE_OF_HEARTS,
    Action,
    Build,
    Capture,
    MakeBuild,
    State,
    Steal,
    Throw,
    find_build,
    holder,
    of_value,
)
from engines.game import Event, Name, Seat, Text, plural

Cards = tuple[Card, ...]


class Table(NamedTuple):
    """What lies before everybody's eyes after an action."""

    loose: Cards
    builds: tuple[Build, ...]
    piles: tuple[Cards, ...]
    last_capturer: Seat | None


def perform(state: State, seat: Seat, action: Action) -> tuple[State, tuple[Event, ...]]:
    """The state after a legal action, and what happened."""
    if isinstance(action, Throw):
        return _throw(state, seat, action)
    if isinstance(action, Capture):
        return _capture(state, seat, action)
    if isinstance(action, MakeBuild):
        return _make_build(state, seat, action)
    if isinstance(action, Steal):
        return _steal(state, seat, action)
    return _exchange(state, seat, accept=action.accept)


def _throw(state: State, seat: Seat, action: Throw) -> tuple[State, tuple[Event, ...]]:
    card = action.card
    table = Table((*state.loose, card), state.builds, state.piles, state.last_capturer)
    return _pass_turn(state, _hands_without(state, seat, card), table, _tell_throw(seat, card))


def _capture(state: State, seat: Seat, action: Capture) -> tuple[State, tuple[Event, ...]]:
    card, captured = action.card, _captured(state, action)
    gained = (*captured, card) if state.options["stack_top"] == "capturing" else (card, *captured)
    table = Table(
        without(state.loose, *captured),
        tuple([build for build in state.builds if build.cards[0] not in captured]),
        _with(state.piles, seat, state.piles[seat] + gained),
        seat,
    )
    return _pass_turn(state, _hands_without(state, seat, card), table, _tell_capture(seat, captured, card))


def _captured(state: State, action: Capture) -> tuple[Card, ...]:
    """The cards of the target, or all of the card's value: loose ones, then those of builds."""
    if not action.targets:
        taken = of_value(state, action.card.number)
        return tuple(one for item in taken for one in (item.cards if isinstance(item, Build) else (item,)))
    target = action.targets[0]
    if isinstance(target, Card):
        return (target,)
    build = find_build(state, target)
    assert build is not None
    return build.cards


def _make_build(state: State, seat: Seat, action: MakeBuild) -> tuple[State, tuple[Event, ...]]:
    pair = (action.card, action.table_card)
    table = Table(
        without(state.loose, action.table_card),
        (*state.builds, _pair_up(*pair)),
        state.piles,
        state.last_capturer,
    )
    return _pass_turn(state, _hands_without(state, seat, action.card), table, _tell_build(seat, *pair))


def _steal(state: State, seat: Seat, action: Steal) -> tuple[State, tuple[Event, ...]]:
    card, stolen = action.card, action.stolen
    robbed = next(owner for owner, pile in enumerate(state.piles) if stolen in pile)
    table = Table(
        without(state.loose, card),
        (*state.builds, _pair_up(card, stolen)),
        _with(state.piles, robbed, state.piles[robbed][:-1]),
        state.last_capturer,
    )
    told = _tell_theft(seat, robbed, card, stolen)
    return _pass_turn(state, _hands_without(state, seat, card), table, told)


@cache
def _pair_up(card: Card, partner: Card) -> Build:
    return Build((card, partner), card.number + partner.number)


def _hands_without(state: State, seat: Seat, card: Card) -> tuple[Cards, ...]:
    hands = list(state.hands)
    hands[seat] = without(hands[seat], card)
    return tuple(hands)


def _with(every: tuple[Cards, ...], seat: Seat, own: Cards) -> tuple[Cards, ...]:
    """What the seats have, with something new for one of them."""
    changed = list(every)
    changed[seat] = own
    return tuple(changed)


def _pass_turn(
    state: State, hands: tuple[Cards, ...], table: Table, told: Event
) -> tuple[State, tuple[Event, ...]]:
    """On to the next seat that holds cards, after a second deal if it is time, or the end."""
    stock, turn, seats = state.stock, state.turn, len(hands)
    news: tuple[Event, ...] = (told,)
    holding = any(hands)
    if not holding and stock:
        holding, size = True, HAND_SIZES[seats]
        hands = tuple(stock[seat * size : (seat + 1) * size] for seat in range(seats))
        stock = stock[seats * size :]
        news = (told, _tell_deal(size))
    if holding:
        turn = (turn + 1) % seats
        while not hands[turn]:
            turn = (turn + 1) % seats
    after = State(
        hands,
        table.loose,
        table.builds,
        table.piles,
        stock,
        turn,
        "play",
        table.last_capturer,
        turns=state.turns + 1,
        options=state.options,
        exchanged=state.exchanged,
    )
    return (after, news) if holding else _sweep(after, told)


def _sweep(state: State, told: Event) -> tuple[State, tuple[Event, ...]]:
    """What is left goes to the last capturer (rule 11)."""
    left = state.loose + tuple(card for build in state.builds for card in build.cards)
    last = state.last_capturer
    if not left:
        return state, (told,)
    if last is None:
        return state, (told, Event(Text("Nobody captured, so the table's cards go to nobody."), None))
    piles = _with(state.piles, last, state.piles[last] + left)
    text = Text("{who} captured last and gets the rest: {cards}.", who=Name(last), cards=left)
    return replace(state, loose=(), builds=(), piles=piles), (told, Event(text, None))


def turn_up_starter(dealt: State) -> State:
    """The last card of the deal goes on the table; perhaps the exchange is to come (rules 2 and 3)."""
    state = replace(dealt, loose=dealt.stock, stock=())
    holds = holder(state)
    if holds is None or state.options["exchange"] == "off":
        return state
    if state.options["exchange"] == "auto":
        return replace(_swap(state, holds), exchanged=state.loose[0])
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


def tell_starter_card(state: State) -> Iterator[Text]:
    """What is told of the card that a deal for three turns up."""
    if len(state.hands) == 2:
        return
    yield Text("The starter card is {card}.", card=state.exchanged or state.loose[0])
    if state.exchanged:
        yield Text("The 3♥ was exchanged for {card}.", card=state.exchanged)
    if state.phase == "exchange":
        yield Text("Whoever holds the 3♥ may exchange it for the starter card.")


# What is told again and again is made once.


@cache
def _tell_throw(seat: Seat, card: Card) -> Event:
    return Event(Text("{who} throws {card}.", who=Name(seat), card=card), None)


@lru_cache(maxsize=10_000)
def _tell_capture(seat: Seat, captured: Cards, card: Card) -> Event:
    text = Text("{who} captures {cards} with {card}.", who=Name(seat), cards=captured, card=card)
    return Event(text, None)


@cache
def _tell_build(seat: Seat, card: Card, partner: Card) -> Event:
    build = _pair_up(card, partner)
    text = Text("{who} builds {value}: {cards}.", who=Name(seat), value=build.value, cards=build.cards)
    return Event(text, None)


@cache
def _tell_theft(seat: Seat, robbed: Seat, card: Card, stolen: Card) -> Event:
    build = _pair_up(card, stolen)
    text = Text(
        "{who} steals {card} from {robbed} and builds {value}: {cards}.",
        who=Name(seat),
        card=stolen,
        robbed=Name(robbed),
        value=build.value,
        cards=build.cards,
    )
    return Event(text, None)


def _tell_deal(size: int) -> Event:
    return Event(plural("Everybody gets {n} more card.", "Everybody gets {n} more cards.", size), None)
