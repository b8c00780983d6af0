"""Handles presses in a player's menu: moves, and the steps by which a player puts a move together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain

from bot.inbox.context import Context, Refusal, Stale
from bot.inbox.handlers.tables.joining import hand
from bot.inbox.moves.typed_moves import is_final
from bot.model.ids import PersonId
from bot.model.panels import Draft
from bot.model.tables import Refused
from bot.pages.callback_data import CallbackData, parse_number
from bot.pages.menus.menu import can_begin, resumed
from bot.pages.menus.offered_moves import offered_moves
from bot.pages.menus.picked_cards import composed, is_cards
from bot.ports import Action, Reply
from bot.tables.seating import must_be_active, playing_seat, seat_of
from bot.tables.table import Table
from engines.game import IllegalMove, Seat, Text
from engines.values import replace

_MOVE_ACTIONS: frozenset[Action] = frozenset(("move", "sure", "done"))
"""The actions that make a move: the button's own, a confirmed one, or the one put together in the draft."""


async def press_menu(context: Context, table: Table, callback: CallbackData) -> Reply:
    """Makes a move or a step in the menu; answers a refusal with its reason, and shows the current menu."""
    try:
        if callback.action in _MOVE_ACTIONS:
            table = await _move(context, table, callback)
        else:
            table = await _step(context, table, callback)
    except Refusal as refusal:
        table = await context.service.table(table.id)
        if table.seat_of(context.person.id) is not None:
            context.panels.queue_if_unknown(table, context.person.id)
        return await context.shown(table, refusal.words, refused=True)
    if not (table.game.hidden or context.replaceable or context.caller.private):
        draft = await context.drafts.read(table, context.person.id)
        if draft.asked and draft.stamp == table.stamp:
            # Only the player's own page shows the question; the pressed button may be on the public panel.
            return await hand(context, table)
    return await context.shown(table)


async def _move(context: Context, table: Table, callback: CallbackData) -> Table:
    """Makes a move and returns the table after it.

    A player who confirms moves is asked for confirmation first, and so is any player before a move that
    cannot be undone: then the table is returned unchanged.
    """
    person = context.person
    reads_draft = callback.action == "done" or callback.is_hashed
    draft = await context.drafts.read(table, person.id) if reads_draft else Draft()
    hinted = await _hinted(context, table, callback, draft)
    to_confirm: tuple[str, ...] = ()

    def made(table: Table) -> Table:
        # An illegal move is refused before the player is asked to confirm it.
        nonlocal to_confirm
        after, words = _played(table, person.id, callback, draft, hinted)
        asks = callback.action != "sure" and (person.careful or is_final(table, person.id, words))
        to_confirm = words if asks else ()
        return table if asks else after

    table = await context.change(table, made)
    if to_confirm:
        asked = Draft(table.stamp, to_confirm, asked=True)
        await context.drafts.change(table, person.id, lambda _: asked)
        context.panels.queue(table, person.id)
    return table


async def _step(context: Context, table: Table, callback: CallbackData) -> Table:
    """Changes the player's draft by one step in the menu; returns the table, which stays as it is."""
    person = context.person.id

    def allowed(table: Table) -> Table:
        _current_seat(table, person, callback)
        return table

    table = await context.change(table, allowed)
    seat = seat_of(table, person)
    try:
        await context.drafts.change(table, person, partial(stepped, table, seat, callback))
    except (Stale, IllegalMove) as refused:
        raise Refusal(context.say(refused.reason), public=isinstance(refused, Stale)) from None
    context.panels.queue(table, person)
    return table


async def _hinted(context: Context, table: Table, callback: CallbackData, draft: Draft) -> str:
    """The move of this position's hint, if a button that has only a hash may stand for it; else empty.

    It may if it is current and stands for no other move of the menu; `_played` finds out whether it does.
    """
    seat = table.seat_of(context.person.id)
    if not callback.is_hashed or seat not in table.active() or callback.stamp != table.stamp:
        return ""
    if not table.hints or callback.meant(_known_moves(table, seat, draft)) is not None:
        return ""
    return str(await context.hints.recall(table, seat))


def _known_moves(table: Table, seat: Seat, draft: Draft) -> Iterator[str]:
    """The moves that the buttons of a menu may stand for: offered ones, and those that the draft leads to."""
    game, state = table.game, table.state
    yield from map(str, offered_moves(game, state, seat))
    path = resumed(table, seat, draft).path
    if is_cards(path):
        yield from map(" ".join, composed(game, state, seat, path))
    elif path:
        yield " ".join(path)
        yield from (" ".join((*path, word)) for word in game.choices(state, seat, path).words)


def _played(
    table: Table, person: PersonId, callback: CallbackData, draft: Draft, hinted: str
) -> tuple[Table, tuple[str, ...]]:
    """The table after the move of a button, and the words of the move; ``hinted`` is a hint's move.

    Raises what `_current_seat` raises, `Stale` for a button that stands for no move, and `IllegalMove`.
    """
    seat = _current_seat(table, person, callback)
    if callback.action == "done":
        words = " ".join(resumed(table, seat, draft).path)
    else:
        words = callback.meant(chain(_known_moves(table, seat, draft), (hinted,))) or ""
    if not words:
        must_be_active(table, seat)
        raise Stale
    return table.play(seat, words), tuple(words.split())


def _current_seat(table: Table, person: PersonId, callback: CallbackData) -> Seat:
    """The seat of a person who presses a button. Raises `Stale` for an outdated button.

    A button is outdated if its seat has moved or any move was taken back since it was offered, or if it is
    newer than the table. Moves of other players do not matter, since the button's move may still be legal.
    Raises `Refused` for a person who may not play, and if the button's move was made already.
    """
    seat = playing_seat(table, person)
    if callback.stamp > table.stamp:
        raise Stale
    if table.acted_since(seat, callback.stamp):
        made = table.move_at(callback.stamp)
        if (
            made
            and made.seat == seat
            and callback.action in _MOVE_ACTIONS
            and _is_move(callback, made.body["move"])
        ):
            raise Refused(Text("That has already been done."))
        raise Stale
    return seat


def _is_move(callback: CallbackData, move: object) -> bool:
    """Whether a button stands for a move that was made; assumed for "done", which does not name its move."""
    return callback.action == "done" or callback.meant([str(move)]) == move


def stepped(table: Table, seat: Seat, callback: CallbackData, draft: Draft) -> Draft:
    """The player's draft after one step in the menu.

    Raises `Stale`, and `IllegalMove` for a pick out of turn.
    """
    game, state, draft = table.game, table.state, resumed(table, seat, draft)
    path = () if draft.asked else draft.path
    match callback.action:
        case "top":
            return Draft(table.stamp)
        case "page":
            return replace(draft, page=parse_number(callback.words) or 0)
        case "pick":
            begun = tuple(_picked(table, seat, callback, path).split())
            if not (begun and can_begin(table, seat, begun)):
                must_be_active(table, seat)
                raise Stale
            return Draft(table.stamp, begun)
        case "drop":
            return Draft(table.stamp, _without(table, seat, path, callback.meant(path[1:]) or ""), draft.page)
        case _:
            if not path or path[0] not in game.wide:
                return draft
            if callback.meant(path[1:]) in path[1:]:
                return draft
            word = _offered(callback, game.choices(state, seat, path).words)
            return Draft(table.stamp, (*path, word), draft.page)


def _picked(table: Table, seat: Seat, callback: CallbackData, path: Sequence[str]) -> str:
    """The words that a ``pick`` button stands for.

    A button with only the hash of its words, which were too long for it, stands for a wide verb and the
    picked cards. Empty if no such words have the hash any more.
    """
    begun = composed(table.game, table.state, seat, tuple(path)) if callback.is_hashed else ()
    return callback.meant(map(" ".join, begun)) or ""


def _offered(callback: CallbackData, words: Sequence[str]) -> str:
    """The word that a button stands for. Raises `Stale` if it is not one of ``words``."""
    word = callback.meant(words)
    if word is None or word not in words:
        raise Stale
    return word


def _without(table: Table, seat: Seat, path: Sequence[str], word: str) -> tuple[str, ...]:
    """A draft's path without one word, and without the later words that are not possible without it."""
    remaining = tuple(path[:1])
    for later in path[1:]:
        if later != word and later in table.game.choices(table.state, seat, remaining).words:
            remaining = (*remaining, later)
    return remaining
