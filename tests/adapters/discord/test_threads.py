"""Tables in threads of their own on a simulated Discord."""

from __future__ import annotations

import discord
import pytest
from simcord.builders import ChannelHandle

from bot.outbox.threads import ARCHIVE_AFTER
from tests.adapters.discord.test_answers import requests, text_of
from tests.adapters.discord.world import World, buttons, opened


async def turn_threads_on(world: World) -> None:
    """Has a moderator give each table of the channel a thread."""
    await world.moderator("Mia").types("channel", threads="on")


def thread_of(world: World) -> ChannelHandle:
    """The only thread of the channel."""
    [thread] = world.channel.threads
    return thread


async def test_a_table_is_played_in_its_thread() -> None:
    async with opened() as world:
        await turn_threads_on(world)
        ana, bob = world.player("Ana"), world.player("Bob", "es-ES")
        result = await ana.types("new", game="casino")
        assert text_of(result).startswith("Your table is open, in a thread of its own.")
        thread = thread_of(world)
        assert thread.name == "Casino · Ana"
        above = world.last_page(world.channel)
        assert above.content == "Casino in the thread below, with Ana. Will you play?"
        await bob.presses(above, "Join")
        public_panel = world.last_page(thread)
        assert "2. Bob" in public_panel.content
        assert bob.panel.content.startswith(f"[Casino, mesa 1]({public_panel.jump_url})")
        await ana.presses(public_panel, "Start")
        shown = [
            message
            for message in world.channel.history()
            if message.type is discord.MessageType.default and not message.flags.ephemeral
        ]
        assert [message.content for message in shown] == ["Casino in the thread below, with Ana and Bob."]
        assert buttons(shown[0]) == []


async def test_a_thread_is_archived_after_the_end() -> None:
    async with opened() as world:
        await turn_threads_on(world)
        ana = world.player("Ana")
        await ana.types("new", game="casino")
        thread = thread_of(world)
        await ana.types("end", thread)
        await world.clock.advance(ARCHIVE_AFTER + 5)
        assert [request.json for request in requests(world, "PATCH", f"/channels/{thread.id}")] == [
            {"archived": True}
        ]


@pytest.mark.parametrize(
    ("status", "code"),
    [
        pytest.param(400, 160006, id="too many active threads"),
        pytest.param(403, 50013, id="no permission"),
        pytest.param(500, 0, id="a fault of Discord"),
    ],
)
async def test_where_discord_opens_no_thread_the_table_is_in_the_channel(status: int, code: int) -> None:
    async with opened() as world:
        await turn_threads_on(world)
        world.env.inject_error(
            "POST", f"/channels/{world.channel.id}/messages/*/threads", status=status, code=code, times=None
        )
        result = await world.player("Ana").types("new", game="casino")
        assert "I couldn't open a thread for it this time." in text_of(result)
        shown = [message for message in world.channel.history() if not message.flags.ephemeral]
        assert [message.content.splitlines()[0] for message in shown] == ["Casino, table 1"]


async def test_the_reply_about_a_new_thread_is_in_the_openers_language() -> None:
    async with opened() as world:
        await turn_threads_on(world)
        eva = world.player("Eva", "es-419")
        result = await eva.types("new", game="casino")
        assert text_of(result).startswith("Tu mesa está abierta, en su propio hilo.")
