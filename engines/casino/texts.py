"""The sentences of Casino: the news for everybody, and the labels of buttons."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache

from engines.cards import Card, is_card
from engines.casino.state import HAND_SIZES, Cards, State, View
from engines.game import Event, Name, Say, Seat, Text, plural


def label(view: View, words: tuple[str, ...], say: Say) -> str:
    """The text of a button."""
    return say(_label(view, words, say))


def _label(view: View, words: tuple[str, ...], say: Say) -> Text:
    match words:
        case ("capture",):
            return Text("Capture")
        case ("capture", card):
            return Text("Capture with {card}", card=Card(card))
        case ("capture", card, "all"):
            return Text("Capture every {value} with {card}", value=Card(card).number, card=Card(card))
        case ("capture", card, target):
            return Text("Capture {target} with {card}", target=spoken(target, say), card=Card(card))
        case ("build",):
            return Text("Build")
        case ("build", card):
            return Text("Build with {card}", card=Card(card))
        case ("build", card, partner):
            both = spoken(f"{card}+{partner}", say)
            return Text("Build {value}: {cards}", value=_sum(card, partner), cards=both)
        case ("steal-build",):
            return Text("Steal and build")
        case ("steal-build", card):
            return Text("Steal, build with {card}", card=Card(card))
        case ("steal-build", card, stolen):
            both = spoken(f"{card}+{stolen}", say)
            return Text(
                "Steal {stolen}, build {value}: {cards}",
                stolen=Card(stolen),
                value=_sum(card, stolen),
                cards=both,
            )
        case ("throw",):
            return Text("Throw")
        case ("throw", card):
            return Text("Throw {card}", card=Card(card))
        case ("exchange",):
            return Text("Exchange")
        case ("exchange", "yes"):
            return Text("Exchange the 3♥ for {card}", card=view.loose[0])
        case ("exchange", "no"):
            return Text("Keep the 3♥")
        case ("all",):
            return Text("everything")
        case _:
            return Text("{words}", words=" ".join(spoken(word, say) for word in words))


def spoken(word: str, say: Say) -> str:
    """A word with its cards as the reader's language writes them: ``6D+4C`` is ``6♦+4♣``."""
    return "+".join(say.card(Card(part)) if is_card(part) else part for part in word.split("+"))


def _sum(card: str, other: str) -> int:
    return Card(card).number + Card(other).number


def opening(state: State) -> Iterator[Event]:
    """The news of a deal."""
    size = HAND_SIZES[len(state.hands)]
    yield Event(plural("Everybody gets {n} card.", "Everybody gets {n} cards.", size), None)
    yield Event(Text("The lot falls on {who} to start.", who=Name(state.turn)), None)
    if len(state.hands) == 2:
        return
    yield Event(Text("The starter card is {card}.", card=state.exchanged or state.loose[0]), None)
    if state.exchanged:
        yield Event(exchanged(state.exchanged), None)
    if state.phase == "exchange":
        yield Event(Text("Whoever holds the 3♥ may exchange it for the starter card."), None)


def exchanged(starter: Card) -> Text:
    return Text("The 3♥ was exchanged for {card}.", card=starter)


def kept() -> Text:
    return Text("The 3♥ stays where it is.")


def first_turn(seat: Seat) -> Event:
    return Event(Text("{who} starts.", who=Name(seat)), None)


def second_deal(size: int) -> Event:
    return Event(plural("Everybody gets {n} more card.", "Everybody gets {n} more cards.", size), None)


def rest(seat: Seat, left: Cards) -> Event:
    return Event(Text("{who} captured last and gets the rest: {cards}.", who=Name(seat), cards=left), None)


def rest_to_nobody() -> Event:
    return Event(Text("Nobody captured, so the table's cards go to nobody."), None)


# The events of a turn are few, and they happen in every game: each is made once.


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
    text = Text("{who} builds {value}: {cards}.", who=Name(seat), value=value, cards=(card, partner))
    return Event(text, None)


@cache
def steal(seat: Seat, robbed: Seat, card: Card, stolen: Card) -> Event:
    text = Text(
        "{who} steals {card} from {robbed} and builds {value}: {cards}.",
        who=Name(seat),
        card=stolen,
        robbed=Name(robbed),
        value=card.number + stolen.number,
        cards=(card, stolen),
    )
    return Event(text, None)
