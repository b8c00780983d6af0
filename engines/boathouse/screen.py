"""Draws Boathouse Rum: the hand with its points, stock and pile, the melds, the players."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from engines.boathouse.hand_end import TWO_PANELS, last_hand, last_hand_in_words
from engines.boathouse.state import DRAW_SIZE, MELDS, MOST_THIN_TURNS, View, points
from engines.boathouse.texts import meld_in_short
from engines.cards import Card, without
from engines.divisions import Division, divide
from engines.drawing import (
    CARD_BACK,
    CARD_WIDTH,
    FEW_PLAYERS,
    GAP,
    LEAST_SCREEN,
    NO_CARDS,
    PANEL_GAP,
    PHONE,
    PHONE_LINES,
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
    is_compact,
    may_draw_boxes,
    once,
    panel,
    panels_beside,
    row,
    rows,
    short_group_lines,
    wrap_sentences,
    wrap_words,
)
from engines.game import Name, Say, Seat, Text, memoized, plural

_CACHE_SIZE = 1 << 10
"""The size of most caches here."""
_STOCK_WIDTH = 40
"""The width of the stock's panel beside the hand."""
_SHARED_LINES_WIDTH = 60
"""The least width at which melds written as text share lines."""
_APART = "   "
"""The gap between parts that share a line."""
_STEP = CARD_WIDTH - 1
"""The distance, in cells, between the left edges of overlapping cards."""


def draw(view: View, say: Say, width: int, height: int | None = None) -> str:
    """The view in the largest form that fits: all cards as pictures, all but the melds on the table, or none.

    If even spelled cards take too much room, the end of the last hand and the known cards of other hands are
    left out; on a low screen that end is first told in words, and the players share lines. If nothing fits a
    low screen, the melds come last, to be scrolled. A phone has forms of its own (`_phone`). After the last
    hand of the game only its end is drawn, whether it fits or not.
    """
    ended = once(last_hand, view, say, width)
    if view.result and view.settled:
        return "\n".join(ended())
    if is_compact(say, width):
        return _phone(view, say, width)
    own = {drawn: once(_own_and_stock, view, say, width, drawn=drawn) for drawn in (True, False)}
    table = {drawn: once(_melds, view, say, width, drawn=drawn) for drawn in (True, False)}
    standing = {known: once(_standing, view, say, width, known=known) for known in (True, False)}
    looks = [(True, True), (True, False), (False, False)] if may_draw_boxes(say) else [(False, False)]
    forms: list[Sequence[Part]] = [
        (ended, own[own_drawn], table[table_drawn], standing[True]) for own_drawn, table_drawn in looks
    ]
    forms.append((own[False], table[False], standing[False]))
    if height is not None and width > PHONE and not view.result:
        # After a hand's end the last form is skipped: it lacks that end, which `_low` has in words.
        forms = [
            *(forms[:-1] if view.settled else forms),
            *_low(view, say, width, own[False], table[False], height),
        ]
    return fit(forms, width, height)


def _low(view: View, say: Say, width: int, own: Part, table: Part, height: int) -> list[Sequence[Part]]:
    """The forms for a low screen; below `LEAST_SCREEN` lines, the one for readers who hear the drawing."""
    ended = once(last_hand_in_words, view, say, width)
    standing = once(_standing_in_words, view, say, width)
    if height < LEAST_SCREEN:
        return [(ended, own, standing, table)]
    hand = once(_hand_in_few_lines, view, say, width)
    low_table, lowest_table = (once(_phone_table, view, say, width, short=short) for short in (False, True))
    players = once(_phone_players, view, say, width, known=False, few=0)
    return [
        (ended, own, table, standing),
        (ended, own, low_table, standing),
        (ended, hand, low_table, players),
        (ended, hand, lowest_table, players),
        (hand, lowest_table, players),
        (hand, players, lowest_table),
    ]


def _phone(view: View, say: Say, width: int) -> str:
    """The view in few lines; the known cards of other hands are left out if there is no room for them."""
    table = once(_phone_table, view, say, width)
    own = once(_phone_hand, view, say, width)
    return fit(
        [(own, table, once(_phone_players, view, say, width, known=known)) for known in (True, False)],
        width,
        PHONE_LINES,
    )


def _phone_hand(view: View, say: Say, width: int) -> Lines:
    """The reader's hand, its unmatched points, melds, task and barred cards; empty for a watcher."""
    if view.seat is None:
        return []
    hand = hand_lines(say.arrange(view.hand), say, width) or [say(NO_CARDS)]
    texts = [*_phone_task(view), *_barred(view, say)]
    division = _division(view.hand)
    if division.melds and not (_has_drawn(view) and view.options["going_out"] == "open"):
        # In an open game, after the draw, the buttons name what can be laid.
        texts.insert(0, _melds_held(division, say))
    title = Text("your hand, unmatched: {n}", n=division.points)
    return panel(say(title), [*hand, *wrap_sentences(texts, say, width)], width)


def _hand_in_few_lines(view: View, say: Say, width: int) -> Lines:
    """The reader's hand, spelled, its points and barred cards; empty for a watcher."""
    if view.seat is None:
        return []
    hand = wrap_words(map(say.card, say.arrange(view.hand)), width) or [say(NO_CARDS)]
    title = Text("your hand, unmatched: {n}", n=_division(view.hand).points)
    return panel(say(title), [*hand, *wrap_sentences(_barred(view, say), say, width)], width)


def _phone_task(view: View) -> Iterator[Text]:
    """The task of a reader who has drawn, in the first round; after that the buttons say enough."""
    if not _has_drawn(view) or not _is_first_round(view):
        return
    if view.options["going_out"] == "closed":
        yield Text("Discard, or go out at once.")
    elif view.melds or _division(view.hand).melds:
        yield Text("Lay, then discard one card.")
    else:
        yield Text("Discard one card.")


def _has_drawn(view: View) -> bool:
    """Whether the reader has drawn and not yet ended the turn."""
    return view.seat == view.turn and view.phase != "draw" and not view.result


def _is_first_round(view: View) -> bool:
    """Whether no seat has had more than one turn in the game."""
    return view.turns <= len(view.hand_sizes)


def _phone_table(view: View, say: Say, width: int, *, short: bool = False) -> Lines:
    """The melds, in few lines if ``short``; the stock's size, the pile's top, the turns until a block."""
    groups = [(view.letter(meld.name), meld.cards) for meld in view.melds]
    melds = (short_group_lines if short else group_lines)(groups, say, width) or _no_melds(view, say, width)
    top = view.pile[-DRAW_SIZE:][::-1]
    texts = [_pile(view, top, say)] if top else []
    if view.thin_turns and not view.result:
        # A thin turn counts from its draw, and the last one blocks the hand only by its discard.
        left = MOST_THIN_TURNS * len(view.hand_sizes) - view.thin_turns + (view.phase != "draw")
        texts.append(plural("Hand is blocked in {n} turn", "Hand is blocked in {n} turns", left))
    return panel(say(_phone_title(view)), [*melds, *wrap_sentences(texts, say, width)], width)


def _phone_title(view: View) -> Text:
    if view.options["hands"] == "1":
        return Text("table, stock: {n}", n=view.stock_size)
    return Text(
        "hand {n} of {all}, stock: {stock}",
        n=view.hand_number,
        all=view.options["hands"],
        stock=view.stock_size,
    )


def _no_melds(view: View, say: Say, width: int) -> Lines:
    """Says that no meld lies on the table; in the first round also what a meld is."""
    if _is_first_round(view) or view.result:
        return _table(view, say, width, drawn=False)
    return [say(Text("(no melds yet)"))]


def _phone_players(view: View, say: Say, width: int, *, known: bool, few: int = FEW_PLAYERS) -> Lines:
    """The number of each player's cards, and the points: up to ``few`` players have a line each, more share.

    Then, if ``known``, the cards of other hands that everybody has seen.
    """
    seats = range(len(view.hand_sizes))
    if len(seats) <= few:
        return _players(view, say, width, known=known)
    each = [
        f"{_mark(view, seat).lstrip()}{say.name(seat)}{'*' if _has_laid(view, seat) else ''}"
        f" {view.hand_sizes[seat]}, {view.ledger[seat]}"
        for seat in seats
    ]
    seen = wrap_sentences(_seen(view, say), say, width) if known else []
    return panel(say(Text("cards, points (* laid)")), [*wrap_words(each, width, "  "), *seen], width)


def _melds(view: View, say: Say, width: int, *, drawn: bool) -> Lines:
    return panel(say(_title(view)), _table(view, say, width, drawn=drawn), width)


def _standing(view: View, say: Say, width: int, *, known: bool) -> Lines:
    closed = width >= TWO_PANELS
    return panel(say(Text("players")), _players(view, say, width, known=known), width, closed=closed)


def _own_and_stock(view: View, say: Say, width: int, *, drawn: bool) -> Lines:
    """The hand, and stock and pile; side by side if drawn and wide enough. No hand for a watcher."""
    hand, to_draw = say(YOUR_HAND), say(Text("to draw"))
    if drawn and view.seat is not None and width >= TWO_PANELS:
        room = width - _STOCK_WIDTH - PANEL_GAP
        return panels_beside(
            panel(hand, _own(view, say, room, drawn=True), room, closed=True),
            panel(to_draw, _to_draw(view, say, _STOCK_WIDTH, drawn=True), _STOCK_WIDTH, closed=True),
        )
    own = [] if view.seat is None else panel(hand, _own(view, say, width, drawn=drawn), width)
    return [*own, *panel(to_draw, _to_draw(view, say, width, drawn=drawn), width)]


def _own(view: View, say: Say, width: int, *, drawn: bool) -> Lines:
    hand = say.arrange(view.hand)
    if not hand:
        return [say(NO_CARDS)]
    lines = _hand_drawn(hand, say, width) if drawn else wrap_words(map(say.card, hand), width)
    return [*lines, *_task_and_points(view, say, width)]


def _hand_drawn(hand: Sequence[Card], say: Say, width: int) -> Lines:
    """The cards as pictures side by side, or overlapping if one row cannot hold them."""
    if len(hand) * (CARD_WIDTH + GAP) - GAP <= width:
        return faces(hand, say)
    per_row = max(1, (width - 1) // _STEP)
    return [line for n in range(0, len(hand), per_row) for line in _fan(hand[n : n + per_row], say)]


def _fan(cards: Sequence[Card], say: Say) -> Sequence[str]:
    """Cards that overlap by one cell, so that neighbours share a border."""
    return _overlapping(tuple(face(card, say) for card in cards))


@lru_cache(_CACHE_SIZE)
def _overlapping(pictures: tuple[Picture, ...]) -> Picture:
    """Pictures that overlap; cached, since successive drawings repeat the same melds."""
    return tuple(
        "".join([first, *(line[1:] for line in more)]) for first, *more in zip(*pictures, strict=True)
    )


def _task_and_points(view: View, say: Say, width: int) -> Lines:
    """Sentences about the reader's task and hand: its melds, its points, new cards, barred cards."""
    texts = [*_task(view), *_own_melds(view, say)]
    if new := without(view.drawn, *view.barred):
        texts.append(plural("New: {cards}", "New: {cards}", len(new), cards=" ".join(map(say.card, new))))
    return wrap_sentences([*texts, *_barred(view, say)], say, width)


def _own_melds(view: View, say: Say) -> Iterator[Text]:
    """The melds in the reader's hand, and the points of its other cards."""
    division = _division(view.hand)
    if division.melds:
        yield _melds_held(division, say)
    yield plural("Unmatched: {n} point", "Unmatched: {n} points", division.points)


def _melds_held(division: Division, say: Say) -> Text:
    return Text("Melds: {cards}", cards=" + ".join(meld_in_short(meld, say) for meld in division.melds))


def _barred(view: View, say: Say) -> Iterator[Text]:
    """The cards that the reader, whose turn it is, cannot discard."""
    if view.barred and view.seat == view.turn:
        barred = " ".join(map(say.card, view.barred))
        yield Text("You can't discard yet: {cards}", cards=barred)


@lru_cache(_CACHE_SIZE)
def _division(hand: tuple[Card, ...]) -> Division:
    """The best division of a hand; cached, since a hand is drawn again when other players move."""
    return divide(hand, MELDS, points)


def _task(view: View) -> Iterator[Text]:
    """The reader's task, if it is the reader's turn."""
    if view.seat != view.turn or view.result:
        return
    if view.phase == "draw":
        yield Text("Your turn: draw first.")
    elif view.options["going_out"] == "closed":
        yield Text("Discard one card, or go out with your whole hand at once.")
    else:
        yield Text("Lay what you like, then discard one card.")


def _to_draw(view: View, say: Say, width: int, *, drawn: bool) -> Lines:
    """The sizes of stock and pile, the two cards on top of the pile, and thin turns, if any."""
    top = view.pile[-DRAW_SIZE:][::-1]
    stock = Text("Stock: {n}", n=view.stock_size)
    pile = Text("Pile: {n}", n=len(view.pile))
    if drawn:
        pictures = [CARD_BACK] if view.stock_size else []
        lines = row([*pictures, *(face(card, say) for card in top)])
        lines += wrap_words([say(stock), say(pile)], width, _APART)
    else:
        lines = wrap_words([say(stock), say(_pile(view, top, say))], width, _APART)
    return lines + wrap_sentences(_thin(view), say, width)


def _pile(view: View, top: Sequence[Card], say: Say) -> Text:
    """The size of the pile and the cards on top of it."""
    if not top:
        return Text("Pile: {n}", n=len(view.pile))
    return Text("Pile: {n}, on top {cards}", n=len(view.pile), cards=" ".join(map(say.card, top)))


def _thin(view: View) -> Iterator[Text]:
    """How many turns with only one card to draw there were, if any; too many end the hand."""
    if view.thin_turns:
        all_thin = MOST_THIN_TURNS * len(view.hand_sizes)
        yield Text("Turns with only one card to draw: {n} of {all}", n=view.thin_turns, all=all_thin)


def _title(view: View) -> Text:
    if view.options["hands"] == "1":
        return Text("table")
    return Text("table, hand {n} of {all}", n=view.hand_number, all=view.options["hands"])


def _table(view: View, say: Say, width: int, *, drawn: bool) -> Lines:
    if not view.melds and view.result:
        return [say(NO_CARDS)]
    if not view.melds:
        hint = Text("(no melds yet: three or four of one rank, or three or more of one suit in a row)")
        return wrap_sentences([hint], say, width)
    if drawn:
        return rows([[view.letter(meld.name), *_fan(meld.cards, say)] for meld in view.melds], width)
    spelled = [[view.letter(meld.name) + " ", *map(say.card, meld.cards)] for meld in view.melds]
    if width >= _SHARED_LINES_WIDTH:
        return wrap_words(map(" ".join, spelled), width, _APART)
    return [line for meld in spelled for line in wrap_words(meld, width)]


def _players(view: View, say: Say, width: int, *, known: bool) -> Lines:
    laid = tuple([_has_laid(view, seat) for seat in range(len(view.hand_sizes))])
    playing = None if view.result else view.turn
    seen = _seen(view, say) if known else ()
    return [
        *_holdings(playing, view.hand_sizes, laid, view.ledger, say, width),
        *wrap_sentences(seen, say, width),
    ]


@memoized(SHARED_CACHE_SIZE)
def _holdings(
    playing: Seat | None,
    hand_sizes: Sequence[int],
    laid: Sequence[bool],
    ledger: Sequence[int],
    say: Say,
    width: int,
) -> Picture:
    """The table of hand sizes, who has laid, and points, which all readers see alike."""
    table = [["", say(Text("hand")), say(Text("laid")), say(Text("pts"))]]
    for seat, size in enumerate(hand_sizes):
        mark, has_laid = "> " if seat == playing else "  ", say(Text("yes")) if laid[seat] else "-"
        table.append([mark + say.name(seat), str(size), has_laid, str(ledger[seat])])
    return tuple(columns(table, width))


def _has_laid(view: View, seat: Seat) -> bool:
    return view.laid_before[seat] or (view.laid_now and view.turn == seat)


def _seen(view: View, say: Say) -> Iterator[Text]:
    """The cards of other hands that everybody has seen."""
    for seat, cards in enumerate(view.known_cards):
        if cards and seat != view.seat:
            yield Text("{who} holds {cards}", who=Name(seat), cards=" ".join(map(say.card, cards)))


def _standing_in_words(view: View, say: Say, width: int) -> Lines:
    """The number of each player's cards, and the points, in as few lines as possible."""
    holdings = [
        _mark(view, seat)
        + say(
            plural(
                "{who}: {n} card, {points} pts",
                "{who}: {n} cards, {points} pts",
                size,
                who=Name(seat),
                points=view.ledger[seat],
            )
        )
        for seat, size in enumerate(view.hand_sizes)
    ]
    return panel(say(Text("players")), wrap_words(holdings, width, _APART), width)


def _mark(view: View, seat: Seat) -> str:
    return "> " if view.turn == seat and not view.result else "  "
