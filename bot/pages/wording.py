"""Chooses between two wordings of a sentence: keys are pressed where they are buttons, else typed."""

from __future__ import annotations

from bot.ports import Limits
from engines.game import Text


def either(limits: Limits, pressed: Text, typed: Text) -> Text:
    """The sentence for a platform with buttons, or the one for a platform where people type."""
    return pressed if limits.buttons else typed
