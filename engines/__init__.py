"""The games and their rules: pure code without clock, I/O, platform or language.

Each game is a package in this folder. Its ``SUMMARY`` is all that lists of games need; ``game`` is in its
module ``rules``. `games` finds the packages; no list names them.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engines.game import Game, Summary


@cache
def games() -> Mapping[str, Game[Any, Any]]:
    """All games in this folder by key, sorted by key."""
    modules = (importlib.import_module(f"{__name__}.{key}.rules") for key in game_keys())
    return MappingProxyType({module.game.key: module.game for module in modules})


def summaries() -> Mapping[str, Summary]:
    """The summary of each game, by key, sorted by key. Imports no rules, since that takes long."""
    return {key: importlib.import_module(f"{__name__}.{key}").SUMMARY for key in game_keys()}


def game_keys() -> tuple[str, ...]:
    """The keys of all games, sorted: the names of their folders. No game is imported."""
    return tuple(sorted(found.name for found in pkgutil.iter_modules(__path__) if found.ispkg))
