"""A player's private page during a game: their cards, the news, and their menu."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from math import ceil

from bot.i18n import Speech
from bot.model import Draft, PersonId
from bot.pages.captions import news_captions, turn_caption
from bot.pages.layout import Composer, Rows, neighbours, rows_of, with_chooser
from bot.pages.menu import MenuItem, menu, resumed
from bot.ports import Chooser, Key, Limits, Page
from bot.tables.table import Table
from engines.cards import Card, is_card
from engines.drawing import cut
from engines.game import Seat, Text

_LISTED = 20
"""The most moves that a menu lists; with more, the player picks a card first."""


def playing_page(composer: Composer, seat: Seat, draft: Draft) -> Page:
    """The private page of a player who holds their seat in a running game."""
    table, say = composer.table, composer.say
    moves = (entry.n for entry in reversed(table.entries) if entry.kind == "move" and entry.seat == seat)
    acted = next(moves, -1)
    # The news includes the results of the player's own last move, such as a drawn card.
    recent = takewhile(lambda piece: piece.n >= acted, reversed(table.news))
    news = news_captions(recent, seat, say)
    drawing = table.game.draw(table.view(seat), say, composer.limits.width)
    lines, rows, chooser = _menu(composer, seat, draft)
    return Page(
        (composer.title, *reversed(news)), drawing, (*lines, say(turn_caption(table, seat))), rows, chooser
    )


def brief(table: Table, person: PersonId, say: Speech, limits: Limits) -> str:
    """A player's hand and whose turn it is, in at most `Limits.brief` characters; empty for other people."""
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


def _menu(composer: Composer, seat: Seat, draft: Draft) -> tuple[tuple[str, ...], Rows, Chooser | None]:
    """The lines above a player's buttons, the buttons, and a select menu of those that do not fit."""
    table, say = composer.table, composer.say
    if seat not in table.active():
        return (), (composer.key_row((Text("Leave"), "leave", "plain")),), None
    draft = resumed(table, seat, draft)
    if not draft.path:
        return (), *_next_word_keys(composer, seat, draft)
    view = table.view(seat)
    if draft.asked:
        meant = table.game.label(view, draft.path, say)
        sure = composer.key("sure", " ".join(draft.path), say(Text("Yes: {move}", move=meant)), "main")
        return (say(Text("Do you mean it: {move}?", move=meant)),), ((sure, _back_key(composer)),), None
    begun = say(Text("{begun} …", begun=table.game.label(view, draft.path, say)))
    return (begun,), *_next_word_keys(composer, seat, draft)


def _next_word_keys(composer: Composer, seat: Seat, draft: Draft) -> tuple[Rows, Chooser | None]:
    """The buttons for the next word after the draft's path, and a select menu of those that do not fit."""
    table, path, limits = composer.table, draft.path, composer.limits
    rows = limits.rows - 1
    room = min(_LISTED, rows * limits.row_keys)
    offered = menu(
        table.game, table.state, seat, composer.say,
        stamp=table.stamp, room=room, path=path, view=table.view(seat),
    )  # fmt: skip
    word_by_word = bool(path) and path[0] in table.game.wide
    pinned = _pinned_keys(composer, seat, path, offered.items) if word_by_word else []
    items = [item for item in offered.items if not (word_by_word and item.done)]
    keys = [_key(composer, item, word_by_word=word_by_word) for item in items]
    # The last row holds the page buttons and Back.
    room = max(rows * limits.row_keys - len(pinned), limits.row_keys)
    if not word_by_word:
        room = max(room, limits.choices)
    pages = max(1, ceil(len(keys) / room))
    page = draft.page % pages
    page_keys = (composer.key("page", str(n), label) for n, label in neighbours(page, pages))
    last_row = (*page_keys, *((_back_key(composer),) if path else ()))
    shown = [*pinned, *keys[page * room : (page + 1) * room]]
    if word_by_word:
        # A wide verb takes many words; the player would have to open a select menu for each.
        return (*rows_of(shown, limits, rows), last_row), None
    verbs = [key for key, item in zip(keys, offered.items, strict=True) if _is_verb(table, item)]
    shown_rows, chooser = with_chooser(shown, limits, rows, composer.say, verbs)
    return (*shown_rows, last_row), chooser


def _is_verb(table: Table, item: MenuItem) -> bool:
    """Whether an item is a verb alone, which stays a button and out of the select menu."""
    return len(item.words) == 1 and item.words[0] in table.game.verbs


def _pinned_keys(composer: Composer, seat: Seat, path: Sequence[str], items: Sequence[MenuItem]) -> list[Key]:
    """The buttons on every page of a wide verb: one plays the complete move, the others remove a word."""
    table, say = composer.table, composer.say
    view = table.view(seat)
    done = [composer.key("done", "", f"▶ {item.label}", "main") for item in items if item.done]
    chosen = [composer.key("drop", word, f"✓ {table.game.label(view, (word,), say)}") for word in path[1:]]
    return [*done, *chosen]


def _key(composer: Composer, item: MenuItem, *, word_by_word: bool) -> Key:
    """An item of the menu as a button."""
    if item.done:
        return composer.key("move", " ".join(item.words), item.label)
    if word_by_word:
        return composer.key("add", item.words[-1], item.label)
    return composer.key("pick", item.words[-1], f"{item.label} …")


def _back_key(composer: Composer) -> Key:
    return composer.key("top", "", composer.say(Text("Back")))
