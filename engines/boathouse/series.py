"""From hand to hand: the deal, the end of a hand and what is paid for it."""

from __future__ import annotations

from collections.abc import Sequence

from engines.boathouse.state import DECK, HAND_SIZES, MELDS, Settlement, State, points
from engines.divisions import Division, divide
from engines.game import Event, Name, Seat, Text, plural
from engines.shuffle import shuffle
from engines.values import replace


def deal(state: State) -> State:
    """A new hand of the same game, by its dealer, from the next shuffle (rule 1)."""
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
        known=((),) * seats,
    )


def tell_deal(state: State) -> tuple[Event, ...]:
    """What everybody is told of a deal."""
    who, size = Name(state.dealer), HAND_SIZES[len(state.hands)]
    texts = [
        Text("The lot falls on {who} to deal.", who=who) if state.by_lot else Text("{who} deals.", who=who),
        plural("Everybody gets {n} card.", "Everybody gets {n} cards.", size),
        Text("{card} begins the discard pile.", card=state.pile[-1]),
        Text("{who} starts.", who=Name(state.turn)),
    ]
    return tuple(Event(text, None) for text in texts)


def end_hand(state: State) -> tuple[State, tuple[Event, ...]]:
    """The end of a hand, and the deal of the next if there is one (rules 2 and 11 to 14)."""
    settled = settle(state)
    ledger = tuple(map(sum, zip(state.ledger, settled.payments, strict=True)))
    told = Event(_tell(settled), None, keep=True)
    ended = replace(state, ledger=ledger, settled=settled, turns=state.turns + 1)
    if state.hand >= int(state.options["hands"]):
        return ended, (told,)
    again = replace(
        ended, hand=state.hand + 1, dealer=next_dealer(ended), shuffles=state.shuffles + 1, by_lot=False
    )
    dealt = deal(again)
    number = Text("Hand {n} of {all}.", n=dealt.hand, all=state.options["hands"])
    return dealt, (told, Event(number, None), *tell_deal(dealt))


def settle(state: State) -> Settlement:
    """Who pays what at the end of a hand (rules 11 to 13)."""
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
    for seat, division in enumerate(divisions if winner is not None else ()):
        owed = (division.points - divisions[winner or 0].points) * (2 if doubled else 1)
        payments[seat] -= owed
        payments[winner or 0] += owed
    top = state.pile[-1] if state.pile else None
    return Settlement(state.hand, winner, blocked, doubled, divisions, tuple(payments), state.melds, top)


def next_dealer(state: State) -> Seat:
    """Who deals after a hand that has ended (rule 2)."""
    seats = len(state.hands)
    if seats > 2:
        return (state.dealer + 1) % seats
    winner = state.settled.winner if state.settled else settle(state).winner
    return state.dealer if winner is None else winner


def _winner(state: State, divisions: Sequence[Division]) -> Seat | None:
    """Who went out; in a blocked hand who alone has the fewest points."""
    if not all(state.hands):
        return state.hands.index(())
    least = min(division.points for division in divisions)
    fewest = [seat for seat, division in enumerate(divisions) if division.points == least]
    return fewest[0] if len(fewest) == 1 else None


def tell_end(settled: Settlement) -> Text:
    """How a hand ended."""
    if settled.winner is None:
        return Text("The hand is blocked, and void: two have the fewest points in hand. Nobody pays.")
    who = Name(settled.winner)
    if settled.blocked:
        return Text(
            "The hand is blocked. {who} has the fewest points in hand, {n}, and collects the differences.",
            who=who,
            n=settled.divisions[settled.winner].points,
        )
    if settled.doubled:
        return Text("{who} is out in a single turn. Rummy: everybody pays double.", who=who)
    return Text("{who} is out.", who=who)


def _tell(settled: Settlement) -> Text:
    """The end of a hand and each payment, a sentence each."""
    told = tell_end(settled)
    for seat, division in enumerate(settled.divisions if settled.winner is not None else ()):
        if seat != settled.winner:
            payment = _tell_payment(settled, Name(seat), -settled.payments[seat], division)
            told = Text("{first} {then}", first=told, then=payment)
    return told


def _tell_payment(settled: Settlement, who: Name, n: int, division: Division) -> Text:
    left = division.unmatched
    if not n:
        return Text("{who} pays nothing: every card is part of a meld.", who=who)
    if settled.blocked:
        return plural(
            "{who} has {total} and pays {n} point.",
            "{who} has {total} and pays {n} points.",
            n,
            who=who,
            total=division.points,
        )
    if settled.doubled:
        return Text("{who} pays twice {points} for {cards}: {n}.", who=who, points=n // 2, cards=left, n=n)
    return plural(
        "{who} pays {n} point for {cards}.", "{who} pays {n} points for {cards}.", n, who=who, cards=left
    )
