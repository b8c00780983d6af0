"""Leads a game from hand to hand: deals a hand, ends it, and settles its payments."""

from __future__ import annotations

from collections.abc import Sequence

from engines.boathouse import texts
from engines.boathouse.state import DECK, HAND_SIZES, MELDS, Settlement, State, points
from engines.divisions import Division, divide
from engines.game import Event, Seat
from engines.shuffle import shuffle
from engines.values import replace


def deal(state: State) -> State:
    """Deals a new hand from the shuffle numbered `State.shuffles` (rule 1)."""
    seats = len(state.hands)
    cards = shuffle(state.seed, DECK, state.shuffles)
    dealt, (top, *stock) = cards[: seats * HAND_SIZES[seats]], cards[seats * HAND_SIZES[seats] :]
    first = (state.dealer + 1) % seats
    hands = tuple(dealt[(seat - first) % seats :: seats] for seat in range(seats))
    return replace(
        state,
        hands=hands,
        stock=tuple(stock),
        pile=(top,),
        melds=(),
        turn=first,
        phase="draw",
        barred=(),
        laid_before=(False,) * seats,
        laid_now=False,
        thin_turns=0,
        drawn=(),
        known_cards=((),) * seats,
    )


def end_hand(state: State) -> tuple[State, tuple[Event, ...]]:
    """Settles the payments of a hand, and deals the next hand if there is one (rules 2, 11 to 14)."""
    settled = settle(state)
    ledger = tuple(map(sum, zip(state.ledger, settled.payments, strict=True)))
    ended = replace(state, ledger=ledger, settled=settled, turns=state.turns + 1)
    if is_last_hand(state):
        return ended, (texts.settlement(settled),)
    dealt = deal(
        replace(
            ended,
            hand_number=state.hand_number + 1,
            dealer=next_dealer(ended),
            shuffles=state.shuffles + 1,
            is_dealer_drawn=False,
        )
    )
    return dealt, (texts.settlement(settled), texts.next_hand(dealt), *texts.deal(dealt))


def is_last_hand(state: State) -> bool:
    """Whether the game ends with this hand."""
    return state.hand_number >= int(state.options["hands"])


def settle(state: State) -> Settlement:
    """The payments at the end of a hand (rules 11 to 13)."""
    divisions = tuple(divide(hand, MELDS, points) for hand in state.hands)
    blocked = all(state.hands)
    winner = _winner(state, divisions)
    doubled = (
        not blocked
        and winner is not None
        and not state.laid_before[winner]
        and state.options["going_out"] == "open"
        and state.options["rummy_double"] == "on"
    )
    payments = [0] * len(state.hands)
    if winner is not None:
        for seat, division in enumerate(divisions):
            owed = (division.points - divisions[winner].points) * (2 if doubled else 1)
            payments[seat] -= owed
            payments[winner] += owed
    return Settlement(
        hand_number=state.hand_number,
        winner=winner,
        blocked=blocked,
        doubled=doubled,
        divisions=divisions,
        payments=tuple(payments),
        melds=state.melds,
        discard=state.pile[-1] if state.pile else None,
    )


def next_dealer(state: State) -> Seat:
    """The dealer of the next hand (rule 2).

    That is the next seat; of two players the winner, or after a void hand the same dealer again.
    """
    seats = len(state.hands)
    if seats > 2:
        return (state.dealer + 1) % seats
    winner = state.settled.winner if state.settled else settle(state).winner
    return state.dealer if winner is None else winner


def _winner(state: State, divisions: Sequence[Division]) -> Seat | None:
    """The seat that went out; in a blocked hand the seat with the fewest points, None if several tie."""
    if not all(state.hands):
        return state.hands.index(())
    least = min(division.points for division in divisions)
    fewest = [seat for seat, division in enumerate(divisions) if division.points == least]
    return fewest[0] if len(fewest) == 1 else None
