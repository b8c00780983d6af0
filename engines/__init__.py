"""The games and their rules: pure code without clock, I/O, platform or language.

Each game is a package in this folder that defines ``game``. `games` finds the packages; no list names them.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engines.game import Game


@cache
def games() -> Mapping[str, Game[Any, Any]]:
    """All games in this folder by key, sorted by key."""
    modules = (importlib.import_module(f"{__name__}.{name}") for name in game_keys())
    return MappingProxyType({module.game.key: module.game for module in modules})


def game_keys() -> tuple[str, ...]:
    """The keys of all games, sorted: the names of their folders. No game is imported."""
    return tuple(sorted(found.name for found in pkgutil.iter_modules(__path__) if found.ispkg))
