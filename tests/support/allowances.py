"""Allowances for tests in which people press faster than any person can, or open table after table."""

from __future__ import annotations

from bot.inbox.allowances import Allowances, Rate

_OFTEN = Rate(10**6, 1.0)
"""A rate that no test reaches."""
AMPLE = Allowances(presses=_OFTEN, suggestions=_OFTEN, tables=_OFTEN, settings=_OFTEN)
"""As many presses, suggestions, tables and settings as a test likes; texts are cut as usual."""
