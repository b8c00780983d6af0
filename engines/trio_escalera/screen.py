"""Draws Trío y Escalera: the reader's hand, the decks, the groups on the table, the players."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from math import ceil
from typing import Literal

from engines.cards import Card
from engines.drawing import (
    CARD_BACK,
    CARD_HEIGHT,
    CARD_WIDTH,
    FEW_PLAYERS,
    GAP,
    LEAST_SCREEN,
    NO_CARDS,
    PHONE,
    SHARED_CACHE_SIZE,
    YOUR_HAND,
    Lines,
    Part,
    Picture,
    columns,
    face,
    faces,
    fit,
    group_lines,
    hand_lines,
    heading,
    is_compact,
    may_draw_boxes,
    once,
    panel,
    panels_beside,
    row,
    rows,
    short_group_lines,
    strips,
    wrap_sentences,
    wrap_words,
)
from engines.game import Name, Say, Seat, Text, memoized, plural
from engines.letters import letter_of
from engines.melds import Ace
from engines.trio_escalera import tasks
from engines.trio_escalera.dice import throws_by_seat
from engines.trio_escalera.groups import Group, is_whole
from engines.trio_escalera.state import View
from engines.trio_escalera.texts import who_threw

_HandForm = Literal["boxes", "low", "spelled"]
"""How a hand is drawn: in boxes, in low boxes that share their borders, or as text."""
_WIDE = 109
"""The least width at which the hand and the decks stand side by side."""
_WIDE_HEIGHT = 25
"""The least height for hand and decks side by side: on a lower screen they would leave the table no room."""
_HAND_WIDTH, _DECKS_WIDTH = 52, 54
"""The widths of the two panels that stand side by side."""
_STOCK_INDENT = 18
"""The blanks before the stock in its panel."""
_SHARED_LINES_WIDTH = 60
"""The least width at which groups written as text share lines."""
_TALL = 30
"""The most lines of a table drawn with pictures; a longer one is written as text, to be seen at once."""
_SHORTENED = (24, 16, 8)
"""The numbers of groups to try on a phone with boxes, where a message cannot hold all groups."""
_MOST_USUAL_CARDS = 16
"""The hand size for which a screen chooses the form of the hand: larger hands are rare."""
_LOW_WIDTH, _LOW_HEIGHT = 4, 3
"""The size of a card in the form ``low``, with one of the borders that it shares."""
_OTHER_ROWS = 6
"""The rows of all but hand and table: the headings, the task, and the players in words."""
_LEAST_TABLE_ROWS = 3
"""The rows of a table in words for which there should be room."""
_FIRST_TURN = 1
_APART = "   "
"""The gap between items of a line."""


def draw(view: View, say: Say, width: int, height: int | None = None) -> str:
    """The view in the largest form that fits: all cards as pictures, only the hand's, or none.

    In the first turn each form is tried with the dice, then without. Where the height is limited, the hand
    keeps one form through nearly all of a game: the table and the players take fewer lines first. If no form
    fits, a phone shows only the first groups; a low screen shows the table last, to be scrolled. (A phone has
    one form, `_phone`, unless its reader wants boxes.)
    """
    if view.result:
        return "\n".join(_final(view, say, width))
    if is_compact(say, width):
        return "\n".join(_phone(view, say, width))
    wide = width >= _WIDE and (height is None or height >= _WIDE_HEIGHT)
    own = {hand: once(_own, view, say, width, wide=wide, hand=hand) for hand in _HANDS}
    table = {drawn: once(_table, view, say, width, wide=wide, drawn=drawn) for drawn in (True, False)}
    standing = {dice: once(_standing, view, say, width, wide=wide, dice=dice) for dice in (True, False)}
    looks: list[tuple[_HandForm, bool]] = [("spelled", False)]
    if may_draw_boxes(say):
        looks = [("boxes", True), ("low", True), ("boxes", False), ("low", False), *looks]
    with_dice = (True, False) if view.turns == _FIRST_TURN else (False,)
    forms: list[Sequence[Part]] = [
        (own[hand], table[drawn], standing[dice]) for hand, drawn in looks for dice in with_dice
    ]
    if width <= PHONE:
        for most in _SHORTENED:
            first_groups = partial(_table, view, say, width, wide=False, drawn=False, most=most)
            forms.append((own["spelled"], first_groups, standing[False]))
    elif height is not None:
        in_words = once(_standing_in_words, view, say, width)
        if height < LEAST_SCREEN:
            forms.append((own["spelled"], in_words, table[False]))
        else:
            low_table, lowest_table = (
                once(_phone_table, view, say, width, short=short) for short in (False, True)
            )
            low_hand = once(_hand_in_few_lines, view, say, width)
            low_players = once(_phone_players, view, say, width)
            lowest_players = once(_phone_players, view, say, width, few=0)
            steady = _steady_hands(_HAND_WIDTH if wide else width, height) if may_draw_boxes(say) else ()
            drawn_rest = [(table[True], standing[dice]) for dice in with_dice]
            written_rest = [(table[False], standing[dice]) for dice in with_dice]
            written_rest += [(table[False], in_words), (low_table, low_players)]
            written_rest.append((lowest_table, lowest_players))
            forms = [(own[hand], *rest) for hand in steady for rest in (*drawn_rest, *written_rest)]
            forms += [(own["spelled"], *rest) for rest in written_rest]
            forms += [(low_hand, low_table, low_players), (low_hand, lowest_table, low_players)]
            forms += [(low_hand, lowest_table, lowest_players), (low_hand, lowest_players, lowest_table)]
    return fit(forms, width, height)


def _steady_hands(width: int, height: int) -> Sequence[_HandForm]:
    """The forms of a hand with pictures, the roomiest first, that fit through nearly all of a game.

    They leave room for the table and the players in words.
    """
    room = height - _OTHER_ROWS - _LEAST_TABLE_ROWS
    tall = ceil(_MOST_USUAL_CARDS / ((width + GAP) // (CARD_WIDTH + GAP))) * CARD_HEIGHT
    low = ceil(_MOST_USUAL_CARDS / ((width - 1) // _LOW_WIDTH)) * _LOW_HEIGHT
    forms: list[tuple[_HandForm, int]] = [("boxes", tall), ("low", low)]
    return [form for form, lines in forms if lines <= room]


def _phone(view: View, say: Say, width: int) -> Lines:
    """The view in few lines."""
    return [
        *_phone_hand(view, say, width),
        *_phone_table(view, say, width),
        *_phone_players(view, say, width),
    ]


def _phone_table(view: View, say: Say, width: int, *, short: bool = False) -> Lines:
    """The groups, in as few lines as possible if ``short``, and the size of the stock."""
    lying = _phone_groups(view.groups, view.came, view.ace, say, width, short=short) or [
        say(Text("(the table is empty)"))
    ]
    title = say(Text("table, stock: {n}", n=view.stock_size))
    return panel(title, lying, width)


@memoized(SHARED_CACHE_SIZE)
def _phone_groups(
    groups: tuple[Group, ...], came: tuple[str, ...], ace: Ace, say: Say, width: int, *, short: bool
) -> Picture:
    """The groups, which all readers see alike."""
    titled = [(_title(group, came, ace), group.cards) for group in groups]
    return tuple((short_group_lines if short else group_lines)(titled, say, width))


def _hand_in_few_lines(view: View, say: Say, width: int) -> Lines:
    """The reader's hand, spelled, and what must still be done in the turn; empty for a watcher."""
    if view.seat is None:
        return []
    hand = wrap_words(map(say.card, say.arrange(view.hand)), width) or [say(NO_CARDS)]
    must = wrap_sentences(tasks.must_first(view), say, width) if view.seat == view.turn else []
    return panel(say(YOUR_HAND), [*hand, *must], width)


def _phone_hand(view: View, say: Say, width: int) -> Lines:
    """The reader's hand and task; empty for a watcher."""
    if view.seat is None:
        return []
    hand = hand_lines(say.arrange(view.hand), say, width) or [say(NO_CARDS)]
    asked = wrap_sentences(tasks.phone_task(view), say, width)
    return panel(say(YOUR_HAND), [*hand, *asked], width)


def _phone_players(view: View, say: Say, width: int, *, few: int = FEW_PLAYERS) -> Lines:
    """The players' hand sizes, then broken groups.

    Up to ``few`` players have a line each until all have opened; else they share lines.
    """
    broken = wrap_sentences(tasks.broken(view), say, width)
    seats = range(len(view.hand_sizes))
    if len(seats) <= few and not all(view.on):
        return [*columns(_sizes(view, say), width), *broken]
    each = [
        f"{_mark(view, seat).lstrip()}{say.name(seat)}{'' if view.on[seat] else '*'} {view.hand_sizes[seat]}"
        for seat in seats
    ]
    title = Text("cards") if all(view.on) else Text("cards (* not opened)")
    return panel(say(title), [*wrap_words(each, width, "  "), *broken], width)


def _own(view: View, say: Say, width: int, *, wide: bool, hand: _HandForm) -> Lines:
    """The reader's hand and task, with the decks beside them if ``wide``; empty for a watcher."""
    if view.seat is None:
        return []
    room = _HAND_WIDTH if wide else width
    held = say.arrange(view.hand)
    lines = _HANDS[hand](held, say, room) or [say(NO_CARDS)]
    asked = wrap_sentences(tasks.task(view), say, room)
    title = Text("player's hand") if wide else YOUR_HAND
    own = panel(say(title), [*lines, *asked], room, closed=wide)
    if not wide:
        return own
    return panels_beside(own, panel(say(Text("decks")), _decks(view, say), _DECKS_WIDTH, closed=True))


def _in_boxes(hand: Sequence[Card], say: Say, width: int) -> Lines:
    return rows([face(card, say) for card in hand], width)


def _spelled_hand(hand: Sequence[Card], say: Say, width: int) -> Lines:
    return wrap_words(map(say.card, hand), width)


_HANDS: Mapping[_HandForm, Callable[[Sequence[Card], Say, int], Lines]] = {
    "boxes": _in_boxes, "low": strips, "spelled": _spelled_hand,
}  # fmt: skip
"""How a hand is drawn, the roomiest form first."""


def _decks(view: View, say: Say) -> Lines:
    if not view.stock_size:
        return ["", " " * _STOCK_INDENT + say(NO_CARDS), "", ""]
    text = [say(Text("all the other cards")), say(Text("to draw")), f"({view.stock_size})"]
    drawn = row([CARD_BACK, text]) if may_draw_boxes(say) else text
    return [" " * _STOCK_INDENT + line for line in drawn]


def _table(view: View, say: Say, width: int, *, wide: bool, drawn: bool, most: int | None = None) -> Lines:
    """The groups, or the first ``most`` of them: as pictures if ``drawn`` and not too tall, else as text."""
    groups = view.groups[:most]
    lying = _drawn(groups, view, say, width) if drawn else []
    if not lying or len(lying) > _TALL:
        lying = _spelled(groups, view, say, width)
    if more := len(view.groups) - len(groups):
        lying.append(say(plural("… and {n} more group", "… and {n} more groups", more)))
    return panel(say(Text("table")), lying or [say(Text("(the table is empty)"))], width, closed=wide)


def _drawn(groups: Sequence[Group], view: View, say: Say, width: int) -> Lines:
    """The groups as pictures, each below its letter; long groups continue in the next row.

    Empty if they would certainly be too tall: drawing many cards takes long.
    """
    per_row = (width + GAP) // (CARD_WIDTH + GAP)
    cards = sum(len(group.cards) for group in groups)
    if ceil(cards / per_row) * (CARD_HEIGHT + 1) > _TALL:
        return []
    pictures = (
        [_title(group, view.came, view.ace) if not start else "", *faces(part, say)]
        for group in groups
        for start in range(0, len(group.cards), per_row)
        if (part := group.cards[start : start + per_row])
    )
    return rows(pictures, width, _TALL)


def _spelled(groups: Sequence[Group], view: View, say: Say, width: int) -> Lines:
    """The groups as text, such as ``A  K♠r K♥b K♦b``: one a line, or several where there is room."""
    spelled = [[_title(group, view.came, view.ace) + " ", *map(say.card, group.cards)] for group in groups]
    if width >= _SHARED_LINES_WIDTH:
        return wrap_words(map(" ".join, spelled), width, _APART)
    lines: Lines = []
    for group in spelled:
        first, *more = wrap_words(group, width - 1)
        lines += [first, *(" " + line for line in more)]
    return lines


def _title(group: Group, came: Sequence[str], ace: Ace) -> str:
    """The group's letter, with a mark while the group is not whole."""
    return letter_of(group.name, came) + ("" if is_whole(group.cards, ace) else " !")


def _standing(view: View, say: Say, width: int, *, wide: bool, dice: bool) -> Lines:
    """The players' hand sizes, the movements and stock cards left, broken groups, and perhaps the dice."""
    sentences = [*tasks.broken(view), *(_dice(view) if dice else ())]
    left = wrap_words(map(say, _left(view)), width, _APART)
    lines = [*columns(_sizes(view, say), width), *left, *wrap_sentences(sentences, say, width)]
    return panel(say(Text("players")), lines, width, closed=wide)


def _sizes(view: View, say: Say) -> list[list[str]]:
    """The table of the players' hand sizes, and who has opened."""
    table = [["", say(Text("hand")), say(Text("opened"))]]
    for seat, size in enumerate(view.hand_sizes):
        opened = say(Text("yes") if view.on[seat] else Text("no"))
        table.append([_mark(view, seat) + say.name(seat), str(size), opened])
    return table


def _standing_in_words(view: View, say: Say, width: int) -> Lines:
    return panel(say(Text("players")), _in_words(view, say, width), width)


def _in_words(view: View, say: Say, width: int) -> Lines:
    """The standing in one line; if it needs more, movements and stock do not share a line with players."""
    holdings = [
        _mark(view, seat) + say(_holding(view, seat, size)) for seat, size in enumerate(view.hand_sizes)
    ]
    left = [say(text) for text in _left(view)]
    standing = wrap_words([*holdings, *left], width, _APART)
    if len(standing) > 1:
        standing = [*wrap_words(holdings, width, _APART), *wrap_words(left, width, _APART)]
    return [*standing, *wrap_sentences(tasks.broken(view), say, width)]


def _holding(view: View, seat: Seat, size: int) -> Text:
    if view.on[seat]:
        return plural("{who}: {n} card", "{who}: {n} cards", size, who=Name(seat))
    return plural("{who}: {n} card, not opened", "{who}: {n} cards, not opened", size, who=Name(seat))


def _mark(view: View, seat: Seat) -> str:
    return "> " if view.turn == seat else "  "


def _left(view: View) -> tuple[Text, Text]:
    """The number of movements left in this turn, and of cards in the stock."""
    movements = plural("{n} movement left", "{n} movements left", view.movements_left)
    return movements, Text("Stock: {n}", n=view.stock_size)


def _dice(view: View) -> Iterator[Text]:
    """Every throw for the start, round by round (rule 2)."""
    for thrown in throws_by_seat(view.rounds):
        yield Text("Dice: {throws}", throws=who_threw(thrown))


def _final(view: View, say: Say, width: int) -> Lines:
    """The score: the cards and points left in each hand, and the payments (rules 16 and 17)."""
    assert view.result
    assert view.points is not None
    table = [["", say(Text("cards")), say(Text("in hand")), say(Text("points"))]]
    for seat, score in enumerate(view.result.scores):
        mark = "* " if seat in view.result.winners else "  "
        size, points = view.hand_sizes[seat], view.points[seat]
        table.append([mark + say.name(seat), str(size), str(points), f"{score:+d}" if score else "0"])
    why = Text("* gets the points left in the other hands; the others lose their own.")
    return [
        heading(say(Text("the count")), width),
        *columns(table, width),
        *wrap_sentences([why], say, width),
    ]
