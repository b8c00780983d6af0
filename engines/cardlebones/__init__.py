"""Cardlebones: fill a 3x3 board, and knock your opponent's cards off theirs."""

from engines.cardlebones.rules import game

__all__ = ["game"]
