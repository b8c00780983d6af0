"""The settings of games at a terminal, read without pydantic, whose import takes longer than a deal."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_args

from bot.settings.choices import Language

ENV_FILE = ".env"
"""The file of settings, in the working directory."""
ENV_ENCODING = "utf-8-sig"
"""UTF-8, also with the mark at its beginning that editors on Windows write."""
USUAL_PACE = 1.0
"""The default pace: approximate seconds that a computer player takes over a move."""

_PREFIX = "sobremesa_"
"""The beginning of the names of the environment variables, in capitals or not."""
_PLAIN_DECIMAL = re.compile(r"[0-9]{1,9}(\.[0-9]{1,9})?")
"""Matches a decimal as most people write it."""
_PLAIN_COUNT = re.compile(r"[1-9][0-9]{0,8}")
"""Matches a number from 1 on as most people write it."""


def usual_thinkers() -> int:
    """The default number of worker processes, at most 4; of several cores one is left to the bot itself."""
    return min(4, max(1, (os.cpu_count() or 1) - 1))


@dataclass(frozen=True, slots=True)
class LocalSettings:
    """The fields of `bot.settings.host_settings.Settings` that games at a terminal need."""

    language: Language | None = None
    name: str | None = None
    pace: float = USUAL_PACE
    thinkers: int = field(default_factory=usual_thinkers)
    letters: bool = False
    file: Path | None = None


def read_plain() -> LocalSettings | None:
    """Reads the settings if each is written in its plainest form.

    None if one is not, or if `ENV_FILE` cannot be read: `Settings` then reads or refuses them.
    """
    try:
        return LocalSettings(**{name: _READERS[name](value) for name, value in _given_by_field().items()})
    except (LookupError, OSError, ValueError):
        return None


def _given_by_field() -> Mapping[str, str]:
    """The settings that are not empty, by field; the environment wins over the file, as in `Settings`."""
    given = dict[str, str | None]()
    if Path(ENV_FILE).is_file():
        from dotenv import dotenv_values

        given |= _by_field(dotenv_values(ENV_FILE, encoding=ENV_ENCODING))
    given |= _by_field(os.environ)
    return {name: value for name, value in given.items() if value and name in _READERS}


def _by_field(variables: Mapping[str, str | None]) -> dict[str, str | None]:
    """The values of the variables with our prefix that are not empty, by field."""
    lower = {name.lower(): value for name, value in variables.items() if value}
    return {name.removeprefix(_PREFIX): value for name, value in lower.items() if name.startswith(_PREFIX)}


def _plain_decimal(value: str) -> float:
    if not _PLAIN_DECIMAL.fullmatch(value):
        raise ValueError
    return float(value)


def _plain_count(value: str) -> int:
    if not _PLAIN_COUNT.fullmatch(value):
        raise ValueError
    return int(value)


_READERS: Mapping[str, Callable[[str], Any]] = {
    "language": {language: language for language in get_args(Language)}.__getitem__,
    "name": str,
    "pace": _plain_decimal,
    "thinkers": _plain_count,
    "letters": {"true": True, "false": False}.__getitem__,
    "file": Path,
}
"""Read the value of each field; raise `LookupError` or `ValueError` if it is not in its plainest form."""
