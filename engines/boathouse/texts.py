"""What the buttons of Boathouse Rum say."""

from __future__ import annotations

from collections.abc import Sequence

from engines.boathouse.state import DRAWN, MELDS, View
from engines.cards import Card, is_card
from engines.game import Say, Text, plural

_LONG = 5
"""A run of so many cards is named by its ends."""


def label(view: View, words: tuple[str, ...], say: Say) -> str:
    """What a button says."""
    return say(_label(view, words, say))


def short(cards: Sequence[Card], say: Say) -> str:
    """Cards that go together, a long run by its ends."""
    if MELDS.is_run(cards) and len(cards) >= _LONG:
        return f"{say.card(cards[0])}–{say.card(cards[-1])}"
    return " ".join(map(say.card, cards))


def _label(view: View, words: tuple[str, ...], say: Say) -> Text:
    match words:
        case ("draw",):
            return Text("Draw")
        case ("draw", "stock"):
            return plural(
                "Draw {n} card from the stock",
                "Draw {n} cards from the stock",
                min(DRAWN, view.stock_size + len(view.pile)),
            )
        case ("draw", "pile") | ("pile",):
            top = " ".join(say.card(card) for card in reversed(view.pile[-DRAWN:]))
            return Text("Take {cards} from the pile", cards=top)
        case ("stock",):
            return Text("from the stock")
        case ("flip",):
            return Text("Turn over")
        case ("meld",):
            return Text("Meld")
        case ("meld", *cards):
            return Text("Meld {cards}", cards=_cards(cards, say))
        case ("layoff",):
            return Text("Add")
        case ("layoff", name):
            return Text("Add to {meld}", meld=_meld(view, name, say))
        case ("layoff", name, *cards):
            return Text("Add {cards} to {meld}", cards=_cards(cards, say), meld=_meld(view, name, say))
        case ("discard",):
            return Text("Discard")
        case ("discard", card):
            return Text("Discard {card}", card=Card(card))
        case ("out",):
            return Text("Go out")
        case ("out", *melds):
            return Text("Go out: {cards}", cards=", ".join(_group(word, say) for word in melds))
        case _:
            return Text("{words}", words=" ".join(_word(view, word, say) for word in words))


def _cards(words: Sequence[str], say: Say) -> str:
    cards = tuple(map(Card, words))
    return short(MELDS.in_order(cards) if MELDS.is_meld(cards) else cards, say)


def _group(word: str, say: Say) -> str:
    return _cards(word.split("+"), say)


def _meld(view: View, name: str, say: Say) -> str:
    return next((short(meld.cards, say) for meld in view.melds if meld.name == name), name)


def _word(view: View, word: str, say: Say) -> str:
    return _group(word, say) if all(map(is_card, word.split("+"))) else _meld(view, word, say)
