"""Responds to one interaction, a press or a command, in the time that Discord allows.

Discord requires a first response within three seconds. A reply that is ready within `PATIENCE` is itself the
first response, which saves a request; otherwise the interaction is deferred. Later responses use the
interaction's token, which expires after fifteen minutes.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager, suppress
from io import BytesIO
from typing import Any, Literal

import discord
from discord import Interaction, InteractionResponseType
from discord.webhook.async_ import async_context, interaction_response_params

from adapters.discord.failures import ANSWERED, has_lapsed, port_errors
from adapters.discord.pages import NOBODY, content, payload, view
from adapters.shared.patience import acknowledging
from adapters.shared.rendering.message import Message
from bot.ports import Clock, File

log = logging.getLogger(__name__)

EDIT_GRACE = 0.3
"""Seconds to wait, after the dispatcher is done, for an edit of the pressed panel to be the response."""
EDIT_TIMEOUT = 5.0
"""Seconds that an edit with the token of a press may take; then the bot edits with its own token."""
TOKEN_LIFE = 14 * 60.0
"""Seconds after an interaction's arrival for which the bot uses its token, which lasts fifteen minutes.

The arrival is measured by the host's own clock, since Discord's may differ.
"""

_LONGEST_TITLE = 45
"""The most characters that Discord allows in the title of a modal, and in the label of its field."""
_EDIT_PRESSED = InteractionResponseType.message_update.value
"""The type of a response that edits the pressed message."""

_State = Literal["open", "edits", "thinks", "said", "lapsed"]
"""How far the response is.

``open``: nothing was sent. ``edits``: a press was deferred, or answered by an edit of its message.
``thinks``: a command was deferred. ``said``: a message or a modal was sent. ``lapsed``: the token is too
old, or an edit has taken too long.
"""


class Answer:
    """The response to a press or a command."""

    def __init__(self, interaction: Interaction, clock: Clock) -> None:
        self._interaction = interaction
        self._clock = clock
        self._is_press = interaction.message is not None
        self._arrived = clock.now()
        self._state: _State = "open"
        self._lock = asyncio.Lock()
        self._decided = asyncio.Event()
        """Set once the first response is decided, or an edit of the pressed message has ended."""
        self.ephemeral: EphemeralAnswer | None = None
        """The last ephemeral message that `say` sent; None if there is none."""

    @property
    def lasts(self) -> bool:
        """Whether the token of the press can still edit the pressed message."""
        return self._state in ("open", "edits") and self._is_press and not self._has_expired

    @property
    def _has_expired(self) -> bool:
        """Whether the token has expired or is about to."""
        return self._clock.now() - self._arrived >= TOKEN_LIFE

    @asynccontextmanager
    async def in_time(self) -> AsyncIterator[None]:
        """Acknowledges an interaction that is unanswered after `PATIENCE`, or after the block.

        After the block, a press first waits up to `EDIT_GRACE` for an edit of its message. The placeholder of
        a deferred command is deleted if no answer has replaced it.
        """
        try:
            async with acknowledging(self._clock, self._acknowledge):
                yield
        finally:
            await self._finish()

    async def edit(self, message: Message) -> bool:
        """Edits the pressed message with the token of the press.

        False if that is not possible any more, or takes longer than `EDIT_TIMEOUT`. Raises as
        `Platform.edit` does.
        """
        async with self._lock:
            if not self.lasts:
                return False
            try:
                async with asyncio.timeout(EDIT_TIMEOUT):
                    with port_errors():
                        return await self._edit(message)
            except TimeoutError:
                # The library waits out a rate limit of this token; the bot's own token has another limit.
                self._become("lapsed")
                return False
            except discord.HTTPException as error:
                if not has_lapsed(error):
                    raise
                self._become("lapsed")
                return False
            finally:
                # `_finish` must not go on waiting for an edit that has failed.
                self._decided.set()

    async def delete(self) -> None:
        """Deletes the pressed message, which must be ephemeral.

        Only if the press was deferred or answered by an edit, and its token lasts.
        """
        if self.lasts and self._state == "edits":
            with port_errors():
                await self._interaction.delete_original_response()

    async def say(self, message: Message | None = None, file: File | None = None) -> None:
        """Shows an ephemeral message, which only the sender sees; logs that it is too late, if it is.

        Raises errors of `bot.ports`.
        """
        async with self._lock:
            if self._has_expired:
                self._become("lapsed")
                log.info("an interaction expired before the bot answered it")
                return
            try:
                with port_errors():
                    await self._say(message, file)
            except discord.HTTPException as error:
                if not has_lapsed(error):
                    raise
                self._become("lapsed")
                log.info("an interaction expired before the bot answered it")

    async def ask(self, title: str, data: str, length: int) -> None:
        """Opens a modal that asks for a few words; Discord allows a modal only as the first response.

        The modal's id is the callback data of the button, so the client stores nothing about open modals.
        """
        title = title[:_LONGEST_TITLE]
        form = discord.ui.Modal(title=title, custom_id=data)
        field: discord.ui.TextInput[discord.ui.Modal] = discord.ui.TextInput(max_length=length)
        form.add_item(discord.ui.Label(text=title, component=field))
        form.stop()
        async with self._lock:
            with port_errors():
                await self._send_first("said", self._interaction.response.send_modal(form))

    async def _edit(self, message: Message) -> bool:
        """Edits the pressed message as the first response, or after a deferral or an edit; else False."""
        interaction = self._interaction
        requests, session = async_context.get(), interaction.followup.session
        if self._state == "open":
            first = interaction_response_params(_EDIT_PRESSED, payload(message))
            if await self._send_first(
                "edits",
                requests.create_interaction_response(
                    interaction.id, interaction.token, session=session, params=first
                ),
            ):
                return True
        if self._state != "edits":
            return False
        await requests.edit_original_interaction_response(
            interaction.application_id, interaction.token, session=session, payload=payload(message)
        )
        return True

    async def _say(self, message: Message | None, file: File | None) -> None:
        """Sends an ephemeral message: as first response, in place of a placeholder, or later."""
        shown: dict[str, Any] = {}
        if message:
            shown["content"] = content(message)
            if buttons := view(message):
                shown["view"] = buttons
        if file:
            shown["file"] = discord.File(BytesIO(file.content), file.name)
        if self._state == "open":
            first = self._interaction.response.send_message(ephemeral=True, allowed_mentions=NOBODY, **shown)
            if await self._send_first("said", self._send_noted(first)):
                return
            if file:
                # The library has closed the file of the first try.
                shown["file"] = discord.File(BytesIO(file.content), file.name)
        if self._state == "lapsed":
            log.info("an answer is not shown: an earlier one came too late or took too long")
            return
        if self._state == "thinks":
            if file:
                shown["attachments"] = [shown.pop("file")]
            edited = await self._interaction.edit_original_response(allowed_mentions=NOBODY, **shown)
            self._note_ephemeral(edited.id)
            self._become("said")
            return
        sent = await self._interaction.followup.send(
            ephemeral=True, wait=True, allowed_mentions=NOBODY, **shown
        )
        self._note_ephemeral(sent.id)

    async def _send_noted(
        self, first: Awaitable[discord.InteractionCallbackResponse[discord.Client]]
    ) -> None:
        """Sends an ephemeral first response, and notes its message."""
        self._note_ephemeral((await first).message_id)

    def _note_ephemeral(self, message: int | None) -> None:
        if message is not None:
            self.ephemeral = EphemeralAnswer(self._interaction, self._clock, message, self._arrived)

    async def _send_first(self, state: _State, sending: Awaitable[object]) -> bool:
        """Sends the first response and enters the state; False if another was sent, or it is too late."""
        try:
            await sending
        except discord.InteractionResponded:
            self._become("edits" if self._is_press else "thinks")
            return False
        except discord.HTTPException as error:
            if error.code == ANSWERED:
                # The library has sent the request twice: Discord had accepted the first one.
                self._become("edits" if self._is_press else "thinks")
                return False
            if has_lapsed(error):
                self._become("lapsed")
                log.info("an interaction expired before the bot answered it")
                return False
            raise
        self._become(state)
        return True

    async def _acknowledge(self) -> None:
        """Defers the response if nothing was sent."""
        async with self._lock:
            if self._state != "open":
                return
            with port_errors():
                if self._is_press:
                    await self._send_first("edits", self._interaction.response.defer())
                else:
                    later = self._interaction.response.defer(ephemeral=True, thinking=True)
                    await self._send_first("thinks", later)

    async def _finish(self) -> None:
        """Acknowledges an unanswered interaction; deletes the placeholder of a deferred command."""
        if self._is_press and self._state == "open":
            with suppress(TimeoutError):
                async with asyncio.timeout(EDIT_GRACE):
                    await self._decided.wait()
            await self._acknowledge()
        elif not self._is_press:
            await self._acknowledge()
            if self._state == "thinks" and not self._has_expired:
                with port_errors():
                    await self._interaction.delete_original_response()

    def _become(self, state: _State) -> None:
        self._state = state
        self._decided.set()


class EphemeralAnswer:
    """An ephemeral message that answered a press or a command.

    The token of that interaction edits the message while it lasts.
    """

    def __init__(self, interaction: Interaction, clock: Clock, message: int, arrived: float) -> None:
        self._interaction = interaction
        self._clock = clock
        self.message = message
        """The id of the message."""
        self._arrived = arrived

    @property
    def lasts(self) -> bool:
        """Whether the token can still edit the message."""
        return self._clock.now() - self._arrived < TOKEN_LIFE

    async def edit(self, message: Message) -> bool:
        """Edits the message; False if that is no longer possible. Raises as `Platform.edit` does."""
        interaction = self._interaction
        try:
            with port_errors():
                await async_context.get().edit_webhook_message(
                    interaction.application_id,
                    interaction.token,
                    self.message,
                    session=interaction.followup.session,
                    payload=payload(message),
                )
        except discord.HTTPException as error:
            if not has_lapsed(error):
                raise
            return False
        return True

    async def delete(self) -> None:
        """Deletes the message, if the token lasts."""
        if self.lasts:
            with port_errors():
                await self._interaction.followup.delete_message(self.message)
