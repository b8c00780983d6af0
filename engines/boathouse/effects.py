"""Performs the actions of Boathouse Rum; ends the hand if the action was its last."""

from __future__ import annotations

from engines.boathouse import texts
from engines.boathouse.series import end_hand
from engines.boathouse.state import (
    DRAW_SIZE,
    MOST_THIN_TURNS,
    AnyAction,
    Cards,
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
from engines.cards import Card, remove_card, without
from engines.game import Event, Seat
from engines.shuffle import shuffle
from engines.values import replace, replace_at

Change = tuple[State, tuple[Event, ...]]
"""The next state and its events."""


def perform(state: State, seat: Seat, action: AnyAction) -> Change:
    """The state after a legal action, and its events."""
    if isinstance(action, Discard):
        return _discard(state, seat, action.card)
    if isinstance(action, Draw):
        return _draw_pile(state, seat) if action.source == "pile" else _draw_stock(state, seat)
    if isinstance(action, Flip):
        turned, event = _turn_over(state)
        after, events = _draw_stock(turned, seat)
        return after, (event, *events)
    if isinstance(action, GoOut):
        return _go_out(state, seat, action)
    if isinstance(action, Lay):
        after, event = _lay(state, seat, action.cards)
    else:
        after, event = _lay_off(state, seat, action.meld, action.cards)
    return _end_hand(after, event) if is_over(after) else (after, (event,))


def _draw_pile(state: State, seat: Seat) -> Change:
    taken = state.pile[-DRAW_SIZE:][::-1]
    after = replace(
        state,
        hands=replace_at(state.hands, seat, state.hands[seat] + taken),
        pile=state.pile[:-DRAW_SIZE],
        phase="play",
        barred=taken,
        drawn=taken,
        known_cards=replace_at(state.known_cards, seat, state.known_cards[seat] + taken),
    )
    return after, (texts.from_pile(seat, taken),)


def _draw_stock(state: State, seat: Seat) -> Change:
    """Draws two cards, or the only one left; turns the pile over for a short stock (rules 9 and 10)."""
    thin = len(state.stock) + len(state.pile) < DRAW_SIZE
    events: list[Event] = []
    taken, stock = state.stock[:DRAW_SIZE], state.stock[DRAW_SIZE:]
    if len(taken) < DRAW_SIZE and state.pile:
        state, event = _turn_over(state)
        events.append(event)
        missing = DRAW_SIZE - len(taken)
        taken, stock = taken + state.stock[:missing], state.stock[missing:]
    after = replace(
        state,
        hands=replace_at(state.hands, seat, state.hands[seat] + taken),
        stock=stock,
        phase="play",
        thin_turns=state.thin_turns + thin,
        drawn=taken,
    )
    events += [texts.from_stock(seat, len(taken)), texts.drawn(seat, taken)]
    if thin:
        events.append(texts.thin_turn(MOST_THIN_TURNS * len(after.hands) - after.thin_turns))
    return after, tuple(events)


def _turn_over(state: State) -> tuple[State, Event]:
    """Turns the pile into the stock, shuffled or with its bottom card first (rule 9, option ``flip``)."""
    if state.options["flip"] == "unshuffled":
        return replace(state, stock=state.pile, pile=()), texts.turned_over(shuffled=False)
    nth = state.shuffles + 1
    stock = shuffle(state.seed, in_canonical_order(state.pile), nth)
    return replace(state, stock=stock, pile=(), shuffles=nth), texts.turned_over(shuffled=True)


def _lay(state: State, seat: Seat, cards: Cards) -> tuple[State, Event]:
    number = 1 + max([int(meld.name.rpartition("_")[2]) for meld in state.melds], default=-1)
    meld = TableMeld(f"meld_{number}", in_table_order(cards), seat)
    after = _put_down(state, seat, cards, (*state.melds, meld))
    return after, texts.meld(seat, after.letter(meld.name), meld.cards)


def _lay_off(state: State, seat: Seat, name: str, cards: Cards) -> tuple[State, Event]:
    old = state.find_meld(name)
    assert old is not None
    new = replace(old, cards=in_table_order((*old.cards, *cards)))
    melds = tuple([new if meld is old else meld for meld in state.melds])
    added = tuple([card for card in new.cards if card in cards])
    return _put_down(state, seat, cards, melds), texts.lay_off(seat, added, state.letter(name))


def _go_out(state: State, seat: Seat, action: GoOut) -> Change:
    """Lays all melds on the table, then discards the last card, if any (option ``closed``)."""
    events: list[Event] = []
    for cards in action.melds:
        state, event = _lay(state, seat, cards)
        events.append(event)
    if action.discard is None:
        return _end_hand(state, *events)
    after, more = _discard(state, seat, action.discard)
    return after, (*events, *more)


def _discard(state: State, seat: Seat, card: Card) -> Change:
    """Discards a card, which ends the turn (rule 7).

    Also ends the hand if the player has no card left (rule 8), or in the last thin turn (rule 10).
    """
    hands, seats = replace_at(state.hands, seat, remove_card(state.hands[seat], card)), len(state.hands)
    over = not hands[seat] or is_last_turn(state)
    turn = seat if over else (seat + 1) % seats
    begins_round = not over and turn == (state.dealer + 1) % seats
    # Only cards laid in earlier turns prevent a Rummy: those of the last turn are not noted (rule 12).
    laid = state.laid_now and not over
    after = replace(
        state,
        hands=hands,
        pile=(*state.pile, card),
        turn=turn,
        phase="draw",
        barred=(),
        laid_before=replace_at(state.laid_before, seat, True) if laid else state.laid_before,
        laid_now=False,
        drawn=(),
        known_cards=_known_cards_without(state, seat, (card,)),
        settled=None if begins_round else state.settled,
        turns=state.turns if over else state.turns + 1,
    )
    event = texts.discard(seat, card)
    return _end_hand(after, event) if over else (after, (event,))


def _end_hand(state: State, *events: Event) -> Change:
    """Ends the hand; its events follow the given ones."""
    after, more = end_hand(state)
    return after, (*events, *more)


def _put_down(state: State, seat: Seat, cards: Cards, melds: tuple[TableMeld, ...]) -> State:
    """Removes cards from the hand, and replaces the melds on the table with the given ones."""
    return replace(
        state,
        hands=replace_at(state.hands, seat, without(state.hands[seat], *cards)),
        melds=melds,
        barred=without(state.barred, *cards) if state.barred else (),
        laid_now=True,
        drawn=without(state.drawn, *cards),
        known_cards=_known_cards_without(state, seat, cards),
    )


def _known_cards_without(state: State, seat: Seat, cards: Cards) -> tuple[Cards, ...]:
    """`State.known_cards` without the cards that left a hand."""
    if not state.known_cards[seat]:
        return state.known_cards
    return replace_at(state.known_cards, seat, without(state.known_cards[seat], *cards))
