"""Says what a line typed at the terminal means, and why a move is refused; changes typed settings."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Literal, cast, get_args

from adapters.terminal.session import Session
from bot.i18n import folded
from bot.inbox.allowances import Allowances
from bot.inbox.arguments.commands import command_named
from bot.inbox.arguments.typed_arguments import arguments
from bot.pages.menus.labels import is_named
from bot.pages.menus.menu_items import Menu, MenuItem, Words, pressed
from bot.pages.menus.move_reading import (
    begins_with_verb,
    begins_word,
    begun_moves,
    corrected,
    following,
    impossible_verb,
    missing_card,
    read,
    spelled_move,
    with_begun_verb,
)
from bot.pages.menus.picked_cards import named_cards, playable_cards
from bot.settings.choices import ForcedMoves, SuggestedMoves
from engines.drawing import cut
from engines.game import IllegalMove, Seat, Text
from engines.values import Value, replace

LONGEST_LINE = Allowances().text
"""The most characters of a line that are read, as in chats: a long one would take minutes to understand."""

Word = Literal[
    "take back", "hint", "history", "hand", "table", "score", "look", "back", "help", "rules", "quit",
    "suggestions", "forced", "leaderboard", "profile", "replay",
]  # fmt: skip
"""The words that can be typed besides moves, by what they ask for."""

_WORDS: Mapping[str, Word] = {
    **dict.fromkeys(("u", "undo", "take back", "deshacer", "deshacer jugada"), "take back"),
    **dict.fromkeys(("h", "hint", "pista"), "hint"),
    **dict.fromkeys(("history", "historial", "historia"), "history"),
    **dict.fromkeys(("hand", "mano"), "hand"),
    **dict.fromkeys(("table", "mesa"), "table"),
    **dict.fromkeys(("score", "scores", "points", "puntos", "marcador"), "score"),
    **dict.fromkeys(("", "look", "watch", "mirar", "ver"), "look"),
    **dict.fromkeys(("back", "atras", "volver"), "back"),
    **dict.fromkeys(("?", "help", "ayuda"), "help"),
    **dict.fromkeys(("rules", "reglas"), "rules"),
    **dict.fromkeys(("quit", "exit", "salir"), "quit"),
    **dict.fromkeys(("suggestions", "sugerencias"), "suggestions"),
    **dict.fromkeys(("forced", "obligadas"), "forced"),
    **dict.fromkeys(("leaderboard", "clasificacion"), "leaderboard"),
    **dict.fromkeys(("profile", "perfil"), "profile"),
    **dict.fromkeys(("replay", "watch again", "repeticion"), "replay"),
}
"""The words by the names that may be typed, all languages together."""

RecordsWord = Literal["leaderboard", "profile", "replay"]
"""The words that show finished games of this terminal's file."""

_WITH_ARGUMENT: frozenset[Word] = frozenset(
    ("rules", "suggestions", "forced", "leaderboard", "profile", "replay")
)
"""The words that may be followed by an argument."""

_VALUES: Mapping[str, str] = {
    **dict.fromkeys(("full", "todas"), "full"),
    **dict.fromkeys(("fewer", "few", "menos", "pocas"), "fewer"),
    **dict.fromkeys(("off", "no", "ninguna"), "off"),
    **dict.fromkeys(("open", "visible", "visibles"), "open"),
    **dict.fromkeys(("always", "siempre"), "always"),
    **dict.fromkeys(("never", "nunca"), "never"),
}
"""The values of "suggestions" and "forced" by their names in all languages."""

LOOK_BACK = frozenset(("look back", "analyse", "analyze", "repasar", "analizar"))
"""The lines that ask for the analysis of a finished game."""

NO_MOVE = Text("That isn't a move in this game.")
"""The refusal of words that are no move, as `engines.actions` words it."""

_MOST_NAMED = 8
"""The most next words that a refusal names."""


class TypedItem(Value):
    """A line that names an item of the menu, by its number, label, last word or letter."""

    item: MenuItem


class TypedCards(Value):
    """A line that names only cards, all of which several moves have: the menu shows those moves."""

    path: Words
    """The cards."""


class TypedWord(Value):
    """A word about the game, such as "hint", with the words after it."""

    word: Word
    argument: str = ""


class TypedMove(Value):
    """Any other line: the action of a move, which may be illegal."""

    action: str


TypedLine = TypedItem | TypedCards | TypedWord | TypedMove


def read_line(session: Session, seat: Seat, line: str, menu: Menu | None) -> TypedLine:
    """Reads a line of a player who has this menu on the screen.

    A number means an item of the menu rather than a rank. A card's name is that card, never a number: it is
    played if only one move has it. A word about the game yields to a move that begins with it.
    """
    line = " ".join(line.split())
    if menu and (item := pressed(menu, line)):
        return TypedItem(item)
    if word := word_unless_move(session, seat, line):
        return word
    hinted = session.hinted(seat)
    if hinted and is_named(line, session.label(seat, hinted)):
        return TypedMove(str(hinted))
    name, _, argument = line.partition(" ")
    if argument and (called := command_named(name)) and called.name == "play":
        line = arguments(called, argument).get("move", line)
    reading = read(session.game, session.table.state, seat, line, session.say)
    return TypedCards(reading.cards) if reading.cards else TypedMove(reading.action)


def word_unless_move(session: Session, seat: Seat, line: str) -> TypedWord | None:
    """The word about the game that a line is; None if it is none, or may begin a move.

    A name of several words, such as "take back", is taken for the word in any case.
    """
    found = word_of_line(line)
    if not found or (" " in line and not found.argument):
        return found
    return None if begins_with_verb(session.game, session.table.view(seat), line, session.say) else found


def word_of_line(line: str) -> TypedWord | None:
    """The line as a word about the game, with its argument; None if it is none. Moves are not considered."""
    name, _, argument = line.strip().partition(" ")
    if word := _WORDS.get(folded(line)):
        return TypedWord(word)
    word = _WORDS.get(folded(name))
    return TypedWord(word, argument) if word in _WITH_ARGUMENT else None


def acts_at_once(session: Session, seat: Seat, digit: str, numbers: Collection[str]) -> bool:
    """Whether a digit typed into an empty line presses the button of this number without Enter.

    It waits if another of the ``numbers``, or a word that the player could mean, begins with it. Where cards
    can be played every digit waits, since a card's name may be mistyped; elsewhere a digit waits if a card of
    the hand begins with it.
    """
    game, state = session.game, session.table.state
    if [number for number in numbers if number.startswith(digit)] != [digit]:
        return False
    message = game.message(session.table.view(seat)) or {}
    if any(True for _ in playable_cards(game, state, seat)):
        return False
    if any(card.startswith(digit) for card in message.get("hand", ())):
        return False
    return not begins_word(game, state, seat, digit, session.say)


def change_setting(session: Session, word: Word, value: str) -> Text:
    """Sets how many moves are suggested, or when a player's only possible move is played for them.

    Returns the setting in a sentence. An unknown value changes nothing.
    """
    meant = _VALUES.get(folded(value))
    if word == "suggestions":
        if meant in get_args(SuggestedMoves):
            session.setup = replace(session.setup, suggestions=cast(SuggestedMoves, meant))
        now = {"full": Text("as many as fit"), "fewer": Text("at most two"), "off": Text("none")}
        return Text(
            "Suggested moves: {now}. Type suggestions full, fewer or off.",
            now=now[session.setup.suggestions],
        )
    if meant in get_args(ForcedMoves):
        session.setup = replace(session.setup, forced=cast(ForcedMoves, meant))
    when = {
        "open": Text("played for you if everybody can tell"),
        "always": Text("played for you"),
        "never": Text("left to you"),
    }
    return Text(
        "Your only possible move: {now}. Type forced open, always or never.", now=when[session.setup.forced]
    )


def example(session: Session, seat: Seat, action: str = "") -> str:
    """A legal move as its player could type it, one that begins like ``action`` if there is any.

    Empty for a player who has no move, as at some explanations of a guide.
    """
    moves = list(session.game.moves(session.table.state, seat))
    if not moves:
        return ""
    begun = following(session.game, session.table.state, seat, action)[0]
    move = next((move for move in moves if (move.verb, *move.words)[: len(begun)] == begun), moves[0])
    return spelled_move(session.game, session.table.view(seat), move, session.say)


def reason(session: Session, seat: Seat, action: str, illegal: IllegalMove) -> Text:
    """The sentence that refuses an action.

    For words that are no move now, it names the mistake and a legal move as an example. For words that are
    almost a move or one of `_WORDS`, it asks whether that is meant.
    """
    game, state, say = session.game, session.table.state, session.say
    if illegal.code not in ("unknown-action", "not-your-turn") or not any(game.moves(state, seat)):
        return illegal.reason
    if action.isdecimal():
        return Text("There is no {n} in the menu.", n=cut(action, 9))
    if told := _begun_labels(session, seat, action):
        return told
    # A player who has a move now is not told “not your turn” for an action that is none of their moves.
    why = illegal.reason if illegal.code == "unknown-action" else NO_MOVE
    if better := corrected(game, state, seat, action, say, why, filter(None, _WORDS)):
        return better
    action = with_begun_verb(game, session.table.view(seat), action, say)
    mistake = _mistake(session, seat, action) or why
    return Text("{reason} Try: {move}", reason=mistake, move=example(session, seat, action))


def _begun_labels(session: Session, seat: Seat, line: str) -> Text | None:
    """How a line that begins labels of moves can go on, with an example.

    None if it begins none, or if the first of these moves has a wide verb.
    """
    game, say, view = session.game, session.say, session.table.view(seat)
    moves = begun_moves(game, session.table.state, seat, line, say)
    if not moves or moves[0].verb in game.wide:
        return None
    labels, n = [game.label(view, (move.verb, *move.words), say).split() for move in moves], len(line.split())
    choices = _listed([" ".join(label[n:]) for label in labels])
    after = Text("After “{begun}” you can type: {words}", begun=" ".join(labels[0][:n]), words=choices)
    return Text("{reason} Try: {move}", reason=after, move=spelled_move(game, view, moves[0], say))


def _listed(choices: Sequence[str]) -> str:
    """The first choices, as the end of a sentence."""
    return "; ".join(choices[:_MOST_NAMED]) + (" …" if len(choices) > _MOST_NAMED else ".")


def _mistake(session: Session, seat: Seat, action: str) -> Text | None:
    """The mistake in words that begin like a move or with an impossible verb; None if none is found."""
    view, say = session.table.view(seat), session.say
    path, words = following(session.game, session.table.state, seat, action)
    others = " ".join(action.split()[len(path) :])
    if path and (told := missing_card(session.game, session.table.state, seat, named_cards(others))):
        return told
    if path and words:
        choices = _listed([session.game.label(view, (word,), say) for word in words])
        label = session.game.label(view, path, say)
        return Text("After “{begun}” you can type: {words}", begun=label, words=choices)
    return impossible_verb(session.game, session.table.state, seat, action, say)


def begun(session: Session, seat: Seat, menu: Menu) -> Text | None:
    """The words picked so far, with advice after the first word; None before any is picked."""
    if not menu.begun:
        return None
    label = session.game.label(session.table.view(seat), menu.begun, session.say)
    if len(menu.begun) == 1:
        return Text("{begun} …: choose one thing at a time; complete moves come first.", begun=label)
    return Text("{begun} …", begun=label)
