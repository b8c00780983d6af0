"""The command with which users start the program, as help and messages name it."""

from __future__ import annotations

import os


def program() -> str:
    """The command: the one that ``run.py`` passes on, else the installed program's name."""
    return os.environ.get("SOBREMESA_COMMAND") or "sobremesa"
