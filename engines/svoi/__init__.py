"""Svoi Kozyri: two players, one open pile, and a trump suit for each of them."""

from engines.svoi.rules import game

__all__ = ["game"]
