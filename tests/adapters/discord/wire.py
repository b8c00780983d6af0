"""A minimal Discord REST API and gateway on the loopback, enough for unmodified discord.py."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import discord
import pytest
import yarl
from aiohttp import WSMsgType, web
from discord import InteractionType

APPLICATION = "1"
GUILD, CHANNEL = "10", "11"
PATIENCE = 100.0
"""Seconds after which a test no longer waits for the client, and fails."""
COMMAND, AUTOCOMPLETE = InteractionType.application_command.value, InteractionType.autocomplete.value
_EPOCH = 1_420_070_400_000
"""The start of 2015, from which snowflakes count, in Unix milliseconds."""
_FIELDS = {"guild_id": GUILD, "channel_id": CHANNEL, "application_id": APPLICATION, "version": 1}
"""The fields that commands and interactions share."""
_Op = discord.gateway.DiscordWebSocket
"""The class that names the gateway's opcodes."""

Fault = Callable[[], web.Response]


def slowed_down(seconds: float, code: int = 0) -> web.Response:
    """Discord's 429 response to a client that sends too much; `seconds` is its retry_after."""
    error = {"message": "You are being rate limited.", "retry_after": seconds, "global": False, "code": code}
    return _json(json.dumps(error), 429, {"Via": "1.1 google", "Retry-After": str(seconds)})


def _gone() -> web.Response:
    """Discord's 404 response for an unknown message."""
    return _json(json.dumps({"message": "Unknown Message", "code": 10008}), 404)


def _shown(body: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a body that an edit changes."""
    return {key: body[key] for key in ("content", "components") if key in body}


def broken() -> web.Response:
    """Discord's response to an internal error, 500."""
    return _json("{}", 500)


@dataclass
class Request:
    """A request received; `at` is in monotonic seconds."""

    method: str
    path: str
    body: Any
    at: float = field(default_factory=time.monotonic)


@dataclass
class Wire:
    """The server: answers requests, keeps messages, and sends events to the client."""

    address: str = ""
    requests: list[Request] = field(default_factory=list)
    faults: dict[tuple[str, str], list[Fault]] = field(default_factory=dict)
    """Responses for the next requests instead of the usual ones, by method and path prefix."""
    commands: list[dict[str, Any]] = field(default_factory=list)
    messages: dict[str, dict[str, Any]] = field(default_factory=dict)
    """The messages now in the channels, by id."""
    edits_of_old: int | None = None
    """Edits still accepted before Discord's limit for messages over an hour old; None for no limit."""
    handshakes: list[dict[str, Any]] = field(default_factory=list)
    """The frame with which each gateway connection began: identify or resume."""
    shards: int = 1
    """The number of shards that Discord recommends."""
    shard: int = 0
    """The shard to which the next interactions are sent."""
    _sockets: dict[int, web.WebSocketResponse] = field(default_factory=dict)
    """The open gateway connection of each shard."""
    _logs: dict[int, list[dict[str, Any]]] = field(default_factory=dict)
    """The events of each shard."""
    _arrived: asyncio.Event = field(default_factory=asyncio.Event)
    _numbers: int = 1000
    _nonces: dict[tuple[str, str], str] = field(default_factory=dict)
    """The id of the message first posted with each enforced nonce, by channel and nonce."""
    behind: float = 0.0
    """Seconds by which Discord's clock is behind that of the host."""
    _pressed: dict[str, str] = field(default_factory=dict)
    """The id of the message from which an interaction comes, by the interaction's token."""

    async def rest(self, request: web.Request) -> web.Response:
        """Answers one REST request, with a planned fault if one matches."""
        path = request.path.removeprefix("/api/v10")
        text = await request.text() if request.can_read_body else ""
        body = json.loads(text) if text.startswith(("{", "[")) else None
        self.requests.append(Request(request.method, path, body))
        self._arrived.set()
        for (method, beginning), faults in self.faults.items():
            if method == request.method and path.startswith(beginning) and faults:
                return faults.pop(0)()
        return self._answer(request.method, path, body)

    def _answer(self, method: str, path: str, body: Any) -> web.Response:
        match [method, *path.strip("/").split("/")]:
            case ["GET", "users", "@me"]:
                return _json(json.dumps(_OURSELVES))
            case ["GET", "gateway", "bot"]:
                limits = {"total": 1000, "remaining": 999, "reset_after": 0, "max_concurrency": 1}
                answer = {"url": "ws://–", "shards": self.shards, "session_start_limit": limits}
                return _json(json.dumps(answer))
            case ["GET", "oauth2", "applications", "@me"]:
                return _json(json.dumps(_APPLICATION))
            case ["GET", "applications", _, "commands"]:
                return _json(json.dumps(self.commands))
            case ["PUT", "applications", _, "commands"]:
                self.commands = [one | {"id": self.number(), **_FIELDS} for one in body]
                return _json(json.dumps(self.commands))
            case ["POST", "users", "@me", "channels"]:
                user = str(body["recipient_id"])
                channel = {"id": "2" + user, "type": 1, "recipients": [user_of(user)]}
                return _json(json.dumps(channel))
            case ["POST", "channels", channel, "messages"]:
                return self._posted(channel, body)
            case ["PATCH", "channels", _, "messages", message]:
                return self._edited(message, body)
            case ["DELETE", "channels", _, "messages", message]:
                return web.Response(status=204) if self.messages.pop(message, None) else _gone()
            case ["POST", "interactions", _, token, "callback"]:
                if body["type"] == 7 and self._pressed.get(token) in self.messages:
                    self.messages[self._pressed[token]].update(_shown(body.get("data") or {}))
                known = {"id": self.number(), "type": 3, "response_message_id": self.number()}
                return _json(json.dumps({"interaction": known}))
            case ["PATCH", "webhooks", _, token, *_] if self._pressed.get(token) in self.messages:
                self.messages[self._pressed[token]].update(_shown(body))
                return _json(json.dumps(self.messages[self._pressed[token]]))
            case ["POST" | "PATCH", "webhooks", *_]:
                return _json(json.dumps(self.message(CHANNEL, body or {})))
            case _:
                return web.Response(status=204)

    def _posted(self, channel: str, body: Any) -> web.Response:
        nonce = str(body.get("nonce") or "") if body.get("enforce_nonce") else ""
        if first := self._nonces.get((channel, nonce)):
            return _json(json.dumps(self.messages[first])) if first in self.messages else _gone()
        message = self.message(channel, body)
        self.messages[message["id"]] = message
        if nonce:
            self._nonces[channel, nonce] = message["id"]
        return _json(json.dumps(message))

    def _edited(self, message: str, body: Mapping[str, Any]) -> web.Response:
        if message not in self.messages:
            return _gone()
        if self.edits_of_old is not None:
            if self.edits_of_old == 0:
                return slowed_down(0.01, 30046)
            self.edits_of_old -= 1
        self.messages[message].update(_shown(body))
        return _json(json.dumps(self.messages[message]))

    async def gateway(self, request: web.Request) -> web.WebSocketResponse:
        """Serves one gateway connection until it closes."""
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        await socket.send_str(json.dumps({"op": _Op.HELLO, "d": {"heartbeat_interval": 45_000}}))
        shard = 0
        async for frame in socket:
            if frame.type is WSMsgType.TEXT:
                payload = json.loads(frame.data)
                if payload["op"] == _Op.IDENTIFY:
                    shard = payload["d"].get("shard", (0, 1))[0]
                elif payload["op"] == _Op.RESUME:
                    shard = int(payload["d"]["session_id"])
                await self._answer_frame(socket, shard, payload)
        return socket

    async def _answer_frame(
        self, socket: web.WebSocketResponse, shard: int, payload: Mapping[str, Any]
    ) -> None:
        if payload["op"] == _Op.HEARTBEAT:
            await socket.send_str(json.dumps({"op": _Op.HEARTBEAT_ACK, "d": None}))
        elif payload["op"] == _Op.IDENTIFY:
            self.handshakes.append(dict(payload))
            self._sockets[shard] = socket
            count = payload["d"].get("shard", (0, 1))[1]
            own = shard_of(GUILD, count) == shard
            await self.event(
                "READY",
                {
                    "v": 10,
                    "user": _OURSELVES,
                    "guilds": [{"id": GUILD, "unavailable": True}] if own else [],
                    "session_id": str(shard),
                    "resume_gateway_url": self.address.replace("http", "ws") + "/gw/",
                    "application": {"id": APPLICATION, "flags": 0},
                    "shard": [shard, count],
                },
                shard,
            )
            if own:
                await self.event("GUILD_CREATE", _GUILD, shard)
        elif payload["op"] == _Op.RESUME:
            self.handshakes.append(dict(payload))
            self._sockets[shard] = socket
            for missed in self._logs[shard][payload["d"]["seq"] :]:
                await socket.send_str(json.dumps(missed))
            await self.event("RESUMED", {}, shard)
        self._arrived.set()

    async def event(self, name: str, data: Mapping[str, Any], shard: int = 0) -> None:
        """Sends an event to a shard of the client, now or when it resumes."""
        log = self._logs.setdefault(shard, [])
        log.append({"op": _Op.DISPATCH, "t": name, "s": len(log) + 1, "d": data})
        if (socket := self._sockets.get(shard)) and not socket.closed:
            await socket.send_str(json.dumps(log[-1]))

    async def drop(self, code: int = 4000, shard: int = 0) -> None:
        """Closes the gateway connection of a shard with this code."""
        await self._sockets.pop(shard).close(code=code)

    async def press(self, user: str, data: str, message: Mapping[str, Any]) -> str:
        """Presses a button as a user; returns the interaction's token."""
        chosen = {"component_type": 2, "custom_id": data}
        return await self.interaction(user, {"type": 3, "data": chosen, "message": message})

    async def choose(self, user: str, value: str, message: Mapping[str, Any]) -> str:
        """Chooses an option of a message's list as a user; returns the interaction's token."""
        every = (component for row in message["components"] for component in row["components"])
        chooser = next(component["custom_id"] for component in every if component["type"] == 3)
        chosen = {"component_type": 3, "custom_id": chooser, "values": [value]}
        return await self.interaction(user, {"type": 3, "data": chosen, "message": message})

    async def command(self, user: str, name: str, kind: int = COMMAND, /, **given: str) -> str:
        """Sends a command as a user; returns the interaction's token.

        With the kind `AUTOCOMPLETE` it asks for suggestions for the last parameter instead.
        """
        options: list[dict[str, Any]] = [
            {"name": key, "type": 3, "value": value} for key, value in given.items()
        ]
        if kind == AUTOCOMPLETE:
            options[-1]["focused"] = True
        known = next((command["id"] for command in self.commands if command["name"] == name), "1")
        data = {"id": known, "name": name, "type": 1, "options": options}
        return await self.interaction(user, {"type": kind, "data": data})

    async def interaction(self, user: str, payload: Mapping[str, Any]) -> str:
        """Sends an interaction as a user, well formed or not; returns its token."""
        number = self.number()
        if "message" in payload:
            self._pressed[f"t{number}"] = payload["message"]["id"]
        member = {
            "user": user_of(user),
            "roles": [],
            "joined_at": "2026-01-01T00:00:00+00:00",
            "deaf": False,
            "mute": False,
            "flags": 0,
            "permissions": "2147483647",
        }
        await self.event(
            "INTERACTION_CREATE",
            {
                "id": number,
                "token": f"t{number}",
                "locale": "en-US",
                "guild_locale": "en-US",
                "member": member,
                "app_permissions": "3072",
                "channel": _CHANNEL,
                "entitlements": [],
                "context": 0,
                "authorizing_integration_owners": {},
                "attachment_size_limit": 1000,
                **_FIELDS,
                **payload,
            },
            self.shard,
        )
        return f"t{number}"

    def message(self, channel: str, body: Mapping[str, Any]) -> dict[str, Any]:
        """A message object, as in Discord's API."""
        return {
            "id": self.number(),
            "channel_id": channel,
            "author": _OURSELVES,
            "content": body.get("content", ""),
            "timestamp": "2026-01-01T00:00:00+00:00",
            "edited_timestamp": None,
            "tts": False,
            "embeds": [],
            "mention_everyone": False,
            "mentions": [],
            "mention_roles": [],
            "attachments": [],
            "pinned": False,
            "type": 0,
            "flags": body.get("flags", 0),
            "components": body.get("components") or [],
        }

    async def until(self, method: str, part: str, count: int = 1) -> list[Request]:
        """Waits until there are `count` requests of this method with `part` in their path; returns all."""
        async with asyncio.timeout(PATIENCE):
            while True:
                found = [
                    request for request in self.requests if request.method == method and part in request.path
                ]
                if len(found) >= count:
                    return found
                self._arrived.clear()
                await self._arrived.wait()

    async def until_handshakes(self, count: int) -> list[dict[str, Any]]:
        """Waits until the client has identified or resumed `count` times; returns all such frames."""
        async with asyncio.timeout(PATIENCE):
            while len(self.handshakes) < count:
                self._arrived.clear()
                await self._arrived.wait()
        return self.handshakes

    def number(self) -> str:
        """A new snowflake (Discord id) with the current time of Discord's clock (`behind`)."""
        self._numbers += 1
        now = int((discord.utils.utcnow().timestamp() - self.behind) * 1000)
        return str(((now - _EPOCH) << 22) + self._numbers)


@asynccontextmanager
async def listening(patch: pytest.MonkeyPatch) -> AsyncIterator[Wire]:
    """Runs the server, and points discord.py's REST and gateway addresses at it."""
    wire, application = Wire(), web.Application()
    application.router.add_route("*", "/api/v10/{rest:.*}", wire.rest)
    application.router.add_get("/gw/", wire.gateway)
    runner = web.AppRunner(application, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    wire.address = f"http://127.0.0.1:{runner.addresses[0][1]}"
    point_at(wire.address, patch)
    try:
        yield wire
    finally:
        await runner.cleanup()


def point_at(address: str, patch: pytest.MonkeyPatch) -> None:
    """Points discord.py's REST and gateway addresses at a server.

    The server announces all guilds at once, so discord.py need not wait for more.
    """
    wait = property(lambda _: 0.05, lambda *_: None)
    patch.setattr(discord.state.ConnectionState, "guild_ready_timeout", wait, raising=False)
    patch.setattr(discord.http.Route, "BASE", f"{address}/api/v10")
    socket = yarl.URL(address.replace("http", "ws") + "/gw/")
    patch.setattr(discord.gateway.DiscordWebSocket, "DEFAULT_GATEWAY", socket)


def _json(text: str, status: int = 200, headers: Mapping[str, str] | None = None) -> web.Response:
    # discord.py parses JSON only if the content type has no charset; aiohttp would add one.
    response = web.Response(body=text.encode(), status=status, headers=headers)
    response.headers["Content-Type"] = "application/json"
    return response


def shard_of(guild: str, count: int) -> int:
    """The shard that receives the events of a server."""
    return (int(guild) >> 22) % count


def user_of(user: str) -> dict[str, Any]:
    """A user object, as in Discord's API."""
    return {"id": user, "username": f"user{user}", "discriminator": "0", "avatar": None, "global_name": None}


_OURSELVES = {"id": APPLICATION, "username": "sobremesa", "discriminator": "0", "avatar": None, "bot": True}
_CHANNEL = {
    "id": CHANNEL,
    "type": 0,
    "name": "cards",
    "guild_id": GUILD,
    "position": 0,
    "permission_overwrites": [],
    "nsfw": False,
    "parent_id": None,
}
_GUILD: Mapping[str, Any] = {
    "id": GUILD,
    "name": "Game night",
    "owner_id": "99",
    "channels": [_CHANNEL],
    "roles": [],
    "members": [],
    "emojis": [],
    "features": [],
    "verification_level": 0,
    "default_message_notifications": 0,
    "explicit_content_filter": 0,
    "mfa_level": 0,
    "system_channel_flags": 0,
    "premium_tier": 0,
    "preferred_locale": "en-US",
    "nsfw_level": 0,
    "premium_progress_bar_enabled": False,
    "afk_timeout": 60,
    "threads": [],
    "stickers": [],
    "voice_states": [],
    "presences": [],
    "stage_instances": [],
    "guild_scheduled_events": [],
    "member_count": 3,
    "large": False,
    "unavailable": False,
}
_APPLICATION: Mapping[str, Any] = {
    "id": APPLICATION,
    "name": "Sobremesa",
    "description": "",
    "icon": None,
    "rpc_origins": [],
    "bot_public": True,
    "bot_require_code_grant": False,
    "owner": user_of("99"),
    "verify_key": "00",
    "flags": 0,
    "summary": "",
}
