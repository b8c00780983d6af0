"""The rules of the games, pure: no clock, no I/O, no platform, no language.

A game is one package in this folder that offers ``game``; nothing else has to name it.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

from engines.game import Game


@cache
def games() -> Mapping[str, Game[Any, Any]]:
    """Every game found in this folder, by key, in the order of the keys."""
    packages = (found.name for found in pkgutil.iter_modules(__path__) if found.ispkg)
    modules = (importlib.import_module(f"{__name__}.{name}") for name in packages)
    return MappingProxyType({module.game.key: module.game for module in modules})
