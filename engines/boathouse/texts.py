"""The sentences of Boathouse Rum: the events of deals, turns and payments, and button labels."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache

from engines.boathouse.state import DRAW_SIZE, HAND_SIZES, MELDS, Cards, Settlement, State, View
from engines.cards import Card, by_rank, is_card
from engines.divisions import Division
from engines.game import Event, Name, Say, Seat, Text, memoized, plural

_LONG = 5
"""The fewest cards of a run that is written as its first and last card."""
_CACHE_SIZE = 1 << 12
"""The size of each cache of events or labels that needs a limit."""


def label(view: View, words: tuple[str, ...], say: Say) -> str:
    """The text of a button."""
    match words:
        case (word,) if word in _WORDS:
            return say(_WORDS[word])
        case ("draw", "stock"):
            n = min(DRAW_SIZE, view.stock_size + len(view.pile))
            return say(plural("Draw {n} card", "Draw {n} cards", n))
        case ("draw", "pile"):
            top = " ".join(say.card(card) for card in reversed(view.pile[-DRAW_SIZE:]))
            return say(Text("Take {cards}", cards=top))
        case ("layoff", name):
            return say(Text("Add to {meld}", meld=view.letter(name)))
        case ("layoff", name, *cards):
            return say(Text("Add {cards} to {meld}", cards=_cards(cards, say), meld=view.letter(name)))
        case ("meld", *_) | ("discard", _) | ("out", *_):
            return _label_of_cards(words, say)
        case (word,) if _has_only_cards(word):
            return _label_of_cards(words, say)
    return say(Text("{words}", words=" ".join(_word(view, word, say) for word in words)))


@memoized(_CACHE_SIZE)
def _label_of_cards(words: tuple[str, ...], say: Say) -> str:
    """A label that names the same cards in every view; cached, as most recur in the next menu."""
    match words:
        case ("meld", *cards):
            return say(Text("Meld {cards}", cards=_cards(cards, say)))
        case ("discard", card):
            return say(Text("Discard {card}", card=Card(card)))
        case ("out", *melds):
            return say(Text("Go out: {cards}", cards=", ".join(_group(word, say) for word in melds)))
    return say(Text("{words}", words=" ".join(_group(word, say) for word in words)))


def meld_in_short(cards: Sequence[Card], say: Say) -> str:
    """The cards of a meld as text; a long run as its first and last card."""
    if MELDS.is_run(cards) and len(cards) >= _LONG:
        return f"{say.card(cards[0])}–{say.card(cards[-1])}"
    return " ".join(map(say.card, cards))


_WORDS = {
    "draw": Text("Draw"),
    "stock": Text("from the stock"),
    "pile": Text("from the pile"),
    "flip": Text("Turn over"),
    "meld": Text("Meld"),
    "layoff": Text("Add"),
    "discard": Text("Discard"),
    "out": Text("Go out"),
}
"""The labels of single words."""


def _cards(words: Sequence[str], say: Say) -> str:
    cards = tuple(map(Card, words))
    return meld_in_short(MELDS.in_order(cards) if MELDS.is_meld(cards) else cards, say)


def _group(word: str, say: Say) -> str:
    return _cards(word.split("+"), say)


def _meld(view: View, name: str, say: Say) -> str:
    cards = next((meld_in_short(meld.cards, say) for meld in view.melds if meld.name == name), "")
    return f"{view.letter(name)}: {cards}" if cards else name


def _word(view: View, word: str, say: Say) -> str:
    return _group(word, say) if _has_only_cards(word) else _meld(view, word, say)


def _has_only_cards(word: str) -> bool:
    """Whether a word is a card, or cards joined by plus signs."""
    return all(map(is_card, word.split("+")))


def deal(state: State) -> tuple[Event, ...]:
    """The events of a deal."""
    who, size = Name(state.dealer), HAND_SIZES[len(state.hands)]
    texts = [
        Text("{who} deals (drawn at random).", who=who)
        if state.is_dealer_drawn
        else Text("{who} deals.", who=who),
        plural("Everybody gets {n} card.", "Everybody gets {n} cards.", size),
        Text("{card} starts the discard pile.", card=state.pile[-1]),
        Text("{who} goes first.", who=Name(state.turn)),
    ]
    return tuple(Event(text, None) for text in texts)


def next_hand(state: State) -> Event:
    """The event that begins the next hand of the game."""
    return Event(Text("Hand {n} of {all}.", n=state.hand_number, all=state.options["hands"]), None)


# The same events recur in many turns, so they are cached.


@lru_cache(_CACHE_SIZE)
def from_pile(seat: Seat, taken: Cards) -> Event:
    return Event(Text("{who} takes {cards} from the pile.", who=Name(seat), cards=taken), None)


@cache
def from_stock(seat: Seat, n: int) -> Event:
    text = plural(
        "{who} draws {n} card from the stock.", "{who} draws {n} cards from the stock.", n, who=Name(seat)
    )
    return Event(text, None, routine=True)


@lru_cache(_CACHE_SIZE)
def drawn(seat: Seat, taken: Cards) -> Event:
    """The event that shows the cards drawn from the stock only to the player who drew them."""
    return Event(Text("You draw {cards}.", cards=taken), seat)


@cache
def thin_turn(left: int) -> Event:
    """The event of a turn with one card to draw; ``left`` more such turns block the hand (rule 10)."""
    if left <= 0:
        text = Text("Only one card was left to draw. Unless this player goes out now, the hand is blocked.")
        return Event(text, None)
    text = plural(
        "Only one card was left to draw. {n} more turn like this, and the hand is blocked.",
        "Only one card was left to draw. {n} more turns like this, and the hand is blocked.",
        left,
    )
    return Event(text, None, routine=True)


@cache
def turned_over(*, shuffled: bool) -> Event:
    if shuffled:
        text = Text("The stock is used up: the discard pile is shuffled and turned over.")
    else:
        text = Text("The stock is used up: the discard pile is turned over.")
    return Event(text, None, routine=True)


@lru_cache(_CACHE_SIZE)
def meld(seat: Seat, letter: str, cards: Cards) -> Event:
    return Event(Text("{who} lays meld {meld}: {cards}.", who=Name(seat), meld=letter, cards=cards), None)


@lru_cache(_CACHE_SIZE)
def lay_off(seat: Seat, added: Cards, letter: str) -> Event:
    return Event(Text("{who} adds {cards} to {meld}.", who=Name(seat), cards=added, meld=letter), None)


@cache
def discard(seat: Seat, card: Card) -> Event:
    return Event(Text("{who} discards {card}.", who=Name(seat), card=card), None)


def settlement(settled: Settlement) -> Event:
    """The event of a hand's end: how it ended and, unless it is void, what each other player pays."""
    text = ending(settled)
    for seat, division in enumerate(settled.divisions if settled.winner is not None else ()):
        if seat != settled.winner:
            payment = _payment(settled, Name(seat), -settled.payments[seat], division)
            text = Text("{first} {then}", first=text, then=payment)
    return Event(text, None, keep=True)


def ending(settled: Settlement) -> Text:
    """The sentence that says how a hand ended."""
    if settled.winner is None:
        return Text(
            "The hand is blocked. It is a tie for the fewest points, so the hand is void and nobody pays."
        )
    who = Name(settled.winner)
    if settled.blocked:
        return Text(
            "The hand is blocked. {who} has the fewest points, {n}, and collects the difference.",
            who=who,
            n=settled.divisions[settled.winner].points,
        )
    if settled.doubled:
        return Text("{who} is out in a single turn. Rummy: everybody pays double.", who=who)
    return Text("{who} is out.", who=who)


def _payment(settled: Settlement, who: Name, n: int, division: Division) -> Text:
    left = tuple(sorted(division.unmatched, key=by_rank))
    if not n:
        return Text("{who} pays nothing: all cards are in melds.", who=who)
    if settled.blocked:
        return plural(
            "{who} has {total} and pays {n} point.",
            "{who} has {total} and pays {n} points.",
            n,
            who=who,
            total=division.points,
        )
    if settled.doubled:
        return Text("{who} pays {n}, twice {points}, for {cards}.", who=who, points=n // 2, cards=left, n=n)
    return plural(
        "{who} pays {n} point for {cards}.", "{who} pays {n} points for {cards}.", n, who=who, cards=left
    )
