"""Performs the actions of Svoi Kozyri: choosing trumps, then the deal, laying, taking, the end."""

from __future__ import annotations

from engines.cards import Card, without
from engines.game import Event, Seat, Text
from engines.shuffle import Seed
from engines.svoi import texts
from engines.svoi.deck import deal, give_sixes, last_reply, take_size
from engines.svoi.history import is_repeated
from engines.svoi.state import ACTION_LIMIT, REPETITION_LIMIT, AnyAction, Beat, ChooseTrump, Lead, State, Take
from engines.values import replace, replace_at


def perform(state: State, seat: Seat, action: AnyAction) -> tuple[State, tuple[Event, ...]]:
    """The state after a legal action, and the events that announce it."""
    trump = state.trumps[seat]
    match action:
        case ChooseTrump(suit):
            return _choose_trump(state, seat, suit)
        case Lead(card):
            after, sentence = _lay(state, seat, card), texts.lead(seat, card)
        case Beat(card, second):
            after = _lay(state, seat, card, *([second] if second else []))
            sentence = texts.beat(seat, state.pile[-1], card, second, trump)
        case Take():
            after, sentence = _take(state, seat), texts.take(seat, state.pile, trump)
    after = replace(after, turn=1 - seat, turns=state.turns + 1, past=(*state.past, state.pile))
    after, ending = _finish(after, seat)
    return after, texts.public(sentence, *ending)


def _choose_trump(state: State, seat: Seat, suit: str) -> tuple[State, tuple[Event, ...]]:
    """Sets a seat's trump suit; after the second choice deals the cards (rules 1 to 3)."""
    trumps = replace_at(state.trumps, seat, suit)
    after = replace(state, trumps=trumps, turn=1 - seat, turns=state.turns + 1)
    events = texts.public(texts.choice(seat, suit))
    if None in trumps:
        return after, events
    hands = deal(state.seed, trumps, mirrored=state.options["mirrored_deal"] == "on")
    leader = 1 - state.dealer
    events += texts.public(texts.deal(leader))
    if state.options["sixes_to_owner"] == "on":
        hands, receivers = give_sixes(hands, trumps)
        events += texts.sixes(trumps, receivers)
    return replace(after, hands=hands, turn=leader, phase="play", seed=Seed()), events


def _lay(state: State, seat: Seat, *laid: Card) -> State:
    """Moves cards from a hand to the top of the pile."""
    hands = replace_at(state.hands, seat, without(state.hands[seat], *laid))
    return replace(state, hands=hands, pile=(*state.pile, *laid))


def _take(state: State, seat: Seat) -> State:
    """Moves as many cards from the top of the pile to a hand as rule 6 says."""
    left = len(state.pile) - take_size(state.pile, state.trumps[seat])
    hands = replace_at(state.hands, seat, state.hands[seat] + state.pile[left:])
    return replace(state, hands=hands, pile=state.pile[:left])


def _finish(state: State, seat: Seat) -> tuple[State, tuple[Text, ...]]:
    """Lays a last reply and announces the end, if the seat's action has ended the game (rules 7 and 8)."""
    if not state.hands[seat]:
        ending: tuple[Text, ...] = (texts.out(seat),)
        other = 1 - seat
        hand, top, trump = state.hands[other], state.pile[-1], state.trumps[other]
        if reply := last_reply(hand, top, trump, state.options["last_reply"]):
            ending += (texts.last_reply(other, top, reply),)
        return _lay(state, other, *reply), ending
    if is_repeated(state.past, state.pile, REPETITION_LIMIT):
        return replace(state, repeated=True), (texts.draw_by_repetition(),)
    return state, (texts.draw_by_limit(ACTION_LIMIT),) if state.turns > ACTION_LIMIT else ()
