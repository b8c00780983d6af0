"""The page in a channel above the thread of a table: who plays there, and how the game ended."""

from __future__ import annotations

from bot.i18n import Speech
from bot.pages.captions import closing_caption, result_captions
from bot.pages.composer import Composer
from bot.ports import Limits, Page
from bot.tables.table import Table
from engines.game import Name, Text


def thread_page(table: Table, say: Speech, limits: Limits) -> Page:
    """The people who play at a table, with a key to join a lobby; at the end, only how the game ended."""
    composer, game = Composer(table, say, limits), table.game.title
    people = tuple(Name(seat) for seat, player in enumerate(table.players) if player.person)
    match table.status:
        case "lobby":
            sentence = say(
                Text("{game} in the thread below, with {who}. Will you play?", game=game, who=people)
            )
            return Page.note(sentence, keys=(composer.keys((Text("Join"), "join", "main")),))
        case "playing":
            return _playing_page(game, people, say)
        case "over":
            has_result = table.result is not None and not table.ended
            how = result_captions(table) if has_result else (closing_caption(table),)
            return Page.note(say(game), " ".join(map(say, how)))


def opening_page(game: Text, opener: str, say: Speech) -> Page:
    """The page while the thread of a table is being opened."""
    return _playing_page(game, opener, say)


def _playing_page(game: Text, who: str | tuple[Name, ...], say: Speech) -> Page:
    return Page.note(say(Text("{game} in the thread below, with {who}.", game=game, who=who)))
