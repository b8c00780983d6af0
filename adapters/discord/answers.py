"""The answer to one interaction: acknowledged in time, given once, edited while its token lasts.

Discord wants to hear something within three seconds. Where the dispatcher is quicker, what it says is the
acknowledgement itself, which saves a message; else we acknowledge first.
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
"""Seconds that the dispatcher has before we acknowledge."""
GRACE = 0.3
"""Seconds that a panel has, after the dispatcher is done, to be edited as the answer to the press on it."""
SLOWNESS = 5.0
"""Seconds that an edit with a token may take before we edit without it."""
_MARGIN = timedelta(minutes=1)
"""A token is not used in the last minute of its life."""

_State = Literal["open", "edits", "thinks", "said", "lapsed"]
"""Not answered; the first answer edits the pressed message; promised a message; sent one; too late."""


class Answer:
    """What somebody is answered who has pressed a button or given a command."""

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
        """Whether the token is of no use any more, or will not be in a moment."""
        return discord.utils.utcnow() >= self._interaction.expires_at - _MARGIN

    @asynccontextmanager
    async def in_time(self) -> AsyncIterator[None]:
        """Acknowledges if what is done meanwhile takes long, and in any case when it is done."""
        timer = asyncio.get_running_loop().call_later(PATIENCE, self._acknowledge_soon)
        try:
            yield
        finally:
            timer.cancel()
            await self._finish()

    async def edit(self, page: Page) -> bool:
        """Changes the message that was pressed on; False where that cannot be done with this press.

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
                # Whatever came of it, there is nothing more to wait for.
                self._given.set()

    async def say(self, page: Page | None = None, file: File | None = None) -> None:
        """Writes to the sender alone."""
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
        """Opens a form for a few words, which must be the first answer.

        It is not kept here: what is sent in names what it is for.
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
        """Gives the first answer; False where somebody has given one, or it is too late."""
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
        """Ends an answer in which nothing more will be said."""
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
