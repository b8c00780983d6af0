"""The sentences of Casino: the events, which are all public, and the labels of buttons."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

from engines.cards import STAR, Card, card_spelled
from engines.casino.state import HAND_SIZES, TEN_OF_DIAMONDS, TWO_OF_SPADES, Cards, State, View, scores_alone
from engines.game import Event, Name, Say, Seat, Text, memoized, plural

_CACHE_SIZE = 1 << 12
"""The size of the cache of labels, enough for a hundred players or more."""
SCORING_ITEMS = (
    Text("Aces"),
    Text("{card}", card=TWO_OF_SPADES),
    Text("{card}", card=TEN_OF_DIAMONDS),
    Text("Spades"),
    Text("Cards"),
)
"""What scores points, in the order of `points_by_item`."""


def label(view: View, words: tuple[str, ...], say: Say) -> str:
    """The text of a button."""
    if words == ("exchange", "yes"):
        return say(Text("Exchange the 3♥ for {card}", card=view.loose[0]))
    return _label(words, say)


@memoized(_CACHE_SIZE)
def _label(words: tuple[str, ...], say: Say) -> str:
    """The label of words that mean the same in every view; cached, as most recur in the next menu."""
    return say(_text(words, say))


def _text(words: tuple[str, ...], say: Say) -> Text:
    match words:
        case (word,) if word in _WORDS:
            return _WORDS[word]
        case ("capture", card, *target):
            return _capture_label(card, target, say)
        case ("build" | "steal-build", card, *partner):
            return _build_label(words[0], Card(card), partner, say)
        case ("throw", card):
            return Text("Throw {card}", card=_marked(card, say))
        case ("exchange", "no"):
            return Text("Keep the 3♥")
    return Text("{words}", words=" ".join(_marked(word, say) for word in words))


_WORDS = {
    "capture": Text("Capture"),
    "build": Text("Build"),
    "steal-build": Text("Steal and build"),
    "throw": Text("Throw"),
    "exchange": Text("Exchange"),
    "all": Text("everything"),
    "yes": Text("yes"),
    "no": Text("no"),
}
"""The labels of single words."""


def _capture_label(card: str, target: Sequence[str], say: Say) -> Text:
    own = _marked(card, say)
    if not target:
        return Text("Capture with {card}", card=own)
    if target == ["all"]:
        return Text("{card} takes all", card=own)
    return Text("{card} takes {target}", card=own, target=_marked(target[0], say))


def _build_label(verb: str, card: Card, partner: Sequence[str], say: Say) -> Text:
    steals = verb == "steal-build"
    own = _marked(card, say)
    if not partner:
        return (
            Text("Steal and build with {card}", card=own) if steals else Text("Build with {card}", card=own)
        )
    other = Card(partner[0])
    value = card.number + other.number
    if steals:
        return Text("{card} steals {stolen}: {value}", card=own, stolen=_marked(other, say), value=value)
    return Text("Build {value}: {cards}", value=value, cards=_marked(f"{card}+{other}", say))


def _marked(word: str, say: Say) -> str:
    """Writes the cards of a word in the reader's language: ``AD+4C`` becomes ``A♦★+4♣``.

    A star stands after each card that scores a point of its own (rule 12).
    """
    marked = []
    for part in word.split("+"):
        if card := card_spelled(part):
            marked.append(say.card(card) + STAR if scores_alone(card) else say.card(card))
        else:
            marked.append(part)
    return "+".join(marked)


def opening(state: State) -> Iterator[Event]:
    """The events of the deal."""
    size = HAND_SIZES[len(state.hands)]
    yield Event(plural("Everybody gets {n} card.", "Everybody gets {n} cards.", size), None)
    yield Event(Text("{who} goes first (drawn at random).", who=Name(state.turn)), None)
    if len(state.hands) == 2:
        return
    yield Event(Text("The starter card is {card}.", card=state.exchanged or state.loose[0]), None)
    if state.exchanged:
        yield Event(exchanged(state.exchanged), None)
    if state.phase == "exchange":
        yield Event(Text("The player with the 3♥ may exchange it for the starter card."), None)


def exchanged(starter: Card) -> Text:
    return Text("The 3♥ was exchanged for {card}.", card=starter)


def kept() -> Text:
    return Text("The 3♥ stays where it is.")


def first_turn(seat: Seat) -> Event:
    return Event(Text("{who} goes first.", who=Name(seat)), None)


def second_deal(size: int) -> Event:
    return Event(plural("Everybody gets {n} more card.", "Everybody gets {n} more cards.", size), None)


def rest(seat: Seat, left: Cards) -> Event:
    return Event(Text("{who} captured last and gets the rest: {cards}.", who=Name(seat), cards=left), None)


def rest_to_nobody() -> Event:
    return Event(Text("Nobody captured anything, so nobody gets the cards left on the table."), None)


# The events below recur from game to game, so they are cached.


@cache
def throw(seat: Seat, card: Card) -> Event:
    return Event(Text("{who} throws {card}.", who=Name(seat), card=card), None)


@lru_cache(maxsize=10_000)
def capture(seat: Seat, captured: Cards, card: Card) -> Event:
    text = Text("{who} captures {cards} with {card}.", who=Name(seat), cards=captured, card=card)
    return Event(text, None)


@cache
def build(seat: Seat, card: Card, partner: Card) -> Event:
    value = card.number + partner.number
    text = Text("{who} builds {value} with {cards}.", who=Name(seat), value=value, cards=(card, partner))
    return Event(text, None)


@cache
def steal(seat: Seat, robbed: Seat, card: Card, stolen: Card) -> Event:
    text = Text(
        "{who} steals {card} from {robbed} and builds {value} with {cards}.",
        who=Name(seat),
        card=stolen,
        robbed=Name(robbed),
        value=card.number + stolen.number,
        cards=(card, stolen),
    )
    return Event(text, None)
