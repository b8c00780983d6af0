"""Draws Svoi Kozyri: the reader's hand, trumps first; the pile, top first; the task of the turn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from math import ceil

from engines.cards import SUITS, Card
from engines.drawing import (
    CARD_WIDTH,
    FEW_CARDS,
    GAP,
    NO_CARDS,
    PANEL_GAP,
    SHARED_CACHE_SIZE,
    YOUR_HAND,
    Lines,
    Picture,
    beside,
    columns,
    face,
    fit,
    is_compact,
    may_draw_boxes,
    once,
    panel,
    rows,
    strip,
    wrap_sentences,
    wrap_words,
)
from engines.game import Name, Say, Seat, Text, memoized, plural
from engines.svoi import texts
from engines.svoi.deck import Hand, Pile, beating, cheapest_first, strength, take_size
from engines.svoi.history import count_occurrences
from engines.svoi.state import ACTION_LIMIT, REPETITION_LIMIT, View

_TWO_PANELS = 100
"""The least width in cells at which the hand and the players' panel stand side by side."""
_PLAYERS_PANEL = 40
"""The width in cells of the players' panel beside the hand."""
_MOST_HAND_ROWS = 3
"""The most rows of a drawn hand; a longer hand is spelled, so that the pile stays in sight."""
_TOP_CARDS = 5
"""The number of top cards that the shortest form of the pile shows."""
_LAST_ACTIONS = 30
"""The number of last actions before a draw that the screen counts down."""


def draw(view: View, say: Say, width: int, height: int | None = None) -> str:
    """Draws the view in the roomiest form that fits: hand and pile drawn, only the pile, or neither.

    If even the words do not fit, the pile shows only its top cards, and then, unless they stand beside the
    hand, the players share a line. A phone has one form (`_phone`). After the end the pile is drawn if that
    fits, but never on a phone; else its top cards are spelled.
    """
    if view.result:
        end = once(_end, view, say, width)
        drawn = (True, False) if may_draw_boxes(say) and not is_compact(say, width) else (False,)
        piles = [partial(_last_pile, view, say, width, drawn=boxes) for boxes in drawn]
        return fit([(pile, end) for pile in piles], width, height)
    if is_compact(say, width):
        return "\n".join(_phone(view, say, width))
    two_panels = width >= _TWO_PANELS and view.seat is not None
    own = {drawn: once(_own, view, say, width, drawn=drawn, two_panels=two_panels) for drawn in (True, False)}
    drawn_and_short = [(True, False), (False, False), (False, True)]
    pictured, spelled, short = (
        once(_pile, view, say, width, drawn=drawn, short=short, closed=two_panels)
        for drawn, short in drawn_and_short
    )
    players = () if two_panels else (once(_players_panel, view, say, width),)
    looks = [(True, pictured), (False, pictured)] if may_draw_boxes(say) else []
    looks += [(False, spelled), (False, short)]
    forms = [(own[hand], pile, *players) for hand, pile in looks]
    if height is not None and not two_panels:
        forms.append(
            (own[False], partial(_low_pile, view, say, width), partial(_low_players, view, say, width))
        )
    return fit(forms, width, height)


def _low_pile(view: View, say: Say, width: int) -> Lines:
    """The top of the pile and the task, without the cards that beat, on a low screen."""
    task = _phone_task(view) if view.seat == view.turn else _task(view)
    lines = [
        *_pile_spelled(view.pile, say, width, short=True),
        *wrap_sentences([task, *_warnings(view)], say, width),
    ]
    return panel(say(Text("pile, top first")), lines, width)


def _low_players(view: View, say: Say, width: int) -> Lines:
    """The players' trumps and hand sizes, in one line if both fit, on a low screen."""
    _, *rows_of_players = _holdings(view.turn, view.trumps, view.hand_sizes, say)
    # Of a trump suit only the symbol.
    each = [f"{name.lstrip()} {trump.split()[0]} {size}" for name, trump, size in rows_of_players]
    return panel(say(Text("trumps, cards")), wrap_words(each, width, "   "), width)


def _phone(view: View, say: Say, width: int) -> Lines:
    """The view in few lines; the buttons say which of the reader's cards beat."""
    own = _phone_hand(view, say, width) if view.seat is not None else []
    if len(view.pile) <= FEW_CARDS and may_draw_boxes(say):
        pile = strip(view.pile[::-1], say) or [say(NO_CARDS)]
    else:
        pile = _pile_spelled(view.pile, say, width, short=False)
    task = [_phone_task(view) if view.seat == view.turn else _task(view), *_warnings(view)]
    lines = [*pile, *wrap_sentences(task, say, width)]
    players = _players(view, say, width)
    return [*own, *panel(say(Text("pile, top first")), lines, width), *players]


def _phone_hand(view: View, say: Say, width: int) -> Lines:
    """The reader's hand, trumps apart: few cards as low boxes, if the reader allows boxes; else spelled."""
    if not 0 < len(view.hand) <= FEW_CARDS or not may_draw_boxes(say):
        return panel(say(YOUR_HAND), _hand_spelled(view, say, width), width)
    boxes = [strip(cards, say) for _, cards in _groups(view.hand, view.own_trump, say)]
    title = Text("your hand, trumps first") if len(boxes) > 1 else YOUR_HAND
    return panel(say(title), rows(boxes, width), width)


def _phone_task(view: View) -> Text:
    """The task of the reader, whose turn it is; the buttons say which cards beat."""
    if not _beating(view) or view.phase == "trumps":
        return _own_task(view)
    top = view.pile[-1]
    if view.options["voluntary_take"] == "on":
        n = take_size(view.pile, view.trumps[view.turn])
        return plural("Beat {top} or take {n} card.", "Beat {top} or take {n} cards.", n, top=top)
    if len(view.hand) == 1:
        return Text("Beat {top} with your last card.", top=top)
    return Text("Beat {top}, then lay another.", top=top)


def arrange(view: View, cards: Iterable[Card], say: Say) -> list[Card]:
    """Sorts cards: the reader's trumps first, then by suit; within a suit from the lowest up, ace high."""
    return _arranged(cards, view.own_trump)


def _arranged(cards: Iterable[Card], trump: str | None) -> list[Card]:
    return sorted(cards, key=lambda card: (card.suit != trump, SUITS.index(card.suit), strength(card)))


def _own(view: View, say: Say, width: int, *, drawn: bool, two_panels: bool) -> Lines:
    """The reader's hand; with ``two_panels``, the players' panel beside it; empty for a watcher."""
    if view.seat is None:
        return []
    room = width - _PLAYERS_PANEL - PANEL_GAP if two_panels else width
    hand = panel(say(YOUR_HAND), (_hand_drawn if drawn else _hand_spelled)(view, say, room), room)
    return beside(hand, _players_panel(view, say, _PLAYERS_PANEL)) if two_panels else hand


def _pile(view: View, say: Say, width: int, *, drawn: bool, short: bool, closed: bool) -> Lines:
    lying = _pile_drawn(view.pile, say, width) if drawn else _pile_spelled(view.pile, say, width, short)
    lines = [*lying, *_task_and_warnings(view, say, width)]
    return panel(say(Text("pile, top first")), lines, width, closed=closed)


def _players_panel(view: View, say: Say, width: int) -> Lines:
    return panel(say(Text("players")), _players(view, say, width), width)


def _hand_drawn(view: View, say: Say, width: int) -> Lines:
    groups = _groups(view.hand, view.own_trump, say)
    per_row = (width + GAP) // (CARD_WIDTH + GAP)
    if sum(ceil(len(cards) / per_row) for _, cards in groups) > _MOST_HAND_ROWS:
        return _hand_spelled(view, say, width)
    drawn = [[name, *rows([face(card, say) for card in cards], width)] for name, cards in groups]
    return [line for lines in drawn for line in lines] or _no_hand(view, say, width)


def _hand_spelled(view: View, say: Say, width: int) -> Lines:
    spelled = _groups_spelled(view.hand, view.own_trump, say, width)
    return list(spelled) or _no_hand(view, say, width)


@memoized(SHARED_CACHE_SIZE)
def _groups_spelled(hand: Hand, trump: str | None, say: Say, width: int) -> Picture:
    """The groups of a hand, spelled; cached, since a hand is drawn again when the opponent acts."""
    spelled = [wrap_words([name, *map(say.card, cards)], width) for name, cards in _groups(hand, trump, say)]
    return tuple([line for lines in spelled for line in lines])


def _groups(hand: Hand, trump: str | None, say: Say) -> list[tuple[str, list[Card]]]:
    """The trumps of a hand and its other cards, each group with its name; empty groups are left out."""
    ordered = _arranged(hand, trump)
    groups = [
        (say(Text("trumps:")), [card for card in ordered if card.suit == trump]),
        (say(Text("others:")), [card for card in ordered if card.suit != trump]),
    ]
    return [(name, cards) for name, cards in groups if cards]


def _no_hand(view: View, say: Say, width: int) -> Lines:
    if view.phase == "trumps":
        return wrap_sentences([Text("The cards are dealt once both of you have chosen.")], say, width)
    return [say(NO_CARDS)]


def _pile_drawn(pile: Pile, say: Say, width: int) -> Lines:
    """The pile, drawn with as many top cards as fit in a row; the cards below are spelled."""
    shown = (width + GAP) // (CARD_WIDTH + GAP)
    lines = rows([face(card, say) for card in reversed(pile[-shown:])], width)
    if below := pile[:-shown]:
        lines += wrap_words([say(Text("below:")), *map(say.card, reversed(below))], width)
    return lines or [say(NO_CARDS)]


@memoized(SHARED_CACHE_SIZE)
def _pile_spelled(pile: Pile, say: Say, width: int, short: bool) -> Picture:
    """The pile, which all readers see alike; if ``short``, only its top cards."""
    shown = pile[-_TOP_CARDS:] if short else pile
    lines = wrap_words(map(say.card, reversed(shown)), width)
    if hidden := len(pile) - len(shown):
        lines.append(say(plural("and {n} card below", "and {n} cards below", hidden)))
    return tuple(lines) or (say(NO_CARDS),)


def _task_and_warnings(view: View, say: Say, width: int) -> Lines:
    """The task of the turn, the cards that beat if it is the reader's turn, and warnings of a draw."""
    own = view.seat == view.turn
    sentences = [_own_task(view) if own else _task(view), *_warnings(view)]
    first, *others = (wrap_sentences([sentence], say, width) for sentence in sentences)
    cards = wrap_words(map(say.card, _beating(view)), width) if own else []
    return [*first, *cards, *(line for lines in others for line in lines)]


def _warnings(view: View) -> Iterator[Text]:
    """The warnings that a draw is near."""
    if count_occurrences(view.past, view.pile) == REPETITION_LIMIT - 1:
        yield Text("This position has come up twice now: the third time it's a draw.")
    left = ACTION_LIMIT + 1 - view.turns
    if left <= _LAST_ACTIONS:
        yield plural("{n} more action and it's a draw.", "{n} more actions and it's a draw.", left)


def _beating(view: View) -> list[Card]:
    """The cards of the reader's hand that beat the top card, cheapest first."""
    trump = view.own_trump
    hand = cheapest_first(view.hand, trump)
    return beating(hand, view.pile[-1], trump) if view.pile else []


def _task(view: View) -> Text:
    """The task of the player whose turn it is, as other readers see it."""
    who = Name(view.turn)
    if view.phase == "trumps":
        return Text("{who} must choose a trump suit.", who=who)
    if not view.pile:
        return Text("{who} leads.", who=who)
    return plural(
        "{who} must beat {top} or take {n} card.",
        "{who} must beat {top} or take {n} cards.",
        take_size(view.pile, view.trumps[view.turn]),
        who=who,
        top=view.pile[-1],
    )


def _own_task(view: View) -> Text:
    """The task of the reader, whose turn it is; below it the caller lists the cards that beat."""
    if view.phase == "trumps":
        return Text("Choose your trump suit: on your turn it beats every other suit.")
    if not view.pile:
        return Text("You lead: play any card.")
    trump, top = view.trumps[view.turn], view.pile[-1]
    n = take_size(view.pile, trump)
    if not _beating(view):
        return _own_take(top, trump, n)
    if view.options["voluntary_take"] == "on":
        return plural(
            "Beat {top} or take {n} card. These beat it:",
            "Beat {top} or take {n} cards. These beat it:",
            n,
            top=top,
        )
    if len(view.hand) == 1:
        return Text("Beat {top} with your last card:", top=top)
    return Text("Beat {top}, then lay any second card. These beat it:", top=top)


def _own_take(top: Card, trump: str | None, n: int) -> Text:
    """The task of the reader who must take ``n`` cards, with the reason."""
    if top.suit == trump:
        return plural(
            "{top} is your own trump, and you have no higher one: take {n} card.",
            "{top} is your own trump, and you have no higher one: take {n} cards.",
            n,
            top=top,
        )
    return plural(
        "You can't beat {top}: take {n} card.",
        "You can't beat {top}: take {n} cards.",
        n,
        top=top,
    )


def _players(view: View, say: Say, width: int) -> Lines:
    return columns(_holdings(view.turn, view.trumps, view.hand_sizes, say), width)


@memoized(SHARED_CACHE_SIZE)
def _holdings(
    turn: Seat, trumps: Sequence[str | None], hand_sizes: Sequence[int], say: Say
) -> Sequence[Picture]:
    """The table of the players' trumps and hand sizes, which all readers see alike."""
    table: list[Picture] = [("", say(Text("trumps")), say(Text("hand")))]
    for seat, (trump, size) in enumerate(zip(trumps, hand_sizes, strict=True)):
        mark = "> " if turn == seat else "  "
        table.append((mark + say.name(seat), say(texts.symbol_and_name(trump)) if trump else "-", str(size)))
    return tuple(table)


def _last_pile(view: View, say: Say, width: int, *, drawn: bool) -> Lines:
    """The panel of the pile at the end of the game."""
    pile = _pile_drawn(view.pile, say, width) if drawn else _pile_spelled(view.pile, say, width, short=True)
    return panel(say(Text("pile, top first")), pile, width)


def _end(view: View, say: Say, width: int) -> Lines:
    """The panel with the reason for the end and the scores (rules 7 and 8)."""
    assert view.result is not None
    table = [["", say(Text("cards")), say(Text("points"))]]
    for seat, (size, score) in enumerate(zip(view.hand_sizes, view.result.scores, strict=True)):
        table.append([say.name(seat), str(size), str(score)])
    end = [*wrap_sentences([_reason(view)], say, width), "", *columns(table, width)]
    return panel(say(Text("how it ended")), end, width)


def _reason(view: View) -> Text:
    """The sentence that says why the game ended."""
    match [seat for seat, size in enumerate(view.hand_sizes) if not size]:
        case [winner]:
            return Text("{who} is out of cards and wins.", who=Name(winner))
        case [_, _]:
            return Text("Both are out of cards: it's a draw.")
    if view.turns > ACTION_LIMIT and count_occurrences(view.past, view.pile) < REPETITION_LIMIT:
        return texts.draw_by_limit(ACTION_LIMIT)
    return texts.draw_by_repetition()
