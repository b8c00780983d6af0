"""Words sentences by what a platform can: buttons are pressed, other keys are typed."""

from __future__ import annotations

from bot.ports import Limits
from engines.game import Text


def either(limits: Limits, pressed: Text, typed: Text) -> Text:
    """The sentence for a platform with buttons, or the one for a platform where people type."""
    return pressed if limits.buttons else typed
