"""Discord as a `bot.ports.Platform`: sends, edits and deletes messages."""

from __future__ import annotations

from discord import Object, PartialMessage

from adapters.discord.client import KEY, WAITED, TableClient, write
from adapters.discord.failures import Worn, translated
from adapters.discord.pages import LIMITS, NOBODY, content, view
from bot.inbox.dispatcher import Dispatcher
from bot.model import Account, Place
from bot.ports import Gone, Later, Limits, Page


class DiscordPlatform:
    """The platform over a `TableClient`."""

    def __init__(self, token: str, client: TableClient | None = None) -> None:
        self._token = token
        self.client = client or TableClient()

    @property
    def key(self) -> str:
        return KEY

    @property
    def limits(self) -> Limits:
        return LIMITS

    async def post(self, place: Place, page: Page, call: Account | None = None) -> str:
        """A new message in a channel, a thread or a forum's post."""
        await self.client.logged_in.wait()
        self.client.table_channels.add(int(place.chat))
        return await write(self.client, int(place.chat), page, call)

    async def whisper(self, account: Account, page: Page) -> str:
        """A new private message."""
        await self.client.logged_in.wait()
        with translated():
            channel = await self.client.create_dm(Object(int(account.user)))
        return await write(self.client, channel.id, page)

    async def edit(self, message: str, page: Page) -> None:
        """Edits a message: as the response to the last press on it while that lasts, else as the bot."""
        await self.client.logged_in.wait()
        answer = self.client.answers.get(message)
        try:
            if answer and await answer.edit(page):
                return
            self.client.table_channels.add(int(message.partition("/")[0]))
            text, buttons = content(page), view(page)
            with translated():
                await self._message(message).edit(content=text, view=buttons, allowed_mentions=NOBODY)
        except Worn:
            await self.delete(message)
            raise
        except Later as later:
            if later.seconds <= WAITED:
                raise
            # New messages have a rate limit of their own.
            await self.delete(message)
            raise Gone from None

    async def delete(self, message: str) -> None:
        """Deletes a message."""
        await self.client.logged_in.wait()
        self.client.answers.pop(message, None)
        with translated():
            await self._message(message).delete()

    def link(self, payload: str) -> str:
        """Discord has no address that opens a chat with an app."""
        return ""

    async def run(self, dispatcher: Dispatcher) -> None:
        """Serves Discord until it is cancelled."""
        await self.client.serve(dispatcher, self._token)

    def _message(self, words: str) -> PartialMessage:
        channel, _, message = words.partition("/")
        return self.client.get_partial_messageable(int(channel)).get_partial_message(int(message))
