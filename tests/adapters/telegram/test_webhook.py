"""News that Telegram brings by itself."""

from __future__ import annotations

import socket

import aiohttp
import pytest

from adapters.telegram.webhook import Webhook, secret_of
from engines import games
from tests.adapters.telegram.emulator import TOKEN
from tests.adapters.telegram.world import GROUP, opened, played

pytestmark = pytest.mark.real


@pytest.fixture
def webhook() -> Webhook:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    return Webhook(f"http://127.0.0.1:{port}/telegram", "127.0.0.1", port)


@pytest.mark.parametrize("key", games())
async def test_a_whole_game_by_web_hook(webhook: Webhook, key: str) -> None:
    async with opened(webhook=webhook) as world:
        ana, bob = world.player(1, "Ana", "es"), world.player(2, "Bob")
        await ana.writes(f"/nueva {key}", GROUP)
        await bob.presses(world.board(), "Unirse")
        await ana.presses(world.board(), "Empezar")
        await played(world, ana, bob)
        assert (await world.table()).status == "over"


@pytest.mark.parametrize(
    ("secret", "body", "status"),
    [
        ("", "{}", 403),
        ("guessed", "{}", 403),
        (secret_of(TOKEN), "nonsense", 400),
        (secret_of(TOKEN), "[1]", 400),
        (secret_of(TOKEN), '{"update_id": 1}', 200),
    ],
)
async def test_only_telegram_is_heard(webhook: Webhook, secret: str, body: str, status: int) -> None:
    async with opened(webhook=webhook), aiohttp.ClientSession() as session:
        headers = {"X-Telegram-Bot-Api-Secret-Token": secret}
        async with session.post(webhook.url, data=body, headers=headers) as answer:
            assert answer.status == status


def test_the_secret_is_one_that_telegram_takes_and_does_not_tell_the_token() -> None:
    assert secret_of(TOKEN).isalnum()
    assert len(secret_of(TOKEN)) <= 256
    assert TOKEN.partition(":")[2] not in secret_of(TOKEN)
