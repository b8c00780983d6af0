"""Games that only tests have, each a folder as in `engines`; found by `games` while registered."""

from __future__ import annotations

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


@contextmanager
def registered(package: ModuleType = throw_in) -> Iterator[None]:
    """Lets `engines.games` find a game, as if its folder lay among the others."""
    folder = Path(str(package.__file__)).parent
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engines, "__path__", [*engines.__path__, str(folder.parent)])
        # The same module, whichever name it is imported by.
        patch.setitem(sys.modules, f"engines.{folder.name}", package)
        games.cache_clear()
        yield
    games.cache_clear()


@contextmanager
def only(*keys: str) -> Iterator[None]:
    """Lets `engines.games` find these games alone, for screens that list every game."""
    found = pkgutil.iter_modules
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pkgutil, "iter_modules", lambda path: [one for one in found(path) if one.name in keys])
        games.cache_clear()
        yield
    games.cache_clear()
