"""A player's private page during a game: their cards, the news, and their menu."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile
from math import ceil

from bot.i18n import Speech
from bot.model import Draft, PersonId
from bot.pages.captions import turn_caption
from bot.pages.composer import Composer
from bot.pages.long_text import neighbours
from bot.pages.menu import MenuItem, menu, resumed
from bot.ports import Key, Limits, Page
from bot.tables.table import Table
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
    moves = (entry.n for entry in reversed(table.entries) if entry.kind == "move" and entry.seat == seat)
    acted = next(moves, -1)
    # The news includes the results of the player's own last move, such as a drawn card.
    recent = sum(1 for _ in takewhile(lambda piece: piece.n >= acted, reversed(table.news)))
    page = Page(
        "waiting",
        composer.news(seat, len(table.news) - recent, since),
        (composer.drawing(seat, composer.title),),
        (say(turn_caption(table, seat)),),
    )
    if seat in table.active():
        return _with_menu(page, composer, seat, draft)
    return replace(page, keys=(composer.keys((Text("Leave"), "leave", "plain")),))


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


def _with_menu(page: Page, composer: Composer, seat: Seat, draft: Draft) -> Page:
    """The page of a player who may act: with their menu, and what they are asked or have picked so far."""
    table, say = composer.table, composer.say
    page, draft = replace(page, kind="turn"), resumed(table, seat, draft)
    if not draft.path:
        return _with_offers(page, composer, seat, draft)
    meant = table.game.label(table.view(seat), draft.path, say)
    if draft.asked:
        sure = composer.key("sure", " ".join(draft.path), say(Text("Yes: {move}", move=meant)), "main")
        asked = say(Text("Do you mean it: {move}?", move=meant))
        return replace(page, status=(asked, *page.status), keys=((sure, _back_key(composer)),))
    begun = say(Text("{begun} …", begun=meant))
    return _with_offers(replace(page, status=(begun, *page.status)), composer, seat, draft)


def _with_offers(page: Page, composer: Composer, seat: Seat, draft: Draft) -> Page:
    """The page with the keys for the next word after the draft's path, as many as the platform shows."""
    table, path, limits = composer.table, draft.path, composer.limits
    items = menu(
        table.game, table.state, seat, composer.say,
        stamp=table.stamp, room=min(_LISTED, limits.offers), path=path, view=table.view(seat),
    ).items  # fmt: skip
    word_by_word = bool(path) and path[0] in table.game.wide
    if word_by_word:
        pinned = _pinned_keys(composer, seat, path, items)
        offers = [
            composer.key("add", item.words[-1], item.label, offer=True) for item in items if not item.done
        ]
        room = max(limits.offers - len(pinned), limits.row_keys, 1)
    else:
        pinned, offers = [], _offers(composer, items)
        room = max(limits.offers, limits.choices)
    pages = max(1, ceil(len(offers) / room))
    number = draft.page % pages
    turns = (composer.key("page", str(n), label) for n, label in neighbours(number, pages))
    around = (*turns, *((_back_key(composer),) if path else ()))
    shown = (*pinned, *offers[number * room : (number + 1) * room])
    # A wide verb takes many words; the player would have to open a list for each.
    more = "" if word_by_word else composer.say(Text("More moves …"))
    return replace(page, keys=(shown, around), more=more)


def _offers(composer: Composer, items: Sequence[MenuItem]) -> list[Key]:
    """The items of a menu as keys; beside moves with cards, verbs alone are no offers and stay in sight."""
    alone = [_is_verb(composer.table, item) for item in items]
    keys = []
    for item, verb in zip(items, alone, strict=True):
        offer = not verb or all(alone)
        if item.done:
            keys.append(composer.key("move", " ".join(item.words), item.label, offer=offer))
        else:
            keys.append(composer.key("pick", item.words[-1], f"{item.label} …", offer=offer))
    return keys


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


def _back_key(composer: Composer) -> Key:
    return composer.key("top", "", composer.say(Text("Back")))
