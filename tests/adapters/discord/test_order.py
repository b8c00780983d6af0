"""Order at a table on a simulated Discord: guests, sitting in, leaving, barring, invitations in private."""

from __future__ import annotations

from typing import Literal

import discord
import pytest

from adapters.discord.callers import KEY
from bot.outbox.posting.watchers import MEMBERS_EVERY, WATCHED_EVERY
from tests.adapters.discord.test_answers import playing, text_of
from tests.adapters.discord.world import Player, World, buttons, opened


async def in_game(world: World) -> tuple[Player, Player]:
    """Starts a game of Ana, who reads Spanish, Bob, who reads English, and a computer."""
    ana, bob = world.player("Ana", "es-ES"), world.player("Bob")
    await ana.types("new", game="casino", players=3)
    await bob.presses(world.public_panel, "Join")
    await ana.presses(world.public_panel, "Start")
    return ana, bob


def labels(message: discord.Message) -> list[str]:
    return [button["label"] for button in buttons(message)]


async def test_only_a_picked_member_may_join() -> None:
    async with opened() as world:
        ana, bob, eve = world.player("Ana"), world.player("Bob"), world.player("Eve")
        await ana.types("new", **{"game": "casino", "with": bob.member})
        assert text_of(await eve.presses(world.public_panel, "Join")) == (
            "This table is only for the players who were invited."
        )
        await bob.presses(world.public_panel, "Join")
        assert [player.name for player in (await world.table()).players] == ["Ana", "Bob"]


async def test_each_guest_is_picked_by_a_parameter_of_their_own() -> None:
    async with opened() as world:
        ana, bob, eve, rita = (world.player(name) for name in ("Ana", "Bob", "Eve", "Rita"))
        await ana.types("new", **{"game": "trio_escalera", "with": bob.member, "with3": eve.member})
        assert text_of(await rita.presses(world.public_panel, "Join")).startswith("This table is only for")
        await bob.presses(world.public_panel, "Join")
        await eve.presses(world.public_panel, "Join")
        assert [player.name for player in (await world.table()).players] == ["Ana", "Bob", "Eve"]


async def test_a_picked_player_is_removed_from_the_table() -> None:
    async with opened() as world:
        ana, bob = await in_game(world)
        stranger = world.player("Rita")
        assert text_of(await ana.types("kick", player=stranger.member)) == (
            "Esa persona no tiene asiento en esta mesa."
        )
        assert text_of(await ana.types("kick", player=bob.member)) == "Bob queda fuera."
        assert [player.kicked for player in (await world.table()).players][:2] == [False, True]


async def test_a_picked_player_owns_the_table() -> None:
    async with opened() as world:
        ana, bob = await in_game(world)
        await ana.types("owner", player=bob.member)
        account = await world.store.account(KEY, str(bob.member.id))
        assert account
        assert (await world.table()).owner == account.person


async def test_a_moderator_lets_a_picked_member_back_in() -> None:
    async with opened() as world:
        ana, _ = await in_game(world)
        mia = world.moderator("Mia")
        await mia.types("bar", player=ana.member)
        assert text_of(await mia.types("unbar", player=mia.member)) == "That person isn't barred here."
        assert text_of(await mia.types("unbar", player=ana.member)) == "Ana may play here again."


async def test_a_person_whom_the_bot_has_not_met_is_not_barred() -> None:
    async with opened() as world:
        await in_game(world)
        mia = world.moderator("Mia")
        assert text_of(await mia.types("bar", player=world.player("Eve").member)).startswith(
            "I don't know that"
        )


async def test_a_person_sits_in_by_buttons_in_two_languages() -> None:
    async with opened() as world:
        ana, bob = await in_game(world)
        rita = world.player("Rita")
        result = await rita.presses(world.public_panel, "Sit in")
        assert text_of(result) == "I've asked the players. You'll get a seat if they agree."
        assert "Rita quiere jugar en lugar de" in ana.panel.content
        assert "Rita would like to play in place of" in bob.panel.content
        assert text_of(await rita.presses(world.public_panel, "Agree")) == "You have no seat at this table."
        await ana.presses(ana.panel, "De acuerdo")
        table = await world.table()
        assert [player.name for player in table.players] == ["Ana", "Bob", "Rita"]
        assert "Agree" not in labels(world.public_panel)
        assert "Sit in" not in labels(world.public_panel)
        assert "Casino, table 1" in rita.panel.content


async def test_leaving_in_mid_game_is_confirmed_in_private_by_one_press() -> None:
    async with opened() as world:
        ana, _ = await playing(world)
        result = await ana.presses(world.public_panel, "Leave")
        assert text_of(result).startswith("Leave in mid-game?")
        assert not any(player.is_held for player in (await world.table()).players)
        assert result.response
        await ana.presses(result.response, "Yes, leave")
        assert [player.is_held for player in (await world.table()).players].count(True) == 1


async def test_a_moderator_bars_a_picked_member() -> None:
    async with opened() as world:
        ana, _ = await in_game(world)
        mia = world.moderator("Mia")
        assert text_of(await mia.types("bar", player=ana.member)) == ("Ana is barred from the tables here.")
        assert (await world.table()).players[0].kicked
        assert text_of(await ana.types("new", game="svoi")) == "Un moderador te vetó en las mesas de aquí."


async def test_a_person_who_wishes_is_invited_in_private_and_joins_there() -> None:
    async with opened() as world:
        ana, rita = world.player("Ana"), world.player("Rita", "es-ES")
        await rita.types_alone("help")
        await rita.types("notify")
        await ana.types("new", game="casino")
        await world.clock.advance(5)
        expected = f"Se abrió una mesa en {world.guild.name} \\#cards: Casino, mesa 1. ¿Juegas?"
        assert expected in rita.panel.content
        await rita.presses(rita.panel, "Unirse")
        assert len((await world.table()).players) == 2


@pytest.mark.parametrize("private", [True, False])
async def test_a_wish_in_a_channel_holds_in_its_public_threads_only(private: bool) -> None:
    kind: Literal[discord.ChannelType.private_thread, discord.ChannelType.public_thread]
    kind = discord.ChannelType.private_thread if private else discord.ChannelType.public_thread
    async with opened() as world:
        ana, bob = world.player("Ana"), world.player("Bob")
        await bob.types_alone("help")
        await bob.types("notify")
        channel = world.client.get_channel(world.channel.id)
        assert isinstance(channel, discord.TextChannel)
        thread = await channel.create_thread(name="Friday", type=kind)
        await thread.add_user(discord.Object(ana.member.id))
        place = next(one for one in world.channel.threads if one.id == thread.id)
        await ana.types("new", place, game="casino")
        await world.clock.advance(5)
        texts = [message.content for message in bob.member.user.dm_channel.history()]
        assert any("Friday" in words for words in texts) is not private


async def test_a_watcher_who_leaves_the_server_watches_no_more() -> None:
    async with opened() as world:
        turn, _ = await playing(world, clock="off")
        zoe = world.player("Zoe")
        await zoe.types("watch")
        chat = zoe.member.user.dm_channel
        assert len(chat.history()) == 1
        world.guild.remove_member(zoe.member)
        await world.clock.advance(MEMBERS_EVERY)
        moves = [button for button in buttons(turn.panel) if ":move:" in button["custom_id"]]
        await turn.clicks(turn.panel, moves[0])
        await world.clock.advance(WATCHED_EVERY)
        assert chat.history() == []
