"""How errors are logged: without messages that may name hidden cards."""

from __future__ import annotations

from pathlib import Path


class PlatformError(Exception):
    """A platform refuses or can't be reached; the message says why, without content, names or tokens."""


def origin(error: BaseException) -> str:
    """The type of an error and the line that raised it, without its message."""
    trace = error.__traceback__
    while trace and trace.tb_next:
        trace = trace.tb_next
    place = f"{Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}" if trace else "?"
    return f"{type(error).__name__}, {place}"


def reason(error: BaseException) -> str:
    """Why something could not be sent: a `PlatformError` with its message, any other error's `origin`."""
    if not isinstance(error, PlatformError):
        return origin(error)
    return f"{type(error).__name__} ({error})" if str(error) else type(error).__name__
