"""The settings, read from the environment and from a file ``.env`` in the working directory."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict

from bot.settings.choices import Language
from bot.settings.local_settings import ENV_ENCODING, ENV_FILE, USUAL_PACE, LocalSettings, usual_thinkers

ENVIRONMENT = SettingsConfigDict(
    env_file=ENV_FILE, env_file_encoding=ENV_ENCODING, extra="ignore", env_ignore_empty=True
)
"""Where the bot and its adapters read settings from; empty ones count as not set."""


class Settings(BaseSettings):
    """The settings of the program's host; ``.env.example`` explains each."""

    model_config = ENVIRONMENT

    sobremesa_language: Language | None = None
    sobremesa_name: str | None = None
    sobremesa_pace: float = Field(default=USUAL_PACE, ge=0, allow_inf_nan=False)
    sobremesa_thinkers: int = Field(default_factory=usual_thinkers, ge=1)
    sobremesa_letters: bool = False
    sobremesa_file: Path | None = None
    sobremesa_log: Literal["text", "json"] = "text"
    sobremesa_log_level: Literal["debug", "info", "warning", "error"] = "info"
    sobremesa_monitor_port: int | None = Field(default=None, ge=0, le=65535)
    sobremesa_monitor_host: str = "127.0.0.1"
    sobremesa_tables_person: int = Field(default=4, ge=1)
    sobremesa_tables_place: int = Field(default=6, ge=1)
    sobremesa_tables_days: int = Field(default=3, ge=0)
    sobremesa_seats_person: int = Field(default=12, ge=1)
    sobremesa_idle_lobby: float = Field(default=30, ge=1, allow_inf_nan=False)
    sobremesa_idle_live: float = Field(default=2, ge=1, allow_inf_nan=False)
    sobremesa_idle_unclocked: float = Field(default=3, gt=0, allow_inf_nan=False)
    sobremesa_idle_correspondence: float = Field(default=8, gt=7, allow_inf_nan=False)
    database_url: SecretStr = SecretStr("sobremesa.db")

    @property
    def local(self) -> LocalSettings:
        """The part that games at a terminal need."""
        return LocalSettings(
            language=self.sobremesa_language,
            name=self.sobremesa_name,
            pace=self.sobremesa_pace,
            thinkers=self.sobremesa_thinkers,
            letters=self.sobremesa_letters,
            file=self.sobremesa_file,
        )
