"""The words among which players choose a language and a pace. Imports nothing that takes long."""

from __future__ import annotations

from typing import Literal

Language = Literal["en", "es"]
"""The languages of all sentences."""

Pace = Literal["natural", "fast", "instant"]
"""How fast the computers of a table move."""

Suggestions = Literal["full", "fewer", "off"]
"""How many whole moves a menu suggests where cards can be put together freely: as many as there is room for, a
few, or none.
"""
