"""The discord.py client: passes presses, commands and messages to the dispatcher, and shows its replies."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

import aiohttp
import discord
from discord import Intents, Interaction, InteractionType, Permissions
from discord.gateway import DiscordWebSocket

from adapters.discord.answer_cache import AnswerCache
from adapters.discord.answers import Answer
from adapters.discord.callers import KEY, caller_of
from adapters.discord.commands import CommandTranslator, command_tree, synchronise
from adapters.discord.failures import NAME, NOT_A_TOKEN, SETTING
from adapters.discord.pages import LIMITS, NOBODY
from adapters.discord.sending import send_message
from adapters.shared.finding import token_refused
from adapters.shared.ids import delivery_id, message_id
from adapters.shared.network.failures import failure_name
from adapters.shared.network.reconnect import NotReached, until_reached
from adapters.shared.rendering.message import reply_message
from bot.errors import reason
from bot.inbox.buttons import asks_for_words
from bot.inbox.dispatcher import Dispatcher
from bot.locks import Locks
from bot.model.places import Place
from bot.ports import EPHEMERAL, Caller, Clock, NotAdmitted, Reply, Suggestion
from bot.tables.log.commitment import CUT_LENGTH
from engines.game import Text

log = logging.getLogger(__name__)

NEEDED = Permissions(view_channel=True, send_messages=True, send_messages_in_threads=True)
"""The permissions that the bot needs to show a table in a channel."""

TOKEN_FORM = re.compile(r"[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+){2}=*")
"""Matches the form of a Discord token: three words with dots between them."""
_LOOKUP_TIMEOUT = 1.0
"""Seconds to wait for the dispatcher to look up a button's question or the suggestions for a parameter."""
_SHUTDOWN_TIMEOUT = 2.0
"""Seconds to wait, when the client closes, for the presses and commands that it still handles."""
LONGEST_WAIT = 30.0
"""Seconds that the library may wait for a rate limit by itself; for longer waits it raises an error."""


# The bot does not use voice; the library would warn in the log that the packages for it are not installed.
discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False


class TableClient(discord.Client):
    """The library's client, which passes presses, commands and messages to the dispatcher."""

    def __init__(self, clock: Clock, **options: Any) -> None:
        super().__init__(
            intents=Intents(guilds=True, guild_messages=True, dm_messages=True),
            allowed_mentions=NOBODY,
            max_messages=None,
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            max_ratelimit_timeout=LONGEST_WAIT,
            **options,
        )
        self.tree = command_tree(self)
        self._clock = clock
        self._senders = Locks[str]()
        """Locks by user id, which keep the deliveries of one user in order."""
        self.logged_in = asyncio.Event()
        """Set while the bot is logged in and can send."""
        self.answers = AnswerCache()
        self._dispatcher: Dispatcher | None = None
        self._unfinished: set[asyncio.Task[Any]] = set()
        """The tasks that answer an interaction or a message (`_handling`)."""

    async def serve(self, dispatcher: Dispatcher, token: str) -> None:
        """Serves Discord until it is cancelled; connects again when the connection breaks.

        Raises `NotAdmitted` if Discord rejects the token, the bot, the commands or the connection.
        """
        self.set_dispatcher(dispatcher)
        try:
            await until_reached(NAME, partial(self._log_in, token.strip()), self._clock)
            await self.connect()
        except discord.ConnectionClosed as closed:
            raise NotAdmitted(
                Text(
                    "{platform} has closed the connection for good ({reason}).",
                    platform=NAME,
                    reason=str(closed.code),
                )
            ) from None
        finally:
            # This process sends no more; the next one sends the remaining panels.
            self.logged_in.clear()
            if self._unfinished:
                await asyncio.wait(self._unfinished, timeout=_SHUTDOWN_TIMEOUT)
            await self.close()

    def set_dispatcher(self, dispatcher: Dispatcher) -> None:
        """Sets the dispatcher that receives presses, commands and messages from now on."""
        self._dispatcher = dispatcher

    async def setup_hook(self) -> None:
        """Registers the commands; the library calls it in `login`, before any interaction can arrive.

        Raises `NotAdmitted` if Discord refuses the commands, and the library's errors if Discord is not
        reached, is overloaded or broken.
        """
        await self.tree.set_translator(CommandTranslator())
        try:
            changed = await synchronise(self.tree)
        except discord.HTTPException as error:
            if not _is_refusal(error):
                raise
            raise NotAdmitted(
                Text(
                    "{platform} doesn't accept the bot's commands ({reason}).",
                    platform=NAME,
                    reason=_codes(error),
                )
            ) from None
        log.info("the bot registered new commands" if changed else "Discord has the current commands")
        log.info("to add the app to a server, open %s", self.invitation)
        self.logged_in.set()

    @property
    def invitation(self) -> str:
        """The address where an administrator adds the bot to a server; it asks for `NEEDED` and no more."""
        assert self.application_id
        scopes = ("bot", "applications.commands")
        return discord.utils.oauth_url(self.application_id, permissions=NEEDED, scopes=scopes)

    @property
    def is_connected(self) -> bool:
        """Whether the gateway is connected; `ShardedClient` overrides this to ask its shards."""
        # The library's annotation leaves out that there is no connection before the login.
        socket: DiscordWebSocket | None = self.ws
        return self.logged_in.is_set() and socket is not None and socket.open

    async def press(self, interaction: Interaction, data: str, words: str | None = None) -> None:
        """Passes a press to the dispatcher and shows the reply.

        A button that asks for words opens a modal first; ``words`` is what was typed there, maybe
        nothing, and None for the press itself.
        """
        message, dispatcher = interaction.message, self._dispatcher
        if dispatcher is None:
            return
        caller, answer = caller_of(interaction), Answer(interaction, self._clock)
        with self._handling():
            if words is None and (question := await _question_of_button(dispatcher, caller, data)):
                await answer.ask(question, data, CUT_LENGTH)
                return
            pressed = ""
            is_ephemeral = message is not None and message.flags.ephemeral
            is_editable = False
            if message:
                public_id = message_id(message.channel.id, message.id)
                pressed = ephemeral_id(message.id) if is_ephemeral else public_id
                before = self.answers.get(pressed)
                is_editable = before is not None and before.lasts
                self.answers.put(pressed, answer)
            async with answer.in_time():
                # An ephemeral panel that can be edited is edited when its table changes. Any other ephemeral
                # message is replaced by the reply.
                is_panel = is_ephemeral and is_editable and await dispatcher.shows_table(data, pressed)
                replaceable = is_ephemeral and not is_panel
                async with self._senders.of(caller.user):
                    reply = await dispatcher.press(
                        caller,
                        data,
                        delivery_id(KEY, interaction.id),
                        replaceable=replaceable,
                        answer=words or "",
                    )
                is_replaced = await show_reply(answer, reply, replaceable=replaceable)
                await self._keep_hand(dispatcher, caller, reply, answer, pressed if is_replaced else "")

    async def command(self, interaction: Interaction, name: str, given: Mapping[str, str]) -> None:
        """Passes a command to the dispatcher and shows the reply."""
        if self._dispatcher is None:
            return
        caller, answer = caller_of(interaction), Answer(interaction, self._clock)
        with self._handling():
            async with answer.in_time():
                async with self._senders.of(caller.user):
                    reply = await self._dispatcher.command(
                        caller, name, given, delivery_id(KEY, interaction.id)
                    )
                await show_reply(answer, reply)
                await self._keep_hand(self._dispatcher, caller, reply, answer)

    async def _keep_hand(
        self,
        dispatcher: Dispatcher,
        caller: Caller,
        reply: Reply,
        answer: Answer,
        message: str = "",
    ) -> None:
        """Makes the sender's cards, shown in an ephemeral message, a panel that follows the table.

        The panel is ``message`` if the reply is shown there, else the ephemeral message that was sent as the
        reply. It can be edited until the token expires: that of the last press on the panel, or before any
        press that of the press or command that showed it.
        """
        if not reply.hand_table or not (message or answer.ephemeral):
            return
        if answer.ephemeral and not message:
            message = ephemeral_id(answer.ephemeral.message)
            self.answers.put(message, answer.ephemeral)
        await dispatcher.show_ephemeral(caller, reply.hand_table, message)

    async def complete(
        self, interaction: Interaction, name: str, parameter: str, begun: str, given: Mapping[str, str]
    ) -> Sequence[Suggestion]:
        """The suggestions for a parameter that the user is typing; none if they take too long."""
        if self._dispatcher is None:
            return ()
        try:
            async with asyncio.timeout(_LOOKUP_TIMEOUT):
                return await self._dispatcher.complete(caller_of(interaction), name, parameter, begun, given)
        except TimeoutError:
            return ()

    async def on_interaction(self, interaction: Interaction) -> None:
        """Handles presses, choices from a list and submitted modals."""
        data: Any = interaction.data
        if interaction.type is InteractionType.modal_submit:
            await self.press(interaction, data["custom_id"], _typed_words(data.get("components") or ()))
        elif interaction.type is InteractionType.component:
            await self.press(interaction, next(iter(data.get("values") or ()), data["custom_id"]))

    async def on_message(self, message: discord.Message) -> None:
        """Passes a direct message to the dispatcher; counts a message in a channel.

        The count tells which panels have scrolled up, so that they are posted again.
        """
        if message.author.bot or self._dispatcher is None:
            return
        if message.guild:
            self._dispatcher.count_message(Place(KEY, str(message.channel.id)))
            return
        place = Place(KEY, str(message.channel.id))
        caller = Caller(str(message.author.id), message.author.display_name, place, private=True)
        with self._handling():
            async with self._senders.of(caller.user):
                reply = await self._dispatcher.line(caller, message.content, delivery_id(KEY, message.id))
            if shown := reply_message(reply, LIMITS):
                await send_message(self, message.channel.id, shown)

    @contextmanager
    def _handling(self) -> Iterator[None]:
        """Logs the errors of the block instead of raising them; `serve` waits a while for the block's end."""
        task = asyncio.current_task()
        assert task is not None
        self._unfinished.add(task)
        try:
            yield
        except Exception as error:
            # The library would log the error's message, which may name hidden cards.
            log.warning("the bot could not answer a private message or an interaction: %s", reason(error))
        finally:
            self._unfinished.discard(task)

    async def _log_in(self, token: str) -> None:
        """Logs in and registers the commands.

        Raises `NotReached` if Discord cannot be reached, and `NotAdmitted` if it refuses the token, the bot
        or the commands.
        """
        if not TOKEN_FORM.fullmatch(token):
            raise NotAdmitted(NOT_A_TOKEN)
        try:
            await self.login(token)
        except discord.LoginFailure:
            raise NotAdmitted(token_refused(NAME, SETTING).text) from None
        except (aiohttp.ClientError, OSError, discord.HTTPException, discord.RateLimited) as error:
            if isinstance(error, discord.HTTPException) and _is_refusal(error):
                raise NotAdmitted(
                    Text("{platform} doesn't let the bot in ({reason}).", platform=NAME, reason=_codes(error))
                ) from None
            # Closing the session of this login closes its connector too, so the next login needs a new one.
            await self.http.close()
            self.http.connector = discord.utils.MISSING
            raise NotReached(failure_name(error)) from None


def _is_refusal(error: discord.HTTPException) -> bool:
    """Whether Discord would refuse the same request again; not if it is overloaded or broken."""
    return error.status < 500 and error.status != 429


def _codes(error: discord.HTTPException) -> str:
    return f"HTTP {error.status}, code {error.code}"


def ephemeral_id(message: int) -> str:
    """The id under which the core stores an ephemeral message, made from Discord's id."""
    return f"{EPHEMERAL}{message}"


async def show_reply(answer: Answer, reply: Reply, *, replaceable: bool = False) -> bool:
    """Shows a reply to the sender of the interaction alone; returns whether the pressed message now shows it.

    ``replaceable`` says that the reply's page may replace the pressed message.
    """
    message = reply_message(reply, LIMITS)
    replaced = bool(message and replaceable and reply.page and await answer.edit(message))
    if message and not replaced:
        await answer.say(message)
    if reply.file:
        await answer.say(file=reply.file)
    return replaced


async def _question_of_button(dispatcher: Dispatcher, caller: Caller, data: str) -> str:
    """The question that a button asks; empty if it asks none, or if the dispatcher takes too long."""
    if not asks_for_words(data):
        return ""
    try:
        async with asyncio.timeout(_LOOKUP_TIMEOUT):
            return await dispatcher.asks(caller, data)
    except TimeoutError:
        return ""


def _typed_words(components: Sequence[Mapping[str, Any]]) -> str:
    """The value of the first text field of a modal."""
    for component in components:
        inside = component.get("component") or component
        if "value" in inside:
            return str(inside["value"])
        if words := _typed_words(inside.get("components", ())):
            return words
    return ""
