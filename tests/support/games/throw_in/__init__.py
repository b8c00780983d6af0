"""Throw-in: several players may act at once, and one loses."""

from tests.support.games.throw_in.rules import State, game

__all__ = ["State", "game"]
