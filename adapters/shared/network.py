"""Names network failures in the log."""

from __future__ import annotations

import aiohttp


def failure_name(error: BaseException) -> str:
    """The type of an error, marked "no network?" if no connection could be made.

    The error's message is left out, since it may hold an address with a token in it.
    """
    name = type(error).__name__
    offline = isinstance(error, aiohttp.ClientConnectorError) and not isinstance(
        error, aiohttp.ClientSSLError
    )
    return f"no network? {name}" if offline else name
