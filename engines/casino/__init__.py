"""40-card Casino: capture cards on the table, build sums to capture later."""

from engines.casino.rules import game

__all__ = ["game"]
