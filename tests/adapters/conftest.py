"""Fails a test that leaves a file of games open, and restores the log levels that a program has set."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest

from tests.support.writers import join_writers


@pytest.fixture(autouse=True)
def no_writer_is_left() -> Iterator[None]:
    """Fails the test that leaves a file of games open, so that no later test does."""
    yield
    join_writers()


@pytest.fixture(autouse=True)
def log_levels_are_restored() -> Iterator[None]:
    """Restores the levels that a program sets when it runs in the process of the tests."""
    loggers = [logging.getLogger(name) for name in ("", "adapters", "bot", "engines", "aiosqlite", "alembic")]
    levels = [logger.level for logger in loggers]
    yield
    for logger, level in zip(loggers, levels, strict=True):
        logger.setLevel(level)
