"""Names of network failures for the log of the person who runs the bots."""

from __future__ import annotations

import aiohttp


def failure_name(error: BaseException) -> str:
    """The kind of an error, without its words, since those may hold an address with a token in it."""
    name = type(error).__name__
    offline = isinstance(error, aiohttp.ClientConnectorError) and not isinstance(
        error, aiohttp.ClientSSLError
    )
    return f"no network? {name}" if offline else name
