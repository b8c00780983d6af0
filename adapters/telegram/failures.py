"""Translates the errors of python-telegram-bot into those of `bot.ports`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from telegram.error import BadRequest, Forbidden, NetworkError, RetryAfter

from adapters.telegram.rate_limiter import seconds_of
from bot import ports

_UNCHANGED = "message is not modified"
_GONE = (
    "message to edit not found",
    "message to delete not found",
    "message can't be edited",
    "message can't be deleted",
    "message_id_invalid",
    "there is no text in the message",
)
_CLOSED = (
    "chat not found",
    "peer_id_invalid",
    "user_is_blocked",
    "input_user_deactivated",
    "not enough rights",
    "have no rights",
    "chat_write_forbidden",
    "chat_restricted",
    "need administrator rights",
    "message thread not found",
    "topic_closed",
    "topic_deleted",
    "group chat was deactivated",
)
_TOO_LATE = ("query is too old", "query id is invalid", "query_id_invalid")
_PATIENCE = 5.0
"""Seconds until the next try when Telegram cannot be reached."""


@contextmanager
def port_errors(chat: int) -> Iterator[None]:
    """Raises errors of `bot.ports` in place of the library's; ignores that an edit changes nothing."""
    # The id of a private chat is its user's, which is positive; the id of a group is negative.
    closed = ports.Unreachable if chat > 0 else ports.Forbidden
    try:
        yield
    except RetryAfter as late:
        raise ports.Later(seconds_of(late)) from None
    except Forbidden:
        raise closed from None
    except BadRequest as refused:
        why = refused.message.casefold()
        if _UNCHANGED in why:
            return
        if any(words in why for words in _GONE):
            raise ports.Gone from None
        if any(words in why for words in _CLOSED):
            raise closed from None
        raise
    except NetworkError:
        raise ports.Later(_PATIENCE) from None


def is_too_late(refused: BadRequest) -> bool:
    """Whether the error says that a callback query is too old to be answered."""
    return any(words in refused.message.casefold() for words in _TOO_LATE)
