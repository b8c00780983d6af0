"""Discord as a `bot.ports.Platform`: sends, edits and deletes messages."""

from __future__ import annotations

from typing import Literal

from discord import Object, PartialMessage
from discord.http import Route

from adapters.discord.callers import KEY
from adapters.discord.client import LONGEST_WAIT, TableClient
from adapters.discord.failures import Uneditable, port_errors
from adapters.discord.pages import LIMITS, payload, shows
from adapters.discord.sending import send_message
from adapters.discord.sharded_client import ShardedClient
from adapters.shared.ids import message_id, parse_message_id
from adapters.shared.rendering.message import as_message
from bot.errors import PlatformError
from bot.inbox.dispatcher import Dispatcher
from bot.model.people import Account
from bot.model.places import Place
from bot.ports import EPHEMERAL, Clock, Departed, Gone, Later, Limits, Page

_MOST_THREAD_NAME = 100
"""The most characters of a thread's name."""
_ARCHIVE_MINUTES: Literal[60] = 60
"""Minutes without a message after which Discord archives a thread by itself."""


class DiscordPlatform:
    """Implements `bot.ports.Platform` with a `TableClient`; the chat of a place is a channel's id."""

    def __init__(self, token: str, clock: Clock, client: TableClient | None = None) -> None:
        self._token = token
        self.client = client or ShardedClient(clock)

    @property
    def key(self) -> str:
        return KEY

    @property
    def limits(self) -> Limits:
        return LIMITS

    @property
    def is_connected(self) -> bool:
        return self.client.is_connected

    @property
    def reached(self) -> bool:
        """Whether the bot is logged in."""
        return self.client.logged_in.is_set()

    async def post(self, place: Place, page: Page, mention: Account | None = None, *, once: str = "") -> str:
        """Sends a page to a channel, a thread or a forum post; ``once`` is the message's nonce."""
        await self.client.logged_in.wait()
        return await self._write(int(place.chat), page, mention, once)

    async def whisper(self, account: Account, page: Page, *, once: str = "") -> str:
        """Sends a page as a direct message."""
        await self.client.logged_in.wait()
        with port_errors():
            channel = await self.client.create_dm(Object(int(account.user)))
        return await self._write(channel.id, page, None, once)

    async def edit(self, message: str, page: Page) -> None:
        """Edits a message, with the token of the last press on it while that lasts, else with the bot's own.

        An ephemeral message can only be edited with such a token, or with that of the press or command that
        showed it: without one it is `Gone`. Deletes any other message and raises `Gone` if Discord accepts no
        edits of it or wants a wait of more than `LONGEST_WAIT` seconds, so that the caller posts a new one.
        """
        await self.client.logged_in.wait()
        answer, shown = self.client.answers.get(message), as_message(page, LIMITS)
        if message.startswith(EPHEMERAL):
            if not (answer and answer.lasts and await answer.edit(shown)):
                raise Gone
            return
        channel, number = parse_message_id(message)
        try:
            if answer and await answer.edit(shown):
                return
            route = Route(
                "PATCH",
                "/channels/{channel_id}/messages/{message_id}",
                channel_id=channel,
                message_id=number,
            )
            with port_errors():
                await self.client.http.request(route, json=payload(shown))
        except Uneditable:
            await self.delete(message)
            raise
        except Later as later:
            if later.seconds <= LONGEST_WAIT:
                raise
            # A new message can be sent at once, since posting has a rate limit of its own.
            await self.delete(message)
            raise Gone from None

    async def delete(self, message: str) -> None:
        """Deletes a message; an ephemeral one only while a token for it lasts."""
        await self.client.logged_in.wait()
        answer = self.client.answers.pop(message)
        if message.startswith(EPHEMERAL):
            if answer:
                await answer.delete()
            return
        with port_errors():
            await self._message(message).delete()

    async def open_thread(self, place: Place, page: Page, name: str) -> Place:
        """Posts a page in a channel and opens a thread below it, which has the id of the page's message.

        Deletes the page if the thread cannot be opened.
        """
        message = await self.post(place, page)
        channel, number = parse_message_id(message)
        try:
            with port_errors():
                thread = await self.client.http.start_thread_with_message(
                    channel, number, name=name[:_MOST_THREAD_NAME], auto_archive_duration=_ARCHIVE_MINUTES
                )
        except PlatformError:
            await self.delete(message)
            raise
        return Place(KEY, str(thread["id"]))

    async def edit_above(self, thread: Place, channel: str, page: Page) -> None:
        """Edits the page above a thread."""
        await self.edit(message_id(int(channel), int(thread.chat)), page)

    async def archive(self, thread: Place) -> None:
        """Archives a thread."""
        await self.client.logged_in.wait()
        with port_errors():
            await self.client.http.edit_channel(int(thread.chat), archived=True)

    async def is_member(self, community: str, account: Account) -> bool:
        """Asks Discord whether a user is in a server: it reports leavers only with a privileged intent."""
        await self.client.logged_in.wait()
        try:
            with port_errors():
                await self.client.http.get_member(int(community), int(account.user))
        except Departed:
            return False
        return True

    def link(self) -> str:
        """Always empty: Discord has no address that opens a chat with an app."""
        return ""

    def message_link(self, message: str, community: str = "") -> str:
        """The address of a message; Discord's clients show the message themselves, without a browser."""
        return f"https://discord.com/channels/{community or '@me'}/{message}"

    async def run(self, dispatcher: Dispatcher) -> None:
        """Serves Discord until it is cancelled. Raises `NotAdmitted`."""
        await self.client.serve(dispatcher, self._token)

    async def _write(self, channel: int, page: Page, mention: Account | None, once: str) -> str:
        """Sends a page; if Discord knows a message with the nonce ``once``, edits that to show the page."""
        shown = as_message(page, LIMITS)
        sent = await send_message(self.client, channel, shown, mention, once)
        message = message_id(channel, sent.id)
        if once and not shows(sent, shown, mention):
            await self.edit(message, page)
        return message

    def _message(self, message: str) -> PartialMessage:
        channel, number = parse_message_id(message)
        return self.client.get_partial_messageable(channel).get_partial_message(number)
