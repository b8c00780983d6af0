"""Translates the errors of discord.py into those of `bot.ports`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import aiohttp
import discord

from adapters.shared.network.failures import failure_name
from bot.errors import PlatformError
from bot.ports import Departed, Forbidden, Gone, Later, Rejected, Unreachable
from engines.game import Text

NAME = "Discord"
SETTING = "DISCORD_TOKEN"
"""The setting that holds the token."""
NOT_A_TOKEN = Text(
    "{setting} isn't a token. A token is three words with dots between them: copy it again from the "
    "developer portal.",
    setting=SETTING,
)
TOO_LATE = 10062
"""Discord's error code for an interaction that was not answered within three seconds."""
ANSWERED = 40060
"""Discord's error code for an interaction that was answered already."""

NO_REPLY = 160002
"""Discord's error code for a reply where the bot may not read earlier messages."""
UNKNOWN_MESSAGE = 10008
"""Discord's error code for a message that is deleted."""
_LAPSED = (TOO_LATE, 10015, 50027)
"""Discord's error codes for an interaction whose token has expired or was never valid."""
_UNEDITABLE = 30046
"""Discord's error code for too many edits of a message that is more than an hour old."""
_REASONS: Mapping[int, tuple[type[PlatformError], str]] = {
    10003: (Gone, "the channel is deleted"),
    UNKNOWN_MESSAGE: (Gone, "the message is deleted"),
    50005: (Gone, "the message is another bot's"),
    50083: (Gone, "the thread is archived; writing into it brings it back"),
    50001: (Forbidden, "no access"),
    160006: (Forbidden, "the server has as many active threads as Discord allows"),
    50013: (Forbidden, "no permission"),
    50007: (Unreachable, "their private messages are closed"),
    10013: (Departed, "the user is unknown"),
    10007: (Departed, "the member is unknown"),
    50278: (Departed, "no server is shared"),
}
"""By Discord's error code, the error of `bot.ports` and the meaning of the code."""
_PATIENCE = 5.0
"""Seconds until the next try after an error of the network, or HTTP status 429 or 5xx."""


class Uneditable(Gone):
    """Discord accepts no more edits of this message, but it can be deleted."""


@contextmanager
def port_errors() -> Iterator[None]:
    """Raises errors of `bot.ports` in place of the library's; leaves an error that `has_lapsed` as it is.

    The message for a refusal holds the status and Discord's code. The text of Discord's error may quote the
    request, so it is left out.
    """
    try:
        yield
    except discord.RateLimited as limited:
        raise Later(limited.retry_after, "rate limit") from None
    except discord.HTTPException as error:
        codes = f"HTTP {error.status}, Discord {error.code}"
        if error.code == _UNEDITABLE:
            # Discord sends it as status 429, so this must come before the rate limits.
            raise Uneditable(f"too many edits, {codes}") from None
        if error.status >= 500 or error.status == 429:
            raise Later(_PATIENCE, codes) from None
        if has_lapsed(error):
            raise
        kind, why = _REASONS.get(error.code, (Rejected, ""))
        raise kind(f"{why}, {codes}" if why else codes) from None
    except (aiohttp.ClientError, OSError, TimeoutError) as error:
        raise Later(_PATIENCE, failure_name(error)) from None


def has_lapsed(error: discord.HTTPException) -> bool:
    """Whether the token of an interaction has expired or was never valid."""
    return error.code in _LAPSED
