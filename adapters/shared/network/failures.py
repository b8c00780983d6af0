"""Names network failures for the log and for the host, and asks a web server for the time."""

from __future__ import annotations

import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime

import aiohttp

from engines.game import Text

OFFLINE = "no network? "
"""Marks the failures in which no connection could be made."""
_CLOCK_TIMEOUT = 5.0
"""Seconds that a server may take to tell the time."""


def failure_name(error: BaseException) -> str:
    """The type of an error, marked "no network?" if no connection could be made.

    The error's message is left out, since it may hold an address with a token in it.
    """
    name = type(error).__name__
    offline = isinstance(error, aiohttp.ClientConnectorError) and not isinstance(
        error, aiohttp.ClientSSLError
    )
    return f"{OFFLINE}{name}" if offline else name


_FAILURES: Mapping[str, Text] = {
    **dict.fromkeys(("ClientConnectorError", "ClientProxyConnectionError"), Text("no connection")),
    "ClientConnectorDNSError": Text("its address isn't found"),
    **dict.fromkeys(
        ("ClientConnectorSSLError", "ClientConnectorCertificateError", "ClientSSLError"),
        Text("no secure connection"),
    ),
    **dict.fromkeys(
        ("ClientOSError", "ServerDisconnectedError", "ConnectionResetError"), Text("the connection was cut")
    ),
    **dict.fromkeys(
        ("TimeoutError", "TimedOut", "ConnectionTimeoutError", "ServerTimeoutError"),
        Text("no answer in time"),
    ),
}
"""The commonest network failures for the host, by their types."""


def failure_text(name: str) -> Text | None:
    """The words for the network failure with this `failure_name` or type; None for any other error."""
    return _FAILURES.get(name.removeprefix(OFFLINE))


async def clock_ahead_of(url: str) -> float | None:
    """The seconds by which this machine's clock is ahead of a web server's; None if it does not tell."""
    limit = aiohttp.ClientTimeout(total=_CLOCK_TIMEOUT)
    try:
        async with aiohttp.ClientSession(timeout=limit, trust_env=True) as session:
            asked_at = time.time()
            async with session.get(url, allow_redirects=False) as answer:
                server_time = parsedate_to_datetime(answer.headers["Date"]).timestamp()
                # The server leaves out the fraction of the second.
                return (asked_at + time.time()) / 2 - (server_time + 0.5)
    except (aiohttp.ClientError, OSError, KeyError, ValueError):
        return None
