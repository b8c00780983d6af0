"""Opens the sockets at which the bot listens, and says plainly why one cannot be opened."""

from __future__ import annotations

from socket import AF_INET, AF_INET6, IPPROTO_TCP, SOCK_STREAM, create_server, socket

from bot.file_errors import file_error_text
from bot.ports import NotAdmitted
from engines.game import Text


def open_listener(host: str, port: int, setting: str) -> socket:
    """A socket that listens at an address of this machine.

    Raises `NotAdmitted`, which names the setting of the port, if the address cannot be used or is taken.
    """
    # Uvicorn would exit the program if the port is taken, so the bot opens the socket for it.
    try:
        return listener(host, port)
    except OSError as error:
        raise NotAdmitted(
            Text(
                "The bot can't listen at {host}, port {port} ({reason}). Choose another in {setting}.",
                host=host,
                port=str(port),
                reason=why_not(error),
                setting=setting,
            )
        ) from None


def listener(host: str, port: int) -> socket:
    """A socket that listens at an IPv4 or IPv6 address; raises `OSError`."""
    family = AF_INET6 if ":" in host else AF_INET
    opened = create_server((host, port), family=family)
    # asyncio sets TCP_NODELAY, which sends each answer at once, only on sockets that name TCP.
    return socket(family, SOCK_STREAM, IPPROTO_TCP, opened.detach())


def why_not(error: OSError) -> Text | str:
    """Why `listener` has failed, for the host; a rare reason in the system's words."""
    why = file_error_text(error)
    # Python adds the address to the system's words.
    return why if isinstance(why, Text) else why.partition(" (while attempting")[0]
