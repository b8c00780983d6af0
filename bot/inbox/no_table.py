"""The reply to a person who has no table: why a command cannot be carried out, and what they can do."""

from __future__ import annotations

from bot.inbox.context import Context
from bot.inbox.lookup import last_finished
from bot.ports import Key, Page, Reply
from engines import games
from engines.game import Text


async def without_table(context: Context, reason: str) -> Reply:
    """A reason, with keys to open a table, and to play the sender's last game again or see the last ones."""
    say, keys = context.say, list[Key]()
    last = await last_finished(context)
    if last and not last.followed and last.key in games():
        label = say(Text("Rematch: {game}", game=last.game.title))
        keys.append(Key(label, "rematch", game=last.id, stamp=last.stamp, style="main"))
    keys.append(Key(say(Text("New table")), "command", "new"))
    if last:
        keys.append(Key(say(Text("Last games")), "command", "history"))
    return Reply(reason, Page.note(reason, keys=(tuple(keys),)), public=True)
