"""Updates that Telegram sends to a webhook."""

from __future__ import annotations

import socket

import aiohttp
import pytest

from adapters.telegram.webhook import Webhook, secret_of
from bot.ports import NotAdmitted
from bot.table_service.settler import LOOK_EVERY
from engines import games
from engines.values import replace
from tests.adapters.telegram.emulator import TOKEN, Emulator, refusing
from tests.adapters.telegram.world import GROUP, ended, opened, played

pytestmark = pytest.mark.real


async def test_a_whole_game_by_web_hook(webhook: Webhook) -> None:
    async with opened(webhook=webhook) as world:
        ana, bob = world.player(1, "Ana", "es"), world.player(2, "Bob")
        await ana.writes(f"/nueva {next(iter(games()))}", GROUP)
        await bob.presses(world.public_panel(), "Unirse")
        await ana.presses(world.public_panel(), "Empezar")
        await played(world, ana, bob)
        assert (await world.table()).status == "over"


async def test_an_address_may_have_characters_that_urls_encode(webhook: Webhook) -> None:
    own = replace(webhook, url=webhook.url + "/caf%C3%A9%20two")
    async with opened(webhook=own) as world:
        await world.player(1, "Ana").writes("/new casino", GROUP)
        assert "Casino, table 1" in world.public_panel().plain


@pytest.mark.parametrize(
    ("secret", "body", "status"),
    [
        ("", "{}", 403),
        ("guessed", "{}", 403),
        # With another answer Telegram would send them again and again.
        (secret_of(TOKEN), "nonsense", 200),
        (secret_of(TOKEN), "[1]", 200),
        (secret_of(TOKEN), '{"update_id": 1}', 200),
    ],
)
async def test_only_telegram_is_heard(webhook: Webhook, secret: str, body: str, status: int) -> None:
    async with opened(webhook=webhook), aiohttp.ClientSession() as session:
        headers = {"X-Telegram-Bot-Api-Secret-Token": secret}
        async with session.post(webhook.url, data=body, headers=headers) as answer:
            assert answer.status == status


async def test_a_bot_that_polls_removes_the_webhook(webhook: Webhook) -> None:
    async with opened(webhook=webhook) as world:
        pass
    async with opened(world.emulator, world.store, world.clock) as world:
        await world.player(1, "Ana").writes("/new casino", GROUP)
        assert "Casino, table 1" in world.public_panel().plain


async def test_an_address_that_telegram_does_not_take_is_told_of(webhook: Webhook) -> None:
    emulator = Emulator()
    emulator.book.faults.append(refusing("setWebhook", "Bad Request: bad webhook: no HTTPS"))
    with pytest.raises(NotAdmitted, match=r"TELEGRAM_WEBHOOK_URL \(“Bad webhook"):
        await ended(emulator, webhook)


async def test_setting_the_webhook_is_tried_until_it_succeeds(webhook: Webhook) -> None:
    emulator = Emulator()
    emulator.book.faults.append(refusing("setWebhook", "Bad Gateway", 502))
    emulator.book.faults.append(refusing("setWebhook", "Too Many Requests", 429, retry_after=1))
    async with opened(emulator, webhook=webhook) as world:
        await world.pass_(15)
        # Others rest meanwhile: the settler for LOOK_EVERY, the keeper for less than 5 s.
        assert [pause for pause in world.clock.slept if pause >= 5 and pause != LOOK_EVERY] == [5.0, 10.0]
        await world.player(1, "Ana").writes("/new casino", GROUP)
        assert "Casino, table 1" in world.public_panel().plain


async def test_a_bot_that_stops_leaves_the_webhook_to_the_other_workers(webhook: Webhook) -> None:
    async with opened(webhook=webhook) as world:
        pass
    assert world.emulator._update_queues.info(TOKEN)["url"] == webhook.url


async def test_a_port_that_is_taken_is_told_of() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(
            NotAdmitted,
            match=rf"port {port} \(another program listens there\)\. .* in TELEGRAM_WEBHOOK_PORT\.$",
        ):
            await ended(Emulator(), Webhook("https://cards.example/", "127.0.0.1", port))


async def test_an_update_that_comes_twice_by_web_hook_is_handled_once(webhook: Webhook) -> None:
    async with opened(webhook=webhook) as world, aiohttp.ClientSession() as session:
        ana = world.player(1, "Ana")
        update = {"message": ana.message("/new casino", GROUP)}
        number = await world.happens(update)
        headers = {"X-Telegram-Bot-Api-Secret-Token": secret_of(TOKEN)}
        async with session.post(webhook.url, json={**update, "update_id": number}, headers=headers) as answer:
            assert answer.status == 200
        await world.quiet()
        assert len(await world.store.tables((await world.table()).place)) == 1


def test_the_secret_is_one_that_telegram_takes_and_does_not_tell_the_token() -> None:
    # A part with a hyphen, as in `TOKEN`, would not be found in any secret of letters and digits.
    own = "AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw"
    secret = secret_of(f"110201543:{own}")
    assert secret.isalnum()
    assert len(secret) <= 256
    assert own not in secret
