"""Draws Cardlebones: both boards side by side, the drawn card, the points of every column."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from engines.cardlebones.scoring import score_with_reasons
from engines.cardlebones.state import LETTERS, SIZE, Board, Cell, Column, View
from engines.cards import Card
from engines.drawing import (
    CARD_BACK,
    CARD_WIDTH,
    GAP,
    SHARED_CACHE_SIZE,
    Lines,
    Part,
    Picture,
    beside,
    cells,
    cut,
    face,
    fit,
    heading,
    is_compact,
    may_draw_boxes,
    pad,
    row,
    wrap_sentences,
    wrap_words,
)
from engines.game import Say, Seat, Text, memoized

_EMPTIED_MARK = "xx"
"""Shown in a cell that the last placement has emptied, unless the cell's name is shown."""
_CARD_SLOT = CARD_WIDTH + GAP
"""The columns of text that a card takes on a wide board, with its gap."""
_MARGIN = 3
"""The columns of text for the row numbers of a wide board."""
_BOARD_WIDTH = _MARGIN + SIZE * _CARD_SLOT - GAP
"""The columns of text of a wide board."""
_BOARD_GAP = 4
"""The columns of text between the wide boards, and between these and the cards beside them."""
_LEAST_WIDE = 2 * _BOARD_WIDTH + _BOARD_GAP
"""The fewest columns of text at which the boards show cards as pictures."""
_WORD_SLOT = 4
"""The columns of text that a spelled card takes on its board, with its gap."""
_WORD_BOARD_WIDTH = 2 + SIZE * _WORD_SLOT
"""The fewest columns of text of a board of spelled cards; its empty cells are named only on a wider one."""
_WORD_HEAD = "  " + "".join(f" {letter}  " for letter in LETTERS)
"""The letters above the columns of spelled cards."""
_AROUND_TITLE = 6
"""The columns of text of a board beside mark, name and points: blanks, dashes, the gap between the boards."""
_REPORT_WIDTH = 20
"""The columns of text of the report of an attack, beside or below the wide boards."""


def draw(view: View, say: Say, width: int, height: int | None = None) -> str:
    """Draws the view in the roomiest form that fits: cards as pictures, else spelled cards."""
    counts: list[Part] = [partial(_scoring, view, say, width)] if view.result else []
    boards: list[Part] = [partial(_narrow, view, say, width)]
    if width >= _LEAST_WIDE and may_draw_boxes(say):
        boards = [*(partial(_wide, view, say, aside=aside) for aside in (True, False)), *boards]
    return fit([[board, *counts] for board in boards], width, height)


def _wide(view: View, say: Say, *, aside: bool) -> Lines:
    """The boards with cards as pictures; beside or below them the drawn card, the stock, the last attack."""
    boards = beside(_board_of_cards(view, 0, say), _board_of_cards(view, 1, say), _BOARD_GAP)
    pieces = [_to_place(view, say), _stock(view, say), _attack_report(view, say, _REPORT_WIDTH)]
    if aside:
        return beside(boards, [line for piece in pieces for line in piece], _BOARD_GAP)
    return [*boards, "", *row([piece for piece in pieces if piece])]


def _scoring(view: View, say: Say, width: int) -> Lines:
    """The points of every column with their reasons, shown below the final boards."""
    lines = [""]
    for seat, board in enumerate(view.boards):
        counts = [
            _column_scoring(letter, column, view, say) for letter, column in zip(LETTERS, board, strict=True)
        ]
        scored = f"{say.name(seat)}: {view.scores[seat]} = {', '.join(counts)}"
        lines += wrap_words(scored.split(), width)
    return lines


def _column_scoring(letter: str, column: Column, view: View, say: Say) -> str:
    ranks, bonus, reason = score_with_reasons(column, view.options)
    scored = f"{letter} {'+'.join(map(str, ranks)) or 0}"
    return f"{scored} +{bonus} ({say(reason)})" if reason else scored


def _board_of_cards(view: View, seat: Seat, say: Say) -> Lines:
    board = view.boards[seat]
    lines = [_title(view, seat, say, _BOARD_WIDTH)]
    # `^` centres a letter one column too far to the right of its card: the first column is cut off.
    lines.append(" " * _MARGIN + "".join(f"{letter:^{_CARD_SLOT}}" for letter in LETTERS).rstrip()[1:])
    for down in range(SIZE):
        pictures = [_cell_picture(view, seat, Cell(across, down), say) for across in range(SIZE)]
        margin = ["", str(down + 1), "", ""]
        lines += [f"{pad(left, _MARGIN)}{line}" for left, line in zip(margin, row(pictures), strict=True)]
    return [*lines, " " * _MARGIN + _scores(board, view, width=_CARD_SLOT, ends_at=4)]


def _cell_picture(view: View, seat: Seat, cell: Cell, say: Say) -> Sequence[str]:
    if card := view.boards[seat][cell.column][cell.row]:
        return face(card, say)
    shown = _empty(cell, _emptied(view, seat), named=_is_moving(view, seat))
    return [".    .", f"{shown:^6}", "      ", "'    '"]


def _narrow(view: View, say: Say, width: int) -> Lines:
    """The boards in words; on a phone only the emptied cells and the news tell of an attack."""
    room = _WORD_BOARD_WIDTH
    if not is_compact(say, width):
        room = max(room, min(max(room + 1, _room_for_names(view, say)), width // 2))
    boards = beside(_board_of_words(view, 0, say, room), _board_of_words(view, 1, say, room), gap=0)
    drawn = [say(Text("Drawn: {card}", card=view.drawn))] if view.drawn else []
    stock = say(Text("Stock: {n}", n=view.stock_size))
    attack = [] if is_compact(say, width) else _attack_report(view, say, 2 * _WORD_BOARD_WIDTH)
    return [*boards, "", *wrap_words([*drawn, stock], 2 * _WORD_BOARD_WIDTH, "   "), *attack]


def _room_for_names(view: View, say: Say) -> int:
    """The width of a board of spelled cards whose title has the whole name of its player."""
    return max(cells(say.name(seat)) + len(f"> ({view.scores[seat]})") for seat in (0, 1)) + _AROUND_TITLE


def _board_of_words(view: View, seat: Seat, say: Say, width: int) -> Lines:
    """A board of spelled cards; if it is wider than need be, it names empty cells while its player moves."""
    title = pad(_title(view, seat, say, width - 1), width)
    named = _is_moving(view, seat) and width > _WORD_BOARD_WIDTH
    scores = "= " + _scores(view.boards[seat], view, width=_WORD_SLOT, ends_at=3)
    return [title, *_spelled(view.boards[seat], _emptied(view, seat), scores, say, width, named=named)]


@memoized(SHARED_CACHE_SIZE)
def _spelled(
    board: Board, emptied: Sequence[Cell], scores: str, say: Say, width: int, *, named: bool
) -> Picture:
    """The rows below the title of a board of spelled cards; cached, since all readers see them alike."""
    lines: Lines = [_WORD_HEAD]
    for down, cards in enumerate(zip(*board, strict=True)):
        words = [
            say.card(card) if card else _empty(Cell(across, down), emptied, named=named)
            for across, card in enumerate(cards)
        ]
        lines.append(f"{down + 1} " + "".join([word.rjust(3).ljust(_WORD_SLOT) for word in words]))
    # `ljust` counts characters; each is one cell wide here, so the slower `pad` is not needed.
    return tuple([line.ljust(width) for line in (*lines, scores)])


def _is_moving(view: View, seat: Seat) -> bool:
    return view.turn == seat and not view.result


def _empty(cell: Cell, emptied: Sequence[Cell], *, named: bool) -> str:
    """What an empty cell shows: its name if a card may go there, a mark if the last placement emptied it."""
    if named:
        return f"{cell}!" if cell in emptied else str(cell)
    return _EMPTIED_MARK if cell in emptied else "."


def _title(view: View, seat: Seat, say: Say, width: int) -> str:
    """The player's name and points, between dashes if these leave room for the whole name."""
    mark = "> " if _is_moving(view, seat) else ""
    total = f" ({view.scores[seat]})"
    title = mark + cut(say.name(seat), width - len(mark) - len(total)) + total
    return heading(title, width) if cells(title) <= width - 4 else title


def _scores(board: Board, view: View, *, width: int, ends_at: int) -> str:
    """The points of the columns, each in a slot of this width, its last digit in the place ``ends_at``."""
    scores = [str(score_with_reasons(column, view.options).points) for column in board]
    return "".join(score.rjust(ends_at).ljust(width) for score in scores).rstrip()


def _to_place(view: View, say: Say) -> Lines:
    return row([face(view.drawn, say), ["", say(Text("to place"))]], gap=1) if view.drawn else []


def _stock(view: View, say: Say) -> Lines:
    stock = say(Text("Stock: {n}", n=view.stock_size))
    return row([CARD_BACK, ["", stock]], gap=1) if view.stock_size else [stock]


def _attack_report(view: View, say: Say, width: int) -> Lines:
    if not view.last or not view.last.emptied:
        return []
    emptied: tuple[Card, ...] = view.discard[-len(view.last.emptied) :]
    return wrap_sentences([Text("The attack took {cards}.", cards=emptied)], say, width)


def _emptied(view: View, seat: Seat) -> tuple[Cell, ...]:
    """The cells of a seat's board that the last placement emptied."""
    return view.last.emptied if view.last and view.last.seat != seat else ()
