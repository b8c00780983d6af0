"""A worker process: answers the queries that come by its standard input, until that is closed.

It gets views, never a state, and imports the engines but hardly anything of the bot. A message is its length
in four bytes, then a pickled object: a `Request`, or what `answer` returns for it.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
import threading
from queue import SimpleQueue
from typing import BinaryIO, TypeAlias

from bot.errors import origin
from bot.thinking.query import Query, QueryKind, estimate, think
from engines import games

LENGTH_BYTES = 4
"""The number of bytes at the beginning of a message that give the length of the rest."""
NICE = 10
"""How much nicer a worker is than the parent process, which so comes first on a shared core."""

Request: TypeAlias = tuple[QueryKind, Query]
"""The kind of a query, and the query."""


def encode(message: object) -> bytes:
    """A message for the pipe to or from a worker."""
    data = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    return len(data).to_bytes(LENGTH_BYTES, "big") + data


def answer(request: Request) -> object:
    """The answer to a query: a move, the chances of moves, or the origin of an error as a text."""
    kind, query = request
    try:
        return think(query) if kind == "think" else dict(estimate(query))
    except Exception as error:
        # The message of an error may name cards.
        return origin(error)


def work() -> None:
    """Answers queries until standard input is closed, as it is when the parent process ends or is killed."""
    # Ctrl+C at a terminal is for the parent process.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(NICE)
    output = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    # What a game might print must not come between the answers.
    sys.stdout = sys.stderr
    games()
    queries: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=_read, args=(sys.stdin.buffer, queries), daemon=True).start()
    while True:
        output.write(encode(answer(pickle.loads(queries.get()))))
        output.flush()


def _read(source: BinaryIO, queries: SimpleQueue[bytes]) -> None:
    """Reads queries into the queue; when the input ends, ends this process at once, even while it thinks."""
    while len(head := source.read(LENGTH_BYTES)) == LENGTH_BYTES:
        queries.put(source.read(int.from_bytes(head, "big")))
    os._exit(0)


if __name__ == "__main__":
    work()
