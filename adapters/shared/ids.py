"""Spells the ids of messages and deliveries where a platform's own are numbers; parses those of messages."""

from __future__ import annotations


def message_id(chat: int, number: int) -> str:
    """The id of a message of a chat, as ``chat/number``; panels are stored with it."""
    return f"{chat}/{number}"


def parse_message_id(message: str) -> tuple[int, int]:
    """The chat and the number of a message; the inverse of `message_id`."""
    chat, _, number = message.partition("/")
    return int(chat), int(number)


def delivery_id(platform: str, *numbers: int) -> str:
    """The id of a delivery: the same when the platform delivers it again, and no other delivery's."""
    return ":".join((platform, *map(str, numbers)))
