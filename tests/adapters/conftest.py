"""Lets no file of games stay open after its test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.writers import join_writers


@pytest.fixture(autouse=True)
def no_writer_is_left() -> Iterator[None]:
    """Fails a test that leaves a file of games open, instead of a test after it."""
    yield
    join_writers()
