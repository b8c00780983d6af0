"""Trío y Escalera: go out by building trios and runs on a table that every player may rearrange."""

from engines.trio_escalera.rules import game

__all__ = ["game"]
