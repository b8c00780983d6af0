"""What each action changes, and what is told of it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache

from engines.boathouse.series import end_hand
from engines.boathouse.state import (
    DRAWN,
    THIN_TURNS,
    Action,
    Discard,
    Draw,
    Flip,
    GoOut,
    Lay,
    State,
    TableMeld,
    in_canonical_order,
    in_table_order,
    is_last_turn,
    is_over,
)
from engines.cards import Card, drop, without
from engines.game import Event, Name, Seat, Text, plural
from engines.shuffle import shuffle
from engines.values import put, replace

Cards = tuple[Card, ...]
Outcome = tuple[State, tuple[Event, ...]]

_REMEMBERED = 1 << 12
"""How many sentences of a kind are kept where there might be more."""


def perform(state: State, seat: Seat, action: Action) -> Outcome:
    """The state after a legal action, and what happened."""
    if isinstance(action, Discard):
        return _discard(state, seat, action.card)
    if isinstance(action, Draw):
        return _draw_pile(state, seat) if action.from_pile else _draw_stock(state, seat)
    if isinstance(action, Flip):
        turned, news = _turn_over(state)
        after, more = _draw_stock(turned, seat)
        return after, news + more
    if isinstance(action, GoOut):
        return _go_out(state, seat, action.melds, action.discard)
    if isinstance(action, Lay):
        after, event = _lay(state, seat, action.cards)
    else:
        after, event = _lay_off(state, seat, action.meld, action.cards)
    return _and_end((after, (event,))) if is_over(after) else (after, (event,))


def find_meld(state: State, name: str) -> TableMeld | None:
    """The meld of that name, in any case."""
    name = name.casefold()
    for meld in state.melds:
        if meld.name.casefold() == name:
            return meld
    return None


def _draw_pile(state: State, seat: Seat) -> Outcome:
    taken = state.pile[-DRAWN:][::-1]
    after = replace(
        state,
        hands=put(state.hands, seat, state.hands[seat] + taken),
        pile=state.pile[:-DRAWN],
        phase="play",
        barred=taken,
        drawn=taken,
        known=put(state.known, seat, state.known[seat] + taken),
    )
    return after, (_tell_pile(seat, taken),)


def _draw_stock(state: State, seat: Seat) -> Outcome:
    """Two cards, the pile turned over between them if need be; one if there is no other (rule 10)."""
    thin = len(state.stock) + len(state.pile) < DRAWN
    news: tuple[Event, ...] = ()
    taken, stock = state.stock[:DRAWN], state.stock[DRAWN:]
    if len(taken) < DRAWN and state.pile:
        state, news = _turn_over(state)
        missing = DRAWN - len(taken)
        taken, stock = taken + state.stock[:missing], state.stock[missing:]
    after = replace(
        state,
        hands=put(state.hands, seat, state.hands[seat] + taken),
        stock=stock,
        phase="play",
        thin_turns=state.thin_turns + thin,
        drawn=taken,
    )
    told = (_tell_drawing(seat, len(taken)), _tell_drawn(seat, taken))
    return after, (*news, *told, *_tell_thin(after)) if thin else news + told


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
        return replace(state, stock=state.pile, pile=()), (Event(told, None),)
    nth = state.shuffles + 1
    stock = shuffle(state.seed, in_canonical_order(state.pile), nth)
    told = Text("The stock is used up: the discard pile is shuffled and turned over.")
    return replace(state, stock=stock, pile=(), shuffles=nth), (Event(told, None),)


def _lay(state: State, seat: Seat, cards: Sequence[Card]) -> tuple[State, Event]:
    number = 1 + max([int(meld.name.rpartition("_")[2]) for meld in state.melds], default=-1)
    meld = TableMeld(f"meld_{number}", in_table_order(tuple(cards)), seat)
    return _put_down(state, seat, cards, (*state.melds, meld)), _tell_meld(seat, meld.cards)


def _lay_off(state: State, seat: Seat, name: str, cards: Sequence[Card]) -> tuple[State, Event]:
    old = find_meld(state, name)
    assert old is not None
    new = replace(old, cards=in_table_order((*old.cards, *cards)))
    melds = tuple([new if meld is old else meld for meld in state.melds])
    added = tuple([card for card in new.cards if card in cards])
    return _put_down(state, seat, cards, melds), _tell_addition(seat, added, old.cards)


def _go_out(state: State, seat: Seat, melds: Sequence[Sequence[Card]], discard: Card | None) -> Outcome:
    news: list[Event] = []
    for cards in melds:
        state, event = _lay(state, seat, cards)
        news.append(event)
    after, more = _discard(state, seat, discard) if discard else _and_end((state, ()))
    return after, (*news, *more)


def _discard(state: State, seat: Seat, card: Card) -> Outcome:
    """The end of a turn, perhaps that of the hand (rules 7 and 10)."""
    hands, seats = put(state.hands, seat, drop(state.hands[seat], card)), len(state.hands)
    over = not hands[seat] or is_last_turn(state)
    turn = seat if over else (seat + 1) % seats
    begins_round = not over and turn == (state.dealer + 1) % seats
    # Whether this was a Rummy hangs on what was put down before this turn.
    laid = state.laid_now and not over
    after = replace(
        state,
        hands=hands,
        pile=(*state.pile, card),
        turn=turn,
        phase="draw",
        barred=(),
        laid_before=put(state.laid_before, seat, True) if laid else state.laid_before,
        laid_now=False,
        drawn=(),
        known=_forget(state, seat, (card,)),
        settled=None if begins_round else state.settled,
        turns=state.turns if over else state.turns + 1,
    )
    outcome = after, (_tell_discard(seat, card),)
    return _and_end(outcome) if over else outcome


def _and_end(outcome: Outcome) -> Outcome:
    state, news = outcome
    after, more = end_hand(state)
    return after, news + more


def _put_down(state: State, seat: Seat, cards: Sequence[Card], melds: tuple[TableMeld, ...]) -> State:
    """The state when cards come to the table, which holds these melds then."""
    return replace(
        state,
        hands=put(state.hands, seat, without(state.hands[seat], *cards)),
        melds=melds,
        barred=without(state.barred, *cards) if state.barred else (),
        laid_now=True,
        drawn=without(state.drawn, *cards),
        known=_forget(state, seat, cards),
    )


def _forget(state: State, seat: Seat, cards: Sequence[Card]) -> tuple[Cards, ...]:
    """What is known of the hands when cards leave one."""
    if not state.known[seat]:
        return state.known
    return put(state.known, seat, without(state.known[seat], *cards))


# What is told again and again is made once.


@lru_cache(_REMEMBERED)
def _tell_pile(seat: Seat, taken: Cards) -> Event:
    return Event(Text("{who} takes {cards} from the pile.", who=Name(seat), cards=taken), None)


@cache
def _tell_drawing(seat: Seat, n: int) -> Event:
    told = plural(
        "{who} draws {n} card from the stock.", "{who} draws {n} cards from the stock.", n, who=Name(seat)
    )
    return Event(told, None)


@lru_cache(_REMEMBERED)
def _tell_drawn(seat: Seat, taken: Cards) -> Event:
    return Event(Text("From the stock: {cards}.", cards=taken), seat)


@cache
def _tell_discard(seat: Seat, card: Card) -> Event:
    return Event(Text("{who} discards {card}.", who=Name(seat), card=card), None)


@lru_cache(_REMEMBERED)
def _tell_meld(seat: Seat, cards: Cards) -> Event:
    return Event(Text("{who} melds {cards}.", who=Name(seat), cards=cards), None)


@lru_cache(_REMEMBERED)
def _tell_addition(seat: Seat, added: Cards, meld: Cards) -> Event:
    return Event(Text("{who} adds {cards} to {meld}.", who=Name(seat), cards=added, meld=meld), None)
