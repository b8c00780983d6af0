"""The log: one line a record, without the words of errors, at the level that the host chose."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest

from adapters.hosting.logs import JsonFormatter, TextFormatter, log_to_stderr
from bot.settings.host_settings import Settings


def record(error: BaseException | None = None) -> logging.LogRecord:
    info = (type(error), error, None) if error else None
    return logging.LogRecord("bot.outbox.panels", logging.WARNING, "x.py", 1, "table %s waits", ("ab",), info)


def test_a_log_for_programs_is_json() -> None:
    line = json.loads(JsonFormatter().format(record()))
    assert {key: line[key] for key in ("level", "logger", "message")} == {
        "level": "warning", "logger": "bot.outbox.panels", "message": "table ab waits",
    }  # fmt: skip


def named(logger: str, message: str) -> dict[str, Any]:
    """The fields of a record of a logger."""
    line: dict[str, Any] = json.loads(
        JsonFormatter().format(logging.LogRecord(logger, logging.INFO, "x.py", 1, message, None, None))
    )
    return line


def test_a_log_for_programs_names_the_table_and_the_platform() -> None:
    assert named("bot.outbox.lanes", "table 0123456789: not sent")["table"] == "0123456789"
    assert named("adapters.tavern.chat", "serving")["platform"] == "tavern"


@pytest.mark.parametrize(
    "logger",
    ["adapters.shared.patience", "adapters.command_line.commands.hosting", "bot.people", "tavern.http"],
)
def test_a_log_for_programs_names_no_table_or_platform_that_it_does_not_know(logger: str) -> None:
    assert not named(logger, "the table waits").keys() & {"table", "platform"}


@pytest.mark.parametrize("form", [JsonFormatter(), TextFormatter()])
def test_a_record_is_one_line(form: logging.Formatter) -> None:
    error = ValueError("hidden: 7S")
    broken = logging.LogRecord(
        "x", logging.ERROR, "x.py", 1, "one\ntwo\r\nthree", None, (ValueError, error, None)
    )
    assert len(form.format(broken).splitlines()) == 1


@pytest.fixture
def levels(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Restores the handlers and the levels of all loggers that `log_to_stderr` changes."""
    root = logging.getLogger()
    monkeypatch.setattr(root, "handlers", list(root.handlers))
    before = {
        name: logging.getLogger(name).level
        for name in ("", "adapters", "bot", "engines", "aiosqlite", "alembic")
    }
    yield
    for name, level in before.items():
        logging.getLogger(name).setLevel(level)


@pytest.mark.usefixtures("levels")
def test_libraries_never_log_what_they_send() -> None:
    log_to_stderr(Settings.model_validate({"sobremesa_log_level": "debug"}))
    assert logging.getLogger("bot.people").isEnabledFor(logging.DEBUG)
    for library in ("discord.http", "telegram.Bot", "aiohttp.client", "uvicorn.error", "asyncio"):
        assert not logging.getLogger(library).isEnabledFor(logging.DEBUG)


@pytest.mark.usefixtures("levels")
@pytest.mark.parametrize("level", ["debug", "info", "warning", "error"])
def test_no_logger_logs_below_the_level_of_the_host(level: str) -> None:
    log_to_stderr(Settings.model_validate({"sobremesa_log_level": level}))
    least = logging.getLevelNamesMapping()[level.upper()]
    for name in (
        "bot.people",
        "adapters.hosting.serve",
        "discord.http",
        "aiosqlite",
        "alembic.runtime.migration",
    ):
        assert logging.getLogger(name).getEffectiveLevel() >= least


@pytest.mark.usefixtures("levels")
def test_libraries_that_log_much_only_warn() -> None:
    log_to_stderr(Settings.model_validate({"sobremesa_log_level": "info"}))
    for name in ("aiosqlite", "alembic.runtime.migration"):
        assert logging.getLogger(name).isEnabledFor(logging.WARNING)
        assert not logging.getLogger(name).isEnabledFor(logging.INFO)


@pytest.mark.parametrize("form", [JsonFormatter(), TextFormatter()])
def test_no_log_shows_the_words_of_an_error(form: logging.Formatter) -> None:
    assert "hidden" not in form.format(record(ValueError("hidden: 7S")))


@pytest.mark.parametrize("form", [JsonFormatter(), TextFormatter()])
@pytest.mark.parametrize("error", [ValueError("hidden: 7S"), asyncio.CancelledError("hidden: 7S")])
def test_a_log_shows_the_type_of_an_error(form: logging.Formatter, error: BaseException) -> None:
    assert type(error).__name__ in form.format(record(error))
