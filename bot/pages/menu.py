"""Builds menus of buttons from a game's choices, and parses typed lines into moves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from bot.i18n import folded
from bot.model import Draft
from bot.tables.table import Table
from bot.tables.table_state import AnyGame
from engines.cards import Card, is_card
from engines.game import Move, Say, Seat
from engines.values import Value

Words = tuple[str, ...]


class MenuItem(Value):
    """A button of a menu."""

    label: str
    words: Words
    """A whole move if ``done``; else the path of the menu that the button opens."""
    done: bool


@dataclass(frozen=True, slots=True)
class Menu:
    """The menu of a seat, before its items are laid out as buttons."""

    stamp: int
    """Moves made at the table when the menu was built."""
    path: Words
    """The words picked so far; empty at the beginning."""
    items: tuple[MenuItem, ...]
    begun: Words = ()
    """The words with which all items begin; they are shown once above the buttons."""


def menu(
    game: AnyGame,
    state: Any,
    seat: Seat,
    say: Say,
    *,
    stamp: int,
    room: int,
    path: Words = (),
    view: Any = None,
) -> Menu:
    """The menu of a seat after the words in ``path``; ``view`` is the seat's, if the caller has it already.

    At most ``room`` moves are listed whole. If there are more, the best moves with wide verbs are still
    listed whole; for other moves the player picks the first word, mostly a card, and then the move. A
    wide verb (`Game.wide`) also has a button of its own, after which words are picked one by one.
    """
    view = game.view(state, seat) if view is None else view
    if path and path[0] in game.wide:
        return Menu(stamp, path, tuple(_compose(game, state, seat, view, path, say)), path)
    moves = list(game.moves(state, seat))
    if path:
        return _continued(game, view, moves, say, stamp, path)
    # Asking for choices can cost as much as listing all moves.
    verbs = game.choices(state, seat).words if game.wide else ()
    freely = tuple(
        MenuItem(game.label(view, (verb,), say), (verb,), done=False) for verb in verbs if verb in game.wide
    )
    suggested = [move for move in moves if move.verb in game.wide]
    others = [move for move in moves if move.verb not in game.wide]
    suggested = suggested[: max(room // 2, room - len(others) - len(freely))]
    whole = tuple(_move_item(game, view, move, say) for move in suggested)
    if len(whole) + len(others) + len(freely) > room:
        first = _by_first_word(game, view, others, say)
    else:
        first = tuple(_move_item(game, view, move, say) for move in others)
    best_is_wide = moves[:1] == suggested[:1]
    return Menu(stamp, path, (*whole, *first, *freely) if best_is_wide else (*first, *freely, *whole))


def resumed(table: Table, seat: Seat, draft: Draft) -> Draft:
    """The draft for the current state; empty if its path leads to no move or its player has moved since."""
    if draft.stamp == table.stamp:
        return draft
    if draft.stamp > table.stamp or table.acted_since(seat, draft.stamp):
        return Draft(table.stamp)
    game, state, path = table.game, table.state, draft.path
    if draft.asked:
        kept = game.choices(state, seat, path).done
    elif path and path[0] in game.wide:
        steps = range(len(path))
        kept = all(path[n] in game.choices(state, seat, path[:n]).words for n in steps)
    else:
        kept = not path or any(_first_word(move) == path[0] for move in game.moves(state, seat))
    return replace(draft, stamp=table.stamp) if kept else Draft(table.stamp)


def first_words(table: Table, seat: Seat, say: Say) -> list[str]:
    """The words with which a seat can begin a move that it composes step by step."""
    view = table.view(seat)
    begun = menu(table.game, table.state, seat, say, stamp=table.stamp, room=0, view=view).items
    return [item.words[0] for item in begun if not item.done]


def pressed(menu: Menu, line: str) -> MenuItem | None:
    """The item that a typed line names: by number from 1, by label, by last word, or by a group's letter.

    None if there is none.
    """
    for number, item in enumerate(menu.items, 1):
        if line.strip() == str(number):
            return item
    items = (item for item in menu.items if is_named(line, item.label, "" if item.done else item.words[-1]))
    return next(items, None)


def is_named(line: str, label: str, word: str = "") -> bool:
    """Whether a typed line names a choice by its label.

    A choice that adds a ``word`` to a move is also named by this word, and by the letter of its group.
    """
    meant = _bare(line)
    names = (label, word, _short_name(label)) if word else (label,)
    return bool(meant) and meant in map(_bare, names)


def _bare(label: str) -> str:
    """A label without case, accents and the marks around it."""
    return " ".join(folded(label).replace("−", "-").strip("…▶✓ ").split())


def _short_name(label: str) -> str:
    """The part of a word's label before a colon: the letter in ``C: 7♠ 8♠ 9♠``; empty without a colon."""
    name, colon, _ = label.partition(": ")
    return name if colon else ""


def typed(game: AnyGame, state: Any, seat: Seat, line: str, say: Say) -> str:
    """The action that a typed line means.

    A verb may be typed as its button's label, in the reader's language, and so may the words after it. The
    verb may be left out if only one legal move has the typed words: ``b3`` for ``place b3``. Anything else
    is returned as typed, so that the game refuses it with a reason.
    """
    words, view = line.split(), game.view(state, seat)
    verb, rest = _verb(words, _verbs(game, view, say))
    if verb:
        completed = game.complete(view, verb, rest)
        spelled = completed if verb in game.wide else _unlabelled(game, state, seat, verb, completed, say)
        return " ".join((verb, *spelled))
    begun = {verb: tuple(map(folded, game.complete(view, verb, words))) for verb in game.verbs}
    fitting = [
        move
        for move in game.moves(state, seat)
        if tuple(map(folded, move.words[: len(words)])) == begun[move.verb]
    ]
    return str(fitting[0]) if words and len(fitting) == 1 else line


def begins_with_verb(game: AnyGame, view: Any, line: str, say: Say) -> bool:
    """Whether a typed line begins with a verb of the game, or with the label of one."""
    return bool(_verb(line.split(), _verbs(game, view, say))[0])


def completions(game: AnyGame, state: Any, seat: Seat, line: str, say: Say) -> Iterator[str]:
    """Completions of a typed line, each as a whole line, best first."""
    words, view = line.split(), game.view(state, seat)
    begun = words.pop() if words and not line[-1].isspace() else ""
    head = "".join(word + " " for word in words)
    verbs = _verbs(game, view, say)
    verb, rest = _verb(words, verbs)
    if not verb:
        first = game.choices(state, seat).words
        yield from _completed(
            (name for word in first for name in _names(verbs, word)), " ".join(line.split())
        )
        return
    said: Words = (verb,)
    for word in game.complete(view, verb, rest):
        following = game.choices(state, seat, said).words
        known = next((known for known in following if folded(known) == folded(word)), "")
        if not known:
            # No move has this word, so that none goes on after it.
            return
        said = (*said, known)

    def as_typed(word: str) -> str:
        letter = _short_name(game.label(view, (word,), say))
        return letter if letter and game.complete(view, verb, (*rest, letter))[-1] == word else word

    for word in _completed(map(as_typed, game.choices(state, seat, said).words), begun):
        yield head + word


def _completed(words: Iterable[str], begun: str) -> Iterator[str]:
    """The words that continue the typed text."""
    meant = folded(begun)
    return (word for word in words if folded(word).startswith(meant) and folded(word) != meant)


def following(game: AnyGame, state: Any, seat: Seat, action: str) -> tuple[Words, Words]:
    """The longest beginning of an action that leads to a move, and the words that may follow."""
    said: Words = ()
    choices = game.choices(state, seat).words
    for word in action.split():
        known = next((known for known in choices if folded(known) == folded(word)), None)
        if known is None:
            break
        said = (*said, known)
        choices = game.choices(state, seat, said).words
    return said, choices


def _verbs(game: AnyGame, view: Any, say: Say) -> dict[str, str]:
    """The game's verbs by the names that players may type: the label of the button, or the verb itself."""
    said = {folded(game.label(view, (verb,), say)): verb for verb in game.verbs}
    return said | {verb: verb for verb in game.verbs}


def _names(verbs: Mapping[str, str], verb: str) -> list[str]:
    return [name for name, meant in verbs.items() if meant == verb]


def _verb(words: Sequence[str], verbs: Mapping[str, str]) -> tuple[str, list[str]]:
    """The verb that the words begin with, if any, and the other words."""
    longest = max(len(name.split()) for name in verbs)
    for n in range(min(len(words), longest), 0, -1):
        if verb := verbs.get(folded(" ".join(words[:n]))):
            return verb, list(words[n:])
    return "", list(words)


def _unlabelled(
    game: AnyGame, state: Any, seat: Seat, verb: str, words: Sequence[str], say: Say
) -> Iterator[str]:
    """The words after a verb, each label replaced by the word that it stands for."""
    view, said = game.view(state, seat), [verb]
    for n, word in enumerate(words):
        offered = game.choices(state, seat, tuple(said)).words
        known = next((one for one in offered if folded(one) == folded(word)), "")
        if not known:
            labelled = [one for one in offered if folded(word) in _names_on(game.label(view, (one,), say))]
            if len(labelled) != 1:
                # No move has this word, so that the words after it stand for nothing.
                yield from words[n:]
                return
            known = word = labelled[0]
        yield word
        said.append(known)


def _names_on(label: str) -> tuple[str, str]:
    """A label and its last word, as players may type them: ``♥ hearts`` and ``hearts``."""
    whole = folded(label)
    return whole, whole.rpartition(" ")[2]


def _compose(game: AnyGame, state: Any, seat: Seat, view: Any, path: Words, say: Say) -> Iterator[MenuItem]:
    """The items after a wide verb: the move if it is whole, then each next word, cards of the hand first."""
    choices = game.choices(state, seat, path)
    if choices.done:
        yield MenuItem(game.label(view, path, say), path, done=True)
    held = set((game.message(view) or {}).get("hand", ()))
    own = game.arrange(view, (Card(word) for word in choices.words if word in held), say)
    for word in (*own, *(word for word in choices.words if word not in held)):
        yield MenuItem(game.label(view, (word,), say), (*path, word), done=False)


def _by_first_word(game: AnyGame, view: Any, moves: Sequence[Move], say: Say) -> tuple[MenuItem, ...]:
    """One item for each first word of the moves, cards in the order of the hand.

    If all first words differ, the moves are listed whole, the best first.
    """
    picks: dict[str, list[Move]] = {}
    for move in moves:
        picks.setdefault(_first_word(move), []).append(move)
    if len(picks) == len(moves):
        return tuple(_move_item(game, view, move, say) for move in moves)
    cards = game.arrange(view, (Card(pick) for pick in picks if is_card(pick)), say)
    order = [*cards, *(pick for pick in picks if pick not in cards)]
    return tuple(_first_item(game, view, pick, picks[pick], say) for pick in order)


def _continued(game: AnyGame, view: Any, moves: Sequence[Move], say: Say, stamp: int, path: Words) -> Menu:
    """The menu of the moves that begin with the picked word.

    If they differ only in their last words, these are the labels.
    """
    here = [move for move in moves if move.verb not in game.wide and _first_word(move) == path[0]]
    begun = {(move.verb, *move.words[:-1]) for move in here if len(move.words) > 1}
    if len(begun) != 1 or any(len(move.words) < 2 for move in here):
        return Menu(stamp, path, tuple(_move_item(game, view, move, say) for move in here))
    items = tuple(
        MenuItem(game.label(view, move.words[-1:], say), (move.verb, *move.words), done=True) for move in here
    )
    return Menu(stamp, path, items, *begun)


def _first_word(move: Move) -> str:
    return move.words[0] if move.words else move.verb


def _move_item(game: AnyGame, view: Any, move: Move, say: Say) -> MenuItem:
    words = (move.verb, *move.words)
    return MenuItem(game.label(view, words, say), words, done=True)


def _first_item(game: AnyGame, view: Any, pick: str, moves: Sequence[Move], say: Say) -> MenuItem:
    if len(moves) == 1:
        return _move_item(game, view, moves[0], say)
    return MenuItem(game.label(view, (pick,), say), (pick,), done=False)
