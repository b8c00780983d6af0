"""Performs the actions of Casino, and turns up the starter card of a deal for three."""

from __future__ import annotations

from functools import cache

from engines.cards import Card, remove_card, without
from engines.casino import texts
from engines.casino.actions import AnyAction, Capture, Exchange, MakeBuild, Steal, Throw
from engines.casino.state import (
    HAND_SIZES,
    THREE_OF_HEARTS,
    Build,
    Cards,
    State,
    find_build,
    holder,
    of_value,
    owner,
)
from engines.game import Event, Seat
from engines.values import replace, replace_at

Change = tuple[State, tuple[Event, ...]]


def perform(state: State, seat: Seat, action: AnyAction) -> Change:
    """The state after a legal action, and the events that announce it."""
    if isinstance(action, Throw):
        return _throw(state, seat, action)
    if isinstance(action, Capture):
        return _capture(state, seat, action)
    if isinstance(action, MakeBuild):
        return _make_build(state, seat, action)
    if isinstance(action, Steal):
        return _steal(state, seat, action)
    return _exchange(state, seat, action)


def turn_up_starter(dealt: State) -> State:
    """Lays the last card of a deal for three face up as the starter card (rules 2 and 3).

    If a seat holds the three of hearts, ``exchange=auto`` exchanges the two cards at once; with
    ``exchange=ask`` the phase becomes ``exchange``, and the first turn waits for the holder's answer.
    """
    state = replace(dealt, loose=dealt.stock, stock=())
    seat = holder(state)
    if seat is None or state.options["exchange"] == "off":
        return state
    if state.options["exchange"] == "auto":
        return replace(_swap(state, seat), exchanged=state.loose[0])
    return replace(state, phase="exchange", turns=0)


def _throw(state: State, seat: Seat, action: Throw) -> Change:
    card = action.hand_card
    return _pass_turn(state, seat, card, texts.throw(seat, card), loose=(*state.loose, card))


def _capture(state: State, seat: Seat, action: Capture) -> Change:
    card, loose, builds = action.hand_card, state.loose, state.builds
    target = action.targets[0]
    captured: Cards
    if isinstance(target, Card):
        captured, loose = (target,), remove_card(loose, target)
    elif target:
        build = find_build(state, target)
        assert build is not None
        captured, builds = build.cards, tuple([other for other in builds if other is not build])
    else:
        # The target is `ALL`.
        taken = of_value(state, card.number)
        captured = tuple(
            won for item in taken for won in (item.cards if isinstance(item, Build) else (item,))
        )
        loose = without(loose, *captured)
        builds = tuple([build for build in builds if build.cards[0] not in captured])
    won = (*captured, card) if state.options["stack_top"] == "capturing" else (card, *captured)
    piles = replace_at(state.piles, seat, state.piles[seat] + won)
    event = texts.capture(seat, captured, card)
    return _pass_turn(state, seat, card, event, loose=loose, builds=builds, piles=piles, last_capturer=seat)


def _make_build(state: State, seat: Seat, action: MakeBuild) -> Change:
    card, partner = action.hand_card, action.table_card
    build = _make_pair(card, partner)
    return _pass_turn(
        state,
        seat,
        card,
        texts.build(seat, card, partner),
        loose=remove_card(state.loose, partner),
        builds=(*state.builds, build),
    )


def _steal(state: State, seat: Seat, action: Steal) -> Change:
    card, stolen = action.built_on, action.stolen_card
    pile_owner = owner(state, stolen)
    assert pile_owner is not None
    return _pass_turn(
        state,
        seat,
        card,
        texts.steal(seat, pile_owner, card, stolen),
        loose=without(state.loose, card),
        builds=(*state.builds, _make_pair(card, stolen)),
        piles=replace_at(state.piles, pile_owner, state.piles[pile_owner][:-1]),
    )


@cache
def _make_pair(card: Card, partner: Card) -> Build:
    return Build((card, partner), card.number + partner.number)


def _pass_turn(
    state: State,
    seat: Seat,
    card: Card,
    event: Event,
    *,
    loose: Cards,
    builds: tuple[Build, ...] | None = None,
    piles: tuple[Cards, ...] | None = None,
    last_capturer: Seat | None = None,
) -> Change:
    """Removes the card from the hand, if it is there, and passes the turn to the next seat that holds cards.

    If no seat holds cards, deals the stock; if that is empty too, ends the game. ``builds``, ``piles`` and
    ``last_capturer`` stay as they are if None.
    """
    stock, turn, seats = state.stock, state.turn, len(state.hands)
    events: tuple[Event, ...] = (event,)
    hands = state.hands
    if card in hands[seat]:
        hands = replace_at(hands, seat, remove_card(hands[seat], card))
    in_play = any(hands)
    if not in_play and stock:
        in_play, size = True, HAND_SIZES[seats]
        hands = tuple(stock[seat * size : (seat + 1) * size] for seat in range(seats))
        stock = stock[seats * size :]
        events = (event, texts.second_deal(size))
    if in_play:
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
    return (after, events) if in_play else _end_game(after, event)


def _end_game(state: State, event: Event) -> Change:
    """Gives the cards left on the table to the last capturer, if any, since the game is over (rule 11)."""
    left = state.loose + tuple(card for build in state.builds for card in build.cards)
    last = state.last_capturer
    if not left:
        return state, (event,)
    if last is None:
        return state, (event, texts.rest_to_nobody())
    piles = replace_at(state.piles, last, state.piles[last] + left)
    return replace(state, loose=(), builds=(), piles=piles), (event, texts.rest(last, left))


def _exchange(state: State, seat: Seat, action: Exchange) -> Change:
    """Performs the holder's answer; its event names no seat, since the holder stays secret (rule 3)."""
    swapped = _swap(state, seat) if action.accept else state
    answer = texts.exchanged(state.loose[0]) if action.accept else texts.kept()
    after = replace(swapped, phase="play", turns=state.turns + 1)
    return after, (Event(answer, None), texts.first_turn(state.turn))


def _swap(state: State, seat: Seat) -> State:
    """The state after the seat's three of hearts and the starter card change places."""
    hand = tuple(state.loose[0] if card == THREE_OF_HEARTS else card for card in state.hands[seat])
    return replace(
        state, hands=replace_at(state.hands, seat, hand), loose=(THREE_OF_HEARTS, *state.loose[1:])
    )
