"""Why a file cannot be used, in sentences for players: what the system and SQLite say most often."""

from __future__ import annotations

import errno
from collections.abc import Mapping

from engines.game import Text

_REFUSED: Mapping[int, Text] = {
    errno.ENOENT: Text("there is no such file"),
    errno.ENOTDIR: Text("there is no such folder"),
    errno.EISDIR: Text("it is a folder"),
    errno.EACCES: Text("permission denied"),
    errno.EPERM: Text("permission denied"),
    errno.EROFS: Text("the disk is read-only"),
    errno.ENOSPC: Text("the disk is full"),
    errno.ENAMETOOLONG: Text("the name is too long"),
}
"""What the system most often refuses to do with a file."""
_SQLITE: Mapping[str, Text] = {
    "database or disk is full": Text("the disk is full"),
    "file is not a database": Text("it isn't a file of games"),
    "database disk image is malformed": Text("the file is damaged"),
    "attempt to write a readonly database": Text("the file is read-only"),
    "database is locked": Text("another program is using the file"),
    "disk I/O error": Text("the disk does not answer"),
}
"""What SQLite most often says about a file."""


def refusal(error: OSError) -> Text | str:
    """Why the system refuses to do something with a file, for players; its own words for a rare reason."""
    return _REFUSED.get(error.errno or 0) or error.strerror or type(error).__name__


def store_refusal(words: Text | str) -> Text | str:
    """Why a store cannot be used, for players: what SQLite says about its file in a sentence of ours."""
    told = (text for said, text in _SQLITE.items() if isinstance(words, str) and said in words)
    return next(told, words)
