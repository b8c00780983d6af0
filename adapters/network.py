"""What keeps us from a platform's servers, in words for whoever runs the program."""

from __future__ import annotations

import aiohttp


def hindrance(error: BaseException) -> str:
    """Which error it is, without words of its own, since those may hold an address."""
    name = type(error).__name__
    offline = isinstance(error, aiohttp.ClientConnectorError) and not isinstance(
        error, aiohttp.ClientSSLError
    )
    return f"no network? {name}" if offline else name
