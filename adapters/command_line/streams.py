"""Prepares the standard streams: what their encoding lacks is written as the nearest ASCII characters.

Each visible character keeps its width, so that drawings keep their form; “…” at the end of a line or of a
write becomes three dots.
"""

from __future__ import annotations

import codecs
import io
import os
import sys
import unicodedata

_LOOKALIKES = "lookalikes"
"""The name of the error handler (`codecs.register_error`)."""
_ASCII_OF = {
    **dict.fromkeys("─━—–‒−‐‑╌┄", "-"),
    **dict.fromkeys("│┃║▕▏▎▍▌▐", "|"),
    **dict.fromkeys("┌┐└┘├┤┬┴┼╭╮╰╯╞╡╪╶╴", "+"),
    **dict.fromkeys("›»→▶▸", ">"),
    **dict.fromkeys("‹«←◀", "<"),
    **dict.fromkeys("“”„", '"'),
    **dict.fromkeys("‘’´", "'"),
    **dict.fromkeys("·•", "."),
    **dict.fromkeys("▁▂▃▄▅▆▇█", "#"),
    **dict.fromkeys("¿¡\u00a0", " "),
    **dict(zip("♠♥♦♣★✓×↑↓…", "SHDC*vx^v~", strict=True)),
}
"""The ASCII character that looks most like each."""
_UNKNOWN = "_"
"""Stands for each cell of a character that no ASCII character resembles."""
_C_LOCALES = frozenset(("C", "POSIX"))
"""The values of ``LC_ALL`` that stand for ASCII."""


def in_ascii(text: str) -> str:
    """The text in ASCII: each character becomes the one that looks most like it, as wide in cells."""
    return "".join(map(_char_in_ascii, text))


def prepare() -> None:
    """Makes every text writable; a terminal shows ASCII alone if its user has set it so (`_is_plain`).

    Puts an empty input, and outputs that nobody reads, in place of closed ones.
    """
    # Python sets a stream to None if it was closed before the program started.
    sys.stdin = sys.stdin or io.TextIOWrapper(io.BytesIO())
    sys.stdout = sys.stdout or io.TextIOWrapper(io.BytesIO())
    sys.stderr = sys.stderr or io.TextIOWrapper(io.BytesIO())
    codecs.register_error(_LOOKALIKES, _replaced)
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="ascii" if _is_plain(stream) else None, errors=_LOOKALIKES)


def _is_plain(stream: io.TextIOWrapper) -> bool:
    """Whether a stream is a terminal whose user has set ``LC_ALL`` to ASCII, and no encoding for Python.

    Python itself would write UTF-8 there.
    """
    chosen = os.environ.get("PYTHONIOENCODING") or os.environ.get("PYTHONUTF8")
    return not chosen and os.environ.get("LC_ALL") in _C_LOCALES and stream.isatty()


def _char_in_ascii(char: str) -> str:
    if char.isascii():
        return char
    if known := _ASCII_OF.get(char):
        return known
    # Imported only here: few programs write what their stream lacks, and every start imports this module.
    from engines.drawing import cells

    bare = [part for part in unicodedata.normalize("NFKD", char) if part.isascii()]
    width = cells(char)
    return bare[0] if len(bare) == 1 and width == 1 else _UNKNOWN * width


def _replaced(error: UnicodeError) -> tuple[str, int]:
    """Handles an encoding error: what to write for the characters, and where to go on."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = in_ascii(error.object[error.start : error.end])
    ends_line = error.object[error.end : error.end + 1] in {"", "\n"}
    if ends_line and error.object[error.end - 1] == "…":
        return text[:-1] + "...", error.end
    return text, error.end
