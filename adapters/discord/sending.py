"""Sends a message to a channel: once for each nonce, and as a reply where that is possible."""

from __future__ import annotations

from functools import partial
from typing import Any

import discord
from discord import Object

from adapters.discord.failures import NO_REPLY, UNKNOWN_MESSAGE, port_errors
from adapters.discord.pages import NOBODY, content, view
from adapters.shared.ids import parse_message_id
from adapters.shared.rendering.message import Message
from bot.model.people import Account
from engines.values import replace


async def send_message(
    client: discord.Client, channel: int, message: Message, mention: Account | None = None, nonce: str = ""
) -> discord.Message:
    """Sends a message to a channel, mentioning the account ``mention``. Raises the errors of `bot.ports`.

    Returns the message or, if Discord knows this nonce from the last minutes, the one sent with it then.
    A message with an ``about`` replies to that message, if it is in this channel and the bot may read it.
    """
    text, mentions = content(message, mention), NOBODY
    if mention:
        mentions = discord.AllowedMentions(
            everyone=False, roles=False, replied_user=False, users=[Object(int(mention.user))]
        )
    view_argument: dict[str, Any] = {"view": buttons} if (buttons := view(message)) else {}
    send = partial(
        client.get_partial_messageable(channel).send,
        text,
        allowed_mentions=mentions,
        suppress_embeds=True,
        **view_argument,
    )
    if reference := _reference(channel, message.about):
        send = partial(send, reference=reference, mention_author=False)
    with port_errors():
        try:
            # The library asks Discord to enforce the nonce.
            return await send(nonce=nonce or None)
        except discord.NotFound as error:
            if not nonce or error.code != UNKNOWN_MESSAGE:
                raise
            # The message with this nonce has just been deleted; without one the library makes up another.
            return await send()
        except discord.HTTPException as error:
            if not reference or error.code != NO_REPLY:
                raise
            return await send_message(client, channel, replace(message, about=""), mention, nonce)


def _reference(channel: int, about: str) -> discord.MessageReference | None:
    """The reference to the message ``about``; None if there is none, or it is in another channel."""
    channel_of_message, number = parse_message_id(about) if about else (0, 0)
    if channel_of_message != channel:
        return None
    return discord.MessageReference(message_id=number, channel_id=channel, fail_if_not_exists=False)
