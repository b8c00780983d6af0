"""Says what a line typed at the terminal means, and why a move is refused."""

from __future__ import annotations

from adapters.terminal.session import Session
from bot.pages.menu import Menu, is_named
from bot.pages.typed_moves import begins_with_verb, following, typed
from engines.drawing import cut
from engines.game import IllegalMove, Seat, Text

_TAKE_BACK = frozenset(("undo", "deshacer", "take back", "deshacer jugada"))
"""The lines that take a move back."""

_HINT = frozenset(("h", "hint", "pista"))
"""The lines that ask for a hint."""

LOOK_BACK = frozenset(("look back", "analyse", "analyze", "repasar", "analizar"))
"""The lines that look back at a finished game."""

_NAMED = 8
"""The most next words that a refusal names."""


def means_take_back(session: Session, seat: Seat, line: str) -> bool:
    """Whether a typed line takes a move back; one of a single word may be a move of the game."""
    words = line.casefold()
    if words not in _TAKE_BACK:
        return False
    return " " in words or not begins_with_verb(session.game, session.table.view(seat), line, session.say)


def means_hint(session: Session, seat: Seat, line: str) -> bool:
    """Whether a typed line asks for a hint; it may be a move of the game."""
    if line.casefold() not in _HINT:
        return False
    return not begins_with_verb(session.game, session.table.view(seat), line, session.say)


def action(session: Session, seat: Seat, line: str) -> str:
    """The action that a typed line means; a hint's move may be typed as the hint names it."""
    hinted = session.hinted(seat)
    if hinted and is_named(line, session.label(seat, hinted)):
        return str(hinted)
    return typed(session.game, session.table.state, seat, line, session.say)


def example(session: Session, seat: Seat, action: str = "") -> str:
    """A legal move as its player could type it, with the verb of ``action`` if such a move is legal."""
    moves = list(session.game.moves(session.table.state, seat))
    verb = action.partition(" ")[0]
    move = next((move for move in moves if move.verb == verb), moves[0])
    said = session.game.label(session.table.view(seat), (move.verb,), session.say)
    return " ".join((said.lower(), *move.words))


def reason(session: Session, seat: Seat, action: str, illegal: IllegalMove) -> Text:
    """The sentence that refuses an action; for a text that is no move, its mistake and an example."""
    if illegal.code != "unknown-action" or not any(session.game.moves(session.table.state, seat)):
        return illegal.reason
    if action.isdecimal():
        return Text("There is no {n} in the menu.", n=cut(action, 9))
    mistake = _mistake(session, seat, action) or illegal.reason
    return Text("{reason} Try: {move}", reason=mistake, move=example(session, seat, action))


def _mistake(session: Session, seat: Seat, action: str) -> Text | None:
    """The mistake in a text that begins like a move; None if it does not."""
    view, say = session.table.view(seat), session.say
    begun, words = following(session.game, session.table.state, seat, action)
    verb = action.partition(" ")[0]
    if begun and words:
        named = "; ".join(session.game.label(view, (word,), say) for word in words[:_NAMED])
        named += " …" if len(words) > _NAMED else "."
        said = session.game.label(view, begun, say)
        return Text("After “{begun}” you can type: {words}", begun=said, words=named)
    if verb in session.game.verbs and not begun:
        return Text("You can't play “{verb}” right now.", verb=session.game.label(view, (verb,), say))
    return None


def begun(session: Session, seat: Seat, menu: Menu) -> Text | None:
    """The words picked so far, with advice after the first word; None before any is picked."""
    if not menu.begun:
        return None
    said = session.game.label(session.table.view(seat), menu.begun, session.say)
    if len(menu.begun) == 1:
        return Text("{begun} …: choose one thing at a time; complete moves come first.", begun=said)
    return Text("{begun} …", begun=said)
