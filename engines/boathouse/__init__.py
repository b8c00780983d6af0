"""Boathouse Rum: draw two cards, discard one, meld everything."""

from engines.boathouse.rules import game

__all__ = ["game"]
