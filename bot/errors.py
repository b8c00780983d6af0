"""How errors are logged: without their messages, which may name hidden cards."""

from __future__ import annotations

from pathlib import Path


def origin(error: BaseException) -> str:
    """The type of an error and the line that raised it, without its message."""
    trace = error.__traceback__
    while trace and trace.tb_next:
        trace = trace.tb_next
    place = f"{Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}" if trace else "?"
    return f"{type(error).__name__}, {place}"
