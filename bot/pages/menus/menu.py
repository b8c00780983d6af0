"""Builds the menu of a seat: its moves as buttons, grouped where a page has no room for all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from operator import itemgetter
from typing import Any

from bot.model.panels import Draft
from bot.pages.menus.labels import leading_on
from bot.pages.menus.menu_items import Menu, MenuItem, Words
from bot.pages.menus.offered_moves import offer_label, offered_moves, planned_first
from bot.pages.menus.picked_cards import ListedMoves, composed, has_cards, is_cards
from bot.pages.menus.rows import ROW_CELLS
from bot.pages.menus.wide_verbs import limited, moves_of_cards, words_after
from bot.settings.choices import SuggestedMoves
from bot.tables.log.table_state import AnyGame
from bot.tables.table import Table
from engines.cards import Card, is_card
from engines.game import Move, Plan, Say, Seat, plural
from engines.values import Value, replace

Fits = Callable[[Sequence[str]], bool]
"""Whether a page has room for buttons with these labels."""
InSight = Callable[[Sequence[str], Sequence[str]], bool]
"""Whether a page has buttons for all of the first labels, if it may move the second labels into a list."""

_FEWEST_BARE = 6
"""The fewest moves of one verb, each with one card, whose buttons say only the card."""
_LONG_LABEL = "W" * ROW_CELLS
"""A label that takes a row of buttons."""
_ALWAYS_SUGGESTED = 6
"""The most suggestions that are listed whole even on a page that has no room for them."""


def always(*labels: Sequence[str]) -> bool:
    """Stands for `Fits` and `InSight` where a page has room for all buttons."""
    return True


class PageRoom(Value):
    """The room of a page for a menu, and what its reader wants listed there."""

    most: int
    """The most items of a menu that lists all moves whole; if there are more, moves are grouped."""
    fits: Fits = always
    in_sight: InSight = always
    bare: bool = False
    """Whether many moves of one verb, each with one card, are labelled by their cards alone."""
    suggested: SuggestedMoves = "full"
    """How many moves with wide verbs are listed whole."""


def menu(
    game: AnyGame,
    state: Any,
    seat: Seat,
    say: Say,
    *,
    stamp: int,
    room: PageRoom,
    path: Words = (),
    view: Any = None,
    known: Sequence[Move] | None = None,
) -> Menu:
    """The menu of a seat after the words in ``path``.

    ``view`` is the seat's, and ``known`` are its `Game.moves`, if the caller has them already.

    If there are more moves than the page has ``room`` for, the best moves with wide verbs are still listed
    whole; of other moves the player picks the verb or the first word, mostly a card, so that few moves take
    more than two presses and many only one. Buttons that are not `PageRoom.in_sight` are in a list, which
    takes a press to open. A wide verb (`Game.wide`) also has a button of its own, after which words are
    picked one by one. The menu names the verb that `PageRoom.bare` leaves out of labels.
    """
    view = game.view(state, seat) if view is None else view
    if path and path[0] in game.wide:
        return Menu(stamp, path, tuple(words_after(game, state, seat, view, path, say)), path)
    plan = game.plan(view) if game.wide else None
    known = tuple(game.moves(state, seat)) if known is None else known
    moves = limited(game, planned_first(known, plan), room.suggested)
    others = ListedMoves(game, moves)
    worths = _worths(game, view, others.moves)
    space = _Space(game, view, say, room, others, worths, plan)
    if path:
        wide = [move for move in moves if move.verb in game.wide and has_cards(move, path)]
        moves_with_cards = moves_of_cards(game, state, seat, view, path, say) if is_cards(path) else ()
        return space.continued(stamp, path, wide, tuple(moves_with_cards))
    # Asking for choices can cost as much as listing all moves.
    verbs = game.choices(state, seat).words if game.wide else ()
    verbs_alone = tuple(
        MenuItem(game.label(view, (verb,), say), (verb,), done=False) for verb in verbs if verb in game.wide
    )
    offered = [space.item(move) for move in moves if move.verb in game.wide]
    bare_verb = _bare_verb(moves) if room.bare else ""
    best = offered[: room.most // 2]
    # Labels cost most: none are written for a list that is too long however short they are.
    listed = None
    if len(best) + len(others.moves) + len(verbs_alone) <= room.most:
        listed = [space.item(move, bare_verb) for move in others.moves]
    if listed is None or not space.holds((*best, *listed, *verbs_alone)):
        bare_verb, listed = space.grouped(bare_verb, (*best, *verbs_alone))
    while len(offered) > min(room.most // 2, _ALWAYS_SUGGESTED) and not space.holds(
        (*offered, *listed, *verbs_alone)
    ):
        offered.pop()
    is_wide = bool(moves) and moves[0].verb in game.wide
    items = (*offered, *listed, *verbs_alone) if is_wide else (*listed, *verbs_alone, *offered)
    return Menu(stamp, path, items, bare=bare_verb)


def resumed(table: Table, seat: Seat, draft: Draft) -> Draft:
    """The draft for the current state; empty if it is outdated or its path leads to no move.

    It is outdated once its player has moved or any move was taken back, and if its stamp is ahead of the
    table's.
    """
    if draft.stamp == table.stamp:
        return draft
    if draft.stamp > table.stamp or table.acted_since(seat, draft.stamp):
        return Draft(table.stamp)
    game, state, path = table.game, table.state, draft.path
    is_possible = (
        game.choices(state, seat, path).done if draft.asked else not path or can_begin(table, seat, path)
    )
    return replace(draft, stamp=table.stamp) if is_possible else Draft(table.stamp)


def can_begin(table: Table, seat: Seat, path: Words) -> bool:
    """Whether a menu may have a button that leads to the moves with the words of ``path``."""
    game, state = table.game, table.state
    if path[0] in game.wide:
        return all(word in game.choices(state, seat, path[:n]).words for n, word in enumerate(path))
    if is_cards(path) and any(composed(game, state, seat, path)):
        return True
    moves = offered_moves(game, state, seat)
    return bool(ListedMoves(game, moves).begun(path)) or any(has_cards(move, path) for move in moves)


@dataclass(frozen=True, slots=True)
class _Space:
    """Lays out the items of a menu in the room that its page has."""

    game: AnyGame
    view: Any
    say: Say
    room: PageRoom
    others: ListedMoves
    """The moves that are grouped if they are too many."""
    worths: Mapping[Move, int]
    """The points of the moves that score more than another like them."""
    plan: Plan | None = None
    known_labels: dict[Words, str] = field(default_factory=dict)
    """The labels written so far, by their words."""
    known_hidden: dict[Words, int] = field(default_factory=dict)
    """How many moves are `hidden` behind each item that was looked at, by its words."""

    def holds(self, items: Sequence[MenuItem]) -> bool:
        """Whether all items can be listed at once."""
        return len(items) <= self.room.most and self.room.fits(_labels(items))

    def item(self, move: Move, bare: str = "") -> MenuItem:
        """A whole move as an item, labelled without its verb if that is ``bare``."""
        words = (move.verb, *move.words)
        return self.labelled(move, words[move.verb == bare :])

    def labelled(self, move: Move, label_words: Words) -> MenuItem:
        """A whole move, labelled by some of its words, and by its points if others like it score less."""
        words = (move.verb, *move.words)
        if self.plan and label_words == words:
            label = offer_label(self.game, self.view, move, self.say, self.plan)
        else:
            label = self.label(label_words)
        if self.worths and (points := self.worths.get(move, 0)):
            label = self.say(plural("{move}, {n} point", "{move}, {n} points", points, move=label))
        return MenuItem(label, words, done=True)

    def label(self, label_words: Words) -> str:
        """The label of a button with these words; kept, since many moves have the same last word."""
        if (label := self.known_labels.get(label_words)) is None:
            label = self.known_labels[label_words] = self.game.label(self.view, label_words, self.say)
        return label

    def grouped(self, bare: str, beside: Sequence[MenuItem]) -> tuple[str, list[MenuItem]]:
        """The verb that buttons leave out, and the items for moves that a page has no room to list whole.

        Lists them whole all the same if no two have the same first word. Else groups them by verb, by first
        word but for the best verb, or by first word alone: so that the fewest moves take more than two
        presses, then so that the most are listed whole.
        """
        moves = self.others.moves
        if len({_first_word(move) for move in moves}) == len(moves):
            return bare, [self.item(move, bare) for move in moves]
        by_word, by_verb = list(self.by_first_word(moves)), self.by_verb(bare, beside)
        groupings = [by_word, by_verb]
        # Without lists, as in a terminal, the best moves are never behind a card.
        if self.room.in_sight is not always and len({move.verb for move in moves}) > 1:
            groupings.insert(1, list(self.by_first_word(moves, split=False)))
        groupings.sort(key=_whole, reverse=True)
        # The first grouping without a far move is taken: judging all takes longer than the rest of a menu.
        perfect = (items for items in groupings if not self.far(items, beside))
        best = next(perfect, None) or min(groupings, key=partial(self.far, beside=beside))
        is_left_out = best is by_verb and any(_is_bare(item, bare) for item in best)
        return bare if is_left_out else "", self.ordered(best)

    def ordered(self, items: list[MenuItem]) -> list[MenuItem]:
        """The items, reordered so that those that lead on stay out of a list, where there is room.

        From a list, a move behind such an item would take three presses.
        """
        whole = [item for item in items if item.done]
        if len(whole) == len(items) or self.room.in_sight(_labels(items), ()):
            return items
        for shown in range(len(whole), -1, -1):
            listed = whole[shown:]
            head = [item for item in items if item not in listed]
            if self.room.in_sight(_labels(head), _labels(listed)):
                return [*head, *listed]
        return items

    def far(self, items: Sequence[MenuItem], beside: Sequence[MenuItem]) -> int:
        """How many of the moves behind the items take more than two presses."""
        if not self.holds((*items, *beside)):
            return len(self.others.moves)
        onward = [item for item in items if not item.done]
        if not self.room.in_sight(_labels(onward), _labels(item for item in items if item.done)):
            return len(self.others.moves) - _whole(items)
        return sum(map(self.hidden, onward))

    def hidden(self, item: MenuItem) -> int:
        """How many of the moves behind an item need more than one press on the page that it opens."""
        if (hidden := self.known_hidden.get(item.words)) is None:
            hidden = self.known_hidden[item.words] = self._count_hidden(item)
        return hidden

    def _count_hidden(self, item: MenuItem) -> int:
        """As `hidden`, for an item that was not looked at yet."""
        begun = self.others.begun(item.words)
        if len(begun) <= self.room.most and self.room.in_sight([_LONG_LABEL] * len(begun), ()):
            # The page has room for them however long their labels are, so that none need be written.
            return 0
        behind = self.continued(0, item.words).items
        if not self.room.in_sight(_labels(behind), ()):
            return len(begun)
        return sum(len(self.others.begun(onward.words)) for onward in behind if not onward.done)

    def by_verb(self, bare: str, beside: Sequence[MenuItem]) -> list[MenuItem]:
        """Whole moves, but for the last verbs only an item each, if there is not enough room otherwise.

        The verbs of which the turn needs one are always listed whole.
        """
        groups: dict[str, list[Move]] = {}
        for move in self.others.moves:
            groups.setdefault(move.verb, []).append(move)
        alone: dict[str, MenuItem] = {}

        def items() -> list[MenuItem]:
            listed: list[MenuItem] = []
            for verb, some in groups.items():
                listed += [alone[verb]] if verb in alone else [self.item(move, bare) for move in some]
            return listed

        count = len(self.others.moves) + len(beside)
        for verb in reversed(groups):
            # No labels are written for moves that are too many however short these are.
            if count <= self.room.most and self.holds([*items(), *beside]):
                break
            if len(groups[verb]) > 1 and verb not in self.game.compulsory:
                alone[verb] = MenuItem(self.label((verb,)), (verb,), done=False)
                count += 1 - len(groups[verb])
        return items()

    def by_first_word(
        self, moves: Sequence[Move], begun: Words = (), *, split: bool = True
    ) -> Iterator[MenuItem]:
        """One item for each first word of the moves, cards in the order of the hand.

        If all first words differ, the moves are listed whole, in their own order. With ``split``, the moves
        with the best verb come first, in items of their own. The paths of the other items begin with
        ``begun``.
        """
        picks: dict[str, list[Move]] = {}
        for move in moves:
            picks.setdefault(_first_word(move), []).append(move)
        if len(picks) == len(moves):
            yield from map(self.item, moves)
            return
        cards = self.game.arrange(self.view, (Card(pick) for pick in picks if is_card(pick)), self.say)
        order = (*cards, *(pick for pick in picks if pick not in cards))
        verbs = {move.verb for move in moves}
        # The first verb is the best, such as a capture: nobody would look for it behind a card to be thrown.
        best = min(verbs, key=self.game.verbs.index) if split and len(verbs) > 1 else ""
        for pick in order:
            if good := [move for move in picks[pick] if move.verb == best]:
                picks[pick] = [move for move in picks[pick] if move.verb != best]
                yield self.move_or_step((best, pick) if picks[pick] else (pick,), good)
        for pick in order:
            if picks[pick]:
                yield self.move_or_step((*begun, pick), picks[pick], (pick,))

    def move_or_step(self, path: Words, moves: Sequence[Move], label_words: Words = ()) -> MenuItem:
        """The move behind a path, or an item that leads to several, labelled by these words or the path."""
        if len(moves) == 1:
            return self.item(moves[0])
        return MenuItem(self.label(label_words or path), path, done=False)

    def continued(
        self, stamp: int, path: Words, wide: Sequence[Move] = (), of_cards: Sequence[MenuItem] = ()
    ) -> Menu:
        """The menu of the moves that begin with the picked words, or have the picked cards.

        The moves with ``wide`` verbs and the items ``of_cards`` have the picked cards too. Without any of
        these, moves that differ only in their last words are labelled by them; and other moves of a picked
        verb are grouped by first word if there is no room for all.
        """
        game, here = self.game, self.others.begun(path)
        if of_cards or wide:
            items = [self.item(move) for move in (*wide[: self.room.most // 2], *here)]
            return Menu(stamp, path, (*items, *of_cards))
        # A label needs a word that is not in the path: a path without a verb has the first word already.
        fewest = 1 if path[0] in game.verbs else 2
        begun = {(move.verb, *move.words[:-1]) if len(move.words) >= fewest else () for move in here}
        if len(begun) == 1 and () not in begun:
            items = [self.labelled(move, move.words[-1:]) for move in here]
            return Menu(stamp, path, tuple(items), begun.pop())
        is_verb = len(path) == 1 and any(move.verb == path[0] for move in here)
        # No labels are written for moves that are too many however short these are.
        items = [] if is_verb and len(here) > self.room.most else [self.item(move) for move in here]
        if is_verb and not (items and self.holds(items)):
            items = list(self.by_first_word(here, path))
        return Menu(stamp, path, tuple(items))


def _worths(game: AnyGame, view: Any, moves: Iterable[Move]) -> dict[Move, int]:
    """The points of the moves that score something where another with cards of the same ranks scores less."""
    alike: dict[Words, list[Move]] = {}
    for move in moves:
        if move.verb in game.valued:
            alike.setdefault((move.verb, *map(_ranks, move.words)), []).append(move)
    found: dict[Move, int] = {}
    for some in alike.values():
        if len(some) > 1:
            worths = [game.worth(view, move) for move in some]
            least = min(worths)
            if max(worths) > least:
                found |= {move: n for move, n in zip(some, worths, strict=True) if n > least}
    return found


@lru_cache(1 << 12)
def _ranks(word: str) -> str:
    """The ranks of the cards in a word; any other word as it is."""
    return "+".join(Card(part).rank if is_card(part) else part for part in word.split("+"))


def _first_word(move: Move) -> str:
    """The first word of a move after its verb; of a move without words, the verb."""
    return move.words[0] if move.words else move.verb


def _bare_verb(moves: Sequence[Move]) -> str:
    """The verb that has so many moves with one card that their buttons need not repeat it; empty if none."""
    counts: dict[str, int] = {}
    for move in moves:
        if len(move.words) == 1 and is_card(move.words[0]):
            counts[move.verb] = counts.get(move.verb, 0) + 1
    verb, count = max(counts.items(), key=itemgetter(1), default=("", 0))
    return verb if count >= _FEWEST_BARE else ""


def _is_bare(item: MenuItem, bare: str) -> bool:
    """Whether an item is a move whose label leaves out its verb ``bare``."""
    return item.done and item.words[0] == bare


def _whole(items: Iterable[MenuItem]) -> int:
    """The number of whole moves among the items."""
    return sum(item.done for item in items)


def _labels(items: Iterable[MenuItem]) -> list[str]:
    """The labels of the items' buttons."""
    return [item.label if item.done else leading_on(item.label) for item in items]
