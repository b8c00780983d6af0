"""The message whose button was pressed: the library is slow to parse it, and the bot reads little of it."""

from __future__ import annotations

from typing import Any

from telegram import CallbackQuery, Chat

from adapters.shared.ids import message_id
from adapters.telegram.ephemeral import NUMBER, ephemeral_id
from engines.values import Value

_FIELD = "pressed"
"""The field of a `trimmed` press that has its message; the library keeps it in the query's ``api_kwargs``."""
_READ = ("message_id", "chat", "is_topic_message", "message_thread_id", NUMBER)


class Pressed(Value):
    """A message whose button was pressed, as far as the bot reads it."""

    chat: Chat
    number: int
    """Its id, which means nothing outside its chat."""
    thread: str = ""
    """The forum topic; empty for the general topic and for reply threads."""
    ephemeral: int = 0
    """The ephemeral id; 0 if it is no ephemeral message."""

    @property
    def id(self) -> str:
        """Its id as ``chat/message``."""
        return message_id(self.chat.id, self.number)

    def id_for(self, user: int) -> str:
        """The id of an ephemeral message that this user sees."""
        return ephemeral_id(self.chat.id, user, self.ephemeral)


def trimmed(update: dict[str, Any]) -> dict[str, Any]:
    """An update; the message of a press is kept for `pressed_message`, out of the library's sight."""
    match update:
        case {"callback_query": {"message": {"message_id": _, "chat": _} as message, **query}}:
            read = {name: message[name] for name in _READ if name in message}
            return {**update, "callback_query": {**query, _FIELD: read}}
    return update


def pressed_message(query: CallbackQuery) -> Pressed | None:
    """The message of a press in a `trimmed` update; None if it has none."""
    message = query.api_kwargs.get(_FIELD)
    if message is None:
        return None
    thread, ephemeral = message.get("message_thread_id"), message.get(NUMBER)
    return Pressed(
        Chat.de_json(message["chat"], query.get_bot()),
        message["message_id"],
        str(thread or "") if message.get("is_topic_message") else "",
        ephemeral if isinstance(ephemeral, int) else 0,
    )
