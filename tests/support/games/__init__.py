"""Games that only the tests have, each a folder as in `engines`; found by `games` while registered."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import engines
from engines import games
from tests.support.games import throw_in


@contextmanager
def registered() -> Iterator[None]:
    """Lets `engines.games` find the games of this folder, as if they lay among the others."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engines, "__path__", [*engines.__path__, str(Path(__file__).parent)])
        # The same module, whichever name it is imported by.
        patch.setitem(sys.modules, f"engines.{throw_in.game.key}", throw_in)
        games.cache_clear()
        yield
    games.cache_clear()
