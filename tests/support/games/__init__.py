"""Games for tests alone, each a folder as in `engines`; `engines.games` finds them while registered."""

from __future__ import annotations

import importlib
import pkgutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

import pytest

import engines
from engines import games
from tests.support.games import throw_in

every_game = pytest.mark.parametrize("key", [*games(), "throw_in"], indirect=True)
"""Runs a test with each game of `engines`, and with Throw-in, which the fixture ``key`` registers."""


@contextmanager
def registered(package: ModuleType = throw_in) -> Iterator[None]:
    """Makes `engines.games` find a game during the block, as if its folder were in `engines`."""
    folder = Path(str(package.__file__)).parent
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engines, "__path__", [*engines.__path__, str(folder.parent)])
        # Each module is one under both names, so its classes exist once.
        patch.setitem(sys.modules, f"engines.{folder.name}", package)
        rules = importlib.import_module(f"{package.__name__}.rules")
        patch.setitem(sys.modules, f"engines.{folder.name}.rules", rules)
        games.cache_clear()
        try:
            yield
        finally:
            games.cache_clear()


@contextmanager
def only(*keys: str) -> Iterator[None]:
    """Makes `engines.games` find only these games during the block, for screens that list every game."""
    found = pkgutil.iter_modules
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pkgutil, "iter_modules", lambda path: [one for one in found(path) if one.name in keys])
        games.cache_clear()
        try:
            yield
        finally:
            games.cache_clear()
