"""What an action does at a table of Casino, and what everybody is told of it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache

from engines.cards import Card, drop, without
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
from engines.values import put, replace

Cards = tuple[Card, ...]
Outcome = tuple[State, tuple[Event, ...]]


def perform(state: State, seat: Seat, action: Action) -> Outcome:
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


def _throw(state: State, seat: Seat, action: Throw) -> Outcome:
    card = action.card
    return _pass_turn(state, seat, card, _tell_throw(seat, card), loose=(*state.loose, card))


def _capture(state: State, seat: Seat, action: Capture) -> Outcome:
    card, loose, builds = action.card, state.loose, state.builds
    target = action.targets[0] if action.targets else ()
    captured: Cards
    if isinstance(target, Card):
        captured, loose = (target,), drop(loose, target)
    elif target:
        build = find_build(state, target)
        assert build is not None
        captured, builds = build.cards, tuple([other for other in builds if other is not build])
    else:
        taken = of_value(state, card.number)
        captured = tuple(
            one for item in taken for one in (item.cards if isinstance(item, Build) else (item,))
        )
        loose = without(loose, *captured)
        builds = tuple([build for build in builds if build.cards[0] not in captured])
    gained = (*captured, card) if state.options["stack_top"] == "capturing" else (card, *captured)
    piles = put(state.piles, seat, state.piles[seat] + gained)
    told = _tell_capture(seat, captured, card)
    return _pass_turn(state, seat, card, told, loose=loose, builds=builds, piles=piles, last_capturer=seat)


def _make_build(state: State, seat: Seat, action: MakeBuild) -> Outcome:
    card, partner = action.card, action.table_card
    return _pass_turn(
        state,
        seat,
        card,
        _tell_build(seat, card, partner),
        loose=drop(state.loose, partner),
        builds=(*state.builds, _pair_up(card, partner)),
    )


def _steal(state: State, seat: Seat, action: Steal) -> Outcome:
    card, stolen = action.card, action.stolen
    robbed = next(owner for owner, pile in enumerate(state.piles) if stolen in pile)
    return _pass_turn(
        state,
        seat,
        card,
        _tell_theft(seat, robbed, card, stolen),
        loose=without(state.loose, card),
        builds=(*state.builds, _pair_up(card, stolen)),
        piles=put(state.piles, robbed, state.piles[robbed][:-1]),
    )


@cache
def _pair_up(card: Card, partner: Card) -> Build:
    return Build((card, partner), card.number + partner.number)


def _pass_turn(
    state: State,
    seat: Seat,
    card: Card,
    told: Event,
    *,
    loose: Cards,
    builds: tuple[Build, ...] | None = None,
    piles: tuple[Cards, ...] | None = None,
    last_capturer: Seat | None = None,
) -> Outcome:
    """The card leaves the hand, and it is the next seat's turn that holds cards.

    Or else it is time for a second deal, or the end. Of the table what is None is as it was.
    """
    stock, turn, seats = state.stock, state.turn, len(state.hands)
    news: tuple[Event, ...] = (told,)
    hands = state.hands
    if card in hands[seat]:
        hands = put(hands, seat, drop(hands[seat], card))
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
        hands=hands,
        loose=loose,
        builds=state.builds if builds is None else builds,
        piles=state.piles if piles is None else piles,
        stock=stock,
        turn=turn,
        last_capturer=state.last_capturer if last_capturer is None else last_capturer,
        turns=state.turns + 1,
        options=state.options,
        exchanged=state.exchanged,
    )
    return (after, news) if holding else _sweep(after, told)


def _sweep(state: State, told: Event) -> Outcome:
    """What is left goes to the last capturer (rule 11)."""
    left = state.loose + tuple(card for build in state.builds for card in build.cards)
    last = state.last_capturer
    if not left:
        return state, (told,)
    if last is None:
        return state, (told, Event(Text("Nobody captured, so the table's cards go to nobody."), None))
    piles = put(state.piles, last, state.piles[last] + left)
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


def _exchange(state: State, seat: Seat, *, accept: bool) -> Outcome:
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
