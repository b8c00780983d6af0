"""Examines the token, the app and the bot's permissions in channels, for the host of the bot."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

import aiohttp
import discord
from discord import Intents, Permissions, Thread
from discord.abc import GuildChannel
from discord.http import Route

from adapters.discord.client import TOKEN_FORM
from adapters.discord.failures import NAME, NOT_A_TOKEN, SETTING
from adapters.discord.shards import Shards
from adapters.shared.finding import (
    Finding,
    clock_finding,
    faulty,
    ok,
    permission_finding,
    place_unknown,
    problem,
    token_accepted,
    token_refused,
    unreachable,
    warning,
)
from adapters.shared.network.failures import clock_ahead_of, failure_text
from engines.game import Text, plural

PERMISSIONS = {
    "view_channel": Text("View Channel"),
    "send_messages": Text("Send Messages"),
    "send_messages_in_threads": Text("Send Messages in Threads"),
}
"""The permissions that the bot needs (`client.NEEDED`), and their names in Discord's client."""
_PRIVILEGED = ("gateway_presence", "gateway_guild_members", "gateway_message_content")
"""The flags of an app that has privileged intents; each also exists with `_limited` at its end."""


async def examine(token: str, shards: Shards | None, places: Sequence[str]) -> Sequence[Finding]:
    """Logs in without connecting to the gateway, and examines the app and these channels."""
    if not TOKEN_FORM.fullmatch(token.strip()):
        return [problem(NOT_A_TOKEN)]
    client, findings = discord.Client(intents=Intents.none()), list[Finding]()
    try:
        await client.login(token.strip())
        async for finding in examine_app(client, shards):
            findings.append(finding)
        for place in places:
            findings += await examine_channel(client, int(place))
    except discord.LoginFailure:
        findings.append(token_refused(NAME, SETTING))
    except discord.HTTPException as error:
        findings.append(faulty(NAME, f"HTTP {error.status}"))
    except (aiohttp.ClientError, OSError, discord.RateLimited) as error:
        name = type(error).__name__
        findings.append(unreachable(NAME, failure_text(name) or name))
    finally:
        await client.close()
    return findings


async def examine_app(client: discord.Client, shards: Shards | None) -> AsyncIterator[Finding]:
    """Examines the app of a client that is logged in: its settings, its shards, and this machine's clock."""
    app = client.application
    assert app
    assert client.user
    yield token_accepted(NAME, client.user.name)
    if (ahead := await clock_ahead_of(f"{Route.BASE}/gateway")) is not None:
        yield clock_finding(ahead, NAME)
    flags = {name.removesuffix("_limited") for name, is_set in app.flags if is_set}
    if on := ", ".join(name.removeprefix("gateway_") for name in _PRIVILEGED if name in flags):
        yield warning(
            Text(
                "The bot needs no privileged intents, but these are on: {intents}. Turn them "
                "off in the developer portal.",
                intents=on,
            )
        )
    else:
        yield ok(Text("No privileged intents are on. The bot needs none."))
    if address := app.interactions_endpoint_url:
        yield problem(
            Text(
                "{platform} sends presses and commands to {address}, so they never reach the bot. Clear "
                "the “Interactions Endpoint URL” of the app.",
                platform=NAME,
                address=address,
            )
        )
    gateway = await client.http.request(Route("GET", "/gateway/bot"))
    yield _shards(gateway["shards"], shards)


def _shards(recommended: int, shards: Shards | None) -> Finding:
    if shards and shards.count < recommended:
        return warning(
            Text(
                "{platform} recommends {recommended} shards, but {setting} says {count}. "
                "Change it in all processes, and restart them.",
                platform=NAME,
                recommended=recommended,
                setting="DISCORD_SHARDS",
                count=shards.count,
            )
        )
    return ok(
        plural(
            "{platform} recommends {n} shard.",
            "{platform} recommends {n} shards.",
            recommended,
            platform=NAME,
        )
    )


async def examine_channel(client: discord.Client, number: int) -> Sequence[Finding]:
    """Examines each permission that the bot needs in a channel, thread or post."""
    try:
        found = await client.fetch_channel(number)
        if not isinstance(found, (GuildChannel, Thread)):
            return [place_unknown(str(number))]
        given = await _permissions(client, found)
    except (discord.NotFound, discord.Forbidden, discord.InvalidData):
        return [place_unknown(str(number))]
    name = f"#{found.name}"
    return [
        permission_finding(title, name, given=getattr(given, permission))
        for permission, title in PERMISSIONS.items()
    ]


async def _permissions(client: discord.Client, found: GuildChannel | Thread) -> Permissions:
    """The bot's permissions in a channel, or in the parent of a thread."""
    assert client.user
    # Without the gateway the client knows no roles: the server is fetched with them, and then its channel.
    guild = await client.fetch_guild(found.guild.id, with_counts=False)
    member = await guild.fetch_member(client.user.id)
    channel = await guild.fetch_channel(found.parent_id if isinstance(found, Thread) else found.id)
    assert not isinstance(channel, Thread)
    return channel.permissions_for(member)
