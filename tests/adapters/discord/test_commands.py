"""The slash commands registered with Discord, in both languages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import discord
import pytest

from adapters.discord.commands import synchronise
from bot.inbox.commands import COMMANDS
from engines import games
from tests.adapters.discord.test_answers import playing, said, seated
from tests.adapters.discord.world import World, opened

ENGLISH = [one.name for one in COMMANDS]


def registered(world: World) -> Mapping[str, Any]:
    """The commands that the bot registered, by name."""
    put = next(one for one in world.env.http_requests if one.method == "PUT")
    assert isinstance(put.json, list)
    return {one["name"]: one for one in put.json}


async def test_every_command_is_made_known() -> None:
    async with opened() as world:
        assert list(registered(world)) == ENGLISH


@pytest.mark.parametrize("locale", ["es-ES", "es-419"])
async def test_every_command_has_its_spanish_name(locale: str) -> None:
    async with opened() as world:
        names = [one["name_localizations"][locale] for one in registered(world).values()]
        assert names == [one.spanish for one in COMMANDS]


async def test_every_parameter_has_its_spanish_name() -> None:
    async with opened() as world:
        named = {
            option["name"]: option["name_localizations"]["es-ES"]
            for one in registered(world).values()
            for option in one["options"]
        }
        assert named == {known.name: known.spanish for one in COMMANDS for known in one.parameters}


async def test_no_command_is_for_group_chats_without_us() -> None:
    async with opened() as world:
        contexts = {tuple(one["contexts"]) for one in registered(world).values()}
        assert contexts == {(0, 1), (0,)}


async def test_only_what_is_for_moderators_alone_is_hidden_from_others() -> None:
    async with opened() as world:
        hidden = {name: one["default_member_permissions"] for name, one in registered(world).items()}
        manage_messages = discord.Permissions(manage_messages=True).value
        assert {name: value for name, value in hidden.items() if value is not None} == dict.fromkeys(
            ("bar", "unbar", "channel"), manage_messages
        )


async def test_a_moderator_sees_the_commands_for_moderators() -> None:
    async with opened() as world:
        role = world.guild.create_role("Mods", permissions=discord.Permissions(manage_messages=True))
        mia = world.player("Mia", roles=[role])
        told = await mia.types("channel", language="es")
        assert said(told).startswith("The tables here speak Español.")


async def test_who_is_no_moderator_does_not_see_them() -> None:
    async with opened() as world:
        ana = world.player("Ana")
        assert "channel" not in ana.member.available_commands(world.channel)
        assert "kick" in ana.member.available_commands(world.channel)


async def test_who_opens_tables_is_completed() -> None:
    async with opened() as world:
        role = world.guild.create_role("Mods", permissions=discord.Permissions(manage_messages=True))
        mia = world.player("Mia", roles=[role])
        offered = await mia.member.autocomplete(world.channel, "channel", "openers", "")
        assert [one["value"] for one in offered] == ["everyone", "moderators"]


async def test_every_parameter_is_completed() -> None:
    async with opened() as world:
        options = [option for one in registered(world).values() for option in one["options"]]
        assert {option["autocomplete"] for option in options} == {True}


async def test_commands_that_have_not_changed_are_not_sent_again() -> None:
    async with opened() as world:
        await world.restart()
        assert len([one for one in world.env.http_requests if one.method == "PUT"]) == 1


async def test_commands_that_have_changed_are_sent_again() -> None:
    async with opened() as world:
        command = world.client.tree.get_command("help")
        assert command is not None
        world.client.tree.remove_command("help")
        assert await synchronise(world.client.tree)


async def test_no_name_or_choice_is_too_long() -> None:
    async with opened() as world:
        lengths = [
            len(one["description_localizations"].get(locale, one["description"]))
            for one in registered(world).values()
            for locale in ("es-ES", "en-US")
        ]
        assert max(lengths) <= 100


@pytest.mark.parametrize("name", ENGLISH)
async def test_every_command_is_answered(name: str) -> None:
    given = {
        "new": {"game": "casino"}, "cut": {"words": "by moonlight"}, "play": {"move": "nonsense"},
        "kick": {"player": "2"}, "owner": {"player": "2"}, "bar": {"player": "2"},
        "language": {"language": "es"},
    }  # fmt: skip
    async with opened() as world:
        await seated(world)
        role = world.guild.create_role("Mods", permissions=discord.Permissions(manage_messages=True))
        roles = [role] if next(one for one in COMMANDS if one.name == name).moderators else []
        eve = world.player("Eve", roles=roles)
        told = await eve.types(name, **given.get(name, {}))
        assert said(told)


async def test_games_are_completed_by_what_was_typed() -> None:
    async with opened() as world:
        ana = world.player("Ana")
        offered = await ana.member.autocomplete(world.channel, "new", "game", "card")
        assert [one["name"] for one in offered] == ["Cardlebones"]


async def test_house_rules_are_completed_for_the_game_that_was_chosen() -> None:
    async with opened() as world:
        ana = world.player("Ana")
        key = next(key for key, game in games().items() if game.options)
        offered = await ana.member.autocomplete(world.channel, "new", "rules", "", game=key)
        options = {one["value"].partition("=")[0] for one in offered}
        assert options == {option.name for option in games()[key].options if len(option.values) > 1}


async def test_what_is_completed_fits() -> None:
    async with opened() as world:
        ana, _ = await playing(world, "trio_escalera")
        offered = await ana.member.autocomplete(world.channel, "play", "move", "")
        assert 0 < len(offered) <= 25


async def test_the_table_speaks_the_language_of_the_server() -> None:
    async with opened() as world:
        world.room_locale = "es-ES"
        await world.player("Ana").types("new", game="casino")
        assert "Captura cartas" in world.board.content


async def test_each_is_answered_in_their_own_language() -> None:
    async with opened() as world:
        await seated(world)
        told = await world.player("Eva", locale="es-419").types("rules", game="casino")
        assert told.response
        assert "Casino de 40 cartas" in told.response.content
