"""The real library over real sockets: rate limits, failures, broken connections, simultaneous presses."""

from __future__ import annotations

import asyncio
import gc
import logging
import re
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import discord
import pytest
from aiohttp import web

from adapters.discord import answers
from adapters.discord.callers import KEY
from adapters.discord.client import LONGEST_WAIT, NEEDED, TableClient
from adapters.discord.platform import DiscordPlatform
from adapters.hosting.serve import serve
from adapters.shared.clock import AsyncioClock
from bot.app import running
from bot.inbox.dispatcher import Dispatcher
from bot.model.places import Place
from bot.ports import Key, NotAdmitted, Page
from bot.settings.host_settings import Settings
from bot.store.memory.store import MemoryStore
from tests import luck
from tests.adapters.discord.wire import CHANNEL, PATIENCE, Request, Wire, broken, listening, slowed_down
from tests.adapters.test_serve import IdlePlatform
from tests.support.allowances import AMPLE
from tests.support.clock import VirtualClock

pytestmark = pytest.mark.real


@asynccontextmanager
async def served(wire: Wire) -> AsyncIterator[TableClient]:
    """Runs the client against the loopback server."""
    client = TableClient(AsyncioClock())
    platform = DiscordPlatform("a.token.x", AsyncioClock(), client)
    bot = running(MemoryStore(), AsyncioClock(), {KEY: platform}, rng=luck.rng(), pace=0.0, allowances=AMPLE)
    async with bot as dispatcher:
        task = asyncio.create_task(platform.run(dispatcher))
        try:
            handshake = asyncio.create_task(wire.until_handshakes(1))
            await asyncio.wait((task, handshake), return_when=asyncio.FIRST_COMPLETED)
            if task.done():
                handshake.cancel()
                await task
            yield client
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task


async def table(wire: Wire) -> dict[str, Any]:
    """Opens the first table of the channel as user 5; returns its public message."""
    token = await wire.command("5", "new", game="casino")
    await wire.until("POST", f"/channels/{CHANNEL}/messages")
    await wire.until("POST", f"/{token}/")
    return public_panel(wire)


def public_panel(wire: Wire) -> dict[str, Any]:
    """The last message in the channel that is not deleted."""
    return [message for message in wire.messages.values() if message["channel_id"] == CHANNEL][-1]


def button(message: dict[str, Any], action: str) -> str:
    """The custom_id of the first button with this action."""
    ids = [component.get("custom_id", "") for row in message["components"] for component in row["components"]]
    return next(str(one) for one in ids if one.split(":")[2] == action)


async def test_the_client_asks_for_no_privileged_intent(monkeypatch: pytest.MonkeyPatch) -> None:
    privileged = (1 << 1) | (1 << 8) | (1 << 15)
    async with listening(monkeypatch) as wire, served(wire):
        assert wire.handshakes[0]["d"]["intents"] & privileged == 0


async def test_the_client_logs_an_invitation_with_the_least_permissions(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    async with listening(monkeypatch) as wire, served(wire):
        assert f"permissions={NEEDED.value}" in caplog.text


async def test_commands_that_discord_knows_already_are_not_sent_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with listening(monkeypatch) as wire:
        async with served(wire):
            pass
        wire.handshakes.clear()
        async with served(wire):
            pass
        assert len([request for request in wire.requests if request.method == "PUT"]) == 1


async def test_a_token_that_is_refused_is_said_plainly(monkeypatch: pytest.MonkeyPatch) -> None:
    async with listening(monkeypatch) as wire:
        wire.faults["GET", "/users/@me"] = [lambda: web.Response(status=401)]
        with pytest.raises(NotAdmitted, match="doesn't accept DISCORD_TOKEN"):
            async with running(MemoryStore(), AsyncioClock(), {}) as dispatcher:
                await DiscordPlatform("a.token.x", AsyncioClock()).run(dispatcher)


@pytest.mark.parametrize(
    "token", ["one\ntwo", "a.b.c\nd.e.f", "1234567890", "a.b", "a..c", "12:ab", "a.b.c d"]
)
async def test_a_malformed_token_is_refused_without_the_network(
    token: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with listening(monkeypatch) as wire, running(MemoryStore(), AsyncioClock(), {}) as dispatcher:
        with pytest.raises(NotAdmitted, match=r"^DISCORD_TOKEN isn't a token") as raised:
            await DiscordPlatform(token, AsyncioClock()).run(dispatcher)
        assert (wire.requests, token in str(raised.value)) == ([], False)


async def test_a_bot_that_is_stopped_before_it_has_a_connection_leaves_nothing_open(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def stop_at_the_third(_: float) -> None:
        if len(clock.slept) == 3:
            raise asyncio.CancelledError

    clock = VirtualClock(on_sleep=stop_at_the_third)
    monkeypatch.setattr(discord.http.Route, "BASE", "http://127.0.0.1:1/api/v10")
    async with running(MemoryStore(), AsyncioClock(), {}) as dispatcher:
        with pytest.raises(asyncio.CancelledError):
            await DiscordPlatform("a.token.x", clock).run(dispatcher)
    gc.collect()
    logged = [record.getMessage() for record in caplog.records]
    assert [line for line in logged if "Unclosed" in line] == []
    assert "Discord cannot be reached (no network? ClientConnectorError); next try in 20.0 s" in logged


@pytest.mark.parametrize(
    ("method", "path", "status", "reason"),
    [
        ("PUT", "/applications", 400, "Discord doesn't accept the bot's commands (HTTP 400, code 0)"),
        ("PUT", "/applications", 403, "Discord doesn't accept the bot's commands (HTTP 403, code 0)"),
        ("GET", "/users/@me", 403, "Discord doesn't let the bot in (HTTP 403, code 0)"),
    ],
)
async def test_refusals_of_discord_at_the_login_are_said_plainly(
    method: str, path: str, status: int, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with listening(monkeypatch) as wire, running(MemoryStore(), AsyncioClock(), {}) as dispatcher:
        wire.faults[method, path] = [lambda: web.Response(status=status)]
        with pytest.raises(NotAdmitted, match=re.escape(reason)):
            await DiscordPlatform("a.token.x", AsyncioClock()).run(dispatcher)


async def test_where_commands_cannot_be_registered_at_present_the_login_is_tried_again(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with listening(monkeypatch) as wire, running(MemoryStore(), AsyncioClock(), {}) as dispatcher:
        wire.faults["PUT", "/applications"] = [lambda: web.Response(status=503)]
        serving = asyncio.create_task(DiscordPlatform("a.token.x", VirtualClock()).run(dispatcher))
        connected = asyncio.create_task(wire.until_handshakes(1))
        await asyncio.wait((serving, connected), return_when=asyncio.FIRST_COMPLETED)
        assert not serving.done()
        await connected
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)
        assert "Discord cannot be reached (DiscordServerError); next try in 5.0 s" in caplog.text


async def test_where_discord_refuses_its_token_the_other_platform_goes_on(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with listening(monkeypatch) as wire:
        wire.faults["GET", "/users/@me"] = [lambda: web.Response(status=401)]
        other, store = (
            IdlePlatform("other"),
            Settings.model_validate({"database_url": str(tmp_path / "tables.db")}),
        )
        ended = asyncio.Event()

        class Refused(DiscordPlatform):
            async def run(self, dispatcher: Dispatcher) -> None:
                try:
                    await super().run(dispatcher)
                finally:
                    ended.set()

        serving = asyncio.create_task(serve([Refused("a.token.x", AsyncioClock()), other], store))
        await ended.wait()
        for _ in range(5):
            await asyncio.sleep(0)
        assert not other.ended
        assert (
            "Discord doesn't accept DISCORD_TOKEN. Create a new token, and set it there; still serving other"
            in caplog.text
        )
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)


async def test_a_connection_that_is_closed_for_good_is_said_plainly(monkeypatch: pytest.MonkeyPatch) -> None:
    async with listening(monkeypatch) as wire, running(MemoryStore(), AsyncioClock(), {}) as dispatcher:
        serving = asyncio.create_task(DiscordPlatform("a.token.x", AsyncioClock()).run(dispatcher))
        await wire.until_handshakes(1)
        await wire.drop(4004)
        with pytest.raises(NotAdmitted, match="4004"):
            await serving


async def test_a_rate_limited_message_is_sent_again_after_the_pause_that_discord_asks_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with listening(monkeypatch) as wire, served(wire):
        wire.faults["POST", f"/channels/{CHANNEL}/messages"] = [lambda: slowed_down(0.1)]
        await wire.command("5", "new", game="casino")
        sent = await wire.until("POST", f"/channels/{CHANNEL}/messages", 2)
        assert sent[0].body == sent[1].body


async def test_a_rate_limited_answer_is_given_again(monkeypatch: pytest.MonkeyPatch) -> None:
    async with listening(monkeypatch) as wire, served(wire):
        wire.faults["POST", "/interactions"] = [lambda: slowed_down(0.1)]
        token = await wire.command("5", "help")
        sent = await wire.until("POST", token, 2)
        assert sent[0].body == sent[1].body


async def test_a_message_at_which_discord_failed_is_sent_again(monkeypatch: pytest.MonkeyPatch) -> None:
    async with listening(monkeypatch) as wire, served(wire):
        wire.faults["POST", f"/channels/{CHANNEL}/messages"] = [broken]
        await wire.command("5", "new", game="casino")
        sent = await wire.until("POST", f"/channels/{CHANNEL}/messages", 2)
        assert sent[0].body["nonce"] == sent[1].body["nonce"]


async def test_a_rate_limited_edit_is_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    async with listening(monkeypatch) as wire, served(wire):
        await table(wire)
        wire.faults["PATCH", f"/channels/{CHANNEL}/messages"] = [lambda: slowed_down(0.1)]
        await wire.command("6", "join")
        sent = await wire.until("PATCH", f"/channels/{CHANNEL}/messages", 2)
        assert sent[0].body == sent[1].body
        assert "user6" in public_panel(wire)["content"]


async def test_a_rate_limited_private_message_is_sent_again(monkeypatch: pytest.MonkeyPatch) -> None:
    async with listening(monkeypatch) as wire, served(wire):
        await table(wire)
        wire.faults["POST", "/channels/26/messages"] = [lambda: slowed_down(0.1)]
        token = await wire.command("6", "join")
        sent = await wire.until("POST", "/channels/26/messages", 2)
        assert sent[0].body["nonce"] == sent[1].body["nonce"]
        answers = await wire.until("POST", f"/{token}/")
        assert "Your cards come by private message." in _words(answers[-1])


async def test_an_edit_that_has_to_wait_long_becomes_a_new_message(monkeypatch: pytest.MonkeyPatch) -> None:
    async with listening(monkeypatch) as wire, served(wire):
        old = await table(wire)
        wire.faults["PATCH", f"/channels/{CHANNEL}/messages"] = [lambda: slowed_down(LONGEST_WAIT + 1)]
        await wire.command("6", "join")
        await wire.until("POST", f"/channels/{CHANNEL}/messages", 2)
        assert old["id"] not in wire.messages
        assert "user6" in public_panel(wire)["content"]


async def test_a_message_that_was_edited_too_often_is_written_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    async with listening(monkeypatch) as wire, served(wire):
        old = await table(wire)
        wire.edits_of_old = 0
        await wire.command("6", "join")
        written = 2
        while (
            "user6"
            not in (await wire.until("POST", f"/channels/{CHANNEL}/messages", written))[-1].body["content"]
        ):
            # An edit that was pending before the join was posted as a new message first.
            written += 1
        assert old["id"] not in wire.messages


async def test_a_rate_limited_answer_to_a_press_is_given_again(monkeypatch: pytest.MonkeyPatch) -> None:
    async with listening(monkeypatch) as wire, served(wire):
        shown = await table(wire)
        wire.faults["POST", "/interactions"] = [lambda: slowed_down(0.1)]
        token = await wire.press("5", button(shown, "add_computer"), shown)
        sent = await wire.until("POST", f"/{token}/", 2)
        assert sent[0].body == sent[1].body


async def test_a_rate_limited_edit_by_the_token_of_a_press_is_made_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with listening(monkeypatch) as wire, served(wire):
        shown = await table(wire)
        wire.faults["PATCH", "/webhooks"] = [lambda: slowed_down(0.1)]
        token = await wire.press("5", button(shown, "add_computer"), shown)
        sent = await wire.until("PATCH", f"/{token}/", 2)
        assert sent[0].body == sent[1].body
        assert "2. " in public_panel(wire)["content"]


async def test_where_an_edit_by_the_token_of_a_press_has_to_wait_long_the_bot_edits_without_the_token(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(answers, "EDIT_TIMEOUT", 0.1)
    async with listening(monkeypatch) as wire, served(wire):
        shown = await table(wire)
        wire.faults["PATCH", "/webhooks"] = [lambda: slowed_down(60)]
        await wire.press("5", button(shown, "add_computer"), shown)
        await wire.until("PATCH", f"/channels/{CHANNEL}/messages")
        assert "2. " in public_panel(wire)["content"]


async def test_where_the_hosts_clock_is_fast_every_press_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    async with listening(monkeypatch) as wire, served(wire) as client:
        wire.behind = 14.5 * 60
        shown = await table(wire)
        for seat in ("2. ", "3. "):
            token = await wire.press("5", button(shown, "add_computer"), shown)
            await wire.until("PATCH", f"/{token}/")
            assert seat in public_panel(wire)["content"]
        assert len(client.answers) == 1


async def test_a_post_that_is_repeated_shows_the_newest_page_in_the_first_message(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with listening(monkeypatch) as wire, served(wire) as client:
        platform, place = DiscordPlatform("a.token.x", AsyncioClock(), client), Place(KEY, CHANNEL)
        old, new = Page.note("old", keys=((Key("Rules", "help"),),)), Page.note("new")
        first = await platform.post(place, old, once="name")
        begun = len(wire.requests)
        assert await platform.post(place, old, once="name") == first
        assert [request.method for request in wire.requests[begun:]] == ["POST"]
        assert await platform.post(place, new, once="name") == first
        assert [message["content"] for message in wire.messages.values()] == ["new"]


async def test_a_post_that_is_repeated_after_its_message_was_deleted_is_a_new_message(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with listening(monkeypatch) as wire, served(wire) as client:
        platform, place = DiscordPlatform("a.token.x", AsyncioClock(), client), Place(KEY, CHANNEL)
        first = await platform.post(place, Page.note("old"), once="name")
        await platform.delete(first)
        assert await platform.post(place, Page.note("new"), once="name") != first
        assert [message["content"] for message in wire.messages.values()] == ["new"]


async def test_an_answer_at_which_discord_failed_is_given_again(monkeypatch: pytest.MonkeyPatch) -> None:
    async with listening(monkeypatch) as wire, served(wire):
        wire.faults["POST", "/interactions"] = [broken]
        token = await wire.command("5", "help")
        sent = await wire.until("POST", token, 2)
        assert sent[0].body == sent[1].body


async def test_an_option_chosen_from_a_list_is_carried_out(monkeypatch: pytest.MonkeyPatch) -> None:
    async with listening(monkeypatch) as wire, served(wire):
        shown = await table(wire)
        options = [{"label": "+ Computer", "value": button(shown, "add_computer")}]
        chooser = {"type": 3, "custom_id": "choose:0123abcd", "options": options}
        shown["components"].append({"type": 1, "components": [chooser]})
        token = await wire.choose("5", button(shown, "add_computer"), shown)
        await wire.until("PATCH", f"/{token}/")
        assert "2. " in public_panel(wire)["content"]


async def test_a_broken_connection_is_resumed_and_what_was_missed_is_answered_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with listening(monkeypatch) as wire, served(wire):
        shown = await table(wire)
        await wire.drop()
        token = await wire.press("6", button(shown, "help"), shown)
        handshakes = await wire.until_handshakes(2)
        answered = await wire.until("POST", token)
        assert [handshake["op"] for handshake in handshakes] == [2, 6]
        assert len(answered) == 1


async def test_two_who_press_in_the_same_instant_are_both_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    async with listening(monkeypatch) as wire, served(wire):
        shown = await table(wire)
        join = button(shown, "join")
        tokens = await asyncio.gather(wire.press("6", join, shown), wire.press("7", join, shown))
        pressed = time.monotonic()
        given = [await wire.until("POST", token) for token in tokens]
        assert [len(one) for one in given] == [1, 1]
        assert max(one[0].at for one in given) - pressed < 3
        await _until_shown(wire, "user6", "user7")


async def test_the_client_leaves_nothing_open_when_it_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    before = set(asyncio.all_tasks())
    async with listening(monkeypatch) as wire:
        async with served(wire) as client:
            await table(wire)
            await client.wait_until_ready()
        assert client.is_closed()
    assert {task for task in asyncio.all_tasks() - before if not task.done()} == set()


async def _until_shown(wire: Wire, *names: str) -> None:
    """Waits for a request whose text contains all these names."""
    async with asyncio.timeout(PATIENCE):
        while not any(all(name in _words(request) for name in names) for request in wire.requests):
            wire._arrived.clear()
            await wire._arrived.wait()


def _words(request: Request) -> str:
    body = request.body if isinstance(request.body, dict) else {}
    return str((body.get("data") or body).get("content") or "")
