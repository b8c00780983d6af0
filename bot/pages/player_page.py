"""A player's private page during a game: their cards, the news, and their menu."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from bot.i18n import Speech
from bot.model import Draft, PersonId
from bot.pages.captions import turn_caption
from bot.pages.composer import Composer
from bot.pages.deadlines import deadline_of
from bot.pages.long_text import neighbours
from bot.pages.menu import MenuItem, menu, resumed
from bot.pages.question_parts import question_keys, question_lines
from bot.ports import Key, Keys, Limits, Page
from bot.tables.table import Table
from bot.tables.undo import moved_last
from engines.cards import Card, is_card
from engines.drawing import cut
from engines.game import Seat, Text

_LISTED = 20
"""The most moves that a menu lists; with more, the player picks a card first."""


def playing_page(composer: Composer, seat: Seat, draft: Draft, since: int | None) -> Page:
    """The private page of a player who holds their seat in a running game.

    ``since`` is the number of pieces of news that the panel has delivered; None if it is unknown.
    """
    table, say = composer.table, composer.say
    news = composer.news(seat, table.news_since_move(seat), since)
    drawn, turn = composer.drawing(seat, composer.title), say(turn_caption(table, seat))
    question, answers = question_lines(composer), question_keys(composer, seat)
    deadline = deadline_of(table, seat, say)
    if seat not in table.active():
        leave = composer.keys((Text("Leave"), "leave", "plain"))
        other = (*leave, *_undo_keys(composer, seat))
        return Page("waiting", news, (drawn,), (*question, turn), (other, answers), deadline=deadline)
    if answers:
        composer = composer.with_one_row_less()
    asked, keys, more = _menu(composer, seat, resumed(table, seat, draft))
    return Page("turn", news, (drawn,), (*asked, *question, turn), (*keys, answers), more, deadline)


def brief(table: Table, person: PersonId, say: Speech, limits: Limits) -> str:
    """A player's hand and whose turn it is, in at most `Limits.brief` characters; empty for other people."""
    seat = table.seat_of(person)
    if seat is None or table.state is None or table.players[seat].is_held:
        return ""
    view = table.view(seat)
    message = table.game.message(view) or {}
    cards = [Card(card) for card in message.get("hand", ()) if is_card(card)]
    held = " ".join(map(say.card, table.game.arrange(view, cards, say)))
    return cut(
        f"{held} · {say(turn_caption(table, seat))}" if held else say(turn_caption(table, seat)), limits.brief
    )


def _menu(composer: Composer, seat: Seat, draft: Draft) -> tuple[tuple[str, ...], Keys, str]:
    """What a player is asked or has picked so far, the keys of their menu, and the title of a list."""
    table, say = composer.table, composer.say
    if not draft.path:
        return (), *_next_word_keys(composer, seat, draft)
    meant = table.game.label(table.view(seat), draft.path, say)
    if draft.asked:
        sure = composer.key("sure", " ".join(draft.path), say(Text("Yes: {move}", move=meant)), "main")
        return (say(Text("Play “{move}”?", move=meant)),), ((sure, _back_key(composer)),), ""
    return (say(Text("{begun} …", begun=meant)),), *_next_word_keys(composer, seat, draft)


def _next_word_keys(composer: Composer, seat: Seat, draft: Draft) -> tuple[Keys, str]:
    """The keys for the next word after the draft's path, and the title of a list of them; it may be empty."""
    table, path, limits = composer.table, draft.path, composer.limits
    items = menu(
        table.game, table.state, seat, composer.say,
        stamp=table.stamp, room=min(_LISTED, limits.offers), path=path, view=table.view(seat),
    ).items  # fmt: skip
    word_by_word = bool(path) and path[0] in table.game.wide
    if word_by_word:
        pinned = _pinned_keys(composer, seat, path, items)
        words = [(item.words[-1], item.label) for item in items if not item.done]
        offers = [composer.key("add", word, label, offer=True) for word, label in words]
        room = max(limits.offers - len(pinned), limits.row_keys, 1)
    else:
        pinned, offers = [], _offers(composer, items)
        room = max(limits.offers, limits.choices)
    pages = max(1, ceil(len(offers) / room))
    number = draft.page % pages
    turns = (composer.key("page", str(n), label) for n, label in neighbours(number, pages))
    around = (*turns, *((_back_key(composer),) if path else _undo_keys(composer, seat)))
    shown = (*pinned, *offers[number * room : (number + 1) * room])
    # A wide verb takes many words; the player would have to open a list for each.
    return (shown, around), "" if word_by_word else composer.say(Text("More moves …"))


def _offers(composer: Composer, items: Sequence[MenuItem]) -> list[Key]:
    """The items of a menu as keys; beside moves with cards, verbs alone are no offers and stay in sight."""
    key, alone = composer.key, [_is_verb(composer.table, item) for item in items]
    only_verbs = all(alone)
    return [
        key("move", " ".join(item.words), item.label, offer=only_verbs or not verb)
        if item.done
        else key("pick", item.words[-1], f"{item.label} …", offer=only_verbs or not verb)
        for item, verb in zip(items, alone, strict=True)
    ]


def _is_verb(table: Table, item: MenuItem) -> bool:
    """Whether an item is a verb alone."""
    return len(item.words) == 1 and item.words[0] in table.game.verbs


def _pinned_keys(composer: Composer, seat: Seat, path: Sequence[str], items: Sequence[MenuItem]) -> list[Key]:
    """The keys on every page of a wide verb: one plays the complete move, the others remove a word."""
    table, say = composer.table, composer.say
    view = table.view(seat)
    done = [composer.key("done", "", f"▶ {item.label}", "main") for item in items if item.done]
    labels = ((word, table.game.label(view, (word,), say)) for word in path[1:])
    chosen = [composer.key("drop", word, f"✓ {label}", offer=True) for word, label in labels]
    return [*done, *chosen]


def _undo_keys(composer: Composer, seat: Seat) -> tuple[Key, ...]:
    """The key that takes back the seat's last move, if nobody has moved since but computers.

    There is none while players are asked about a move.
    """
    table = composer.table
    if not moved_last(table, seat) or (table.question and table.question.kind == "undo"):
        return ()
    return composer.keys((Text("Take back"), "undo", "plain"))


def _back_key(composer: Composer) -> Key:
    return composer.key("top", "", composer.say(Text("Back")))
