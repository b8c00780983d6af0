"""Puts errors of files and stores into words for players and hosts, those of ports and servers for hosts."""

from __future__ import annotations

import errno
from collections.abc import Mapping

from engines.game import Text

_SYSTEM: Mapping[int, Text] = {
    errno.ENOENT: Text("there is no such file"),
    errno.ENOTDIR: Text("there is no such folder"),
    errno.EISDIR: Text("it is a folder"),
    errno.EACCES: Text("permission denied"),
    errno.EPERM: Text("permission denied"),
    errno.EROFS: Text("the disk is read-only"),
    errno.ENOSPC: Text("the disk is full"),
    errno.ENAMETOOLONG: Text("the name is too long"),
    errno.EADDRINUSE: Text("another program listens there"),
    errno.EADDRNOTAVAIL: Text("this machine has no such address"),
}
"""The commonest errors of the operating system, by number."""
_SQLITE: Mapping[str, Text] = {
    "database or disk is full": Text("the disk is full"),
    "file is not a database": Text("it isn't a file of games"),
    "database disk image is malformed": Text("the file is damaged"),
    "attempt to write a readonly database": Text("the file is read-only"),
    "database is locked": Text("another program is using the file"),
    "disk I/O error": Text("the disk does not answer"),
}
"""The commonest errors of SQLite, by a part of their message."""
_SERVER: Mapping[str, Text] = {
    "ConnectionRefusedError": Text("nothing listens there"),
    "gaierror": Text("there is no such host"),
    "FileNotFoundError": Text("nothing listens there"),
    "TimeoutError": Text("no answer in time"),
    "rejected SSL upgrade": Text("what listens there isn't PostgreSQL"),
    "connection_lost": Text("the connection was cut"),
    " 28000": Text("the user or the password is wrong"),
    " 28P01": Text("the user or the password is wrong"),
    " 3D000": Text("there is no such database"),
    " 42501": Text("the user may not read it"),
    " 53300": Text("it has too many connections"),
    " 57P03": Text("it is starting or stopping"),
}
"""The commonest errors of PostgreSQL and of the way to it, by a part of their description."""


def file_error_text(error: OSError) -> Text | str:
    """An error of the operating system for players and hosts; a rare one in the system's own words."""
    return _SYSTEM.get(error.errno or 0) or error.strerror or type(error).__name__


def store_error_text(message: Text | str) -> Text | str:
    """The message of an error of a store for players and hosts; a rare one as it is."""
    return _by_part(_SQLITE, message)


def server_error_text(message: Text | str) -> Text | str:
    """The description of an error of a database server for its host; a rare one as it is."""
    return _by_part(_SERVER, message)


def quoted(words: str) -> Text:
    """The words of another program, which are not translated."""
    return Text("“{words}”", words=words)


def _by_part(texts: Mapping[str, Text], message: Text | str) -> Text | str:
    """The text for the first part that the message contains; else the message."""
    found = (text for part, text in texts.items() if isinstance(message, str) and part in message)
    return next(found, message)
