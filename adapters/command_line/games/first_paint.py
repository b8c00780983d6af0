"""Shows the program's name on the full screen while the screens are imported or saved games are read.

Imports nothing that takes long. After the import Textual takes over the screen, and leaves it at the end.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from adapters.command_line.arguments.parameters import fits

TITLE = "Sobremesa"
"""The name of the program as players read it."""
_ENTER_SCREEN, _LEAVE_SCREEN = "\x1b[?1049h", "\x1b[?1049l"
"""Switch to the terminal's second screen, and back to the one with the player's commands."""
_CLEAR = "\x1b[2J\x1b[H"
"""Fills the screen with the background colour, and goes to its first cell."""
_COLOURS, _NO_COLOURS = "\x1b[48;2;21;26;23m\x1b[38;2;240;185;91m\x1b[1m", "\x1b[0m"
"""Set bold letters in the colours of the full screen, and back to the terminal's own letters and colours."""


@contextmanager
def first_paint(*, stays: bool = True) -> Iterator[None]:
    """Paints the title on the terminal's second screen before the block; does nothing on Windows.

    After the block the terminal goes back to its first screen, unless the second ``stays`` for Textual; after
    an error it always goes back, so that the player can read the message.
    """
    # Consoles of Windows may not know these sequences before Textual has turned them on.
    paints = os.name != "nt"
    if paints:
        colours = "" if os.environ.get("NO_COLOR") else _COLOURS
        _write(_ENTER_SCREEN + colours + _CLEAR + _title() + _NO_COLOURS)
    try:
        yield
    except BaseException:
        stays = False
        raise
    finally:
        if paints and not stays:
            _write(_LEAVE_SCREEN)


def _title() -> str:
    """The title as the list of games shows it, centred in the second line."""
    suits = fits("♠♥♦♣", sys.stdout.encoding or "ascii")
    title = f"♠ ♥  {TITLE}  ♦ ♣" if suits else TITLE
    try:
        columns = os.get_terminal_size(sys.stdout.fileno()).columns
    except OSError:
        columns = 80
    return "\r\n" + title.center(columns).rstrip()


def _write(words: str) -> None:
    sys.stdout.write(words)
    sys.stdout.flush()
