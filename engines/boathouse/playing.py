"""What each action changes, and what is told of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from engines.boathouse.dealing import end_hand
from engines.boathouse.state import (
    DRAWN,
    THIN_TURNS,
    Action,
    Discard,
    Draw,
    Flip,
    GoOut,
    Lay,
    LayOff,
    State,
    TableMeld,
    in_canonical_order,
    in_table_order,
    is_last_turn,
    is_over,
)
from engines.cards import Card, without
from engines.game import Event, Name, Seat, Text, plural
from engines.shuffle import shuffle
from engines.values import evolve

T = TypeVar("T")
Outcome = tuple[State, tuple[Event, ...]]


def perform(state: State, seat: Seat, action: Action) -> Outcome:
    """The state after a legal action, and what happened."""
    match action:
        case Discard(card):
            return _discard(state, seat, card)
        case Draw(from_pile=True):
            return _draw_pile(state, seat)
        case Draw():
            return _draw_stock(state, seat)
        case Flip():
            turned, news = _turn_over(state)
            after, more = _draw_stock(turned, seat)
            return after, news + more
        case Lay(cards):
            after, event = _lay(state, seat, cards)
        case LayOff(name, cards):
            after, event = _lay_off(state, seat, name, cards)
        case GoOut(melds, card):
            return _go_out(state, seat, melds, card)
    return _and_end((after, (event,))) if is_over(after) else (after, (event,))


def find_meld(state: State, name: str) -> TableMeld | None:
    """The meld of that name, in any case."""
    return next((meld for meld in state.melds if meld.name.casefold() == name.casefold()), None)


def _draw_pile(state: State, seat: Seat) -> Outcome:
    taken = state.pile[-DRAWN:][::-1]
    known = _set(state.known, seat, state.known[seat] + taken)
    after = evolve(state, **_taking(state, seat, taken), pile=state.pile[:-DRAWN], barred=taken, known=known)
    return after, (Event(Text("{who} takes {cards} from the pile.", who=Name(seat), cards=taken), None),)


def _draw_stock(state: State, seat: Seat) -> Outcome:
    """Two cards, the pile turned over between them if need be; one if there is no other (rule 10)."""
    thin = len(state.stock) + len(state.pile) < DRAWN
    news: tuple[Event, ...] = ()
    taken, stock = state.stock[:DRAWN], state.stock[DRAWN:]
    if len(taken) < DRAWN and state.pile:
        state, news = _turn_over(state)
        missing = DRAWN - len(taken)
        taken, stock = taken + state.stock[:missing], state.stock[missing:]
    after = evolve(state, **_taking(state, seat, taken), stock=stock, thin_turns=state.thin_turns + thin)
    told = plural(
        "{who} draws {n} card from the stock.",
        "{who} draws {n} cards from the stock.",
        len(taken),
        who=Name(seat),
    )
    own = Event(Text("From the stock: {cards}.", cards=taken), seat)
    return after, (*news, Event(told, None), own, *(_tell_thin(after) if thin else ()))


def _tell_thin(state: State) -> tuple[Event, ...]:
    left = THIN_TURNS * len(state.hands) - state.thin_turns
    if left <= 0:
        return (Event(Text("There was only one card to draw. After this turn the hand is blocked."), None),)
    text = plural(
        "There was only one card to draw. {n} more such turn, and the hand is blocked.",
        "There was only one card to draw. {n} more such turns, and the hand is blocked.",
        left,
    )
    return (Event(text, None),)


def _turn_over(state: State) -> Outcome:
    """The pile becomes the stock: its bottom card is the next one (rule 9)."""
    if state.options["flip"] == "unshuffled":
        told = Text("The stock is used up: the discard pile is turned over.")
        return evolve(state, stock=state.pile, pile=()), (Event(told, None),)
    nth = state.shuffles + 1
    stock = shuffle(state.seed, in_canonical_order(state.pile), nth)
    told = Text("The stock is used up: the discard pile is shuffled and turned over.")
    return evolve(state, stock=stock, pile=(), shuffles=nth), (Event(told, None),)


def _lay(state: State, seat: Seat, cards: Sequence[Card]) -> tuple[State, Event]:
    number = 1 + max((int(meld.name.rpartition("_")[2]) for meld in state.melds), default=-1)
    meld = TableMeld(f"meld_{number}", in_table_order(tuple(cards)), seat)
    after = evolve(state, **_putting_down(state, seat, cards), melds=(*state.melds, meld), laid_now=True)
    return after, Event(Text("{who} melds {cards}.", who=Name(seat), cards=meld.cards), None)


def _lay_off(state: State, seat: Seat, name: str, cards: Sequence[Card]) -> tuple[State, Event]:
    old = find_meld(state, name)
    assert old is not None
    new = evolve(old, cards=in_table_order((*old.cards, *cards)))
    melds = tuple(new if meld is old else meld for meld in state.melds)
    after = evolve(state, **_putting_down(state, seat, cards), melds=melds, laid_now=True)
    added = tuple(card for card in new.cards if card in cards)
    return after, Event(
        Text("{who} adds {cards} to {meld}.", who=Name(seat), cards=added, meld=old.cards), None
    )


def _go_out(state: State, seat: Seat, melds: Sequence[Sequence[Card]], discard: Card | None) -> Outcome:
    news: list[Event] = []
    for cards in melds:
        state, event = _lay(state, seat, cards)
        news.append(event)
    after, more = _discard(state, seat, discard) if discard else _and_end((state, ()))
    return after, (*news, *more)


def _discard(state: State, seat: Seat, card: Card) -> Outcome:
    """The end of a turn, perhaps that of the hand (rules 7 and 10)."""
    told = Event(Text("{who} discards {card}.", who=Name(seat), card=card), None)
    seats = len(state.hands)
    changes = _putting_down(state, seat, (card,))
    changes |= {"pile": (*state.pile, card), "phase": "draw", "barred": (), "drawn": (), "laid_now": False}
    if not changes["hands"][seat] or is_last_turn(state):
        # Whether this was a Rummy hangs on what was put down before this turn.
        return _and_end((evolve(state, **changes), (told,)))
    turn = (seat + 1) % seats
    if state.laid_now:
        changes["laid_before"] = _set(state.laid_before, seat, True)
    if turn == (state.dealer + 1) % seats:
        changes["settled"] = None
    return evolve(state, **changes, turn=turn, turns=state.turns + 1), (told,)


def _and_end(outcome: Outcome) -> Outcome:
    state, news = outcome
    after, more = end_hand(state)
    return after, news + more


def _set(each: Sequence[T], seat: Seat, value: T) -> tuple[T, ...]:
    return (*each[:seat], value, *each[seat + 1 :])


def _taking(state: State, seat: Seat, cards: tuple[Card, ...]) -> dict[str, Any]:
    """What changes when cards are drawn."""
    return {"hands": _set(state.hands, seat, state.hands[seat] + cards), "drawn": cards, "phase": "play"}


def _putting_down(state: State, seat: Seat, cards: Sequence[Card]) -> dict[str, Any]:
    """What changes when cards leave a hand, and so everything that is said of cards in it."""
    changes: dict[str, Any] = {"hands": _set(state.hands, seat, without(state.hands[seat], *cards))}
    if state.drawn:
        changes["drawn"] = without(state.drawn, *cards)
    if state.barred:
        changes["barred"] = without(state.barred, *cards)
    if state.known[seat]:
        changes["known"] = _set(state.known, seat, without(state.known[seat], *cards))
    return changes
