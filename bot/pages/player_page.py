"""A player's private page during a game: their cards, the news, and their menu."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.i18n import Speech
from bot.model.ids import PersonId
from bot.model.panels import Draft
from bot.pages.captions import turn_caption
from bot.pages.composer import Composer
from bot.pages.deadlines import deadline_of
from bot.pages.long_text import neighbours
from bot.pages.menus.labels import leading_on
from bot.pages.menus.menu import PageRoom, menu, resumed
from bot.pages.menus.menu_items import Menu, MenuItem
from bot.pages.menus.offered_moves import offered_moves
from bot.pages.menus.rows import PADDING, ROW_CELLS, rows_of
from bot.pages.menus.wide_verbs import endings, suggestions
from bot.pages.question_parts import question_keys, question_lines
from bot.ports import Key, Keys, Limits, Page
from bot.tables.log.table_state import AnyGame
from bot.tables.questions import may_ask_again
from bot.tables.table import Table
from bot.tables.undo import moved_last
from engines.cards import Card, is_card
from engines.drawing import cells, cut
from engines.game import Move, MoveStyle, Seat, Text

_MOST_WITH_HINT = 24
"""The most buttons of a menu that has one for a hint."""
_MOST_LISTED = 20
"""The most moves, or words of a move, that a page lists, so that there is room for other buttons."""
_MOST_ROWS = 8
"""The most rows of buttons with words, and of those with moves if the platform has no list for more."""
_MOST_UNCROWDED = 10
"""The most moves with compulsory verbs that every menu has room for beside two rows of other buttons."""
_MOST_NEEDED_FIRST = 15
"""The most moves with compulsory verbs that come before all others."""
_MOST_SUGGESTED = 6
"""The most whole moves that are suggested while a move is put together."""
_FEWEST_WORDS = 5
"""The fewest words of a page, however many buttons it has besides."""


def playing_page(composer: Composer, seat: Seat, draft: Draft, since: int | None) -> Page:
    """The private page of a player who holds their seat in a running game.

    ``since`` is as in `Composer.news`; None if it is unknown.
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


def public_move_keys(composer: Composer) -> tuple[Key, ...]:
    """The moves of the player who must move as public buttons, in a game that hides nothing.

    Empty in any other game, without buttons, if a computer or several players must move, or if the moves are
    too many to be listed whole.
    """
    table = composer.table
    must = table.awaited(None).must
    if table.game.hidden or not composer.limits.buttons or len(must) != 1:
        return ()
    if table.players[must[0]].is_computer:
        return ()
    items = _listed(composer, must[0]).items
    return tuple(_offers(composer, must[0], items)) if all(item.done for item in items) else ()


def brief(table: Table, person: PersonId, say: Speech, limits: Limits) -> str:
    """A player's hand and whose turn it is, in at most `Limits.brief` characters.

    Empty before the deal, without a seat, and while a computer holds the seat.
    """
    seat = table.seat_of(person)
    if seat is None or table.state is None or table.players[seat].is_held:
        return ""
    view = table.view(seat)
    message = table.game.message(view) or {}
    cards = [Card(card) for card in message.get("hand", ()) if is_card(card)]
    held = " ".join(map(say.card, table.game.arrange(view, cards, say)))
    turn = say(turn_caption(table, seat))
    return cut(f"{held} · {turn}" if held else turn, limits.brief)


def _menu(composer: Composer, seat: Seat, draft: Draft) -> tuple[tuple[str, ...], Keys, str]:
    """The question to a player or the words picked so far, the keys of the menu, and the title of a list."""
    table, say = composer.table, composer.say
    if draft.asked:
        meant = table.game.label(table.view(seat), draft.path, say)
        style = _style(table, seat, draft.path)
        sure_style: MoveStyle = "danger" if style == "danger" else "main"
        sure = composer.key("sure", " ".join(draft.path), say(Text("Yes: {move}", move=meant)), sure_style)
        return (say(Text("Play “{move}”?", move=meant)),), ((sure, _back_key(composer)),), ""
    if draft.path and draft.path[0] in table.game.wide:
        meant = table.game.label(table.view(seat), draft.path, say)
        return (say(Text("{begun} …", begun=meant)),), _word_keys(composer, seat, draft), ""
    return _move_keys(composer, seat, draft)


def _move_keys(composer: Composer, seat: Seat, draft: Draft) -> tuple[tuple[str, ...], Keys, str]:
    """The words above a player's menu, the keys for the moves after the draft's path, and a list's title."""
    table, game, say, limits = composer.table, composer.table.game, composer.say, composer.limits
    listed = _listed(composer, seat, draft.path)
    every = _offers(composer, seat, _needed_first(game, listed.items))
    offers, verbs = [key for key in every if key.offer], [key for key in every if not key.offer]
    room = _room(limits)
    pages = [offers[n : n + room] for n in range(0, max(len(offers), 1), room)]
    needed = sum(item.done and item.words[0] in game.compulsory for item in listed.items)
    keys = _turned(composer, seat, draft, pages, verbs, crowded=needed > _MOST_UNCROWDED)
    view = table.view(seat)
    if draft.path:
        above: tuple[str, ...] = (say(Text("{begun} …", begun=game.label(view, draft.path, say))),)
    elif listed.bare:
        above = (_bare_caption(composer, seat, listed),)
    else:
        above = ()
    return above, keys, say(Text("More moves …"))


def _bare_caption(composer: Composer, seat: Seat, listed: Menu) -> str:
    """An example of the moves of which the menu shows only the cards."""
    game, say, view = composer.table.game, composer.say, composer.table.view(seat)
    item = next(item for item in listed.items if item.done and item.words[0] == listed.bare)
    move = game.label(view, item.words, say)
    return say(Text("To play “{move}”, press just {card}.", move=move, card=item.label))


def _room(limits: Limits) -> int:
    """The most moves that a page lists."""
    return min(max(limits.offers, limits.choices), _MOST_LISTED)


def _needed_first(game: AnyGame, items: Sequence[MenuItem]) -> tuple[MenuItem, ...]:
    """The items in the order of a menu: first those with compulsory verbs, of which every turn needs one.

    At most `_MOST_NEEDED_FIRST` of them come before the other items, so that the first page has some of both.
    """
    needed = [item for item in items if item.words[0] in game.compulsory]
    others = [item for item in items if item.words[0] not in game.compulsory]
    return (*needed[:_MOST_NEEDED_FIRST], *others, *needed[_MOST_NEEDED_FIRST:])


def _listed(composer: Composer, seat: Seat, path: tuple[str, ...] = ()) -> Menu:
    """The menu of the moves and words that a player is offered after the words of ``path``."""
    table, limits = composer.table, composer.limits
    # The buttons below the moves take a row; on a platform with lists, a list takes one too (`in_sight`).
    rows = limits.rows - 1 if limits.choices else min(_MOST_ROWS, limits.rows - 1)

    def fits(labels: Sequence[str]) -> bool:
        return bool(limits.choices) or in_sight(labels, ())

    def in_sight(labels: Sequence[str], others: Sequence[str]) -> bool:
        if not limits.buttons or len(rows_of([*labels, *others], limits)) <= rows:
            return True
        return bool(limits.choices and others) and len(rows_of(labels, limits)) < rows

    room = PageRoom(
        min(_MOST_LISTED, limits.offers), fits, in_sight, limits.buttons, composer.say.suggestions
    )
    return menu(
        table.game, table.state, seat, composer.say, stamp=table.stamp, room=room, path=path,
        view=table.view(seat), known=table.moves(seat),
    )  # fmt: skip


def _word_keys(composer: Composer, seat: Seat, draft: Draft) -> Keys:
    """The keys for the next word of a move with a wide verb; the first page also suggests whole moves."""
    table, path, limits = composer.table, draft.path, composer.limits
    items = _listed(composer, seat, path).items
    view, say = table.view(seat), composer.say
    whole = suggestions(
        table.game, view, offered_moves(table.game, table.state, seat, view), path, say, say.suggestions
    )
    if len(path) == 1:
        # The page on which the verb was picked has offered some whole moves already.
        before = _needed_first(table.game, _listed(composer, seat).items)
        offered = {item.words for item in before[: _room(limits)]}
        whole = [item for item in whole if item.words not in offered]
    ends = endings(table.game, table.state, seat, view, path, say)
    ended = {frozenset(item.words) for item in ends}
    suggested = _offers(composer, seat, [item for item in whole if frozenset(item.words) not in ended])
    suggested = [*_ending_keys(composer, seat, ends), *suggested][:_MOST_SUGGESTED]
    pinned = _pinned_keys(composer, seat, path, items)
    words = [(item.words[-1], item.label) for item in items if not item.done]
    offers = [composer.key("add", word, label, offer=True) for word, label in words]

    def is_overfull(keys: Sequence[Key]) -> bool:
        """Whether a page of these keys has more rows of buttons than its message has room for."""
        return len(_rows(composer, keys)) > min(_MOST_ROWS, limits.rows - 1)

    def room_beside(above: Sequence[Key], rest: Sequence[Key]) -> int:
        """How many words of ``rest`` each page has below the keys ``above``."""
        room = max(min(limits.offers, _MOST_LISTED) - len(above), _FEWEST_WORDS)
        while room > _FEWEST_WORDS and any(
            is_overfull((*above, *rest[n : n + room])) for n in range(0, max(len(rest), 1), room)
        ):
            room -= 1
        return room

    # Suggestions make room for words, without which the move could not be put together.
    while suggested and is_overfull((*pinned, *suggested, *offers[:_FEWEST_WORDS])):
        suggested.pop()
    first = [*pinned, *suggested]
    room_of_first = room_beside(first, offers[: limits.offers])
    rest = offers[room_of_first:]
    room = room_beside(pinned, rest)
    later = [[*pinned, *rest[n : n + room]] for n in range(0, len(rest), room)]
    return _turned(composer, seat, draft, [[*first, *offers[:room_of_first]], *later])


def _turned(
    composer: Composer,
    seat: Seat,
    draft: Draft,
    pages: Sequence[Sequence[Key]],
    beside: Sequence[Key] = (),
    *,
    crowded: bool = False,
) -> Keys:
    """The page of a menu that a draft has turned to, and the keys that lead back or to another page.

    The keys ``beside`` those are on every page. A ``crowded`` page leaves out the key that takes a move back
    if that key would need another row: players can also type the command.
    """
    number = draft.page % len(pages)
    turns = (composer.key("page", str(n), label) for n, label in neighbours(number, len(pages)))
    onward = (*beside, *turns)
    back = (_back_key(composer),) if draft.path else _undo_keys(composer, seat)
    needs_row = len(_rows(composer, (*onward, *back))) > max(1, len(_rows(composer, onward)))
    around = onward if crowded and needs_row and not draft.path else (*onward, *back)
    shown = tuple(pages[number])
    if not draft.path and len(shown) + len(around) < _MOST_WITH_HINT:
        around = _with_hint(composer, around)
    return shown, around


def _offers(composer: Composer, seat: Seat, items: Sequence[MenuItem]) -> list[Key]:
    """The items of a menu as keys.

    Beside moves with cards, a verb alone is no offer: offers may go into a list, verbs stay on every page.
    """
    key, alone = composer.key, [_is_verb(composer.table, item) for item in items]
    only_verbs = all(alone)
    return [
        key(
            "move",
            " ".join(item.words),
            item.label,
            _style(composer.table, seat, item.words),
            offer=only_verbs or not verb,
        )
        if item.done
        else key("pick", " ".join(item.words), leading_on(item.label), offer=only_verbs or not verb)
        for item, verb in zip(items, alone, strict=True)
    ]


def _style(table: Table, seat: Seat, words: Sequence[str]) -> MoveStyle:
    """How the button of a move stands out."""
    return table.game.style(table.view(seat), Move(words[0], tuple(words[1:])))


def _is_verb(table: Table, item: MenuItem) -> bool:
    """Whether an item is a verb alone."""
    return len(item.words) == 1 and item.words[0] in table.game.verbs


def _pinned_keys(composer: Composer, seat: Seat, path: Sequence[str], items: Sequence[MenuItem]) -> list[Key]:
    """The keys on every page of a wide verb: one plays the complete move, the others remove a word."""
    table, say = composer.table, composer.say
    view = table.view(seat)
    whole = [(_done_label(composer, item), _style(table, seat, item.words)) for item in items if item.done]
    done = [composer.key("done", "", label, "main" if style == "plain" else style) for label, style in whole]
    labels = ((word, table.game.label(view, (word,), say)) for word in path[1:])
    chosen = [composer.key("drop", word, f"✓ {label}", offer=True) for word, label in labels]
    return [*done, *chosen]


def _ending_keys(composer: Composer, seat: Seat, items: Iterable[MenuItem]) -> list[Key]:
    """The keys that add a last word to a move and play it; their labels are only that word."""
    table = composer.table
    return [
        composer.key(
            "move", " ".join(item.words), f"▶ {item.label}", _style(table, seat, item.words), offer=True
        )
        for item in items
    ]


def _done_label(composer: Composer, item: MenuItem) -> str:
    """The label of the key that plays the complete move, which the page spells out above the keys."""
    label = f"▶ {item.label}"
    if not composer.limits.buttons or cells(label) + PADDING <= ROW_CELLS // 2:
        return label
    short = composer.say(Text("Play it"))
    return f"▶ {short}"


def _undo_keys(composer: Composer, seat: Seat) -> tuple[Key, ...]:
    """The key that takes back the seat's last move, if no other person has openly moved since.

    There is none while players are asked whether a move may be taken back; nor, until the next move, once the
    seat's player has asked others anything that they have not granted.
    """
    table = composer.table
    if not moved_last(table, seat) or (table.question and table.question.kind == "undo"):
        return ()
    if not may_ask_again(table, seat):
        return ()
    return composer.keys((Text("Take back"), "undo", "plain"))


def _with_hint(composer: Composer, keys: tuple[Key, ...]) -> tuple[Key, ...]:
    """The last keys of a menu, and one for a hint if the table has hints and the keys' rows have room."""
    if not composer.table.hints:
        return keys
    hinted = (*keys, *composer.keys((Text("Hint"), "hint", "plain")))
    rows = [len(_rows(composer, some)) for some in (keys, hinted)]
    return hinted if not composer.limits.buttons or rows[1] <= max(rows[0], 1) else keys


def _rows(composer: Composer, keys: Sequence[Key]) -> list[int]:
    """The number of keys in each of the rows that they take."""
    return rows_of([key.label for key in keys], composer.limits)


def _back_key(composer: Composer) -> Key:
    return composer.key("top", "", composer.say(Text("Back")))
