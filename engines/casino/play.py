"""What an action does at a table of Casino, and what everybody is told of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from engines.cards import Card, without
from engines.casino.state import (
    HAND_SIZES,
    THREE_OF_HEARTS,
    Action,
    Build,
    Capture,
    Exchange,
    MakeBuild,
    State,
    Steal,
    Throw,
    find_build,
    holder,
    of_value,
)
from engines.game import Event, Name, Seat, Text, plural


def perform(state: State, seat: Seat, action: Action) -> tuple[State, tuple[Event, ...]]:
    """The state after a legal action, and what happened."""
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


def _played(state: State, seat: Seat, card: Card) -> State:
    hand = without(state.hands[seat], card)
    return replace(state, hands=(*state.hands[:seat], hand, *state.hands[seat + 1 :]))


def _capture(state: State, seat: Seat, action: Capture) -> tuple[State, Text]:
    card = action.card
    taken: list[Card | Build] = [
        target if isinstance(target, Card) else _known(find_build(state, target)) for target in action.targets
    ] or list(of_value(state, card.number))
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
