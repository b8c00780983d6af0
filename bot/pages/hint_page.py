"""The page of a hint, which only its player sees."""

from __future__ import annotations

from bot.i18n import Speech
from bot.ports import Key, Page
from bot.table_service.hints import Hint
from bot.tables.table import Table
from engines.game import Seat, Text


def hint_page(table: Table, seat: Seat, hint: Hint, say: Speech) -> Page:
    """A hint for a seat, with a key that plays it as long as its player has not moved."""
    label = table.game.label(table.view(seat), (hint.move.verb, *hint.move.words), say)
    play = Key(say(Text("Play it")), "move", str(hint.move), table.id, hint.stamp, style="main")
    return Page.note(say(Text("Hint: {move}", move=label)), say(hint.reason), keys=((play,),))
