"""The file of an SQLite store: notices when it is no longer where it was opened."""

from __future__ import annotations

import logging
import os
from pathlib import Path

from bot.ports import StoreError

log = logging.getLogger(__name__)


class StoreFile:
    """The file at a path, by device and inode: SQLite itself would go on writing into a deleted file."""

    def __init__(self, path: Path) -> None:
        """Makes a missing file, and its folder. Raises `StoreError`."""
        self.path = path
        self._lost = False
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            # The file holds the seeds of running games: only its owner may read it.
            file = os.open(path, os.O_CREAT | os.O_RDWR, 0o600)
            try:
                self._identity = _identity(os.fstat(file))
            finally:
                os.close(file)
        except OSError as error:
            raise StoreError(f"{path} cannot be opened: {error.strerror}") from None

    def check(self) -> None:
        """Raises `StoreError` if the file was deleted, moved or replaced; logs once that it was."""
        try:
            what = "" if _identity(self.path.stat()) == self._identity else "was replaced by another file"
        except FileNotFoundError:
            what = "was deleted or moved away"
        except OSError as error:
            what = f"cannot be reached: {error.strerror}"
        if bool(what) != self._lost:
            self._lost = bool(what)
            if what:
                log.critical(
                    "the store %s %s while the bot was running: nothing is stored until it is back, so "
                    "every change is refused; put it back, or stop the bot and start it again",
                    self.path, what,
                )  # fmt: skip
            else:
                log.warning("the store %s is back", self.path)
        if what:
            raise StoreError(f"the store {self.path} {what}")


def _identity(found: os.stat_result) -> tuple[int, int]:
    return found.st_dev, found.st_ino
