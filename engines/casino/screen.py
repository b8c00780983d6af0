"""Draws Casino: the reader's hand, the cards and builds on the table, the players with their piles."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from engines.casino import texts
from engines.casino.state import HAND_SIZES, THREE_OF_HEARTS, Build, Cards, View, points_by_item
from engines.drawing import (
    CARD_BACK,
    CARD_HEIGHT,
    CARD_WIDTH,
    FEW_CARDS,
    GAP,
    NO_CARDS,
    PANEL_GAP,
    SHARED_CACHE_SIZE,
    YOUR_HAND,
    Lines,
    Picture,
    cells,
    columns,
    cut,
    face,
    fit,
    hand_lines,
    is_compact,
    may_draw_boxes,
    once,
    pad_left,
    panel,
    panels_beside,
    row,
    rows,
    strip,
    strips,
    wrap_sentences,
    wrap_words,
)
from engines.game import Say, Seat, Text, memoized, plural

_TWO_PANELS = 100
"""The least width at which the stock is drawn beside a hand in boxes."""
_FIVE_COLUMNS = 40
"""The least width at which the top card of a pile has a column of its own in the players' table."""
_SCORE_WIDTH = 5
"""The fewest cells of a column of the final count."""
_LEAST_NAME = 6
"""The fewest cells to which the final count cuts a name."""
_TABLE_ROWS = 2
"""The lines that are kept free for the table in words; it seldom takes more."""
_LOW_WIDTH = 4
"""The width in cells of a card in a low box, with one of its borders."""
_LOW_HEIGHT = 3
"""The lines of a low box."""
_STOCK_PANEL = 40
"""The width of the stock's panel beside the hand."""


def draw(view: View, say: Say, width: int, height: int | None = None) -> str:
    """The roomiest form that fits: the hand in boxes, low boxes or words; the table in boxes or words.

    Where the height is limited, the hand keeps one form through the whole game if that fits. For a phone, and
    after the end, there is one form, whether it fits or not.
    """
    if view.result:
        return "\n".join(_final(view, say, width))
    if is_compact(say, width):
        return "\n".join(_phone(view, say, width))
    players = once(_players, view, say, width, has_stock=True)
    spelled = (once(_own, view, say, width, drawn=False), players)
    table = {drawn: once(_table, view, say, width, drawn=drawn) for drawn in (True, False)}
    forms = [(spelled, table[False])]
    if may_draw_boxes(say):
        has_stock = not _has_stock_panel(view, width)
        boxes = (
            once(_own, view, say, width, drawn=True),
            once(_players, view, say, width, has_stock=has_stock),
        )
        hands = [boxes, (once(_low_hand, view, say, width), players), spelled]
        if height is not None:
            hands = [hands[_hand_form(view, width, height)]]
        forms = [*((hand, table[drawn]) for hand in hands for drawn in (True, False)), *forms]
    return fit([(hand, lying, players) for (hand, players), lying in forms], width, height)


def _hand_form(view: View, width: int, height: int) -> int:
    """The form of the hand that fits a whole game: 0 for boxes, 1 for low boxes, 2 for words.

    It leaves room for the table in words. Nothing that changes during a game decides it.
    """
    seats, has_stock_panel = len(view.hand_sizes), _has_stock_panel(view, width)
    cards = HAND_SIZES[seats]
    # The players need a line each, and three more: a heading, the names of the columns, and the size of the
    # stock or else a closing line.
    room = height - (seats + 3) - (1 + _TABLE_ROWS)
    across = width - _STOCK_PANEL - PANEL_GAP if has_stock_panel else width
    per_row = (across + GAP) // (CARD_WIDTH + GAP)
    # The hand has a heading, and a closing line if the panel of the stock stands beside it.
    if 1 + ceil(cards / per_row) * CARD_HEIGHT + has_stock_panel <= room:
        return 0
    per_row = (width - 1) // _LOW_WIDTH
    return 1 if 1 + ceil(cards / per_row) * _LOW_HEIGHT <= room else 2


def _has_stock_panel(view: View, width: int) -> bool:
    """Whether the stock is drawn beside the hand, if that is drawn in boxes."""
    return view.seat is not None and width >= _TWO_PANELS


def _phone(view: View, say: Say, width: int) -> Lines:
    """The view in few lines."""
    own: Lines = []
    if view.seat is not None:
        hand = hand_lines(say.arrange(view.hand), say, width) or [say(NO_CARDS)]
        own = panel(say(YOUR_HAND), hand, width)
    exchange = wrap_sentences([_exchange(view)], say, width) if view.phase == "exchange" else []
    return [
        *own,
        *_phone_table(view.loose, view.builds, view.stock_size, say, width),
        *_holdings(_playing(view), view.hand_sizes, view.piles, view.scores, say, width),
        *exchange,
    ]


@memoized(SHARED_CACHE_SIZE)
def _phone_table(loose: Cards, builds: tuple[Build, ...], stock_size: int, say: Say, width: int) -> Picture:
    """The cards and builds on the table, which all readers see alike."""
    if len(loose) + 2 * len(builds) <= FEW_CARDS and may_draw_boxes(say):
        low = (strip(build.cards, say, foot=str(build.value)) for build in builds)
        lying = rows([picture for picture in (strip(loose, say), *low) if picture], width)
    else:
        lying = _table_spelled(loose, builds, say, width)
    title = Text("table, to deal: {n}", n=stock_size) if stock_size else Text("table")
    return tuple(panel(say(title), lying or [say(Text("(the table is empty)"))], width))


def _own(view: View, say: Say, width: int, *, drawn: bool) -> Lines:
    """The hand; in boxes with the stock beside it, where there is room. Empty for a watcher."""
    if view.seat is None:
        return []
    has_stock_panel = drawn and _has_stock_panel(view, width)
    room = width - _STOCK_PANEL - PANEL_GAP if has_stock_panel else width
    held = say.arrange(view.hand)
    hand = rows([face(card, say) for card in held], room) if drawn else wrap_words(map(say.card, held), room)
    own = panel(say(YOUR_HAND), hand or [say(NO_CARDS)], room, closed=has_stock_panel)
    if not has_stock_panel:
        return own
    stock = panel(say(Text("stock")), _stock(view, say), _STOCK_PANEL, closed=True)
    return panels_beside(own, stock)


def _low_hand(view: View, say: Say, width: int) -> Lines:
    """The hand in low boxes, where whole ones would take too many lines; empty for a watcher."""
    if view.seat is None:
        return []
    hand = strips(say.arrange(view.hand), say, width) or [say(NO_CARDS)]
    return panel(say(YOUR_HAND), hand, width)


def _stock(view: View, say: Say) -> Lines:
    if not view.stock_size:
        return ["", say(NO_CARDS), "", ""]
    count = plural("{n} card to deal", "{n} cards to deal", view.stock_size)
    return row([CARD_BACK, ["", say(count)]])


def _table(view: View, say: Say, width: int, *, drawn: bool) -> Lines:
    lying = (_table_drawn if drawn else _table_spelled)(view.loose, view.builds, say, width)
    return panel(say(Text("table")), lying or [say(Text("(the table is empty)"))], width)


def _table_drawn(loose: Cards, builds: Sequence[Build], say: Say, width: int) -> Lines:
    return rows([*(face(card, say) for card in loose), *(_build(build, say) for build in builds)], width)


def _build(build: Build, say: Say) -> Lines:
    """A build's two cards side by side, with its value in their bottom border."""
    left, right = (face(card, say) for card in build.cards)
    joined = [line[:-1] + continued for line, continued in zip(left, right, strict=True)]
    return [*joined[:-1], "'" + f" {build.value} ".center(len(joined[0]) - 2, "-") + "'"]


def _table_spelled(loose: Cards, builds: Sequence[Build], say: Say, width: int) -> Lines:
    spelled = ["+".join(map(say.card, build.cards)) + f"={build.value}" for build in builds]
    return [*wrap_words(map(say.card, loose), width), *wrap_words(spelled, width, "  ")]


def _players(view: View, say: Say, width: int, *, has_stock: bool) -> Lines:
    """The panel of the players; ``has_stock`` adds the size of the stock, for forms that do not draw it."""
    lines = list(_holdings(_playing(view), view.hand_sizes, view.piles, view.scores, say, width))
    if view.phase == "exchange":
        lines += wrap_sentences([_exchange(view)], say, width)
    if has_stock and view.stock_size:
        lines.append("  " + say(plural("{n} card to deal", "{n} cards to deal", view.stock_size)))
    return panel(say(Text("players")), lines, width, closed=not has_stock)


def _playing(view: View) -> Seat | None:
    """The seat whose turn it is; None while it is secret who decides."""
    return view.turn if view.phase == "play" else None


@memoized(SHARED_CACHE_SIZE)
def _holdings(
    playing: Seat | None,
    hand_sizes: Sequence[int],
    piles: Sequence[Cards],
    scores: Sequence[int],
    say: Say,
    width: int,
) -> Picture:
    """The table of the players' hand sizes, piles and points, which all readers see alike."""
    has_top_column = width >= _FIVE_COLUMNS
    table = [
        [
            "",
            say(Text("hand")),
            say(Text("pile")),
            *([say(Text("top"))] if has_top_column else []),
            say(Text("pts")),
        ]
    ]
    for seat, pile in enumerate(piles):
        mark = "> " if seat == playing else "  "
        top = [say.card(pile[-1])] if pile else []
        piled = (
            [str(len(pile)), *(top or ["-"])]
            if has_top_column
            else [" ".join([str(len(pile)), *(f"({card})" for card in top)])]
        )
        table.append([mark + say.name(seat), str(hand_sizes[seat]), *piled, str(scores[seat])])
    return tuple(columns(table, width))


def _exchange(view: View) -> Text:
    """The question to the holder of the three of hearts; to other readers, what the game waits for."""
    if THREE_OF_HEARTS in view.hand:
        return Text("You have the 3♥: exchange it for {card}?", card=view.loose[0])
    return Text("The 3♥ exchange comes first.")


def _fitting_width(names: Sequence[str], room: int) -> int:
    """The cells to which names are cut, so that all columns fit into ``room``; at least `_LEAST_NAME`."""
    widths = range(max(map(cells, names)), _LEAST_NAME, -1)
    return next(
        (most for most in widths if sum(1 + min(most, cells(name)) for name in names) <= room), _LEAST_NAME
    )


def _final(view: View, say: Say, width: int) -> Lines:
    """The final count, a column for each seat: points by item (rule 12), total, spades and cards won."""
    counts = [points_by_item(pile) for pile in view.piles]
    table = [
        [say(item), *map(str, points)] for item, *points in zip(texts.SCORING_ITEMS, *counts, strict=True)
    ]
    table.append([say(Text("Total")), *map(str, view.scores)])
    spades = [str(sum(card.suit == "S" for card in pile)) for pile in view.piles]
    table.append([say(Text("won:")), *("" for _ in counts)])
    table.append([say(Text("spades")), *spades])
    table.append([say(Text("cards")), *(str(len(pile)) for pile in view.piles)])
    names = [say.name(seat) for seat in range(len(counts))]
    if is_compact(say, width):
        most = _LEAST_NAME
    else:
        most = _fitting_width(names, width - max(cells(line[0]) for line in table))
    table.insert(0, ["", *(pad_left(cut(name, most), _SCORE_WIDTH) for name in names)])
    return panel(say(Text("final count")), columns(table, width), width)
