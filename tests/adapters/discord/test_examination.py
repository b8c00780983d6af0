"""The doctor's findings about the token, the app and the bot's permissions in channels."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from email.utils import formatdate
from types import SimpleNamespace
from typing import Any

import discord
import pytest
from aiohttp import web

from adapters.discord import DiscordSettings
from adapters.discord.client import NEEDED
from adapters.discord.examination import PERMISSIONS, examine_channel
from adapters.shared.finding import Finding
from bot.i18n import Speech
from tests.adapters.discord import wire as loopback
from tests.adapters.discord.wire import Wire, listening
from tests.adapters.discord.world import opened

say = Speech()


@pytest.fixture
async def wire(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Wire]:
    async with listening(monkeypatch) as wire:
        yield wire


async def examined(token: str = "a.token.x", shards: str = "all") -> Sequence[Finding]:
    given = {"discord_token": token, "discord_shards": shards}
    return await DiscordSettings.model_validate(given).examine(())


def spoken(findings: Sequence[Finding]) -> list[str]:
    return [f"{finding.severity}: {say(finding.text)}" for finding in findings]


@pytest.mark.parametrize(
    ("word", "is_place"),
    [("123456789012345678", True), ("12345", False), ("-100123", False), ("@group", False), ("", False)],
)
def test_a_channel_is_named_by_its_id(word: str, is_place: bool) -> None:
    assert DiscordSettings().is_place(word) is is_place


@pytest.mark.real
async def test_an_app_as_it_should_be_is_well(wire: Wire) -> None:
    assert spoken(await examined()) == [
        "ok: Discord accepts the token. The bot is called sobremesa.",
        "ok: This machine's clock agrees with that of Discord.",
        "ok: No privileged intents are on. The bot needs none.",
        "ok: Discord recommends 1 shard.",
    ]
    assert wire.handshakes == [], "the bot may be running elsewhere: no gateway is entered"


@pytest.mark.real
async def test_a_token_that_is_refused_is_a_problem(wire: Wire) -> None:
    wire.faults["GET", "/users/@me"] = [lambda: web.Response(status=401)]
    assert spoken(await examined()) == [
        "problem: Discord doesn't accept DISCORD_TOKEN. Create a new token, and set it there."
    ]


async def test_a_malformed_token_is_a_problem_and_not_shown() -> None:
    (line,) = spoken(await examined("hush"))
    assert line.startswith("problem: DISCORD_TOKEN isn't a token")
    assert "hush" not in line


@pytest.mark.real
async def test_without_a_network_the_reason_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(discord.http.Route, "BASE", "http://127.0.0.1:1/api/v10")
    (line,) = spoken(await examined())
    assert line.startswith("problem: Discord can't be reached (no connection).")


@pytest.mark.real
async def test_an_error_of_the_server_is_no_fault_of_the_network_and_hides_no_finding(wire: Wire) -> None:
    refused = [lambda: web.Response(status=403)]
    wire.faults = {("GET", "/channels/"): refused * 5}
    given = {"discord_token": "a.token.x", "discord_shards": "all"}
    place = "123456789012345678"
    lines = spoken(await DiscordSettings.model_validate(given).examine([place]))
    assert lines[-1].startswith(f"problem: The bot can't see {place}.")
    wire.faults = {("GET", "/gateway/bot"): refused * 5}
    lines = spoken(await examined())
    assert lines[0].startswith("ok: Discord accepts the token.")
    assert lines[-1] == "problem: Discord answers with an error (HTTP 403). Try again in a few minutes."


@pytest.mark.real
async def test_privileged_intents_are_a_warning(wire: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    flags = (1 << 15) | (1 << 18)
    monkeypatch.setitem(application(), "flags", flags)
    lines = spoken(await examined())
    assert (
        "warning: The bot needs no privileged intents, but these are on: guild_members, message_content. "
        "Turn them off in the developer portal."
    ) in lines


@pytest.mark.real
async def test_an_address_that_takes_the_presses_is_a_problem(
    wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(application(), "interactions_endpoint_url", "https://elsewhere.example")
    lines = [line for line in spoken(await examined()) if line.startswith("problem")]
    assert len(lines) == 1
    assert "https://elsewhere.example" in lines[0]


@pytest.mark.real
async def test_too_few_shards_are_a_warning(wire: Wire) -> None:
    wire.shards = 9
    assert spoken(await examined(shards="0-3/8"))[-1].startswith(
        "warning: Discord recommends 9 shards, but DISCORD_SHARDS says 8."
    )
    assert (await examined(shards="0-3/9"))[-1].severity == "ok"


@pytest.mark.real
async def test_a_clock_that_is_wrong_is_a_problem(wire: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    # A server tells whole seconds, which count as the middle of the second.
    now = 1_000_000_000.5
    monkeypatch.setattr("adapters.shared.network.failures.time", SimpleNamespace(time=lambda: now))
    late = {"Date": formatdate(now - 840, usegmt=True)}
    wire.faults["GET", "/gateway"] = [lambda: web.Response(headers=late)]
    lines = [line for line in spoken(await examined()) if line.startswith("problem")]
    assert len(lines) == 1
    assert "840 s ahead" in lines[0]


def application() -> dict[str, Any]:
    """The app as the loopback server describes it."""
    app = loopback._APPLICATION
    assert isinstance(app, dict)
    return app


def test_all_permissions_that_the_bot_needs_are_examined() -> None:
    assert discord.Permissions(**dict.fromkeys(PERMISSIONS, True)) == NEEDED


async def test_each_permission_in_a_channel_is_a_line() -> None:
    async with opened() as world:
        findings = await examine_channel(world.client, world.channel.id)
    assert spoken(findings) == [
        "ok: #cards: the bot has the permission “View Channel”.",
        "ok: #cards: the bot has the permission “Send Messages”.",
        "ok: #cards: the bot has the permission “Send Messages in Threads”.",
    ]


async def test_a_permission_that_the_channel_takes_away_is_a_problem() -> None:
    async with opened() as world:
        denied = discord.PermissionOverwrite(send_messages=False)
        # In the server the bot's own role allows this; what the channel denies everyone counts after it.
        quiet = world.guild.create_text_channel("quiet", overwrites={world.guild.default_role: denied})
        findings = await examine_channel(world.client, quiet.id)
    assert [finding.severity for finding in findings] == ["ok", "problem", "ok"]
    assert spoken(findings)[1].startswith("problem: #quiet: the bot lacks the permission “Send Messages”.")


async def test_a_channel_that_is_not_there_is_a_problem() -> None:
    async with opened() as world:
        findings = await examine_channel(world.client, 123456789012345678)
    assert [finding.severity for finding in findings] == ["problem"]
    assert "can't see 123456789012345678" in spoken(findings)[0]


async def test_a_thread_has_the_permissions_of_its_channel() -> None:
    async with opened() as world:
        denied = discord.PermissionOverwrite(send_messages_in_threads=False)
        handle = world.guild.create_text_channel("calm", overwrites={world.guild.default_role: denied})
        channel = world.client.get_channel(handle.id)
        assert isinstance(channel, discord.TextChannel)
        thread = await channel.create_thread(name="Friday", message=await channel.send("begin"))
        findings = await examine_channel(world.client, thread.id)
    assert [finding.severity for finding in findings] == ["ok", "ok", "problem"]
    lacks = "problem: #Friday: the bot lacks the permission “Send Messages in Threads”."
    assert spoken(findings)[2].startswith(lacks)
