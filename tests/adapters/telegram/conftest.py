"""Fixtures of the tests of Telegram."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest

from adapters.telegram.webhook import Webhook


@pytest.fixture
def webhook(monkeypatch: pytest.MonkeyPatch) -> Iterator[Webhook]:
    """A webhook on a free port, kept open so that no other process can take it."""
    with socket.create_server(("127.0.0.1", 0)) as door:
        port = door.getsockname()[1]
        monkeypatch.setattr("adapters.telegram.webhook.open_listener", lambda *_: door)
        yield Webhook(f"http://127.0.0.1:{port}/telegram", "127.0.0.1", port)
