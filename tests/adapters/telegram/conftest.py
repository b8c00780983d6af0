"""Fixtures of the tests of Telegram."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest

from adapters.telegram.webhook import Webhook
from tests.support.ports import HOST, reserved_port


@pytest.fixture
def webhook(monkeypatch: pytest.MonkeyPatch) -> Iterator[Webhook]:
    """A webhook on a free port, kept open so that no other process can take it."""
    with socket.create_server((HOST, 0)) as door:
        port = door.getsockname()[1]
        monkeypatch.setattr("adapters.telegram.webhook.open_listener", lambda *_: door)
        yield Webhook(f"http://{HOST}:{port}/telegram", HOST, port)


@pytest.fixture
def port() -> Iterator[int]:
    """A free port for a server that a test starts more than once."""
    with reserved_port() as port:
        yield port
