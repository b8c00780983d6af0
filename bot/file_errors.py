"""Words the errors of files and of stores for players."""

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


def file_error_text(error: OSError) -> Text | str:
    """An error of the operating system for players; a rare one in the system's own words."""
    return _SYSTEM.get(error.errno or 0) or error.strerror or type(error).__name__


def store_error_text(message: Text | str) -> Text | str:
    """The message of a `StoreError` for players; a rare one of SQLite in its own words."""
    known = (text for part, text in _SQLITE.items() if isinstance(message, str) and part in message)
    return next(known, message)
