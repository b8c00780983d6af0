"""Sets up logging to standard error, as text or as JSON lines.

A log line about a table names it as ``table`` and its id, so that programs find all lines of one table.
"""

from __future__ import annotations

import json
import logging
import re

from adapters.hosting.registry import platforms
from bot.errors import origin
from bot.settings.host_settings import Settings

_TABLE = re.compile(r"\btable ([0-9a-f]{10})\b")
"""Finds the id of a table in the message of a log record."""
_PACKAGE = re.compile(r"adapters\.(\w+)\.")
"""Finds the package of an adapter in the name of a logger of one of its modules."""


class JsonFormatter(logging.Formatter):
    """Formats a log record as one line of JSON, for programs.

    The line names the table if the message does, and the platform if the logger is that of a platform's
    module. Of an error it shows only the type and the line of code.
    """

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": self.formatTime(record, "%Y-%m-%dT%H:%M:%S%z"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if found := _TABLE.search(line["message"]):
            line["table"] = found[1]
        if (found := _PACKAGE.match(record.name)) and found[1] in platforms():
            line["platform"] = found[1]
        if record.exc_info and record.exc_info[1]:
            # The error's message may name hidden cards.
            line["error"] = origin(record.exc_info[1])
        return json.dumps(line, ensure_ascii=False)


class TextFormatter(logging.Formatter):
    """Formats a log record as one line of text; of an error it shows only the type and the line of code."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)-7s %(name)s: %(message)s", "%Y-%m-%d %H:%M:%S")

    def format(self, record: logging.LogRecord) -> str:
        return " ".join(super().format(record).splitlines())

    def formatException(self, ei: object) -> str:  # noqa: N802 – the library's name
        # The error's message may name hidden cards.
        error = ei[1] if isinstance(ei, tuple) else None
        return origin(error) if isinstance(error, BaseException) else ""


def log_to_stderr(settings: Settings) -> None:
    """Logs to standard error from the host's level up, but no library below INFO, some not below WARNING."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonFormatter() if settings.sobremesa_log == "json" else TextFormatter())
    level = logging.getLevelNamesMapping()[settings.sobremesa_log_level.upper()]
    # At DEBUG libraries log what they send, hands and tokens included.
    logging.basicConfig(level=max(level, logging.INFO), handlers=[handler], force=True)
    for ours in ("adapters", "bot", "engines"):
        logging.getLogger(ours).setLevel(level)
    # At INFO alembic logs every migration, and aiosqlite each connection that it could not close.
    for chatty in ("aiosqlite", "alembic"):
        logging.getLogger(chatty).setLevel(max(level, logging.WARNING))
