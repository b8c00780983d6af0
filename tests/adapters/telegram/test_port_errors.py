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

from adapters.telegram import failures
from adapters.telegram.failures import is_too_late, port_errors
from bot import ports
from bot.errors import PlatformError, reason

PRIVATE, GROUP = 5, -5


@pytest.mark.parametrize(
    ("chat", "error", "meant"),
    [
        (PRIVATE, Forbidden("Forbidden: bot was blocked by the user"), ports.Unreachable),
        (GROUP, Forbidden("Forbidden: bot was kicked from the group chat"), ports.Forbidden),
        (PRIVATE, BadRequest("Chat not found"), ports.Unreachable),
        (GROUP, BadRequest("Not enough rights to send text messages to the chat"), ports.Forbidden),
        (GROUP, BadRequest("TOPIC_CLOSED"), ports.Forbidden),
        (GROUP, BadRequest("Message thread not found"), ports.Forbidden),
        (GROUP, BadRequest("Message to edit not found"), ports.Gone),
        (GROUP, BadRequest("Message can't be deleted for everyone"), ports.Gone),
        (PRIVATE, BadRequest("MESSAGE_ID_INVALID"), ports.Gone),
        (PRIVATE, NetworkError("ClientConnectorError"), ports.Later),
        (PRIVATE, TimedOut(), ports.Later),
        (GROUP, RetryAfter(7), ports.Later),
        (GROUP, BadRequest("Can't parse entities"), ports.Rejected),
        (GROUP, ChatMigrated(-1005), ChatMigrated),
    ],
)
def test_an_error_becomes_the_cores_but_a_moved_chat_is_passed_on(
    chat: int, error: TelegramError, meant: type[Exception]
) -> None:
    with pytest.raises(meant), port_errors(chat):
        raise error


SAID = "Ana holds 10♠: 123456:planted-token"


@pytest.mark.parametrize("chat", [PRIVATE, GROUP])
@pytest.mark.parametrize("kind", [Forbidden, BadRequest, NetworkError, TimedOut])
@pytest.mark.parametrize("phrase", ["", *failures._SAID])
def test_a_refusal_is_logged_without_what_the_request_said(
    chat: int, kind: type[TelegramError], phrase: str
) -> None:
    with pytest.raises(PlatformError) as refused, port_errors(chat):
        raise kind(f"{SAID} {phrase} {SAID}")
    logged = reason(refused.value)
    assert not any(word in logged for word in ("Ana", "10♠", "token", "123456"))
    assert phrase in logged


def test_a_refusal_is_logged_with_the_platforms_status_and_phrase() -> None:
    with pytest.raises(ports.Forbidden) as refused, port_errors(GROUP):
        raise Forbidden("Forbidden: bot was kicked from the group chat")
    assert reason(refused.value) == "Forbidden (bot was kicked from, HTTP 403)"


def test_a_wait_is_as_long_as_it_was_asked_for() -> None:
    with pytest.raises(ports.Later) as later, port_errors(GROUP):
        raise RetryAfter(7)
    assert later.value.seconds == 7.0


def test_an_edit_that_would_change_nothing_is_no_error() -> None:
    with port_errors(GROUP):
        raise BadRequest("Message is not modified: specified new message content and reply markup are …")


@pytest.mark.parametrize(
    ("description", "late"),
    [
        ("Query is too old and response timeout expired or query id is invalid", True),
        ("QUERY_ID_INVALID", True),
        ("Message is too long", False),
    ],
)
def test_the_error_of_a_press_that_is_too_old_is_recognised(description: str, late: bool) -> None:
    assert is_too_late(BadRequest(description)) is late
