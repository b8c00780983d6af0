"""A chat room over TCP, in which people type lines: the example of a platform."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import Field

from adapters.shared.finding import Finding, port_finding
from adapters.shared.platform_settings import PlatformSettings, Served
from bot.ports import Clock


class TavernSettings(PlatformSettings):
    """The settings of the chat room."""

    key = "tavern"
    required = "tavern_port"
    is_example = True

    tavern_port: int | None = Field(default=None, ge=0, le=65535)
    tavern_host: str = "127.0.0.1"

    async def examine(self, places: Sequence[str]) -> Sequence[Finding]:
        assert self.tavern_port is not None
        return [port_finding(self.tavern_host, self.tavern_port)]

    def start(self, clock: Clock) -> Served:
        from adapters.tavern.platform import Tavern

        assert self.tavern_port is not None
        return Tavern(self.tavern_host, self.tavern_port)


settings = TavernSettings
"""The class that `adapters.hosting.registry` looks for."""
