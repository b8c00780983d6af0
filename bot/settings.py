"""The settings, read from the environment and from a file ``.env`` in the working directory."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict

from bot.model import Language


class Settings(BaseSettings):
    """The settings of the program's host; ``.env.example`` explains each."""

    model_config = SettingsConfigDict(env_file=".env", extra="ignore", env_ignore_empty=True)

    sobremesa_language: Language | None = None
    sobremesa_name: str | None = None
    sobremesa_pace: float = Field(default=1.0, ge=0, allow_inf_nan=False)
    sobremesa_letters: bool = False
    sobremesa_file: Path | None = None
    sobremesa_log: Literal["text", "json"] = "text"
    sobremesa_log_level: Literal["debug", "info", "warning", "error"] = "info"
    database_url: SecretStr = SecretStr("sobremesa.db")
    discord_token: SecretStr | None = None
    telegram_token: SecretStr | None = None
    telegram_api_url: str | None = None
    telegram_webhook_url: str | None = None
    telegram_webhook_host: str = "127.0.0.1"
    telegram_webhook_port: int = Field(default=8080, ge=0, le=65535)
