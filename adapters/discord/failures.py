"""Translates the errors of discord.py into those of `bot.ports`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import aiohttp
import discord

from bot.ports import Departed, Forbidden, Gone, Later, Unreachable

TOO_LATE = 10062
"""Discord's error code for an interaction that was not answered within three seconds."""
ANSWERED = 40060
"""Discord's error code for an interaction that was answered already."""

_UNEDITABLE = 30046
"""Discord's error code for too many edits of a message that is more than an hour old."""
_GONE = {
    10003: "the channel is deleted",
    10008: "the message is deleted",
    50005: "the message is another bot's",
    50083: "the thread is archived; writing into it brings it back",
}
_FORBIDDEN = {50001: "no access", 50013: "no permission"}
_UNREACHABLE = {50007: "their private messages are closed"}
_DEPARTED = {10013: "the user is unknown", 10007: "the member is unknown", 50278: "no server is shared"}
_PATIENCE = 5.0
"""Seconds until the next try after an error of Discord's servers or of the network."""


class Uneditable(Gone):
    """Discord accepts no more edits of this message, but it can be deleted."""


@contextmanager
def port_errors() -> Iterator[None]:
    """Raises errors of `bot.ports` in place of the library's; others, such as a lapsed token, remain."""
    try:
        yield
    except discord.RateLimited as limited:
        raise Later(limited.retry_after) from None
    except discord.HTTPException as error:
        if error.code == _UNEDITABLE:
            # Discord sends it as status 429, so this must come before the rate limits.
            raise Uneditable from None
        if error.status >= 500 or error.status == 429:
            raise Later(_PATIENCE) from None
        if error.code in _GONE:
            raise Gone from None
        if error.code in _DEPARTED:
            raise Departed from None
        if error.code in _UNREACHABLE:
            raise Unreachable from None
        if error.code in _FORBIDDEN:
            raise Forbidden from None
        raise
    except (aiohttp.ClientError, OSError, TimeoutError):
        raise Later(_PATIENCE) from None


def has_lapsed(error: discord.HTTPException) -> bool:
    """Whether the token of an interaction has expired or was never valid."""
    return error.code in (TOO_LATE, 10015, 50027)
