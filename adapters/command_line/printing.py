"""Prints lines of the commands. Imports nothing that takes long, since ``--help`` needs it."""

from __future__ import annotations

import shutil
import sys


def tell(text: str, *, err: bool = False) -> None:
    """Prints lines; on a terminal, the words that don't fit on a line go to the next one."""
    from adapters.shared.rendering.wrapping import reflowed

    stream = sys.stderr if err else sys.stdout
    if stream.isatty():
        width = max(20, shutil.get_terminal_size().columns)
        text = "\n".join(part for line in text.split("\n") for part in reflowed(line, width))
    print(text, file=stream)
