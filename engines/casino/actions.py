"""The actions of Casino, from which the words and the messages of its rule book follow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar, TypeAlias

from engines import actions
from engines.actions import InMessage, Message, OneCard, ReadCard, Spelling, malformed, player_id
from engines.cards import Card
from engines.casino.state import Cards
from engines.game import Seat

Target: TypeAlias = "Card | Cards"
"""A loose card, the cards of a build, or `ALL`."""
ALL: Target = ()
"""Everything of the hand card's value (option ``multi_capture``)."""


class TargetsSpelling(Spelling[tuple[Target, ...]]):
    """``10D``, ``6D+4C`` or ``all`` in words, an object in a message; several targets are well formed."""

    most = actions.Cards.most

    def from_words(self, words: Sequence[str], card: ReadCard) -> tuple[Target, ...]:
        return tuple([_read_target(word, card) for word in words])

    def to_words(self, value: tuple[Target, ...]) -> tuple[str, ...]:
        return tuple([target if isinstance(target, Card) else "+".join(target) or "all" for target in value])

    def from_message(self, message: Message, name: str) -> tuple[Target, ...]:
        named = Message(message.take("target", dict))
        everything = "all" in named and (named.take("all", bool) or malformed())
        card, build = named.maybe("card", str), named.maybe("build", list)
        named.end()
        targets: list[Target] = [] if card is None else [message.card(card)]
        if build is not None:
            if len(build) < 2 or not all(isinstance(spelling, str) for spelling in build):
                malformed()
            targets.append(tuple(map(message.card, build)))
        return (*targets, *([ALL] if everything else [])) or malformed()

    def to_message(self, value: tuple[Target, ...], name: str, options: Mapping[str, str]) -> dict[str, Any]:
        (target,) = value
        if isinstance(target, Card):
            return {"target": {"card": target}}
        return {"target": {"build": list(target)} if target else {"all": True}}


def _read_target(word: str, card: ReadCard) -> Target:
    if word.casefold() == "all":
        return ALL
    named = tuple(map(card, word.split("+")))
    return named if len(named) > 1 else named[0]


class BuiltOnSpelling(OneCard):
    """A card that a message calls ``handCard``, or ``tableCard`` with ``steal_with=table``."""

    def from_message(self, message: Message, name: str) -> Card:
        return super().from_message(message, _built_on(message.options))

    def to_message(self, value: Card, name: str, options: Mapping[str, str]) -> dict[str, Any]:
        return super().to_message(value, _built_on(options), options)


def _built_on(options: Mapping[str, str]) -> str:
    return "tableCard" if options["steal_with"] == "table" else "handCard"


class PlayerInMessage(InMessage[Seat]):
    """A seat of the table that a message must name, ``p2``, and that no word says."""

    def __init__(self) -> None:
        super().__init__(int)

    def from_message(self, message: Message, name: str) -> Seat:
        ids = [player_id(seat) for seat in range(message.seats)]
        player = message.take(name, str).casefold()
        return ids.index(player) if player in ids else malformed()

    def to_message(self, value: Seat | None, name: str, options: Mapping[str, str]) -> dict[str, Any]:
        return {} if value is None else {name: player_id(value)}


class Capture(actions.Action):
    """Rule 5: a hand card takes a target on the table."""

    verb: ClassVar = "capture"
    hand_card: Card
    targets: Annotated[tuple[Target, ...], TargetsSpelling()]
    """One, or it is refused as ``one-target-only``."""


class MakeBuild(actions.Action):
    """Rule 6: a hand card and a loose card become a build."""

    verb: ClassVar = "build"
    hand_card: Card
    table_card: Card
    build_value: Annotated[int | None, InMessage(int)] = None
    """The sum that a message says the two cards have."""


class Steal(actions.Action):
    """Rule 7: the top card of another player's pile becomes a build's partner."""

    verb: ClassVar = "steal-build"
    built_on: Annotated[Card, BuiltOnSpelling()]
    """A hand card, or a loose one with ``steal_with=table``."""
    stolen_card: Card
    from_player: Annotated[Seat | None, PlayerInMessage()] = None
    """The owner of the pile that a message names; by text it is the pile in which the card lies."""
    build_value: Annotated[int | None, InMessage(int)] = None

    @classmethod
    def known(cls, options: Mapping[str, str]) -> bool:
        return options["steal_with"] != "off"


class Throw(actions.Action):
    """Rule 8: a hand card becomes a loose one."""

    verb: ClassVar = "throw"
    hand_card: Card


class Exchange(actions.Action):
    """Rule 3: the three of hearts for the starter card, or not."""

    verb: ClassVar = "exchange"
    accept: bool


Action: TypeAlias = "Capture | MakeBuild | Steal | Throw | Exchange"
