"""Tells a player how their cards will reach them."""

from __future__ import annotations

from bot.inbox.context import Context
from bot.ports import Key, Keys
from engines.game import Text


def how_cards_come(context: Context, reached: bool) -> tuple[str, Keys]:
    """The sentence on how the sender's cards come, and a key that opens the private chat if it is closed.

    ``reached`` is whether private messages arrive.
    """
    if reached:
        return context.say(Text("Your cards come by private message.")), ()
    if link := context.platform.link():
        told = context.say(Text("Open our private chat: I'll send your cards there."))
        return told, ((Key(context.say(Text("Open our private chat")), url=link),),)
    told = context.worded(
        Text("I can't send you private messages. Press “My hand” at the table: only you see it."),
        Text(
            "I can't send you private messages. Type {hand} to see your cards.", hand=context.command("hand")
        ),
    )
    return told, ()
