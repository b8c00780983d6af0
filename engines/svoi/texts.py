"""The sentences of Svoi Kozyri: the announcements of events, and the labels of buttons."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engines.cards import SUITS, SYMBOLS, Card, is_card
from engines.game import Event, Name, Say, Seat, Text, memoized
from engines.svoi.deck import Pile, take_size
from engines.svoi.state import View

_CACHE_SIZE = 1 << 12
"""The size of the cache of labels, enough for a hundred players or more."""

SUIT_NAMES = {"S": Text("spades"), "H": Text("hearts"), "D": Text("diamonds"), "C": Text("clubs")}


def label(view: View, words: tuple[str, ...], say: Say) -> str:
    """The text of a button."""
    return _label(words, say)


@memoized(_CACHE_SIZE)
def _label(words: tuple[str, ...], say: Say) -> str:
    """The text of a button, the same in every view; cached, as most recur in the next menu."""
    return say(_text(words, say))


def _text(words: tuple[str, ...], say: Say) -> Text:
    match words:
        case ("trump",):
            return Text("Trump")
        case ("trump", suit) | (suit,) if suit in SUITS:
            return symbol_and_name(suit)
        case ("lead",):
            return Text("Lead")
        case ("lead", card):
            return Text("Lead {card}", card=Card(card))
        case ("beat",):
            return Text("Beat")
        case ("beat", card):
            return Text("Beat with {card}", card=Card(card))
        case ("beat", card, second):
            return Text("{card}, then {next}", card=Card(card), next=Card(second))
        case ("take",):
            return Text("Take")
        case _:
            spelled = " ".join(say.card(Card(word)) if is_card(word) else word for word in words)
            return Text("{words}", words=spelled)


def symbol_and_name(suit: str) -> Text:
    """A suit as its symbol and its name."""
    return Text("{symbol} {suit}", symbol=SYMBOLS[suit], suit=SUIT_NAMES[suit])


def public(*texts: Text) -> tuple[Event, ...]:
    """Makes sentences into events for the whole table."""
    return tuple(Event(text, None) for text in texts)


def opening(dealer: Seat) -> Text:
    """Announces the dealer of a new game, who chooses first (rule 1)."""
    return Text("{who} deals and chooses a trump suit first.", who=Name(dealer))


def choice(seat: Seat, suit: str) -> Text:
    """Announces the choice of a trump suit (rule 1)."""
    return Text("{who} chooses {suit} as trumps.", who=Name(seat), suit=SUIT_NAMES[suit])


def deal(leader: Seat) -> Text:
    """Announces the deal and the player who leads (rules 2 and 3)."""
    return Text("All 36 cards are dealt, 18 each. {who} leads.", who=Name(leader))


def sixes(trumps: Sequence[str | None], receivers: Iterable[Seat]) -> tuple[Event, ...]:
    """Tells all that each player has the six of their trumps, and the two players which sixes moved."""
    news = public(Text("Both players now have the six of their own trumps."))
    for seat in receivers:
        suit = SUIT_NAMES[str(trumps[seat])]
        text = Text("{giver} gives {who} the six of {suit}.", giver=Name(1 - seat), who=Name(seat), suit=suit)
        news += (Event(text, 0), Event(text, 1))
    return news


def lead(seat: Seat, card: Card) -> Text:
    """Announces a lead (rule 4)."""
    return Text("{who} leads {card}.", who=Name(seat), card=card)


def beat(seat: Seat, top: Card, card: Card, second: Card | None, trump: str | None) -> Text:
    """Announces a beat, with a trump or by rank, with or without a second card (rule 5)."""
    who, by_trump = Name(seat), card.suit == trump and top.suit != trump
    if second and by_trump:
        message = Text(
            "{who} beats {top} with the trump {card} and lays {next}.",
            who=who,
            top=top,
            card=card,
            next=second,
        )
    elif second:
        message = Text(
            "{who} beats {top} with {card} and lays {next}.", who=who, top=top, card=card, next=second
        )
    elif by_trump:
        message = Text(
            "{who} beats {top} with their last card, the trump {card}.", who=who, top=top, card=card
        )
    else:
        message = Text("{who} beats {top} with their last card, {card}.", who=who, top=top, card=card)
    return message


def take(seat: Seat, pile: Pile, trump: str | None) -> Text:
    """Announces the cards taken, top first, and the reason for their number (rule 6)."""
    who, top = Name(seat), pile[-1]
    cards = tuple(reversed(pile[-take_size(pile, trump) :]))
    if top.suit == trump and top.rank == "A":
        return Text(
            "{top} is {who}'s ace of trumps: {who} takes the whole pile, {cards}.",
            top=top,
            who=who,
            cards=cards,
        )
    if top.suit == trump and len(cards) == 5:
        return Text("{top} is {who}'s trump: {who} takes five cards, {cards}.", top=top, who=who, cards=cards)
    if top.suit == trump:
        return Text(
            "{top} is {who}'s trump: five to take, but the pile has fewer. {who} takes {cards}.",
            top=top,
            who=who,
            cards=cards,
        )
    if len(cards) == 3:
        return Text(
            "{top} isn't {who}'s trump: {who} takes three cards, {cards}.",
            top=top,
            who=who,
            cards=cards,
        )
    return Text(
        "{top} isn't {who}'s trump: three to take, but the pile has fewer. {who} takes {cards}.",
        top=top,
        who=who,
        cards=cards,
    )


def out(seat: Seat) -> Text:
    """Announces that a player has no cards left (rule 7)."""
    return Text("{who} has no cards left.", who=Name(seat))


def last_reply(seat: Seat, top: Card, cards: Sequence[Card]) -> Text:
    """Announces a last reply, which makes the game a draw (rule 7)."""
    if len(cards) == 1:
        return Text(
            "But {who}'s only card, {card}, beats {top}: it's a draw.", who=Name(seat), card=cards[0], top=top
        )
    return Text(
        "But {who} has only two cards, beats {top} with {card} and lays {next}: it's a draw.",
        who=Name(seat),
        card=cards[0],
        next=cards[1],
        top=top,
    )


def draw_by_repetition() -> Text:
    """Announces a draw by repetition (rule 8)."""
    return Text("The same position has come up for the third time: it's a draw.")


def draw_by_limit(actions: int) -> Text:
    """Announces a draw by the number of actions (rule 8)."""
    return Text("That was action number {n}: it's a draw.", n=actions)
