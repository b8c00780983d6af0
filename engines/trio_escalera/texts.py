"""The sentences of Trío y Escalera: the events, and the labels of buttons."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from engines.cards import Card, is_card
from engines.drawing import cells
from engines.game import Event, Name, Say, Seat, Text, plural
from engines.trio_escalera.dice import Rounds, throws_by_seat
from engines.trio_escalera.groups import Group, Split, in_table_order
from engines.trio_escalera.state import Movement, Public, View

_MOST_CELLS = 11
"""The most cells in which a label writes all cards of a group, so that it fits beside another label."""


def label(view: View, words: tuple[str, ...], say: Say) -> str:
    """The text of a button."""
    return say(_label(view, words, say))


def _label(view: View, words: tuple[str, ...], say: Say) -> Text:
    match words:
        case ("lay",):
            return Text("Lay")
        case ("add",):
            return Text("Add")
        case ("draw",):
            return Text("Draw")
        case ("reset",):
            return Text("Reset turn")
        case ("end",):
            return Text("Pass") if _passes(view) else Text("End")
        case ("lay", *named):
            return _label_lay(*_named(view, named, say))
        case ("add", group):
            return Text("Add to {group}", group=view.letter(group))
        case ("add", group, *named):
            return _label_add(view.letter(group), *_named(view, named, say))
        case (word,):
            return _word(view, word, say)
        case _:
            return Text("{words}", words=" ".join(words))


def _label_lay(own: str, moved: str) -> Text:
    if not moved:
        return Text("Lay {cards}", cards=own)
    if not own:
        return Text("Join {moved}", moved=moved)
    return Text("Lay {cards} + {moved}", cards=own, moved=moved)


def _label_add(group: str, own: str, moved: str) -> Text:
    if not moved:
        return Text("Add {cards} to {group}", cards=own, group=group)
    if not own:
        return Text("Move {moved} to {group}", moved=moved, group=group)
    return Text("Add {cards} + {moved} to {group}", cards=own, moved=moved, group=group)


def _passes(view: View) -> bool:
    """Whether ending the turn now is a pass (rule 16)."""
    return view.seat == view.turn and not view.stock_size and not view.placed and not view.has_drawn


def _word(view: View, word: str, say: Say) -> Text:
    """The label of a word: a card, with its group if it is on the table, or a group with its cards."""
    group = view.table.find(word)
    if group:
        return Text("{group}: {cards}", group=view.letter(word), cards=_short(group, say))
    if not is_card(word):
        return Text("{words}", words=word)
    card = Card(word)
    home = next((group.name for group in view.groups if card in group.cards), None)
    return (
        Text("{card} from {group}", card=card, group=view.letter(home))
        if home
        else Text("{words}", words=say.card(card))
    )


def _short(group: Group, say: Say) -> str:
    """The cards of a group as text; if they need too many cells, only the first and the last."""
    spelled = " ".join(map(say.card, group.cards))
    if cells(spelled) > _MOST_CELLS:
        return f"{say.card(group.cards[0])}–{say.card(group.cards[-1])}"
    return spelled


def _named(view: View, named: Sequence[str], say: Say) -> tuple[str, str]:
    """The named cards of the reader's hand, and those of the table, both in table order."""
    cards = in_table_order(tuple(map(Card, named)), view.ace)
    own = [say.card(card) for card in cards if card in view.hand]
    moved = [say.card(card) for card in cards if card not in view.hand]
    return " ".join(own), " ".join(moved)


def deal(size: int) -> Event:
    return Event(plural("Everybody gets {n} card.", "Everybody gets {n} cards.", size), None)


def dice(rounds: Rounds) -> Iterator[Event]:
    """One event for each round of dice, with all its throws (rule 2)."""
    for number, thrown in enumerate(throws_by_seat(rounds)):
        throws = who_threw(thrown)
        again = Text("A tie, so again: {throws}.", throws=throws)
        yield Event(again if number else Text("Dice: {throws}.", throws=throws), None)


def who_threw(thrown: Mapping[Seat, int]) -> tuple[Text, ...]:
    """The throws of a round; the word “a” separates each number from a name that ends in a number."""
    return tuple(
        Text("{who} a {n}", who=Name(seat), n=throw)
        if index
        else Text("{who} rolls a {n}", who=Name(seat), n=throw)
        for index, (seat, throw) in enumerate(thrown.items())
    )


def start(seat: Seat) -> Event:
    return Event(Text("{who} goes first.", who=Name(seat)), None)


def movement(
    seat: Seat,
    made: Movement,
    destination: str,
    placed: tuple[Card, ...],
    moved: tuple[Card, ...],
    *,
    opens: bool,
) -> Event:
    """The event of a movement, with the cards placed from the hand and those moved on the table."""
    args: dict[str, Any] = {"who": Name(seat), "group": destination, "cards": placed, "moved": moved}
    if opens:
        text = Text("{who} opens with group {group}: {cards}.", **args)
    elif made.group:
        text = _addition(args)
    else:
        text = _new_group(args)
    return Event(text, None)


def _addition(args: dict[str, Any]) -> Text:
    if not args["moved"]:
        return Text("{who} adds {cards} to {group}.", **args)
    if not args["cards"]:
        return Text("{who} moves {moved} to {group}.", **args)
    return Text("{who} adds {cards} to {group}, with {moved} from the table.", **args)


def _new_group(args: dict[str, Any]) -> Text:
    if not args["moved"]:
        return Text("{who} lays group {group}: {cards}.", **args)
    if not args["cards"]:
        return Text("{who} makes group {group} with {moved} from the table.", **args)
    return Text("{who} lays group {group}: {cards}, with {moved} from the table.", **args)


def split(table: Public, torn: Split) -> Event:
    """The event of a piece split off a run (rule 9)."""
    run, group = table.letter(torn.run), table.letter(torn.piece.name)
    text = Text("Run {run} splits. New group {group}: {cards}.", run=run, group=group, cards=torn.piece.cards)
    return Event(text, None)


def draw(seat: Seat) -> Event:
    return Event(Text("{who} draws a card.", who=Name(seat)), None, routine=True)


def own_draw(seat: Seat, card: Card) -> Event:
    return Event(Text("You draw {card}.", card=card), seat)


def reset(seat: Seat) -> Event:
    return Event(Text("{who} takes those movements back.", who=Name(seat)), None)


def pass_on(seat: Seat) -> Event:
    return Event(Text("{who} passes.", who=Name(seat)), None)


def end(seat: Seat, held: int) -> Event:
    text = plural(
        "{who} ends the turn, {n} card left.", "{who} ends the turn, {n} cards left.", held, who=Name(seat)
    )
    return Event(text, None, routine=True)


def out(seat: Seat) -> Event:
    return Event(Text("{who} has no cards left and wins.", who=Name(seat)), None)


def blocked() -> Event:
    return Event(Text("Everybody has passed and the stock is used up: the game is blocked."), None)


def count(points: Sequence[int]) -> Event:
    """The event that gives the points of each hand at the end of the game."""
    counts = tuple(
        plural("{who} has {n} point", "{who} has {n} points", held, who=Name(seat))
        for seat, held in enumerate(points)
    )
    return Event(Text("Left in hand: {counts}.", counts=counts), None, keep=True)
