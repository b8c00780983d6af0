"""A simulated Discord for the real library: players type and press, and every request is recorded."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import discord
from simcord.actors import MemberActor
from simcord.backend.models import EPHEMERAL_FLAG
from simcord.builders import ChannelHandle, GuildHandle
from simcord.env import Env
from simcord.results import InteractionResult, ResponseMessage, to_discord_message

from adapters.discord.callers import KEY
from adapters.discord.client import TableClient
from adapters.discord.platform import DiscordPlatform
from bot.app import running
from bot.inbox.dispatcher import Dispatcher
from bot.model.places import Place
from bot.storage import Store
from bot.store.memory.store import MemoryStore
from bot.tables.table import Table
from tests import luck
from tests.adapters.discord.instant import instantly
from tests.adapters.discord.requests import RequestReader, Requests
from tests.support.allowances import AMPLE
from tests.support.clock import VirtualClock
from tests.support.secret_scan import SecretScan

_A_WHILE = 5.0
"""Seconds of virtual time after which the bot has finished all pending work."""

Shown = discord.Message | ResponseMessage


class SimulatedClock(VirtualClock):
    """The simulation's time, which passes only in `advance`."""

    def __init__(self) -> None:
        super().__init__(stopped=True)
        self.env: Env | None = None
        self._begun = asyncio.Event()
        """Set once the clock knows the simulation; tasks of the bot may sleep before that."""

    def begin(self, env: Env) -> None:
        """Connects the clock to the simulation, whose time it is from now on."""
        self.env = env
        self._begun.set()

    def now(self) -> float:
        return discord.utils.utcnow().timestamp()

    async def sleep(self, seconds: float) -> None:
        # The simulation counts whole microseconds, so that a very short sleep could round to zero.
        await super().sleep(max(seconds, 0.001))

    async def until(self, woken: asyncio.Future[None]) -> None:
        await self._begun.wait()
        assert self.env
        await self.env.external_wait(woken, reason="the clock")

    async def move_to(self, time: float) -> None:
        assert self.env
        await self.env.advance_time(max(0.0, time - self.now()))

    async def settle(self) -> None:
        assert self.env
        await self.env.settle()


class HostedClient(TableClient):
    """The Discord client, which starts the bot's services before it connects; `leave` stops them."""

    def __init__(self, store: Store, clock: SimulatedClock, pace: float, scan: SecretScan) -> None:
        super().__init__(clock)
        self._store, self._clock, self._pace, self._scan = store, clock, pace, scan
        self._stack = AsyncExitStack()
        self.dispatcher: Dispatcher | None = None

    async def setup_hook(self) -> None:
        platform = DiscordPlatform("token", self._clock, self)
        bot = running(
            self._store, self._clock, {KEY: platform}, rng=luck.rng(), pace=self._pace, allowances=AMPLE
        )
        self.dispatcher = await self._stack.enter_async_context(bot)
        self.dispatcher.service.listen(self._scan.on_commit)
        self.set_dispatcher(self.dispatcher)
        await super().setup_hook()

    async def leave(self) -> None:
        """Stops the bot's services."""
        await self._stack.aclose()


@dataclass
class Player:
    """A member of the server, with a Discord client."""

    world: World
    member: MemberActor

    async def types(
        self, name: str, channel: ChannelHandle | None = None, /, **given: Any
    ) -> InteractionResult:
        """Sends a slash command in a channel, by default the world's."""
        return await self._handled(await self.member.slash(channel or self.world.channel, name, **given))

    async def types_alone(self, name: str, /, **given: Any) -> InteractionResult:
        """Sends a slash command in the private chat with the bot."""
        return await self._handled(await self.member.user.slash(name, **given))

    async def presses(self, message: Shown, label: str) -> InteractionResult:
        """Presses the first button, or chooses the first list option, whose label contains the words."""
        return await self.clicks(
            message, next(button for button in buttons(message) if label in button["label"])
        )

    async def clicks(self, message: Shown, button: Mapping[str, Any]) -> InteractionResult:
        """Presses a button, or chooses an option of a list; takes an item of `buttons`."""
        actor = self.member.user if self.world.is_private(message) else self.member
        data = button["custom_id"]
        if chooser := button.get("chooser"):
            return await self._handled(await actor.select(message, [data], custom_id=chooser))
        return await self._handled(await actor.click(message, custom_id=data))

    async def fills(self, form: InteractionResult, words: str) -> InteractionResult:
        """Fills in and submits a form with one field."""
        assert form.modal
        field = form.modal["components"][0]["component"]["custom_id"]
        return await self._handled(await self.member.submit_modal(form, {field: words}))

    @property
    def panel(self) -> discord.Message:
        """The last message with buttons in the player's private chat with the bot."""
        return self.world.last_page(self.member.user.dm_channel)

    async def _handled(self, result: InteractionResult) -> InteractionResult:
        """Lets the bot handle an interaction; returns its result."""
        await self.world.clock.advance(1.5)
        return result


@dataclass
class World:
    """A server with a channel, its players and the bot."""

    env: Env
    client: HostedClient
    store: Store
    clock: SimulatedClock
    pace: float
    guild: GuildHandle
    channel: ChannelHandle
    request_reader: RequestReader
    scan: SecretScan
    locales: dict[int, str] = field(default_factory=dict)
    """The locale of each user's client; English for a user not listed."""
    server_locale: str = "en-US"
    """The locale of the server, which Discord sends with each interaction in it."""
    players: list[Player] = field(default_factory=list)

    def player(self, name: str, locale: str = "en-US", **options: Any) -> Player:
        """Adds a player to the server."""
        user = self.env.create_user(name.casefold(), global_name=name)
        self.locales[user.id] = locale
        self.players.append(Player(self, self.guild.add_member(user, **options)))
        return self.players[-1]

    def moderator(self, name: str) -> Player:
        """Adds a player who may manage messages."""
        role = self.guild.create_role("Mods", permissions=discord.Permissions(manage_messages=True))
        return self.player(name, roles=[role])

    @property
    def public_panel(self) -> discord.Message:
        """The last public message with buttons in the world's channel."""
        return self.last_page(self.channel)

    def last_page(self, channel: ChannelHandle) -> discord.Message:
        """The last message with buttons in a channel, ephemeral ones excluded."""
        # The channel's `history` would build every message again; only the last one is needed.
        stored = reversed(self.env.backend.messages[channel.id].values())
        last = next(panel for panel in stored if panel.components and not panel.flags & EPHEMERAL_FLAG)
        return to_discord_message(self.env, last)

    async def table(self, channel: ChannelHandle | None = None) -> Table:
        """The channel's first open table, or its last finished one."""
        table = await self.table_or_none(channel)
        assert table
        return table

    async def table_or_none(self, channel: ChannelHandle | None = None) -> Table | None:
        assert self.client.dispatcher
        place = Place(KEY, str((channel or self.channel).id))
        listings = await self.store.tables(place)
        listing = listings[0] if listings else await self.store.last_over(place)
        return await self.client.dispatcher.service.table(listing.game) if listing else None

    async def awaited(self, players: Sequence[Player]) -> Player | None:
        """The player, of these, at the first awaited seat; None if none of them is awaited."""
        table = await self.table()
        assert self.client.dispatcher
        for seat in table.active():
            for player in players:
                account = await self.store.account(KEY, str(player.member.id))
                if account and table.players[seat].person == account.person:
                    return player
        return None

    async def restart(self) -> None:
        """Stops the bot and starts a new one on the same store."""
        await self.client.leave()
        self.client = HostedClient(self.store, self.clock, self.pace, self.scan)
        await self.env.restart_bot(self.client)

    def is_private(self, message: Shown) -> bool:
        """Whether a message is in a private chat with the bot."""
        channel = message.channel_id if isinstance(message, ResponseMessage) else message.channel.id
        return self.env.backend.get_channel(channel).guild_id is None

    def close_messages(self, player: Player, times: int | None = None) -> None:
        """Makes the next private messages to a player fail with 403: this many, or all of them."""
        path = f"/channels/{player.member.user.dm_channel.id}/messages"
        self.env.inject_error("POST", path, status=403, code=50007, times=times)


@asynccontextmanager
async def opened(store: MemoryStore | None = None, pace: float = 0.0) -> AsyncIterator[World]:
    """Runs the client in a new world; at the end, fails if a task waits in vain or the scan saw a secret."""
    store = store or MemoryStore()

    def person_of(platform: str, user: str) -> str:
        account = store._accounts.get((platform, user))
        return account.person if account else ""

    scan = SecretScan(person_of)
    clock = SimulatedClock()
    client = HostedClient(store, clock, pace, scan)
    async with instantly(client) as env:
        clock.begin(env)
        guild = env.create_guild("Game night")
        channel = guild.create_text_channel("cards")
        request_reader = RequestReader(scan, lambda channel: _user_of_chat(env, channel))
        world = World(env, client, store, clock, pace, guild, channel, request_reader, scan)
        env.backend.http_requests = Requests(env.http_requests, request_reader.read)
        emit = env.backend.emit

        def localised(name: str, payload: Any, *rest: Any, **options: Any) -> Any:
            if name == "INTERACTION_CREATE":
                request_reader.interaction(payload)
                user = payload.get("user") or payload["member"]["user"]
                payload["locale"] = world.locales.get(int(user["id"]), "en-US")
                if "guild_locale" in payload:
                    payload["guild_locale"] = world.server_locale
            return emit(name, payload, *rest, **options)

        env.backend.emit = localised  # type: ignore[method-assign, assignment]
        try:
            yield world
            await clock.advance(_A_WHILE)
            await env.come_to_rest()
        finally:
            await world.client.leave()
        scan.faults.none()


def _user_of_chat(env: Env, channel: str) -> str:
    """The user of a private chat with the bot; empty for any other channel."""
    chats = {str(chat): str(user) for user, chat in env.backend.dm_channels.items()}
    return chats.get(channel, "")


def buttons(message: Shown) -> list[dict[str, Any]]:
    """All buttons of a message, and the options of its lists."""
    rows: Any = message.components
    return [
        button
        for row in rows
        for component in (row["components"] if isinstance(row, Mapping) else row.children)
        for button in _choices(component if isinstance(component, Mapping) else component.to_dict())
    ]


def _choices(component: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The button itself; or each option of a list as a button, with the list's id as `chooser`."""
    if "options" not in component:
        return [dict(component)]
    return [
        {"label": option["label"], "custom_id": option["value"], "chooser": component["custom_id"]}
        for option in component["options"]
    ]


def actions(message: Shown, *wanted: str) -> list[dict[str, Any]]:
    """The buttons with one of these actions."""
    return [button for button in buttons(message) if button.get("custom_id", "::").split(":")[2] in wanted]
