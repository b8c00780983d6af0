"""Reads moves as players type them, and completes a move that is being typed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import dropwhile
from typing import Any, NamedTuple

from bot.i18n import Speech, folded
from bot.nearest import did_you_mean
from bot.pages.menus.labels import bare, begins_bare, names_bare, short_name
from bot.pages.menus.menu import can_begin
from bot.pages.menus.menu_items import Words
from bot.pages.menus.offered_moves import offered_moves
from bot.pages.menus.picked_cards import beginnings, cards_of, named_cards, picked_cards, playable_cards
from bot.settings.choices import LANGUAGES
from bot.tables.log.table_state import AnyGame
from bot.tables.table import Table
from engines.cards import BACKS, Card
from engines.game import IllegalMove, Move, Say, Seat, Text

_NEAR = 0.7
"""How alike a typed word and a verb must be to be taken for each other, from 0 to 1 (`difflib`)."""
_LONGEST_CORRECTED = 60
"""The most characters of a line whose verb is corrected."""


def typed(game: AnyGame, state: Any, seat: Seat, line: str, say: Say) -> str:
    """The action that a typed line means.

    A verb may be typed as its button's label, in the reader's language, and so may the words after one that
    is not wide. The verb may be left out if only one legal move has the typed words: ``b3`` for ``place b3``.
    A move may also be typed as menus and hints name it: ``6♣, then 7♦``. Cards alone mean the only move that
    has them all; other words that begin the name of only one move, that move: ``keep`` for ``Keep the 3♥``.
    Anything else is returned as typed, so that the game refuses it with a reason.
    """
    return read(game, state, seat, line, say).action


class Reading(NamedTuple):
    """The meaning of a typed line: an action, or cards that name no single whole move."""

    action: str
    cards: Words = ()


def read(game: AnyGame, state: Any, seat: Seat, line: str, say: Say) -> Reading:
    """The action that a line means, as `typed` gives it; or its cards, if `Picked` has no move for them."""
    action = _action(game, state, seat, line, say)
    try:
        game.act(state, seat, action)
    except IllegalMove:
        labelled, begun = _labelled_moves(game, state, seat, line, say)
        if labelled:
            return Reading(str(labelled[0]))
        picked = picked_cards(game, state, seat, line)
        if picked.cards and not picked.move:
            return Reading(action, picked.cards)
        meant = picked.move or _with_only_verb(game, state, seat, line, say)
        return Reading(meant or _only_begun(game, state, seat, action, begun) or action)
    return Reading(action)


def _labelled_moves(
    game: AnyGame, state: Any, seat: Seat, line: str, say: Say
) -> tuple[Sequence[Move], Sequence[Move]]:
    """The offered moves whose label in a menu is the typed line, and those whose label it only begins.

    If it begins none, its verb may stand for a label's first word: “construir 9” for “Hacer 9: 5♠+4♣”.
    """
    view, labelled, begun, after_verb = game.view(state, seat), list[Move](), list[Move](), list[Move]()
    meant, (verb, rest) = bare(line), _verb(line.split(), _verbs(game, view, say))
    after = bare(" ".join(rest)) if verb else ""
    for move, label, others in _labels.of(game, state, seat, say) if meant else ():
        # Most labels don't hold the line at all, which costs no call to find out.
        if meant in label and names_bare(meant, label):
            labelled.append(move)
        elif meant in label and begins_bare(meant, label):
            begun.append(move)
        elif after and after in others and move.verb == verb and _is_after_verb(after, others):
            after_verb.append(move)
    return labelled, begun or after_verb


def _is_after_verb(meant: str, others: str) -> bool:
    """Whether bare words are those of a label after its first, or begin them."""
    return names_bare(meant, others) or begins_bare(meant, others)


class _Labelled(NamedTuple):
    """An offered move with its label, as typed lines are compared with it."""

    move: Move
    label: str
    """The bare label."""
    others: str
    """The bare label after its first word; empty if that is no word, but a card or a mark."""


class _Labels:
    """The labels of the moves in the state asked for last, since a line may be read several times."""

    def __init__(self) -> None:
        self._asked: tuple[AnyGame, Seat, Say] | None = None
        self._state: Any = None
        self._labelled: Sequence[_Labelled] = ()

    def of(self, game: AnyGame, state: Any, seat: Seat, say: Say) -> Sequence[_Labelled]:
        """The offered moves of a seat, with their labels in a language."""
        if state is not self._state or (game, seat, say) != self._asked:
            view = game.view(state, seat)
            self._labelled = [
                _labelled(move, game.label(view, (move.verb, *move.words), say))
                for move in offered_moves(game, state, seat, view)
            ]
            self._state, self._asked = state, (game, seat, say)
        return self._labelled


def _labelled(move: Move, label: str) -> _Labelled:
    whole = bare(label)
    is_word = label.partition(" ")[0].isalpha()
    return _Labelled(move, whole, whole.partition(" ")[2] if is_word else "")


_labels = _Labels()


def begun_moves(game: AnyGame, state: Any, seat: Seat, line: str, say: Say) -> Sequence[Move]:
    """The offered moves whose labels a typed line begins; none if the line may begin an action instead."""
    begun = _labelled_moves(game, state, seat, line, say)[1]
    action = _action(game, state, seat, line, say) if begun else ""
    return () if begun and _may_begin_action(game, state, seat, action) else begun


def _only_begun(game: AnyGame, state: Any, seat: Seat, action: str, begun: Sequence[Move]) -> str:
    """The only move whose label a line begins; empty if there is none, or if its action may go on.

    A move with a wide verb never counts as the only one, since only a few of those are offered.
    """
    if len(begun) != 1 or begun[0].verb in game.wide:
        return ""
    return "" if _may_begin_action(game, state, seat, action) else str(begun[0])


def _may_begin_action(game: AnyGame, state: Any, seat: Seat, action: str) -> bool:
    """Whether the first words of an action begin a move; the last of them may be cut short, as 7 for 7D."""
    begun, words = following(game, state, seat, action)
    rest = [folded(word) for word in action.split()[len(begun) :]]
    parts = (part for word in words for part in (word, *word.split("+")))
    return bool(begun) and (not rest or any(folded(part).startswith(rest[0]) for part in parts))


def _with_only_verb(game: AnyGame, state: Any, seat: Seat, line: str, say: Say) -> str:
    """The action of a line in a game with one verb, which may be left out; empty if its words are unknown.

    Also empty in a game with more verbs, and without a legal move. Words that the labels of all moves share
    may come first: ``7♥ b2``, ``7♥ to b2`` and ``place 7♥ to b2`` for ``place b2``.
    """
    if len(game.verbs) > 1 or not (moves := tuple(game.moves(state, seat))):
        return ""
    (verb,), view = game.verbs, game.view(state, seat)
    words = tuple(_verb(line.split(), _verbs(game, view, say))[1])
    labels = [game.label(view, (verb, *move.words), say) for move in moves]
    leading = [folded(label).split()[:-1] for label in labels]
    rest = tuple(dropwhile(lambda word: all(folded(word) in each for each in leading), words))
    action = " ".join((verb, *rest))
    try:
        game.act(state, seat, action)
    except IllegalMove as illegal:
        return "" if illegal.code == "unknown-action" and rest == words else action
    return action


def _action(game: AnyGame, state: Any, seat: Seat, line: str, say: Say) -> str:
    """The action of a line that begins with a verb, or whose words begin a single move; else the line itself.

    A verb may be its label, and so may the words after one that is not wide.
    """
    words, view = line.split(), game.view(state, seat)
    verb, rest = _verb(words, _verbs(game, view, say))
    if verb:
        completed = game.complete(view, verb, rest)
        spelled = completed if verb in game.wide else _unlabelled(game, state, seat, verb, completed, say)
        return " ".join((verb, *spelled))
    begun = {verb: tuple(map(folded, game.complete(view, verb, words))) for verb in game.verbs}
    # The moves with wide verbs are only suggestions: their first words may begin many moves not listed.
    fitting = [
        move
        for move in game.moves(state, seat)
        if tuple(map(folded, move.words[: len(words)])) == begun[move.verb]
        and (move.verb not in game.wide or len(move.words) == len(words))
    ]
    return str(fitting[0]) if words and len(fitting) == 1 else line


def unfinished(table: Table, seat: Seat, reading: Reading) -> Words:
    """The words of an action that is only the beginning of a move, if a menu can go on from it; else none.

    Cards alone begin the moves that have them all.
    """
    action = reading.action
    if reading.cards:
        return reading.cards
    begun, words = following(table.game, table.state, seat, action)
    is_beginning = bool(begun and words) and len(begun) == len(action.split())
    if not is_beginning or table.game.choices(table.state, seat, begun).done:
        return ()
    return begun if begun[0] in table.game.wide or can_begin(table, seat, begun) else ()


def begins_with_verb(game: AnyGame, view: Any, line: str, say: Say) -> bool:
    """Whether a typed line begins with a verb of the game, or with the label of one."""
    return bool(_verb(line.split(), _verbs(game, view, say))[0])


def with_begun_verb(game: AnyGame, view: Any, line: str, say: Say) -> str:
    """A line with its verb in full, if it, or its first word, begins the name of only one verb: ``cap 3S``.

    Any other line comes back as it is.
    """
    words = line.split()
    if not words or _verb(words, _verbs(game, view, say))[0]:
        return line
    found = _verbs_begun(game, view, " ".join(words), say)
    if len(found) == 1:
        return found.pop()
    found = _verbs_begun(game, view, words[0], say)
    return " ".join((*found, *words[1:])) if len(found) == 1 else line


def _verbs_begun(game: AnyGame, view: Any, text: str, say: Say) -> set[str]:
    """The verbs of which a name begins with a text of more than one letter."""
    names = _verbs(game, view, say).items()
    return {verb for name, verb in names if len(text) > 1 and name.startswith(folded(text))}


def begins_word(game: AnyGame, state: Any, seat: Seat, text: str, say: Say) -> bool:
    """Whether a text begins a word that a move can have now (a verb, a card, a group's letter) or a label."""
    view, begun = game.view(state, seat), folded(text)
    words = [
        name for name, verb in _verbs(game, view, say).items() if verb in game.choices(state, seat).words
    ]
    words += [part for move in game.moves(state, seat) for word in move.words for part in word.split("+")]
    words += playable_cards(game, state, seat)
    groups = (beginning.path[1:] for beginning in beginnings(game, state, seat) if len(beginning.path) > 1)
    words += [short_name(game.label(view, group, say)) for group in groups]
    words += [game.label(view, (move.verb, *move.words), say) for move in game.moves(state, seat)]
    return any(folded(word).startswith(begun) for word in words)


def nearest_line(game: AnyGame, view: Any, line: str, say: Say, others: Iterable[str] = ()) -> str:
    """The line that a player probably meant: with its misspelled verb corrected, or one of ``others``.

    Verbs of all languages are recognised, and returned in the reader's. Empty if the line is near nothing,
    begins with a verb or is longer than `_LONGEST_CORRECTED`.
    """
    words = line.split()
    if not words or len(line) > _LONGEST_CORRECTED or _verb(words, _verbs(game, view, say))[0]:
        return ""
    labels = {verb: game.label(view, (verb,), say).lower() for verb in game.verbs}
    meant = {
        name: labels[verb]
        # A name with two meanings has that of the reader's language, which comes last.
        for language in reversed((*_languages(say),))
        for name, verb in _verbs(game, view, language).items()
    }
    near: list[tuple[float, str]] = []
    for n in (1, 2):
        typed_verb = SequenceMatcher(b=folded(" ".join(words[:n])))
        near += [
            (_likeness(typed_verb, name), " ".join((label, *words[n:]))) for name, label in meant.items()
        ]
    typed_line = SequenceMatcher(b=folded(line))
    near += [(_likeness(typed_line, folded(other)), other) for other in others]
    likeness, best = max(near)
    return best if likeness >= _NEAR else ""


def _likeness(typed_words: SequenceMatcher[str], name: str) -> float:
    """The likeness of a name to the typed words, from 0 to 1; 0 if a quick check finds them too different."""
    typed_words.set_seq1(name)
    if typed_words.real_quick_ratio() < _NEAR or typed_words.quick_ratio() < _NEAR:
        return 0.0
    return typed_words.ratio()


def corrected(
    game: AnyGame, state: Any, seat: Seat, line: str, say: Say, reason: Text, others: Iterable[str] = ()
) -> Text | None:
    """The refusal of a line that is no move: it names the cards that have no move, or a near line.

    None if the line is neither cards nor near to anything.
    """
    if cards := named_cards(line):
        return _refused_cards(game, state, seat, cards)
    meant = _with_whole_verb(game, state, seat, line, say)
    meant = meant or nearest_line(game, game.view(state, seat), line, say, others)
    return did_you_mean(reason, meant) if meant else None


def impossible_verb(game: AnyGame, state: Any, seat: Seat, action: str, say: Say) -> Text | None:
    """The refusal of an action whose verb has no move now; None if the verb has one or is no verb."""
    verb = action.partition(" ")[0]
    if verb not in game.verbs or verb in game.choices(state, seat).words:
        return None
    return Text("You can't play “{verb}” right now.", verb=game.label(game.view(state, seat), (verb,), say))


def _refused_cards(game: AnyGame, state: Any, seat: Seat, cards: tuple[Card, ...]) -> Text:
    """Why there is no move with these cards: names the first unknown, repeated or missing one; else all."""
    if strange := [card for card in cards if not game.has_card(card)]:
        return Text("There is no {card} in this game.", card=strange[0])
    if repeated := [card for card in cards if cards.count(card) > _copies(game, card)]:
        card, n = repeated[0], cards.count(repeated[0])
        if n == 2:
            return Text("You typed {card} twice.", card=card)
        return Text("You typed {card} {n} times.", card=card, n=n)
    if told := missing_card(game, state, seat, cards):
        return told
    return Text("You have no move with {cards} right now.", cards=cards)


def _copies(game: AnyGame, card: Card) -> int:
    """How many cards of the game a typed card may be: more than one if it has no back and the game's have."""
    return 1 if card.back else sum(game.has_card(Card(f"{card}{back}")) for back in BACKS) or 1


def missing_card(game: AnyGame, state: Any, seat: Seat, cards: Sequence[Card]) -> Text | None:
    """The refusal of the first card that the player doesn't hold and no move has.

    None if there is no such card, or if the player holds none.
    """
    hand = (game.message(game.view(state, seat)) or {}).get("hand", ())
    known = {(card.rank, card.suit) for card in map(Card, (*hand, *playable_cards(game, state, seat)))}
    missing = [card for card in cards if (card.rank, card.suit) not in known]
    if not hand or not missing:
        return None
    return Text("{card} isn't in your hand, and no move takes it now.", card=missing[0])


def _with_whole_verb(game: AnyGame, state: Any, seat: Seat, line: str, say: Say) -> str:
    """The line with a verb for its first word: one that this word begins, or else the game's only verb.

    The verb is in the reader's language. Empty if no such line, or more than one, is a legal move; also if
    the line begins with a verb already or is a single word.
    """
    first, *rest = line.split() or ("",)
    view = game.view(state, seat)
    if not rest or _verb(line.split(), _verbs(game, view, say))[0]:
        return ""
    begun = _verbs_begun(game, view, first, say) or (game.verbs if len(game.verbs) == 1 else ())
    legal = [verb for verb in begun if _is_legal(game, state, seat, " ".join((verb, *rest)), say)]
    return " ".join((game.label(view, (legal[0],), say).lower(), *rest)) if len(legal) == 1 else ""


def _is_legal(game: AnyGame, state: Any, seat: Seat, line: str, say: Say) -> bool:
    """Whether a line that begins with a verb is a legal move."""
    try:
        game.act(state, seat, _action(game, state, seat, line, say))
    except IllegalMove:
        return False
    return True


def _languages(say: Say) -> Iterator[Say]:
    """The reader's language, and the others."""
    yield say
    yield from (Speech(locale) for locale in LANGUAGES if locale != say.locale)


def completions(game: AnyGame, state: Any, seat: Seat, line: str, say: Say) -> Iterator[str]:
    """Completions of a typed line, each as a whole line, in the order of `Game.choices`."""
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
    path: Words = (verb,)
    for word in _unlabelled(game, state, seat, verb, game.complete(view, verb, rest), say):
        choices = game.choices(state, seat, path).words
        known = next((known for known in choices if folded(known) == folded(word)), "")
        if not known:
            # No move has this word, so that none goes on after it.
            return
        path = (*path, known)
    offered = (
        name
        for word in game.choices(state, seat, path).words
        for name in _typed_names(game, view, (verb, *rest), word, say)
    )
    for word in _completed(offered, begun):
        yield head + word


def spelled_move(game: AnyGame, view: Any, move: Move, say: Say) -> str:
    """A move as its player could type it: its verb in the reader's language, groups by their letters."""
    before: Words = (move.verb,)
    for word in move.words:
        before = (*before, spelled_word(game, view, before, word, say))
    return " ".join((game.label(view, (move.verb,), say).lower(), *before[1:]))


def spelled_word(game: AnyGame, view: Any, before: Words, word: str, say: Say) -> str:
    """A word as a player could type it after the words ``before`` it, of which the first is the verb.

    A group is its letter, and a word with a label, such as ``yes``, the last word of that label in the
    reader's language; cards and other words are typed as they are.
    """
    label = game.label(view, (word,), say)
    if letter := short_name(label):
        verb, *rest = before
        return letter if game.complete(view, verb, (*rest, letter))[-1] == word else word
    name = label.split()[-1].lower()
    return name if name.isalpha() and not cards_of(Move(before[0], (word,))) else word


def _typed_names(game: AnyGame, view: Any, before: Words, word: str, say: Say) -> Iterable[str]:
    """A word as `spelled_word` has it, then, if it isn't the name of a group, as it is."""
    spelled = spelled_word(game, view, before, word, say)
    return dict.fromkeys((spelled, word) if word.isalpha() else (spelled,))


def _completed(words: Iterable[str], begun: str) -> Iterator[str]:
    """The words that begin with the typed text and are longer."""
    start = folded(begun)
    return (word for word in words if folded(word).startswith(start) and folded(word) != start)


def following(game: AnyGame, state: Any, seat: Seat, action: str) -> tuple[Words, Words]:
    """The longest beginning of an action that leads to a move, and the words that may follow."""
    begun: Words = ()
    choices = game.choices(state, seat).words
    for word in action.split():
        known = next((known for known in choices if folded(known) == folded(word)), None)
        if known is None:
            break
        begun = (*begun, known)
        choices = game.choices(state, seat, begun).words
    return begun, choices


def _verbs(game: AnyGame, view: Any, say: Say) -> dict[str, str]:
    """The game's verbs by the names that players may type: the label of the button, or the verb itself."""
    labelled = {folded(game.label(view, (verb,), say)): verb for verb in game.verbs}
    return labelled | {verb: verb for verb in game.verbs}


def _names(verbs: Mapping[str, str], verb: str) -> list[str]:
    """The names by which players may type a verb."""
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
    view, path, rest = game.view(state, seat), [verb], list(words)
    while rest:
        offered = game.choices(state, seat, tuple(path)).words
        count, known = 1, next((word for word in offered if folded(word) == folded(rest[0])), "")
        word = rest[0]
        if not known:
            labels = {candidate: game.label(view, (candidate,), say) for candidate in offered}
            named = [(n, candidate) for candidate, label in labels.items() if (n := _named_by(rest, label))]
            if len(named) != 1:
                # The word names no offered word, or several, so it and those after it stay as they are.
                yield from rest
                return
            ((count, known),) = named
            word = known
        yield word
        path.append(known)
        del rest[:count]


def _named_by(words: Sequence[str], label: str) -> int:
    """How many of the first words name a label: all of it, or its last word (``hearts``); 0 if none do."""
    whole, count = folded(label), len(label.split())
    if folded(" ".join(words[:count])) == whole:
        return count
    return int(folded(words[0]) == whole.rpartition(" ")[2])
