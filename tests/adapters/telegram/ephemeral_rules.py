"""The emulator's ephemeral messages: when the bot may send one, and what an older server does instead."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from lo_bot_api_emulator import ApiRefusal

from tests.support.records import Rows

Version = Literal["", "10.2", "10.3"]
"""A Bot API as far as ephemeral messages go: without them, with other parameters, and as today."""

_ANSWER_TIME = 15.0
"""Seconds for which an ephemeral message may answer a press or a command."""
_IDS = ("chat_id", "receiver_user_id", "ephemeral_message_id")


@dataclass(slots=True)
class Whisper:
    """An ephemeral message of the bot."""

    chat: int
    user: int
    """The receiver."""
    id: int
    thread: str
    html: str
    plain: str
    rows: Rows = ()
    alive: bool = True


@dataclass(slots=True)
class EphemeralRules:
    """The ephemeral messages that the bot has sent, and the rules by which a server takes them."""

    version: Version = ""
    admin: set[int] = field(default_factory=set)
    """The groups in which the bot is an administrator."""
    heard: dict[str, tuple[int, float]] = field(default_factory=dict)
    """The user and the time of each press, by query id, and of each ephemeral command, by its id."""
    whispers: list[Whisper] = field(default_factory=list)
    longest: int = 1024
    """The most UTF-16 units of an edited text: Telegram takes it for a caption (telegram-bot-api#881)."""
    asked: int = 0
    """How often a server was asked whether it knows ephemeral messages."""

    def shown(self, user: int) -> list[Whisper]:
        """The messages that a user sees alone in groups, oldest first."""
        return [whisper for whisper in self.whispers if whisper.alive and whisper.user == user]

    def receiver(self, fields: Mapping[str, Any], chat: int, now: float) -> int:
        """The receiver of a message that is being sent; 0 if it is for all, as any is on an older server.

        Refuses an ephemeral message that the bot may not send.
        """
        if self.version != "10.3" or "ephemeral_message_parameters" not in fields:
            return 0
        given = json.loads(fields["ephemeral_message_parameters"])
        user = int(given["receiver_user_id"])
        replied = json.loads(fields.get("reply_parameters", "{}")).get("ephemeral_message_id", "")
        occasion = str(given.get("callback_query_id", "") or replied)
        if chat > 0 or not (occasion or chat in self.admin):
            raise ApiRefusal("Bad Request: BOT_NOT_ADMIN")
        if occasion:
            sender, at = self.heard.get(occasion, (0, 0.0))
            if sender != user or now - at > _ANSWER_TIME:
                raise ApiRefusal("Bad Request: QUERY_ID_INVALID")
        return user

    def sent(self, chat: int, user: int, thread: str, html: str, plain: str, rows: Rows) -> dict[str, Any]:
        """Keeps a message; returns it as an API object."""
        whisper = Whisper(chat, user, len(self.whispers) + 501, thread, html, plain, rows)
        self.whispers.append(whisper)
        return {
            "message_id": 0,
            "ephemeral_message_id": whisper.id,
            "receiver_user": {"id": user, "is_bot": False, "first_name": "–"},
            "date": 1,
            "chat": {"id": chat, "type": "supergroup", "title": "Friends"},
            "text": plain,
        }

    def edited(self, fields: Mapping[str, Any], plain: Callable[[], str], rows: Rows) -> Whisper:
        """Changes a message and returns it."""
        whisper = self._found(fields)
        text = plain()
        if len(text.encode("utf-16-le")) // 2 > self.longest:
            raise ApiRefusal("Bad Request: MEDIA_CAPTION_TOO_LONG")
        if (whisper.html, whisper.rows) == (fields["text"], rows):
            raise ApiRefusal("Bad Request: message is not modified: specified new message content…")
        whisper.html, whisper.plain, whisper.rows = fields["text"], text, rows
        return whisper

    def deleted(self, fields: Mapping[str, Any]) -> bool:
        """Deletes a message."""
        self._found(fields).alive = False
        return True

    def _found(self, fields: Mapping[str, Any]) -> Whisper:
        self.asked += not int(fields["chat_id"])
        if not self.version:
            raise ApiRefusal("Not Found: method not found", 404)
        chat, user, number = (int(fields[name]) for name in _IDS)
        if not chat:
            raise ApiRefusal("Bad Request: chat not found")
        for whisper in self.whispers:
            if (whisper.chat, whisper.user, whisper.id, whisper.alive) == (chat, user, number, True):
                return whisper
        raise ApiRefusal("Bad Request: message to edit not found")
