"""Says where a player will see their cards: in a private message or on a page of their own."""

from __future__ import annotations

from bot.inbox.context import Context
from bot.ports import Key, Keys
from bot.tables.table import Table
from engines.game import Text


async def how_cards_come(context: Context, table: Table, reached: bool) -> tuple[str, Keys]:
    """The sentence on how the sender's cards come, and a key to the private chat if that has an address.

    ``reached`` is whether private messages reach the sender; then the key leads to their panel.
    """
    if reached:
        return context.say(Text("Your cards come by private message.")), await panel_keys(context, table)
    if link := context.platform.link():
        return context.say(Text("Open our private chat: I'll send your cards there.")), _keys(context, link)
    sentence = context.worded(
        Text("I can't send you private messages. Press “My hand” at the table: only you see it."),
        Text(
            "I can't send you private messages. Type {hand} to see your cards.", hand=context.command("hand")
        ),
    )
    return sentence, ()


async def panel_keys(context: Context, table: Table) -> Keys:
    """A key that leads to the sender's panel; none if it has no address."""
    link = await context.panels.links.link(table, context.person.id)
    return _keys(context, link) if link else ()


def _keys(context: Context, link: str) -> Keys:
    return ((Key(context.say(Text("Open our private chat")), url=link),),)
