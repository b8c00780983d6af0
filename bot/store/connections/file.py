"""The file of an SQLite store: notices when it is lost, and lets only one process serve from it."""

from __future__ import annotations

import logging
import os
import socket
import time
from contextlib import suppress
from pathlib import Path

from filelock import FileLock, Timeout

from bot.file_errors import file_error_text
from bot.storage import StoreError
from engines.game import Text

log = logging.getLogger(__name__)


class StoreFile:
    """The file at a path, by device and inode: SQLite itself would go on writing into a deleted file."""

    def __init__(self, path: Path) -> None:
        """Makes a missing file, and its folder. Raises `StoreError`."""
        self.path = path
        self._name = str(path)
        self._lost = False
        self._lock: FileLock | None = None
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            # The file holds the seeds of running games: only its owner may read it.
            os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
            # By the path, as in `check`: on Windows `os.fstat` may give another device.
            found = path.stat()
            self._identity = found.st_dev, found.st_ino
        except OSError as error:
            raise StoreError(
                Text("{file} can't be opened: {reason}", file=str(path), reason=file_error_text(error))
            ) from None

    def serve(self) -> None:
        """Makes this process the only one that serves from the file.

        Raises `StoreError` if another does, or if the lock cannot be taken. The system frees the lock when
        the process ends, however it ends.
        """
        lock = FileLock(f"{self.path}.lock", mode=0o600)
        try:
            lock.acquire(blocking=False)
        except Timeout:
            raise StoreError(
                Text(
                    "{process} serves from {file} already, and only one process can. Stop that one first, or "
                    "keep the tables in PostgreSQL.",
                    process=self._holder(),
                    file=str(self.path),
                )
            ) from None
        except OSError as error:
            lock_file = f"{self.path}.lock"
            raise StoreError(
                Text("{file} can't be opened: {reason}", file=lock_file, reason=file_error_text(error))
            ) from None
        self._lock = lock
        since = time.strftime("%Y-%m-%d %H:%M:%S %z")
        # The note is not in the lock file, which Windows lets nobody read. Without it the lock still holds.
        with suppress(OSError):
            note = f"{os.getpid()}\n{socket.gethostname()}\n{since}\n"
            _note_of(self.path).write_text(note, "utf-8")

    def release(self) -> None:
        """Lets another process serve from the file."""
        if self._lock:
            with suppress(OSError):
                _note_of(self.path).unlink(missing_ok=True)
            self._lock.release()
            self._lock = None

    def _holder(self) -> Text:
        """Names the process that holds the lock, as far as its note tells."""
        try:
            pid, host, since = _note_of(self.path).read_text("utf-8")[:200].splitlines()
        except (OSError, ValueError):
            return Text("another process")
        return Text("process {pid} on {host} (since {since})", pid=pid, host=host, since=since)

    def check(self) -> None:
        """Raises `StoreError` while the file is deleted, moved, replaced or out of reach.

        Logs once that it is, and once that it is back.
        """
        try:
            # Each transaction checks the file: `Path.stat` would take twice the CPU time.
            found = os.stat(self._name)  # noqa: PTH116
            same = (found.st_dev, found.st_ino) == self._identity
            if same and not self._lost:
                return
            why = None if same else Text("the file {file} was replaced by another file", file=str(self.path))
        except FileNotFoundError:
            why = Text("the file {file} was deleted or moved away", file=str(self.path))
        except OSError as error:
            reason = file_error_text(error)
            why = Text("the file {file} can't be reached: {reason}", file=str(self.path), reason=reason)
        if bool(why) != self._lost:
            self._lost = bool(why)
            if why:
                log.critical(
                    "while the bot was running, %s: nothing is stored until it is back, so "
                    "every change is refused; put it back, or stop the bot and start it again",
                    StoreError(why),
                )  # fmt: skip
            else:
                log.warning("the store %s is back", self.path)
        if why:
            raise StoreError(why)


def is_served(path: Path) -> bool:
    """Whether a process that has left its note serves from a store's file, even from a deleted one.

    False also if the lock cannot be tried, as when another user owns it.
    """
    lock = Path(f"{path}.lock")
    if not lock.exists() or not _note_of(path).exists():
        return False
    held = FileLock(lock)
    try:
        held.acquire(blocking=False)
    except Timeout:
        return True
    except OSError:
        return False
    held.release()
    return False


def _note_of(path: Path) -> Path:
    """The path of a note beside the file, which names the process that serves."""
    return path.with_name(f"{path.name}.serving")
