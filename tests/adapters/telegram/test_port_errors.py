"""Telegram's error responses, translated into the platform-neutral errors of the bot."""

from __future__ import annotations

import pytest
from telegram.error import (
    BadRequest,
    ChatMigrated,
    Forbidden,
    NetworkError,
    RetryAfter,
    TelegramError,
    TimedOut,
)

from adapters.telegram.failures import is_too_late, port_errors
from bot import ports

ALONE, GROUP = 5, -5


@pytest.mark.parametrize(
    ("chat", "error", "meant"),
    [
        (ALONE, Forbidden("Forbidden: bot was blocked by the user"), ports.Unreachable),
        (GROUP, Forbidden("Forbidden: bot was kicked from the group chat"), ports.Forbidden),
        (ALONE, BadRequest("Chat not found"), ports.Unreachable),
        (GROUP, BadRequest("Not enough rights to send text messages to the chat"), ports.Forbidden),
        (GROUP, BadRequest("TOPIC_CLOSED"), ports.Forbidden),
        (GROUP, BadRequest("Message thread not found"), ports.Forbidden),
        (GROUP, BadRequest("Message to edit not found"), ports.Gone),
        (GROUP, BadRequest("Message can't be deleted for everyone"), ports.Gone),
        (ALONE, BadRequest("MESSAGE_ID_INVALID"), ports.Gone),
        (ALONE, NetworkError("ClientConnectorError"), ports.Later),
        (ALONE, TimedOut(), ports.Later),
        (GROUP, RetryAfter(7), ports.Later),
        (GROUP, BadRequest("Can't parse entities"), BadRequest),
        (GROUP, ChatMigrated(-1005), ChatMigrated),
    ],
)
def test_a_refusal_in_the_cores_words(chat: int, error: TelegramError, meant: type[Exception]) -> None:
    with pytest.raises(meant), port_errors(chat):
        raise error


def test_a_wait_is_as_long_as_it_was_asked_for() -> None:
    with pytest.raises(ports.Later) as later, port_errors(GROUP):
        raise RetryAfter(7)
    assert later.value.seconds == 7.0


def test_what_is_so_already_is_no_error() -> None:
    with port_errors(GROUP):
        raise BadRequest("Message is not modified: specified new message content and reply markup are …")


@pytest.mark.parametrize(
    ("why", "late"),
    [
        ("Query is too old and response timeout expired or query id is invalid", True),
        ("QUERY_ID_INVALID", True),
        ("Message is too long", False),
    ],
)
def test_a_press_can_be_too_old(why: str, late: bool) -> None:
    assert is_too_late(BadRequest(why)) is late
