"""How Svoi Kozyri looks: the own hand with its trumps, the pile top first, and what is asked for now."""

from __future__ import annotations

from collections.abc import Callable

from engines.cards import SUITS, SYMBOLS, Card, is_card
from engines.drawing import (
    CARD_WIDTH,
    GAP,
    Lines,
    beside,
    columns,
    face,
    fit,
    panel,
    rows,
    words,
)
from engines.game import Name, Say, Text, plural
from engines.svoi import telling
from engines.svoi.deck import Pile, beats, cheapest_first, strength, take_size
from engines.svoi.record import occurrences
from engines.svoi.rules import LIMIT, REPEATS
from engines.svoi.state import View

_TWO_PANELS = 100
"""From this width on the hand and the players stand side by side."""
_PLAYERS_PANEL = 40
_TOP = 5
"""So many cards of the pile are shown at any size."""
_LAST_ACTIONS = 30
"""When so few actions are left, they are counted down."""


def draw(view: View, say: Say, width: int, height: int | None = None) -> str:
    """The view in the roomiest form that fits: all cards drawn, only the pile's, or none."""
    looks = [(True, True), (False, True), (False, False)]
    if view.result:
        return fit([_final(view, say, width, drawn=drawn) for _, drawn in looks[1:]], width, height)
    forms = [_form(view, say, width, hand_drawn=hand, pile_drawn=pile) for hand, pile in looks]
    return fit(
        [*forms, _form(view, say, width, hand_drawn=False, pile_drawn=False, short=True)], width, height
    )


def label(view: View, words: tuple[str, ...], say: Say) -> str:
    """What a button says."""
    return say(_label(view, words, say))


def _label(view: View, words: tuple[str, ...], say: Say) -> Text:
    match words:
        case ("trump",):
            return Text("Trump")
        case ("trump", suit) | (suit,) if suit in SUITS:
            return _suit(suit)
        case ("lead",):
            return Text("Lead")
        case ("lead", card):
            return Text("Lead {card}", card=Card(card))
        case ("beat",):
            return Text("Beat")
        case ("beat", card):
            return Text("Beat with {card}", card=Card(card))
        case ("beat", card, second):
            return Text("Beat with {card}, then {next}", card=Card(card), next=Card(second))
        case ("take",):
            return Text("Take")
        case (card,) if is_card(card) and Card(card).suit == _own_trump(view):
            return Text("{card}, your trump", card=Card(card))
        case _:
            said = " ".join(say.card(Card(word)) if is_card(word) else word for word in words)
            return Text("{words}", words=said)


def _suit(suit: str) -> Text:
    """A suit by its symbol and its name."""
    return Text("{symbol} {suit}", symbol=SYMBOLS[suit], suit=telling.SUIT_NAMES[suit])


def _own_trump(view: View) -> str | None:
    return None if view.seat is None else view.trumps[view.seat]


def _form(
    view: View, say: Say, width: int, *, hand_drawn: bool, pile_drawn: bool, short: bool = False
) -> Callable[[], Lines]:
    def form() -> Lines:
        two = width >= _TWO_PANELS and view.seat is not None
        pile = (
            _pile_drawn(view.pile, say, width) if pile_drawn else _pile_spelled(view.pile, say, width, short)
        )
        pile = panel(say(Text("pile, top first")), [*pile, *_asked(view, say, width)], width, closed=two)
        if two:
            room = width - _PLAYERS_PANEL - 3
            players = panel(say(Text("players")), _players(view, say, _PLAYERS_PANEL), _PLAYERS_PANEL)
            return [*beside(_own(view, say, room, drawn=hand_drawn), players), *pile]
        players = panel(say(Text("players")), _players(view, say, width), width)
        return [*_own(view, say, width, drawn=hand_drawn), *pile, *players]

    return form


def _own(view: View, say: Say, width: int, *, drawn: bool) -> Lines:
    """The hand, own trumps first and by name; without a seat nothing."""
    if view.seat is None:
        return []
    return panel(say(Text("your hand")), (_hand_drawn if drawn else _hand_spelled)(view, say, width), width)


def _hand_drawn(view: View, say: Say, width: int) -> Lines:
    trumps, others = _sorted_hand(view)
    caption = say(Text("trump")).center(CARD_WIDTH).rstrip()
    pictures = [[*face(card, say), caption] for card in trumps]
    lines = rows([*pictures, *(face(card, say) for card in others)], width)
    return lines or _no_hand(view, say, width)


def _hand_spelled(view: View, say: Say, width: int) -> Lines:
    trumps, others = _sorted_hand(view)
    lines: Lines = []
    if trumps:
        lines += words([say(Text("trumps:")), *map(say.card, trumps)], width)
    if others:
        lines += words([say(Text("others:")), *map(say.card, others)], width)
    return lines or _no_hand(view, say, width)


def _sorted_hand(view: View) -> tuple[list[Card], list[Card]]:
    """The own trumps, and the other cards suit by suit, each from the lowest up."""
    trump = _own_trump(view)
    ordered = sorted(view.hand, key=lambda card: (SUITS.index(card.suit), strength(card)))
    return [card for card in ordered if card.suit == trump], [card for card in ordered if card.suit != trump]


def _no_hand(view: View, say: Say, width: int) -> Lines:
    if view.phase == "trumps":
        return _sentence(Text("The cards are dealt when both trumps are chosen."), say, width)
    return [say(Text("(no cards)"))]


def _pile_drawn(pile: Pile, say: Say, width: int) -> Lines:
    """As many cards as a row holds, five at least, and what lies below in words."""
    shown = max(_TOP, (width + GAP) // (CARD_WIDTH + GAP))
    lines = rows([face(card, say) for card in reversed(pile[-shown:])], width)
    if below := pile[:-shown]:
        lines += words([say(Text("below:")), *map(say.card, reversed(below))], width)
    return lines or [say(Text("(no cards)"))]


def _pile_spelled(pile: Pile, say: Say, width: int, short: bool) -> Lines:
    shown = pile[-_TOP:] if short else pile
    lines = words(map(say.card, reversed(shown)), width)
    if hidden := len(pile) - len(shown):
        lines.append(say(plural("and {n} card below", "and {n} cards below", hidden)))
    return lines or [say(Text("(no cards)"))]


def _asked(view: View, say: Say, width: int) -> Lines:
    """What is to be done now, and how near a draw is."""
    texts = [_own_task(view, say) if view.seat == view.turn else _task(view)]
    if occurrences(view.past, view.pile) == REPEATS - 1:
        texts.append(Text("This position is here for the second time: the third makes a draw."))
    left = LIMIT + 1 - view.turns
    if left <= _LAST_ACTIONS:
        texts.append(plural("A draw after {n} more action.", "A draw after {n} more actions.", left))
    return [line for text in texts for line in _sentence(text, say, width)]


def _task(view: View) -> Text:
    """What is asked of somebody else."""
    who = Name(view.turn)
    if view.phase == "trumps":
        return Text("{who} is to choose a trump suit.", who=who)
    if not view.pile:
        return Text("{who} is to lead, any card.", who=who)
    return plural(
        "{who} is to beat {top} or take {n} card.",
        "{who} is to beat {top} or take {n} cards.",
        take_size(view.pile, view.trumps[view.turn]),
        who=who,
        top=view.pile[-1],
    )


def _own_task(view: View, say: Say) -> Text:
    """What is asked of the reader, and the cards that do it."""
    if view.phase == "trumps":
        return Text("Choose your trump suit; the other player has another one.")
    if not view.pile:
        return Text("You lead: lay one card, any card.")
    trump, top = view.trumps[view.turn], view.pile[-1]
    n = take_size(view.pile, trump)
    beating = [card for card in cheapest_first(view.hand, trump) if beats(card, top, trump)]
    cards = " ".join(map(say.card, beating))
    if not beating:
        return plural(
            "You cannot beat {top}: take {n} card.", "You cannot beat {top}: take {n} cards.", n, top=top
        )
    if view.options["voluntary_take"] == "on":
        return plural(
            "Beat {top} with one of these or take {n} card: {cards}",
            "Beat {top} with one of these or take {n} cards: {cards}",
            n,
            top=top,
            cards=cards,
        )
    if len(view.hand) == 1:
        return Text("Beat {top} with your last card, {cards}.", top=top, cards=cards)
    return Text("Beat {top} with one of these, then lay a second card: {cards}", top=top, cards=cards)


def _sentence(text: Text, say: Say, width: int) -> Lines:
    return words(say(text).split(), width)


def _players(view: View, say: Say, width: int) -> Lines:
    table = [["", say(Text("trumps")), say(Text("hand"))]]
    for seat, (trump, size) in enumerate(zip(view.trumps, view.hand_sizes, strict=True)):
        mark = "> " if view.turn == seat else "  "
        table.append([mark + say.name(seat), say(_suit(trump)) if trump else "-", str(size)])
    return columns(table, width)


def _final(view: View, say: Say, width: int, *, drawn: bool) -> Callable[[], Lines]:
    """The pile as it lies, why the game is over, and the score (rules 7 and 8)."""

    def form() -> Lines:
        assert view.result is not None
        pile = (
            _pile_drawn(view.pile, say, width) if drawn else _pile_spelled(view.pile, say, width, short=True)
        )
        table = [
            ["", *(say.name(seat) for seat in range(len(view.hand_sizes)))],
            [say(Text("cards left")), *map(str, view.hand_sizes)],
            [say(Text("points")), *map(str, view.result.scores)],
        ]
        end = [*_sentence(_reason(view), say, width), "", *columns(table, width)]
        return [
            *panel(say(Text("pile, top first")), pile, width),
            *panel(say(Text("how it ended")), end, width),
        ]

    return form


def _reason(view: View) -> Text:
    """Why the game is over."""
    match [seat for seat, size in enumerate(view.hand_sizes) if not size]:
        case [winner]:
            return Text("{who} has got rid of all cards and wins.", who=Name(winner))
        case [_, _]:
            return Text("Both have got rid of all cards: a draw.")
    if view.turns > LIMIT and occurrences(view.past, view.pile) < REPEATS:
        return telling.used_up(LIMIT)
    return telling.third_time()
