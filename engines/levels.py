"""The levels of computer players. Imports only `typing`, so that `--help` can name them and load no game."""

from __future__ import annotations

from typing import Literal

Level = Literal["easy", "normal", "hard"]
"""How well a computer player plays: like a beginner, by good rules of thumb, as well as it can."""
