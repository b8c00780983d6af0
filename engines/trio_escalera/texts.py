"""What is told of a game, in sentences of their own: movements, splits and dice."""

from __future__ import annotations

from typing import Any

from engines.cards import Card
from engines.game import Name, Seat, Text
from engines.trio_escalera.groups import Split
from engines.trio_escalera.state import Movement, Rounds


def tell_movement(
    seat: Seat,
    movement: Movement,
    name: str,
    placed: tuple[Card, ...],
    moved: tuple[Card, ...],
    *,
    opens: bool,
) -> Text:
    """One movement: the cards of the hand, and those of the table beside them."""
    said: dict[str, Any] = {"who": Name(seat), "group": name, "cards": placed, "moved": moved}
    if opens:
        return Text("{who} opens with {group}: {cards}.", **said)
    if movement.group:
        if not moved:
            return Text("{who} adds {cards} to {group}.", **said)
        if not placed:
            return Text("{who} moves {moved} to {group}.", **said)
        return Text("{who} adds {cards} to {group}, and from the table {moved}.", **said)
    if not moved:
        return Text("{who} lays {group}: {cards}.", **said)
    if not placed:
        return Text("{who} makes {group} of the table's {moved}.", **said)
    return Text("{who} lays {group}: {cards}, and from the table {moved}.", **said)


def tell_split(split: Split) -> Text:
    """A piece that came off a run (rule 9)."""
    piece = split.piece
    return Text("{run} splits: {cards} becomes {group}.", run=split.run, cards=piece.cards, group=piece.name)


def tell_dice(rounds: Rounds) -> list[Text]:
    """A sentence for every round, with every throw (rule 2)."""
    seats: list[Seat] = list(range(len(rounds[0]))) if rounds else []
    told: list[Text] = []
    for number, throws in enumerate(rounds):
        thrown = tuple(
            Text("{who} {n}", who=Name(seat), n=throw) for seat, throw in zip(seats, throws, strict=True)
        )
        again = Text("Those tied throw again: {throws}.", throws=thrown)
        told.append(again if number else Text("The dice fall: {throws}.", throws=thrown))
        seats = [seat for seat, throw in zip(seats, throws, strict=True) if throw == max(throws)]
    return told
