"""Reads what Telegram sends: a press is a record of the bot's own, any other update an object of the library.

The library is slow to read a press: it makes an object of every part of the pressed message.
"""

from __future__ import annotations

from typing import Any

from telegram import Bot, Update

from adapters.shared.ids import message_id
from adapters.telegram.ephemeral import NUMBER, ephemeral_id
from engines.values import Value


class Sender(Value):
    """A user who has pressed a button; the fields have the names of the library's `User`."""

    id: int
    full_name: str
    language_code: str | None
    username: str | None


class PressedChat(Value):
    """The chat of a pressed message; the fields have the names of the library's `Chat`."""

    id: int
    type: str
    title: str | None


class Press(Value):
    """A press of a button, as far as the bot reads it."""

    update_id: int
    query: str
    """The id by which the press is answered."""
    sender: Sender
    data: str
    """The callback data of the button."""
    chat: PressedChat
    number: int
    """The id of the pressed message, which means nothing outside its chat."""
    thread: str = ""
    """The forum topic of the pressed message; empty for the general topic and for reply threads."""
    ephemeral: int = 0
    """The ephemeral id of the pressed message; 0 if it is no ephemeral message."""

    @property
    def message(self) -> str:
        """The id of the pressed message as ``chat/message``."""
        return message_id(self.chat.id, self.number)

    @property
    def ephemeral_message(self) -> str:
        """The id of the pressed message, which must be ephemeral: only the sender sees it."""
        return ephemeral_id(self.chat.id, self.sender.id, self.ephemeral)


Received = Press | Update
"""An update from Telegram."""


def read(update: Any, bot: Bot) -> Received:
    """Reads an update. Raises errors of many types if it cannot be read."""
    match update:
        case {
            "update_id": int(update_id),
            "callback_query": {
                "id": str(query),
                "from": {"id": int(), "first_name": str()} as sender,
                "data": str(data),
                "message": {
                    "message_id": int(number),
                    "chat": {"id": int(chat), "type": str(kind)} as where,
                } as message,
            },
        }:
            thread, ephemeral = message.get("message_thread_id"), message.get(NUMBER)
            return Press(
                update_id,
                query,
                _sender(sender),
                data,
                PressedChat(chat, kind, _string(where.get("title"))),
                number,
                str(thread or "") if message.get("is_topic_message") else "",
                ephemeral if isinstance(ephemeral, int) else 0,
            )
    return Update.de_json(update, bot)


def _sender(user: dict[str, Any]) -> Sender:
    first, last = user["first_name"], _string(user.get("last_name"))
    name = f"{first} {last}" if last else first
    return Sender(user["id"], name, _string(user.get("language_code")), _string(user.get("username")))


def _string(value: object) -> str | None:
    """The value if it is a string; None otherwise, as if the field were missing."""
    return value if isinstance(value, str) else None
