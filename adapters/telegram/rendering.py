"""Renders messages for the Bot API server, more plainly once it has refused a tag or a feature of buttons."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import TypeVar

from telegram.error import BadRequest

from adapters.shared.rendering.message import Message
from adapters.telegram.failures import is_unknown_button, is_unknown_tag
from adapters.telegram.pages import content, has_rich_buttons, has_rich_text, keyboard
from bot.model.people import Account

log = logging.getLogger(__name__)

_T = TypeVar("_T")
Send = Callable[[str, dict[str, str]], Awaitable[_T]]
"""Sends a text, as HTML, with the API parameter of its buttons, if it has any."""


class Rendering:
    """Sends messages with all features that the server has not refused yet."""

    def __init__(self) -> None:
        self._knows_tags = True
        """Whether the server knows the tags of times and of folded texts, as far as the bot has seen."""
        self._knows_buttons = True
        """Whether the server knows buttons that have a style or copy a text, as far as the bot has seen."""

    async def send(self, message: Message, send: Send[_T], mention: Account | None = None) -> _T:
        """Sends a message; if the server does not know a feature of it, sends it again without."""
        while True:
            tags, buttons = self._knows_tags, self._knows_buttons
            try:
                return await send(content(message, mention, rich=tags), keyboard(message, rich=buttons))
            except BadRequest as refused:
                if is_unknown_tag(refused) and tags and has_rich_text(message):
                    self._knows_tags = False
                    log.info("the Bot API server is older than version 9.5: deadlines do not count down")
                elif is_unknown_button(refused) and buttons and has_rich_buttons(message):
                    self._knows_buttons = False
                    log.info("the Bot API server is older than version 9.4: buttons have no colours")
                else:
                    raise
