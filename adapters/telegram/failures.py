"""Translates the errors of python-telegram-bot into those of `bot.ports`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from telegram.error import BadRequest, Forbidden, NetworkError, RetryAfter, TelegramError

from adapters.telegram.rate_limiter import seconds_of
from bot import ports
from engines.game import Text

NAME = "Telegram"
SETTING = "TELEGRAM_TOKEN"
"""The setting that holds the token."""
NOT_A_TOKEN = Text(
    "{setting} isn't a token. A token is a number, a colon and letters: copy it again from @BotFather.",
    setting=SETTING,
)
_UNCHANGED = "message is not modified"
"""Telegram's words for an edit that would change nothing."""
_GONE = (
    "message to edit not found",
    "message to delete not found",
    "message can't be edited",
    "message can't be deleted",
    "message_id_invalid",
    "there is no text in the message",
)
"""Telegram's words for a message that is deleted, or can no longer be edited or deleted."""
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
"""Telegram's words for a chat or a topic in which the bot may not write."""
_TOO_LATE = ("query is too old", "query id is invalid", "query_id_invalid")
"""Telegram's words for a callback query that can no longer be answered."""
_FORBIDDEN = (
    "bot was blocked by the user",
    "bot was kicked from",
    "bot is not a member of",
    "bot can't initiate conversation",
    "bot can't send messages to bots",
    "user is deactivated",
    "chat was deleted",
)
"""Telegram's words with status 403."""
_MALFORMED = (
    "unsupported start tag",
    "can't parse entities",
    "message text is empty",
    "button_data_invalid",
    "button_url_invalid",
    "reply markup is too long",
    "message to be replied not found",
    "reaction_invalid",
)
"""Telegram's words for other requests that it refuses."""
_TOO_LONG = ("message_too_long", "message is too long", "media_caption_too_long")
"""Telegram's words for a text that is too long.

The edited text of an ephemeral message counts as a caption (telegram-bot-api#881).
"""
_BUTTONS = ("can't parse inline keyboard", "button_type_invalid", "button_style_invalid")
"""Telegram's words for a button that an old server does not know, or that the bot has made wrongly."""
_SAID = (*_GONE, *_CLOSED, *_TOO_LATE, *_FORBIDDEN, *_MALFORMED, *_BUTTONS, *_TOO_LONG, "bot_not_admin")
"""All phrases that may be shown: they quote nothing of a request."""
_PATIENCE = 5.0
"""Seconds until the next try when Telegram cannot be reached."""


@contextmanager
def port_errors(chat: int) -> Iterator[None]:
    """Raises the library's errors as those of `bot.ports`; ignores the error of an edit that changes nothing.

    Errors without a counterpart there, such as `ChatMigrated` and `InvalidToken`, pass unchanged.
    """
    # The id of a private chat is its user's, which is positive; the id of a group is negative.
    closed = ports.Unreachable if chat > 0 else ports.Forbidden
    try:
        yield
    except RetryAfter as late:
        raise ports.Later(seconds_of(late), why(late)) from None
    except Forbidden as refused:
        raise closed(why(refused)) from None
    except BadRequest as refused:
        if _says(refused, (_UNCHANGED,)):
            return
        if _says(refused, _GONE):
            raise ports.Gone(why(refused)) from None
        if _says(refused, _CLOSED):
            raise closed(why(refused)) from None
        raise ports.Rejected(why(refused)) from None
    except NetworkError as error:
        raise ports.Later(_PATIENCE, why(error)) from None


def why(error: TelegramError) -> str:
    """The known phrase in Telegram's error, and its status or type; the rest may quote the request."""
    status = {RetryAfter: "HTTP 429", Forbidden: "HTTP 403", BadRequest: "HTTP 400"}.get(type(error))
    phrase = _says(error, _SAID)
    return ", ".join(filter(None, (phrase, status or type(error).__name__)))


def is_too_late(refused: BadRequest) -> bool:
    """Whether the error says that a callback query is too old to be answered."""
    return bool(_says(refused, _TOO_LATE))


def is_too_long(refused: BadRequest) -> bool:
    """Whether the error says that the text of a message is too long."""
    return bool(_says(refused, _TOO_LONG))


def is_unknown_tag(refused: BadRequest) -> bool:
    """Whether the error says that the server does not know a tag, since it is older than Bot API 9.5."""
    return bool(_says(refused, ("unsupported start tag",)))


def is_unknown_button(refused: BadRequest) -> bool:
    """Whether the error says that the server does not know a style or a kind of button."""
    return bool(_says(refused, _BUTTONS))


def _says(error: TelegramError, phrases: Iterable[str]) -> str:
    """The first of the phrases that Telegram's words contain; empty if they contain none."""
    words = error.message.casefold()
    return next((phrase for phrase in phrases if phrase in words), "")
