"""The response to one interaction: acknowledged in time, given once, edited while its token lasts.

Discord requires a response within three seconds. A reply that is ready by then is the acknowledgement
itself, which saves a request; otherwise the interaction is deferred first.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from io import BytesIO
from typing import Any, Literal

import discord
from discord import Interaction

from adapters.discord.failures import ANSWERED, has_lapsed, translated
from adapters.discord.pages import NOBODY, content, view
from bot.ports import File, Page

log = logging.getLogger(__name__)

PATIENCE = 1.0
"""Seconds that the dispatcher has before the interaction is deferred."""
GRACE = 0.3
"""Seconds for a panel, after the dispatcher is done, to be edited as the response to the press on it."""
SLOWNESS = 5.0
"""Seconds for an edit with the token of a press, before the bot edits with its own."""
_MARGIN = timedelta(minutes=1)
"""A token is not used in the last minute of its life, in case the clocks differ."""

_State = Literal["open", "edits", "thinks", "said", "lapsed"]
"""Not answered; answered by editing the pressed message; deferred; answered by a message; too late."""


class Answer:
    """The response to a press or a command."""

    def __init__(self, interaction: Interaction) -> None:
        self._interaction = interaction
        self._is_press = interaction.message is not None
        self._state: _State = "open"
        self._lock = asyncio.Lock()
        self._given = asyncio.Event()
        self._late: asyncio.Task[None] | None = None

    @property
    def lasts(self) -> bool:
        """Whether the pressed message may still be edited with the token of the press."""
        return self._state in ("open", "edits") and self._is_press and not self._is_over

    @property
    def _is_over(self) -> bool:
        """Whether the token has expired or is about to."""
        return discord.utils.utcnow() >= self._interaction.expires_at - _MARGIN

    @asynccontextmanager
    async def in_time(self) -> AsyncIterator[None]:
        """Acknowledges the interaction after `PATIENCE`, and at the latest when the block ends."""
        timer = asyncio.get_running_loop().call_later(PATIENCE, self._acknowledge_soon)
        try:
            yield
        finally:
            timer.cancel()
            await self._finish()

    async def edit(self, page: Page) -> bool:
        """Edits the message that was pressed; False where this press cannot do that any more.

        Raises as `Platform.edit` does.
        """
        async with self._lock:
            if not self.lasts:
                return False
            try:
                async with asyncio.timeout(SLOWNESS):
                    with translated():
                        return await self._edit({"content": content(page), "view": view(page)})
            except TimeoutError:
                # The library waits for a limit of the token's however long it is; our own edits have another.
                self._become("lapsed")
                return False
            except discord.HTTPException as error:
                if not has_lapsed(error):
                    raise
                self._become("lapsed")
                return False
            finally:
                # `_finish` must not wait for an edit that has failed.
                self._given.set()

    async def say(self, page: Page | None = None, file: File | None = None) -> None:
        """Sends an ephemeral message, which only the sender sees."""
        async with self._lock:
            if self._is_over:
                self._become("lapsed")
                log.info("an interaction lapsed before it was answered")
                return
            try:
                with translated():
                    await self._say(page, file)
            except discord.HTTPException as error:
                if not has_lapsed(error):
                    raise
                self._become("lapsed")
                log.info("an interaction lapsed before it was answered")

    async def ask(self, title: str, data: str, length: int) -> None:
        """Opens a modal for a few words; it must be the first response.

        Nothing is remembered: the modal's id is the callback data of the button.
        """
        form = discord.ui.Modal(title=title[:45], custom_id=data)
        field: discord.ui.TextInput[discord.ui.Modal] = discord.ui.TextInput(max_length=length)
        form.add_item(discord.ui.Label(text=title[:45], component=field))
        form.stop()
        async with self._lock:
            await self._first("said", "send_modal", form)

    async def _edit(self, shown: dict[str, Any]) -> bool:
        if self._state == "open" and await self._first("edits", "edit_message", **shown):
            return True
        if self._state != "edits":
            return False
        await self._interaction.edit_original_response(allowed_mentions=NOBODY, **shown)
        return True

    async def _say(self, page: Page | None, file: File | None) -> None:
        shown: dict[str, Any] = {}
        if page:
            shown["content"] = content(page)
            if buttons := view(page):
                shown["view"] = buttons
        if file:
            shown["file"] = discord.File(BytesIO(file.content), file.name)
        if self._state == "open":
            if await self._first("said", "send_message", ephemeral=True, allowed_mentions=NOBODY, **shown):
                return
            if file:
                shown["file"] = discord.File(BytesIO(file.content), file.name)
        if self._state == "lapsed":
            return
        if self._state == "thinks":
            if file:
                shown["attachments"] = [shown.pop("file")]
            await self._interaction.edit_original_response(allowed_mentions=NOBODY, **shown)
            self._become("said")
            return
        await self._interaction.followup.send(ephemeral=True, allowed_mentions=NOBODY, **shown)

    async def _first(self, state: _State, method: str, *args: Any, **shown: Any) -> bool:
        """Gives the first response; False where one was given already, or it is too late."""
        try:
            await getattr(self._interaction.response, method)(*args, **shown)
        except discord.InteractionResponded:
            self._become("edits" if self._is_press else "thinks")
            return False
        except discord.HTTPException as error:
            if error.code == ANSWERED:
                # A try of ours that seemed to fail has come through.
                self._become("edits" if self._is_press else "thinks")
                return False
            if has_lapsed(error):
                self._become("lapsed")
                log.info("an interaction lapsed before it was answered")
                return False
            raise
        self._become(state)
        return True

    def _acknowledge_soon(self) -> None:
        self._late = asyncio.create_task(self._acknowledge())

    async def _acknowledge(self) -> None:
        async with self._lock:
            if self._state != "open":
                return
            with translated():
                if self._is_press:
                    await self._first("edits", "defer")
                else:
                    await self._first("thinks", "defer", ephemeral=True, thinking=True)

    async def _finish(self) -> None:
        """Acknowledges an interaction without an answer, and deletes its deferred message."""
        if self._late:
            await asyncio.gather(self._late, return_exceptions=True)
        if self._is_press and self._state == "open":
            with suppress(TimeoutError):
                async with asyncio.timeout(GRACE):
                    await self._given.wait()
            await self._acknowledge()
        elif not self._is_press:
            await self._acknowledge()
            if self._state == "thinks" and not self._is_over:
                with translated():
                    await self._interaction.delete_original_response()

    def _become(self, state: _State) -> None:
        self._state = state
        self._given.set()
