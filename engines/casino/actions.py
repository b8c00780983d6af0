"""Declares the actions of Casino; their words and messages follow from the declarations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar, TypeAlias

from engines import actions
from engines.actions import (
    InMessage,
    MessageFields,
    OneCard,
    ReadCard,
    Spelling,
    player_id,
    refuse_malformed,
    seat_of,
)
from engines.cards import Card
from engines.casino.state import Cards
from engines.game import Seat

Target: TypeAlias = "Card | Cards"
"""A loose card, the cards of a build, or `ALL`."""
ALL: Target = ()
"""All cards and builds of the hand card's value (option ``multi_capture``)."""


class TargetsSpelling(Spelling[tuple[Target, ...]]):
    """Reads and writes targets: as words ``10D``, ``6D+4C`` or ``all``, in messages as an object.

    Several targets are well formed, but `checks` refuses them.
    """

    most = actions.Cards.most

    def from_words(self, words: Sequence[str], card: ReadCard) -> tuple[Target, ...]:
        return tuple([_read_target(word, card) for word in words])

    def to_words(self, value: tuple[Target, ...]) -> tuple[str, ...]:
        return tuple([target if isinstance(target, Card) else "+".join(target) or "all" for target in value])

    def from_message(self, message: MessageFields, name: str) -> tuple[Target, ...]:
        named = MessageFields(message.required("target", dict))
        everything = "all" in named and (named.required("all", bool) or refuse_malformed())
        card, build = named.optional("card", str), named.optional("build", list)
        named.end()
        targets: list[Target] = [] if card is None else [message.card(card)]
        if build is not None:
            if len(build) < 2 or not all(isinstance(spelling, str) for spelling in build):
                refuse_malformed()
            targets.append(tuple(map(message.card, build)))
        return (*targets, *([ALL] if everything else [])) or refuse_malformed()

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
    """A card, in messages as the field ``handCard``, or as ``tableCard`` with ``steal_with=table``."""

    def from_message(self, message: MessageFields, name: str) -> Card:
        return super().from_message(message, _built_on_field(message.options))

    def to_message(self, value: Card, name: str, options: Mapping[str, str]) -> dict[str, Any]:
        return super().to_message(value, _built_on_field(options), options)


def _built_on_field(options: Mapping[str, str]) -> str:
    return "tableCard" if options["steal_with"] == "table" else "handCard"


class PlayerInMessage(InMessage[Seat]):
    """Reads and writes a seat, such as ``p2``, that messages must name and typed words leave out."""

    def __init__(self) -> None:
        super().__init__(int)

    def from_message(self, message: MessageFields, name: str) -> Seat:
        seat = seat_of(message.required(name, str), message.seats)
        return refuse_malformed() if seat is None else seat

    def to_message(self, value: Seat | None, name: str, options: Mapping[str, str]) -> dict[str, Any]:
        return {} if value is None else {name: player_id(value)}


class Capture(actions.Action):
    """Captures a target on the table with a hand card (rule 5)."""

    verb: ClassVar = "capture"
    hand_card: Card
    targets: Annotated[tuple[Target, ...], TargetsSpelling()]
    """Exactly one; several are refused as ``one-target-only``."""


class MakeBuild(actions.Action):
    """Makes a build of a hand card and a loose card (rule 6)."""

    verb: ClassVar = "build"
    hand_card: Card
    table_card: Card
    build_value: Annotated[int | None, InMessage(int)] = None
    """The sum of the two cards, if a message states it."""


class Steal(actions.Action):
    """Makes a build with the top card of another player's pile (rule 7)."""

    verb: ClassVar = "steal-build"
    built_on: Annotated[Card, BuiltOnSpelling()]
    """A hand card, or a loose one with ``steal_with=table``."""
    stolen_card: Card
    from_player: Annotated[Seat | None, PlayerInMessage()] = None
    """The owner of the pile, as a message names it; None in typed words, where the card tells the pile."""
    build_value: Annotated[int | None, InMessage(int)] = None

    @classmethod
    def is_enabled(cls, options: Mapping[str, str]) -> bool:
        return options["steal_with"] != "off"


class Throw(actions.Action):
    """Puts a hand card on the table as a loose card (rule 8)."""

    verb: ClassVar = "throw"
    hand_card: Card


class Exchange(actions.Action):
    """Accepts or declines to exchange the three of hearts for the starter card (rule 3)."""

    verb: ClassVar = "exchange"
    accept: bool


AnyAction: TypeAlias = "Capture | MakeBuild | Steal | Throw | Exchange"
