"""What may be said of an error: its words may name hidden cards."""

from __future__ import annotations

from pathlib import Path


def origin(error: BaseException) -> str:
    """The kind of an error and its place in the program, without its words."""
    trace = error.__traceback__
    while trace and trace.tb_next:
        trace = trace.tb_next
    place = f"{Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}" if trace else "?"
    return f"{type(error).__name__}, {place}"
