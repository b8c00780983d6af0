"""The settings that each platform's folder defines, and the platform that they start."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar, Protocol

from pydantic_settings import BaseSettings

from adapters.shared.finding import Finding
from bot.i18n import Speech
from bot.inbox.dispatcher import Dispatcher
from bot.ports import Clock, Platform
from bot.settings.host_settings import ENVIRONMENT
from engines.game import Text


class Served(Platform, Protocol):
    """A platform that also receives deliveries, and passes them to the dispatcher."""

    @property
    def is_connected(self) -> bool:
        """Whether deliveries arrive at present, as far as the platform's connection shows it."""

    async def run(self, dispatcher: Dispatcher) -> None:
        """Passes what users send to the dispatcher until cancelled. Raises `NotAdmitted`."""


class InvalidSetting(ValueError):
    """The value of a setting cannot be used; ``reason`` tells the host which values can."""

    def __init__(self, reason: Text) -> None:
        super().__init__(Speech("en")(reason))
        self.reason = reason


class PlatformSettings(BaseSettings, ABC):
    """The settings of one platform; a subclass declares them as its fields.

    ``.env.example`` explains each.
    """

    model_config = ENVIRONMENT

    key: ClassVar[str]
    """The `Place.platform` of all places on the platform."""
    required: ClassVar[str]
    """The field without which the platform is not served, such as its token."""
    is_example: ClassVar[bool] = False
    """Whether the platform only shows developers how to make one; hosts are not asked to set it."""

    @property
    def is_set(self) -> bool:
        """Whether the host wants the platform to be served."""
        return getattr(self, self.required) is not None

    def is_place(self, word: str) -> bool:
        """Whether a word, such as an id, can name a place that `examine` understands."""
        return False

    async def examine(self, places: Sequence[str]) -> Sequence[Finding]:
        """Examines whether the bot could serve with these settings, and what it may do in these places.

        Called only if `is_set`. Changes nothing, since the bot may be running.
        """
        return ()

    @abstractmethod
    def start(self, clock: Clock) -> Served:
        """The platform with these settings, not yet connected; imports its library only now.

        Called only if `is_set`.
        """
