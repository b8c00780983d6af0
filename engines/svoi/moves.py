"""The legal moves of Svoi Kozyri, and the next words of a move that is partly entered."""

from __future__ import annotations

from collections.abc import Sequence

from engines.cards import SUITS, Card
from engines.game import Choices, Move, Seat
from engines.svoi.deck import DECK, beating, cheapest_first
from engines.svoi.state import Beat, ChooseTrump, Lead, State, Take

# There are few different moves, and they are listed often: each is built once.
_TRUMPS = {suit: ChooseTrump(suit).to_move() for suit in SUITS}
LEADS = {card: Lead(card).to_move() for card in DECK}
BEATS = {card: {second: Beat(card, second).to_move() for second in DECK} for card in DECK}
LAST_BEATS = {card: Beat(card).to_move() for card in DECK}
TAKE = Take().to_move()


def moves(state: State, seat: Seat) -> tuple[Move, ...]:
    """The legal moves of the seat to play: before the deal the free suits; then leads, or beats and taking.

    The cheapest cards come first, taking last.
    """
    if state.phase == "trumps":
        return tuple([_TRUMPS[suit] for suit in _free_suits(state)])
    trump = state.trumps[seat]
    hand = cheapest_first(state.hands[seat], trump)
    if not state.pile:
        return tuple([LEADS[card] for card in hand])
    beaters = beating(hand, state.pile[-1], trump)
    take = (TAKE,) if "take" in _verbs(state, bool(beaters)) else ()
    return (*_beats(hand, beaters), *take)


def choices(state: State, seat: Seat, words: tuple[str, ...] = ()) -> Choices:
    """The words that the seat to play may enter after ``words``, the cheapest cards first."""
    trump = state.trumps[seat]
    hand = cheapest_first(state.hands[seat], trump)
    beaters = beating(hand, state.pile[-1], trump) if state.pile else []
    match words:
        case ():
            return Choices(_verbs(state, bool(beaters)), False)
        case ("trump", *suits) if state.phase == "trumps":
            return _one_of(_free_suits(state), suits)
        case ("lead", *cards) if state.phase == "play" and not state.pile:
            return _one_of(hand, cards)
        case ("beat", card, *cards) if card in beaters and len(hand) > 1:
            return _one_of([other for other in hand if other != card], cards)
        case ("beat", *cards):
            return _one_of(beaters, cards)
        case _:
            return Choices((), words == ("take",) and "take" in _verbs(state, bool(beaters)))


def _free_suits(state: State) -> list[str]:
    return [suit for suit in SUITS if suit not in state.trumps]


def _verbs(state: State, can_beat: bool) -> tuple[str, ...]:
    """The verbs that lead to a legal move of the seat whose turn it is."""
    if state.phase == "trumps":
        return ("trump",)
    if not state.pile:
        return ("lead",)
    if not can_beat:
        return ("take",)
    return ("beat", "take") if state.options["voluntary_take"] == "on" else ("beat",)


def _one_of(fitting: Sequence[str], entered: Sequence[str]) -> Choices:
    """The choice of exactly one word of ``fitting``; ``entered`` has the words already entered for it."""
    return Choices(() if entered else tuple(fitting), len(entered) == 1 and entered[0] in fitting)


def _beats(hand: Sequence[Card], beaters: Sequence[Card]) -> list[Move]:
    """The moves that beat: each beating card with every other card as the second, a last card alone."""
    if len(hand) == 1:
        return [LAST_BEATS[card] for card in beaters]
    return [BEATS[card][second] for card in beaters for second in hand if second is not card]
