"""Drawings in monospace text: cards, headings, columns, and the choice of the form that fits.

This module depends on no game. A drawing is a list of lines; widths are in cells, as ``wcwidth`` counts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import ParamSpec

from engines.cards import RANKS, STAR, Card
from engines.game import Say, Text, memoized

P = ParamSpec("P")
Lines = list[str]
Picture = tuple[str, ...]
"""Lines of a drawing as a tuple, so that caches can keep them and take them as a key."""
Part = Callable[[], Lines]
"""A part of a drawing, drawn when it is called."""

NO_CARDS, YOUR_HAND = Text("(no cards)"), Text("your hand")
"""The sentence where there are no cards, and the title of the reader's hand."""
_CARD_NAME_WIDTH = 3
"""The width in cells of a card's name in a box."""
_GROUP_GAP = "  "
"""The gap between groups that share a line."""
_MOST_GROUP_LINES = 6
"""The most groups on a phone that have a line each; also the most lines before cards are spelled shorter."""
CARD_WIDTH = 6
CARD_HEIGHT = 4
GAP = 2
"""The gap between pictures in a row, in cells."""
PANEL_GAP = 3
"""The gap between drawings or panels side by side, in cells."""
_one_cell_each = re.compile("[ -~¡-¬®-ÿ♠♥♦♣★…–]*").fullmatch
"""Matches texts whose characters are all one cell wide, as nearly all are: they need no slow count."""
_SPELLING_COUNT = 3
"""The number of spellings of a group of cards, which `_spellings` lists."""
LEAST_SCREEN = 8
"""Below this height, in lines, a game may draw a form of its own for readers who hear the drawing."""
PHONE = 28
"""The width in cells at which phones wrap code blocks."""
PHONE_CHARACTERS = 1500
"""The most characters in a drawing for a phone; the message must also hold sentences."""
PHONE_LINES = 18
"""The most lines of a drawing for a phone, in a game that has details to leave out."""
FEW_PLAYERS = 3
"""The most players who have a line each on a phone."""
FEW_CARDS = 6
"""The most cards that a phone shows as boxes: of the hand, and of the table."""
SHARED_CACHE_SIZE = 1 << 8
"""The size of each cache of parts of drawings, most of which many readers of a table see alike."""


@lru_cache(1 << 12)
def cells(text: str) -> int:
    """The width of a text in cells; 0 if it has control characters."""
    if _one_cell_each(text):
        return len(text)
    # Imported only here: its tables take long to load, and few texts need them.
    from wcwidth import wcswidth

    return max(0, wcswidth(text))


def pad(text: str, width: int) -> str:
    """Pads a text with blanks on the right; never cuts it."""
    return text + " " * (width - cells(text))


def pad_left(text: str, width: int) -> str:
    """Pads a text with blanks on the left; never cuts it."""
    return " " * (width - cells(text)) + text


def cut(text: str, width: int) -> str:
    """The text if it fits, else its beginning and an ellipsis."""
    if cells(text) <= width:
        return text
    while text and cells(text) > width - 1:
        text = text[:-1]
    return text.rstrip(" …") + "…"


@lru_cache(1 << 10)
def heading(title: str, width: int) -> str:
    """A title in the middle of a dashed line."""
    title = f" {cut(title, width - 4)} "
    left = (width - cells(title)) // 2
    return "-" * left + title + "-" * (width - cells(title) - left)


def panel(title: str, lines: Sequence[str], width: int, *, closed: bool = False) -> Lines:
    """Lines under a heading; a closed panel has a dashed line below too."""
    return [heading(title, width), *lines, *(["-" * width] if closed else [])]


def face(card: Card, say: Say) -> Picture:
    """A card face up, in a box; in games of two packs the line below its name begins with its back."""
    return _face(card, say.card(card))


@lru_cache(1 << 10)
def _face(card: Card, spelling: str) -> Picture:
    name, star = _name_and_star(card, spelling)
    return (
        ".----.",
        f"|{pad_left(name, _CARD_NAME_WIDTH)}{star or ' '}|",
        f"|{card.back or ' '}{card.rank:>2} |",
        "'----'",
    )


def _name_and_star(card: Card, spelling: str) -> tuple[str, str]:
    """The name of a card without its back, and the star that marks it, if any."""
    name = spelling.removesuffix(STAR)
    return name.removesuffix(card.back), spelling[len(name) :]


def faces(cards: Iterable[Card], say: Say) -> Lines:
    """Cards face up side by side."""
    return row([face(card, say) for card in cards])


CARD_BACK: Picture = (".----.", "|    |", "|    |", "'----'")
"""A card face down."""


def is_compact(say: Say, width: int) -> bool:
    """Whether a drawing is for a phone, where it must leave room for sentences and buttons.

    It never is for a reader who prefers boxes.
    """
    return width <= PHONE and say.pictures != "boxes"


def may_draw_boxes(say: Say) -> bool:
    """Whether cards may be drawn as boxes for the reader, not only spelled."""
    return say.pictures != "lines"


def strip(cards: Sequence[Card], say: Say, title: str = "", foot: str = "") -> Picture:
    """Cards face up in low boxes that share their borders; in games of two packs with their backs below.

    A short ``title`` stands in the upper border, instead of the first card's star; a ``foot`` in the lower
    border, instead of the backs. Without cards there are no lines.
    """
    return _strip(tuple(cards), say, title, foot)


@memoized(SHARED_CACHE_SIZE)
def _strip(cards: tuple[Card, ...], say: Say, title: str, foot: str) -> Picture:
    if not cards:
        return ()
    named = [_name_and_star(card, say.card(card)) for card in cards]
    names = (pad(name, _CARD_NAME_WIDTH) for name, _ in named)
    backs = "'".join((card.back or "-").center(_CARD_NAME_WIDTH, "-") for card in cards)
    stars = [star for _, star in named]
    above = ".".join(f"{mark:-^{_CARD_NAME_WIDTH}}" for mark in (title or stars[0], *stars[1:]))
    below = f" {foot} ".center(len(above), "-") if foot else backs
    return f".{above}.", f"|{'|'.join(names)}|", f"'{below}'"


def strips(cards: Sequence[Card], say: Say, width: int) -> Lines:
    """Cards face up in low boxes that share their borders, in as many rows as the width needs."""
    per_row = max(1, (width - 1) // (_CARD_NAME_WIDTH + 1))
    return [line for n in range(0, len(cards), per_row) for line in strip(cards[n : n + per_row], say)]


def hand_lines(hand: Sequence[Card], say: Say, width: int) -> Lines:
    """A hand on a phone: low boxes for few cards, if the reader allows boxes, else lines of cards.

    An empty hand has no lines.
    """
    if len(hand) <= FEW_CARDS and may_draw_boxes(say):
        return list(strip(hand, say))
    return wrap_words(map(say.card, hand), width)


def short_group_lines(groups: Sequence[tuple[str, Sequence[Card]]], say: Say, width: int) -> Lines:
    """Groups of cards in their shortest spelling, each behind its letter, as many to a line as fit."""
    spelled = [f"{letter}  {_spellings(cards, say)[-1]}" for letter, cards in groups]
    return wrap_words(spelled, width, _GROUP_GAP)


def group_lines(groups: Sequence[tuple[str, Sequence[Card]]], say: Say, width: int) -> Lines:
    """Groups of cards on a phone, each behind its letter.

    Few cards are low boxes, if the reader allows boxes. Else up to `_MOST_GROUP_LINES` groups begin a line
    each, and more share lines. Cards are spelled with backs and stars; if the groups then need more lines
    than `_MOST_GROUP_LINES`, without them; if still more, in short. A group too wide for a line is spelled
    shorter than the others.
    """
    return list(_group_lines(tuple([(letter, tuple(cards)) for letter, cards in groups]), say, width))


@memoized(SHARED_CACHE_SIZE)
def _group_lines(groups: tuple[tuple[str, tuple[Card, ...]], ...], say: Say, width: int) -> Picture:
    if sum(len(cards) for _, cards in groups) <= FEW_CARDS and may_draw_boxes(say):
        return tuple(rows([strip(cards, say, letter) for letter, cards in groups], width))
    letter_gap, lines = " " if len(groups) > _MOST_GROUP_LINES else "  ", Lines()
    spelled = [[letter + letter_gap + words for words in _spellings(cards, say)] for letter, cards in groups]
    for skipped in range(_SPELLING_COUNT):
        lines = [line for spellings in spelled for line in _fitting(spellings[skipped:], width)]
        if len(groups) > _MOST_GROUP_LINES:
            lines = wrap_words(lines, width, _GROUP_GAP)
        if len(lines) <= _MOST_GROUP_LINES:
            break
    return tuple(lines)


def _fitting(spellings: Sequence[str], width: int) -> Lines:
    """The first spelling that fits in a line; else the last one, which is the shortest, in several."""
    for line in spellings:
        if cells(line) <= width:
            return [line]
    return wrap_words(spellings[-1].split(" "), width)


def _spellings(cards: Sequence[Card], say: Say) -> Sequence[str]:
    """The spellings of a group of cards, the longest first: with backs and stars, without, and in short."""
    return _spelled(tuple(cards), tuple([say.card(card) for card in cards]))


@lru_cache(1 << 12)
def _spelled(cards: tuple[Card, ...], names: tuple[str, ...]) -> Sequence[str]:
    bare = [_name_and_star(card, name)[0] for card, name in zip(cards, names, strict=True)]
    return " ".join(names), " ".join(bare), _shortest(cards, bare)


def _shortest(cards: Sequence[Card], names: Sequence[str]) -> str:
    """Cards without backs: as ``7♠♥♦`` if of one rank, as ``5–8♥`` if three or more in a row of one suit."""
    suits = [name.removeprefix(card.rank) for card, name in zip(cards, names, strict=True)]
    if len({card.rank for card in cards}) == 1:
        return cards[0].rank + "".join(suits)
    steps = {(after.number - before.number) % len(RANKS) for before, after in pairwise(cards)}
    if len(cards) > 2 and len(set(suits)) == 1 and steps == {1}:
        return f"{cards[0].rank}–{cards[-1].rank}{suits[0]}"
    return " ".join(names)


def row(pictures: Iterable[Sequence[str]], gap: int = GAP) -> Lines:
    """Pictures side by side, aligned at the top."""
    return list(_row(tuple(map(tuple, pictures)), gap))


@lru_cache(1 << 11)
def _row(pictures: tuple[Picture, ...], gap: int) -> Picture:
    if not pictures:
        return ()
    height = max(map(len, pictures))
    padded = [_squared(picture, height) for picture in pictures]
    return tuple((" " * gap).join(parts).rstrip() for parts in zip(*padded, strict=True))


@lru_cache(1 << 12)
def _squared(picture: Picture, height: int) -> Picture:
    """Pads a picture on the right and below to a rectangle."""
    width = max(map(cells, picture))
    return (*(pad(line, width) for line in picture), *[" " * width] * (height - len(picture)))


def rows(pictures: Iterable[Sequence[str]], width: int, most: int | None = None) -> Lines:
    """Pictures in as many rows as the width needs; stops once there are more than ``most`` lines."""
    return list(_rows(tuple(map(tuple, pictures)), width, most))


@lru_cache(1 << 10)
def _rows(pictures: tuple[Picture, ...], width: int, most: int | None) -> Picture:
    lines: Lines = []
    waiting: list[Picture] = []
    room = width
    for picture in pictures:
        needs = max(map(cells, picture))
        if waiting and needs > room:
            lines += row(waiting)
            waiting, room = [], width
            if most is not None and len(lines) > most:
                return tuple(lines)
        waiting.append(picture)
        room -= needs + GAP
    return (*lines, *row(waiting))


def wrap_words(words: Iterable[str], width: int, gap: str = " ") -> Lines:
    """Words with gaps between them, in as many lines as the width needs; cuts a word too long for a line."""
    lines: list[Lines] = []
    room, between = 0, cells(gap)
    for word in words:
        needs = between + cells(word)
        if lines and needs <= room:
            lines[-1].append(word)
            room -= needs
        else:
            first = cut(word, width)
            lines.append([first])
            room = width - cells(first)
    return [gap.join(line) for line in lines]


def wrap_sentences(texts: Iterable[Text], say: Say, width: int) -> Lines:
    """Sentences, each begun on a new line and broken between words."""
    return [line for text in texts for line in _wrapped(say(text), width)]


@lru_cache(1 << 10)
def _wrapped(sentence: str, width: int) -> Picture:
    """A sentence broken between words; cached, since a table's readers are told the same."""
    return tuple(wrap_words(sentence.split(), width))


def beside(left: Sequence[str], right: Sequence[str], gap: int = PANEL_GAP) -> Lines:
    """Two drawings side by side, the left one as wide as its widest line."""
    return row([left, right], gap) if left and right else list(left or right)


def panels_beside(left: Sequence[str], right: Sequence[str]) -> Lines:
    """Two closed panels side by side, the shorter one stretched so that their lower borders share a line."""
    height = max(len(left), len(right))
    return beside(_stretched(left, height), _stretched(right, height))


def _stretched(closed: Sequence[str], height: int) -> Lines:
    return [*closed[:-1], *[""] * (height - len(closed)), closed[-1]]


def columns(table: Sequence[Sequence[str]], width: int) -> Lines:
    """A table in aligned columns: the first flush left and cut to fit, the others flush right."""
    return list(_columns(tuple(map(tuple, table)), width))


@lru_cache(1 << 10)
def _columns(table: tuple[tuple[str, ...], ...], width: int) -> Picture:
    widths = [max(map(cells, column)) for column in zip(*table, strict=True)]
    widths[0] = max(1, min(widths[0], width - sum(widths[1:]) - len(widths) + 1))
    return tuple(
        " ".join([pad(cut(first, widths[0]), widths[0]), *map(pad_left, rest, widths[1:])]).rstrip()
        for first, *rest in table
    )


def once(draw: Callable[P, Lines], *args: P.args, **kwargs: P.kwargs) -> Part:
    """Makes a part that several forms can share; it calls ``draw`` at most once."""
    drawn: list[Lines] = []

    def part() -> Lines:
        if not drawn:
            drawn.append(draw(*args, **kwargs))
        return drawn[0]

    return part


def fit(forms: Sequence[Sequence[Part]], width: int, height: int | None) -> str:
    """Draws the first form that fits, else the last; ``forms`` come roomiest first.

    The parts of a form are drawn below each other. The first part that does not fit rules out its form.
    """
    *roomier, last = forms
    for form in roomier:
        lines: Lines = []
        for part in form:
            more = part()
            lines += more
            if max(map(cells, more), default=0) > width or not _holds(lines, width, height):
                break
        else:
            return "\n".join(lines)
    return "\n".join(line for part in last for line in part())


def _holds(lines: Lines, width: int, height: int | None) -> bool:
    """Whether the lines fit the height and, on a phone, the number of characters."""
    if width <= PHONE and sum(map(len, lines)) + len(lines) - 1 > PHONE_CHARACTERS:
        return False
    return height is None or len(lines) <= height
