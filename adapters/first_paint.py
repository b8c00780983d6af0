"""Shows the program's name on the full screen at once, while the screens are imported.

Imports nothing that takes long. Textual then takes over the screen, and leaves it at the end.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from adapters.parameters import fits

TITLE = "Sobremesa"
_ENTER, _LEAVE = "\x1b[?1049h", "\x1b[?1049l"
"""Switch to the terminal's second screen, and back to the one with the player's commands."""
_FELT = "\x1b[48;2;21;26;23m\x1b[38;2;240;185;91m\x1b[1m"
_PLAIN = "\x1b[0m"
"""Set the colours of the full screen, in bold, and the terminal's own again."""


@contextmanager
def first_paint(*, stays: bool = True) -> Iterator[None]:
    """Paints the title on the terminal's second screen before the block.

    After it the second screen is left, unless it ``stays`` for Textual; after an error it is always left, so
    that the player can read the message.
    """
    # Consoles of Windows may not know these sequences before Textual has turned them on.
    shown = os.name != "nt"
    if shown:
        _write(_ENTER + ("" if os.environ.get("NO_COLOR") else _FELT) + "\x1b[2J\x1b[H" + _title() + _PLAIN)
    try:
        yield
    except BaseException:
        stays = False
        raise
    finally:
        if shown and not stays:
            _write(_LEAVE)


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
