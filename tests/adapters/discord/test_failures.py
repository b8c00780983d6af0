"""Discord's error responses, translated into the platform-neutral errors of the bot."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import aiohttp
import discord
import pytest

from adapters.discord import failures
from adapters.discord.failures import TOO_LATE, port_errors
from bot.errors import PlatformError, reason
from bot.ports import Forbidden, Later, Rejected

SAID = "Ana holds 10♠: planted.token.of-discord"
CODES = (0, 30046, 50035, *failures._REASONS)


def refusal(status: int, code: int) -> discord.HTTPException:
    """An error response that quotes the request."""
    kind = {403: discord.Forbidden, 404: discord.NotFound, 500: discord.DiscordServerError}
    response = cast(Any, SimpleNamespace(status=status, reason=SAID))
    errors = {"content": {"_errors": [{"code": "BASE_TYPE_BAD_LENGTH", "message": SAID}]}}
    return kind.get(status, discord.HTTPException)(
        response, {"code": code, "message": SAID, "errors": errors}
    )


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("status", [400, 401, 403, 404, 429, 500])
def test_a_refusal_is_logged_without_what_the_request_said(status: int, code: int) -> None:
    with pytest.raises(PlatformError) as refused, port_errors():
        raise refusal(status, code)
    logged = reason(refused.value)
    assert not any(word in logged for word in ("Ana", "10♠", "planted"))
    assert f"HTTP {status}, Discord {code}" in logged


def test_a_refusal_is_logged_with_its_meaning() -> None:
    with pytest.raises(Forbidden) as refused, port_errors():
        raise refusal(403, 50013)
    assert reason(refused.value) == "Forbidden (no permission, HTTP 403, Discord 50013)"


def test_a_request_that_is_our_fault_is_rejected() -> None:
    with pytest.raises(Rejected) as refused, port_errors():
        raise refusal(400, 50035)
    assert reason(refused.value) == "Rejected (HTTP 400, Discord 50035)"


def test_the_error_of_an_expired_interaction_token_is_passed_on() -> None:
    with pytest.raises(discord.NotFound), port_errors():
        raise refusal(404, TOO_LATE)


def test_a_network_failure_is_logged_without_the_address() -> None:
    with pytest.raises(Later) as later, port_errors():
        raise aiohttp.ServerDisconnectedError(SAID)
    assert reason(later.value) == "Later (again in 5 s: ServerDisconnectedError)"
