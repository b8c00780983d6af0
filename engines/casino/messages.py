"""The messages of Casino's rule book: actions read from them and written to them, views written."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from engines.actions import Message, malformed, player_id
from engines.cards import Card
from engines.casino.state import (
    Action,
    Capture,
    Exchange,
    MakeBuild,
    State,
    Steal,
    Target,
    Throw,
    View,
)
from engines.game import Seat
from engines.position import dump

ReadCard = Callable[[str], Card]
"""Turns a spelling into a card of the pack, or refuses it."""


def read(state: State, verb: str, message: Message, card: ReadCard) -> Action:
    """The action that a message spells; its whole shape is looked at before its cards."""
    match verb:
        case "capture":
            hand_card, named = message.take("handCard", str), _targets(message.take("target", dict))
            message.end()
            return Capture(card(hand_card), tuple(_target(one, card) for one in named))
        case "build":
            hand_card, table_card = message.take("handCard", str), message.take("tableCard", str)
            claimed = message.maybe("buildValue", int)
            message.end()
            return MakeBuild(card(hand_card), card(table_card), claimed)
        case "steal-build" if state.options["steal_with"] != "off":
            built_on, stolen = message.take(_builder(state), str), message.take("stolenCard", str)
            pile = _seat(message.take("fromPlayer", str), len(state.hands))
            claimed = message.maybe("buildValue", int)
            message.end()
            return Steal(card(built_on), card(stolen), pile, claimed)
        case "throw":
            hand_card = message.take("handCard", str)
            message.end()
            return Throw(card(hand_card))
        case "exchange":
            accept = message.take("accept", bool)
            message.end()
            return Exchange(accept)
        case _:
            return malformed()


@lru_cache(maxsize=10_000)
def read_words(verb: str, words: tuple[str, ...], card: ReadCard) -> Action:
    """The action that a text spells. What was understood once need not be read again."""
    match verb, words:
        case "capture", (hand_card, *targets) if targets:
            return Capture(card(hand_card), _targets_in_words(targets, card))
        case "build", (hand_card, table_card):
            return MakeBuild(card(hand_card), card(table_card))
        case "steal-build", (built_on, stolen):
            return Steal(card(built_on), card(stolen))
        case "throw", (hand_card,):
            return Throw(card(hand_card))
        case "exchange", (word,) if word.casefold() in ("yes", "no"):
            return Exchange(word.casefold() == "yes")
        case _:
            return malformed()


def _targets_in_words(words: Sequence[str], card: ReadCard) -> tuple[Target, ...]:
    """No targets for the word ``all``; every card named is looked at first, however many targets."""
    if [word.casefold() for word in words] == ["all"]:
        return ()
    return tuple(_target_in_word(word, card) for word in words)


def _target_in_word(word: str, card: ReadCard) -> Target:
    if word.casefold() == "all":
        return ()
    named = tuple(map(card, word.split("+")))
    return named if len(named) > 1 else named[0]


def write(state: State, action: Action) -> dict[str, Any]:
    """The fields of an action's message besides its type and its sender."""
    match action:
        case Capture(card, targets):
            return {"handCard": card, "target": _write_target(targets)}
        case MakeBuild(card, table_card):
            value = card.number + table_card.number
            return {"handCard": card, "tableCard": table_card, "buildValue": value}
        case Steal(card, stolen):
            robbed = next(owner for owner, pile in enumerate(state.piles) if stolen in pile)
            return {
                _builder(state): card,
                "fromPlayer": player_id(robbed),
                "stolenCard": stolen,
                "buildValue": card.number + stolen.number,
            }
        case Throw(card):
            return {"handCard": card}
        case Exchange(accept):
            return {"accept": accept}


def write_view(view: View) -> dict[str, Any]:
    """The state message for everybody, or a seat's hand."""
    if view.seat is not None:
        return {"type": "hand", "playerId": player_id(view.seat), "hand": list(view.hand)}
    return {
        "type": "state",
        "turn": player_id(view.turn),
        "phase": view.phase,
        "loose": list(view.loose),
        "builds": dump(view.builds),
        "handSizes": list(view.hand_sizes),
        "stockSize": view.stock_size,
        "pileSizes": list(map(len, view.piles)),
        "pileTops": [pile[-1] if pile else None for pile in view.piles],
        "scores": list(view.scores),
        "result": view.result and view.result.to_json(),
    }


def _builder(state: State) -> str:
    """The field with the card that a stolen one is built on with (option ``steal_with``)."""
    return "tableCard" if state.options["steal_with"] == "table" else "handCard"


def _targets(target: Mapping[str, Any]) -> Sequence[str | list[str]]:
    """What a target names, none for everything of a value; a card as a string, a build as a list."""
    fields = Message(target)
    everything = "all" in fields and (fields.take("all", bool) or malformed())
    card, pair = fields.maybe("card", str), fields.maybe("build", list)
    fields.end()
    if pair is not None and (len(pair) < 2 or not all(isinstance(one, str) for one in pair)):
        malformed()
    named = [one for one in (card, pair) if one is not None]
    if everything and named:
        return [*named, []]
    return named if named or everything else malformed()


def _target(named: str | list[str], card: ReadCard) -> Target:
    return card(named) if isinstance(named, str) else tuple(map(card, named))


def _write_target(targets: Sequence[Target]) -> dict[str, Any]:
    match targets:
        case ():
            return {"all": True}
        case (Card() as card,):
            return {"card": card}
        case _:
            return {"build": list(targets[0])}


def _seat(player: str, seats: int) -> Seat:
    ids = [player_id(seat) for seat in range(seats)]
    return ids.index(player.casefold()) if player.casefold() in ids else malformed()
