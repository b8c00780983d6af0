"""A player's own page in mid-game: their cards, what has happened, and what they can do."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from math import ceil

from bot.i18n import Speech
from bot.model import Draft, PersonId
from bot.pages.captions import turn_caption
from bot.pages.layout import Pen, Rows, rows_of, spread, turns_at
from bot.pages.menu import MenuItem, menu, resumed
from bot.ports import Chooser, Key, Limits, Page
from bot.tables.table import Table
from engines.cards import Card, is_card
from engines.drawing import cut
from engines.game import Seat, Text

_LISTED = 20
"""Moves that are listed whole before a card is asked for first."""


def hand(pen: Pen, seat: Seat, draft: Draft) -> Page:
    """The page of a player who plays."""
    table, say = pen.table, pen.say
    moves = (entry.n for entry in reversed(table.entries) if entry.kind == "move" and entry.seat == seat)
    acted = next(moves, -1)
    # What came of the last act itself belongs to it: a card drawn, say.
    recent = takewhile(lambda piece: piece.n >= acted, reversed(table.news))
    news = [say(piece.event.text) for piece in recent if piece.event.to in (None, seat)]
    drawing = table.game.draw(table.view(seat), say, pen.limits.width)
    lines, rows, chooser = _menu(pen, seat, draft)
    return Page(
        (pen.title, *reversed(news)), drawing, (*lines, say(turn_caption(table, seat))), rows, chooser
    )


def brief(table: Table, person: PersonId, say: Speech, limits: Limits) -> str:
    """A player's hand and whose turn it is, for a platform's smallest private note."""
    seat = table.seat_of(person)
    if seat is None or table.state is None or table.players[seat].is_away:
        return ""
    view = table.view(seat)
    message = table.game.message(view) or {}
    cards = [Card(card) for card in message.get("hand", ()) if is_card(card)]
    held = " ".join(map(say.card, table.game.arrange(view, cards, say)))
    return cut(
        f"{held} · {say(turn_caption(table, seat))}" if held else say(turn_caption(table, seat)), limits.brief
    )


def _menu(pen: Pen, seat: Seat, draft: Draft) -> tuple[tuple[str, ...], Rows, Chooser | None]:
    """What a player has put together so far, their buttons, and a list of more."""
    table, say = pen.table, pen.say
    if seat not in table.active():
        return (), (pen.row((Text("Leave"), "leave", "plain")),), None
    draft = resumed(table, seat, draft)
    if not draft.path:
        return (), *_offers(pen, seat, draft)
    view = table.view(seat)
    if draft.asked:
        meant = table.game.label(view, draft.path, say)
        sure = pen.key("sure", " ".join(draft.path), say(Text("Yes: {move}", move=meant)), "main")
        return (say(Text("Do you mean it: {move}?", move=meant)),), ((sure, _top(pen)),), None
    begun = say(Text("{begun} …", begun=table.game.label(view, draft.path, say)))
    return (begun,), *_offers(pen, seat, draft)


def _offers(pen: Pen, seat: Seat, draft: Draft) -> tuple[Rows, Chooser | None]:
    """The buttons of the menu where the player is in it, and a list of those that are too many."""
    table, path, limits = pen.table, draft.path, pen.limits
    rows = limits.rows - 1
    room = min(_LISTED, rows * limits.row)
    offered = menu(table.game, table.state, seat, pen.say, stamp=table.stamp, room=room, path=path)
    wide = bool(path) and path[0] in table.game.wide
    pinned = _pinned(pen, seat, path, offered.items) if wide else []
    keys = [_key(pen, item, wide=wide) for item in offered.items if not (wide and item.done)]
    # One row less than there are is for the pages and the way back.
    room = max(rows * limits.row - len(pinned), limits.row)
    if not wide:
        room = max(room, limits.choices)
    pages = max(1, ceil(len(keys) / room))
    page = draft.page % pages
    turns = (pen.key("page", str(n), label) for n, label in turns_at(page, pages))
    around = (*turns, *((_top(pen),) if path else ()))
    shown = [*pinned, *keys[page * room : (page + 1) * room]]
    if wide:
        # Many words are picked one after the other, and a list would unfold for each.
        return (*rows_of(shown, limits, rows), around), None
    verbs = [_key(pen, item, wide=False) for item in offered.items if _is_verb(table, item)]
    spread_out, chooser = spread(shown, limits, rows, pen.say, verbs)
    return (*spread_out, around), chooser


def _is_verb(table: Table, item: MenuItem) -> bool:
    """Whether a button is a verb by itself, which nobody looks for in a list of moves."""
    return len(item.words) == 1 and item.words[0] in table.game.verbs


def _pinned(pen: Pen, seat: Seat, path: Sequence[str], items: Sequence[MenuItem]) -> list[Key]:
    """What stays on every page of a wide verb: the move if it is one, and what was picked for it."""
    table, say = pen.table, pen.say
    view = table.view(seat)
    done = [pen.key("done", "", f"▶ {item.label}", "main") for item in items if item.done]
    chosen = [pen.key("drop", word, f"✓ {table.game.label(view, (word,), say)}") for word in path[1:]]
    return [*done, *chosen]


def _key(pen: Pen, item: MenuItem, *, wide: bool) -> Key:
    """What the menu offers, as a button of a page."""
    if item.done:
        return pen.key("move", " ".join(item.words), item.label)
    if wide:
        return pen.key("add", item.words[-1], item.label)
    return pen.key("pick", item.words[-1], f"{item.label} …")


def _top(pen: Pen) -> Key:
    return pen.key("top", "", pen.say(Text("Back")))
